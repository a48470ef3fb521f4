//! What may touch what: the table of roles, after tran91 section 2.2.
//!
//! A body, or a part of one, supports, or is manipulated, or neither. What a contact of two parts means
//! follows from what kind of thing each is, from its role, and from whether it is at rest. [`rule_contact`]
//! is the whole table. Each row says its rule, and where that stands in the paper.
//!
//! Where the paper leaves room, the row is the stricter one:
//!
//! * The role of the very part that is touched counts, also on an object in the hand. A held part without a
//!   role is put on nothing.
//! * A free object that comes down on a support collides (2.1), though the support's role alone would let it.
//! * What an arm holds is no support: it rests only until that arm moves, and the paper asks a support to
//!   rest before and while it is touched.

/// A body's number, the caller's own. All parts of a body have the number of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Body(pub u32);

/// An arm's number, the caller's own. All links of an arm and of its end effector have the number of the arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm(pub u32);

/// What a part is to the task: the paper's *primitive role*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Neither of the others: nothing may touch it.
    #[default]
    Neither,
    /// Objects may be put on it, as on a table's top. No arm may touch it.
    Supporting,
    /// An end effector may take it, as a box or a box's handle.
    Manipulating,
}

/// What kind of thing a body is, now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThingKind {
    /// A part of the hand of an arm: what may grasp.
    EndEffector(Arm),
    /// Any other link of an arm, its base among them.
    ArmLink(Arm),
    /// An object in the hand of an arm.
    Held(Arm),
    /// Any other object, the cell's floor and walls among them.
    Object,
}

/// A body, or the part of a body that the engine measured: what the table needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The body that this is a part of.
    pub body: Body,
    /// What kind of thing the body is.
    pub kind: ThingKind,
    /// The role of this part. The table does not ask for the roles of links.
    pub role: Role,
    /// Whether the body is known to be at rest. Whatever is not known to be at rest moves.
    pub at_rest: bool,
}

/// What the table says of a contact, before the task is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// No task allows it.
    Collision,
    /// It is meant if the task is to pick this object with this arm.
    Pick {
        /// The object that is taken.
        object: Body,
        /// The arm whose end effector takes it.
        arm: Arm,
    },
    /// It is meant if the task is to place this object on that support, or to take it from there.
    Place {
        /// The object in the hand.
        object: Body,
        /// The support.
        on: Body,
        /// The arm that holds the object.
        arm: Arm,
    },
    /// Nothing touches that did not touch before: a hand and what it holds, an object that stands, the parts
    /// of one body.
    Kept,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruling {
    /// What the table says.
    pub rule: Rule,
    /// The rule of the row in words, with its place in the paper.
    pub says: &'static str,
}

/// The verdict table. The order of the two parts does not matter.
///
/// ```
/// use elbowroom_monitor::roles::{Arm, Body, Part, Role, Rule, ThingKind, rule_contact};
///
/// let kind = ThingKind::EndEffector(Arm(0));
/// let gripper = Part { body: Body(1), kind, role: Role::Neither, at_rest: false };
/// let mug = Part { body: Body(2), kind: ThingKind::Object, role: Role::Manipulating, at_rest: true };
/// let book = Part { body: Body(3), kind: ThingKind::Object, role: Role::Neither, at_rest: true };
/// assert_eq!(rule_contact(&gripper, &mug).rule, Rule::Pick { object: Body(2), arm: Arm(0) });
/// assert_eq!(rule_contact(&book, &gripper).rule, Rule::Collision);
/// ```
pub fn rule_contact(a: &Part, b: &Part) -> Ruling {
    use Role::{Manipulating, Neither, Supporting};
    use ThingKind::{ArmLink, EndEffector, Held, Object};

    let collision = |says| Ruling { rule: Rule::Collision, says };
    let kept = |says| Ruling { rule: Rule::Kept, says };
    let pick = |object, arm, says| Ruling { rule: Rule::Pick { object, arm }, says };
    let place = |object, on, arm, says| Ruling { rule: Rule::Place { object, on, arm }, says };

    if a.body == b.body {
        // A body is one kind of thing at a time: whoever says otherwise is not believed.
        return match a.kind == b.kind {
            true => kept(INSEPARABLE),
            false => collision(OTHER),
        };
    }
    // By kind, as the kinds are declared, so that each pair of kinds has one order. The table below says of
    // two objects the same in both orders.
    let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
    let both_rest = a.at_rest && b.at_rest;

    match (a.kind, b.kind, a.role, b.role) {
        // Arms: only an end effector touches anything, and only what is manipulated.
        (EndEffector(_), EndEffector(_) | ArmLink(_), _, _) => collision(ITSELF),
        (ArmLink(_), ArmLink(_), _, _) => collision(ITSELF),
        (ArmLink(_), Object, _, Supporting) => collision(UNMANIPULATIVE),
        (ArmLink(_), Held(_) | Object, _, _) => collision(ANOTHER_PART),

        // An end effector and what is in a hand: its own, which it took before, or another arm's.
        (EndEffector(arm), Held(by), _, Manipulating) => match arm == by {
            true => kept(EMPOWERS),
            false => pick(b.body, arm, PERMITS),
        },
        (EndEffector(_), Held(_), _, Supporting) => collision(OTHER_THAN_THE_ARM),
        (EndEffector(_), Held(_), _, Neither) => collision(ANOTHER_PART),

        // An end effector and an object.
        (EndEffector(arm), Object, _, Manipulating) => pick(b.body, arm, PERMITS),
        (EndEffector(_), Object, _, Supporting) => collision(UNMANIPULATIVE),
        (EndEffector(_), Object, _, Neither) => collision(CLOSE_BY),

        // What is held, and what it is put on.
        (Held(_), Object, Neither, Supporting) => collision(OTHER),
        (Held(arm), Object, _, Supporting) => match b.at_rest {
            true => place(a.body, b.body, arm, PLACE),
            false => collision(STATIONARY),
        },
        (Held(_), Object, _, Manipulating) => collision(ANOTHER_BOX),
        (Held(_), Object, _, Neither) => collision(OTHER),

        // Two things in hands.
        (Held(_), Held(_), Manipulating, _) | (Held(_), Held(_), _, Manipulating) => collision(ANOTHER_BOX),
        (Held(_), Held(_), Supporting, _) | (Held(_), Held(_), _, Supporting) => collision(STATIONARY),
        (Held(_), Held(_), Neither, Neither) => collision(OTHER),

        // Two objects: what stands on its support stays, all else bumps or falls.
        (Object, Object, Supporting, _) | (Object, Object, _, Supporting) => match both_rest {
            true => kept(COMPATIBLE),
            false => collision(FALLING),
        },
        (Object, Object, Manipulating | Neither, Manipulating | Neither) => collision(OTHER),

        // The other orders of two kinds: they were swapped above, and what is not known is a collision.
        (ArmLink(_) | Held(_) | Object, EndEffector(_), _, _)
        | (Held(_) | Object, ArmLink(_), _, _)
        | (Object, Held(_), _, _) => collision(OTHER),
    }
}

// The rules, each with its place in the paper.
const INSEPARABLE: &str = "the parts of one object are joined for good (tran91 2.2)";
const ITSELF: &str = "arms may touch neither themselves nor each other (tran91 1)";
const UNMANIPULATIVE: &str = "a support is nothing that an arm handles: no part of an arm may touch it \
    (tran91 2.2)";
const ANOTHER_PART: &str = "only an end effector may touch an object, and only one that is manipulated \
    (tran91 1, 2.2)";
const CLOSE_BY: &str = "an end effector may not touch an object without a role, which merely stands near \
    (tran91 1)";
const PERMITS: &str = "what is manipulated may be touched by an end effector (tran91 2.2)";
const EMPOWERS: &str = "an end effector may hold what it has taken (tran91 2.2)";
const OTHER_THAN_THE_ARM: &str = "a support carries objects, and no arm may touch it (tran91 2.2)";
const PLACE: &str = "an object in the hand that comes down on a support is placed there (tran91 2.2)";
const STATIONARY: &str = "a support carries nothing unless it rests before and while it is touched \
    (tran91 2.2)";
const ANOTHER_BOX: &str = "an object in the hand may not touch another object that is manipulated \
    (tran91 2.2)";
const COMPATIBLE: &str = "what stands on its support does not collide with it (tran91 2.1)";
const FALLING: &str = "what falls or slides onto a support collides with it (tran91 2.1)";
const OTHER: &str = "no role allows this contact, so nobody means it (tran91 2.2)";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every part that two bodies of two arms can be.
    pub(crate) fn parts(body: u32) -> Vec<Part> {
        let arms = [Arm(0), Arm(1)];
        let of_arms =
            arms.map(|arm| [ThingKind::EndEffector(arm), ThingKind::ArmLink(arm), ThingKind::Held(arm)]);
        let kinds = of_arms.into_iter().flatten().chain([ThingKind::Object]);
        let roles = [Role::Neither, Role::Supporting, Role::Manipulating];
        let part = |kind, role, at_rest| Part { body: Body(body), kind, role, at_rest };
        kinds
            .flat_map(|kind| roles.map(|role| [false, true].map(|rest| part(kind, role, rest))))
            .flatten()
            .collect()
    }

    /// The table again, by its few permissions: all that is not named here collides.
    fn plain(a: &Part, b: &Part) -> Rule {
        for (one, other) in [(a, b), (b, a)] {
            match (one.kind, other.kind, other.role) {
                (ThingKind::EndEffector(arm), ThingKind::Held(by), Role::Manipulating) if arm == by => {
                    return Rule::Kept;
                }
                (ThingKind::EndEffector(arm), ThingKind::Held(_) | ThingKind::Object, Role::Manipulating) => {
                    return Rule::Pick { object: other.body, arm };
                }
                (ThingKind::Held(arm), ThingKind::Object, Role::Supporting)
                    if other.at_rest && one.role != Role::Neither =>
                {
                    return Rule::Place { object: one.body, on: other.body, arm };
                }
                (ThingKind::Object, ThingKind::Object, Role::Supporting) if one.at_rest && other.at_rest => {
                    return Rule::Kept;
                }
                _ => {}
            }
        }
        Rule::Collision
    }

    #[test]
    fn every_row_is_as_the_permissions_say_in_both_orders() {
        let mut counts = [0; 4];
        for a in parts(1) {
            for b in parts(2) {
                let row = rule_contact(&a, &b);
                assert_eq!(row.rule, plain(&a, &b), "{a:?} {b:?}");
                assert_eq!(row, rule_contact(&b, &a), "{a:?} {b:?}");
                counts[match row.rule {
                    Rule::Collision => 0,
                    Rule::Pick { .. } => 1,
                    Rule::Place { .. } => 2,
                    Rule::Kept => 3,
                }] += 1;
            }
        }
        // Of 42 x 42. Pick: 12 hands, 2 manipulated objects and 2 of the other arm, both orders. Place: 12
        // held less 4 without a role, 1 support. Kept: 12 hands and 2 of their own; two objects at rest, 3 x
        // 3 less the 2 x 2 without a support.
        assert_eq!(counts, [1764 - 96 - 16 - 53, 96, 16, 48 + 5]);
    }

    #[test]
    fn the_rows_that_the_paper_names() {
        let part = |body, kind, role| Part { body: Body(body), kind, role, at_rest: true };
        let hand = part(1, ThingKind::EndEffector(Arm(0)), Role::Neither);
        let link = part(2, ThingKind::ArmLink(Arm(0)), Role::Neither);
        let table = part(3, ThingKind::Object, Role::Supporting);
        let legs = part(3, ThingKind::Object, Role::Neither);
        let oru = part(4, ThingKind::Object, Role::Manipulating);
        let other_oru = part(5, ThingKind::Object, Role::Manipulating);
        let held = part(4, ThingKind::Held(Arm(0)), Role::Manipulating);
        let rule = |a: &Part, b: &Part| rule_contact(a, b).rule;
        assert_eq!(rule(&hand, &oru), Rule::Pick { object: Body(4), arm: Arm(0) });
        assert_eq!(rule(&hand, &table), Rule::Collision);
        assert_eq!(rule(&link, &table), Rule::Collision);
        assert_eq!(rule(&link, &oru), Rule::Collision);
        assert_eq!(rule(&link, &held), Rule::Collision);
        assert_eq!(rule(&hand, &held), Rule::Kept);
        assert_eq!(rule(&held, &table), Rule::Place { object: Body(4), on: Body(3), arm: Arm(0) });
        assert_eq!(rule(&held, &legs), Rule::Collision);
        assert_eq!(rule(&held, &other_oru), Rule::Collision);
        assert_eq!(rule(&oru, &table), Rule::Kept);
        let falling = Part { at_rest: false, ..oru };
        assert_eq!(rule(&falling, &table), Rule::Collision);
        let pushed = Part { at_rest: false, ..table };
        assert_eq!(rule(&held, &pushed), Rule::Collision);
        assert_eq!(rule(&table, &legs), Rule::Kept, "the parts of one body");
    }

    #[test]
    fn one_body_is_one_kind_of_thing() {
        for a in parts(1) {
            for b in parts(1) {
                let kept = rule_contact(&a, &b).rule == Rule::Kept;
                assert_eq!(kept, a.kind == b.kind, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_row_says_its_rule() {
        let said: std::collections::BTreeSet<&str> =
            parts(1).iter().flat_map(|a| parts(2).into_iter().map(|b| rule_contact(a, &b).says)).collect();
        // All but that of the parts of one body.
        assert_eq!(said.len(), 13);
        assert!(said.iter().all(|says| says.contains("(tran91 ") && !says.contains("  ")), "{said:?}");
    }
}
