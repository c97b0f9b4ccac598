//! A feasible path as a run: the answers to what the interpreter asks on the way.

use crate::formula::Passage;
use crate::model::Model;
use ::engine::{Counterexample, Script, Site};
use ir::GlobalId;
use logic::{Op, Substitution, Term, Value, free_vars};
use smt::Model as Values;

/// What the model makes of everything that comes from outside. Memory without a value is zero: whoever runs it sees whether that
/// matters.
pub fn script(model: &Model, values: &Values, passages: &[Passage]) -> Option<Counterexample> {
    let mut script = Script::default();
    let whole = &model.whole;
    let view = model.view(whole.entry).ok()?;
    let first = passages.first()?;
    let version = |x: Term| first.before.get(x).unwrap_or_else(|| unversioned(x));
    for (i, param) in view.params.iter().enumerate() {
        if let Some(value) = param.and_then(|p| bits(values.eval(version(p))?)) {
            script.answer(Site::Param(i as u32), value);
        }
    }
    for (i, global) in whole.program.globals.iter().enumerate() {
        if global.init.is_none()
            && let Some(Some(x)) = view.now.globals.get(i)
            && let Some(value) = values.eval(version(*x)).and_then(bits)
        {
            script.answer(Site::ExternGlobal(GlobalId(i as u32)), value);
        }
    }
    for passage in passages.iter().filter(|p| !p.is_call) {
        let renamed = |term: Term| {
            let pairs = free_vars(term).into_iter().map(|x| {
                let aux = passage.rename.iter().find(|(y, _)| *y == x).map(|(_, z)| *z);
                (x, aux.or_else(|| passage.before.get(x)).unwrap_or(x))
            });
            Substitution::new(pairs.collect::<Vec<_>>()).apply(term)
        };
        let mut holds = |cond: Term| values.eval_bool(renamed(cond)) == Some(true);
        for encode::whole::Event::Value(edge, term) in
            whole.walk(passage.function, passage.from, &mut holds).ok()?
        {
            let value = values.eval(renamed(term)).and_then(bits).unwrap_or(0);
            script.answer(Site::Edge(passage.function, whole.origin(passage.function, edge)), value);
        }
    }
    Some(Counterexample { heap: Vec::new(), script })
}

/// As `Builder::now` calls what has not changed since the start.
fn unversioned(x: Term) -> Term {
    match x.op() {
        Op::Var(name) => Term::var(&format!("{name}@"), x.sort()),
        _ => x,
    }
}

/// A value as bits; negative numbers in two's complement, of which the receiver takes as many as it needs.
fn bits(value: Value) -> Option<u128> {
    match value {
        Value::Bool(b) => Some(u128::from(b)),
        Value::Int(_) => match Value::number(logic::Sort::Bv(128), value.as_int()?) {
            Value::Bv { bits, .. } => Some(bits),
            _ => None,
        },
        Value::Bv { bits, .. } | Value::Float { bits, .. } => Some(bits),
        Value::Array(_) => None,
    }
}
