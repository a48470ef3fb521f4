//! A real arm in real cells: the problems of MotionBenchMaker for the Panda, as an independent engine (coal)
//! answers them.
//!
//! Of each problem: start, goal and the random poses of the truth file, the smallest distance within the
//! robot and to the cell, with the scene's allowed collision matrix. The scenes that are unpacked are used;
//! `ELBOWROOM_SCENES` names a folder with more of them. The truth is rounded to 6 digits, and its depth of
//! meshes is not exact: there only verdicts are compared. Between triangles and boxes the truth misses the
//! nearest triangle now and then. Each such answer must be refuted by the slow reference, which measures
//! every triangle, for the very pair; and they are few.

use crate::second_opinion::{AGREE, TOO_CLOSE, full, slow_distance, values};
use crate::support::ask::intervals_meet;
use crate::support::data::data;
use elbowroom::describe::WorldDescription;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_files::source::{Disk, Files, Kind};
use elbowroom_files::world::load_world_from;
use std::path::{Path, PathBuf};

/// A world file in memory; everything else on disk.
struct WithWorld(String);

const WORLD: &str = "/in-memory/world.toml";

impl Files for WithWorld {
    fn kind(&self, path: &Path) -> Kind {
        if path == Path::new(WORLD) { Kind::File } else { Disk.kind(path) }
    }
    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        if path == Path::new(WORLD) { Ok(self.0.clone().into_bytes()) } else { Disk.read(path, max_bytes) }
    }
    fn identity(&self, path: &Path) -> PathBuf {
        if path == Path::new(WORLD) { path.to_path_buf() } else { Disk.identity(path) }
    }
}

/// The robot against itself, and against the cell.
fn worlds(urdf: &Path, scene: &Path) -> (WorldDescription, [World; 2]) {
    let file = |path: &Path| format!("{:?}", path.display().to_string());
    let toml = format!(
        "[[robot]]\nurdf = {}\nname = \"r\"\nsrdf = false\n[[scene]]\nfile = {}\nallowed = true\n",
        file(urdf),
        file(scene)
    );
    let loaded = load_world_from(&WithWorld(toml), Path::new(WORLD), &Default::default());
    let mut description = loaded.unwrap_or_else(|faults| panic!("{}: {faults}", scene.display())).value;
    let worlds = ["r", "world"].map(|other| {
        description.checks = vec![["r".into(), other.into()]];
        World::compile(&description).unwrap_or_else(|faults| panic!("{}: {faults:?}", scene.display()))
    });
    (description, worlds)
}

#[test]
fn panda_in_its_cells() {
    let Some(data) = data() else { return };
    let folder = data.join("scenes/motionbenchmaker_panda");
    let scenes = std::env::var_os("ELBOWROOM_SCENES").map_or(folder.join("sample"), PathBuf::from);
    let truth = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    let urdf = data.join("robots").join(truth["urdf"].as_str().unwrap());

    let (mut problems, mut poses, mut touching, mut close) = (0, 0, 0, 0);
    let (mut worst, mut wrong) = ([0.0_f64; 2], Vec::new());
    let (mut refutations, mut missed, mut largest) = (0, 0, 0.0_f64);
    for problem in truth["problems"].as_array().unwrap() {
        let scene = scenes.join(problem["set"].as_str().unwrap()).join(problem["scene"].as_str().unwrap());
        if !scene.is_file() {
            continue;
        }
        problems += 1;
        let (description, worlds) = worlds(&urdf, &scene);
        let mut checkers = [Checker::new(&worlds[0]), Checker::new(&worlds[1])];
        let random = problem["random"].as_array().unwrap().iter().map(|r| (&r["q"], r));
        let random: Vec<_> = if full() { random.collect() } else { random.take(1).collect() };
        let ends = [(&problem["q_start"], &problem["start"]), (&problem["q_goal"], &problem["goal"])];
        for (q, theirs) in ends.into_iter().chain(random) {
            poses += 1;
            let columns: Vec<(&str, f64)> =
                q.as_object().unwrap().iter().map(|(k, v)| (k.as_str(), v.as_f64().unwrap())).collect();
            for (kind, geometry) in [("hull", Geometry::Hull), ("mesh", Geometry::Mesh)] {
                let theirs = &theirs[kind];
                let (mut collides, mut near, mut contact_refutes) = (false, false, false);
                for (i, key) in ["self_min_m", "world_min_m"].into_iter().enumerate() {
                    let (world, checker) = (&worlds[i], &mut checkers[i]);
                    // A few goals lie on a limit, rounded outwards.
                    let options = SetOptions { ignore_limits: true };
                    checker.set_with(&values(world, &columns, true), options).unwrap();
                    checker.forget_history();
                    let answer = checker.ask(&Question::distance().geometry(geometry));
                    let expected = theirs[key].as_f64().unwrap();
                    collides |= answer.verdict != Verdict::Clear;
                    near |= answer.distance.abs() < TOO_CLOSE;
                    let comparable = kind == "hull" || expected > TOO_CLOSE || answer.distance > TOO_CLOSE;
                    let differs = (answer.distance - expected).abs();
                    // The base does not move against the cell, so here it is not checked against it.
                    let pair_there = &theirs[&key.replace("min_m", "pair")];
                    if i == 1 && pair_there[0] == "panda_link0" {
                        assert!(
                            answer.distance > expected - AGREE,
                            "{}: {answer:?} below {expected}",
                            scene.display()
                        );
                        continue;
                    }
                    if (comparable && differs > AGREE) || (answer.verdict == Verdict::Unknown && !near) {
                        // Who is right, for the pair that each names?
                        let ours = answer.pair.and_then(|p| world.pair_names(p)).unwrap();
                        let named = &theirs[&key.replace("min_m", "pair")];
                        let [x, y] = [0, 1].map(|k| named[k].as_str().unwrap());
                        let other = if i == 0 { "r" } else { "world" };
                        let (x, y) = (format!("r/{x}"), format!("{other}/{y}"));
                        let slow = |pair| slow_distance(&description, checker, pair);
                        let refuted = if kind == "hull" {
                            false
                        } else if answer.distance < expected {
                            let slow = slow(ours);
                            contact_refutes |= slow.upper <= 0.0;
                            intervals_meet(&slow, &answer.interval) && slow.upper < expected - AGREE
                        } else {
                            slow([&x, &y]).lower > expected + AGREE
                        };
                        if refuted {
                            refutations += 1;
                            largest = largest.max(differs);
                            println!(
                                "{} {}: {kind} {key} is {:.9} between {ours:?}, not {expected} between \
                                 {named}",
                                problem["set"], problem["scene"], answer.distance
                            );
                        } else {
                            wrong.push(format!(
                                "{} {q}: {kind} {key} {expected} by {named}: {:?} [{:.9}, {:.9}] of {ours:?}",
                                scene.display(),
                                answer.verdict,
                                answer.interval.lower,
                                answer.interval.upper
                            ));
                        }
                    } else if comparable {
                        let place = usize::from(kind == "mesh");
                        worst[place] = worst[place].max(differs);
                    }
                }
                if near {
                    close += 1;
                } else if collides && contact_refutes {
                    // The slow reference has the triangles in contact that the truth has apart.
                    missed += u32::from(!theirs["collides"].as_bool().unwrap());
                } else if collides != theirs["collides"].as_bool().unwrap() {
                    wrong.push(format!("{} {q}: {kind} collides: {collides}, but {theirs}", scene.display()));
                }
                touching += usize::from(collides);
            }
        }
    }
    println!(
        "{problems} problems, {poses} poses, {touching} answers of contact, {close} too close to compare; \
         {refutations} answers refuted by {largest:.2e} m at most, {missed} of them missed collisions; \
         largest difference: hulls {:.2e} m, meshes {:.2e} m",
        worst[0], worst[1]
    );
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
    assert!(refutations * 10 <= poses * 4, "{refutations} refutations in {poses} poses are no rare mistakes");
    assert!(problems >= 21 && touching > 0, "{problems} problems, {touching} in contact");
}
