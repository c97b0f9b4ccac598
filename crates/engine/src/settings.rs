//! How the question is to be answered: what holds for all engines, and what each of them can be told.

use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Check what is normally believed: every interpolant on both sides, every reused summary again.
    pub audit: bool,
    /// A program that does something undefined in every execution may be called safe. (Competitions see that
    /// otherwise.)
    pub vacuous: bool,
    /// Proofs are checked before they count.
    pub certify: bool,
    /// What is reused of what the store has.
    pub reuse: Reuse,
    /// Leave out what no check depends on.
    pub slice: bool,
    /// Bytes that the process may use.
    pub memory: Option<u64>,
    /// The time that the user allowed for everything, if there is such a limit and it is known.
    pub time: Option<Duration>,
    pub bmc: BmcSettings,
    pub predicate: PredicateSettings,
    pub contracts: ContractsSettings,
}

/// Of bounded model checking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BmcSettings {
    pub unwind: Unwind,
    /// No check fails where loops run at most so often: `Unwind::Auto` starts deeper.
    pub known_bound: u32,
    /// For now, `Unwind::Auto` goes no deeper than this.
    pub shallow: Option<u32>,
    pub scenario: Scenario,
    pub system: System,
    pub summaries: Summaries,
}

/// Of predicate abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PredicateSettings {
    pub holes: Holes,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            audit: false,
            vacuous: true,
            certify: true,
            reuse: Reuse::ALL,
            slice: true,
            memory: None,
            time: None,
            bmc: BmcSettings::default(),
            predicate: PredicateSettings::default(),
            contracts: ContractsSettings::default(),
        }
    }
}

impl Settings {
    /// The usual ones, up to a bound.
    pub fn unwinding(unwind: Unwind) -> Settings {
        Settings { bmc: BmcSettings { unwind, ..BmcSettings::default() }, ..Settings::default() }
    }
}

impl Default for BmcSettings {
    fn default() -> Self {
        BmcSettings {
            unwind: Unwind::Auto { most: None },
            known_bound: 0,
            shallow: None,
            scenario: Scenario::Eager,
            system: System::Pudlak,
            summaries: Summaries::Always,
        }
    }
}

impl Default for PredicateSettings {
    fn default() -> Self {
        PredicateSettings { holes: Holes::Lazy }
    }
}

/// Of contracts by elimination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractsSettings {
    /// Go on where questions about single steps turn out to be hard: others do better there.
    pub persistent: bool,
}

impl Default for ContractsSettings {
    fn default() -> Self {
        ContractsSettings { persistent: true }
    }
}

/// What may be reused of earlier runs (paper 000, section 5; each can be switched off to measure the others).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reuse {
    /// The answer for a program that is the same where it matters, and the summaries of calls (`bmc`).
    pub verdicts: bool,
    /// The predicates that were needed last time.
    pub precision: bool,
    pub procedures: bool,
    pub loops: bool,
    /// Summaries of changed fragments are checked step by step: what is as before is not computed again.
    pub recheck: bool,
    /// Changed functions that are proved equivalent to what they were keep their summaries.
    pub equivalent: bool,
    /// The run that made an earlier version fail is tried first.
    pub runs: bool,
}

impl Reuse {
    pub const ALL: Reuse = Reuse {
        verdicts: true,
        precision: true,
        procedures: true,
        loops: true,
        recheck: true,
        equivalent: true,
        runs: true,
    };
    pub const NONE: Reuse = Reuse {
        verdicts: false,
        precision: false,
        procedures: false,
        loops: false,
        recheck: false,
        equivalent: false,
        runs: false,
    };
}

/// When a summary from an earlier run that lies on a path to an error is replaced by the paths it stands for
/// (paper 000, section 5.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holes {
    /// Only while the rest of the path stays feasible.
    Lazy,
    /// At once.
    Eager,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// Deeper and deeper, up to this bound if there is one.
    Auto {
        most: Option<u32>,
    },
    Fixed(Bounds),
}

/// How often a loop goes back to its head, and how deep a function calls itself, at most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub every: u32,
    /// For recursion; as for loops if None.
    pub recursion: Option<u32>,
    pub loops: Vec<LoopBound>,
}

/// A bound for one loop: as `reprove show fragments` numbers them in their function, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBound {
    pub function: String,
    pub number: u32,
    pub bound: u32,
}

/// What stands for a call that has no summary (paper 002, section II).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scenario {
    /// Its body.
    Eager,
    /// Nothing, until a spurious error trace goes through it.
    Lazy,
}

/// When summaries of calls are made and kept for later versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Summaries {
    /// Where verification takes long enough for reuse to pay; verdicts are always kept.
    Worthwhile,
    Always,
}

/// How interpolants are made from a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    Pudlak,
    McMillan,
}

impl Bounds {
    pub fn new(every: u32) -> Bounds {
        Bounds { every, recursion: None, loops: Vec::new() }
    }

    pub fn of_loop(&self, function: &str, number: u32) -> u32 {
        let own = self.loops.iter().rev().find(|l| l.function == function && l.number == number);
        own.map_or(self.every, |l| l.bound)
    }

    pub fn of_recursion(&self) -> u32 {
        self.recursion.unwrap_or(self.every)
    }
}
