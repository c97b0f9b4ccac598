//! The symbols that SMT-LIB text may use: declarations, definitions, sorts.

use crate::parse::read_function;
use crate::sexpr::{Atom, ParseError, Sexpr};
use crate::sort::Sort;
use crate::subst::free_vars;
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The symbols that terms may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(crate) symbols: FxHashMap<String, Symbol>,
    sorts: FxHashMap<String, Sort>,
    /// The variables that definitions mention.
    mentioned: BTreeSet<Term>,
}

#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Function(Vec<Sort>, Sort),
    Macro(Vec<Term>, Term),
}

impl Scope {
    pub fn new() -> Scope {
        Scope::default()
    }

    /// A constant, if there are no parameters.
    pub fn declare(&mut self, name: &str, parameters: &[Sort], result: Sort) {
        self.symbols.insert(name.to_owned(), Symbol::Function(parameters.to_vec(), result));
    }

    /// A function that stands for its body; the parameters are variables.
    pub fn define(&mut self, name: &str, parameters: &[Term], body: Term) {
        self.mentioned.extend(free_in(parameters, body));
        self.symbols.insert(name.to_owned(), Symbol::Macro(parameters.to_vec(), body));
    }

    /// Another name for a sort.
    pub fn define_sort(&mut self, name: &str, sort: Sort) {
        self.sorts.insert(name.to_owned(), sort);
    }

    /// Declares all free variables of a term, as they are.
    pub fn declare_vars(&mut self, term: Term) {
        for var in free_vars(term) {
            self.declare(var.var_name().unwrap_or(""), &[], var.sort());
        }
    }

    /// Carries out a command that declares or defines a symbol; false if it is another command.
    pub fn command(&mut self, command: Sexpr) -> Result<bool, ParseError> {
        let items = command.items().ok_or_else(|| command.error("expected a command"))?;
        let Some(word) = items.first().and_then(|s| s.symbol()) else {
            return Err(command.error("expected a command"));
        };
        let shape = match word {
            "declare-const" => "(declare-const name sort)",
            "declare-fun" => "(declare-fun name (sort ...) sort)",
            "define-fun" => "(define-fun name ((name sort) ...) sort term)",
            "define-const" => "(define-const name sort term)",
            "define-sort" => "(define-sort name () sort)",
            _ => return Ok(false),
        };
        let wrong = || command.error(format!("expected {shape}"));
        let name = items.get(1).and_then(|s| s.symbol()).ok_or_else(wrong)?;
        match (word, &items[2..]) {
            ("declare-const", [sort]) => self.declare(name, &[], parse_sort(*sort, self)?),
            ("declare-fun", [parameters, result]) => {
                let parameters = parameters.items().ok_or_else(wrong)?;
                let parameters: Vec<Sort> =
                    parameters.into_iter().map(|p| parse_sort(p, self)).collect::<Result<_, _>>()?;
                self.declare(name, &parameters, parse_sort(*result, self)?);
            }
            ("define-fun", [parameters, sort, body]) => {
                self.define_function(name, *parameters, *sort, *body)?
            }
            ("define-const", [sort, body]) => self.define_body(name, vec![], *sort, *body)?,
            ("define-sort", [parameters, sort]) if parameters.items().is_some_and(|p| p.is_empty()) => {
                let sort = parse_sort(*sort, self)?;
                self.define_sort(name, sort);
            }
            _ => return Err(wrong()),
        }
        Ok(true)
    }

    /// Can a term of this scope mention this variable?
    pub(crate) fn mentions(&self, var: Term) -> bool {
        self.mentioned.contains(&var) || var.var_name().is_some_and(|name| self.symbols.contains_key(name))
    }

    fn define_function(
        &mut self,
        name: &str,
        parameters: Sexpr,
        sort: Sexpr,
        body: Sexpr,
    ) -> Result<(), ParseError> {
        let parameters = variables(parameters, self)?;
        self.define_body(name, parameters, sort, body)
    }

    fn define_body(
        &mut self,
        name: &str,
        parameters: Vec<(&str, Term)>,
        sort: Sexpr,
        body: Sexpr,
    ) -> Result<(), ParseError> {
        let result = parse_sort(sort, self)?;
        let (renamed, term) = read_function(&parameters, body, self)?;
        if term.sort() != result {
            return Err(
                body.error(format!("expected a term of sort {result}, found one of sort {}", term.sort()))
            );
        }
        self.define(name, &renamed, term);
        Ok(())
    }
}

pub fn parse_sort(sexpr: Sexpr, scope: &Scope) -> Result<Sort, ParseError> {
    sort_within(sexpr, scope, 0)
}

const SORT_DEPTH: usize = 64;

fn sort_within(sexpr: Sexpr, scope: &Scope, depth: usize) -> Result<Sort, ParseError> {
    if depth > SORT_DEPTH {
        return Err(sexpr.error("this sort is nested too deep"));
    }
    if let Some(name) = sexpr.symbol() {
        return match (scope.sorts.get(name), name) {
            (Some(sort), _) => Ok(*sort),
            (_, "Bool") => Ok(Sort::Bool),
            (_, "Int") => Ok(Sort::Int),
            (_, "Float16") => Ok(Sort::Float(5, 11)),
            (_, "Float32") => Ok(Sort::F32),
            (_, "Float64") => Ok(Sort::F64),
            (_, "Float128") => Ok(Sort::F128),
            _ => Err(sexpr.error(format!("unknown sort '{name}'"))),
        };
    }
    let items = sexpr.items().unwrap_or_default();
    match &items[..] {
        [array, index, element] if array.symbol() == Some("Array") => {
            let index = sort_within(*index, scope, depth + 1)?;
            Ok(Sort::array(index, sort_within(*element, scope, depth + 1)?))
        }
        [mark, word, rest @ ..] if mark.is_word("_") => match (word.symbol(), rest) {
            (Some("BitVec"), [width]) => bv_sort(index(*width)?).ok_or_else(|| width.error(WIDTH)),
            (Some("FloatingPoint"), [e, s]) => {
                float_sort(index(*e)?, index(*s)?).ok_or_else(|| e.error(FORMAT))
            }
            _ => Err(sexpr.error("unknown sort")),
        },
        _ => Err(sexpr.error("expected a sort")),
    }
}

pub(crate) const WIDTH: &str = "bit-vectors have 1 to 128 bits";
pub(crate) const FORMAT: &str =
    "floats have 2 to 30 exponent bits, 2 or more significand bits, and at most 128 in all";

pub(crate) fn bv_sort(width: u32) -> Option<Sort> {
    (1..=128).contains(&width).then_some(Sort::Bv(width))
}

pub(crate) fn float_sort(exponent: u32, significand: u32) -> Option<Sort> {
    let fits =
        (2..=30).contains(&exponent) && (2..=126).contains(&significand) && exponent + significand <= 128;
    fits.then_some(Sort::Float(exponent, significand))
}

/// A numeral as an index of an operator.
pub(crate) fn index(sexpr: Sexpr) -> Result<u32, ParseError> {
    match sexpr.atom() {
        Some(Atom::Numeral(value)) => {
            u32::try_from(value).map_err(|_| sexpr.error(format!("{value} is too large here")))
        }
        _ => Err(sexpr.error("expected a number")),
    }
}

/// `((name sort) ...)`
pub(crate) fn variables<'a>(list: Sexpr<'a>, scope: &Scope) -> Result<Vec<(&'a str, Term)>, ParseError> {
    let items = list.items().ok_or_else(|| list.error("expected ((name sort) ...)"))?;
    let mut vars: Vec<(&str, Term)> = Vec::new();
    for item in items {
        let parts = item.items().unwrap_or_default();
        let [name, sort] = parts[..] else { return Err(item.error("expected (name sort)")) };
        let name = name.symbol().ok_or_else(|| name.error("expected a name"))?;
        if vars.iter().any(|(n, _)| *n == name) {
            return Err(item.error(format!("'{name}' occurs twice")));
        }
        vars.push((name, Term::var(name, parse_sort(sort, scope)?)));
    }
    Ok(vars)
}

/// The free variables of a body that are no parameters.
pub(crate) fn free_in(parameters: &[Term], body: Term) -> impl Iterator<Item = Term> {
    free_vars(body).into_iter().filter(|v| !parameters.contains(v))
}
