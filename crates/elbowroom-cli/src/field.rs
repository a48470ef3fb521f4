//! `elbowroom field`: which values of the joints between two bodies collide, proved for every value: a map of
//! cells as a picture, as a table, and as a file that the engine can use.

pub mod arguments;
mod axis;
mod drawing;
mod line;
mod rows;

use crate::answer::SCHEMA;
use crate::arguments::GeometryChoice;
use crate::clashes::refuse_clashes;
use crate::lengths::length_text;
use crate::load;
use crate::out::{Sink, check_writable, clean_text, delivered_code};
use crate::pairs::bodies_named;
use crate::units::is_angle;
use anyhow::{Context, Result, bail};
use arguments::FieldArguments;
use axis::FieldAxis;
use elbowroom::motion::{Field, FieldOptions, Prover, ranges};
use elbowroom::world::BodyPair;
use elbowroom::{Policy, World};
use elbowroom_files::field::write_field;
use indicatif::HumanBytes;
use serde_json::json;
use std::time::Instant;

/// Runs the command and returns the exit code.
pub fn run(arguments: &FieldArguments) -> Result<u8> {
    let outputs = [
        ("--svg", arguments.svg.as_deref()),
        ("--csv", arguments.csv.as_deref()),
        ("--out", arguments.out.as_deref()),
        ("--json", arguments.json.as_deref()),
    ];
    refuse_clashes(&outputs, &arguments.world.input_files())?;
    let loaded = load::load_from_arguments(&arguments.world, arguments.geometry)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    // Files that cannot be written are found out before the work.
    outputs.into_iter().filter_map(|(_, path)| path).try_for_each(check_writable)?;
    let world = &loaded.world;
    let pair = named_pair(world, &arguments.pair)?;
    let options = FieldOptions {
        policy: Policy { margin: arguments.world.margin, geometry: arguments.geometry.to_geometry() },
        cells: arguments.cells,
        boxes: arguments.boxes,
        ..FieldOptions::default()
    };
    let started = Instant::now();
    let named = || pair_in_words(world, pair);
    let field = Prover::new(world).field(pair, &options).with_context(named)?;
    let seconds = started.elapsed().as_secs_f64();
    let axes = axis::ordered_axes(world, &field, &arguments.joints)?;

    let mut closed = false;
    if let Some(path) = &arguments.out {
        let mut out = Sink::open(path)?;
        out.put_bytes(&write_field(&field, world))?;
        closed |= out.finish()?;
    }
    if let Some(path) = &arguments.svg {
        let mut out = Sink::open(path)?;
        out.put_text(&drawing::draw_field(&field, &axes, &named()))?;
        closed |= out.finish()?;
    }
    if let Some(path) = &arguments.csv {
        let mut out = Sink::open(path)?;
        rows::write_rows(&field, &axes, &mut out)?;
        closed |= out.finish()?;
    }
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        out.put_text(&format!("{}\n", field_line(world, &field, &axes, arguments.geometry, seconds)))?;
        closed |= out.finish()?;
    }
    let taken = outputs.iter().any(|(_, path)| path.is_some_and(|path| path.as_os_str() == "-"));
    if !taken {
        let mut out = Sink::open_stdout();
        out.put_text(&field_in_words(world, &field, &axes, arguments.geometry, seconds))?;
        closed |= out.finish()?;
    }
    let [_, overlap, open] = field.count_cells();
    Ok(delivered_code(u8::from(overlap + open > 0), closed))
}

/// The two bodies, by their full names or the last parts of them.
fn named_pair(world: &World, names: &[String]) -> Result<BodyPair> {
    let mut found = Vec::new();
    for name in names {
        let one = bodies_named(world, "--pair", std::slice::from_ref(name))?;
        let [body] = one[..] else {
            let full: Vec<&str> = one.iter().map(|id| &*world.bodies()[id.index()].name).collect();
            bail!("--pair {name}: several bodies have that name: {}", full.join(", "));
        };
        found.push(body);
    }
    let [a, b] = found[..] else { bail!("--pair takes two bodies") };
    Ok(BodyPair { a, b })
}

fn pair_in_words(world: &World, pair: BodyPair) -> String {
    let [a, b] = [pair.a, pair.b].map(|body| clean_text(&world.bodies()[body.index()].name));
    format!("{a} and {b}")
}

fn cell_shares(field: &Field) -> [f64; 3] {
    let counts = field.count_cells();
    let all: u64 = counts.iter().sum();
    counts.map(|count| count as f64 / all.max(1) as f64)
}

fn field_line(
    world: &World,
    field: &Field,
    axes: &[FieldAxis],
    geometry: GeometryChoice,
    seconds: f64,
) -> serde_json::Value {
    let [free, overlap, open] = cell_shares(field);
    let joints: Vec<_> = axes
        .iter()
        .map(|axis| {
            let [lower, upper] = axis.joint.range;
            json!({"name": axis.name, "lower": lower, "upper": upper, "cells": axis.joint.cells})
        })
        .collect();
    json!({
        "schema": SCHEMA, "pair": world.body_names(field.pair()), "joints": joints, "margin": field.margin(),
        "geometry": geometry.json_word(),
        "free": free, "overlap": overlap, "open": open, "bytes": field.byte_count(), "seconds": seconds,
        "line": line::json_line(field, axes),
    })
}

fn field_in_words(
    world: &World,
    field: &Field,
    axes: &[FieldAxis],
    geometry: GeometryChoice,
    seconds: f64,
) -> String {
    let [free, overlap, open] = cell_shares(field).map(|share| 100.0 * share);
    let mut text = format!("{}, at every value of\n", pair_in_words(world, field.pair()));
    for axis in axes {
        let [low, high] = axis.joint.range.map(|value| axis.value_text(value));
        text += &format!("  {}: {low} to {high}, {} cells\n", clean_text(&axis.name), axis.joint.cells);
    }
    let beyond = match field.margin() {
        0.0 => String::new(),
        margin => format!(" by more than {}", length_text(margin)),
    };
    let note = geometry.geometry_note().map_or(String::new(), |note| format!("; {note}"));
    text += &format!(
        "free{beyond} {free:.2} %, overlap {overlap:.2} %, neither proved {open:.2} %; {} in {seconds:.2} \
         s{note}\n",
        HumanBytes(field.byte_count() as u64)
    );
    text + &line::line_in_words(field, axes) + &table_of_samples(world)
}

/// What a table of samples of all joints would take (haase10, section I-A): a degree or a millimetre a step,
/// half a millisecond and a bit a pose.
fn table_of_samples(world: &World) -> String {
    let steps = ranges(world).into_iter().enumerate().map(|(value, [low, high])| {
        let step = if is_angle(world, value) { 1.0_f64.to_radians() } else { 1e-3 };
        ((high - low) / step).round().max(1.0)
    });
    let poses: f64 = steps.product();
    if !poses.is_finite() {
        return String::new();
    }
    format!(
        "a table of samples of all {} joint values, by degrees and millimetres: {poses:.2e} poses, {:.2e} \
         bytes, {:.2e} s at 0.5 ms each\n",
        world.dof_names().len(),
        poses / 8.0,
        poses * 5e-4
    )
}
