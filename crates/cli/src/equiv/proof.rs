//! A proof of equivalence, as data: the coupling predicates in the names and lines of the source.

use ::equiv::product::{Location, Unit};
use ::equiv::side::Place;
use ::equiv::verdict::{Coupling, Proof, ProofKind};
use base::Budget;
use encode::names::{split_version, unmarked};
use ir::{FuncId, Program};
use logic::Term;
use logic::print::pretty;
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
pub struct Shown {
    pub old: String,
    pub new: String,
    /// `identical`, `assumed`, `exhausted` (run on all inputs), `coupled`, or `known` from an earlier run.
    pub kind: &'static str,
    /// How it was done: of a coupled proof, how integers were encoded and which loops were transformed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<Predicate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<Shown>,
}

/// What always holds when both versions are at a location.
#[derive(Serialize)]
pub struct Predicate {
    /// `line 12 (old) / line 14 (new)`.
    pub place: String,
    pub old: Option<Point>,
    pub new: Option<Point>,
    /// All of these hold.
    pub formula: Vec<String>,
}

#[derive(Serialize)]
pub struct Point {
    pub function: String,
    /// `start`, `end` or `loop`.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// `smaller`: only what the proof needs, if that is found soon.
pub fn shown(proof: &Proof, smaller: bool) -> Shown {
    let (kind, plan, predicates) = match &proof.kind {
        ProofKind::Identical => ("identical", None, Vec::new()),
        ProofKind::Assumed => ("assumed", None, Vec::new()),
        ProofKind::Known => ("known", None, Vec::new()),
        ProofKind::Exhausted { inputs } => {
            ("exhausted", Some(format!("the same on all inputs, of which there are {inputs}")), Vec::new())
        }
        ProofKind::Coupled(coupling) => {
            ("coupled", Some(coupling.plan.clone()), predicates(coupling, smaller))
        }
    };
    let [old, new] = proof.names.clone();
    Shown {
        old,
        new,
        kind,
        plan,
        predicates,
        callees: proof.callees.iter().map(|p| shown(p, smaller)).collect(),
    }
}

/// For making a proof smaller before it is shown.
const PATIENCE: Duration = Duration::from_secs(3);

fn predicates(coupling: &Coupling, smaller: bool) -> Vec<Predicate> {
    let budget = Budget::unlimited().within(PATIENCE);
    let minimal = || horn::minimise(&coupling.product.system, &coupling.solution, &budget);
    let smaller = smaller.then(minimal).flatten();
    let formulas = &smaller.as_ref().unwrap_or(&coupling.solution).formulas;
    let located = coupling.product.locations.iter().zip(formulas);
    located.map(|(located, formula)| predicate(coupling, &located.location, *formula)).collect()
}

fn predicate(coupling: &Coupling, location: &Location, formula: Term) -> Predicate {
    let (f, g) = match location.unit {
        Unit::Pair(f, g) => (Some(f), Some(g)),
        Unit::Old(f) => (Some(f), None),
        Unit::New(g) => (None, Some(g)),
    };
    let point = |side: usize, function: Option<FuncId>, place: Option<Place>| {
        Some(point(&coupling.programs[side], function?, place?))
    };
    let (old, new) = (point(0, f, location.old), point(1, g, location.new));
    let place = match (&old, &new) {
        (Some(old), Some(new))
            if old.line.is_none() && old.kind == new.kind && old.function == new.function =>
        {
            format!("the {} of {}", old.kind, old.function)
        }
        (Some(old), Some(new)) => format!("{} (old) / {} (new)", old.text(), new.text()),
        (Some(old), None) => format!("{} (old)", old.text()),
        (None, Some(new)) => format!("{} (new)", new.text()),
        (None, None) => "nowhere".to_owned(),
    };
    Predicate { place, old, new, formula: formula.conjuncts().into_iter().map(show).collect() }
}

impl Point {
    fn text(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}"),
            None => format!("the {} of {}", self.kind, self.function),
        }
    }
}

fn point(program: &Program, function: FuncId, place: Place) -> Point {
    let function = program.function(function);
    let name = function.name.to_string();
    let (kind, pos) = match place {
        Place::Start => ("start", None),
        Place::End => ("end", None),
        Place::Node(node) => {
            let edges = function.cfa().into_iter().flat_map(|cfa| cfa.out(node));
            ("loop", edges.map(|edge| edge.pos).find(|pos| pos.line > 0))
        }
    };
    let file = pos.and_then(|pos| program.files.get(pos.file as usize)).map(|file| file.to_string());
    Point { function: name, kind, file, line: pos.map(|pos| pos.line) }
}

fn show(term: Term) -> String {
    pretty(term, &variable)
}

/// Variables of the source carry the number of their version, as in conditions; other parts of the state get
/// plain words.
fn variable(name: &str) -> String {
    let (version, rest) = split_version(name);
    let version = version.map_or("", |version| ["$1", "$2"][version]);
    let rest = unmarked(rest);
    let rest = match rest {
        "kind!" => "ending",
        "code!" => "exit_code",
        "world!" => "effects",
        "allocations!" => "allocations",
        "inputs!" => "inputs",
        _ => rest,
    };
    format!("{rest}{version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_source() {
        let check = |name: &str, expected: &str| assert_eq!(variable(name), expected);
        check("old.i", "i$1");
        check("new.n@start", "n@start$2");
        check("old.::limit", "limit$1");
        check("new.memory.a", "memory.a$2");
        check("old.result", "result$1");
        check("old.kind!", "ending$1");
        check("limit", "limit");
    }
}
