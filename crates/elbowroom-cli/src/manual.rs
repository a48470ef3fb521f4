//! What a shell and `man` know of the program: completions and manual pages, made from the options
//! themselves.

use crate::out::{Sink, delivered_code};
use anyhow::{Context, Result, bail};
use clap::{Args, Command};
use clap_complete::Shell;

/// The options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The options of `man`.
#[derive(Args, Debug)]
pub struct ManualArguments {
    /// The command that the page is of; without it, of the program
    command: Option<String>,
}

/// Writes the completions to standard output.
pub fn write_completions(arguments: &CompletionArguments, mut program: Command) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "elbowroom", &mut text);
    put_text(text)
}

/// Writes a manual page to standard output.
pub fn write_manual(arguments: &ManualArguments, program: Command) -> Result<u8> {
    // `help` has no page of its own.
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
                bail!("there is no command `{name}`: the commands are {}", known.join(", "));
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).context("the page cannot be made")?;
    put_text(text)
}

fn put_text(text: Vec<u8>) -> Result<u8> {
    let mut out = Sink::open_stdout();
    out.put_text(&String::from_utf8_lossy(&text))?;
    Ok(delivered_code(0, out.finish()?))
}
