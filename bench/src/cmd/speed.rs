//! `bench speed`: the front end against `gcc -fsyntax-only`, and the interpreter's operations a second.
//!
//! Both sides are whole processes that read one file, measured in turns in one run, so that what else the
//! machine does hits both. The best of the rounds is compared; the median is shown as well.

use super::{Bench, PROGRAMS};
use crate::data::{CFile, Set};
use crate::job::{End, Job, Reply, Source};
use crate::report::Report;
use crate::table::Table;
use crate::worker::{Limits, Worker};
use crate::{argv, gcc, proc, tool};
use std::path::Path;
use std::time::Duration;

const ROUNDS: usize = 5;
const FILES: usize = 20;

/// The hidden command that is timed.
pub fn lower_once(file: &Path) -> Result<bool, String> {
    tool::lower_only(&Source::plain(file.to_path_buf(), &[])).map(|()| true)
}

pub fn run(bench: &Bench) -> Result<Report, String> {
    let mut report = Report::default();
    front_end(bench, &mut report)?;
    interpreter(bench, &mut report)?;
    Ok(report)
}

fn front_end(bench: &Bench, report: &mut Report) -> Result<(), String> {
    let mut files: Vec<(u64, CFile)> = bench
        .files(Set::Drivers)?
        .into_iter()
        .map(|f| (std::fs::metadata(&f.path).map_or(0, |m| m.len()), f))
        .collect();
    files.sort_by(|a, b| (b.0, &a.1.name).cmp(&(a.0, &b.1.name)));
    files.truncate(FILES);
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let title = format!("Parse, check and lower against gcc -fsyntax-only ({FILES} largest driver files)");
    let mut table =
        Table::new(title, &["file", "KiB", "gcc best", "gcc median", "ours best", "ours median", "ratio"]);
    let (mut worst, mut all_met) = (0.0f64, true);
    let mut progress = crate::pool::Progress::new("speed", files.len());
    let mut sums = [0.0, 0.0];
    for (size, file) in &files {
        let commands = [gcc::syntax_only(file, "-m64"), argv![exe.display(), "lower", file.path.display()]];
        let mut times = [Vec::new(), Vec::new()];
        let mut failed = None;
        for _ in 0..ROUNDS {
            for (argv, times) in commands.iter().zip(&mut times) {
                let ran = proc::run(argv, Duration::from_secs(60)).map_err(|e| e.to_string())?;
                if !ran.ok() {
                    failed = Some(ran.stderr.lines().next().unwrap_or("failed").to_string());
                }
                times.push(ran.time.as_secs_f64() * 1000.0);
            }
        }
        times.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
        let [theirs, ours] = &times;
        let ratio = ours[0] / theirs[0];
        worst = worst.max(ratio);
        all_met &= failed.is_none();
        sums[0] += theirs[0];
        sums[1] += ours[0];
        let ms = |t: f64| format!("{t:.0} ms");
        let name = file.path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        table.row(vec![
            name,
            (size / 1024).to_string(),
            ms(theirs[0]),
            ms(theirs[ROUNDS / 2]),
            ms(ours[0]),
            ms(ours[ROUNDS / 2]),
            failed.unwrap_or_else(|| format!("{ratio:.2}")),
        ]);
        progress.step(&format!("worst ratio {worst:.2}"));
    }
    progress.finish();
    table.note(format!(
        "Ratio: best of ours by best of gcc's, {ROUNDS} rounds, in turns. All files together: {:.2}.",
        sums[1] / sums[0]
    ));
    report.tables.push(table);
    let measured = format!("{worst:.2} at worst");
    report.claim("front end time by gcc -fsyntax-only's", "at most 2", measured, all_met && worst <= 2.0);
    Ok(())
}

fn interpreter(bench: &Bench, report: &mut Report) -> Result<(), String> {
    let dir = bench.scratch("speed-scratch")?;
    let limits = Limits { time: Duration::from_secs(300), memory_kib: 4 << 20 };
    let mut worker = Worker::new(limits);
    let mut table =
        Table::new("Interpreter", &["program", "operations", "best", "million operations/s", "output"]);
    let (mut slowest, mut right) = (f64::INFINITY, true);
    for (name, text) in PROGRAMS {
        let (source, exe) = (dir.join(format!("{name}.c")), dir.join(name));
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        gcc::build(&source, &exe, &["-O1"]).map_err(|e| e.to_string())?;
        let expected =
            proc::run(&argv![exe.display()], Duration::from_secs(60)).map_err(|e| e.to_string())?;
        let mut best: Option<crate::job::Ran> = None;
        let mut problem = None;
        for _ in 0..ROUNDS {
            let job = Job::Interpret { source: Source::plain(source.clone(), &[]), max_steps: u64::MAX };
            match worker.call(&job) {
                Ok(Reply::Ran(ran)) => {
                    if ran.end != End::Code(expected.code.unwrap_or(-1)) || ran.stdout != expected.stdout {
                        problem = Some(format!("{:?} {}", ran.end, ran.stdout.trim()));
                    }
                    if best.as_ref().is_none_or(|b| ran.seconds < b.seconds) {
                        best = Some(ran);
                    }
                }
                Ok(Reply::Refused(message)) => problem = Some(message),
                Ok(_) => problem = Some("unexpected reply".into()),
                Err(failure) => problem = Some(failure.to_string()),
            }
        }
        right &= problem.is_none();
        let best = best.unwrap_or(crate::job::Ran {
            end: End::Code(0),
            stdout: String::new(),
            steps: 0,
            seconds: 1.0,
        });
        let rate = best.steps as f64 / best.seconds / 1e6;
        // A program that ends at once says nothing about speed.
        if best.steps > 1_000_000 {
            slowest = slowest.min(rate);
        }
        table.row(vec![
            name.into(),
            best.steps.to_string(),
            format!("{:.3} s", best.seconds),
            format!("{rate:.1}"),
            problem.unwrap_or_else(|| "as gcc's".into()),
        ]);
    }
    let _ = std::fs::remove_dir_all(&dir);
    table.note("An operation is an edge of the control-flow automaton: an assignment, a branch, a call. Includes making the interpreter.");
    report.tables.push(table);
    let measured = format!("{slowest:.1} million/s at least");
    report.claim(
        "interpreter speed",
        "20 million operations/s",
        measured,
        right && slowest >= 20.0 && slowest.is_finite(),
    );
    Ok(())
}
