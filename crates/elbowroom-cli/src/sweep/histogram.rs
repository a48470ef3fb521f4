//! A page with what a sweep found: for people who would rather look. It reads the answers and the poses once
//! more.

use super::columns::{RowFormat, VERDICT_WORDS};
use super::job::SweepJob;
use super::row::verdict_number;
use super::tally::SweepTally;
use crate::limits::SWEEP_CHUNK;
use crate::page::html::escaped;
use crate::page::ticks::{LENGTHS, Ticks};
use anyhow::{Context, Result, bail};
use elbowroom::{Verdict, World};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Bars of the distribution of clearance.
const CLEARANCE_BARS: usize = 60;
/// Bars of a joint's range.
const JOINT_BARS: usize = 40;
/// Pairs that are drawn.
const PAIRS_DRAWN: usize = 8;
/// Pairs that are counted; of more, the first that occur.
const PAIRS_COUNTED: usize = 2000;

/// What an answer says that is read again.
struct ReadRow {
    verdict: u8,
    lower: f64,
    /// Whatever tells pairs apart in this output.
    pair: Option<String>,
}

/// What the page shows.
struct Counted {
    clearance: Vec<u64>,
    range: [f64; 2],
    joints: Vec<JointCounts>,
    pairs: BTreeMap<String, PairCounts>,
    rows: u64,
}

/// How often a joint has which value.
struct JointCounts {
    range: [f64; 2],
    all: Vec<u64>,
    colliding: Vec<u64>,
}

/// How often a pair is named where something collides.
struct PairCounts {
    count: u64,
    /// By joint and bar.
    joints: Vec<Vec<u64>>,
}

/// The page.
pub fn draw_page(sweep: &SweepJob<'_, '_>, out: &Path, tally: &SweepTally) -> Result<String> {
    let counted = count_rows(sweep, out, tally)?;
    Ok(page_text(sweep, &counted, tally))
}

/// Reads all answers with their poses.
fn count_rows(sweep: &SweepJob<'_, '_>, out: &Path, tally: &SweepTally) -> Result<Counted> {
    let world = sweep.world;
    let ranges = elbowroom::motion::ranges(world);
    let joints = ranges
        .iter()
        .map(|range| JointCounts { range: *range, all: vec![0; JOINT_BARS], colliding: vec![0; JOINT_BARS] })
        .collect();
    let range = [tally.least.map_or(0.0, |least| least.1), tally.most.unwrap_or(0.0)];
    let mut counted =
        Counted { clearance: vec![0; CLEARANCE_BARS], range, joints, pairs: BTreeMap::new(), rows: 0 };
    let mut answers = AnswerReader::open(sweep, out)?;
    let width = world.dof_names().len();
    let each = sweep.question.rows_each();
    let (mut values, total) = (Vec::new(), sweep.source.row_count());
    let mut from = 0;
    while from < total {
        let to = (from + SWEEP_CHUNK).min(total);
        sweep.source.read_rows(from..to, &mut values)?;
        for k in (0..(to - from) as usize).step_by(each as usize) {
            let answer = answers.next_row()?;
            counted.add_row(&values[k * width..(k + 1) * width], &answer);
        }
        from = to;
    }
    Ok(counted)
}

impl Counted {
    fn add_row(&mut self, values: &[f64], answer: &ReadRow) {
        self.rows += 1;
        if let Some(bar) = bar_of(answer.lower, self.range, CLEARANCE_BARS) {
            self.clearance[bar] += 1;
        }
        let collides = answer.verdict == verdict_number(Verdict::Collision);
        let bars: Vec<Option<usize>> =
            values.iter().zip(&self.joints).map(|(x, joint)| bar_of(*x, joint.range, JOINT_BARS)).collect();
        for (joint, bar) in self.joints.iter_mut().zip(&bars) {
            let Some(bar) = *bar else { continue };
            joint.all[bar] += 1;
            joint.colliding[bar] += u64::from(collides);
        }
        let Some(pair) = answer.pair.as_ref().filter(|_| collides) else { return };
        if self.pairs.len() >= PAIRS_COUNTED && !self.pairs.contains_key(pair) {
            return;
        }
        let joints = self.joints.len();
        let new = || PairCounts { count: 0, joints: vec![vec![0; JOINT_BARS]; joints] };
        let counts = self.pairs.entry(pair.clone()).or_insert_with(new);
        counts.count += 1;
        for (joint, bar) in counts.joints.iter_mut().zip(&bars) {
            if let Some(bar) = *bar {
                joint[bar] += 1;
            }
        }
    }
}

/// The bar that a number falls into, of `bars` equal ones over a range. `None` outside the range.
fn bar_of(x: f64, [low, high]: [f64; 2], bars: usize) -> Option<usize> {
    let share = (x - low) / (high - low);
    (0.0..=1.0).contains(&share).then(|| ((share * bars as f64) as usize).min(bars - 1))
}

/// Answers, read one after the other.
enum AnswerReader<'w> {
    Npy {
        file: BufReader<File>,
        row: Vec<u8>,
        world: &'w World,
    },
    Csv(csv::StringRecordsIntoIter<File>),
    #[cfg(feature = "parquet")]
    Parquet(parquet::record::reader::RowIter<'static>),
}

impl<'w> AnswerReader<'w> {
    fn open(sweep: &SweepJob<'_, 'w>, out: &Path) -> Result<AnswerReader<'w>> {
        let file = File::open(out).with_context(|| format!("{} cannot be read again", out.display()))?;
        Ok(match sweep.columns.format() {
            RowFormat::Npy => {
                let mut file = BufReader::with_capacity(1 << 20, file);
                let mut head = [0; 10];
                file.read_exact(&mut head)?;
                let mut rest = vec![0; usize::from(u16::from_le_bytes([head[8], head[9]]))];
                file.read_exact(&mut rest)?;
                AnswerReader::Npy { file, row: vec![0; sweep.columns.row_bytes()], world: sweep.world }
            }
            RowFormat::Csv => AnswerReader::Csv(csv::Reader::from_reader(file).into_records()),
            #[cfg(feature = "parquet")]
            RowFormat::Parquet => AnswerReader::Parquet(super::parquet_table::read_table(out)?),
        })
    }

    fn next_row(&mut self) -> Result<ReadRow> {
        match self {
            AnswerReader::Npy { file, row, world } => {
                file.read_exact(row)?;
                let Some((&verdict, rest)) = row.get(8..).and_then(<[u8]>::split_first) else {
                    bail!("a row is too short")
                };
                let (lower, pair) =
                    (rest.first_chunk::<8>(), rest.get(16..).and_then(<[u8]>::first_chunk::<4>));
                let pair = pair.and_then(|pair| u32::try_from(i32::from_le_bytes(*pair)).ok());
                Ok(ReadRow {
                    verdict,
                    lower: lower.map_or(f64::NAN, |lower| f64::from_le_bytes(*lower)),
                    pair: pair.and_then(|pair| super::columns::pair_text(world, elbowroom::PairId(pair))),
                })
            }
            AnswerReader::Csv(records) => {
                let Some(record) = records.next() else { bail!("rows are missing") };
                let record = record?;
                let field = |k: usize| record.get(k).unwrap_or("");
                Ok(ReadRow {
                    verdict: read_verdict(field(1)),
                    lower: field(2).parse().unwrap_or(f64::NAN),
                    pair: Some(field(4)).filter(|pair| !pair.is_empty()).map(String::from),
                })
            }
            #[cfg(feature = "parquet")]
            AnswerReader::Parquet(rows) => {
                let Some(row) = rows.next() else { bail!("rows are missing") };
                let row = row?;
                let (verdict, lower, pair) = super::parquet_table::read_answer(&row);
                Ok(ReadRow {
                    verdict: read_verdict(verdict.unwrap_or("")),
                    lower: lower.unwrap_or(f64::NAN),
                    pair: pair.map(String::from),
                })
            }
        }
    }
}

/// The number of a verdict that is written as a word.
fn read_verdict(word: &str) -> u8 {
    VERDICT_WORDS.iter().position(|known| *known == word).map_or(u8::MAX, |verdict| verdict as u8)
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1em;\
color:#222}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid \
#ddd}td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\
svg{display:block}.grid{display:grid;\
grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:1em}.grid figure{margin:0}figcaption{\
font-size:13px;color:#555}.bar{fill:#7a9cc6}.hit{fill:#c0392b}.axis{font-size:11px;fill:#555}\
h1,h3,td,figcaption{overflow-wrap:anywhere}@media(max-width:700px){.wide .axis{font-size:28px}}";

/// The page as text.
fn page_text(sweep: &SweepJob<'_, '_>, counted: &Counted, tally: &SweepTally) -> String {
    let world = sweep.world;
    let robots: Vec<String> = world.robots().iter().map(|robot| escaped(&robot.name)).collect();
    let title = format!("A sweep of {}", robots.join(", "));
    let mut s = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\
         <h1>{title}</h1><p>{} rows of {} joint values.</p><table>",
        counted.rows,
        world.dof_names().len()
    );
    for (word, count) in VERDICT_WORDS.iter().zip(tally.counts).filter(|(_, count)| *count > 0) {
        let share = 100.0 * count as f64 / counted.rows.max(1) as f64;
        let word = word.replace('_', " ");
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            s,
            "<tr><td>{word}</td><td class=\"n\">{count}</td><td class=\"n\">{share:.2} %</td></tr>"
        );
    }
    s += "</table>";
    if tally.least.is_some()
        && counted.range[1] > counted.range[0]
        && !sweep.columns.names().contains(&"from")
    {
        let most = counted.clearance.iter().max().copied().unwrap_or(0);
        let _ = write!(
            s,
            "<h2>How clearance is distributed</h2><p>The proved lower end of each row; below zero is depth. \
             Heights are logarithms, since few rows are near contact: the highest bar has {most} rows.</p>\
             <div class=\"wide\">"
        );
        s += &bars_svg(&counted.clearance, &vec![0; CLEARANCE_BARS], counted.range, true, [1000, 230]);
        s += "</div>";
    }
    s += "<h2>At which joint values poses collide</h2><p>The share of colliding rows at each value, over the \
          joint's range (radians, metres); above the bars, the share of the highest.</p><div class=\"grid\">";
    for (joint, name) in counted.joints.iter().zip(world.dof_names()) {
        s += &joint_figure(joint, &joint.colliding, name, world);
    }
    s += "</div>";
    let mut pairs: Vec<(&String, &PairCounts)> = counted.pairs.iter().collect();
    pairs.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.count), name.as_str()));
    if !pairs.is_empty() {
        s += "<h2>Which pairs collide most</h2><p>The pair that is named in each colliding row.</p><table>";
        for (name, counts) in pairs.iter().take(20) {
            let share = 100.0 * counts.count as f64 / counted.rows.max(1) as f64;
            let name = escaped(&name.replace('|', " and "));
            let count = counts.count;
            let _ = write!(
                s,
                "<tr><td>{name}</td><td class=\"n\">{count}</td><td class=\"n\">{share:.2} %</td></tr>"
            );
        }
        s += "</table>";
        for (name, counts) in pairs.iter().take(PAIRS_DRAWN) {
            let _ = write!(s, "<h3>{}</h3><div class=\"grid\">", escaped(&name.replace('|', " and ")));
            for ((joint, colliding), name) in counted.joints.iter().zip(&counts.joints).zip(world.dof_names())
            {
                s += &joint_figure(joint, colliding, name, world);
            }
            s += "</div>";
        }
    }
    s += "</body></html>\n";
    s
}

/// The share of colliding rows over the range of a joint.
fn joint_figure(joint: &JointCounts, colliding: &[u64], name: &str, world: &World) -> String {
    let svg = bars_svg(&joint.all, colliding, joint.range, false, [240, 100]);
    let [low, high] = joint.range;
    // The name of the only robot before each joint would fill the captions.
    let prefix = if world.robots().len() == 1 { name.find('/').map_or(0, |slash| slash + 1) } else { 0 };
    let bare = &name[prefix..];
    let [name, bare] = [name, bare].map(escaped);
    format!("<figure title=\"{name}\">{svg}<figcaption>{bare}: {low:.3} to {high:.3}</figcaption></figure>")
}

/// Bars: the logarithms of counts of `lengths`, or the share of those that hit.
fn bars_svg(
    all: &[u64],
    hits: &[u64],
    [low, high]: [f64; 2],
    lengths: bool,
    [width, height]: [usize; 2],
) -> String {
    let share = |k: usize| if all[k] == 0 { 0.0 } else { hits[k] as f64 / all[k] as f64 };
    let value = |k: usize| if lengths { (all[k] as f64).ln_1p() } else { share(k) };
    let most = (0..all.len()).map(value).fold(0.0, f64::max);
    // Room for a line of text: below the bars of lengths, and above those of shares.
    let (above, below) = if lengths { (0.0, 34.0) } else { (16.0, 0.0) };
    let room = height as f64 - above - below;
    let step = width as f64 / all.len() as f64;
    let mut s = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"100%\" role=\"img\">");
    for k in (0..all.len()).filter(|k| value(*k) > 0.0) {
        let tall = (room * value(k) / most).max(0.5);
        let class = if !lengths || low + (high - low) * (k as f64 + 0.5) / all.len() as f64 <= 0.0 {
            "hit"
        } else {
            "bar"
        };
        let _ = write!(
            s,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"/>",
            k as f64 * step,
            above + room - tall,
            step - 0.5
        );
    }
    if lengths {
        let ticks = Ticks::new(low, high, 9, &LENGTHS, false);
        for (at, label) in &ticks.at {
            let x = width as f64 * (at - low) / (high - low);
            let _ = write!(
                s,
                "<text class=\"axis\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label} {}</text>",
                height - 6,
                ticks.unit
            );
        }
    } else if most > 0.0 {
        let _ = write!(s, "<text class=\"axis\" x=\"2\" y=\"12\">{:.1} %</text>", 100.0 * most);
    }
    s + "</svg>"
}
