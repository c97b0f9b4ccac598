//! Predicate abstraction with procedure and loop summaries (paper 000: He, Yu, Cai, "Efficient Summary Reuse for Software Regression
//! Verification").

mod engine;
mod formula;
mod interpolate;
mod knowledge;
mod model;
mod path;
mod post;
mod predicates;
mod proof;
mod reach;
mod refine;
mod script;

use ::engine::{Answer, Engine, Task};

pub struct Predicate;

impl Engine for Predicate {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn verify(&self, task: &Task) -> Answer {
        engine::verify(task)
    }
}
