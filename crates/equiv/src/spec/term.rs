//! Terms from conditions: what a condition says about given terms for its variables, in any encoding of
//! integers.
//!
//! The caller supplies a [`Scope`]: terms for the variables, and for what memory holds. Quantifiers over a
//! few numbers between constants are written out, so that most conditions have none left.

use super::number::{self, Number};
use super::smt::{SpecOp, SpecSort, SpecTerm};
use super::{Condition, ConditionKind, Lookup, Name, Side, SpecError};
use encode::IntMode;
use ir::Type;
use logic::{IBig, Interval, Sort, Term};
use std::fmt;
use std::sync::Arc;

/// A value of a program: its term has the sort that the encoding has for the type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Binding {
    pub term: Term,
    pub ty: Type,
}

/// What the names of a condition stand for.
pub trait Scope {
    /// A parameter, a result, or the address of a global.
    fn name(&self, name: &Name) -> Option<Binding>;

    /// What memory holds at an address; `bases` are the variables that the address is computed from.
    fn load(&self, _side: Side, _address: Term, _bases: &[Name]) -> Option<Binding> {
        None
    }

    /// The value of a global that has no address.
    fn global(&self, _side: Side, _name: &str) -> Option<Binding> {
        None
    }

    /// Both versions' memories are the same.
    fn heaps_equal(&self) -> Option<Term> {
        None
    }

    fn pointer_bits(&self) -> u32 {
        64
    }
}

/// Why a condition has no term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermError {
    UnknownName(Name),
    /// The condition makes no sense, as `(+ x$1 true)`.
    Sort(String),
    /// It makes sense, but not in this encoding. As an assumption it can be left out of a proof, never of a
    /// refutation.
    Unsupported(String),
}

/// The condition as a term of sort Bool.
pub fn to_term(condition: &SpecTerm, scope: &dyn Scope, mode: IntMode) -> Result<Term, TermError> {
    Builder { scope, mode, locals: Vec::new(), fresh: 0, written: 0 }.truth(condition)
}

/// Concrete values for [`holds`].
pub trait Values {
    /// The bits of a parameter or result, or the address of a global.
    fn name(&self, name: &Name) -> Option<(Type, u128)>;

    fn load(&self, _side: Side, _address: u64, _bases: &[Name]) -> Option<(Type, u128)> {
        None
    }

    fn global(&self, _side: Side, _name: &str) -> Option<(Type, u128)> {
        None
    }

    fn heaps_equal(&self) -> Option<bool> {
        None
    }

    fn pointer_bits(&self) -> u32 {
        64
    }
}

impl<F: Fn(&Name) -> Option<(Type, u128)>> Values for F {
    fn name(&self, name: &Name) -> Option<(Type, u128)> {
        self(name)
    }
}

/// Is the condition true of these values? None if that cannot be told, as of quantifiers over all of memory.
pub fn holds(condition: &SpecTerm, values: &dyn Values) -> Option<bool> {
    // One false conjunct is enough, whatever is not known about the others.
    if let SpecTerm::Apply(SpecOp::And, list) = condition {
        let all: Vec<Option<bool>> = list.iter().map(|t| holds(t, values)).collect();
        return match all.contains(&Some(false)) {
            true => Some(false),
            false => all.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
        };
    }
    let term = to_term(condition, &Constants(values), IntMode::Wrap).ok()?;
    term.is_const().then(|| term.is_true())
}

impl TermError {
    /// The error as one about the text of a condition.
    pub fn about(&self, condition: &Condition) -> SpecError {
        let (mut lo, mut hi) = condition.range;
        let message = match self {
            TermError::UnknownName(name) => {
                if let ConditionKind::Smt(smt) = &condition.kind
                    && let Some((_, a, b)) = smt.names.iter().find(|(n, ..)| n == name)
                {
                    (lo, hi) = (*a, *b);
                }
                format!("unknown name '{name}'")
            }
            TermError::Sort(message) => message.clone(),
            TermError::Unsupported(message) => format!("not supported in this encoding: {message}"),
        };
        condition.origin.error(lo, hi, message)
    }
}

/// Some term of the right sort for everything: enough to see whether a condition makes sense.
pub(super) struct Shape<'s>(pub &'s Lookup<'s>);

impl Scope for Shape<'_> {
    fn name(&self, name: &Name) -> Option<Binding> {
        let ty = self.0.ir_type(self.0.resolve(name)?)?;
        let sort = IntMode::Unbounded.sort(ty, &self.0.versions.old.program.target).ok()?;
        Some(Binding { term: Term::var(&name.to_string(), sort), ty })
    }

    fn load(&self, side: Side, address: Term, _bases: &[Name]) -> Option<Binding> {
        let heap = Term::var(&Name::Heap(side).to_string(), Sort::array(Sort::Int, Sort::Int));
        Some(Binding { term: heap.select(address), ty: Type::I64 })
    }

    fn heaps_equal(&self) -> Option<Term> {
        Some(Term::var("heaps", Sort::Bool))
    }
}

struct Constants<'v>(&'v dyn Values);

impl Constants<'_> {
    fn binding(&self, (ty, bits): (Type, u128)) -> Option<Binding> {
        let term = match ty {
            Type::Bool => Term::bool(bits & 1 == 1),
            Type::Int(int) if int.signed => Term::int(int.value(bits)),
            Type::Int(int) => Term::int(bits & int.mask()),
            Type::Ptr => Term::int(bits),
            Type::Float(_) => Term::float(bits, IntMode::Wrap.sort(ty, &ir::Target::LP64).ok()?),
        };
        Some(Binding { term, ty })
    }
}

impl Scope for Constants<'_> {
    fn name(&self, name: &Name) -> Option<Binding> {
        self.binding(self.0.name(name)?)
    }

    fn load(&self, side: Side, address: Term, bases: &[Name]) -> Option<Binding> {
        self.binding(self.0.load(side, u64::try_from(address.as_int()?.clone()).ok()?, bases)?)
    }

    fn global(&self, side: Side, name: &str) -> Option<Binding> {
        self.binding(self.0.global(side, name)?)
    }

    fn heaps_equal(&self) -> Option<Term> {
        self.0.heaps_equal().map(Term::bool)
    }

    fn pointer_bits(&self) -> u32 {
        self.0.pointer_bits()
    }
}

/// The value of a subterm.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Truth(Term),
    Number(Number),
    /// A float: it can be compared for identity and chosen, nothing else.
    Float(Term),
    Heap(Side),
}

/// How many numbers a quantifier between constants is written out for.
const WRITE_OUT: u32 = 64;
const WRITE_OUT_ALTOGETHER: u32 = 2000;

struct Builder<'s> {
    scope: &'s dyn Scope,
    mode: IntMode,
    /// Innermost last, with the program variables each was computed from.
    locals: Vec<(Arc<str>, Value, Vec<Name>)>,
    fresh: u32,
    /// How many instances of quantifiers were written out; nested ones multiply.
    written: u32,
}

impl Builder<'_> {
    fn truth(&mut self, t: &SpecTerm) -> Result<Term, TermError> {
        match self.value(t)? {
            Value::Truth(term) => Ok(term),
            _ => Err(TermError::Sort(format!("{t} is not a truth value"))),
        }
    }

    fn number(&mut self, t: &SpecTerm) -> Result<Number, TermError> {
        match self.value(t)? {
            Value::Number(number) => Ok(number),
            _ => Err(TermError::Sort(format!("{t} is not a number"))),
        }
    }

    fn numbers(&mut self, list: &[SpecTerm]) -> Result<Vec<Number>, TermError> {
        list.iter().map(|t| self.number(t)).collect()
    }

    fn value(&mut self, t: &SpecTerm) -> Result<Value, TermError> {
        match t {
            SpecTerm::Bool(value) => Ok(Value::Truth(Term::bool(*value))),
            SpecTerm::Int(value) => Ok(Value::Number(Number::constant(self.mode, value.clone(), None)?)),
            SpecTerm::Bits { value, width } => {
                Ok(Value::Number(Number::constant(self.mode, IBig::from(*value), Some(*width))?))
            }
            SpecTerm::Name(Name::Heap(side)) => Ok(Value::Heap(*side)),
            SpecTerm::Name(name) => {
                let binding = self.scope.name(name).ok_or_else(|| TermError::UnknownName(name.clone()))?;
                self.bound(binding, name)
            }
            SpecTerm::Local(name) => match self.locals.iter().rev().find(|(n, ..)| n == name) {
                Some((_, value, _)) => Ok(value.clone()),
                None => Err(TermError::UnknownName(Name::Word(name.clone()))),
            },
            SpecTerm::Select(heap, address) => self.select(t, heap, address),
            SpecTerm::HeapsEqual => self.heaps_equal().map(Value::Truth),
            SpecTerm::Apply(op, args) => self.apply(t, *op, args),
            SpecTerm::Let(bound, body) => {
                let mut values = Vec::new();
                for (name, value) in bound {
                    values.push((name.clone(), self.value(value)?, self.bases(value)));
                }
                let outer = self.locals.len();
                self.locals.extend(values);
                let result = self.value(body);
                self.locals.truncate(outer);
                result
            }
            SpecTerm::Quantified { all, vars, body } => self.quantified(*all, vars, body).map(Value::Truth),
        }
    }

    fn heaps_equal(&self) -> Result<Term, TermError> {
        self.scope.heaps_equal().ok_or_else(|| TermError::Unsupported("equality of the heaps".to_owned()))
    }

    /// A value of a program.
    fn bound(&self, binding: Binding, what: &dyn fmt::Display) -> Result<Value, TermError> {
        let (bits, signed) = match binding.ty {
            Type::Bool => return Ok(Value::Truth(binding.term)),
            Type::Float(_) => return Ok(Value::Float(binding.term)),
            Type::Int(int) => (u32::from(int.bits), int.signed),
            Type::Ptr => (self.scope.pointer_bits(), false),
        };
        let wanted = if self.mode == IntMode::Bv { Sort::Bv(bits) } else { Sort::Int };
        if binding.term.sort() != wanted {
            return Err(TermError::Sort(format!(
                "{what} has the sort {}, not {wanted}",
                binding.term.sort()
            )));
        }
        Ok(Value::Number(Number::value(self.mode, binding.term, bits, signed)))
    }

    fn select(&mut self, whole: &SpecTerm, heap: &SpecTerm, address: &SpecTerm) -> Result<Value, TermError> {
        let Value::Heap(side) = self.value(heap)? else {
            return Err(TermError::Sort(format!("{heap} is not a heap")));
        };
        // A global that lives in a register has no address, but a value.
        if let SpecTerm::Name(Name::Var(of, name)) = address
            && *of == side
            && let Some(binding) = self.scope.global(side, name)
        {
            return self.bound(binding, whole);
        }
        let at = self.number(address)?;
        let term = match self.mode {
            IntMode::Bv => at.low_bits(self.scope.pointer_bits()),
            _ => at.term,
        };
        let bases = self.bases(address);
        match self.scope.load(side, term, &bases) {
            Some(binding) => self.bound(binding, whole),
            None => Err(TermError::Unsupported(format!("{whole}: it is not known what lies there"))),
        }
    }

    /// The program variables that a term is computed from.
    fn bases(&self, t: &SpecTerm) -> Vec<Name> {
        let mut names: Vec<Name> = t.names().into_iter().cloned().collect();
        t.walk(&mut |t| {
            if let SpecTerm::Local(name) = t
                && let Some((.., from)) = self.locals.iter().rev().find(|(n, ..)| n == name)
            {
                names.extend(from.iter().cloned());
            }
        });
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|n| seen.insert(n.clone()));
        names
    }

    fn apply(&mut self, whole: &SpecTerm, op: SpecOp, args: &[SpecTerm]) -> Result<Value, TermError> {
        use SpecOp::*;
        let mode = self.mode;
        let truth = |t| Ok(Value::Truth(t));
        match op {
            Not | And | Or | Xor | Implies => {
                let list: Vec<Term> = args.iter().map(|t| self.truth(t)).collect::<Result<_, _>>()?;
                truth(match (op, &list[..]) {
                    (Not, [a]) => a.not(),
                    (And, _) => Term::all(list),
                    (Or, _) => Term::any(list),
                    (Xor, _) => list.into_iter().reduce(|a, b| a.differs(b)).unwrap_or(Term::bool(false)),
                    // a => b => c is a => (b => c).
                    (_, [rest @ .., last]) => rest.iter().rev().fold(*last, |then, a| a.implies(then)),
                    _ => return Err(TermError::Sort(format!("{whole} has the wrong number of arguments"))),
                })
            }
            Equal | Distinct => {
                let list: Vec<Value> = args.iter().map(|t| self.value(t)).collect::<Result<_, _>>()?;
                let mut terms = Vec::new();
                if op == Equal {
                    for pair in list.windows(2) {
                        terms.push(self.equal(whole, &pair[0], &pair[1])?);
                    }
                } else {
                    for (i, a) in list.iter().enumerate() {
                        for b in &list[i + 1..] {
                            terms.push(self.equal(whole, a, b)?.not());
                        }
                    }
                }
                truth(Term::all(terms))
            }
            Ite => {
                let [c, a, b] = args else {
                    return Err(TermError::Sort(format!("{whole} has the wrong number of arguments")));
                };
                let c = self.truth(c)?;
                match (self.value(a)?, self.value(b)?) {
                    (Value::Truth(a), Value::Truth(b)) => truth(c.ite(a, b)),
                    (Value::Number(a), Value::Number(b)) => {
                        Ok(Value::Number(Number::choose(mode, c, &a, &b)?))
                    }
                    (Value::Float(a), Value::Float(b)) if a.sort() == b.sort() => {
                        Ok(Value::Float(c.ite(a, b)))
                    }
                    _ => Err(TermError::Sort(format!("the branches of {whole} are of different sorts"))),
                }
            }
            Add | Sub | Mul | Div | Mod | Abs => self.arithmetic(whole, op, args).map(Value::Number),
            Le | Lt | Ge | Gt => {
                let list = self.numbers(args)?;
                let mut terms = Vec::new();
                for pair in list.windows(2) {
                    let (a, b) =
                        if matches!(op, Le | Lt) { (&pair[0], &pair[1]) } else { (&pair[1], &pair[0]) };
                    terms.push(Number::less(mode, a, b, matches!(op, Lt | Gt))?);
                }
                truth(Term::all(terms))
            }
            BvUle | BvUlt | BvUge | BvUgt | BvSle | BvSlt | BvSge | BvSgt => {
                let list = self.numbers(args)?;
                let width = number::common_width(mode, &list, whole)?;
                truth(number::compare_bits(mode, op, &list, width)?)
            }
            _ => {
                let list = self.numbers(args)?;
                let width = number::common_width(mode, &list, whole)?;
                Ok(Value::Number(number::apply_bits(mode, op, &list, width)?))
            }
        }
    }

    fn arithmetic(&mut self, whole: &SpecTerm, op: SpecOp, args: &[SpecTerm]) -> Result<Number, TermError> {
        let mode = self.mode;
        let list = self.numbers(args)?;
        let Some((first, rest)) = list.split_first() else {
            return Err(TermError::Sort(format!("{whole} has the wrong number of arguments")));
        };
        if op == SpecOp::Abs {
            return Number::abs(mode, first);
        }
        if op == SpecOp::Sub && rest.is_empty() {
            return Number::sub(mode, &Number::constant(mode, IBig::ZERO, None)?, first);
        }
        rest.iter().try_fold(first.clone(), |sum, next| match op {
            SpecOp::Add => Number::add(mode, &sum, next),
            SpecOp::Sub => Number::sub(mode, &sum, next),
            SpecOp::Mul => Number::mul(mode, &sum, next),
            SpecOp::Div => Number::div_mod(mode, &sum, next).map(|(quotient, _)| quotient),
            _ => Number::div_mod(mode, &sum, next).map(|(_, rest)| rest),
        })
    }

    fn equal(&self, whole: &SpecTerm, a: &Value, b: &Value) -> Result<Term, TermError> {
        match (a, b) {
            (Value::Truth(a), Value::Truth(b)) => Ok(a.equals(*b)),
            (Value::Number(a), Value::Number(b)) => Number::equal(self.mode, a, b),
            (Value::Float(a), Value::Float(b)) if a.sort() == b.sort() => Ok(a.equals(*b)),
            (Value::Heap(a), Value::Heap(b)) if a == b => Ok(Term::bool(true)),
            (Value::Heap(_), Value::Heap(_)) => self.heaps_equal(),
            _ => Err(TermError::Sort(format!("{whole} compares values of different sorts"))),
        }
    }

    fn quantified(
        &mut self,
        all: bool,
        vars: &[(Arc<str>, SpecSort)],
        body: &SpecTerm,
    ) -> Result<Term, TermError> {
        let outer = self.locals.len();
        if let [(name, SpecSort::Int)] = vars
            && let Some((low, high)) = bounds(all, name, body)
            && self.written < WRITE_OUT_ALTOGETHER
        {
            let mut terms = Vec::new();
            let mut at = low;
            while at < high {
                let value = Value::Number(Number::constant(self.mode, at.clone(), None)?);
                self.locals.push((name.clone(), value, Vec::new()));
                self.written += 1;
                let term = self.truth(body);
                self.locals.truncate(outer);
                terms.push(term?);
                at += IBig::ONE;
            }
            return Ok(if all { Term::all(terms) } else { Term::any(terms) });
        }
        let (mut bound, mut guards) = (Vec::new(), Vec::new());
        for (name, sort) in vars {
            // A name that no encoder makes, so that it captures nothing.
            self.fresh += 1;
            let var = |s| Term::var(&format!("?{name}.{}", self.fresh), s);
            let (term, value) = match (sort, self.mode) {
                (SpecSort::Bool, _) => (var(Sort::Bool), Value::Truth(var(Sort::Bool))),
                // All addresses, and all distances between addresses.
                (SpecSort::Int, IntMode::Bv) => {
                    let bits = self.scope.pointer_bits();
                    let term = var(Sort::Bv(bits));
                    let number = Number { width: None, ..Number::value(self.mode, term, bits, true) };
                    (term, Value::Number(number))
                }
                (SpecSort::Int, _) => {
                    let term = var(Sort::Int);
                    (term, Value::Number(Number { term, range: None, width: None }))
                }
                (SpecSort::Bits(bits), IntMode::Bv) => {
                    let term = var(Sort::Bv(*bits));
                    (term, Value::Number(Number::value(self.mode, term, *bits, true)))
                }
                (SpecSort::Bits(bits), mode) => {
                    let term = var(Sort::Int);
                    let number = Number::value(mode, term, *bits, true);
                    if let Some(Interval { low, high }) = &number.range {
                        guards.push(
                            Term::int(low.clone()).int_le(term).and(term.int_le(Term::int(high.clone()))),
                        );
                    }
                    (term, Value::Number(number))
                }
            };
            bound.push(term);
            self.locals.push((name.clone(), value, Vec::new()));
        }
        let body = self.truth(body);
        self.locals.truncate(outer);
        let guard = Term::all(guards);
        Ok(if all {
            Term::forall(&bound, guard.implies(body?))
        } else {
            Term::exists(&bound, guard.and(body?))
        })
    }
}

/// The constants between which a variable matters, if there are only a few numbers between them: outside, the
/// body is true under "for all" and false under "exists". The second bound is excluded.
fn bounds(all: bool, name: &str, body: &SpecTerm) -> Option<(IBig, IBig)> {
    let guards: &[SpecTerm] = match (all, body) {
        (true, SpecTerm::Apply(SpecOp::Implies, args)) => args.split_last()?.1,
        (false, SpecTerm::Apply(SpecOp::And, args)) => args,
        _ => return None,
    };
    let (mut low, mut high): (Option<IBig>, Option<IBig>) = (None, None);
    let mut facts: Vec<&SpecTerm> = guards.iter().collect();
    while let Some(fact) = facts.pop() {
        let SpecTerm::Apply(op, args) = fact else { continue };
        if *op == SpecOp::And {
            facts.extend(args);
            continue;
        }
        if !matches!(op, SpecOp::Le | SpecOp::Lt | SpecOp::Ge | SpecOp::Gt) {
            continue;
        }
        for pair in args.windows(2) {
            let (small, large) = if matches!(op, SpecOp::Le | SpecOp::Lt) {
                (&pair[0], &pair[1])
            } else {
                (&pair[1], &pair[0])
            };
            let strict = IBig::from(u8::from(matches!(op, SpecOp::Lt | SpecOp::Gt)));
            match (small, large) {
                (SpecTerm::Int(n), SpecTerm::Local(v)) if **v == *name => {
                    let bound = n + strict;
                    low = Some(low.map_or(bound.clone(), |l| l.max(bound)));
                }
                (SpecTerm::Local(v), SpecTerm::Int(n)) if **v == *name => {
                    let bound = n + IBig::ONE - strict;
                    high = Some(high.map_or(bound.clone(), |h| h.min(bound)));
                }
                _ => {}
            }
        }
    }
    let (low, high) = (low?, high?);
    (&high - &low <= IBig::from(WRITE_OUT)).then_some((low, high))
}

impl fmt::Display for TermError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TermError::UnknownName(name) => write!(f, "unknown name '{name}'"),
            TermError::Sort(message) | TermError::Unsupported(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for TermError {}
