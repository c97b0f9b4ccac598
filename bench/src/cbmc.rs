//! CBMC, as its users run it.

use crate::job::Source;
use crate::proc;
use crate::verify::Limits;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub struct Cbmc {
    path: PathBuf,
    /// As it tells it; results are kept with it.
    pub version: String,
}

/// Did it find the bug, with which bound, and after how many seconds?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub found: bool,
    pub bound: u32,
    pub seconds: f64,
}

/// What it says of a program as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Said {
    Safe,
    Unsafe,
    /// Time, memory, a bound that is too small, or an error.
    Nothing(String),
}

impl Said {
    pub fn word(&self) -> &'static str {
        match self {
            Said::Safe => "safe",
            Said::Unsafe => "unsafe",
            Said::Nothing(_) => "unknown",
        }
    }
}

/// What it says of a program with all checks on, with which bound, and after how many seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub said: Said,
    pub bound: u32,
    pub seconds: f64,
}

/// What it says with one bound, after how many seconds, and how many bytes it held at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounded {
    pub said: Said,
    pub seconds: f64,
    pub peak: u64,
}

/// The bounds that are tried one after the other.
const BOUNDS: [u32; 6] = [1, 2, 5, 10, 20, 50];
/// The same where whatever lies beyond them counts.
const WHOLE: [u32; 5] = [5, 9, 17, 35, 70];
/// More than any loop of `testing::known::memory` runs.
const ENOUGH: u32 = 10;
/// Address space, in KiB.
const ADDRESS_SPACE: u64 = 6 << 20;

/// A file that makes a call of the error function a failed assertion.
pub fn error_function(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("error.c");
    let text = "void __VERIFIER_error(void) { __CPROVER_assert(0, \"error\"); }\n";
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

impl Cbmc {
    pub fn find(named: Option<&Path>) -> Result<Cbmc, String> {
        let path = named.map_or_else(|| PathBuf::from("cbmc"), Path::to_path_buf);
        let ran = proc::run(&crate::argv![path.display(), "--version"], Duration::from_secs(60));
        match ran {
            Ok(ran) if ran.ok() => Ok(Cbmc { path, version: ran.stdout.trim().to_owned() }),
            _ => Err(format!("{}: no CBMC there; name it by --cbmc", path.display())),
        }
    }

    fn run(&self, source: &Source, more: &[String], time: Duration) -> Result<String, String> {
        let ran = proc::run(&self.command(source, more), time).map_err(|e| e.to_string())?;
        if ran.timed_out { Err("time".to_owned()) } else { Ok(ran.stdout) }
    }

    fn command(&self, source: &Source, more: &[String]) -> Vec<String> {
        let space = format!("ulimit -c 0; ulimit -v {ADDRESS_SPACE}; exec \"$@\"");
        let mut argv = crate::argv!["sh", "-c", space, "sh", self.path.display()];
        argv.push(if source.ilp32 { "--32" } else { "--64" }.to_owned());
        argv.extend(crate::argv!["--no-standard-checks"]);
        argv.extend(source.includes.iter().map(|dir| format!("-I{}", dir.display())));
        argv.extend(source.defines.iter().map(|define| format!("-D{define}")));
        argv.extend_from_slice(more);
        argv.push(source.path.display().to_string());
        argv
    }

    /// Can an assertion fail? With one bound, which has to be enough.
    pub fn bounded(&self, source: &Source, bound: u32, limits: &Limits) -> Bounded {
        let command = self.command(source, &crate::argv!["--unwind", bound, "--unwinding-assertions"]);
        match proc::watched(&command, Duration::from_secs(limits.seconds)) {
            Ok((ran, peak)) => {
                let said =
                    if ran.timed_out { Said::Nothing("time".to_owned()) } else { verdict(&ran.stdout) };
                Bounded { said, seconds: ran.time.as_secs_f64(), peak }
            }
            Err(e) => Bounded { said: Said::Nothing(e.to_string()), seconds: 0.0, peak: 0 },
        }
    }

    /// Looks for a reachable error, with larger and larger bounds, until the time is up.
    pub fn bug(&self, source: &Source, error: &Path, limits: &Limits) -> Found {
        let start = Instant::now();
        let all = Duration::from_secs(limits.seconds);
        let mut last = 0;
        for bound in BOUNDS {
            let Some(left) = all.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else { break };
            last = bound;
            let more = crate::argv!["--unwind", bound, "--no-unwinding-assertions", error.display()];
            let Ok(out) = self.run(source, &more, left) else { break };
            if verdict(&out) == Said::Unsafe {
                return Found { found: true, bound, seconds: start.elapsed().as_secs_f64() };
            }
        }
        Found { found: false, bound: last, seconds: start.elapsed().as_secs_f64() }
    }

    /// Can an access be bad?
    pub fn memory(&self, source: &Source, limits: &Limits) -> Said {
        let more = crate::argv![
            "--bounds-check",
            "--pointer-check",
            "--no-malloc-may-fail",
            "--unwind",
            ENOUGH,
            "--unwinding-assertions"
        ];
        match self.run(source, &more, Duration::from_secs(limits.seconds)) {
            Ok(out) => verdict(&out),
            Err(why) => Said::Nothing(why),
        }
    }

    /// Can any check fail? With larger and larger bounds, until one of them is enough or the time is up.
    pub fn all_checks(&self, source: &Source, limits: &Limits) -> Decided {
        let start = Instant::now();
        let all = Duration::from_secs(limits.seconds);
        let mut decided = Decided { said: Said::Nothing("time".to_owned()), bound: 0, seconds: 0.0 };
        for bound in WHOLE {
            let Some(left) = all.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else { break };
            let more = crate::argv![
                "--bounds-check",
                "--pointer-check",
                "--signed-overflow-check",
                "--div-by-zero-check",
                "--undefined-shift-check",
                "--no-malloc-may-fail",
                "--unwind",
                bound,
                "--unwinding-assertions"
            ];
            let out = self.run(source, &more, left);
            decided.bound = bound;
            decided.said = out.map_or_else(Said::Nothing, |out| deepened(&out));
            if decided.said != too_small() {
                break;
            }
        }
        decided.seconds = start.elapsed().as_secs_f64();
        decided
    }
}

fn too_small() -> Said {
    Said::Nothing("the bound is too small".to_owned())
}

/// Executions end where they leave the bound, so whatever else fails does so within it.
fn deepened(out: &str) -> Said {
    let failed = |line: &&str| line.trim_end().ends_with(": FAILURE");
    let within = out.lines().filter(failed).any(|line| !beyond(line));
    match verdict(out) {
        said if said == too_small() && within => Said::Unsafe,
        said => said,
    }
}

/// Is it the bound that fails, of a loop or of recursion?
fn beyond(line: &str) -> bool {
    line.contains("unwinding assertion")
}

fn verdict(out: &str) -> Said {
    let failed = |line: &&str| line.trim_end().ends_with(": FAILURE");
    let unwinding = out.lines().filter(failed).any(beyond);
    match out.lines().rev().find(|line| !line.trim().is_empty()).map(str::trim) {
        Some("VERIFICATION SUCCESSFUL") => Said::Safe,
        Some("VERIFICATION FAILED") if unwinding => too_small(),
        Some("VERIFICATION FAILED") => Said::Unsafe,
        other => Said::Nothing(other.unwrap_or_default().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_in_the_last_line() {
        let check = |out: &str, expected: Said| assert_eq!(verdict(out), expected, "{out}");
        check("** 0 of 3 failed\nVERIFICATION SUCCESSFUL\n", Said::Safe);
        check("[a.1] line 3 array bounds: FAILURE\nVERIFICATION FAILED\n", Said::Unsafe);
        check("[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED", too_small());
        check("out of memory\n", Said::Nothing("out of memory".to_owned()));
    }

    #[test]
    fn what_fails_within_the_bound_counts() {
        let check = |out: &str, expected: Said| assert_eq!(deepened(out), expected, "{out}");
        let (bounds, end) = ("[a.1] line 3 array bounds: FAILURE\n", "VERIFICATION FAILED\n");
        let unwinding = "[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n";
        let recursion = "[f.recursion] line 9 recursion unwinding assertion: FAILURE\n";
        check(&format!("{unwinding}{end}"), too_small());
        check(&format!("{recursion}{end}"), too_small());
        check(&format!("{unwinding}{bounds}{recursion}{end}"), Said::Unsafe);
        check(&format!("{bounds}{end}"), Said::Unsafe);
        check("VERIFICATION SUCCESSFUL\n", Said::Safe);
    }
}
