//! `cargo xtask release`: archives of the program for computers without Rust, and wheels for Python.
//!
//! An archive has the program, its manual, completions, licences, a list of its parts, and README's first
//! example. Two runs on the same commit with the same tools make the same bytes. Where an archive's program
//! can run, it is unpacked in an empty folder and must answer README's first command with the bytes of the
//! program that is built here without optimization.

mod archive;
mod bill;
mod commit;
mod contents;
mod manual;
mod notices;
mod parts;
mod runtimes;
mod wheels;

use crate::computers::{AARCH64, Computer, PROFILE, WASM32, WINDOWS, X86_64};
use crate::computers::{add_target, build_here, cargo_for, install_programs};
use crate::first_command::answer_command;
use crate::steps::run_step;
use anyhow::{Context, Result, anyhow, bail};
use commit::Commit;
use contents::Programs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The computers that have archives.
const ARCHIVED: [Computer; 4] = [X86_64, AARCH64, WINDOWS, WASM32];

/// The word for the wheels among the arguments.
const WHEELS: &str = "wheels";

/// Bytes of the largest archive that is not refused: what one downloads in a few seconds.
const LARGEST_ARCHIVE: u64 = 8_000_000;

/// What all archives of a run share.
struct Release {
    commit: Commit,
    /// Where archives, wheels and checksums lie.
    folder: PathBuf,
    /// The program of this computer, and its answers to README's first command.
    program: PathBuf,
    answers: Vec<u8>,
}

/// Makes all archives and the wheels, or those that are named.
pub fn run(arguments: &[String]) -> Result<()> {
    let known: Vec<&str> = ARCHIVED.iter().map(|computer| computer.name).chain([WHEELS]).collect();
    if let Some(unknown) = arguments.iter().find(|word| !known.contains(&word.as_str())) {
        bail!("there is no archive {unknown}: cargo xtask release [{}] ...", known.join("|"));
    }
    let is_wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|word| word == name);
    let tools = ["git", "tar", "gzip", "zip", "unzip", "sha256sum"];
    if let Some(missing) = tools.iter().find(|name| !crate::test::have_programs(&[**name])) {
        bail!("{missing} is not here (Debian: apt-get install git tar gzip zip unzip coreutils)");
    }
    let release = Release::prepare()?;
    if arguments.is_empty() {
        std::fs::remove_dir_all(&release.folder)?;
        std::fs::create_dir(&release.folder)?;
    }
    let mut lines = Vec::new();
    let mut failed = 0;
    for computer in ARCHIVED.iter().filter(|computer| is_wanted(computer.name)) {
        println!("\n== {}: {}", computer.name, computer.triple);
        let started = Instant::now();
        let said = release.make_archive(computer).unwrap_or_else(|fault| {
            failed += 1;
            format!("FAILED: {fault:#}")
        });
        lines.push(format!("{:8} {said}; {:.0} s", computer.name, started.elapsed().as_secs_f64()));
    }
    if is_wanted(WHEELS) {
        let said = wheels::make_wheels(&release.commit, &release.folder);
        lines.extend(said.unwrap_or_else(|fault| {
            failed += 1;
            vec![format!("{WHEELS:8} FAILED: {fault:#}")]
        }));
    }
    archive::write_checksums(&release.folder)?;
    println!("\n{}\nin {}", lines.join("\n"), release.folder.display());
    if failed > 0 {
        bail!("{failed} of them failed");
    }
    Ok(())
}

impl Release {
    /// Builds the program here, without optimization, and keeps its answers.
    fn prepare() -> Result<Release> {
        let commit = commit::read_commit()?;
        let target = commit.root.join("target");
        let folder = target.join("release-archives");
        std::fs::create_dir_all(&folder)?;
        let program = build_here()?;
        let kept = target.join("release-answers.jsonl");
        let answers = answer_command(&mut Command::new(&program), &commit.root, &kept)?;
        Ok(Release { commit, folder, program, answers })
    }

    /// Builds, packs, and tries what was packed; the answer says what there is.
    fn make_archive(&self, computer: &Computer) -> Result<String> {
        add_target(computer)?;
        install_programs(computer)?;
        let mut build = cargo_for(computer)?;
        run_step(build.args(["build", "--profile", PROFILE, "--locked", "-p", "elbowroom-cli"]))?;
        let built = computer.built_program()?;
        let stage = self.commit.root.join("target/release-stage");
        let name = archive::name_folder(&self.commit.version, computer.triple);
        let programs = Programs { built: &built, asked: &self.program };
        contents::fill_folder(&self.commit, computer, &programs, &stage.join(&name))?;
        let packed = archive::pack_folder(&stage, &name, &self.commit.seconds, &self.folder)?;
        let (program, archive) = (file_size(&built)?, file_size(&packed)?);
        let tried = if archive > LARGEST_ARCHIVE {
            Err(anyhow!("{} has {archive} bytes, more than {LARGEST_ARCHIVE}", packed.display()))
        } else {
            self.try_archive(computer, &packed, &name)
        };
        if tried.is_err() {
            std::fs::remove_file(&packed)?;
        }
        let tried = tried?;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        Ok(format!("program {:.2} MB, archive {:.2} MB; {tried}", megabytes(program), megabytes(archive)))
    }

    /// Unpacks an archive in an empty folder, and asks its program there, without variables.
    fn try_archive(&self, computer: &Computer, packed: &Path, name: &str) -> Result<String> {
        let empty = std::env::temp_dir().join(format!("elbowroom-release-{}", std::process::id()));
        let inside = empty.join(name);
        let Some(mut command) = computer.command(&inside.join(computer.program)) else {
            return Ok("compiled only: it cannot run here".into());
        };
        std::fs::create_dir(&empty).with_context(|| empty.display().to_string())?;
        let tried = archive::unpack(packed, &empty).and_then(|()| {
            let added = computer.prepare_folder(&inside)?;
            Ok((answer_command(command.env_clear(), &inside, &empty.join("answers"))?, added))
        });
        std::fs::remove_dir_all(&empty)?;
        let (answers, added) = tried?;
        if answers != self.answers {
            bail!("the answers to README's first command are other bytes than here");
        }
        let added = added.map(|what| format!(", {what}")).unwrap_or_default();
        Ok(format!("unpacked, it answers README's first command with the bytes of here{added}"))
    }
}

fn file_size(path: &Path) -> Result<u64> {
    Ok(std::fs::metadata(path).with_context(|| path.display().to_string())?.len())
}
