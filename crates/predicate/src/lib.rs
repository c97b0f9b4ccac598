//! Predicate abstraction with procedure and loop summaries (paper 000).

use engine::{Answer, Engine, Task, UnknownReason, Verdict};

pub struct Predicate;

impl Engine for Predicate {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn verify(&self, _task: &Task) -> Answer {
        let reason = UnknownReason::Unsupported { what: "not built yet".to_owned(), pos: None };
        Answer {
            verdict: Verdict::Unknown(reason),
            assumptions: Vec::new(),
            decisions: Vec::new(),
            figures: Vec::new(),
            proof: None,
            calls: Vec::new(),
        }
    }
}
