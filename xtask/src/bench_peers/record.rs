//! Printing, and `bench/record/<cpu>-<date>.json` and `.md`.

use super::{
    options::{BEFORE, ENGINES, Options, engines_in_order},
    outcome::{Built, Line, Outcome},
    programs::run_to_success,
    setup::Ready,
};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::{fmt::Write, path::Path};

/// Median over rounds, ns a step.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    if count == 0 { f64::NAN } else { 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]) }
}

fn in_unit(item: &Value, ns: f64) -> f64 {
    if item["unit"] == "us" { ns / 1000.0 } else { ns }
}

fn format_value(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        1.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Behind an engine's wrong answers: that its shapes are of its own making, where they are.
fn of_its_own(engine: &str) -> &'static str {
    if engine == "vamp" { ", its balls" } else { "" }
}

fn name(item: &Value) -> &str {
    item["name"].as_str().unwrap_or_default()
}

/// One item, as soon as it is measured.
pub(super) fn print_line(line: &Line) {
    println!("\n{} - {}", name(&line.item), line.item["title"].as_str().unwrap_or_default());
    for (engine, outcome) in &line.outcomes {
        match outcome {
            Outcome::Cannot(why) => println!("  {engine:<10} cannot {why}"),
            Outcome::Ran { rounds_ns, agreement, built, .. } => {
                let low = rounds_ns.iter().copied().fold(f64::INFINITY, f64::min);
                let high = rounds_ns.iter().copied().fold(0.0, f64::max);
                let unit = line.item["unit"].as_str().unwrap_or("ns");
                let text = |ns| format_value(in_unit(&line.item, ns));
                println!(
                    "  {engine:<10} {:>9} {unit}  (rounds {} to {})  {}",
                    text(median(rounds_ns)),
                    text(low),
                    text(high),
                    agreement_text(agreement, engine, &line.item)
                );
                if let Some(Built { seconds, bytes }) = built {
                    println!(
                        "             built in {seconds:.3} s, {bytes:.0} bytes an obstacle beside its \
                         vertices"
                    );
                }
            }
        }
    }
}

fn agreement_text(agreement: &super::agree::Agreement, engine: &str, item: &Value) -> String {
    let intervals = match agreement.intervals {
        Some((0, width)) => format!(", every interval holds, the widest {width:.1e} m"),
        Some((broken, _)) => format!(", {broken} INTERVALS BROKEN"),
        None => String::new(),
    };
    if agreement.wrong_count() == 0 {
        return format!("{} answers agree{intervals}", agreement.answers);
    }
    if super::agree::is_yes_or_no(item) {
        return format!(
            "WRONG: {} of {} answers ({} collisions missed, {} invented{})",
            agreement.wrong_count(),
            agreement.answers,
            agreement.too_large,
            agreement.too_small,
            of_its_own(engine)
        );
    }
    format!(
        "WRONG: {} of {} answers ({} too large, worst by {:.1e} m; {} too small, worst by {:.1e} m; {} \
         failed){intervals}",
        agreement.wrong_count(),
        agreement.answers,
        agreement.too_large,
        agreement.worst_over,
        agreement.too_small,
        agreement.worst_under,
        agreement.failed
    )
}

/// An engine with more than one wrong answer in so many was asked something else, and does not count in the
/// ratio. VAMP's balls are wrong about one pose of a robot in five to twenty.
const WRONG_LEAST: usize = 100;

/// The table of medians, the best peer's ratio to ours, and wrong answers.
pub(super) fn median_table(lines: &[Line]) -> String {
    let has = |engine: &str| lines.iter().any(|line| line.outcomes.iter().any(|(name, _)| name == engine));
    let engines: Vec<&str> =
        engines_in_order().filter(|engine| ENGINES.contains(engine) || has(engine)).collect();
    let mut text = String::from("| item | unit |");
    for engine in &engines {
        let _ = write!(text, " {engine} |");
    }
    text.push_str(" best peer / elbowroom | goal | recorded earlier |\n|---|---|");
    text.push_str(&"---:|".repeat(engines.len() + 3));
    text.push('\n');
    for line in lines {
        let _ = write!(text, "| {} | {} |", name(&line.item), line.item["unit"].as_str().unwrap_or("ns"));
        let (mut ours, mut best) = (f64::NAN, f64::INFINITY);
        for engine in engines.iter().copied() {
            let outcome = line.outcomes.iter().find(|(name, _)| name == engine).map(|(_, outcome)| outcome);
            let Some(Outcome::Ran { rounds_ns, agreement, .. }) = outcome else {
                text.push_str(" - |");
                continue;
            };
            let value = in_unit(&line.item, median(rounds_ns));
            if engine == "elbowroom" {
                ours = value;
            } else if engine != BEFORE && agreement.wrong_count() * WRONG_LEAST <= agreement.answers {
                best = best.min(value);
            }
            let wrong = match agreement.wrong_count() {
                0 => String::new(),
                count => format!(" ({count} wrong{})", of_its_own(engine)),
            };
            let _ = write!(text, " {}{wrong} |", format_value(value));
        }
        let ratio = best / ours;
        let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "-".into() };
        let goal = goal_text(&line.item);
        let mut earlier: Vec<String> = line.item["recorded_earlier"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(engine, value)| format!("{engine} {value}"))
            .collect();
        if let Some(paper) = line.item["paper"].as_f64() {
            earlier.push(format!("paper {paper}"));
        }
        let _ = writeln!(text, " {ratio} | {goal} | {} |", earlier.join(", "));
    }
    text
}

/// A figure, or how many times that of another item it may be.
fn goal_text(item: &Value) -> String {
    match (item["goal"].as_f64(), &item["goal_ratio"]) {
        (Some(goal), _) => format!("{goal}"),
        (None, Value::Array(ratio)) => match &ratio[..] {
            [Value::String(other), times] => format!("{times} x {other}"),
            _ => "-".into(),
        },
        _ => "-".into(),
    }
}

/// What building worlds of many obstacles took; empty if there was none.
fn built_table(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        for (engine, outcome) in &line.outcomes {
            let Outcome::Ran { built: Some(Built { seconds, bytes }), .. } = outcome else { continue };
            let goal = |key: &str| match line.item[key].as_f64() {
                Some(goal) if engine == "elbowroom" => format!("{goal}"),
                _ => "-".into(),
            };
            let (time, memory) = (goal("goal_build_s"), goal("goal_bytes"));
            let _ = writeln!(
                text,
                "| {} | {engine} | {seconds:.3} | {time} | {bytes:.0} | {memory} |",
                name(&line.item)
            );
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "| world | engine | built in s | goal | bytes an obstacle beside its vertices | goal |\n\
         |---|---|---:|---:|---:|---:|\n{text}"
    )
}

pub(super) fn print_table(lines: &[Line]) {
    println!("\n{}\n{}", median_table(lines), built_table(lines));
}

/// Writes both files; one of the same machine and day is replaced.
pub(super) fn write(
    root: &Path,
    lines: &[Line],
    ready: &Ready,
    options: &Options,
    load: [String; 2],
) -> Result<()> {
    let [load_before, cpu] = load;
    let load_after = load_average()[0].clone();
    let date = today();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let slug: String = cpu
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && *word != "r" && *word != "tm")
        .collect::<Vec<_>>()
        .join("-");
    let folder = root.join("bench/record");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{slug}-{date}.json"));

    let items: Vec<Value> = lines.iter().map(to_json).collect();
    let versions: Map<String, Value> =
        ready.versions.iter().map(|(name, version)| (name.clone(), json!(version))).collect();
    let record = json!({
        "date": date, "cpu": cpu, "cores": cores, "note": options.note,
        "load_average_before": load_before, "load_average_after": load_after,
        "rounds": options.rounds, "seconds_a_round": options.seconds,
        "versions": versions, "items": items,
    });
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(&path, format!("{}\n", serde_json::to_string_pretty(&record)?))?;

    let mut page = format!("# {cpu}, {cores} cores, {date}\n\n");
    if !options.note.is_empty() {
        let _ = writeln!(page, "{}\n", options.note);
    }
    let _ = writeln!(
        page,
        "Each time is the median of {} rounds, and the time of a round is that of its median batch. \
         Everything ran on one thread. The machine's load averages over 1, 5 and 15 minutes were \
         {load_before} before the run and {load_after} after it. How to read this page: \
         [bench/README.md](../README.md).\n",
        options.rounds
    );
    page.push_str(&median_table(lines));
    let built = built_table(lines);
    if !built.is_empty() {
        let _ = write!(page, "\nBuilding, each in a process of its own:\n\n{built}");
    }
    page.push_str("\nVersions: ");
    let versions: Vec<String> =
        ready.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let _ = writeln!(page, "{}.", versions.join("; "));
    let wrong = wrong_answers(lines);
    if !wrong.is_empty() {
        let _ = write!(page, "\nWrong answers:\n\n{wrong}");
    }
    let page_path = path.with_extension("md");
    write(&page_path, page)?;
    println!("recorded in {} and {}", path.display(), page_path.display());
    let program = ["--quiet", "--release", "-p", "elbowroom-times", "--bin", "record_growth", "--"];
    let paths = [path.clone(), folder.join("growth.svg")];
    run_to_success(
        crate::cargo_command()?.arg("run").args(program).args(paths).args(ENGINES),
        "the figure of growth",
    )
}

fn wrong_answers(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        for (engine, outcome) in &line.outcomes {
            if let Outcome::Ran { agreement, .. } = outcome
                && agreement.wrong_count() > 0
            {
                let told = agreement_text(agreement, engine, &line.item);
                let _ = writeln!(text, "- {}, {engine}: {told}", name(&line.item));
            }
        }
    }
    text
}

fn to_json(line: &Line) -> Value {
    let mut item = line.item.clone();
    let engines: Map<String, Value> = line
        .outcomes
        .iter()
        .map(|(engine, outcome)| {
            let value = match outcome {
                Outcome::Cannot(why) => json!({ "cannot": why }),
                Outcome::Ran { rounds_ns, mean_ns, agreement, built } => json!({
                    "median_ns": median(rounds_ns), "rounds_ns": rounds_ns,
                    "median_of_means_ns": median(mean_ns), "agreement": agreement.to_json(),
                    "built_s": built.map(|built| built.seconds),
                    "bytes_an_obstacle": built.map(|built| built.bytes),
                }),
            };
            (engine.clone(), value)
        })
        .collect();
    item["engines"] = Value::Object(engines);
    item
}

/// The three load averages in one string, and the processor's name.
pub(super) fn load_average() -> [String; 2] {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    [load.join(" "), model.map_or("unknown processor", |(_, name)| name.trim()).to_owned()]
}

/// Today in UTC, `YYYY-MM-DD`; the days-to-civil rule of the proleptic Gregorian calendar.
fn today() -> String {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    civil_date(now / 86_400)
}

fn civil_date(days_since_1970: u64) -> String {
    let shifted = days_since_1970 + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_become_dates() {
        assert_eq!(super::civil_date(0), "1970-01-01");
        assert_eq!(super::civil_date(11_016), "2000-02-29");
        assert_eq!(super::civil_date(20_454), "2026-01-01");
    }
}
