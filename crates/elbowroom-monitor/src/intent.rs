//! What the task does now, and what a contact is because of that.
//!
//! The table of [`roles`](crate::roles) says which contacts a task can mean. A task means them only while it
//! says so. The fail-safe choice is [`Mode::Declared`]: without an intent there is no contact. The two other
//! modes are the paper's.

use crate::roles::{Arm, Body, Part, Rule, rule_contact};

/// Something that the task does now. The task that does nothing has an empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// An object is taken.
    Pick {
        /// The object.
        object: Body,
        /// The support that it stands on: while it is lifted it may still touch this support. With `None` it
        /// may touch none.
        from: Option<Body>,
        /// The arm that takes it; with `None` any may.
        arm: Option<Arm>,
    },
    /// An object in a hand is put down, and the hand leaves it.
    Place {
        /// The object.
        object: Body,
        /// The support that it is put on.
        on: Body,
        /// The arm that puts it down; with `None` any may.
        arm: Option<Arm>,
    },
}

/// How it is known what the task means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Only active intents are believed: no intent, no contact.
    #[default]
    Declared,
    /// The role alone is the intent: who approaches what may be taken means to take it (tran91 section 3).
    /// Where that is not meant, there is a collision; the paper says so itself (section 2.2).
    Infer,
    /// The operator is asked as soon as a contact is foreseen (tran91 section 2.2). An answer is an intent,
    /// which is then active. The operator is not asked about what no task allows.
    Ask,
}

/// What a contact of two parts would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contact {
    /// The task means it. It is approached slowly all the same.
    Expected,
    /// The task does not mean it: it must not happen.
    Collision,
    /// The arm must hold until the operator has said whether it is meant.
    Ask,
}

impl Intent {
    /// Whether this is what a contact of this rule waits for. It is for no other object, support or arm.
    pub fn allows(&self, rule: &Rule) -> bool {
        let by = |named: Option<Arm>, arm: Arm| named.is_none_or(|named| named == arm);
        match (*self, *rule) {
            (Intent::Pick { object, arm, .. }, Rule::Pick { object: taken, arm: hand }) => {
                object == taken && by(arm, hand)
            }
            // Lifted: it leaves what it stood on.
            (Intent::Pick { object, from, arm }, Rule::Place { object: held, on, arm: hand }) => {
                object == held && from == Some(on) && by(arm, hand)
            }
            (Intent::Place { object, on, arm }, Rule::Place { object: held, on: support, arm: hand }) => {
                object == held && on == support && by(arm, hand)
            }
            // Let go: the hand leaves what it put down.
            (Intent::Place { object, arm, .. }, Rule::Pick { object: left, arm: hand }) => {
                object == left && by(arm, hand)
            }
            // What no task allows; what needs no task.
            (Intent::Pick { .. } | Intent::Place { .. }, Rule::Collision | Rule::Kept) => false,
        }
    }
}

/// What a contact of two parts would be, while these intents are active. The order of the two parts, and that
/// of the intents, does not matter. Nothing is allocated; the work grows with the number of intents alone.
///
/// ```
/// use elbowroom_monitor::roles::{Arm, Body, Part, Role, ThingKind};
/// use elbowroom_monitor::{Contact, Intent, Mode, contact_of_parts};
///
/// let kind = ThingKind::EndEffector(Arm(0));
/// let gripper = Part { body: Body(1), kind, role: Role::Neither, at_rest: false };
/// let mug = Part { body: Body(2), kind: ThingKind::Object, role: Role::Manipulating, at_rest: true };
/// let pick = Intent::Pick { object: Body(2), from: None, arm: None };
/// assert_eq!(contact_of_parts(&gripper, &mug, &[], Mode::Declared), Contact::Collision);
/// assert_eq!(contact_of_parts(&gripper, &mug, &[pick], Mode::Declared), Contact::Expected);
/// assert_eq!(contact_of_parts(&gripper, &mug, &[], Mode::Infer), Contact::Expected);
/// assert_eq!(contact_of_parts(&gripper, &mug, &[], Mode::Ask), Contact::Ask);
/// ```
pub fn contact_of_parts(a: &Part, b: &Part, intents: &[Intent], mode: Mode) -> Contact {
    let rule = rule_contact(a, b).rule;
    let meant = || intents.iter().any(|intent| intent.allows(&rule));
    match (rule, mode) {
        (Rule::Collision, _) => Contact::Collision,
        (Rule::Kept, _) => Contact::Expected,
        (Rule::Pick { .. } | Rule::Place { .. }, Mode::Infer) => Contact::Expected,
        (Rule::Pick { .. } | Rule::Place { .. }, Mode::Declared | Mode::Ask) if meant() => Contact::Expected,
        (Rule::Pick { .. } | Rule::Place { .. }, Mode::Declared) => Contact::Collision,
        (Rule::Pick { .. } | Rule::Place { .. }, Mode::Ask) => Contact::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roles::tests::parts;

    const MODES: [Mode; 3] = [Mode::Declared, Mode::Infer, Mode::Ask];

    /// Every intent about these bodies, by either arm or any.
    fn intents(bodies: &[u32]) -> Vec<Intent> {
        let mut all = Vec::new();
        for arm in [None, Some(Arm(0)), Some(Arm(1))] {
            for object in bodies.iter().map(|b| Body(*b)) {
                all.push(Intent::Pick { object, from: None, arm });
                for on in bodies.iter().map(|b| Body(*b)) {
                    all.push(Intent::Pick { object, from: Some(on), arm });
                    all.push(Intent::Place { object, on, arm });
                }
            }
        }
        all
    }

    fn pairs() -> impl Iterator<Item = (Part, Part)> {
        parts(1).into_iter().flat_map(|a| parts(2).into_iter().map(move |b| (a, b)))
    }

    #[test]
    fn every_row_in_every_mode_under_every_intent_is_the_same_in_both_orders() {
        let all = intents(&[1, 2, 3]);
        assert_eq!(all.len(), 63);
        let mut seen = std::collections::BTreeMap::new();
        for (a, b) in pairs() {
            let rule = rule_contact(&a, &b).rule;
            for mode in MODES {
                for intent in &all {
                    let got = contact_of_parts(&a, &b, &[*intent], mode);
                    assert_eq!(
                        got,
                        contact_of_parts(&b, &a, &[*intent], mode),
                        "{a:?} {b:?} {intent:?} {mode:?}"
                    );
                    // By the definition, in other words.
                    let open = matches!(rule, Rule::Pick { .. } | Rule::Place { .. });
                    let named = match (rule, *intent) {
                        (Rule::Pick { object, arm }, Intent::Pick { object: o, arm: by, .. }) => {
                            o == object && by != Some(Arm(1 - arm.0))
                        }
                        (Rule::Place { object, on, arm }, Intent::Place { object: o, on: s, arm: by }) => {
                            (o, s) == (object, on) && by != Some(Arm(1 - arm.0))
                        }
                        (Rule::Pick { object, arm }, Intent::Place { object: o, arm: by, .. }) => {
                            o == object && by != Some(Arm(1 - arm.0))
                        }
                        (Rule::Place { object, on, arm }, Intent::Pick { object: o, from, arm: by }) => {
                            (o, from) == (object, Some(on)) && by != Some(Arm(1 - arm.0))
                        }
                        _ => false,
                    };
                    let want = match (rule == Rule::Kept, open, named || mode == Mode::Infer, mode) {
                        (true, ..) | (_, true, true, _) => Contact::Expected,
                        (_, true, false, Mode::Ask) => Contact::Ask,
                        _ => Contact::Collision,
                    };
                    assert_eq!(got, want, "{a:?} {b:?} {intent:?} {mode:?}");
                    *seen.entry(format!("{mode:?} {got:?}")).or_insert(0) += 1;
                }
            }
        }
        // Each mode reached each of its answers.
        assert_eq!(seen.len(), 7, "{seen:?}");
    }

    #[test]
    fn without_an_intent_no_contact_is_made() {
        for (a, b) in pairs() {
            let kept = rule_contact(&a, &b).rule == Rule::Kept;
            let declared = contact_of_parts(&a, &b, &[], Mode::Declared);
            assert_eq!(declared, if kept { Contact::Expected } else { Contact::Collision });
            assert_eq!(contact_of_parts(&a, &b, &[], Mode::Ask) == Contact::Expected, kept, "asked first");
        }
        assert_eq!(Mode::default(), Mode::Declared);
    }

    #[test]
    fn intents_that_name_other_bodies_do_not_help() {
        // About bodies 3 and 4, or about one of the pair and another.
        let named = |intent: &Intent| match *intent {
            Intent::Pick { object, from, .. } => [Some(object), from],
            Intent::Place { object, on, .. } => [Some(object), Some(on)],
        };
        let others: Vec<Intent> = intents(&[3, 4]);
        assert!(others.iter().all(|i| !named(i).contains(&Some(Body(1)))));
        for (a, b) in pairs() {
            for mode in MODES {
                assert_eq!(contact_of_parts(&a, &b, &others, mode), contact_of_parts(&a, &b, &[], mode));
            }
            if let Rule::Place { object, on, .. } = rule_contact(&a, &b).rule {
                let elsewhere = [
                    Intent::Place { object, on: Body(3), arm: None },
                    Intent::Place { object: Body(3), on, arm: None },
                    Intent::Place { object: on, on: object, arm: None },
                    Intent::Pick { object, from: None, arm: None },
                    Intent::Pick { object, from: Some(Body(3)), arm: None },
                ];
                assert_eq!(contact_of_parts(&a, &b, &elsewhere, Mode::Declared), Contact::Collision);
            }
        }
    }

    #[test]
    fn more_intents_never_take_a_contact_away() {
        let all = intents(&[1, 2]);
        for (a, b) in pairs() {
            let expected =
                all.iter().any(|i| contact_of_parts(&a, &b, &[*i], Mode::Declared) == Contact::Expected);
            let together = contact_of_parts(&a, &b, &all, Mode::Declared) == Contact::Expected;
            assert_eq!(expected, together);
            // No task allows what the table forbids.
            assert!(rule_contact(&a, &b).rule != Rule::Collision || !together);
        }
    }
}
