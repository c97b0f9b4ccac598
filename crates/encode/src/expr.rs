//! Expressions: who does what.
//!
//! Here are the encoder and the walk over an expression; what an operator means is in one file for each kind
//! of value (`bv`, `int`, `float`), the addresses of objects are in `object`, and `interval` knows bounds of
//! integer terms.
//!
//! Everything holds of every execution: a fact must be true whatever branch is taken, since it does not know
//! the condition under which its operation runs. After a trap all values are arbitrary, so nothing said about
//! them may be a fact.

mod bitwise;
mod bv;
mod float;
mod int;
mod interval;
mod object;

use crate::mode::{IntMode, Unsupported};
use crate::regions::Regions;
use crate::state::State;
use interval::Intervals;
use ir::{BinOp, Expr, ExprKind, FuncId, IntType, Program, Storage, Target, Type, UnOp, Var};
use logic::{Interval, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use float::float_bits;

/// Translates expressions and operations of one function of one program.
pub struct Encoder<'p> {
    pub program: &'p Program,
    /// Which of the analysed programs this is, for the regions.
    pub index: usize,
    pub function: FuncId,
    pub mode: IntMode,
    pub regions: &'p Regions,
    /// In front of the names of fresh variables.
    pub prefix: String,
    /// Functions whose calls mean something simple, whether they have a body or not.
    pub ignored: &'p [(&'p str, Ignored)],
    pub outside_code: Outside,
    /// The edge at hand, if it is known: values from outside are then called by it.
    pub edge: Option<ir::EdgeId>,
    /// Conditions, one for each operation so far that can end the execution, under which it does (division by
    /// zero, ...).
    pub traps: Vec<Term>,
    /// What holds of the variables and applications that were introduced so far.
    pub facts: Vec<Term>,
    /// What was asked of the outside, in the order of execution.
    pub asked: Vec<Asked>,
    /// What the path to the operation at hand assumes: bounds of terms that follow from it hold here only.
    assumed: BTreeSet<Term>,
    fresh: u32,
    pub(crate) intervals: Intervals,
    pub(crate) objects: object::Objects,
    /// For integer terms that stand for another one modulo a power of two: that one, and the power.
    unwrapped: FxHashMap<Term, (Term, u32)>,
    /// The unsigned number that a list of bytes was split from, least first.
    pub(crate) split: FxHashMap<Vec<Term>, Term>,
    /// Conditions under which an address is that of an earlier write.
    pub(crate) aliases: FxHashSet<Term>,
    /// How often a variable was declared without a value.
    pub(crate) uninit: FxHashMap<Var, u32>,
}

/// What a call of a marker function gives; it does nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignored {
    /// All bits set, so that `__mark(1) & c` is `c` whatever `c` is.
    AllOnes,
    FirstArgument,
}

/// A value that was asked of the outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// What the path assumes on which it is asked.
    pub guard: Term,
    pub who: Who,
    pub ty: Type,
    pub value: Term,
}

/// Who gives a value from outside, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Who {
    /// An input, as `__VERIFIER_nondet_int`.
    Input(Arc<str>),
    /// A function without a body.
    Function(Arc<str>),
}

/// What functions without a body, and inputs, are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// Functions of all they can reach, which they can change: two versions that use them alike see the same.
    Functions,
    /// Any value of their type each time, and nothing else happens.
    Values,
    /// Functions of their arguments and of what was called before, and nothing else happens: as the
    /// interpreter has it.
    Answers,
}

/// The markers of annotated version pairs.
pub const MARKERS: &[(&str, Ignored)] = &[
    ("__mark", Ignored::AllOnes),
    ("__splitmark", Ignored::AllOnes),
    ("__inlineCall", Ignored::FirstArgument),
];

impl<'p> Encoder<'p> {
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        mode: IntMode,
        regions: &'p Regions,
        prefix: impl Into<String>,
    ) -> Encoder<'p> {
        Encoder {
            program,
            index,
            function,
            mode,
            regions,
            prefix: prefix.into(),
            ignored: &[],
            outside_code: Outside::Functions,
            edge: None,
            traps: Vec::new(),
            facts: Vec::new(),
            asked: Vec::new(),
            fresh: 0,
            assumed: BTreeSet::new(),
            intervals: Intervals::default(),
            objects: object::Objects::default(),
            unwrapped: FxHashMap::default(),
            split: FxHashMap::default(),
            aliases: FxHashSet::default(),
            uninit: FxHashMap::default(),
        }
    }

    /// A variable that occurs nowhere else in what this encoder makes.
    pub fn fresh(&mut self, what: &str, sort: Sort) -> Term {
        self.fresh += 1;
        Term::var(&format!("{}{what}!{}", self.prefix, self.fresh), sort)
    }

    /// A value from outside: called by its edge, so that it can be found again.
    pub(crate) fn given(&mut self, sort: Sort) -> Term {
        match self.edge {
            Some(ir::EdgeId(edge)) => Term::var(&format!("{}value.{edge}", self.prefix), sort),
            None => self.fresh("value", sort),
        }
    }

    /// The value of an expression. In wrapping mode the registers of `state` hold values of their types.
    pub fn expr(&mut self, e: &Expr, state: &State) -> Result<Term, Unsupported> {
        Ok(match &e.kind {
            ExprKind::Const(bits) => self.constant(e.ty, *bits)?,
            ExprKind::Local(id) => self.register(Var::Local(*id), e.ty, state)?,
            ExprKind::Global(id) => self.register(Var::Global(*id), e.ty, state)?,
            ExprKind::AddrLocal(_) | ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_) | ExprKind::VarArgs => {
                self.address(e)?
            }
            ExprKind::Load(address) => {
                let region = self.regions.of(self.index, self.function, address);
                let at = self.expr(address, state)?;
                self.load(state, region, at, e.ty)?
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, state)?;
                self.unary(*op, e.ty, a)?
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a, state)?, self.expr(b, state)?);
                self.binary(*op, a.ty, x, y)?
            }
            ExprKind::Cast(a) => {
                let x = self.expr(a, state)?;
                self.cast(a.ty, e.ty, x)?
            }
            ExprKind::Ite(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.expr(c, state)?, self.expr(a, state)?, self.expr(b, state)?);
                c.ite(a, b)
            }
            ExprKind::Valid { ptr, size, write } => {
                let (ptr, size) = (self.expr(ptr, state)?, self.expr(size, state)?);
                let name = if *write { "valid.write" } else { "valid.read" };
                Term::apply(name, [ptr, size, state.allocations], Sort::Bool)
            }
            ExprKind::Freeable(ptr) => {
                let ptr = self.expr(ptr, state)?;
                Term::apply("freeable", [ptr, state.allocations], Sort::Bool)
            }
            ExprKind::HeapKept { .. } => {
                return Err(Unsupported("which memory is left where the program ends".to_owned()));
            }
            ExprKind::ObjectSize(ptr) => {
                let ptr = self.expr(ptr, state)?;
                let size = Term::apply("object.size", [ptr, state.allocations], self.sort(e.ty)?);
                self.outside(e.ty, size)
            }
        })
    }

    /// A constant from its bits.
    pub fn constant(&self, ty: Type, bits: u128) -> Result<Term, Unsupported> {
        self.mode.constant(ty, self.target(), bits)
    }

    pub(crate) fn target(&self) -> &'p Target {
        &self.program.target
    }

    pub fn sort(&self, ty: Type) -> Result<Sort, Unsupported> {
        self.mode.sort(ty, self.target())
    }

    /// The integer type whose values those of `ty` are; pointers are unsigned numbers.
    pub(crate) fn int_type(&self, ty: Type) -> Option<IntType> {
        match ty {
            Type::Int(int) => Some(int),
            Type::Ptr => Some(IntType::new(self.target().pointer_bits, false)),
            _ => None,
        }
    }

    /// Records that a term is a value from outside, of this type.
    pub(crate) fn outside(&mut self, ty: Type, value: Term) -> Term {
        let fact = self.mode.input_fact(ty, self.target(), value);
        self.fact(fact);
        self.in_range_always(ty, value)
    }

    /// Remembers the range of a term that is known to be a value of this type, on this path: what is a plain
    /// sum here, or another variable, since the path bounds it, may be out of range elsewhere.
    pub(crate) fn in_range(&mut self, ty: Type, value: Term) -> Term {
        if self.mode == IntMode::Wrap
            && let Some(int) = self.int_type(ty)
        {
            self.learn(value, int);
        }
        value
    }

    /// The same of a term that is a value of this type whatever path is taken.
    pub(crate) fn in_range_always(&mut self, ty: Type, value: Term) -> Term {
        if self.mode == IntMode::Wrap
            && let Some(int) = self.int_type(ty)
        {
            self.intervals.learn(value, &Interval::of_bits(int.bits.into(), int.signed));
        }
        value
    }

    fn learn(&mut self, value: Term, int: IntType) {
        let bounds = Interval::of_bits(int.bits.into(), int.signed);
        match self.assumed.is_empty() {
            true => self.intervals.learn(value, &bounds),
            false => self.intervals.learn_here(value, &bounds, &self.assumed),
        }
    }

    /// A block starts in a state whose registers hold values of their types.
    pub(crate) fn start(&mut self, state: &State) {
        self.enter(&BTreeSet::new());
        let function = self.program.function(self.function);
        let locals = function.locals.iter().map(|l| l.storage).zip(&state.locals);
        let globals = self.program.globals.iter().map(|g| g.storage).zip(state.globals.iter());
        for (storage, value) in locals.chain(globals) {
            if let (Storage::Register(ty), Some(value)) = (storage, value) {
                self.in_range(ty, *value);
            }
        }
    }

    /// The next operations belong to a path that assumes this.
    pub(crate) fn enter(&mut self, assumed: &BTreeSet<Term>) {
        self.assumed.clone_from(assumed);
        self.intervals.enter(assumed);
    }

    /// Remembers a value that the outside gives.
    pub(crate) fn ask(&mut self, who: Who, ty: Type, value: Term) {
        let guard = Term::all(self.assumed.iter().copied());
        self.asked.push(Asked { guard, who, ty, value });
    }

    pub(crate) fn fact(&mut self, fact: Term) {
        if !fact.is_true() {
            self.facts.push(fact);
        }
    }

    pub(crate) fn trap(&mut self, condition: Term) {
        if !condition.is_false() {
            self.traps.push(condition);
        }
    }

    fn register(&mut self, var: Var, ty: Type, state: &State) -> Result<Term, Unsupported> {
        if let Some(value) = state.get(var) {
            return Ok(self.in_range(ty, value));
        }
        // What a register holds that may be read before it is set is decided at the function's entry.
        let Var::Local(id) = var else {
            return Err(Unsupported("a global without a value".to_owned()));
        };
        let function = self.program.function(self.function);
        let name = format!("entry.{}.{}", function.name, function.local(id).name);
        let value = Term::var(&name, self.sort(ty)?);
        Ok(self.outside(ty, value))
    }

    /// `ty` is the type of the operand and of the result.
    pub fn unary(&mut self, op: UnOp, ty: Type, a: Term) -> Result<Term, Unsupported> {
        match (ty, op) {
            (Type::Bool, UnOp::Not) => Ok(a.not()),
            (Type::Float(_), _) => float::unary(op, a),
            (Type::Int(_), UnOp::Neg | UnOp::Not) if self.mode == IntMode::Bv => {
                Ok(if op == UnOp::Neg { a.neg() } else { a.bvnot() })
            }
            (Type::Int(int), UnOp::Neg) => Ok(self.negation(int, a)),
            (Type::Int(int), UnOp::Not) => Ok(self.complement(int, a)),
            _ => Err(Unsupported(format!("{op:?} of {ty}"))),
        }
    }

    /// The condition, if a value depends on whether two addresses are the same.
    fn alias(&self, value: Term) -> Option<Term> {
        let condition = (*value.op() == Op::Ite).then(|| value.args()[0])?;
        self.aliases.contains(&condition).then_some(condition)
    }

    /// `ty` is the type of the first operand.
    pub fn binary(&mut self, op: BinOp, ty: Type, a: Term, b: Term) -> Result<Term, Unsupported> {
        let int = match ty {
            Type::Bool => return bool_binary(op, a, b),
            Type::Float(_) => return float::binary(op, a, b),
            Type::Int(int) => int,
            Type::Ptr => IntType::new(self.target().pointer_bits, op == BinOp::PtrSub),
        };
        if let (BinOp::Add | BinOp::Sub | BinOp::Xor, Some(case)) =
            (op, self.alias(a).or_else(|| self.alias(b)))
        {
            let part = |t: Term, holds: bool| match self.alias(t) {
                Some(other) if other == case => t.args()[if holds { 1 } else { 2 }],
                _ => t,
            };
            let (then, otherwise) = ((part(a, true), part(b, true)), (part(a, false), part(b, false)));
            let (x, y) =
                (self.binary(op, ty, then.0, then.1)?, self.binary(op, ty, otherwise.0, otherwise.1)?);
            return Ok(case.ite(x, y));
        }
        Ok(if self.mode == IntMode::Bv {
            self.bv_binary(op, int, a, b)
        } else {
            self.int_binary(op, int, a, b)
        })
    }

    pub fn cast(&mut self, from: Type, to: Type, a: Term) -> Result<Term, Unsupported> {
        let unknown = || Unsupported(format!("conversion of {from} to {to}"));
        match (from, to) {
            _ if from == to => Ok(a),
            (_, Type::Bool) => Err(Unsupported("conversion to bool".to_owned())),
            (Type::Float(_), Type::Float(_)) => Ok(float::convert(a, self.sort(to)?)),
            (Type::Bool, Type::Float(_)) => {
                let int = IntType::new(8, false);
                let bits = a.ite(Term::bv(1, 8), Term::bv(0, 8));
                Ok(float::from_bits_of_int(int, bits, self.sort(to)?))
            }
            (Type::Bool, _) => {
                let (one, zero) = (self.constant(to, 1)?, self.constant(to, 0)?);
                Ok(a.ite(one, zero))
            }
            (Type::Float(_), Type::Int(_) | Type::Ptr) => {
                let int = self.int_type(to).ok_or_else(unknown)?;
                let bits = float::to_bits_of_int(int, a);
                Ok(self.of_bits(to, bits))
            }
            (Type::Int(_) | Type::Ptr, Type::Float(_)) => {
                let int = self.int_type(from).ok_or_else(unknown)?;
                let bits = self.to_bits(from, a);
                Ok(float::from_bits_of_int(int, bits, self.sort(to)?))
            }
            _ => match (self.int_type(from), self.int_type(to)) {
                // Integers become pointers by zero extension, whatever their sign.
                (Some(a_type), Some(b_type)) if to == Type::Ptr => {
                    let unsigned = IntType::new(a_type.bits, false);
                    let zero_extended = self.convert_int(a_type, unsigned, a);
                    Ok(self.convert_int(unsigned, b_type, zero_extended))
                }
                (Some(a_type), Some(b_type)) => Ok(self.convert_int(a_type, b_type, a)),
                _ => Err(unknown()),
            },
        }
    }

    fn convert_int(&mut self, from: IntType, to: IntType, a: Term) -> Term {
        match self.mode {
            IntMode::Bv => bv::convert(from, to, a),
            IntMode::Wrap => self.wrap(a, to),
            IntMode::Unbounded => a,
        }
    }

    /// The bits of a value that is stored, as a bit-vector of its type's size.
    pub fn to_bits(&self, ty: Type, a: Term) -> Term {
        match ty {
            Type::Float(_) => float_bits(a),
            _ if self.mode == IntMode::Bv => a,
            _ => a.int_to_bv(self.int_type(ty).map_or(8, |int| u32::from(int.bits))),
        }
    }

    /// The value whose bits these are.
    pub fn of_bits(&self, ty: Type, bits: Term) -> Term {
        match ty {
            Type::Float(f) => float::of_bits(f, bits),
            _ if self.mode == IntMode::Bv => bits,
            _ => bits.bv_to_int(self.int_type(ty).is_some_and(|int| int.signed)),
        }
    }
}

fn bool_binary(op: BinOp, a: Term, b: Term) -> Result<Term, Unsupported> {
    Ok(match op {
        BinOp::And => a.and(b),
        BinOp::Or => a.or(b),
        BinOp::Xor | BinOp::Ne => a.differs(b),
        BinOp::Eq => a.equals(b),
        BinOp::Lt => a.not().and(b),
        BinOp::Le => a.implies(b),
        _ => return Err(Unsupported(format!("{op:?} of truth values"))),
    })
}
