//! The binary `reprove`: arguments in, exit code out.
//!
//! All work runs in one thread with a large stack, because C nests deeply and the passes over it recurse. A
//! panic is a bug of ours; it ends as "unknown" with a request for a report, never as a verdict.

mod args;
mod certify;
mod claim;
mod console;
mod database;
mod diff;
mod equiv;
mod exit;
mod flags;
mod fragments;
mod inputs;
mod json;
mod limits;
mod load;
mod place;
mod run;
mod shell;
mod show;
mod store;
mod verify;
mod written;

use args::{Cli, Command};
use console::Console;
use exit::Exit;
use limits::Kept;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// A run makes and drops many small things: with the system's allocator that takes a quarter of the time in which
/// two versions are read and compared.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Reserved, not committed: pages are taken when touched. Halved until the system agrees.
const STACK: usize = 1 << 30;
const SMALLEST_STACK: usize = 16 << 20;

fn main() -> ExitCode {
    let start = Instant::now();
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version go to standard output and are no error.
            let _ = e.print();
            return if e.use_stderr() { Exit::BadInput } else { Exit::Fine }.into();
        }
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let text = panic.payload_as_str().unwrap_or("unknown panic");
        let _ = writeln!(
            std::io::stderr(),
            "internal error{place}: {text}\nThis is a bug in reprove {}. Please report it, with the input.",
            env!("CARGO_PKG_VERSION")
        );
    }));
    with_large_stack(&|| execute(&cli, start)).into()
}

fn execute(cli: &Cli, start: Instant) -> Exit {
    let console = Console::new(cli.color, Kept::start(&cli.limits, &cli.command, start));
    let done = match &cli.command {
        Command::Verify(args) => verify::verify(args, &console),
        Command::Equiv(args) => equiv::equiv(args, &console),
        Command::Certify(args) => certify::certify(args, &console),
        Command::Show(args) => show::show(args, &console),
        Command::Diff(args) => diff::diff(args, &console),
        Command::Run(args) => run::run(args, &console),
        Command::Store(args) => store::store(args, &console),
    };
    done.unwrap_or_else(|exit| exit)
}

fn with_large_stack(work: &(dyn Fn() -> Exit + Sync)) -> Exit {
    let mut size = STACK;
    std::thread::scope(|scope| {
        loop {
            match std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work) {
                Ok(thread) => return thread.join().unwrap_or(Exit::Unknown),
                Err(_) if size > SMALLEST_STACK => size /= 2,
                Err(e) => {
                    let _ = writeln!(std::io::stderr(), "error: cannot start a thread: {e}");
                    return Exit::Unknown;
                }
            }
        }
    })
}
