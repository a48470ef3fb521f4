//! `elbowroom calibrate`: offsets of joints from poses at which two bodies touch, how sure they are, which
//! contacts are wrong, and which one to measure next.

pub mod arguments;
mod object;
mod offsets;
mod report;
mod settings;

use crate::arguments::WorldArguments;
use crate::clashes::refuse_clashes;
use crate::limits;
use crate::load;
use crate::out::{Sink, check_writable, delivered_code, say_line, say_remark, say_warnings};
use anyhow::{Context, Result, anyhow, bail};
use arguments::CalibrateArguments;
use elbowroom::World;
use elbowroom::math::Random;
use elbowroom_calibrate::{Contact, WITHIN, calibrate, propose_contacts};
use elbowroom_files::contacts::{ContactLine, load_contacts, load_contacts_from};
use elbowroom_files::fault::counted_things;
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use object::report_object;
use report::Report;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Runs the command and returns the exit code.
pub fn run(arguments: &CalibrateArguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--out", arguments.out.as_deref())];
    let [world_file, srdf] = arguments.world.input_files();
    let inputs = [world_file, srdf, ("the contacts", Some(&*arguments.contacts))];
    refuse_clashes(&outputs, &inputs)?;
    // Bodies touch with their surfaces, and not with the padding that keeps them apart.
    let bare = WorldArguments { padding: arguments.world.padding.or(Some(0.0)), ..arguments.world.clone() };
    let loaded = load::load_from_arguments(&bare, arguments.geometry)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    outputs.into_iter().filter_map(|(_, path)| path).try_for_each(check_writable)?;
    if loaded.more_padding > 0.0 {
        let most = 1e3 * loaded.more_padding;
        say_remark(&format!(
            "warning: shapes have paddings of up to {most:.2} mm, which touch before they do"
        ));
    }
    let world = &loaded.world;
    let options = settings::read_settings(world, arguments)?;
    let known =
        arguments.out.is_some().then(|| offsets::read_known(&arguments.world.world, world)).transpose()?;
    let lines = read_contacts(&arguments.contacts, world)?;
    let contacts: Vec<Contact> = lines.iter().map(to_contact).collect();
    let found = calibrate(world, &contacts, &options).map_err(|refusals| {
        refusals.iter().for_each(|refusal| say_line(&refusal.to_string()));
        anyhow!("the contacts cannot be used: {}", counted_things(refusals.len(), "fault"))
    })?;
    let next =
        propose_contacts(world, &found, &options, arguments.next as usize, &mut Random(arguments.seed));
    let (geometry, is_proposing) = (arguments.geometry, arguments.next > 0);
    let report = Report { world, contacts: &lines, found: &found, next: &next, geometry, is_proposing };
    let mut closed = false;
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        out.put_text(&format!("{}\n", report_object(&report)))?;
        closed |= out.finish()?;
    }
    let table = known.map(|known| offsets::offset_table(world, &found, &options, &known));
    if let (Some(path), Some(Ok(table))) = (&arguments.out, &table) {
        let mut out = Sink::open(path)?;
        out.put_text(table)?;
        closed |= out.finish()?;
    }
    let is_taken = outputs.iter().any(|(_, path)| *path == Some(Path::new("-")));
    if !is_taken {
        let mut out = Sink::open_stdout();
        out.put_text(&report.to_words())?;
        closed |= out.finish()?;
    }
    if let Some(Err(refusal)) = table {
        say_line(&refusal.to_string());
    }
    Ok(delivered_code(u8::from(!found.is_settled()), closed))
}

fn to_contact(line: &ContactLine) -> Contact {
    let within = line.within.unwrap_or(WITHIN);
    Contact { name: line.name.clone(), pair: line.pair, readings: line.readings.clone(), within }
}

/// The contacts of a file, or of standard input.
fn read_contacts(path: &Path, world: &World) -> Result<Vec<ContactLine>> {
    let options = Options::default();
    let read: Result<Loaded<Vec<ContactLine>>, Faults> = if path == Path::new("-") {
        let (name, mut bytes) = (PathBuf::from("standard input"), Vec::new());
        let most = limits::CONTACT_BYTES;
        std::io::stdin().take(most + 1).read_to_end(&mut bytes).context("standard input cannot be read")?;
        if bytes.len() as u64 > most {
            bail!("standard input holds more than {most} bytes: give fewer contacts");
        }
        let mut files = InMemory::default();
        files.0.insert(name.clone(), bytes);
        load_contacts_from(&files, &name, world, &options)
    } else {
        load_contacts(path, world, &options)
    };
    match read {
        Ok(loaded) => {
            say_warnings(&loaded.warnings);
            Ok(loaded.value)
        }
        Err(faults) => {
            faults.0.iter().for_each(|fault| say_line(&fault.to_string()));
            bail!("the contacts are refused: {}", counted_things(faults.0.len(), "fault"))
        }
    }
}
