//! Reading scripts: the standard HORN format of `assert`s, and Z3's older one of `declare-rel`, `rule` and
//! `query`.
//!
//! A function with truth values is a predicate; functions to other sorts are uninterpreted, and an answer
//! holds for all of them.

use super::clausify::Clausify;
use crate::system::{Atom, Clause, System};
use logic::parse::{Scope, Sexpr, parse_sexprs, parse_sort, read_term};
use logic::{Sort, Term};
use rustc_hash::FxHashMap;

pub use logic::parse::ParseError;

/// Reads a script up to `(exit)` or its end.
pub fn from_smtlib(text: &str) -> Result<System, ParseError> {
    let sexprs = parse_sexprs(text)?;
    let mut reader = Reader::default();
    for command in sexprs.iter() {
        if !reader.command(command)? {
            break;
        }
    }
    Ok(reader.system)
}

#[derive(Default)]
struct Reader {
    scope: Scope,
    system: System,
    /// All declared or defined names; the predicates have their number.
    names: FxHashMap<String, Option<crate::PredId>>,
}

impl Reader {
    /// False after the last command.
    fn command(&mut self, command: Sexpr) -> Result<bool, ParseError> {
        let items = command.items().ok_or_else(|| command.error("expected a command"))?;
        let word =
            items.first().and_then(|s| s.symbol()).ok_or_else(|| command.error("expected a command"))?;
        let args = &items[1..];
        match (word, args) {
            ("exit", _) => return Ok(false),
            (
                "set-logic" | "set-info" | "set-option" | "check-sat" | "get-model" | "get-info" | "echo"
                | "get-unsat-core" | "get-proof",
                _,
            ) => {}
            ("declare-fun", [name, parameters, result])
                if parse_sort(*result, &self.scope)? == Sort::Bool =>
            {
                self.declare_pred(*name, *parameters)?
            }
            ("declare-rel", [name, parameters]) => self.declare_pred(*name, *parameters)?,
            ("declare-var", [name, sort]) => {
                let sort = parse_sort(*sort, &self.scope)?;
                self.scope.declare(self.new_name(*name)?, &[], sort);
                self.remember(*name, None);
            }
            ("declare-const", _) => {
                return Err(command.error("constants are not supported: bind the variable"));
            }
            ("declare-fun", [_, parameters, _]) if parameters.items().is_some_and(|p| p.is_empty()) => {
                return Err(command.error("constants are not supported: bind the variable"));
            }
            ("declare-fun" | "define-fun" | "define-const" | "define-sort", [name, ..]) => {
                self.new_name(*name)?;
                self.scope.command(command)?;
                self.remember(*name, None);
            }
            ("assert", [formula]) | ("rule", [formula]) | ("rule", [formula, _]) => {
                let term = read_term(*formula, &self.scope)?;
                self.add(term, *formula)?;
            }
            ("query", [goal, ..]) => {
                let goal_term = match goal.symbol().and_then(|n| self.names.get(n).copied().flatten()) {
                    Some(pred) => apply(&self.system, pred),
                    None => read_term(*goal, &self.scope)?,
                };
                self.add(goal_term.not(), *goal)?;
            }
            _ => return Err(command.error(format!("'{word}' is not supported here"))),
        }
        Ok(true)
    }

    fn declare_pred(&mut self, name: Sexpr, parameters: Sexpr) -> Result<(), ParseError> {
        let text = self.new_name(name)?;
        let list = parameters.items().ok_or_else(|| parameters.error("expected a list of sorts"))?;
        let sorts: Vec<Sort> =
            list.into_iter().map(|s| parse_sort(s, &self.scope)).collect::<Result<_, _>>()?;
        let params = sorts.iter().enumerate().map(|(i, s)| Term::var(&format!("{text}.{i}"), *s)).collect();
        self.scope.declare(text, &sorts, Sort::Bool);
        let pred = self.system.add_pred(text, params);
        self.remember(name, Some(pred));
        Ok(())
    }

    fn new_name<'a>(&self, name: Sexpr<'a>) -> Result<&'a str, ParseError> {
        let text = name.symbol().ok_or_else(|| name.error("expected a name"))?;
        if self.names.contains_key(text) {
            return Err(name.error(format!("'{text}' is declared twice")));
        }
        Ok(text)
    }

    fn remember(&mut self, name: Sexpr, pred: Option<crate::PredId>) {
        self.names.insert(name.symbol().unwrap_or_default().to_owned(), pred);
    }

    fn add(&mut self, formula: Term, at: Sexpr) -> Result<(), ParseError> {
        if formula.sort() != Sort::Bool {
            return Err(at.error("expected a formula"));
        }
        let label = format!("line {}", at.position().line);
        let parts = Clausify::new(&self.system).clauses(formula).map_err(|reason| at.error(reason))?;
        for mut part in parts {
            // The formula's conjunctions are sorted by what nobody can read.
            part.body.sort_by_key(|a| a.pred);
            let clause = Clause {
                body: part.body,
                constraint: Term::all(part.constraint),
                head: part.head,
                label: label.clone(),
            };
            // What the formula's simplification has already shown to be valid says nothing.
            if !clause.constraint.is_false() {
                self.system.clauses.push(clause);
            }
        }
        Ok(())
    }
}

/// The predicate on arguments of its own.
fn apply(system: &System, pred: crate::PredId) -> Term {
    let atom = Atom { pred, args: system.pred(pred).params.clone() };
    super::clausify::atom_term(system, &atom)
}
