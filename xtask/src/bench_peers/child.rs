//! One engine: a process and its line protocol.

use anyhow::{Context, Result, bail};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

pub(super) struct Child {
    pub(super) name: String,
    process: std::process::Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Child {
    /// Starts `command`; it waits for lines.
    pub(super) fn start_engine(name: &str, command: &[String]) -> Result<Child> {
        let (program, arguments) = command.split_first().context("an engine has no command")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let stdin = process.stdin.take().context("no stdin")?;
        let stdout = BufReader::new(process.stdout.take().context("no stdout")?);
        Ok(Child { name: name.to_owned(), process, stdin, stdout })
    }

    fn query_engine(&mut self, line: &str) -> Result<String> {
        writeln!(self.stdin, "{line}")
            .and_then(|()| self.stdin.flush())
            .with_context(|| self.death_message(line))?;
        let mut reply = String::new();
        if self.stdout.read_line(&mut reply)? == 0 {
            bail!(self.death_message(line));
        }
        Ok(reply.trim_end().to_owned())
    }

    fn death_message(&self, line: &str) -> String {
        format!("the engine {} ended at `{line}`", self.name)
    }

    /// Seconds that one pass took, or the engine's words why it cannot do this work.
    pub(super) fn load_and_answer(
        &mut self,
        work: &Path,
        out: &Path,
    ) -> Result<std::result::Result<f64, String>> {
        let reply = self.query_engine(&format!("load {}", work.display()))?;
        if let Some(why) = reply.strip_prefix("cannot ") {
            return Ok(Err(why.to_owned()));
        }
        let start = Instant::now();
        let reply = self.query_engine(&format!("answers {}", out.display()))?;
        match reply.strip_prefix("cannot ") {
            Some(why) => Ok(Err(why.to_owned())),
            None => Ok(Ok(start.elapsed().as_secs_f64())),
        }
    }

    /// Lower ends of the engine's intervals, written to `out`; false if it proves nothing.
    pub(super) fn write_lower_ends(&mut self, out: &Path) -> Result<bool> {
        Ok(self.query_engine(&format!("lower {}", out.display()))?.starts_with("written "))
    }

    /// Median over batches and mean, ns a step.
    pub(super) fn run(&mut self, seconds: f64) -> Result<(f64, f64)> {
        let reply = self.query_engine(&format!("run {seconds}"))?;
        let words: Vec<&str> = reply.split_whitespace().collect();
        match words[..] {
            ["ran", median, mean, _passes] => Ok((median.parse()?, mean.parse()?)),
            _ => bail!("the engine {} answered `{reply}` to `run`", self.name),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Asked to quit; one that does not read any more is ended.
        let asked = writeln!(self.stdin, "quit").and_then(|()| self.stdin.flush());
        if asked.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
