//! A simple condition under which different versions are equivalent: `x != y`, `n >= 0`, `n != 10`.
//!
//! Conditions on parameters are tried from the simplest on. One is worth a proof if it excludes the
//! difference that was found, if no other difference is found under it, and if it leaves inputs; it is
//! offered only after the proof.

use crate::concrete::Difference;
use crate::differ::{Differ, holds_before};
use crate::engine;
use crate::spec::{
    Condition, ConditionKind, InputEquality, Name, Origin, Side, SmtCondition, Spec, SpecOp, SpecTerm,
};
use crate::verdict::{Confirm, Request, Verdict};
use ir::{LocalId, Storage, Type};
use logic::IBig;
use std::sync::Arc;
use std::time::Duration;

/// For all conditions together.
const PATIENCE: Duration = Duration::from_secs(3);
/// Conditions that survive the runs and are given to the prover.
const MOST_PROOFS: usize = 4;

/// Tried in order; the first one under which equivalence is proved.
pub fn find(request: &Request, difference: &Difference, confirm: Confirm) -> Option<String> {
    let plain = request.spec.post.is_none() && request.spec.input_equality == InputEquality::Assumed;
    if !plain || !request.members.contains(&crate::verdict::Member::Candidates) {
        return None;
    }
    let budget = request.budget.within(PATIENCE);
    let mut proofs = 0;
    for condition in conditions(request, difference) {
        let text = condition.text.clone();
        let mut spec: Spec = request.spec.clone();
        spec.pre.push(condition);
        let under = Request { spec: &spec, budget: &budget, ..*request };
        if budget.check(0).is_err() || proofs >= MOST_PROOFS {
            return None;
        }
        if holds_before(&under, &difference.input) != Some(false) || !survives(&under) {
            continue;
        }
        proofs += 1;
        if let Some(Verdict::Equivalent(_)) = engine::quick(&under, confirm) {
            return Some(text);
        }
    }
    None
}

/// No difference among some runs, and inputs are left.
fn survives(request: &Request) -> bool {
    let mut differ = Differ::new(request);
    let effort = crate::concrete::Effort {
        inputs: 200,
        steps: 3_000,
        deep_total: 0,
        watched_runs: 0,
        ..crate::concrete::Effort::default()
    };
    differ.search(&effort).is_none() && differ.has_samples()
}

fn conditions(request: &Request, difference: &Difference) -> Vec<Condition> {
    let f = request.pair.old.function(request.functions[0]);
    let mut numbers: Vec<(Arc<str>, i128)> = Vec::new();
    for id in (0..f.params).map(LocalId) {
        let (Storage::Register(Type::Int(int)), Some(value)) =
            (f.local(id).storage, difference.input.args[0].get(id.0 as usize).and_then(|v| v.bits()))
        else {
            continue;
        };
        numbers.push((f.local(id).name.clone(), int.value(value)));
    }
    let mut list = Vec::new();
    for (i, (x, _)) in numbers.iter().enumerate() {
        for (y, _) in &numbers[i + 1..] {
            for (op, sign) in [(SpecOp::Distinct, "!="), (SpecOp::Lt, "<"), (SpecOp::Le, "<=")] {
                list.push(condition(op, x, sign, Right::Name(y)));
            }
            for (op, sign) in [(SpecOp::Lt, "<"), (SpecOp::Le, "<=")] {
                list.push(condition(op, y, sign, Right::Name(x)));
            }
        }
    }
    for (x, value) in &numbers {
        list.push(condition(SpecOp::Distinct, x, "!=", Right::Number(*value)));
        for (op, sign) in [(SpecOp::Ge, ">="), (SpecOp::Gt, ">"), (SpecOp::Le, "<="), (SpecOp::Lt, "<")] {
            list.push(condition(op, x, sign, Right::Number(0)));
            if *value != 0 {
                list.push(condition(op, x, sign, Right::Number(*value)));
            }
        }
    }
    list
}

enum Right<'a> {
    Name(&'a Arc<str>),
    Number(i128),
}

fn condition(op: SpecOp, left: &Arc<str>, sign: &str, right: Right) -> Condition {
    let name = |n: &Arc<str>| SpecTerm::Name(Name::Var(Side::Old, n.clone()));
    let (term, text) = match right {
        Right::Name(y) => (name(y), y.to_string()),
        Right::Number(n) => (SpecTerm::Int(IBig::from(n)), n.to_string()),
    };
    let text = format!("{left} {sign} {text}");
    let origin = Origin::option("condition", &text);
    let kind =
        ConditionKind::Smt(SmtCondition { term: SpecTerm::apply(op, [name(left), term]), names: Vec::new() });
    Condition { range: (0, text.len()), text, origin, kind }
}
