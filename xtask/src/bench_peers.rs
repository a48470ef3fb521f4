//! `cargo xtask bench-peers`: the same work for this engine and its peers, in one interleaved run.
//!
//! Each engine is a process that answers lines on stdin (`bench/README.md`). For every item all engines load
//! it and write their answers, which are compared with proved intervals; then come rounds, each engine in
//! turn, the order rotated by one each round so that no engine always runs first. A figure is the median over
//! rounds.

mod agree;
mod child;
mod natives;
mod options;
mod outcome;
mod programs;
mod record;
mod setup;

use anyhow::{Context, Result, bail};
use options::{HELP, Options, engines_in_order, parse};
use outcome::{Built, Line, Outcome};
use serde_json::Value;
use std::path::Path;

/// An engine whose pass takes longer than this (seconds) runs in the first round only.
const SLOW_PASS: f64 = 8.0;

/// The engines that put points into cells.
const CELLS: [&str; 2] = ["coal", "fcl"];

/// The chore.
pub fn run(arguments: &[String]) -> Result<()> {
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        println!("{HELP}");
        return Ok(());
    }
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?.to_path_buf();
    let options = parse(arguments, &root)?;
    let items = select_items(&root, &options)?;
    let ready = setup::prepare_all(&root, &options, &items)?;
    let load_before = record::load_average();

    let mut children = Vec::new();
    for (name, command) in &ready.engines {
        children.push(child::Child::start_engine(name, command)?);
    }
    let (mut lines, mut failed) = (Vec::new(), 0);
    for item in items {
        // One item that fails does not lose the figures of the others.
        match measure_item(&item, &ready, &options, &mut children) {
            Ok(line) => {
                record::print_line(&line);
                lines.push(line);
            }
            Err(error) => {
                println!("\n{} - failed: {error:#}", item["name"].as_str().unwrap_or_default());
                failed += 1;
            }
        }
    }
    record::print_table(&lines);
    if options.record {
        record::write(&root, &lines, &ready, &options, load_before)?;
    }
    if failed > 0 {
        bail!("{failed} items failed, see above");
    }
    Ok(())
}

fn measure_item(
    item: &Value,
    ready: &setup::Ready,
    options: &Options,
    children: &mut [child::Child],
) -> Result<Line> {
    let name = item["name"].as_str().context("an item has no name")?;
    let work = ready.work.join(format!("{name}.work"));
    let truth = setup::read_truth(ready, name)?;
    // Before anything is loaded, for two worlds of a million obstacles at a time are too many.
    let built: Vec<Option<Built>> = children
        .iter()
        .map(|child| setup::measure_build(ready, &child.name, item, &work))
        .collect::<Result<_>>()?;
    let mut outcomes = Vec::new();
    let mut answers = Vec::new();
    let mut lowers = Vec::new();
    let mut slow = vec![false; children.len()];
    for (child, slow) in children.iter_mut().zip(&mut slow) {
        let out = ready.work.join(format!("{name}.{}.answers", child.name));
        match child.load_and_answer(&work, &out)? {
            Ok(seconds) => {
                *slow = seconds > SLOW_PASS;
                answers.push(Some(agree::read_numbers(&out)?));
                let out = ready.work.join(format!("{name}.{}.lower", child.name));
                let interval = !agree::is_yes_or_no(item) && child.write_lower_ends(&out)?;
                lowers.push(if interval { Some(agree::read_numbers(&out)?) } else { None });
            }
            Err(why) => {
                outcomes.push((child.name.clone(), Outcome::Cannot(why)));
                answers.push(None);
                lowers.push(None);
            }
        }
    }
    let reference = agree::Reference::new(&truth, &answers);

    // Round by round; the engine that starts moves on by one each time.
    let count = children.len();
    let mut figures = vec![(Vec::new(), Vec::new()); count];
    for round in 0..options.rounds {
        for turn in 0..count {
            let number = (round + turn) % count;
            if answers[number].is_some() && !(slow[number] && round > 0) {
                let (median, mean) = children[number].run(options.seconds)?;
                figures[number].0.push(median);
                figures[number].1.push(mean);
            }
        }
    }
    for ((((child, answers), lower), (rounds_ns, mean_ns)), built) in
        children.iter().zip(&answers).zip(&lowers).zip(figures).zip(built)
    {
        if let Some(answers) = answers {
            let mut agreement =
                reference.judge_answers(answers, item, CELLS.contains(&child.name.as_str()))?;
            if let Some(lower) = lower {
                agreement.intervals = Some(reference.judge_intervals(lower, answers));
            }
            outcomes.push((child.name.clone(), Outcome::Ran { rounds_ns, mean_ns, agreement, built }));
        }
    }
    outcomes.sort_by_key(|(name, _)| engines_in_order().position(|engine| engine == name));
    Ok(Line { item: item.clone(), outcomes })
}

fn select_items(root: &Path, options: &Options) -> Result<Vec<Value>> {
    let path = root.join("bench/items.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot open {}", path.display()))?;
    let all: Value = serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
    let all = all["items"].as_array().context("bench/items.json has no `items`")?;
    let wanted = |item: &&Value| {
        let name = item["name"].as_str().unwrap_or_default();
        let named = options.items.iter().any(|whole| whole == name);
        let asked =
            options.items.is_empty() || options.items.iter().any(|prefix| name.starts_with(prefix.as_str()));
        named || (asked && (options.long || item["long"] != true))
    };
    let chosen: Vec<Value> = all.iter().filter(wanted).cloned().collect();
    if chosen.is_empty() {
        bail!("no item of bench/items.json is called like {}", options.items.join(" or "));
    }
    Ok(chosen)
}
