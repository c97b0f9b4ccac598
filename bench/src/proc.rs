//! Running other programs (`gcc`, `csmith`, what they produce) with a time limit.
//!
//! The limit is kept by coreutils' `timeout`, which also ends what the program itself started.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub struct Ran {
    /// None if killed by a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub timed_out: bool,
    pub time: Duration,
}

impl Ran {
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }
}

/// Runs `argv` with nothing on its standard input.
pub fn run(argv: &[String], limit: Duration) -> io::Result<Ran> {
    let start = Instant::now();
    let seconds = format!("{}", limit.as_secs_f64());
    let out = Command::new("timeout")
        .args(["--signal=KILL", &seconds])
        .args(argv)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()?;
    let time = start.elapsed();
    // With --signal=KILL, `timeout` reports the limit by dying of the signal as well (or by 137).
    let killed = out.status.code().is_none() || out.status.code() == Some(137);
    Ok(Ran {
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        timed_out: killed && time >= limit,
        time,
    })
}

/// Runs `argv` with nothing on its standard input, and looks every millisecond how much memory its process
/// holds: the second answer is the most, in bytes. What the process starts itself does not count.
pub fn watched(argv: &[String], limit: Duration) -> io::Result<(Ran, u64)> {
    let (program, arguments) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdout, stderr) = (listen(child.stdout.take()), listen(child.stderr.take()));
    let (mut peak, mut timed_out) = (0, false);
    let status = loop {
        peak = peak.max(most_held(&child).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            timed_out = true;
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let time = start.elapsed();
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    Ok((Ran { code: status.code(), stdout, stderr, timed_out, time }, peak))
}

/// Reads a pipe to its end, beside whatever else happens.
fn listen(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // What came before an error is still what was said.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// The most that a process held so far, in bytes.
fn most_held(child: &Child) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// An argument list from anything that can be shown.
#[macro_export]
macro_rules! argv {
    ($($arg:expr),* $(,)?) => { Vec::from([$(($arg).to_string()),*]) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_code_and_limit() {
        let ran = run(&argv!["sh", "-c", "echo hi; exit 3"], Duration::from_secs(5)).unwrap();
        assert_eq!((ran.code, ran.stdout.as_str(), ran.timed_out), (Some(3), "hi\n", false));
        let ran = run(&argv!["sleep", "9"], Duration::from_millis(50)).unwrap();
        assert!(ran.timed_out && !ran.ok());
    }

    #[test]
    fn memory_while_it_runs() {
        let (ran, peak) = watched(&argv!["sh", "-c", "sleep 0.1; echo hi"], Duration::from_secs(5)).unwrap();
        assert_eq!((ran.code, ran.stdout.as_str(), ran.timed_out), (Some(0), "hi\n", false));
        assert!((100 << 10..100 << 20).contains(&peak), "{peak}");
        let (ran, _) = watched(&argv!["sleep", "9"], Duration::from_millis(50)).unwrap();
        assert!(ran.timed_out && !ran.ok());
    }
}
