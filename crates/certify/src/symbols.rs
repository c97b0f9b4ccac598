//! What the formulas of a certificate mention besides variables: functions, and addresses of objects, which
//! are the same in every state.

use crate::Flaw;
use encode::names::names_address;
use logic::parse::{Scope, parse_sexprs, parse_sort};
use logic::{Op, Sort, Term, subterms};
use std::collections::BTreeMap;

/// By name: the sorts of arguments and result.
pub type Symbols = BTreeMap<String, (Vec<String>, String)>;

pub fn symbols(formulas: impl IntoIterator<Item = Term>) -> Symbols {
    let named = subterms(formulas).filter_map(|t| match t.op() {
        Op::Apply(name) => Some((name, t)),
        Op::Var(name) if names_address(name) => Some((name, t)),
        _ => None,
    });
    let sorts = |t: Term| (t.args().iter().map(|a| a.sort().to_string()).collect(), t.sort().to_string());
    named.map(|(name, t)| ((*name).to_owned(), sorts(t))).collect()
}

pub(crate) fn scope(symbols: &Symbols) -> Result<Scope, Flaw> {
    let sort = |text: &str| -> Result<Sort, Flaw> {
        let read = parse_sexprs(text)
            .and_then(|s| s.iter().next().map(|s| parse_sort(s, &Scope::new())).transpose());
        read.ok().flatten().ok_or_else(|| Flaw::Malformed(format!("{text} is no sort")))
    };
    let mut scope = Scope::new();
    for (name, (params, result)) in symbols {
        // Any other variable could be one that means something.
        if params.is_empty() && !names_address(name) {
            return Err(Flaw::Malformed(format!("{name} is no function")));
        }
        let params = params.iter().map(|p| sort(p)).collect::<Result<Vec<_>, _>>()?;
        scope.declare(name, &params, sort(result)?);
    }
    Ok(scope)
}
