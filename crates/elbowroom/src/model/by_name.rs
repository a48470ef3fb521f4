//! Finds bodies by their names.

use crate::model::body::Body;
use crate::model::id::BodyId;
use crate::numeric::layered::Layered;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::math::hash_bytes;

/// Numbers of bodies, sorted by a hash of their full names and then by the names. Neither is kept: both are
/// taken from the bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByName {
    /// The bodies that the world was compiled with.
    base: Arc<Vec<u32>>,
    /// The bodies that came later.
    later: Vec<u32>,
}

/// FNV-1a, whose last step spreads the last bytes over all bits.
fn hash_name(name: &str) -> u64 {
    let h = hash_bytes(name.bytes());
    h ^ h >> 32
}

/// The first place of a list whose name is not before this one.
fn first_not_before(sorted: &[u32], bodies: &Layered<Body>, name: &str) -> usize {
    let key = (hash_name(name), name);
    sorted.partition_point(|i| {
        let other = &*bodies[*i as usize].name;
        (hash_name(other), other) < key
    })
}

impl ByName {
    /// The names of bodies that are in the order of their numbers.
    pub fn new(bodies: &Layered<Body>) -> ByName {
        let mut hashed: Vec<(u64, u32)> =
            bodies.iter().zip(0..).map(|(b, i)| (hash_name(&b.name), i)).collect();
        hashed.sort_unstable();
        for run in hashed.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            run.sort_unstable_by_key(|(_, i)| (&*bodies[*i as usize].name, *i));
        }
        ByName { base: Arc::new(hashed.into_iter().map(|(_, i)| i).collect()), later: Vec::new() }
    }

    /// The bodies with a name, those that came later first.
    pub fn bodies_named<'a>(
        &'a self,
        bodies: &'a Layered<Body>,
        name: &'a str,
    ) -> impl Iterator<Item = BodyId> + 'a {
        [&self.later[..], &self.base[..]].into_iter().flat_map(move |sorted| {
            let same = move |i: &&u32| *bodies[**i as usize].name == *name;
            sorted[first_not_before(sorted, bodies, name)..].iter().take_while(same).map(|i| BodyId(*i))
        })
    }

    /// The body with a name; the first one if there are several.
    pub fn get(&self, bodies: &Layered<Body>, name: &str) -> Option<BodyId> {
        self.bodies_named(bodies, name).next()
    }

    /// Adds the last of the bodies.
    pub fn add(&mut self, bodies: &Layered<Body>) {
        let Some(last) = bodies.len().checked_sub(1) else { return };
        let at = first_not_before(&self.later, bodies, &bodies[last].name);
        self.later.insert(at, last as u32);
    }

    /// Every name that occurs more than once, as often as it occurs.
    pub fn duplicate_names<'b>(&self, bodies: &'b Layered<Body>) -> Vec<&'b str> {
        let name = |i: u32| &*bodies[i as usize].name;
        let same = |a: &u32, b: &u32| name(*a) == name(*b);
        self.base.chunk_by(same).filter(|run| run.len() > 1).flatten().map(|i| name(*i)).collect()
    }
}
