//! `bench green`: small C programs as maintainers write them, with all checks on, beside CBMC.
//!
//! Half of them are correct, the others have one bug each; the second line of a program says what is
//! expected. Every verdict has to be right, and be there within two seconds.
//!
//! CBMC is named by `--cbmc`, by the variable `CBMC`, or found on the PATH; without it there are no figures
//! of it.

mod figures;

use super::Bench;
use crate::cbmc::{Cbmc, Decided};
use crate::job::Source;
use crate::report::Report;
use crate::verify::{Limits, Outcome, Tool};
use crate::{pool, worker};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The folder with the programs [default: those of this repository]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// The binary of CBMC [default: `cbmc` on the PATH, if it is there]
    #[arg(long, env = "CBMC", value_name = "FILE")]
    cbmc: Option<PathBuf>,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Seconds for one program
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    time: u64,
    /// Memory for one program
    #[arg(long, default_value = "4G")]
    memory: String,
    /// Only programs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// What a program says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Safe,
    /// In which line the check is that fails.
    Unsafe(u32),
}

/// A program, and what is known of it.
struct Program {
    name: String,
    path: PathBuf,
    expected: Expected,
    /// Of the text: results of another text are none.
    hash: String,
}

/// What both say.
struct Row {
    name: String,
    expected: Expected,
    own: Outcome,
    other: Option<Decided>,
}

/// What is asked for.
pub const CHECKS: &str = "memory,overflow,div,shift";
/// A slower answer is too slow.
const SLOW: f64 = 2.0;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let cbmc = match Cbmc::find(args.cbmc.as_deref()) {
        Err(why) if args.cbmc.is_some() => return Err(why),
        found => found.ok(),
    };
    let folder = args.programs.clone().unwrap_or_else(own_programs);
    let mut programs = read(&folder)?;
    programs.retain(|program| args.only.as_ref().is_none_or(|text| program.name.contains(text)));
    if programs.is_empty() {
        return Err(format!("{}: no programs that say what is expected", folder.display()));
    }
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let own = each(bench, "green", &tool.hash, &limits, &programs, |source| {
        let more = crate::argv!["--store", "none", "--check", CHECKS, "--unknown-functions", "havoc"];
        tool.verify(source, &limits, &more)
    })?;
    // Kept apart: what CBMC says stays the same from one version of the tool to the next.
    let other = cbmc.map(|cbmc| {
        let of = |source: &Source| cbmc.all_checks(source, &limits);
        each(bench, "green-cbmc", &cbmc.version, &limits, &programs, of)
    });
    let mut other = other.transpose()?.into_iter().flatten();
    let row = |(program, own): (Program, Outcome)| Row {
        name: program.name,
        expected: program.expected,
        own,
        other: other.next(),
    };
    let rows: Vec<Row> = programs.into_iter().zip(own).map(row).collect();
    Ok(figures::report(args.time, &rows))
}

/// Asks `ask` about every program that has no result yet. The results are in the order of the programs.
fn each<T: Send + Serialize + DeserializeOwned>(
    bench: &Bench,
    name: &str,
    tool: &str,
    limits: &Limits,
    programs: &[Program],
    ask: impl Fn(&Source) -> T + Sync,
) -> Result<Vec<T>, String> {
    let mut store = bench.store_of(name, tool)?;
    let key = |program: &Program| {
        format!("{} {} {}s {}", program.name, program.hash, limits.seconds, limits.memory)
    };
    let one = |_: &mut worker::Worker, program: &Program| ask(&Source::plain(program.path.clone(), &[]));
    let pool = (name, bench.timing_jobs, worker::Limits::NONE);
    Ok(pool::results(pool, &mut store, programs, key, one, |program, _| program.name.clone()))
}

/// The programs of this repository, by name.
pub fn sources() -> Result<Vec<(String, Source)>, String> {
    let programs = read(&own_programs())?;
    Ok(programs.into_iter().map(|p| (p.name, Source::plain(p.path, &[]))).collect())
}

fn own_programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/green")
}

/// The programs of a folder, by name. Files that do not say what is expected are an error: they would be
/// forgotten.
fn read(folder: &Path) -> Result<Vec<Program>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let expected = expected(&text)
            .ok_or_else(|| format!("{}: the second line is no '// expect: ...'", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let hash = blake3::hash(text.as_bytes()).to_hex()[..16].to_string();
        programs.push(Program { name, path, expected, hash });
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

/// The second line: `// expect: safe`, or `// expect: unsafe LINE`.
fn expected(text: &str) -> Option<Expected> {
    match text.lines().nth(1)?.strip_prefix("// expect: ")?.trim_end() {
        "safe" => Some(Expected::Safe),
        other => {
            let line: u32 = other.strip_prefix("unsafe ")?.parse().ok()?;
            (line > 2 && line as usize <= text.lines().count()).then_some(Expected::Unsafe(line))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_say_what_is_expected() {
        let check = |text: &str, expected: Option<Expected>| {
            assert_eq!(super::expected(text), expected, "{text}");
        };
        check("// A ring.\n// expect: safe\nint main(void) {}\n", Some(Expected::Safe));
        check("// A ring.\n// expect: unsafe 3\nint main(void) {}\n", Some(Expected::Unsafe(3)));
        check("// A ring.\n// expect: unsafe 4\nint main(void) {}\n", None);
        check("// A ring.\n// expect: unsafe\nint main(void) {}\n", None);
        check("// expect: safe\nint main(void) {}\n", None);
        check("", None);
    }

    #[test]
    fn a_folder_of_programs() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("b.c", "// B\n// expect: unsafe 3\nint x;\n");
        write("a.c", "// A\n// expect: safe\n");
        write("notes.txt", "no program");
        let programs = read(dir.path()).unwrap();
        let names: Vec<(&str, Expected)> = programs.iter().map(|p| (p.name.as_str(), p.expected)).collect();
        assert_eq!(names, [("a", Expected::Safe), ("b", Expected::Unsafe(3))]);
        assert_ne!(programs[0].hash, programs[1].hash);
        write("c.c", "int main(void) {}\n");
        assert!(read(dir.path()).err().unwrap().contains("c.c"));
    }

    #[test]
    fn our_programs() {
        let programs = read(&own_programs()).unwrap();
        let safe = programs.iter().filter(|p| p.expected == Expected::Safe).count();
        assert!(safe >= 62 && programs.len() - safe >= 62, "{safe} of {} are safe", programs.len());
        for program in &programs {
            let text = fs::read_to_string(&program.path).unwrap();
            let lines = text.lines().count();
            assert!((20..=120).contains(&lines), "{}: {lines} lines", program.name);
            let title = text.lines().next().unwrap_or_default();
            assert!(title.starts_with("// ") && title.ends_with('.'), "{}: {title}", program.name);
        }
    }

    #[test]
    fn results_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let results = dir.path().join("results");
        let common = crate::Common {
            data: None,
            archives: None,
            results: Some(results),
            jobs: None,
            fresh: false,
            seed: 1,
        };
        let bench = Bench::new(&common).unwrap();
        let limits = Limits { seconds: 1, memory: "1G".to_owned() };
        let path = dir.path().join("a.c");
        let ask = |text: &str, answer: u32| {
            fs::write(&path, text).unwrap();
            let programs = read(dir.path()).unwrap();
            each(&bench, "t", "v1", &limits, &programs, |_| answer).unwrap()
        };
        assert_eq!(ask("// A\n// expect: safe\n", 1), [1]);
        assert_eq!(ask("// A\n// expect: safe\n", 2), [1], "it is known");
        assert_eq!(ask("// B\n// expect: safe\n", 3), [3], "the program is another one");
    }
}
