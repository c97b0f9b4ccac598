//! From text to a verdict, and what the interpreter says about the same text.

use engine::{Answer, Bounds, Engine, Quiet, Settings, Subject, Task, UnknownReason, Unwind, Verdict};
use ir::Program;
use std::time::{Duration, Instant};
use store::Store;

/// Everything that a test may want to differ in.
#[derive(Clone)]
pub struct Ask<'a> {
    pub settings: Settings,
    pub store: Option<&'a Store>,
    pub base: Option<&'a Program>,
    pub entry: &'a str,
    pub seconds: f64,
}

impl Default for Ask<'_> {
    fn default() -> Self {
        Ask { settings: Settings::default(), store: None, base: None, entry: "main", seconds: 20.0 }
    }
}

impl<'a> Ask<'a> {
    pub fn up_to(most: u32) -> Ask<'a> {
        let settings = Settings::unwinding(Unwind::Auto { most: Some(most) });
        Ask { settings, ..Ask::default() }
    }

    pub fn bound(bound: u32) -> Ask<'a> {
        let settings = Settings::unwinding(Unwind::Fixed(Bounds::new(bound)));
        Ask { settings, ..Ask::default() }
    }

    pub fn store(self, store: &'a Store) -> Ask<'a> {
        Ask { store: Some(store), ..self }
    }

    pub fn audited(mut self) -> Ask<'a> {
        self.settings.audit = true;
        self
    }
}

pub fn ask(program: &Program, ask: &Ask) -> Answer {
    let Some(entry) = program.find_function(ask.entry) else { panic!("there is no {}", ask.entry) };
    let budget = base::Budget {
        deadline: Some(Instant::now() + Duration::from_secs_f64(ask.seconds)),
        ..base::Budget::unlimited()
    };
    let base = ask.base.and_then(|base| Subject::named(base, program.function(entry).name.as_ref()));
    let task = Task {
        subject: &Subject::new(program, entry),
        base: base.as_ref(),
        equivalent: &[],
        label: "test",
        settings: &ask.settings,
        store: ask.store,
        budget: &budget,
        progress: &Quiet,
    };
    bmc::Bmc.verify(&task)
}

/// A verdict as one word, with the reason if there is one.
pub fn word(answer: &Answer) -> String {
    match &answer.verdict {
        Verdict::Safe(_) => "safe".to_owned(),
        Verdict::Unsafe(_) => "unsafe".to_owned(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// Neither ran out of time.
pub fn decided(answer: &Answer) -> bool {
    !matches!(answer.verdict, Verdict::Unknown(UnknownReason::Stopped(_) | UnknownReason::Memory))
}

/// What must never be among the reasons: an audit found an interpolant that is none.
pub fn audit_fault(answer: &Answer) -> Option<String> {
    answer.decisions.iter().map(|d| &d.reason).find(|r| r.contains("an interpolant is none")).cloned()
}

/// Tests run on a stack that the deepest programs fit on.
pub fn with_stack(work: impl FnOnce() + Send) {
    if let Err(panic) = cfront::with_stack(work) {
        std::panic::resume_unwind(panic);
    }
}
