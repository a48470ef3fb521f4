//! How fast joints go, against their limits.

use super::html::escaped;
use crate::limits::PAGE_PAIRS;
use crate::outcome::Outcome;
use std::fmt::Write;

/// Adds the table, if limits were asked for.
pub fn write_rates(s: &mut String, outcome: &Outcome) {
    let Some(rates) = &outcome.rates else { return };
    let rows = rates.rate_rows();
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>How fast the joints go</h2><div class=\"card scroll\"><p>The largest rates of the motion, \
         proved between samples too: {}.</p>",
        escaped(&rates.rates_in_words())
    );
    if !rows.is_empty() {
        s.push_str(
            "<table class=\"rates\"><tr><th>joint<th>rate<th>largest<th>limit<th>unit<th>of the limit<th>at t\
             </tr>",
        );
        for row in rows.iter().take(PAGE_PAIRS) {
            let class = if row.is_beyond { "collision" } else { "clear" };
            let _ = write!(
                s,
                "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}\
                 <td class=\"n v {class}\">{}<td class=\"n\">{}</tr>",
                escaped(&row.joint),
                row.kind,
                row.reached,
                row.most,
                row.unit,
                row.share,
                row.at
            );
        }
        s.push_str("</table>");
        if rows.len() > PAGE_PAIRS {
            let _ = write!(s, "<p>And {} more.</p>", rows.len() - PAGE_PAIRS);
        }
    }
    s.push_str("</div>");
}
