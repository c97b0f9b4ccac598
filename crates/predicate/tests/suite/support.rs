//! From text to a verdict that somebody else has confirmed.

use engine::{Answer, Engine, Proof, Quiet, Settings, Subject, Task, UnknownReason, Verdict};
use interp::{Interp, Options, Outcome};
use ir::{FuncId, Program, Target};
use std::time::{Duration, Instant};
use store::Store;
use testing::with_prelude;

pub fn compile(text: &str) -> Result<Program, String> {
    with_prelude(text, Target::LP64, &[])
}

/// Everything that a test may want to differ in.
#[derive(Clone)]
pub struct Ask<'a> {
    pub settings: Settings,
    pub store: Option<&'a Store>,
    pub base: Option<&'a Program>,
    /// What is said to do as it did in the base.
    pub equivalent: &'a [FuncId],
    pub seconds: f64,
    /// Queries after which to stop, so that a run is interrupted in the same place again.
    pub steps: Option<u64>,
}

impl Default for Ask<'_> {
    fn default() -> Self {
        let settings = Settings::default();
        Ask { settings, store: None, base: None, equivalent: &[], seconds: 20.0, steps: None }
    }
}

impl<'a> Ask<'a> {
    pub fn seconds(seconds: f64) -> Ask<'a> {
        Ask { seconds, ..Ask::default() }
    }

    pub fn store(self, store: &'a Store) -> Ask<'a> {
        Ask { store: Some(store), ..self }
    }
}

/// What became of an answer when others looked at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged {
    Safe,
    /// Safe, and the proof is not accepted.
    Refused(String),
    Unsafe,
    /// A violation that running it does not show.
    NotReplayed(String),
    Unknown(String),
    OutOfTime,
}

impl Judged {
    /// What the engine says, whatever others think of it.
    pub fn word(&self) -> &'static str {
        match self {
            Judged::Safe | Judged::Refused(_) => "safe",
            Judged::Unsafe | Judged::NotReplayed(_) => "unsafe",
            Judged::Unknown(_) | Judged::OutOfTime => "unknown",
        }
    }

    pub fn decided(&self) -> bool {
        self.word() != "unknown"
    }
}

pub struct Asked {
    pub judged: Judged,
    pub answer: Answer,
}

impl Asked {
    pub fn figure(&self, name: &str) -> f64 {
        self.answer.figures.iter().find(|f| f.name == name).map_or(0.0, |f| f.value)
    }

    pub fn decisions(&self) -> String {
        let line = |d: &engine::Decision| format!("  {} {}: {}\n", d.outcome, d.about, d.reason);
        self.answer.decisions.iter().map(line).collect()
    }
}

fn budget(seconds: f64) -> base::Budget {
    let deadline = Some(Instant::now() + Duration::from_secs_f64(seconds));
    base::Budget { deadline, ..base::Budget::unlimited() }
}

/// By any engine.
pub fn answer_of(engine: &dyn Engine, program: &Program, ask: &Ask) -> Answer {
    let Some(entry) = program.find_function("main") else { panic!("there is no main") };
    let budget = base::Budget { steps: ask.steps, ..budget(ask.seconds) };
    let base = ask.base.and_then(|base| Subject::named(base, program.function(entry).name.as_ref()));
    let task = Task {
        subject: &Subject::new(program, entry),
        base: base.as_ref(),
        equivalent: ask.equivalent,
        label: "test",
        settings: &ask.settings,
        store: ask.store,
        budget: &budget,
        progress: &Quiet,
    };
    engine.verify(&task)
}

/// The verdict, with the proof checked and the violation run.
pub fn ask(program: &Program, ask: &Ask) -> Asked {
    let answer = answer_of(&predicate::Predicate, program, ask);
    let judged = match &answer.verdict {
        Verdict::Safe(proof) => certified(program, proof),
        Verdict::Unsafe(_) => replayed(program, &answer),
        Verdict::Unknown(UnknownReason::Stopped(_)) => Judged::OutOfTime,
        Verdict::Unknown(reason) => Judged::Unknown(reason.to_string()),
    };
    Asked { judged, answer }
}

fn certified(program: &Program, proof: &Proof) -> Judged {
    let Some(entry) = program.find_function("main") else { panic!("there is no main") };
    let mut nothing = certify::program::Nothing;
    match certify::program::check_proof(program, entry, proof, &budget(30.0), &mut nothing) {
        Ok(_) => Judged::Safe,
        Err(refused) => Judged::Refused(refused.to_string()),
    }
}

pub fn replayed(program: &Program, answer: &Answer) -> Judged {
    let (Verdict::Unsafe(claim), Some(entry)) = (&answer.verdict, program.find_function("main")) else {
        return Judged::NotReplayed("there is no claim".to_owned());
    };
    let options = Options { heap: claim.heap.clone(), max_steps: 1_000_000, ..Options::new(entry) };
    match Interp::new(program, options) {
        Ok(mut interp) => match interp.run(&mut claim.inputs.clone(), &base::Budget::unlimited()).outcome {
            Outcome::CheckFailed { .. } => Judged::Unsafe,
            other => Judged::NotReplayed(format!("{other:?}")),
        },
        Err(what) => Judged::NotReplayed(format!("{what:?}")),
    }
}

/// A store in a folder that goes away with it.
pub struct Kept {
    pub store: Store,
    _folder: tempfile::TempDir,
}

impl Kept {
    pub fn new() -> Kept {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path(), store::Options::default()).expect("a store");
        Kept { store, _folder: folder }
    }
}

/// Tests run on a stack that the deepest programs fit on.
pub fn with_stack(work: impl FnOnce() + Send) {
    if let Err(panic) = cfront::with_stack(work) {
        std::panic::resume_unwind(panic);
    }
}
