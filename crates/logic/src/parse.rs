//! Reads SMT-LIB terms, sorts and declarations.
//!
//! Terms are built on a stack of their own while the text is walked, so that nesting is limited by memory only (but for
//! quantifiers, which have a limit). Every argument's sort is checked before a term is built. A variable that a quantifier binds gets
//! another name where it would capture a variable that a `let` or a definition from outside mentions.

use crate::operators::{Head, build};
use crate::sort::Sort;
use crate::subst::{Substitution, free_vars, free_vars_of};
use crate::term::{Op, Rounding, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

pub use crate::sexpr::{Atom, ParseError, Position, Sexpr, Sexprs, parse_sexprs};

/// The symbols that terms may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    symbols: FxHashMap<String, Symbol>,
    sorts: FxHashMap<String, Sort>,
    /// The variables that definitions mention.
    mentioned: BTreeSet<Term>,
}

#[derive(Clone, Debug)]
enum Symbol {
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
    fn mentions(&self, var: Term) -> bool {
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
        // Parameters are bound like quantified variables, and may have to be renamed as those.
        let mut parser = Parser::new(self);
        let renamed = parser.bind(&parameters, body);
        let term = parser.run(body)?;
        if term.sort() != result {
            return Err(
                body.error(format!("expected a term of sort {result}, found one of sort {}", term.sort()))
            );
        }
        self.define(name, &renamed, term);
        Ok(())
    }
}

/// Reads the one term of a text.
pub fn parse_term(text: &str, scope: &Scope) -> Result<Term, ParseError> {
    let sexprs = parse_sexprs(text)?;
    let mut all = sexprs.iter();
    let Some(first) = all.next() else {
        return Err(Position { line: 1, column: 1 }.error("expected a term, found nothing"));
    };
    match all.next() {
        Some(second) => Err(second.error("expected the end after the term")),
        None => read_term(first, scope),
    }
}

pub fn read_term(sexpr: Sexpr, scope: &Scope) -> Result<Term, ParseError> {
    Parser::new(scope).run(sexpr)
}

pub fn parse_sort(sexpr: Sexpr, scope: &Scope) -> Result<Sort, ParseError> {
    sort_within(sexpr, scope, 0)
}

const SORT_DEPTH: usize = 64;
const QUANTIFIER_DEPTH: usize = 64;

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
fn variables<'a>(list: Sexpr<'a>, scope: &Scope) -> Result<Vec<(&'a str, Term)>, ParseError> {
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

/// What an argument can be.
#[derive(Clone, Copy)]
pub(crate) enum Item {
    Term(Term),
    Rounding(Rounding),
}

enum Task<'a> {
    Read(Sexpr<'a>),
    /// Makes one item of the last `count` ones.
    Build {
        head: Head,
        count: usize,
        at: Sexpr<'a>,
    },
    /// Binds the names to the last items.
    Let {
        names: Vec<&'a str>,
        body: Sexpr<'a>,
    },
    Quantify {
        op: Op,
        vars: Vec<Term>,
        body: Sexpr<'a>,
    },
    Unbind(Vec<&'a str>),
    /// The sort that the last item has to have.
    HasSort(Sort, Sexpr<'a>),
}

struct Parser<'a> {
    scope: &'a Scope,
    local: FxHashMap<&'a str, Vec<Item>>,
    items: Vec<Item>,
    /// The variables that the open quantifiers bind.
    bound: Vec<Term>,
    quantifiers: usize,
}

impl<'a> Parser<'a> {
    fn new(scope: &'a Scope) -> Parser<'a> {
        Parser { scope, local: FxHashMap::default(), items: Vec::new(), bound: Vec::new(), quantifiers: 0 }
    }

    fn run(&mut self, sexpr: Sexpr<'a>) -> Result<Term, ParseError> {
        let mut tasks = vec![Task::Read(sexpr)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(at) => self.read(at, &mut tasks)?,
                Task::Build { head, count, at } => {
                    let args = self.items.split_off(self.items.len().saturating_sub(count));
                    let term = match head {
                        Head::Symbol(name) if self.scope.symbols.contains_key(&name) => {
                            self.call(&name, &args, at)?
                        }
                        head => build(&head, &args, at)?,
                    };
                    self.items.push(Item::Term(term));
                }
                Task::Let { names, body } => {
                    let values = self.items.split_off(self.items.len().saturating_sub(names.len()));
                    for (name, value) in names.iter().zip(values) {
                        self.local.entry(name).or_default().push(value);
                    }
                    tasks.push(Task::Unbind(names));
                    tasks.push(Task::Read(body));
                }
                Task::Unbind(names) => {
                    for name in names {
                        self.local.get_mut(name).map(Vec::pop);
                    }
                }
                Task::Quantify { op, vars, body } => {
                    self.quantifiers -= 1;
                    self.bound.truncate(self.bound.len() - vars.len());
                    let Some(Item::Term(term)) = self.items.pop().filter(is_bool) else {
                        return Err(body.error("the body of a quantifier has to be of sort Bool"));
                    };
                    let term =
                        if op == Op::Forall { Term::forall(&vars, term) } else { Term::exists(&vars, term) };
                    self.items.push(Item::Term(term));
                }
                Task::HasSort(sort, at) => match self.items.last() {
                    Some(Item::Term(t)) if t.sort() == sort => {}
                    _ => return Err(at.error(format!("this is not of sort {sort}"))),
                },
            }
        }
        match self.items.pop() {
            Some(Item::Term(term)) => Ok(term),
            _ => Err(sexpr.error("expected a term")),
        }
    }

    fn read(&mut self, at: Sexpr<'a>, tasks: &mut Vec<Task<'a>>) -> Result<(), ParseError> {
        if let Some(atom) = at.atom() {
            let item = self.atom(atom, at)?;
            self.items.push(item);
            return Ok(());
        }
        let list = at.items().unwrap_or_default();
        let Some((&head, args)) = list.split_first() else {
            return Err(at.error("expected a term, found ()"));
        };
        if args.is_empty() {
            return Err(at.error("expected arguments"));
        }
        match head.atom() {
            Some(Atom::Word(word)) => match word.as_str() {
                "let" => return self.read_let(at, args, tasks),
                "forall" | "exists" => return self.read_quantifier(at, word, args, tasks),
                "!" => {
                    let Some(&term) = args.first() else { return Err(at.error("expected (! term ...)")) };
                    tasks.push(Task::Read(term));
                    return Ok(());
                }
                "_" => tasks.push(Task::Build { head: indexed(at)?, count: 0, at }),
                "as" => {
                    let [term, sort] = args else { return Err(at.error("expected (as name sort)")) };
                    tasks.push(Task::HasSort(parse_sort(*sort, self.scope)?, at));
                    tasks.push(Task::Read(*term));
                }
                word => return Err(head.error(format!("'{word}' is not supported"))),
            },
            Some(Atom::Symbol(name)) => {
                tasks.push(Task::Build { head: Head::Symbol(name.clone()), count: args.len(), at });
                tasks.extend(args.iter().rev().map(|&a| Task::Read(a)));
            }
            Some(_) => return Err(head.error("expected an operator")),
            None => {
                let head = self.composed_head(head)?;
                tasks.push(Task::Build { head, count: args.len(), at });
                tasks.extend(args.iter().rev().map(|&a| Task::Read(a)));
            }
        }
        Ok(())
    }

    /// `(_ extract 7 0)` or `(as const sort)`
    fn composed_head(&self, head: Sexpr) -> Result<Head, ParseError> {
        let parts = head.items().unwrap_or_default();
        match &parts[..] {
            [mark, ..] if mark.is_word("_") => indexed(head),
            [mark, word, sort] if mark.is_word("as") && word.symbol() == Some("const") => {
                match parse_sort(*sort, self.scope)? {
                    Sort::Array(parts) => Ok(Head::ConstArray(parts.0, parts.1)),
                    _ => Err(sort.error("expected an array sort")),
                }
            }
            _ => Err(head.error("expected an operator")),
        }
    }

    fn atom(&self, atom: &Atom, at: Sexpr) -> Result<Item, ParseError> {
        Ok(Item::Term(match atom {
            Atom::Numeral(value) => Term::int(value.clone()),
            Atom::Bits { bits, width } => Term::bv(*bits, *width),
            Atom::Symbol(name) => {
                if let Some(item) = self.local.get(name.as_str()).and_then(|v| v.last()) {
                    return Ok(*item);
                }
                match (self.scope.symbols.get(name), name.as_str()) {
                    (Some(_), _) => self.call(name, &[], at)?,
                    (_, "true") => Term::bool(true),
                    (_, "false") => Term::bool(false),
                    (_, name) => {
                        let found =
                            rounding(name).ok_or_else(|| at.error(format!("unknown symbol '{name}'")))?;
                        return Ok(Item::Rounding(found));
                    }
                }
            }
            Atom::Decimal(_) => return Err(at.error("real numbers are not supported")),
            Atom::Text(_) => return Err(at.error("texts are not supported")),
            Atom::Word(word) | Atom::Keyword(word) => {
                return Err(at.error(format!("expected a term, found '{word}'")));
            }
        }))
    }

    fn read_let(
        &mut self,
        at: Sexpr<'a>,
        args: &[Sexpr<'a>],
        tasks: &mut Vec<Task<'a>>,
    ) -> Result<(), ParseError> {
        let wrong = || at.error("expected (let ((name term) ...) term)");
        let [bindings, body] = args else { return Err(wrong()) };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for binding in bindings.items().ok_or_else(wrong)? {
            let parts = binding.items().ok_or_else(wrong)?;
            let [name, value] = parts[..] else { return Err(wrong()) };
            names.push(name.symbol().ok_or_else(|| name.error("expected a name"))?);
            values.push(value);
        }
        tasks.push(Task::Let { names, body: *body });
        tasks.extend(values.into_iter().rev().map(Task::Read));
        Ok(())
    }

    fn read_quantifier(
        &mut self,
        at: Sexpr<'a>,
        word: &str,
        args: &[Sexpr<'a>],
        tasks: &mut Vec<Task<'a>>,
    ) -> Result<(), ParseError> {
        let [vars, body] = args else {
            return Err(at.error(format!("expected ({word} ((name sort) ...) term)")));
        };
        self.quantifiers += 1;
        if self.quantifiers > QUANTIFIER_DEPTH {
            return Err(at.error("quantifiers are nested too deep"));
        }
        let vars = variables(*vars, self.scope)?;
        let bound = self.bind(&vars, *body);
        let op = if word == "forall" { Op::Forall } else { Op::Exists };
        tasks.push(Task::Unbind(vars.iter().map(|v| v.0).collect()));
        tasks.push(Task::Quantify { op, vars: bound, body: *body });
        tasks.push(Task::Read(*body));
        Ok(())
    }

    /// Binds variables, renamed where a let or a definition that the body uses mentions a variable like them from outside.
    fn bind(&mut self, vars: &[(&'a str, Term)], body: Sexpr<'a>) -> Vec<Term> {
        let mut outside: Option<BTreeSet<Term>> = None;
        let mut renamed: Vec<Term> = Vec::new();
        for &(_, var) in vars {
            let mut fresh = var;
            // Most variables have a name that nothing outside has; then the body need not be searched.
            if self.bound.contains(&var) || self.scope.mentions(var) {
                let outside = outside.get_or_insert_with(|| self.mentioned(vars, body));
                // A new name must be nobody's.
                let used = |t: Term| {
                    renamed.contains(&t) || t != var && body.symbols().any(|n| Some(n) == t.var_name())
                };
                while outside.contains(&fresh) || used(fresh) {
                    fresh = Term::var(&format!("{}'", fresh.var_name().unwrap_or("")), var.sort());
                }
            }
            renamed.push(fresh);
        }
        for (&(name, _), &fresh) in vars.iter().zip(&renamed) {
            self.local.entry(name).or_default().push(Item::Term(fresh));
            self.bound.push(fresh);
        }
        renamed
    }

    /// The variables that the lets and the definitions that a body uses mention.
    fn mentioned(&self, vars: &[(&'a str, Term)], body: Sexpr<'a>) -> BTreeSet<Term> {
        let mut seen = FxHashSet::default();
        let mut found = BTreeSet::new();
        let mut lets = Vec::new();
        for name in body.symbols().filter(|n| seen.insert(*n) && vars.iter().all(|(v, _)| v != n)) {
            match (self.local.get(name).and_then(|v| v.last()), self.scope.symbols.get(name)) {
                (Some(Item::Term(term)), _) => lets.push(*term),
                (None, Some(Symbol::Macro(parameters, body))) => found.extend(free_in(parameters, *body)),
                _ => {}
            }
        }
        found.extend(free_vars_of(lets));
        found
    }

    /// A declared function or a defined one, applied.
    fn call(&self, name: &str, args: &[Item], at: Sexpr) -> Result<Term, ParseError> {
        let sorts: Vec<Sort> = match self.scope.symbols.get(name) {
            Some(Symbol::Function(sorts, _)) => sorts.clone(),
            Some(Symbol::Macro(vars, _)) => vars.iter().map(|v| v.sort()).collect(),
            None => return Err(at.error(format!("unknown symbol '{name}'"))),
        };
        if args.len() != sorts.len() {
            return Err(at.error(format!("'{name}' takes {} arguments, found {}", sorts.len(), args.len())));
        }
        let mut terms = Vec::new();
        for (i, (arg, sort)) in args.iter().zip(&sorts).enumerate() {
            match arg {
                Item::Term(t) if t.sort() == *sort => terms.push(*t),
                _ => return Err(at.error(format!("argument {} of '{name}' has to be of sort {sort}", i + 1))),
            }
        }
        Ok(match &self.scope.symbols[name] {
            Symbol::Function(_, result) if terms.is_empty() => Term::var(name, *result),
            Symbol::Function(_, result) => Term::apply(name, terms, *result),
            Symbol::Macro(vars, body) => Substitution::new(vars.iter().copied().zip(terms)).apply(*body),
        })
    }
}

fn free_in(parameters: &[Term], body: Term) -> impl Iterator<Item = Term> {
    free_vars(body).into_iter().filter(|v| !parameters.contains(v))
}

fn is_bool(item: &Item) -> bool {
    matches!(item, Item::Term(t) if t.sort() == Sort::Bool)
}

/// `(_ name index ...)`; an index is a number or, rarely, a symbol.
fn indexed(at: Sexpr) -> Result<Head, ParseError> {
    let parts = at.items().unwrap_or_default();
    let [_, name, indices @ ..] = &parts[..] else { return Err(at.error("expected (_ name ...)")) };
    let name = name.symbol().ok_or_else(|| name.error("expected a name"))?;
    if let Some(number) =
        name.strip_prefix("bv").filter(|n| n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty())
    {
        let [width] = indices else { return Err(at.error("expected (_ bvN width)")) };
        let Some(Sort::Bv(width)) = bv_sort(index(*width)?) else { return Err(width.error(WIDTH)) };
        let value: dashu_int::IBig = number.parse().map_err(|_| at.error("expected a number"))?;
        return Ok(Head::Constant(Term::number(Sort::Bv(width), value)));
    }
    let indices = indices.iter().map(|&i| index(i)).collect::<Result<Vec<u32>, _>>()?;
    Ok(Head::Indexed(name.to_owned(), indices))
}

fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTZ" | "roundTowardZero" => Rounding::ToZero,
        "RTP" | "roundTowardPositive" => Rounding::Up,
        "RTN" | "roundTowardNegative" => Rounding::Down,
        _ => return None,
    })
}
