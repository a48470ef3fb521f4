//! What the paper leaves open about its search, swept: one number of a policy after the other.

use super::policy::{HandOut, Policy};
use super::protocol::Resume;
use std::fmt::Write as _;

/// Most rounds of the sweep.
pub(super) const SWEEP_ROUNDS: usize = 5;

/// One choice of what the paper leaves open.
#[derive(Clone, Debug)]
pub struct TriedPolicy {
    /// The cell.
    pub cell: &'static str,
    /// What all choices of a line of the table have, and what this one has.
    pub names: [String; 2],
    /// The choice.
    pub policy: Policy,
    /// Speedup on most processors.
    pub speedup: f64,
    /// Distances of polytopes over those of the sequential search.
    pub extra_work: f64,
    /// The work of the busiest processor over the mean.
    pub load_imbalance: f64,
}

/// Every choice of the sweep, with its line and its column in the table.
pub(super) fn tried_policies() -> Vec<(String, String, Policy)> {
    let mut all = Vec::new();
    let bases = [("own", Policy::from_paper()), ("shared", Policy::with_shared_bounds())];
    for (name, base) in bases {
        for hand_out in [HandOut::Best, HandOut::EverySecond] {
            for reply_nodes in [2, 8, 16] {
                for master_weight in [0.5, 1.0, 2.0, 4.0, 16.0] {
                    let which = if hand_out == HandOut::Best { "best" } else { "every second" };
                    let line = format!("{name}, {reply_nodes} nodes, {which}: weight");
                    let policy = Policy { master_weight, reply_nodes, hand_out, ..base };
                    all.push((line, master_weight.to_string(), policy));
                }
            }
        }
    }
    for (name, base) in bases {
        let mut push =
            |line: &str, column: String, policy| all.push((format!("{name}: {line}"), column, policy));
        for pause_us in [5.0, 20.0, 50.0, 200.0] {
            push("pause (us)", pause_us.to_string(), Policy { pause_us, ..base });
        }
        for asks_before_token in [1, 3, 8] {
            let column = asks_before_token.to_string();
            push("empty replies before a token", column, Policy { asks_before_token, ..base });
        }
        for keep_token in [false, true] {
            let column = if keep_token { "kept" } else { "passed on" };
            push("a token while a reply is awaited", column.into(), Policy { keep_token, ..base });
        }
        for resume in [Resume::GoOn, Resume::NextToken] {
            let column = if resume == Resume::GoOn { "the word" } else { "the next token" };
            push("what releases", column.into(), Policy { resume, ..base });
        }
        for park_requests in [false, true] {
            let column = if park_requests { "waits" } else { "is answered" };
            push("a request where all are at work", column.into(), Policy { park_requests, ..base });
        }
    }
    all
}

/// The table of a sweep, for people.
pub(super) fn write_sweep(t: &mut String, tried: &[TriedPolicy], processors: usize) {
    for cell in tried.chunk_by(|a, b| a.cell == b.cell) {
        let _ = writeln!(
            t,
            "\nWhat the paper leaves open, in {} on {processors} processors: speedup, and polytopes over \
             those of one\n  (own, shared: bounds; the rest is as in the policy of the paper, and in \
             ours)",
            cell[0].cell
        );
        for line in cell.chunk_by(|a, b| a.names[0] == b.names[0]) {
            let _ = write!(t, "  {:<41}", line[0].names[0]);
            for TriedPolicy { names, speedup, extra_work, .. } in line {
                let _ = write!(t, "  {} {speedup:.2} ({extra_work:.2} x)", names[1]);
            }
            t.push('\n');
        }
        if let Some(best) = cell.iter().max_by(|a, b| a.speedup.total_cmp(&b.speedup)) {
            let _ = writeln!(t, "  the fastest: {} {}, {:.2}", best.names[0], best.names[1], best.speedup);
        }
    }
}

/// A sweep as CSV: one row a choice.
pub(super) fn sweep_csv(tried: &[TriedPolicy]) -> String {
    let mut t = String::from(
        "cell,master_weight,reply_nodes,hand_out,pause_us,resume,asks_before_token,keep_token,share_bounds,\
         park_requests,speedup,extra_work,load_imbalance\n",
    );
    for TriedPolicy { cell, policy: p, speedup, extra_work, load_imbalance, .. } in tried {
        let _ = writeln!(
            t,
            "{cell},{},{},{:?},{},{:?},{},{},{},{},{speedup},{extra_work},{load_imbalance}",
            p.master_weight,
            p.reply_nodes,
            p.hand_out,
            p.pause_us,
            p.resume,
            p.asks_before_token,
            p.keep_token,
            p.share_bounds,
            p.park_requests
        );
    }
    t
}
