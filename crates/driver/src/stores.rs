//! The proof store for a verification: there, or missing with a warning, never an error.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use store::{Options, Store, folder};

/// Whose entries are read: those of this version, built from the same code (`build.rs`).
pub fn tool() -> String {
    format!("{} {CODE}", env!("CARGO_PKG_VERSION"))
}

/// A hash of the code that gives entries their meaning.
pub const CODE: &str = env!("REPROVE_CODE");

pub struct Opened {
    pub store: Option<Store>,
    /// What the user should know about it; verification goes on.
    pub warnings: Vec<String>,
}

/// Opens what the option, else the environment variable, else the default names; `none` is no store. Waits
/// for other processes for so long at most.
pub fn open_store(option: Option<PathBuf>, variable: Option<OsString>, wait: Duration) -> Opened {
    let Some(folder) = folder(option, variable) else {
        return Opened { store: None, warnings: Vec::new() };
    };
    let (store, error) =
        Store::open_as_possible(&folder, Options { wait, tool: tool(), ..Options::default() });
    let mut warnings = Vec::new();
    if let Some(error) = error {
        let consequence = match store {
            Some(_) => "nothing new is kept",
            None => "verifying without reuse",
        };
        warnings.push(format!("{error} ({consequence})"));
    }
    if let Some(aside) = store.as_ref().and_then(Store::set_aside) {
        warnings.push(format!(
            "the proof store {} could not be used and was set aside as {}; a new one was begun",
            folder.display(),
            aside.display()
        ));
    }
    Opened { store, warnings }
}

impl Opened {
    /// What went wrong with the store while it was used; to be asked at the end.
    pub fn trouble(&self) -> Option<String> {
        let store = self.store.as_ref()?;
        let flushed = store.flush().err().map(|e| e.to_string());
        let counters = store.counters();
        let damaged = (counters.damaged > 0).then(|| {
            format!(
                "{} damaged entries of the proof store {} were not used; `reprove store audit --fix` removes them",
                counters.damaged,
                store.folder().display()
            )
        });
        let foreign = (counters.foreign > 0).then(|| {
            format!(
                "{} entries of the proof store {} are from another version of this tool and were not used; new ones take their place",
                counters.foreign,
                store.folder().display()
            )
        });
        counters.trouble.or(damaged).or(flushed).or(foreign)
    }
}
