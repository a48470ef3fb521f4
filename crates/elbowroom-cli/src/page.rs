//! The page that `check --report` writes: one file, nothing loaded from elsewhere, the same bytes for the same answers.

use crate::check::{Arguments, AskChoice, Outcome, PairSmallest};
use crate::continuous::{self, Edges, Kind, Told};
use crate::dips;
use crate::limits::PAGE_PAIRS;
use crate::load::LoadedWorld;
use crate::motion::Source;
use crate::out::{clean, length, point, seconds};
use crate::summary::{Ends, bodies};
use crate::{GeometryChoice, plot, summary};
use elbowroom::fault::Numeral;
use elbowroom::pairs::PairStatus;
use elbowroom::verdict::Verdict;
use elbowroom_files::fault::counted;
use elbowroom_files::motion::Motion;
use std::fmt::Write;

/// Text as HTML: names come from files and may hold anything.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = "
:root{color-scheme:light dark;--bg:#fbfbf9;--fg:#1d2125;--soft:#667079;--line:#dcdfe2;--card:#fff;--good:#1a7f4b;
--near:#a86500;--bad:#c22f2f;--odd:#7a3fb0;--ink:#2563a8}
@media(prefers-color-scheme:dark){:root{--bg:#15181b;--fg:#e6e8ea;--soft:#98a2ab;--line:#30363c;--card:#1c2024;
--good:#4cc38a;--near:#f0b452;--bad:#ff7b72;--odd:#c59bf0;--ink:#79b8ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}h1{font-size:15px;font-weight:600;color:var(--soft);margin:0}
h2{font-size:18px;margin:36px 0 10px}.headline{font-size:30px;font-weight:700;line-height:1.2;margin:6px 0 8px}
.lead{margin:0;max-width:75ch}.clear{color:var(--good)}.near,.expected_contact{color:var(--near)}.collision{color:var(--bad)}
.unknown{color:var(--odd)}.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0}dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}
th{color:var(--soft);font-weight:600}td,th{text-align:left;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);
vertical-align:top}td{font-variant-numeric:tabular-nums}td.n{white-space:nowrap}td.pose{overflow-wrap:anywhere}.v{font-weight:600}
.note{border-left:3px solid var(--near);padding-left:10px;margin:8px 0;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto}.tick{fill:var(--soft);font-size:12px}.grid{stroke:var(--line)}
.zero{stroke:var(--fg);stroke-width:1.2}.margin{stroke:var(--near);stroke-dasharray:5 4}
.line{fill:none;stroke:var(--ink);stroke-width:1.8;stroke-linejoin:round}.band{fill:var(--ink);opacity:.18}
.dot{fill:var(--ink)}.shade.collision{fill:var(--bad);opacity:.16}.shade.unknown{fill:var(--odd);opacity:.2}
.shade.near{fill:var(--near);opacity:.11}#cursor{stroke:var(--soft)}#tip{min-height:1.5em;margin:8px 0 0;
color:var(--soft);font-size:14px}ul{padding-left:20px;max-width:80ch}summary{cursor:pointer;color:var(--soft)}
";

/// Shows the words of the column under the pointer.
const SCRIPT: &str = "
const plot=document.getElementById('plot'),tip=document.getElementById('tip'),cursor=document.getElementById('cursor');
const words=[...document.querySelectorAll('#words li')];
plot.addEventListener('pointermove',e=>{const r=plot.getBoundingClientRect();
const x=(e.clientX-r.left)/r.width*plot.viewBox.baseVal.width;let best=words[0];
for(const w of words)if(Math.abs(w.dataset.x-x)<Math.abs(best.dataset.x-x))best=w;
if(!best)return;cursor.setAttribute('x1',best.dataset.x);cursor.setAttribute('x2',best.dataset.x);
cursor.setAttribute('visibility','visible');tip.textContent=best.textContent});
plot.addEventListener('pointerleave',()=>cursor.setAttribute('visibility','hidden'));
";

/// The whole page.
pub fn page(
    arguments: &Arguments,
    loaded: &LoadedWorld,
    source: &Source<'_>,
    motion: &Motion,
    outcome: &Outcome,
) -> String {
    let mut s = String::new();
    let robots: Vec<String> = loaded.world.robots().iter().map(|r| escaped(&r.name)).collect();
    let title = format!("Clearance of {}", robots.join(", "));
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head><body><main>\
         <h1>{title}</h1>"
    );
    headline(&mut s, loaded, outcome);
    let geometry = outcome.geometry.note().map(String::from);
    for note in geometry.iter().chain(&loaded.notes).chain(&summary::remarks(loaded, outcome)) {
        let _ = write!(s, "<p class=\"note\">{}</p>", escaped(note));
    }
    let (heading, tip) = if outcome.ask == AskChoice::Test {
        (
            "What the test proved over the motion",
            "Point at the plot for the verdicts. Nothing was measured: the lines are bounds that were good enough to tell.",
        )
    } else {
        (
            "Smallest clearance over the motion",
            "Point at the plot for the numbers. The line is the proved lower bound; the band reaches to the upper.",
        )
    };
    let _ = write!(s, "<h2>{heading}</h2><div class=\"card\">");
    s.push_str(&plot::svg(&outcome.points, loaded.world.margin(), |i| sample_words(loaded, outcome, i)));
    let _ = write!(s, "<p id=\"tip\">{tip}</p></div>");
    edges(&mut s, loaded, outcome);
    if outcome.ask != AskChoice::Test {
        moments(&mut s, loaded, motion, outcome);
    }
    proved(&mut s, arguments, loaded, outcome);
    asked(&mut s, arguments, loaded, source, outcome);
    pairs(&mut s, loaded, outcome);
    let _ = writeln!(s, "</main><script>{SCRIPT}</script></body></html>");
    s
}

fn sample_words(loaded: &LoadedWorld, outcome: &Outcome, sample: usize) -> String {
    let Some(p) = outcome.points.get(sample) else { return String::new() };
    let names = p.ends.named.and_then(|id| loaded.world.pair_names(id)).unwrap_or(["-", "-"]);
    let other = summary::other_end(loaded, outcome, p.ends).map_or(String::new(), |end| end.words());
    let time = p.t.map_or(String::new(), |t| format!(" (t = {} s)", seconds(t)));
    let distance = elbowroom::report::within(p.lower, p.upper);
    escaped(&format!(
        "sample {sample}{time}: {}, {} between {} and {}{other}",
        p.verdict,
        summary::told(outcome.ask, p.lower, p.upper, distance),
        names[0],
        names[1]
    ))
}

fn headline(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let (n, count) = (outcome.samples, |v| outcome.count(v));
    let (collisions, unknown, near) =
        (count(Verdict::Collision), count(Verdict::Unknown), count(Verdict::Near));
    let samples = if n == 1 { "sample" } else { "samples" };
    let of = |kind| outcome.edges.as_ref().map_or(0, |e| e.of(kind));
    let [near_edges, contact, not_proved] = [Kind::Near, Kind::Contact, Kind::Unknown].map(of);
    let edges = outcome.edges.as_ref().map_or(0, Edges::count);
    let (class, words) = if collisions > 0 {
        ("collision", format!("Collision at {collisions} of {n} {samples}"))
    } else if contact > 0 {
        ("collision", format!("Contact between samples, on {contact} of {edges} edges"))
    } else if not_proved > 0 {
        ("unknown", format!("Not proved free: {not_proved} of {edges} edges between samples unknown"))
    } else if loaded.world.pairs().is_empty() {
        ("unknown", "Nothing was checked".into())
    } else if unknown > 0 {
        ("unknown", format!("Not proved free: {} of {n} {samples} unknown", unknown))
    } else if near > 0 {
        ("near", format!("Free, but within the margin at {near} of {n} {samples}"))
    } else if near_edges > 0 {
        ("near", format!("Free, but within the margin between samples, on {near_edges} of {edges} edges"))
    } else {
        let between = if edges > 0 { ", and free between them" } else { "" };
        ("clear", format!("Proved clear at all {n} {samples}{between}"))
    };
    let _ = write!(s, "<p class=\"headline {class}\">{words}</p><p class=\"lead\">");
    if outcome.ask == AskChoice::Test {
        if let Some(words) = summary::first_bad(loaded, outcome) {
            let _ = write!(s, "First failing sample: <b>{}</b>. ", escaped(&words));
        }
    } else if let Some(smallest) = outcome.smallest.filter(|s| s.report.pair.is_some()) {
        let [a, b] = summary::pair(loaded, &smallest.report);
        let other = summary::other_end(loaded, outcome, Ends::of(&smallest.report));
        let _ = write!(
            s,
            "Smallest clearance <b>{}</b> at sample {}, between <b>{}</b> and <b>{}</b>{}. ",
            escaped(&summary::clearance(outcome, &smallest.report)),
            escaped(&summary::when(&smallest)),
            escaped(&a),
            escaped(&b),
            other.map_or(String::new(), |end| escaped(&end.words()))
        );
    }
    let _ = write!(s, "Verdicts: {}.", escaped(&summary::verdicts(outcome)));
    if let Some(edges) = &outcome.edges {
        let _ = write!(s, " Between them, {}.", escaped(&edges.words(&loaded.world)));
    }
    s.push_str("</p>");
}

/// The ways between samples that are not proved free.
fn edges(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let Some(edges) = outcome.edges.as_ref().filter(|edges| !edges.listed.is_empty()) else { return };
    let _ = write!(
        s,
        "<h2>Between samples</h2><div class=\"card scroll\"><p>{} The part of an edge is that of the way of all joints, from 0 at \
         one sample to 1 at the next.</p><table><tr><th>to sample<th>edge<th>part<th>first<th>second</tr>",
        escaped(&format!("{}.", edges.counted()))
    );
    for (sample, edge) in &edges.listed {
        let Told { what, part, pair: [a, b], before } = continuous::told(&loaded.world, edge);
        let class = match edge.kind() {
            Kind::Free => "clear",
            Kind::Near => "near",
            Kind::Contact => "collision",
            Kind::Unknown => "unknown",
        };
        let _ = write!(
            s,
            "<tr><td>{sample}<td class=\"v {class}\">{what}<td class=\"n\">{part}<td>{}<td>{}{}</tr>",
            escaped(a),
            escaped(b),
            escaped(&before)
        );
    }
    s.push_str("</table>");
    let left = edges.unlisted();
    if left > 0 {
        let _ = write!(s, "<p>{left} more are in the lines of <code>--json</code>.</p>");
    }
    s.push_str("</div>");
}

fn moments(s: &mut String, loaded: &LoadedWorld, motion: &Motion, outcome: &Outcome) {
    let _ = write!(
        s,
        "<h2>Worst moments</h2><div class=\"card scroll\"><p>{}.</p><table><tr><th>sample<th>verdict<th>clearance<th>between\
         <th>points (m, world)<th>vector (m)</tr>",
        summary::MOMENTS_ARE
    );
    for moment in &outcome.moments {
        let r = &moment.report;
        let [a, b] = summary::pair(loaded, r);
        let other = summary::other_end(loaded, outcome, Ends::of(r));
        let (points, vector) = match r.witness {
            Some(w) => (format!("{}<br>{}", point(w.a), point(w.b)), point(w.vector())),
            None => ("-".into(), "-".into()),
        };
        let _ = write!(
            s,
            "<tr><td class=\"n\">{}<td class=\"v {verdict}\">{verdict}<td class=\"n\">{}<td>{}<br>{}{}<td class=\"n\">{points}\
             <td class=\"n\">{vector}</tr>",
            escaped(&summary::when(moment)),
            escaped(&summary::clearance(outcome, r)),
            escaped(&a),
            escaped(&b),
            other.map_or(String::new(), |end| format!("<br>{}", escaped(end.words().trim_start()))),
            verdict = r.verdict.word(),
        );
        if let Some(row) = motion.rows.get(moment.sample).filter(|row| !row.is_empty()) {
            joint_values(s, loaded.world.value_names(), row);
        }
    }
    s.push_str("</table></div>");
}

/// The pose of a moment, joint by joint and as `--at` takes it, to the last digit.
fn joint_values(s: &mut String, names: &[String], row: &[f64]) {
    let values: Vec<String> = row.iter().map(|v| Numeral(*v).to_string()).collect();
    let named: Vec<String> =
        names.iter().zip(&values).map(|(name, value)| format!("{} = {value}", escaped(name))).collect();
    let _ = write!(
        s,
        "<tr><td class=\"pose\" colspan=\"6\"><details><summary>joint values</summary>{}<br><code>--at {}</code></details></tr>",
        named.join(", "),
        values.join(",")
    );
}

fn proved(s: &mut String, arguments: &Arguments, loaded: &LoadedWorld, outcome: &Outcome) {
    let world = &loaded.world;
    s.push_str("<h2>What is proved, and what is not</h2><ul>");
    let _ = write!(
        s,
        "<li>At each of the {}, each checked pair ({} of them) has a signed distance inside its printed \
         interval, rounding included. <b>Clear</b> and <b>near</b> rest on lower bounds only, <b>collision</b> on a proved overlap.",
        summary::samples(outcome.samples),
        world.pairs().len()
    );
    let unknown = outcome.count(Verdict::Unknown);
    if unknown > 0 {
        let _ =
            write!(s, "<li>At {} neither could be proved: treat as a collision.", summary::samples(unknown));
    }
    s.push_str(match outcome.edges.as_ref().map(Edges::all_apart) {
        None => "<li>Between the samples nothing is proved.",
        Some(true) => "<li>Between the samples the straight way of all joints is proved free of contact at every instant.",
        Some(false) => "<li>Between the samples the straight way of all joints is proved free of contact, but on the edges listed above.",
    });
    s.push_str(match arguments.geometry {
        GeometryChoice::Hull => {
            "<li>A mesh counts as its convex hull: dents are filled, and collisions may be only the hulls'."
        }
        GeometryChoice::Mesh => "<li>A mesh counts as its triangles, and as solid where they close.",
    });
    let _ = write!(
        s,
        "<li>Allowed to touch and not checked: {}; the reasons are below.\
         <li>The descriptions are taken at their word: that the robot is built and moves as they say is not proved.</ul>",
        counted(world.allowed_count(), "pair")
    );
}

fn asked(
    s: &mut String,
    arguments: &Arguments,
    loaded: &LoadedWorld,
    source: &Source<'_>,
    outcome: &Outcome,
) {
    let world = &loaded.world;
    let motion = match source {
        Source::File(path) => path.display().to_string(),
        Source::Values(poses) => format!("poses {}", poses.join("; ")),
        Source::Random { count, seed } => format!("{count} random poses within limits, seed {seed}"),
        Source::Neutral => "the zero pose (each joint at zero, or at the limit nearest to it)".into(),
    };
    let ask = match arguments.ask {
        AskChoice::Test => "only whether everything is farther apart than the margin",
        AskChoice::LowerBound => "lower bounds",
        AskChoice::Distance => "signed distances",
    };
    let geometry = match arguments.geometry {
        GeometryChoice::Hull => "their convex hulls",
        GeometryChoice::Mesh => "their triangles",
    };
    let shapes = format!("{} on {}", counted(world.shapes().len(), "shape"), bodies(world.bodies().len()));
    let srdf = summary::srdf(loaded, arguments.world.no_srdf);
    let padding = match loaded.more_padding {
        more if more > 0.0 => {
            format!("{}, and up to {} more on some robot shapes", length(loaded.padding), length(more))
        }
        _ => length(loaded.padding),
    };
    s.push_str("<h2>What was asked</h2><div class=\"card\"><dl>");
    for (what, value) in [
        ("world", arguments.world.world.display().to_string()),
        ("SRDF", srdf),
        ("motion", motion),
        ("samples", outcome.samples.to_string()),
        ("question", ask.into()),
        ("meshes count as", geometry.into()),
        ("margin", length(world.margin())),
        ("padding", padding),
        ("joint limits", if arguments.ignore_limits { "ignored".into() } else { "respected".into() }),
        ("model", shapes),
        ("program", format!("elbowroom {}", env!("CARGO_PKG_VERSION"))),
    ] {
        let _ = write!(s, "<dt>{what}<dd>{}", escaped(&value));
    }
    s.push_str("</dl></div>");
}

fn pairs(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let world = &loaded.world;
    let name = |id: elbowroom::id::BodyId| escaped(&world.bodies()[id.index()].name);
    let mut checked: Vec<_> = outcome.pairs.iter().collect();
    let worst = |p: &PairSmallest| dips::proved(p.report.verdict, p.report.lower, p.report.upper);
    // A test measures nothing that pairs could be ranked by.
    let (order, column) = if outcome.ask == AskChoice::Test {
        ("", "proved")
    } else {
        checked.sort_by(|a, b| worst(a).total_cmp(&worst(b)).then(a.report.pair.cmp(&b.report.pair)));
        (", smallest proved clearance first", "smallest")
    };
    let _ = write!(
        s,
        "<h2>Every pair</h2><details open class=\"card scroll\"><summary>{} checked{order}</summary>\
         <table><tr><th>first<th>second<th>{column}<th>verdict<th>at sample</tr>",
        checked.len()
    );
    for p in checked.iter().take(PAGE_PAIRS) {
        let r = &p.report;
        let [a, b] = world.pair_names(r.pair).unwrap_or(["-", "-"]).map(escaped);
        let _ = write!(
            s,
            "<tr><td>{a}<td>{b}<td class=\"n\">{}<td class=\"v {verdict}\">{verdict}<td>{}</tr>",
            escaped(&summary::told(outcome.ask, r.lower, r.upper, r.distance)),
            p.sample,
            verdict = r.verdict.word(),
        );
    }
    s.push_str("</table>");
    more(s, checked.len());
    let _ = write!(
        s,
        "</details><br><details class=\"card scroll\"><summary>{} allowed, and why</summary><table><tr><th>first<th>second\
         <th>reason</tr>",
        world.allowed_count()
    );
    let allowed = world.all_pairs().filter_map(|(a, b, status)| match status {
        PairStatus::Allowed(reason) => Some((a, b, reason)),
        PairStatus::Checked(_) => None,
    });
    for (a, b, reason) in allowed.take(PAGE_PAIRS) {
        let _ = write!(s, "<tr><td>{}<td>{}<td>{}</tr>", name(a), name(b), escaped(&reason.to_string()));
    }
    s.push_str("</table>");
    more(s, world.allowed_count());
    s.push_str("</details>");
}

fn more(s: &mut String, count: usize) {
    if count > PAGE_PAIRS {
        let _ = write!(s, "<p>{} more are listed by <code>elbowroom pairs</code>.</p>", count - PAGE_PAIRS);
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_cannot_become_markup() {
        assert_eq!(escaped("<b a=\"'\">&\u{7}"), "&lt;b a=&quot;&#39;&quot;&gt;&amp;\\u{7}");
    }
}
