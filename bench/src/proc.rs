//! Running other programs (`gcc`, `csmith`, what they produce) with a time limit.
//!
//! The limit is kept by coreutils' `timeout`, which also ends what the program itself started.

use std::io;
use std::process::{Command, Stdio};
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
}
