//! The values of clause instances: what a derivation lists, and zero for all else.
//!
//! A derivation may also list values of uninterpreted functions at constants (`f(3)` is 4). A function is the
//! same everywhere, so these count for the whole tree, wherever they are listed.

use crate::system::Derivation;
use logic::{Op, Term, Value, eval};
use rustc_hash::FxHashMap;

/// What a derivation says about uninterpreted functions.
#[derive(Default)]
pub(crate) struct Functions {
    known: FxHashMap<Term, Value>,
}

impl Functions {
    /// The error says which value is contradictory, or none at all.
    pub(crate) fn of(derivation: &Derivation) -> Result<Functions, String> {
        let mut functions = Functions::default();
        let mut stack = vec![derivation];
        while let Some(node) = stack.pop() {
            for (term, value) in node.values.iter().filter(|(t, _)| matches!(t.op(), Op::Apply(_))) {
                let value = Value::of(*value).ok_or_else(|| format!("{value} is no value"))?;
                let old = functions.known.insert(*term, value.clone());
                if let Some(old) = old.filter(|old| *old != value) {
                    return Err(format!("{term} is both {old} and {value}"));
                }
            }
            stack.extend(&node.children);
        }
        Ok(functions)
    }
}

pub(crate) struct Values<'a> {
    known: FxHashMap<Term, Value>,
    functions: &'a Functions,
}

impl Values<'_> {
    /// Pairs whose second part is no constant are left out.
    pub(crate) fn new<'a>(pairs: &[(Term, Term)], functions: &'a Functions) -> Values<'a> {
        let known = pairs.iter().filter(|(v, _)| v.is_var()).filter_map(|&(v, t)| Some((v, Value::of(t)?)));
        Values { known: known.collect(), functions }
    }

    /// None if the value is unspecified, or a function's value is needed that is not listed.
    pub(crate) fn eval(&self, term: Term) -> Option<Value> {
        eval(term, &|t| match t.op() {
            Op::Var(_) => Some(self.known.get(&t).cloned().unwrap_or_else(|| Value::zero(t.sort()))),
            _ => self.functions.known.get(&t).cloned(),
        })
    }
}
