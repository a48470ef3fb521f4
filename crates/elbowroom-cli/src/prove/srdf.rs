//! Proofs as an SRDF that other tools can read.

use super::row::{Row, proof_in_words, settled, why_left};
use crate::arguments::GeometryChoice;
use crate::lengths::length_text;
use crate::load::{LoadedWorld, SrdfParts};
use elbowroom::fault::Numeral;
use elbowroom::motion::Claim;
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};

/// Text as it may stand in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a reason in an SRDF says what can be proved.
fn is_claim(reason: &str) -> bool {
    ["never", "always"].iter().any(|claim| reason.trim().eq_ignore_ascii_case(claim))
}

/// The groups and states of the SRDF that was read, groups as the links that they hold.
fn groups_and_states(parts: &SrdfParts) -> String {
    let mut text = String::new();
    for group in &parts.groups {
        text.push_str(&format!("  <group name=\"{}\">\n", escaped(&group.name)));
        for link in &group.links {
            text.push_str(&format!("    <link name=\"{}\"/>\n", escaped(link)));
        }
        text.push_str("  </group>\n");
    }
    for state in &parts.states {
        let (name, group) = (escaped(&state.name), escaped(&state.group));
        text.push_str(&format!("  <group_state name=\"{name}\" group=\"{group}\">\n"));
        for (joint, values) in &state.values {
            let values: Vec<String> = values.iter().map(|v| Numeral(*v).to_string()).collect();
            let joint = escaped(joint);
            text.push_str(&format!("    <joint name=\"{joint}\" value=\"{}\"/>\n", values.join(" ")));
        }
        text.push_str("  </group_state>\n");
    }
    text
}

/// The SRDF: pairs that need no check, each with its proof; all others are left to be checked.
pub fn written(loaded: &LoadedWorld, rows: &[Row], geometry: GeometryChoice) -> String {
    let world = &loaded.world;
    let robot = &world.robots()[0];
    let link = |id: BodyId| {
        let full = &*world.bodies()[id.index()].name;
        robot
            .links
            .contains(&id.0)
            .then(|| escaped(full.strip_prefix(&format!("{}/", robot.name)).unwrap_or(full)))
    };
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text.push_str(
        "<!-- Pairs of links that need no check. Never and Always are proved over all joint values within \
         limits, by\n     bounds and not by samples, and do not rely on limits that mimic joints have of \
         their own; pairs that are not\n     listed are to be checked. Written by elbowroom",
    );
    if loaded.padding > 0.0 {
        text.push_str(&format!(",\n     for shapes padded by {}", length_text(loaded.padding)));
    }
    if geometry == GeometryChoice::Hull {
        // A comment holds no two hyphens, as the option has.
        text.push_str(",\n     for the convex hulls of meshes");
    }
    text.push_str(". -->\n");
    text.push_str(&format!("<robot name=\"{}\">\n", escaped(&loaded.robot_names[0])));
    let mut put = |pair: BodyPair, reason: &str, comment: &str| {
        if let (Some(a), Some(b)) = (link(pair.a), link(pair.b)) {
            text.push_str(&format!(
                "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/> <!-- {comment} -->\n"
            ));
        }
    };
    for (a, b, status) in world.all_pairs() {
        match status {
            PairStatus::Allowed(AllowedReason::Adjacent) => {
                put(BodyPair { a, b }, "Adjacent", "one moving joint between them");
            }
            PairStatus::Allowed(AllowedReason::RigidlyJoined) => {
                put(BodyPair { a, b }, "Adjacent", "fixed joints between them");
            }
            _ => {}
        }
    }
    for row in rows {
        let proof = row.for_all_tools();
        match proof.claim {
            Claim::Never { .. } if settled(row.proof.claim) => put(row.pair, "Never", &proof_in_words(proof)),
            Claim::Always if settled(row.proof.claim) => put(row.pair, "Always", &proof_in_words(proof)),
            _ => {}
        }
    }
    // Decisions of people stay. `Never` and `Always` are claims, which are proved above or not made.
    for row in rows.iter().filter(|row| !settled(row.for_all_tools().claim) || !settled(row.proof.claim)) {
        if let Some(why) = row.disabled.as_deref().filter(|why| !is_claim(why)) {
            put(row.pair, &escaped(why), "as in the SRDF that was read");
        }
    }
    text.push_str(&groups_and_states(&loaded.srdf_parts[0]));
    for row in rows.iter().filter(|row| row.is_left()) {
        if let (Some(a), Some(b)) = (link(row.pair.a), link(row.pair.b)) {
            // Two hyphens end a comment.
            let [a, b] = [a, b].map(|link| link.replace("--", "- -"));
            text.push_str(&format!("  <!-- {a} and {b} are to be checked: {} -->\n", why_left(row)));
        }
    }
    text.push_str("</robot>\n");
    text
}
