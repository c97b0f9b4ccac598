//! The command line.

mod front;

pub use front::{CheckArg, CompilerArgs, FrontArgs, TargetArg};

use crate::verify::bounds::{self, UnwindArg};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Re-proves C programs after every change.
///
/// `verify` proves that no assertion can fail, or shows a run in which one does. `equiv` proves that two
/// versions do the same, or shows an input on which they do not. `show` prints what the tool makes of a
/// program, `diff` what a change touches and what it leaves alone, and `run` executes a program in the tool's
/// own reference semantics.
#[derive(Parser, Debug)]
#[command(name = "reprove", version = version(), after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What the process may take.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitArgs {
    /// Give up after this many seconds, reading included [default: 60 for verify, equiv and certify, else
    /// none].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Give up before the process holds more memory than this: 500M, 4GiB.
    #[arg(long, global = true, value_name = "BYTES", value_parser = bounds::memory)]
    pub memory: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  reprove verify ring.c                       can an assertion fail?
  reprove verify new.c --base old.c           the same, reusing what is known about the old version
  reprove verify -p build src/ring.c          the same, with the compiler's flags of a build
  reprove equiv old.c new.c                   do both versions do the same?
  reprove equiv old.c new.c --function find --pre 'n > 0'
  reprove show ir ring.c                      the program in the intermediate representation
  reprove show cfa ring.c --function push --dot | dot -Tsvg > push.svg
  reprove diff old/ring.c new/ring.c          what changed, what it can affect
  reprove run ring.c --input 3,-1             execute, with these values from outside

Exit codes:
  0  fine; verify: safe; equiv: equivalent; run: the program ended and no check failed
  1  disproved; verify: unsafe; equiv: not equivalent; run: a check failed, undefined behaviour
  2  bad input or usage
  3  unknown: a limit, something unsupported, or a bug in this tool";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove that no assertion of a program can fail, or show a run in which one does. The last line printed
    /// is the verdict.
    Verify(Box<VerifyArgs>),
    /// Prove that two versions of a program do the same, or show an input on which they do not. The last line
    /// printed is the verdict.
    Equiv(Box<EquivArgs>),
    /// Check a certificate that `verify` or `equiv` wrote against the sources that are given. The last line
    /// printed is the verdict.
    Certify(Box<CertifyArgs>),
    /// Print a program as this tool sees it.
    Show(ShowArgs),
    /// Compare two versions of a program: what changed, what the change can affect, what is untouched.
    Diff(DiffArgs),
    /// Execute a program in the reference interpreter. The last line printed is the outcome.
    Run(RunArgs),
    /// Look at, check and tidy the proof store.
    Store(StoreArgs),
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// C files (.c is preprocessed, .i is read as it is), linked into one program; a folder, a
    /// compile_commands.json, a program as printed by `show ir` (.ir), or a task definition of SV-COMP
    /// (.yml).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The old version, in the same ways; several files are separated by commas. What is known about it is
    /// reused where the change leaves it valid.
    #[arg(long, value_name = "OLD")]
    pub base: Option<PathBuf>,
    /// Who is asked: all engines in turn (auto), or one of them.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto, value_name = "ENGINE")]
    pub engine: EngineArg,
    /// How often loops run and how deep recursion goes, at most (bmc): a number, `auto` (deeper and deeper),
    /// or for one loop FUNCTION:NUMBER=K. May be repeated [default: auto].
    #[arg(long, value_name = "K", value_delimiter = ',', value_parser = bounds::unwind_arg)]
    pub unwind: Vec<UnwindArg>,
    /// How deep recursion goes, if that is to differ from loops.
    #[arg(long, value_name = "K", value_parser = bounds::bound)]
    pub unwind_recursion: Option<u32>,
    /// What to check, as an SV-COMP property file (.prp) says; assertions that are not part of it do not
    /// count.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub property: Option<PathBuf>,
    /// What functions without a body may do, unless the C library's are meant, which have models [default:
    /// havoc, and pure for task definitions and property files].
    #[arg(long, value_enum, value_name = "WHAT")]
    pub unknown_functions: Option<UnknownArg>,
    /// What undefined behaviour that no check asks about means: what comes after it is none of the verdict's
    /// business, or the program is not called safe unless there is none.
    #[arg(long, value_enum, default_value_t = UndefinedArg::Assume, value_name = "HOW")]
    pub undefined: UndefinedArg,
    /// What stands for a call that nothing is known about (bmc) [default: eager].
    #[arg(long, value_enum, value_name = "SCENARIO")]
    pub scenario: Option<ScenarioArg>,
    /// How summaries are made from a proof (bmc) [default: pudlak].
    #[arg(long, value_enum, value_name = "SYSTEM")]
    pub interpolation: Option<InterpolationArg>,
    /// Check what is normally believed: every summary on both sides, and everything that is reused.
    #[arg(long)]
    pub audit: bool,
    /// Whether proofs are checked before the program is called safe.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    pub certify: CertifyArg,
    /// What to reuse of earlier runs: verdicts, precision, procedures, loops, recheck, equivalent, runs; or
    /// `all`, or `none`. What is found is kept for later in any case [default: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum, conflicts_with = "no_reuse")]
    pub reuse: Vec<ReuseArg>,
    /// The same as `--reuse none`.
    #[arg(long)]
    pub no_reuse: bool,
    /// When a reused summary on the way to an error is looked into (predicate) [default: lazy].
    #[arg(long, value_enum, value_name = "WHEN")]
    pub holes: Option<HolesArg>,
    /// When to make summaries of calls for later versions (bmc): always, or (auto) where verification takes
    /// longer than making them [default: always].
    #[arg(long, value_enum, value_name = "WHEN")]
    pub summaries: Option<SummariesArg>,
    /// Keep what no check depends on, for measurements.
    #[arg(long, hide = true)]
    pub no_slice: bool,
    /// The folder of the proof store, or `none` [default: what REPROVE_STORE says, else .reprove].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Print why: all decisions about reuse, all figures, and every step of a violation.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub explain: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    /// If no check can fail, write the proof to this file, for `certify`.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write a witness of the verdict to this file, for other tools: invariants of a safe program, or the way
    /// to the failure, in SV-COMP's exchange format (YAML, version 2.0).
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write the tree of calls, coloured by what was done with them, in Graphviz's language (bmc).
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// If a check can fail, write a C file that makes it fail when compiled and run together with the
    /// program.
    #[arg(long, value_name = "FILE")]
    pub write_test: Option<PathBuf>,
    /// Show the first failing check only. Otherwise others are looked for, too, for a short time.
    #[arg(long)]
    pub first: bool,
    /// Print the verdict only.
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub front: FrontArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineArg {
    /// One after the other, until there is an answer.
    Auto,
    /// Bounded model checking.
    Bmc,
    /// Contracts of functions, made of the program's own conditions.
    Contracts,
    /// Explicit states: for state machines.
    Explicit,
    /// Predicate abstraction.
    Predicate,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownArg {
    /// Write whatever they can reach, and return any value.
    Havoc,
    /// Return any value, and nothing else.
    Pure,
    /// Nothing: executions that call one make the verdict unknown.
    Refuse,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedArg {
    /// It is assumed not to happen, which the verdict says; a warning where it does.
    Assume,
    /// UNKNOWN, unless it cannot happen.
    Strict,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertifyArg {
    On,
    /// The verdict says that it is not certified.
    Off,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReuseArg {
    /// Answers about programs that are the same where it matters, and summaries of calls (bmc).
    Verdicts,
    /// The predicates that were needed before (predicate).
    Precision,
    /// Summaries of functions that are as they were, with all they call (predicate).
    Procedures,
    /// Summaries of loops that are as they were (predicate).
    Loops,
    /// What is known of the steps of changed functions and loops (predicate).
    Recheck,
    /// Summaries of changed functions that are proved to do what they did in the version of --base
    /// (predicate).
    Equivalent,
    /// The run in which an earlier version failed: it is tried before anything else.
    Runs,
    All,
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HolesArg {
    /// While the rest of the way can be gone.
    Lazy,
    /// At once.
    Eager,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SummariesArg {
    /// Where verification takes long enough.
    Auto,
    Always,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScenarioArg {
    /// Its body.
    Eager,
    /// Nothing, until it matters.
    Lazy,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterpolationArg {
    Pudlak,
    Mcmillan,
}

#[derive(Args, Debug)]
pub struct EquivArgs {
    /// The old version: a C file, or several separated by commas; a folder (all .c and .i files below it), a
    /// compile_commands.json, or an .ir file.
    pub old: PathBuf,
    /// The new version, in the same ways.
    pub new: PathBuf,
    /// The function to compare, or two different names. Without it `main`, else every function that both
    /// versions have and no other such function calls.
    #[arg(long, value_name = "F[=G]")]
    pub function: Option<String>,
    /// Compare only inputs on which this C expression holds. It may use parameters and globals, `x$1` and
    /// `x$2` where the versions' inputs can differ. May be repeated.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub pre: Vec<String>,
    /// What is to hold at the end, instead of equal results: a C expression over `result$1`, `result$2`, and
    /// the inputs and globals of both versions. May be repeated.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub post: Vec<String>,
    /// What integers are.
    #[arg(long, value_enum, default_value_t = IntArg::Machine, value_name = "KIND")]
    pub int: IntArg,
    /// Print why: the coupling predicates of a proof, and what was tried.
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    /// Write the Horn clauses of the comparison to this file, as SMT-LIB.
    #[arg(long, value_name = "FILE")]
    pub emit_horn: Option<PathBuf>,
    /// Write a certificate of the answer to this file, for `certify`. A file that ends in .smt2 gets the
    /// proof as an SMT-LIB script that any solver can check.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// The folder of the proof store, or `none` [default: what REPROVE_STORE says, else .reprove].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Only these ways to an answer, for measurements.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = member, hide = true)]
    pub members: Vec<equiv::Member>,
    #[command(flatten)]
    pub front: FrontArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

#[derive(Args, Debug)]
pub struct CertifyArgs {
    /// The certificate. It is only read: no file that it names is opened, no command that it names is run.
    pub certificate: PathBuf,
    /// The sources, as they were given to `verify`; or the old and the new version, as they were given to
    /// `equiv`. All other options of theirs that say what is asked have to be given again, too.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What to check, as an SV-COMP property file (.prp) says.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub property: Option<PathBuf>,
    /// Of a program: what functions without a body may do, if `verify` was told.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub unknown_functions: Option<UnknownArg>,
    /// Of a comparison: the functions.
    #[arg(long, value_name = "F[=G]")]
    pub function: Option<String>,
    /// Of a comparison: the condition on the inputs. May be repeated.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub pre: Vec<String>,
    /// Of a comparison: what is to hold at the end, instead of equal results. May be repeated.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub post: Vec<String>,
    /// Of a comparison: what integers are.
    #[arg(long, value_enum, default_value_t = IntArg::Machine, value_name = "KIND")]
    pub int: IntArg,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub front: FrontArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntArg {
    /// Of the target's width; they wrap around.
    Machine,
    /// Mathematical integers, without any limits.
    Unbounded,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    #[arg(value_enum)]
    pub what: What,
    /// C files (.c is preprocessed, .i is read as it is), linked into one program; or a
    /// compile_commands.json; or a program as printed by `show ir` (.ir).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Only this function.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Print a graph in Graphviz's language (cfa and calls).
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
    /// Print one JSON document (calls and fragments).
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub front: FrontArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The intermediate representation, as text that can be read back.
    Ir,
    /// Control-flow automata with their loops.
    Cfa,
    /// Who calls whom, and which functions are recursive.
    Calls,
    /// Functions and loops with their fingerprints.
    Fragments,
}

#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The old version: a C file, a folder (all .c and .i files below it), a compile_commands.json, or an .ir
    /// file.
    pub old: PathBuf,
    /// The new version, in the same ways.
    pub new: PathBuf,
    /// List unchanged fragments too.
    #[arg(long)]
    pub all: bool,
    /// Print one JSON document, which always lists all fragments.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub front: FrontArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

#[derive(Args, Debug)]
pub struct RunArgs {
    /// C files (.c is preprocessed, .i is read as it is), linked into one program; or a
    /// compile_commands.json; or a program as printed by `show ir` (.ir).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Values for what comes from outside, in order: parameters of the entry function (other than `main`),
    /// input functions (__VERIFIER_nondet_int), and functions without a body. Decimal or 0x; the run stops
    /// when there are no more.
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true, value_parser = number)]
    pub input: Vec<i128>,
    /// Stop after this many steps.
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    pub steps: u64,
    /// Arguments of the program itself, for the `argv` of its `main`.
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<String>,
    /// Print one JSON document, with the program's output in it.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub front: FrontArgs,
}

#[derive(Args, Debug)]
pub struct StoreArgs {
    #[command(subcommand)]
    pub action: StoreAction,
    /// The folder of the store [default: what REPROVE_STORE says, else .reprove].
    #[arg(long, value_name = "DIR", global = true)]
    pub store: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Subcommand, Debug)]
pub enum StoreAction {
    /// List what is stored.
    Ls {
        /// Only this kind of artefact.
        #[arg(long)]
        kind: Option<String>,
        /// Only what belongs to this function or file.
        #[arg(long)]
        label: Option<String>,
    },
    /// Print everything about one artefact but its payload.
    Show {
        /// The beginning of its key.
        key: String,
        /// Print the payload instead, byte by byte.
        #[arg(long, conflicts_with = "json")]
        payload: bool,
    },
    /// Remove what is old, too much, or of no use to anything else. Without a rule, only damaged entries go.
    Gc {
        /// What was not used for this long: 12h, 30d.
        #[arg(long, value_name = "AGE", value_parser = crate::store::age)]
        older_than: Option<std::time::Duration>,
        /// The oldest, until no more is left than this: 500k, 100M, 2G.
        #[arg(long, value_name = "BYTES", value_parser = crate::store::bytes)]
        max_size: Option<u64>,
        /// What no artefact of these kinds needs.
        #[arg(long, value_name = "KINDS", value_delimiter = ',')]
        unreachable_from: Vec<String>,
        /// Say what would go, and keep it.
        #[arg(long)]
        dry_run: bool,
    },
    /// Check every entry. Exit code 1 if something is wrong and stays so.
    Audit {
        /// Remove what is wrong; save what is whole from a damaged database.
        #[arg(long)]
        fix: bool,
    },
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

/// The arguments of this process.
pub fn parse() -> Result<Cli, clap::Error> {
    parse_words(std::env::args_os().collect())
}

fn parse_words(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    parse_from(Cli::command().try_get_matches_from(front::spelled(words))?)
}

fn parse_from(matches: ArgMatches) -> Result<Cli, clap::Error> {
    let mut cli = Cli::from_arg_matches(&matches)?;
    let none = CompilerArgs { flags: Vec::new() };
    let (front, compiler) = match &mut cli.command {
        Command::Store(_) => return Ok(cli),
        Command::Certify(args) => (&mut args.front, &args.compiler),
        Command::Verify(args) => (&mut args.front, &args.compiler),
        Command::Equiv(args) => (&mut args.front, &args.compiler),
        Command::Show(args) => (&mut args.front, &args.compiler),
        Command::Diff(args) => (&mut args.front, &args.compiler),
        Command::Run(args) => (&mut args.front, &none),
    };
    front.complete(compiler);
    if let Some((_, given)) = matches.subcommand() {
        front.order(given);
    }
    Ok(cli)
}

/// The tool's version, the hash of its code (proofs are only reused where it is the same) and the version of
/// the solver.
fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let z3 = match smt::check_version() {
            Ok(version) => version.to_string(),
            Err(smt::TooOld(version)) => format!("{version} (too old)"),
        };
        format!("{} (code {}, Z3 {z3})", env!("CARGO_PKG_VERSION"), driver::CODE)
    });
    &TEXT
}

/// Any value of a type of up to 64 bits, signed or not, and of 128 signed bits.
fn number(text: &str) -> Result<i128, String> {
    let (negative, digits) = match text.trim().strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.trim()),
    };
    let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    match parsed {
        Ok(value) if value >= 0 => Ok(if negative { -value } else { value }),
        _ => Err("not a whole number".to_string()),
    }
}

/// A time that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e9 => Ok(value),
        _ => Err("not a positive number of seconds".to_string()),
    }
}

fn member(text: &str) -> Result<equiv::Member, String> {
    let names = || equiv::Member::ALL.map(|m| m.to_string()).join(", ");
    let found = equiv::Member::ALL.into_iter().find(|m| m.to_string() == text);
    found.ok_or_else(|| format!("one of {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers() {
        let check = |text: &str, expected: Option<i128>| assert_eq!(number(text).ok(), expected, "{text}");
        check("12", Some(12));
        check(" -1", Some(-1));
        check("0xff", Some(255));
        check("-0x80", Some(-128));
        check("18446744073709551615", Some(u64::MAX.into()));
        check("--1", None);
        check("1e3", None);
        check("", None);
    }
}
