//! One expression, encoded and run.

use base::Budget;
use encode::{Encoder, IntMode, Regions, State};
use interp::{Interp, Options, Outcome, UndefinedKind, ZeroInputs};
use ir::{
    BinOp, Body, Cfa, Edge, Expr, ExprKind, FuncId, Function, Local, LocalId, LocalOrigin, NodeId, Op, Pos,
    Program, Storage, Target, Type, UnOp,
};
use logic::{Sort, Term, Value, eval};
use smt::{SatResult, Settings, Solver, Z3Solver};

pub const MODES: [IntMode; 3] = [IntMode::Bv, IntMode::Wrap, IntMode::Unbounded];

/// A function `f` of these parameters that returns an expression.
pub fn program(target: Target, params: &[Type], e: &Expr) -> Program {
    let e = if e.ty == Type::Bool { Expr::cast(Type::I32, e.clone()) } else { e.clone() };
    let locals = params.iter().enumerate().map(|(i, ty)| Local {
        name: format!("p{i}").into(),
        storage: Storage::Register(*ty),
        origin: LocalOrigin::Param,
        c_type: "".into(),
        pos: Pos::default(),
    });
    let edge = Edge { from: NodeId(0), to: NodeId(1), op: Op::Return(Some(e.clone())), pos: Pos::default() };
    let function = Function {
        name: "f".into(),
        ret: Some(e.ty),
        params: params.len() as u32,
        variadic: false,
        locals: locals.collect(),
        body: Body::Defined(Cfa::new(2, NodeId(0), NodeId(1), vec![edge])),
        havocs: false,
        c_type: "".into(),
        pos: Pos::default(),
    };
    let mut program = ir::testing::empty_program();
    program.target = target;
    program.add_function(function);
    assert_eq!(ir::verify(&program), Ok(()));
    program
}

pub fn value(mode: IntMode, target: &Target, ty: Type, bits: u128) -> Value {
    Value::of(mode.constant(ty, target, bits).unwrap()).unwrap()
}

/// A state without memory whose first locals are these terms.
pub fn state(locals: Vec<Term>) -> State {
    State {
        locals: locals.into_iter().map(Some).collect(),
        globals: Vec::new(),
        memory: Vec::new(),
        world: Term::var("world", Sort::Int),
        allocations: Term::var("allocations", Sort::Int),
        inputs: Term::var("inputs", Sort::Int),
    }
}

/// How thoroughly to look.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Evaluate,
    /// Also ask the solver, with the arguments as variables.
    Solve,
    /// Only ask the solver, with the arguments as constants: where our own evaluation cannot follow.
    SolveConstants,
}

/// On every list of arguments, the encoded expression has the value that the interpreter computes, and traps
/// where it does.
pub fn check(mode: IntMode, target: Target, params: &[Type], e: &Expr, cases: &[Vec<u128>], depth: Depth) {
    let subject = Subject::new(mode, target, params, e);
    let mut interp = Interp::new(&subject.program, Options::new(FuncId(0))).unwrap();
    let sorts = params.iter().map(|ty| mode.sort(*ty, &target).unwrap());
    let vars: Vec<Term> = sorts.zip(0..).map(|(sort, i)| Term::var(&format!("p{i}"), sort)).collect();
    let symbolic = subject.encode(vars.clone());
    let mut solver = (depth != Depth::Evaluate).then(|| Z3Solver::new(Settings::default()).unwrap());
    for args in cases {
        let outcome = interp.call(FuncId(0), args, &mut ZeroInputs, &Budget::unlimited()).outcome;
        let expected = match outcome {
            Outcome::Returned(Some(bits)) => Some(bits),
            Outcome::Undefined(u) => {
                assert!(matches!(u.kind, UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow));
                None
            }
            other => panic!("{other:?}"),
        };
        if mode == IntMode::Unbounded && is_exact(&target, e, args) != Some(true) {
            continue;
        }
        let values: Vec<Value> =
            params.iter().zip(args).map(|(ty, a)| value(mode, &target, *ty, *a)).collect();
        let known = |t: Term| vars.iter().position(|v| *v == t).map(|i| values[i].clone());
        let closed = subject.encode(values.iter().map(Value::to_term).collect());
        if depth != Depth::SolveConstants {
            subject.evaluate(&closed, &|_| None, &values, expected);
            subject.evaluate(&symbolic, &known, &values, expected);
        }
        let Some(solver) = &mut solver else { continue };
        solver.push();
        if depth == Depth::Solve {
            vars.iter().zip(&values).for_each(|(x, v)| solver.assert(x.equals(v.to_term())));
            subject.solve(solver, &symbolic, &values, expected);
        } else {
            subject.solve(solver, &closed, &values, expected);
        }
        solver.pop();
    }
}

struct Subject {
    mode: IntMode,
    program: Program,
    regions: Regions,
}

struct Encoded {
    value: Term,
    traps: Term,
    facts: Vec<Term>,
}

impl Subject {
    fn new(mode: IntMode, target: Target, params: &[Type], e: &Expr) -> Subject {
        let program = program(target, params, e);
        let regions = Regions::analyse(&[&program], &[vec![FuncId(0)]]);
        Subject { mode, program, regions }
    }

    fn expr(&self) -> &Expr {
        match &self.program.functions[0].cfa().unwrap().edges()[0].op {
            Op::Return(Some(e)) => e,
            other => panic!("{other:?}"),
        }
    }

    fn encode(&self, locals: Vec<Term>) -> Encoded {
        let mut encoder = Encoder::new(&self.program, 0, FuncId(0), self.mode, &self.regions, "");
        let value = encoder.expr(self.expr(), &state(locals)).unwrap();
        Encoded { value, traps: Term::any(encoder.traps), facts: encoder.facts }
    }

    fn evaluate(
        &self,
        encoded: &Encoded,
        known: &dyn Fn(Term) -> Option<Value>,
        values: &[Value],
        expected: Option<u128>,
    ) {
        let holds = |t: Term| eval(t, known);
        let traps = Some(Value::Bool(expected.is_none()));
        assert_eq!(holds(encoded.traps), traps, "{}", self.says("traps", values, encoded.traps));
        for fact in &encoded.facts {
            assert_eq!(holds(*fact), Some(Value::Bool(true)), "{}", self.says("fact", values, *fact));
        }
        if let Some(bits) = expected {
            let value = value(self.mode, &self.program.target, self.expr().ty, bits);
            assert_eq!(holds(encoded.value), Some(value), "{}", self.says("value", values, encoded.value));
        }
    }

    fn solve(&self, solver: &mut Z3Solver, encoded: &Encoded, values: &[Value], expected: Option<u128>) {
        let Some(bits) = expected else { return };
        encoded.facts.iter().for_each(|t| solver.assert(*t));
        let value = value(self.mode, &self.program.target, self.expr().ty, bits).to_term();
        let right = encoded.value.equals(value);
        for (query, answer) in
            [(right.not(), SatResult::Unsat), (right, SatResult::Sat), (encoded.traps, SatResult::Unsat)]
        {
            assert_eq!(solver.check(&[query]), answer, "{}", self.says("solver", values, encoded.value));
        }
    }

    fn says(&self, what: &str, values: &[Value], result: Term) -> String {
        let function = Some(&*self.program.functions[0]);
        let e = ir::ExprDisplay { program: &self.program, function, expr: self.expr() };
        format!("{} {what}: {e} on {values:?} is not {result}", self.mode)
    }
}

/// Is every number on the way what it would be without limits of size? None if the evaluation traps.
fn is_exact(target: &Target, e: &Expr, args: &[u128]) -> Option<bool> {
    let mut exact = true;
    reference(target, e, args, &mut exact)?;
    Some(exact)
}

fn reference(target: &Target, e: &Expr, args: &[u128], exact: &mut bool) -> Option<u128> {
    let mut child = |e: &Expr| reference(target, e, args, exact);
    Some(match &e.kind {
        ExprKind::Const(bits) => *bits,
        ExprKind::Local(LocalId(i)) => args[*i as usize],
        ExprKind::Unary(op, a) => {
            let x = child(a)?;
            if let (UnOp::Neg, Type::Int(int)) = (op, e.ty) {
                *exact &= x == 0 || int.signed && x != int.min_bits();
            }
            interp::eval::unary(*op, e.ty, x)
        }
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (child(a)?, child(b)?);
            let result = interp::eval::binary(target, *op, a.ty, x, y).ok()?;
            *exact &= match (a.ty, op) {
                (Type::Int(int), BinOp::Add | BinOp::Sub | BinOp::Mul) => {
                    !interp::eval::overflows(*op, int, x, y)
                }
                (Type::Int(int), BinOp::Shl) => {
                    let count = (y & u128::from(int.bits - 1)) as u32;
                    let back = interp::eval::binary(target, BinOp::Shr, a.ty, result, u128::from(count));
                    back == Ok(x)
                }
                (_, BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows) => result == 0,
                (_, BinOp::PtrAdd) => {
                    let pointer = ir::IntType::new(target.pointer_bits, false);
                    let offset = ir::IntType::new(target.pointer_bits, true).value(y);
                    let sum = pointer.value(x) + offset;
                    0 <= sum && sum <= pointer.max_bits() as i128
                }
                (_, BinOp::PtrSub) => {
                    let (pointer, distance) = (
                        ir::IntType::new(target.pointer_bits, false),
                        ir::IntType::new(target.pointer_bits, true),
                    );
                    pointer.value(x) - pointer.value(y) == distance.value(result)
                }
                _ => true,
            };
            result
        }
        ExprKind::Cast(a) => {
            let x = child(a)?;
            let result = interp::eval::cast(target, a.ty, e.ty, x);
            let number = |ty: Type, bits: u128| match ty {
                Type::Int(int) if int.signed => (int.value(bits), int.value(bits) < 0),
                _ => (bits as i128, false),
            };
            *exact &= a.ty.is_float() || e.ty.is_float() || number(a.ty, x) == number(e.ty, result);
            result
        }
        ExprKind::Ite(parts) => {
            let [c, a, b] = &**parts;
            let (c, a, b) = (child(c)?, child(a)?, child(b)?);
            if c != 0 { a } else { b }
        }
        other => panic!("{other:?}"),
    })
}

/// For property tests: this many cases, or what `PROPTEST_CASES` says.
pub fn cases(count: u32) -> proptest::test_runner::Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(count);
    proptest::test_runner::Config { cases, failure_persistence: None, ..Default::default() }
}
