//! The transformations, done again on the programs as they were compiled.

use crate::claim::Contract;
use crate::format::{Change, Coupled, Step, Version};
use crate::{Flaw, find};
use ir::transform::{Again, TransformError, inline_with, peel, unroll};
use ir::{Body, EdgeId, NodeId, Program};

/// A function may grow so much: `MORE` nodes, and `TIMES` as many as it and its callees have.
const MORE: u32 = 2000;
const TIMES: u32 = 20;

/// The two programs that the proof is about. All ids of functions and globals stay what they were.
pub fn redo(programs: [&Program; 2], contract: &Contract, coupled: &Coupled) -> Result<[Program; 2], Flaw> {
    let mut result = programs.map(Program::clone);
    for step in &coupled.steps {
        let side = step.version.index();
        // By the name that the function has in the source: renaming does not change which one is meant.
        let id = find(programs[side], &step.function)?;
        let before = &result[side];
        let refused = |e: TransformError| {
            Flaw::Wrong(format!("{} of the {} version: {e}", step.function, name(step.version)))
        };
        let function = match &step.change {
            Change::Inline(edges) => {
                let mut function = before.function(id).clone();
                for edge in edges {
                    let done = inline_with(before, &function, EdgeId(*edge), Again::Allocate);
                    function = done.map_err(refused)?.function;
                }
                function
            }
            Change::Unroll { head, factor } => {
                unroll(before.function(id), NodeId(*head), *factor).map_err(refused)?.function
            }
            Change::Peel { head, times } => {
                peel(before.function(id), NodeId(*head), *times).map_err(refused)?.function
            }
            Change::Rename(to) => {
                allowed(step, to, contract, before.function(id))?;
                ir::Function { name: to.as_str().into(), ..before.function(id).clone() }
            }
        };
        // Nobody has to follow thousands of rounds that somebody made up to find out that they prove nothing.
        let nodes = |f: &ir::Function| f.cfa().map_or(0, |cfa| cfa.node_count());
        let all = programs[side].functions.iter().map(|f| nodes(f)).fold(0, u32::saturating_add);
        if nodes(&function) > all.saturating_mul(TIMES).saturating_add(MORE) {
            let version = name(step.version);
            return Err(Flaw::Open(format!("{} of the {version} version gets too large", step.function)));
        }
        result[side].functions[id.0 as usize] = function.into();
    }
    for (version, function, text) in &coupled.transformed {
        let side = version.index();
        let id = find(programs[side], function)?;
        if ir::print_function(&result[side], id) != *text {
            let version = name(*version);
            return Err(Flaw::Wrong(format!("{function} of the {version} version was made in another way")));
        }
    }
    Ok(result)
}

/// Only a function without a body that the user takes for another one may get its name.
fn allowed(step: &Step, to: &str, contract: &Contract, function: &ir::Function) -> Result<(), Flaw> {
    let pair = [to.to_owned(), step.function.clone()];
    let assumed = step.version == Version::New && contract.assumed.contains(&pair);
    match assumed && matches!(function.body, Body::Extern) {
        true => Ok(()),
        false => Err(Flaw::Wrong(format!("{} may not be called {to}", step.function))),
    }
}

pub fn name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}
