//! One question to the verifier in this process: an engine, what it may reuse, limits.

use base::Budget;
use driver::limits::{Limits, Watch};
use driver::{Engines, Outcome, Request, Strategy};
use engine::{Holes, PredicateSettings, Quiet, Reuse, Settings, Subject};
use ir::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use store::Store;

/// Who is asked, and within which limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// `auto`, or the name of an engine.
    pub engine: String,
    /// Seconds.
    pub time: f64,
    /// Bytes that the process may hold.
    pub memory: u64,
    /// What later versions look for results under.
    pub label: String,
}

/// What is reused, by a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    pub name: &'static str,
    pub reuse: Reuse,
    pub holes: Holes,
    pub what: &'static str,
}

/// From scratch.
pub const NONE: &str = "none";
/// Everything, as the tool does by default.
pub const ALL: &str = "all";

pub const CONFIGS: [Config; 9] = [
    Config { name: NONE, reuse: Reuse::NONE, holes: Holes::Lazy, what: "nothing, with an empty store" },
    Config {
        name: "precision",
        reuse: Reuse { precision: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "predicates",
    },
    Config {
        name: "procedures",
        reuse: Reuse { procedures: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "procedure summaries",
    },
    Config {
        name: "loops",
        reuse: Reuse { loops: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "loop summaries",
    },
    Config {
        name: "summaries",
        reuse: Reuse { procedures: true, loops: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "both kinds of summaries",
    },
    Config {
        name: "paper",
        reuse: Reuse { precision: true, procedures: true, loops: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "predicates and summaries of what did not change",
    },
    Config {
        name: "recheck",
        reuse: Reuse { precision: true, recheck: true, ..Reuse::NONE },
        holes: Holes::Lazy,
        what: "predicates, and what was computed of steps that did not change",
    },
    Config { name: ALL, reuse: Reuse::ALL, holes: Holes::Lazy, what: "everything" },
    Config { name: "eager", reuse: Reuse::ALL, holes: Holes::Eager, what: "everything, with eager holes" },
];

impl Config {
    pub fn find(name: &str) -> Option<Config> {
        CONFIGS.into_iter().find(|config| config.name == name)
    }

    pub fn settings(&self) -> Settings {
        let predicate = PredicateSettings { holes: self.holes };
        Settings { reuse: self.reuse, predicate, ..Settings::default() }
    }
}

/// Verifies from `main`. The time counts from `start`.
pub fn ask(
    asked: &Asked,
    settings: &Settings,
    program: &Program,
    store: Option<&Store>,
    start: Instant,
) -> Result<Outcome, String> {
    let entry = program.find_function("main").ok_or("no main")?;
    let deadline = start.checked_add(Duration::from_secs_f64(asked.time));
    let budget = Budget { deadline, ..Budget::unlimited() };
    let settings = Settings { memory: Some(asked.memory), ..settings.clone() };
    // What does not stop by itself is stopped by the runner, from outside.
    let limits = Limits { memory: Some(asked.memory), deadline, ..Limits::default() };
    let watch = Watch::start(limits, budget.cancelled.clone(), Box::new(|_| {}));
    let request = Request {
        subject: &Subject::new(program, entry),
        base: None,
        label: &asked.label,
        settings: &settings,
        store,
        budget: &budget,
        limits: Some(&watch),
        progress: &Quiet,
    };
    let engines = match asked.engine.as_str() {
        "auto" => Engines::Auto,
        name => {
            let engine = driver::engines().iter().find(|engine| engine.name() == name);
            Engines::Only(engine.ok_or_else(|| format!("there is no engine '{name}'"))?.name())
        }
    };
    Ok(driver::verify_as(&request, &Strategy { engines, certificate: false }))
}

/// The figures of all attempts; those with the same name are added.
pub fn figures(outcome: &Outcome) -> BTreeMap<String, f64> {
    let mut figures = BTreeMap::new();
    for figure in outcome.attempts.iter().flat_map(|attempt| &attempt.figures) {
        *figures.entry(figure.name.to_owned()).or_insert(0.0) += figure.value;
    }
    figures
}

/// Bytes, as `4G`, `512M`, `100k` or a number.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let factor = match text[digits..].trim() {
        "" | "B" => Some(1u64),
        "k" | "K" | "kB" | "KB" | "KiB" => Some(1 << 10),
        "M" | "MB" | "MiB" => Some(1 << 20),
        "G" | "GB" | "GiB" => Some(1 << 30),
        _ => None,
    };
    let size = text[..digits].parse::<u64>().ok().zip(factor).and_then(|(n, factor)| n.checked_mul(factor));
    size.filter(|size| *size > 0).ok_or_else(|| "a number of bytes, or of k, M or G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_have_names_and_differ() {
        for (i, config) in CONFIGS.iter().enumerate() {
            assert_eq!(Config::find(config.name), Some(*config));
            for other in &CONFIGS[..i] {
                assert!((config.reuse, config.holes) != (other.reuse, other.holes), "{}", config.name);
            }
        }
    }

    #[test]
    fn sizes() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(bytes(text).ok(), expected, "{text}");
        check("4G", Some(4 << 30));
        check("512 MiB", Some(512 << 20));
        check("1000", Some(1000));
        check("0", None);
        check("4T", None);
        check("G", None);
        check("99999999999G", None);
    }
}
