//! What the command line says of joints: numbers by name.

use super::arguments::CalibrateArguments;
use crate::units::is_angle;
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom_calibrate::CalibrateOptions;
use elbowroom_files::fault::did_you_mean;
use elbowroom_files::motion::names::{Named, ValueNames};

/// The options of a calibration.
pub fn read_settings(world: &World, arguments: &CalibrateArguments) -> Result<CalibrateOptions> {
    let mut options = CalibrateOptions::for_world(world);
    options.geometry = arguments.geometry.to_geometry();
    let names = world.dof_names();
    let index = ValueNames::new(names.iter().map(String::as_str));
    let read = |option: &str, name: &str| find_value(&index, option, name);
    if let Some(text) = &arguments.offset {
        for (value, number) in read_numbers(world, "--offset", text, read)? {
            let Some(value) = value else { bail!("--offset {number}: say of which joint: joint={number}") };
            options.start[value] = number;
        }
    }
    for (option, text, into) in [
        ("--noise", &arguments.noise, &mut options.steps),
        ("--bound", &arguments.bound, &mut options.bounds),
    ] {
        let Some(text) = text else { continue };
        let numbers = read_numbers(world, option, text, read)?;
        if let Some((_, number)) = numbers.iter().find(|(_, number)| *number < 0.0) {
            bail!("{option} {number}: give zero or more");
        }
        // What is for all joints comes first, wherever it stands.
        for (_, number) in numbers.iter().filter(|(value, _)| value.is_none()) {
            (0..into.len())
                .filter(|v| options.free[*v] && is_angle(world, *v))
                .for_each(|v| into[v] = *number);
        }
        for (value, number) in numbers {
            value.into_iter().for_each(|value| into[value] = number);
        }
    }
    for name in &arguments.fixed {
        options.free[read("--fixed", name)?] = false;
    }
    if !options.free.contains(&true) {
        bail!("no joint is left whose offset is looked for: name fewer with --fixed");
    }
    if let Some(zero) = (0..names.len()).find(|v| options.free[*v] && options.bounds[*v] == 0.0) {
        bail!("--bound: that of {} is zero; to keep its offset, use --fixed {}", names[zero], names[zero]);
    }
    Ok(options)
}

/// `0.006` or `joint=0.006`, with commas: each number with its joint value, or none for all.
fn read_numbers(
    world: &World,
    option: &str,
    text: &str,
    read: impl Fn(&str, &str) -> Result<usize>,
) -> Result<Vec<(Option<usize>, f64)>> {
    let mut found: Vec<(Option<usize>, f64)> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, number) = match part.split_once('=') {
            Some((name, number)) => (Some(name.trim()), number.trim()),
            None => (None, part),
        };
        let value = name.map(|name| read(option, name)).transpose()?;
        let Some(number) = number.parse::<f64>().ok().filter(|number| number.is_finite()) else {
            bail!("{option} {part}: `{number}` is not a finite number");
        };
        if found.iter().any(|(there, _)| *there == value) {
            let of = value.map_or("all joints", |value| &world.dof_names()[value]);
            bail!("{option} {part}: {of} stands there twice");
        }
        found.push((value, number));
    }
    Ok(found)
}

/// The joint value with a name, in full or without the robot.
fn find_value(index: &ValueNames, option: &str, name: &str) -> Result<usize> {
    match index.find_value(name) {
        Named::One(value) => Ok(value),
        Named::Several => bail!("{option} {name}: a joint of several robots; write robot/joint"),
        Named::Nothing => {
            let meant = did_you_mean(name, index.known_names());
            let meant = if meant.is_empty() { "`elbowroom info` lists all".into() } else { meant };
            bail!("{option} {name}: there is no such joint value; {meant}")
        }
    }
}
