//! `cargo run --release -p elbowroom-times --bin socket_times -- [SECONDS] [OPTION ...]`: how long the
//! program takes from a line in to a line out, over a Unix socket. It starts `elbowroom monitor` (build it
//! first) on robots/rrc_cell, with these options of the monitor, and sends the states of both arms in the
//! clean script at 1 kHz, there and back, a line each. The cell is told so: a state each millisecond, late
//! after [`LATE`]. Microseconds: median, 99 %, 99.9 %, worst; how many answers took longer than a
//! millisecond; how many were late; how many of these said so themselves, and how many the next line said.
//! A monitor cannot know when its answer is read. If that is late, the next state is late, and its answer
//! says so. What this program itself sleeps too long counts too.

use anyhow::{Result, bail, ensure};
use elbowroom_times::script::read_states;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time between two states.
const PERIOD: Duration = Duration::from_millis(1);

/// The longest time between two states, and until an answer.
const LATE: Duration = Duration::from_micros(2500);

/// What is not slept before a state is due, since sleep ends late.
const SPIN: Duration = Duration::from_micros(100);

/// The monitor, which ends with this program.
struct Monitor(Child);

impl Drop for Monitor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().map_or(Ok(10.0), |n| n.parse())?;
    let options: Vec<String> = arguments.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell");
    let motion = read_states(&folder.join("pick.jsonl"))?;
    // Examples lie in a folder beside the program.
    let program = std::env::current_exe()?.with_file_name("../elbowroom");
    ensure!(program.exists(), "{} is not there: cargo build --release -p elbowroom-cli", program.display());
    let socket = std::env::temp_dir().join(format!("elbowroom_times_{}", std::process::id()));
    let cell = cell_at_1_khz(&folder)?;
    let mut command = Command::new(program);
    command.arg("monitor").arg(cell.join("cell.toml")).arg("--input");
    command.arg(format!("unix:{}", socket.display())).args(&options).stderr(Stdio::null());
    let mut monitor = Monitor(command.spawn()?);
    let stream = loop {
        if let Ok(stream) = UnixStream::connect(&socket) {
            break stream;
        }
        if let Some(status) = monitor.0.try_wait()? {
            bail!("the monitor has ended: {status}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (mut to, mut from) = (stream.try_clone()?, BufReader::with_capacity(1 << 16, stream));
    let mut text = String::new();
    // The answer to a line, and how many lines came before it that nobody asked for.
    let mut answer = |line: &str, text: &mut String| -> Result<u32> {
        to.write_all(line.as_bytes())?;
        for silences in 0.. {
            text.clear();
            ensure!(from.read_line(text)? > 0, "the monitor has left");
            if !text.contains(",\"silence\":true") {
                return Ok(silences);
            }
        }
        unreachable!()
    };
    answer("{\"intent\": {\"pick\": \"world/oru_1\", \"arm\": \"left\"}}\n", &mut text)?;

    let states = (seconds / PERIOD.as_secs_f64()) as usize;
    let mut times = Vec::with_capacity(states);
    let (mut kinds, mut silences, mut slow) = ([0_u64; 3], 0, 0);
    let (mut late, mut said, mut said_next) = (0, 0, 0);
    // Whether the last answer was late, and did not say so.
    let mut unsaid = false;
    let mut due = Instant::now() + PERIOD;
    for k in 0..states {
        let line = state_line(&motion, k);
        wait_for(due);
        let begun = Instant::now();
        let before = answer(&line, &mut text)?;
        let took = begun.elapsed();
        times.push(took.as_nanos() as f64 / 1000.0);
        // After a late answer the next line comes at once, as it would wait in the socket.
        due += PERIOD;
        silences += before;
        slow += u32::from(took > PERIOD);
        let words = ["\"overrun\"", "\"late\"", "(late)", "(overrun)"];
        let says_late = before > 0 || words.iter().any(|word| text.contains(word));
        said_next += u32::from(unsaid && says_late);
        let is_late = took > LATE;
        late += u32::from(is_late);
        said += u32::from(is_late && says_late);
        unsaid = is_late && !says_late;
        let words = ["\"command\":\"permit\"", "\"command\":\"slow\"", "\"command\":\"stop\""];
        if let Some(kind) = words.iter().position(|word| text.contains(word)) {
            kinds[kind] += 1;
            if kind == 2 && kinds[2] == 1 {
                println!("first stop: {}", text.trim_end());
            }
        }
        if text.contains("\"kind\":\"latched\"") {
            silences += answer("{\"reset\": {}}\n", &mut text)?;
        }
    }
    drop(monitor);
    let _ = (std::fs::remove_file(&socket), std::fs::remove_dir_all(&cell));
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "{states} states in {seconds} s{}: median {:.1}, 99 % {:.1}, 99.9 % {:.1}, worst {:.1} us; {} \
         permitted, {} slow, {} stop; {slow} answers took longer than 1 ms, {late} longer than 2.5 ms: \
         {said} of these said so, {said_next} more were said to be by the next line; {silences} answers that \
         nobody asked for",
        options.iter().map(|option| format!(" {option}")).collect::<String>(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        kinds[0],
        kinds[1],
        kinds[2]
    );
    Ok(())
}

/// The cell, with a state each millisecond.
fn cell_at_1_khz(folder: &Path) -> Result<PathBuf> {
    let text = std::fs::read_to_string(folder.join("cell.toml"))?;
    let timed = text
        .replace("\nperiod = 0.01\n", "\nperiod = 0.001\n")
        .replace("\nlate = 0.025\n", "\nlate = 0.0025\n");
    ensure!(timed.len() != text.len(), "cell.toml has other times");
    let cell = std::env::temp_dir().join(format!("elbowroom_cell_{}", std::process::id()));
    std::fs::create_dir_all(&cell)?;
    std::fs::write(cell.join("cell.toml"), timed)?;
    std::fs::copy(folder.join("rrc_k1207i.urdf"), cell.join("rrc_k1207i.urdf"))?;
    Ok(cell)
}

/// Sleeps, and then turns, until a time.
fn wait_for(due: Instant) {
    let left = due.saturating_duration_since(Instant::now());
    if left > SPIN {
        std::thread::sleep(left - SPIN);
    }
    while Instant::now() < due {
        std::hint::spin_loop();
    }
}

/// The line of a state: there and back, a tenth of a sample at a time.
fn state_line(motion: &[(Vec<f64>, Vec<f64>)], k: usize) -> String {
    let length = 10 * (motion.len() - 1);
    let (round, at) = (k / length, k % length);
    let (at, forward) = if round % 2 == 0 { (at, 1.0) } else { (length - at, -1.0) };
    let (sample, part) = (at / 10, (at % 10) as f64 / 10.0);
    let (one, next) = (&motion[sample], &motion[(sample + 1).min(motion.len() - 1)]);
    let mix = |a: &[f64], b: &[f64], f: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| f * (a + (b - a) * part)).collect()
    };
    let (q, qd) = (mix(&one.0, &next.0, 1.0), mix(&one.1, &next.1, forward));
    format!("{}\n", json!({"t": k as f64 * PERIOD.as_secs_f64(), "q": q, "qd": qd}))
}
