//! The cases of `tests/`: every file or folder is a test of its own, which runs the tool as a user would.
//! `tests/README.md` describes the headers.

mod equiv;
mod expected;
mod observe;
mod tool;
mod verify;
mod versions;

use libtest_mimic::{Arguments, Failed, Trial};

/// A test, and what it says when it fails.
type Run = Box<dyn FnOnce() -> Result<(), String> + Send>;

fn main() {
    let arguments = Arguments::from_args();
    let kinds = [
        ("verify", verify::trials as fn() -> Result<Vec<(String, Run)>, String>),
        ("versions", versions::trials),
        ("equiv", equiv::trials),
    ];
    let mut trials = Vec::new();
    for (kind, list) in kinds {
        match list() {
            Ok(list) if list.is_empty() => trials.push(failure(kind, "there are no cases".to_owned())),
            Ok(list) => {
                trials.extend(list.into_iter().map(|(name, run)| trial(format!("{kind}/{name}"), run)))
            }
            Err(what) => trials.push(failure(kind, what)),
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(name: String, run: Run) -> Trial {
    Trial::test(name, move || run().map_err(Failed::from))
}

fn failure(kind: &str, what: String) -> Trial {
    trial(format!("{kind}/cases"), Box::new(move || Err(what)))
}
