//! From text to a verdict, and what the interpreter says about the same text.

use engine::{Answer, Bounds, Engine, Quiet, Settings, Subject, Task, UnknownReason, Unwind, Verdict};
use interp::{Interp, Options, Outcome, RandomInputs};
use ir::{CheckKind, Program, Target};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use store::Store;

/// What programs of the tests may use without declaring it.
pub const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern void abort(void);
extern void exit(int);
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
extern char *strcpy(char *, const char *);
extern int strcmp(const char *, const char *);
";

pub fn compile(text: &str, target: Target, checks: &[CheckKind]) -> Result<Program, String> {
    let checks: BTreeSet<CheckKind> = checks.iter().copied().collect();
    let options = cfront::Options { target, checks, ..Default::default() };
    let size = if target == Target::ILP32 { "unsigned int" } else { "unsigned long" };
    let text = PRELUDE.replace("__SIZE_TYPE__", size) + text;
    let output = cfront::compile_text("test.c", &text, &options);
    let errors: Vec<String> = output.diagnostics.iter().map(|d| d.message.to_string()).collect();
    let program = output.program.ok_or_else(|| errors.join("; "))?;
    ir::verify(&program).map_err(|problems| format!("{problems:?}"))?;
    Ok(program)
}

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

/// What runs of the interpreter on random inputs show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    pub fails: bool,
    pub undefined: bool,
}

pub fn observe(program: &Program, runs: u64) -> Seen {
    let mut seen = Seen::default();
    let Some(mut options) = Options::main(program) else { return seen };
    options.max_steps = 20_000;
    options.record_inputs = false;
    let Ok(mut interp) = Interp::new(program, options) else { return seen };
    for seed in 0..runs {
        match interp.run(&mut RandomInputs::new(seed), &base::Budget::unlimited()).outcome {
            Outcome::CheckFailed { .. } => seen.fails = true,
            Outcome::Undefined(_) => seen.undefined = true,
            _ => {}
        }
    }
    seen
}

/// Tests run on a stack that the deepest programs fit on.
pub fn with_stack(work: impl FnOnce() + Send) {
    if let Err(panic) = cfront::with_stack(work) {
        std::panic::resume_unwind(panic);
    }
}
