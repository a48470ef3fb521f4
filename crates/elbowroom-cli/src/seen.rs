//! What sensors saw: clouds of points and OctoMaps, as obstacles of a check.

use crate::arguments::changes::named_pose;
use crate::arguments::seen::{SeenOptions, UnknownChoice};
use crate::out::{say_line, say_warnings};
use anyhow::{Result, bail};
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::describe::*;
use elbowroom::fault::Numeral;
use elbowroom::math::{Transform, Vec3};
use elbowroom_files::Options;
use elbowroom_files::cloud::load_cloud;
use elbowroom_files::fault::{self, counted_things};
use elbowroom_files::limits::UNKNOWN_CELLS;
use elbowroom_files::octomap::{Cell, load_octomap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// A cloud that was read.
#[derive(Clone, Debug)]
pub struct SeenCloud {
    /// Its name in the world, without `world/`.
    pub name: String,
    /// The option, for messages.
    pub place: String,
    /// Its points (metres, world frame).
    pub points: Arc<Vec<[f64; 3]>>,
}

/// A body of boxes.
#[derive(Clone, Debug)]
struct Boxes {
    name: String,
    place: String,
    /// From the frame of the cells to the world's.
    pose: Transform,
    cells: Vec<Cell>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Clouds.
    pub clouds: Vec<SeenCloud>,
    radius: f64,
    /// Bodies of boxes, and the option of each.
    boxes: Vec<Boxes>,
    /// Notes for the answer: how many points, cells and cubes there are.
    pub notes: Vec<String>,
    /// Warnings, already on standard error.
    pub warnings: Vec<String>,
}

impl SeenOptions {
    /// The files, for messages.
    pub fn inputs(&self) -> Vec<(&'static str, Option<&Path>)> {
        let clouds = self.cloud.iter().map(|path| ("a cloud", Some(path.as_path())));
        clouds.chain(self.octomap.iter().map(|path| ("an OctoMap", Some(path.as_path())))).collect()
    }

    /// Reads all files and tells every fault.
    ///
    /// # Errors
    /// A file cannot be read, or the radius is not above zero.
    pub fn read(&self, options: &Options) -> Result<Seen> {
        let mut seen = Seen { radius: self.cloud_radius, ..Seen::default() };
        let (mut names, mut refused, mut unknown) = (BTreeSet::new(), 0, 0);
        let mut poses = BTreeMap::new();
        for text in &self.scan_pose {
            let pose = named_pose(text).and_then(|(name, pose)| match poses.insert(name.clone(), pose) {
                None => Ok(()),
                Some(_) => Err(format!("`{name}` has a pose already: give one")),
            });
            if let Err(what) = pose {
                say_line(&format!("--scan-pose {text}: {what}"));
                refused += 1;
            }
        }
        if !(self.cloud_radius > 0.0 && self.cloud_radius <= MAX_COORDINATE) {
            let radius = Numeral(self.cloud_radius);
            say_line(&format!("--cloud-radius is {radius}: give metres above zero, to {MAX_COORDINATE:e}"));
            refused += 1;
        }
        for path in &self.cloud {
            match load_cloud(path, options) {
                Ok(loaded) => {
                    say_warnings(&loaded.warnings);
                    seen.warnings.extend(fault::warning_lines(&loaded.warnings));
                    let (name, mut points) = (name_of(path, &mut names), loaded.value.points);
                    if let Some(pose) = poses.remove(&name) {
                        points
                            .iter_mut()
                            .for_each(|point| *point = pose.point(Vec3::from(*point)).to_array());
                    }
                    seen.notes.push(format!("{name} has {}", counted_things(points.len(), "point")));
                    let place = format!("--cloud {}", path.display());
                    seen.clouds.push(SeenCloud { name, place, points: Arc::new(points) });
                }
                Err(faults) => {
                    say_line(&faults.to_string());
                    refused += 1;
                }
            }
        }
        for path in &self.octomap {
            match load_octomap(path, options) {
                Ok(loaded) => {
                    say_warnings(&loaded.warnings);
                    seen.warnings.extend(fault::warning_lines(&loaded.warnings));
                    let (name, map) = (name_of(path, &mut names), loaded.value);
                    let occupied = counted_things(map.occupied.len(), "occupied cell");
                    let unknown = match self.octomap_unknown {
                        UnknownChoice::Free => Some(Vec::new()),
                        UnknownChoice::Occupied => map.unknown_cells(UNKNOWN_CELLS),
                    };
                    let Some(unknown) = unknown else {
                        say_line(&format!(
                            "{}: more than {UNKNOWN_CELLS} cubes were not seen: --octomap-unknown free \
                             leaves them out",
                            path.display()
                        ));
                        refused += 1;
                        continue;
                    };
                    let more = match self.octomap_unknown {
                        UnknownChoice::Free => "what was not seen counts as free".into(),
                        UnknownChoice::Occupied => {
                            format!(
                                "{} not seen, which count as occupied",
                                counted_things(unknown.len(), "cube")
                            )
                        }
                    };
                    seen.notes.push(format!("{name} has {occupied}, {more}"));
                    let place = format!("--octomap {}", path.display());
                    let not_seen = format!("{name}_unknown");
                    let pose = poses.remove(&name).unwrap_or(Transform::IDENTITY);
                    seen.boxes.push(Boxes { name, place: place.clone(), pose, cells: map.occupied });
                    seen.boxes.push(Boxes { name: not_seen, place, pose, cells: unknown });
                }
                Err(faults) => {
                    say_line(&faults.to_string());
                    refused += 1;
                }
            }
        }
        // A file that was refused has no name here.
        for name in poses.keys().filter(|_| refused == 0) {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let there = if known.is_empty() {
                "no cloud and no OctoMap is given".into()
            } else {
                format!("the clouds and OctoMaps are {}", known.join(", "))
            };
            say_line(&format!("--scan-pose {name}: nothing that was seen has this name; {there}"));
            unknown += 1;
        }
        match refused + unknown {
            0 => Ok(seen),
            1 => bail!("1 option is refused"),
            more => bail!("{more} options are refused"),
        }
    }
}

impl Seen {
    /// Adds the bodies to a description.
    ///
    /// # Errors
    /// One of them is called as an obstacle is; that is told.
    pub fn add(&self, d: &mut WorldDescription) -> Result<()> {
        let obstacles = d.obstacles.iter().map(|obstacle| &obstacle.name);
        let mut taken: BTreeSet<String> =
            obstacles.chain(d.spares.iter().map(|s| &s.name)).cloned().collect();
        let clouds = self.clouds.iter().map(|cloud| (&cloud.name, &cloud.place));
        let boxes = self.boxes.iter().filter(|boxes| !boxes.cells.is_empty());
        let mut clashes = 0;
        for (name, place) in clouds.chain(boxes.clone().map(|boxes| (&boxes.name, &boxes.place))) {
            if !taken.insert(name.clone()) {
                say_line(&format!(
                    "{place}: the name `world/{name}` is taken: rename the file, or what has the name"
                ));
                clashes += 1;
            }
        }
        match clashes {
            0 => {}
            1 => bail!("1 option is refused"),
            _ => bail!("{clashes} options are refused"),
        }
        let radius = self.radius;
        d.clouds.extend(self.clouds.iter().map(|cloud| CloudDescription {
            name: cloud.name.clone(),
            radius,
            capacity: cloud.points.len(),
        }));
        let body = |boxes: &Boxes| ObstacleDescription {
            name: boxes.name.clone(),
            pose: boxes.pose,
            shapes: boxes.cells.iter().map(Cell::placed_box).collect(),
            attached_to: None,
            movable: false,
        };
        d.obstacles.extend(boxes.map(body));
        Ok(())
    }
}

/// The file's name without its ending, with a number behind it if another file has this name.
fn name_of(path: &Path, names: &mut BTreeSet<String>) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut name = stem.clone();
    for number in 2.. {
        if names.insert(name.clone()) {
            break;
        }
        name = format!("{stem}_{number}");
    }
    name
}
