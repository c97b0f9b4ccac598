//! Partitioned bounded model checking with function summaries (paper 002).

mod apply;
mod call;
mod content;
mod cut;
mod engine;
mod exec;
mod expr;
mod formula;
mod globals;
mod guard;
mod knowledge;
mod local;
mod log;
mod memory;
mod merge;
mod objects;
mod order;
mod partition;
mod pointer;
mod script;
mod state;
mod summary;
mod upgrade;
mod widen;

use ::engine::{Answer, Engine, Task};

/// The engine.
pub struct Bmc;

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn verify(&self, task: &Task) -> Answer {
        engine::verify(task)
    }
}
