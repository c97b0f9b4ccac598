//! Reads SMT-LIB terms, sorts and declarations.
//!
//! Terms are built on a stack of their own while the text is walked, so that nesting is limited by memory
//! only (but for quantifiers, which have a limit). Every argument's sort is checked before a term is built. A
//! variable that a quantifier binds gets another name where it would capture a variable that a `let` or a
//! definition from outside mentions.

use crate::operators::{Head, build};
use crate::scope::{Symbol, WIDTH, bv_sort, free_in, index, variables};
use crate::sort::Sort;
use crate::subst::{Substitution, free_vars_of};
use crate::term::{Op, Rounding, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

pub use crate::scope::{Scope, parse_sort};
pub use crate::sexpr::{Atom, ParseError, Position, Sexpr, Sexprs, parse_sexprs};

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

/// The body of a function, and its parameters; they are bound like quantified variables, and renamed as
/// those.
pub(crate) fn read_function<'a>(
    parameters: &[(&'a str, Term)],
    body: Sexpr<'a>,
    scope: &'a Scope,
) -> Result<(Vec<Term>, Term), ParseError> {
    let mut parser = Parser::new(scope);
    let renamed = parser.bind(parameters, body);
    Ok((renamed, parser.run(body)?))
}

const QUANTIFIER_DEPTH: usize = 64;

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

    /// Binds variables, renamed where a let or a definition that the body uses mentions a variable like them
    /// from outside.
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
