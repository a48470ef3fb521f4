//! The pairs of bodies that can be checked because an obstacle is movable, numbered.
//!
//! Which of them are checked depends on where movable bodies are and who carries them; a pose knows that
//! (`pose/checked_pair_count`). Each movable body has a row of pairs: with the bodies that joints move, with
//! those that never move, and with the movable bodies after it. The rules exclude some of these pairs for
//! ever; the others are numbered row by row.

use crate::model::id::{BodyId, BodyPair, PairId, order_pair};
use crate::numeric::layered::Layered;
use alloc::vec::Vec;

/// The partner of a movable body in a pair, by its place in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MovablePartner {
    /// A body that joints move, by its number among them.
    Moving(u32),
    /// A body that never moves, by its number among them.
    Still(u32),
    /// A movable body, by its number among them.
    Movable(u32),
}

/// The pairs of movable bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MovablePairs {
    /// Bodies with shapes that joints move, that never move, and that are movable; each sorted.
    pub moving: Vec<BodyId>,
    pub still: Layered<BodyId>,
    pub movable: Vec<BodyId>,
    /// The places in the rows of pairs that the rules exclude; sorted.
    except: Vec<u32>,
    /// The first number.
    first: u32,
}

impl MovablePairs {
    /// The pairs of these bodies; none is excluded yet. `None` if there are more pairs than numbers.
    pub fn new(
        [moving, movable]: [Vec<BodyId>; 2],
        still: Layered<BodyId>,
        first: u32,
    ) -> Option<MovablePairs> {
        let pairs = MovablePairs { moving, still, movable, except: Vec::new(), first };
        let width = pairs.moving.len() + pairs.still.len() + pairs.movable.len();
        let most = u32::try_from(pairs.movable.len().checked_mul(width)?).ok()?;
        first.checked_add(most).is_some().then_some(pairs)
    }

    /// Excludes pairs for ever. Numbers change.
    pub fn exclude_pairs(&mut self, pairs: impl Iterator<Item = BodyPair>) {
        let mut except: Vec<u32> = pairs.filter_map(|pair| self.place_of(pair)).collect();
        except.append(&mut self.except);
        except.sort_unstable();
        except.dedup();
        except.shrink_to_fit();
        self.except = except;
    }

    /// These pairs after bodies that never move have gone and come, with numbers from `first` on. The bodies
    /// that are `gone` keep their places and have no pairs; those that are `new` come behind. `allowed` tells
    /// of a body and a new one whether a rule excludes the pair. `None` if there are more pairs than numbers.
    pub fn with_still(
        self,
        gone: &[BodyId],
        new: &[BodyId],
        first: u32,
        allowed: impl Fn(BodyId, BodyId) -> bool,
    ) -> Option<MovablePairs> {
        let excluded: Vec<(u32, MovablePartner)> = self.excepted_parts().collect();
        let MovablePairs { moving, mut still, movable, .. } = self;
        let gone = indices_of(&still, gone);
        let first_new = still.len() as u32;
        new.iter().for_each(|body| still.push(*body));
        let mut pairs = MovablePairs::new([moving, movable], still, first)?;
        let mut except: Vec<u32> = excluded
            .iter()
            .filter_map(|(movable, partner)| pairs.place_in_rows(*movable, *partner))
            .collect();
        for (row, body) in (0..).zip(&pairs.movable) {
            let barred = (first_new..).zip(new).filter(|(_, new)| allowed(*body, **new)).map(|(at, _)| at);
            let barred = gone.iter().copied().chain(barred);
            except.extend(barred.filter_map(|at| pairs.place_in_rows(row, MovablePartner::Still(at))));
        }
        except.sort_unstable();
        except.dedup();
        pairs.except = except;
        Some(pairs)
    }

    /// Whether no body is movable.
    pub fn is_empty(&self) -> bool {
        self.movable.is_empty()
    }

    /// The bodies in a row that are not movable.
    fn other_count(&self) -> u32 {
        (self.moving.len() + self.still.len()) as u32
    }

    /// The first place of a row.
    fn row_start(&self, row: u32) -> u32 {
        // Each row has one movable body less than the row before. The first row has all but its own.
        let (movable, triangle) = (self.movable.len() as u64, u64::from(row) * (u64::from(row) + 1) / 2);
        (u64::from(row) * (u64::from(self.other_count()) + movable) - triangle) as u32
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.row_start(self.movable.len() as u32) as usize - self.except.len()
    }

    /// The place of a pair in the rows.
    #[inline]
    fn place_in_rows(&self, movable: u32, partner: MovablePartner) -> Option<u32> {
        let (moving, others) = (self.moving.len() as u32, self.other_count());
        Some(match partner {
            MovablePartner::Moving(i) => self.row_start(movable) + i,
            MovablePartner::Still(i) => self.row_start(movable) + moving + i,
            MovablePartner::Movable(i) if i == movable => return None,
            MovablePartner::Movable(i) => {
                let (row, other) = (movable.min(i), movable.max(i));
                self.row_start(row) + others + other - row - 1
            }
        })
    }

    /// The number of a pair that the rules do not exclude.
    #[inline]
    pub fn pair_id(&self, movable: u32, partner: MovablePartner) -> Option<PairId> {
        let place = self.place_in_rows(movable, partner)?;
        self.except.binary_search(&place).err().map(|before| PairId(self.first + place - before as u32))
    }

    /// The number of a movable body among them.
    pub fn index(&self, body: BodyId) -> Option<u32> {
        // Mostly their numbers follow each other.
        let guess = body.0.checked_sub(self.movable.first()?.0)?;
        if self.movable.get(guess as usize) == Some(&body) {
            return Some(guess);
        }
        self.movable.binary_search(&body).ok().map(|i| i as u32)
    }

    /// A body as the partner of a movable one; `None` for a body that no movable one can meet.
    fn partner_of(&self, body: BodyId) -> Option<MovablePartner> {
        let among = |list: &[BodyId]| list.binary_search(&body).ok().map(|i| i as u32);
        among(&self.moving)
            .map(MovablePartner::Moving)
            .or_else(|| self.still.find_by(|id| id.cmp(&body)).ok().map(|i| MovablePartner::Still(i as u32)))
            .or_else(|| among(&self.movable).map(MovablePartner::Movable))
    }

    /// The place of a pair in the rows; `None` if it has none.
    fn place_of(&self, pair: BodyPair) -> Option<u32> {
        let (movable, partner) = self.parts_of(pair)?;
        self.place_in_rows(movable, partner)
    }

    /// The movable body of a pair, the first of two, and its partner.
    fn parts_of(&self, pair: BodyPair) -> Option<(u32, MovablePartner)> {
        let (movable, other) = match (self.index(pair.a), self.index(pair.b)) {
            (Some(movable), _) => (movable, pair.b),
            (None, Some(movable)) => (movable, pair.a),
            (None, None) => return None,
        };
        Some((movable, self.partner_of(other)?))
    }

    /// The number of a pair; `None` if it has none.
    pub fn find_pair(&self, pair: BodyPair) -> Option<PairId> {
        let (movable, partner) = self.parts_of(pair)?;
        self.pair_id(movable, partner)
    }

    /// The movable body of a number, the first of two, and its partner.
    pub fn movable_and_partner(&self, pair: PairId) -> Option<(u32, MovablePartner)> {
        let nth = pair.0.checked_sub(self.first).filter(|nth| (*nth as usize) < self.len())?;
        Some(self.parts_at(nth + excepted_before(&self.except, nth)))
    }

    /// The movable body of a place in the rows, the first of two, and its partner.
    fn parts_at(&self, place: u32) -> (u32, MovablePartner) {
        let rows = self.movable.len() as u32;
        let row = find_partition_point(rows, |row| self.row_start(row + 1) <= place);
        let (column, moving) = (place - self.row_start(row), self.moving.len() as u32);
        let partner = if column < moving {
            MovablePartner::Moving(column)
        } else if column < self.other_count() {
            MovablePartner::Still(column - moving)
        } else {
            MovablePartner::Movable(column - self.other_count() + row + 1)
        };
        (row, partner)
    }

    /// The body that a partner is.
    pub fn partner_body(&self, partner: MovablePartner) -> BodyId {
        match partner {
            MovablePartner::Moving(i) => self.moving[i as usize],
            MovablePartner::Still(i) => self.still[i as usize],
            MovablePartner::Movable(i) => self.movable[i as usize],
        }
    }

    fn body_pair(&self, (movable, partner): (u32, MovablePartner)) -> BodyPair {
        let (a, b) = order_pair(self.movable[movable as usize], self.partner_body(partner));
        BodyPair { a, b }
    }

    /// The bodies of a number.
    pub fn get(&self, pair: PairId) -> Option<BodyPair> {
        self.movable_and_partner(pair).map(|parts| self.body_pair(parts))
    }

    /// The pairs that the rules exclude.
    pub fn excepted_pairs(&self) -> impl Iterator<Item = BodyPair> + '_ {
        self.excepted_parts().map(|parts| self.body_pair(parts))
    }

    /// The movable bodies of these pairs, the first of two, and their partners.
    pub fn excepted_parts(&self) -> impl Iterator<Item = (u32, MovablePartner)> + '_ {
        self.except.iter().map(|place| self.parts_at(*place))
    }

    /// All pairs, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = BodyPair> + '_ {
        (0..self.len() as u32).filter_map(|nth| self.get(PairId(self.first + nth)))
    }

    /// The places in the rows of pairs that the rules exclude.
    pub fn excluded_places(&self) -> &[u32] {
        &self.except
    }
}

/// The indices of bodies in a sorted list. Bodies that the list does not have are left out.
pub(crate) fn indices_of(list: &Layered<BodyId>, bodies: &[BodyId]) -> Vec<u32> {
    bodies.iter().filter_map(|body| list.find_by(|id| id.cmp(body)).ok()).map(|at| at as u32).collect()
}

/// How many of the excepted places, which are sorted, come before the place that is `nth` of the others.
pub(crate) fn excepted_before(except: &[u32], nth: u32) -> u32 {
    // `except[i] - i` other places come before `except[i]`. So `except[i]` comes before the place if that is
    // at most `nth`.
    find_partition_point(except.len() as u32, |i| except[i as usize] - i <= nth)
}

/// The first number below `end` for which `before` is false. `before` must be true for all numbers before
/// that one, and false from there on.
fn find_partition_point(end: u32, before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(list: &[u32]) -> Vec<BodyId> {
        list.iter().map(|i| BodyId(*i)).collect()
    }

    #[test]
    fn numbers_and_pairs_agree() {
        let sets @ [moving, still, movable] = &[ids(&[1, 2, 4]), ids(&[0, 3, 6]), ids(&[5, 7, 8])];
        let pair = |a, b| BodyPair { a: BodyId(a), b: BodyId(b) };
        let excluded = [pair(2, 5), pair(7, 8)];
        let mut pairs =
            MovablePairs::new([moving.clone(), movable.clone()], still.clone().into(), 10).unwrap();
        pairs.exclude_pairs(excluded.into_iter());
        // Each movable body with three that move and three that stay, and three pairs of movable bodies.
        assert_eq!(pairs.len(), 9 + 9 + 3 - 2);
        let mut seen: Vec<BodyPair> = pairs.iter().collect();
        assert_eq!(seen.len(), pairs.len());
        for (nth, pair) in seen.iter().enumerate() {
            let number = pairs.find_pair(*pair).unwrap();
            assert_eq!(number, PairId(10 + nth as u32));
            assert!(pair.a < pair.b && !excluded.contains(pair));
            assert_eq!(pairs.get(number), Some(*pair));
            let (movable, partner) = pairs.movable_and_partner(number).unwrap();
            assert_eq!(pairs.pair_id(movable, partner), Some(number));
            if let MovablePartner::Movable(other) = partner {
                assert_eq!(pairs.pair_id(other, MovablePartner::Movable(movable)), Some(number));
            }
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), pairs.len());
        assert!(excluded.iter().all(|pair| pairs.find_pair(*pair).is_none()));
        // Two bodies of which none is movable have no number here, nor has a body with itself.
        let [moving, still, movable] = sets.clone().map(|set| set[0]);
        for (a, b) in [(moving, still), (movable, movable)] {
            assert_eq!(pairs.find_pair(BodyPair { a, b }), None);
        }
        assert_eq!([9, 10 + 19].map(|n| pairs.get(PairId(n))), [None, None]);
    }

    #[test]
    fn more_pairs_than_numbers_are_refused() {
        let many = |n: u32| (0..n).map(BodyId).collect::<Vec<_>>();
        assert!(MovablePairs::new([many(2), many(1)], Layered::default(), u32::MAX - 2).is_none());
        let few = MovablePairs::new([many(2), Vec::new()], Layered::default(), u32::MAX).unwrap();
        assert_eq!((few.len(), few.is_empty(), few.iter().count()), (0, true, 0));
    }
}
