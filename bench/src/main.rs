//! The benchmark runner: every figure in `docs/BENCHMARKS.md` is printed by it.

mod ask;
mod cbmc;
mod cmd;
mod csmith;
mod ctoken;
mod data;
mod edit;
mod equiv;
mod family;
mod fuzz;
mod gcc;
mod hard;
mod harness;
mod job;
mod measure;
mod mutant;
mod once;
mod outline;
mod pool;
mod proc;
mod refuted;
mod report;
mod rng;
mod sample;
mod series;
mod store;
mod table;
mod tool;
mod verify;
mod worker;

use clap::{Args, Parser, Subcommand};
use cmd::Bench;
use report::Report;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures reprove on public benchmark programs, on random programs and on generated edits.
///
/// Exit code: 0 if all goals are met, 1 if not, 2 if a measurement could not be made.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct Common {
    /// The folder with the unpacked benchmarks, or where to unpack them
    #[arg(long, global = true, env = "REPROVE_BENCH", value_name = "DIR")]
    data: Option<PathBuf>,
    /// A folder with *.tar.zst archives, unpacked into --data first
    #[arg(long, global = true, value_name = "DIR")]
    archives: Option<PathBuf>,
    /// Where results are kept, and the tables written [default: bench/results]
    #[arg(long, global = true, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Tasks at a time [default: 2, and 1 where times are compared]
    #[arg(long, global = true)]
    jobs: Option<usize>,
    /// Forget earlier results of this command
    #[arg(long, global = true)]
    fresh: bool,
    /// All random choices follow from it
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand)]
enum Command {
    /// Lower every C file of the sets: svcomp2016, drivers, equiv, projects, frontend (all by default)
    Frontend(FrontendArgs),
    /// Interpret random programs and compare with gcc -O0 and -O2
    Csmith {
        #[arg(long, default_value_t = 2000)]
        count: usize,
    },
    /// Time against gcc -fsyntax-only on the largest driver files; operations a second of the interpreter
    Speed,
    /// Edits that mean nothing must leave every fragment unchanged
    Edits {
        #[arg(long, default_value_t = 500)]
        count: usize,
    },
    /// Edits that mean something must be seen
    Mutants {
        #[arg(long, default_value_t = 500)]
        count: usize,
    },
    /// Damaged sources through the whole front end
    Fuzz {
        #[arg(long, default_value_t = 600)]
        seconds: u64,
    },
    /// Equivalence of two versions: answers and times on pairs from the paper, llreve, EqBench and the
    /// Siemens programs
    Equiv(cmd::equiv::Args),
    /// Pairs of versions that differ on a known input: never equivalent
    Known(cmd::known::Args),
    /// Verdicts and times on programs of SV-COMP 2016
    Svcomp(cmd::svcomp::Args),
    /// Upgrade checks against verification from scratch, along the revisions of drivers
    Upgrade(cmd::upgrade::Args),
    /// With reuse and from scratch, along the revisions of drivers
    Series(cmd::series::Args),
    /// Upgrade checks of generated mutants say what verification from scratch says
    MutantsVerify(cmd::mutants_verify::Args),
    /// Faulty versions of the Siemens programs as upgrade checks against the originals
    Siemens(cmd::siemens::Args),
    /// Random programs whose failing runs are known: who claims them safe?
    Claims(cmd::claims::Args),
    /// Beside CBMC: bugs of SV-COMP programs, and random programs about memory
    Peer(cmd::peer::Args),
    /// Small C programs as maintainers write them, all checks on, beside CBMC
    Green(cmd::green::Args),
    /// What checking proofs costs, and whether a busy machine changes verdicts
    Load(cmd::load::Args),
    /// Harnesses for real projects, over their revisions, with and without reuse
    Projects(cmd::projects::Args),
    /// One revision of each driver series, beside another binary of the tool
    Against(cmd::against::Args),
    /// Generated programs of growing size, from scratch and after edits, beside CBMC
    Families(cmd::families::Args),
    /// Limits of time and memory: how late, and how much more?
    Limits(cmd::limits::Args),
    /// All of the above, except equiv and those about verification
    All,
    #[command(hide = true)]
    Worker,
    /// Lower one file and do nothing else, for timing
    #[command(hide = true)]
    Lower { file: PathBuf },
}

#[derive(Args)]
struct FrontendArgs {
    sets: Vec<String>,
    /// Do not print the IR and parse it back
    #[arg(long)]
    no_roundtrip: bool,
    /// Seconds for one file
    #[arg(long, default_value_t = 120)]
    timeout: u64,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Worker => worker::serve().map(|()| true).map_err(|e| e.to_string()),
        Command::Lower { file } => cmd::speed::lower_once(&file),
        command => Bench::new(&cli.common).and_then(|bench| run(&bench, command)),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(bench: &Bench, command: Command) -> Result<bool, String> {
    let publish =
        |report: Report, name: &str| report.publish(&bench.results, name).map_err(|e| e.to_string());
    match command {
        Command::Frontend(args) => {
            publish(cmd::frontend::run(bench, &args.sets, !args.no_roundtrip, args.timeout)?, "frontend")
        }
        Command::Csmith { count } => publish(cmd::csmith::run(bench, count)?, "csmith"),
        Command::Speed => publish(cmd::speed::run(bench)?, "speed"),
        Command::Edits { count } => publish(cmd::edits::run(bench, count)?, "edits"),
        Command::Mutants { count } => publish(cmd::mutants::run(bench, count)?, "mutants"),
        Command::Fuzz { seconds } => publish(cmd::fuzz::run(bench, seconds)?, "fuzz"),
        Command::Equiv(args) => publish(cmd::equiv::run(bench, &args)?, "equiv"),
        Command::Known(args) => publish(cmd::known::run(bench, &args)?, "known"),
        Command::Svcomp(args) => publish(cmd::svcomp::run(bench, &args)?, "svcomp"),
        Command::Upgrade(args) => publish(cmd::upgrade::run(bench, &args)?, "upgrade"),
        Command::Series(args) => publish(cmd::series::run(bench, &args)?, "series"),
        Command::MutantsVerify(args) => publish(cmd::mutants_verify::run(bench, &args)?, "mutants-verify"),
        Command::Siemens(args) => publish(cmd::siemens::run(bench, &args)?, "siemens"),
        Command::Claims(args) => publish(cmd::claims::run(bench, &args)?, "claims"),
        Command::Peer(args) => publish(cmd::peer::run(bench, &args)?, "peer"),
        Command::Against(args) => publish(cmd::against::run(bench, &args)?, "against"),
        Command::Load(args) => publish(cmd::load::run(bench, &args)?, "load"),
        Command::Green(args) => publish(cmd::green::run(bench, &args)?, "green"),
        Command::Projects(args) => publish(cmd::projects::run(bench, &args)?, "projects"),
        Command::Families(args) => publish(cmd::families::run(bench, &args)?, "families"),
        Command::Limits(args) => publish(cmd::limits::run(bench, &args)?, "limits"),
        Command::All => {
            let mut whole = Report::default();
            // Timing first, while nothing else of this run has warmed up or filled the machine.
            let parts = [
                cmd::speed::run(bench)?,
                cmd::frontend::run(bench, &[], true, 120)?,
                cmd::csmith::run(bench, 2000)?,
                cmd::edits::run(bench, 500)?,
                cmd::mutants::run(bench, 500)?,
                cmd::fuzz::run(bench, 600)?,
            ];
            for part in parts {
                whole.tables.extend(part.tables);
                whole.claims.extend(part.claims);
            }
            publish(whole, "all")
        }
        Command::Worker | Command::Lower { .. } => Ok(true),
    }
}

/// The default place for results: next to this crate's sources if they are there, else below the current
/// folder.
fn default_results() -> PathBuf {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    if home.is_dir() { home.join("results") } else { PathBuf::from("bench-results") }
}
