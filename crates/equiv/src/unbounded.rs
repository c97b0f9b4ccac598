//! Runs over mathematical integers: does a difference remain if nothing wraps?
//!
//! A small interpreter of the IR whose integers are unbounded and whose memory holds a whole number at each
//! address, as in paper
//! 004. Functions without a body answer as the input says. What it does not know (answers and memory that the
//!      input leaves open, addresses of new objects that get out) ends the attempt: then the difference is
//!      not confirmed. Floats are kept as their bits and computed as in the interpreter.

use crate::concrete::{Base, CallKey, Difference, Input, Place, Value};
use crate::verdict::Request;
use ir::{
    BinOp, Body, Callee, EdgeId, Expr, ExprKind, FuncId, HavocKind, Op, Program, Storage, Type, UnOp, Var,
};
use logic::IBig;
use std::collections::BTreeMap;

/// Is the input one on which both versions end differently, without wrapping?
pub fn confirms(request: &Request, difference: &Difference) -> bool {
    let ran = [(request.pair.old, request.functions[0]), (request.pair.new, request.functions[1])]
        .into_iter()
        .enumerate()
        .map(|(side, (program, function))| run(program, function, side, &difference.input));
    let Some(ends) = ran.collect::<Option<Vec<End>>>() else { return false };
    if let Some(post) = &request.spec.post {
        // The relation was computed on the machine's numbers, which these are if nothing else came out.
        return !post.is_empty()
            && [&difference.old, &difference.new]
                .into_iter()
                .zip(&ends)
                .all(|(seen, end)| same_value(seen, end));
    }
    ends[0] != ends[1]
}

fn same_value(seen: &crate::concrete::Observation, end: &End) -> bool {
    match (&seen.value, &end.ending) {
        (Some((Type::Int(int), value)), Ending::Returned(Some(number))) => {
            value.bits().is_some_and(|bits| IBig::from(int.value(bits)) == *number)
        }
        (None, Ending::Returned(None)) => true,
        _ => false,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Ending {
    Returned(Option<IBig>),
    Exited(Option<IBig>),
    Trapped,
    Failed,
}

/// How a run ended, and what it left behind.
#[derive(Clone, PartialEq, Eq, Debug)]
struct End {
    ending: Ending,
    /// The numbers that changed, by address; globals by name.
    memory: BTreeMap<IBig, IBig>,
    globals: BTreeMap<String, IBig>,
    calls: Vec<(String, Vec<IBig>)>,
}

const MOST_STEPS: u64 = 2_000_000;
const DEEPEST: usize = 40_000;
/// Objects lie so far apart that no index leads from one to another.
const APART: u64 = 1 << 32;
/// Objects that the versions make have numbers from here on.
const NEW: u64 = 1 << 20;

struct Machine<'p> {
    program: &'p Program,
    input: &'p Input,
    memory: BTreeMap<IBig, IBig>,
    first: BTreeMap<IBig, IBig>,
    globals: BTreeMap<u32, IBig>,
    /// Memory that was set to zero.
    zero: Vec<(IBig, IBig)>,
    objects: u64,
    calls: Vec<(String, Vec<IBig>)>,
    /// How often a function without a body was called with certain arguments.
    asked: BTreeMap<(String, Vec<Value>), u32>,
    steps: u64,
}

/// The rest of an execution is not computed.
enum Stop {
    Unknown,
    End(Ending),
}

fn run(program: &Program, function: FuncId, side: usize, input: &Input) -> Option<End> {
    let f = program.function(function);
    let mut machine = Machine {
        program,
        input,
        memory: BTreeMap::new(),
        first: BTreeMap::new(),
        globals: BTreeMap::new(),
        zero: Vec::new(),
        objects: NEW,
        calls: Vec::new(),
        asked: BTreeMap::new(),
        steps: 0,
    };
    let mut args = Vec::new();
    for (i, value) in input.args[side].iter().enumerate() {
        let ty = f.param_types().nth(i)?;
        args.push(machine.value(value, ty)?);
    }
    let ending = match machine.call(function, args, 0) {
        Ok(value) => Ending::Returned(value),
        Err(Stop::End(ending)) => ending,
        Err(Stop::Unknown) => return None,
    };
    // New objects are the version's own, but where they are must not show.
    let new = IBig::from(APART) * IBig::from(NEW) - IBig::from(APART / 2);
    let changed =
        |(address, value): &(IBig, IBig)| *address < new && machine.first.get(address) != Some(value);
    let memory: BTreeMap<IBig, IBig> = machine.memory.clone().into_iter().filter(changed).collect();
    let returned = match &ending {
        Ending::Returned(value) | Ending::Exited(value) => value.as_ref(),
        Ending::Trapped | Ending::Failed => None,
    };
    let called = machine.calls.iter().flat_map(|(_, args)| args);
    let behind = IBig::from(APART) * IBig::from(machine.objects);
    let shows = |v: &IBig| new <= *v && *v < behind;
    if memory.values().chain(machine.globals.values()).chain(returned).chain(called).any(shows) {
        return None;
    }
    let name = |id: &u32| program.global(ir::GlobalId(*id)).name.to_string();
    let globals = machine.globals.iter().map(|(id, v)| (name(id), v.clone())).collect();
    Some(End { ending, memory, globals, calls: machine.calls.clone() })
}

impl Machine<'_> {
    fn value(&self, value: &Value, ty: Type) -> Option<IBig> {
        match (value, ty) {
            (Value::Bits(bits), Type::Int(int)) => Some(IBig::from(int.value(*bits))),
            (Value::Bits(bits), Type::Ptr | Type::Float(_)) => Some(IBig::from(*bits)),
            (Value::Pointer(p), Type::Ptr) => match p.base {
                Base::Object(k) => Some(IBig::from(APART) * IBig::from(k + 1) + IBig::from(p.offset)),
                _ => None,
            },
            _ => None,
        }
    }

    fn call(&mut self, function: FuncId, args: Vec<IBig>, depth: usize) -> Result<Option<IBig>, Stop> {
        let f = self.program.function(function);
        let cfa = f.cfa().ok_or(Stop::Unknown)?;
        if depth > DEEPEST {
            return Err(Stop::Unknown);
        }
        let mut locals: Vec<Option<IBig>> = vec![None; f.locals.len()];
        for (i, arg) in args.into_iter().enumerate() {
            *locals.get_mut(i).ok_or(Stop::Unknown)? = Some(arg);
        }
        let mut node = cfa.entry;
        'run: loop {
            for id in cfa.out_ids(node) {
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return Err(Stop::Unknown);
                }
                if let Some(done) = self.step(f, id, &mut locals, depth)? {
                    match done {
                        Done::Returned(value) => return Ok(value),
                        Done::Went => {
                            node = cfa.edge(id).to;
                            continue 'run;
                        }
                    }
                }
            }
            // No edge could be taken: an assumption failed.
            return Err(Stop::Unknown);
        }
    }

    fn step(
        &mut self,
        f: &ir::Function,
        id: EdgeId,
        locals: &mut [Option<IBig>],
        depth: usize,
    ) -> Result<Option<Done>, Stop> {
        let edge = f.cfa().ok_or(Stop::Unknown)?.edge(id);
        match &edge.op {
            Op::Skip | Op::Free { .. } | Op::Lifetime { .. } => {}
            Op::Assume { cond, holds } => {
                if (self.eval(cond, locals)? != IBig::ZERO) != *holds {
                    return Ok(None);
                }
            }
            Op::Assign { var, value } => {
                let value = self.eval(value, locals)?;
                self.set(*var, value, locals)?;
            }
            Op::Store { addr, value } => {
                let (address, value) = (self.eval(addr, locals)?, self.eval(value, locals)?);
                self.memory.insert(address, value);
            }
            Op::Havoc { var, kind: HavocKind::Uninit } => self.set(*var, IBig::ZERO, locals)?,
            Op::Call { dst, callee: Callee::Direct(g), args } => {
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.eval(arg, locals)?);
                }
                let callee = self.program.function(*g);
                let result = match (&callee.body, &*callee.name) {
                    (_, "__mark" | "__splitmark") => Some(IBig::NEG_ONE),
                    (_, "__inlineCall") => values.first().cloned(),
                    (Body::Defined(_), _) => self.call(*g, values, depth + 1)?,
                    (Body::Extern, name) => self.ask(name, callee.ret, args, values)?,
                    _ => return Err(Stop::Unknown),
                };
                if let Some(dst) = dst {
                    self.set(*dst, result.ok_or(Stop::Unknown)?, locals)?;
                }
            }
            Op::Return(value) => {
                let value = value.as_ref().map(|e| self.eval(e, locals)).transpose()?;
                return Ok(Some(Done::Returned(value)));
            }
            Op::Check { cond, .. } => {
                if self.eval(cond, locals)? == IBig::ZERO {
                    return Err(Stop::End(Ending::Failed));
                }
            }
            Op::Halt(code) => {
                let code = code.as_ref().map(|e| self.eval(e, locals)).transpose()?;
                return Err(Stop::End(Ending::Exited(code)));
            }
            Op::Alloc { var, .. } => {
                let address = IBig::from(APART) * IBig::from(self.objects);
                self.objects += 1;
                self.set(*var, address, locals)?;
            }
            Op::Fill { dst, byte, len } => {
                let (start, byte) = (self.eval(dst, locals)?, self.eval(byte, locals)?);
                let end = &start + self.eval(len, locals)?;
                if byte != IBig::ZERO || start < IBig::from(APART) * IBig::from(NEW) {
                    return Err(Stop::Unknown);
                }
                self.memory.retain(|address, _| *address < start || *address >= end);
                self.zero.push((start, end));
            }
            Op::Havoc { .. } | Op::Copy { .. } | Op::Call { .. } => return Err(Stop::Unknown),
        }
        Ok(Some(Done::Went))
    }

    /// What a function without a body returns.
    fn ask(
        &mut self,
        name: &str,
        ret: Option<Type>,
        args: &[Expr],
        values: Vec<IBig>,
    ) -> Result<Option<IBig>, Stop> {
        let as_bits = |(arg, value): (&Expr, &IBig)| match arg.ty {
            Type::Ptr if *value != IBig::ZERO => Err(Stop::Unknown),
            ty => Ok(Value::Bits(bits_of(value.clone(), ty)?)),
        };
        let given = args.iter().zip(&values).map(as_bits).collect::<Result<Vec<Value>, Stop>>()?;
        let index = self.asked.entry((name.to_owned(), given.clone())).or_default();
        let key = CallKey { name: name.into(), args: given, index: *index };
        *index += 1;
        self.calls.push((name.to_owned(), values));
        let Some(ty) = ret else { return Ok(None) };
        let answer = self.input.returns.get(&key).ok_or(Stop::Unknown)?;
        Ok(Some(self.value(answer, ty).ok_or(Stop::Unknown)?))
    }

    fn set(&mut self, var: Var, value: IBig, locals: &mut [Option<IBig>]) -> Result<(), Stop> {
        match var {
            Var::Local(id) => *locals.get_mut(id.0 as usize).ok_or(Stop::Unknown)? = Some(value),
            Var::Global(id) => {
                self.globals.insert(id.0, value);
            }
        }
        Ok(())
    }

    fn global(&self, id: ir::GlobalId) -> Result<IBig, Stop> {
        if let Some(value) = self.globals.get(&id.0) {
            return Ok(value.clone());
        }
        let global = self.program.global(id);
        let Storage::Register(ty) = global.storage else { return Err(Stop::Unknown) };
        let size = ty.access_size(&self.program.target);
        let given = self.input.memory.get(&Place::Global(global.name.clone()), 0, size);
        let value = given.and_then(|v| self.value(&v, ty));
        let constant = || {
            let item = global.init.as_ref().filter(|_| global.constant)?.items.first()?;
            match (&item.value, ty) {
                (ir::InitValue::Scalar(e), Type::Int(int)) => {
                    e.as_const().map(|bits| IBig::from(int.value(bits)))
                }
                _ => None,
            }
        };
        value.or_else(constant).ok_or(Stop::Unknown)
    }

    fn load(&mut self, address: IBig, ty: Type) -> Result<IBig, Stop> {
        if let Some(value) = self.memory.get(&address) {
            return Ok(value.clone());
        }
        if self.zero.iter().any(|(start, end)| *start <= address && address < *end) {
            return Ok(IBig::ZERO);
        }
        // The middle half of an object's distance belongs to it.
        let apart = IBig::from(APART);
        let number = (&address + &apart / IBig::from(2)) / &apart;
        let index = usize::try_from(&number).ok().and_then(|n| n.checked_sub(1)).ok_or(Stop::Unknown)?;
        let offset = u64::try_from(&address - &apart * number).map_err(|_| Stop::Unknown)?;
        let size = ty.access_size(&self.program.target);
        let given = self.input.memory.get(&Place::Object(index), offset, size).ok_or(Stop::Unknown)?;
        // A cell holds one number, whatever type it is read as: the signed one.
        let ty = match ty {
            Type::Int(int) => Type::int(int.bits, true),
            other => other,
        };
        let value = self.value(&given, ty).ok_or(Stop::Unknown)?;
        self.memory.insert(address.clone(), value.clone());
        self.first.insert(address, value.clone());
        Ok(value)
    }

    fn eval(&mut self, e: &Expr, locals: &[Option<IBig>]) -> Result<IBig, Stop> {
        Ok(match &e.kind {
            ExprKind::Const(bits) => match e.ty {
                Type::Int(int) => IBig::from(int.value(*bits)),
                Type::Bool | Type::Ptr | Type::Float(_) => IBig::from(*bits),
            },
            ExprKind::Local(id) => locals.get(id.0 as usize).cloned().flatten().ok_or(Stop::Unknown)?,
            ExprKind::Global(id) => self.global(*id)?,
            ExprKind::Load(address) => {
                let address = self.eval(address, locals)?;
                self.load(address, e.ty)?
            }
            ExprKind::Cast(inner) => match (inner.ty, e.ty) {
                (Type::Float(_), _) | (_, Type::Float(_)) => {
                    let bits = bits_of(self.eval(inner, locals)?, inner.ty)?;
                    let result = interp::eval::cast(&self.program.target, inner.ty, e.ty, bits);
                    of_bits(result, e.ty)
                }
                _ => self.eval(inner, locals)?,
            },
            ExprKind::Ite(parts) => {
                let chosen = if self.eval(&parts[0], locals)? != IBig::ZERO { &parts[1] } else { &parts[2] };
                self.eval(chosen, locals)?
            }
            ExprKind::Unary(op, a) => {
                let a_value = self.eval(a, locals)?;
                match op {
                    _ if a.ty.is_float() => {
                        of_bits(interp::eval::unary(*op, a.ty, bits_of(a_value, a.ty)?), e.ty)
                    }
                    UnOp::Neg => -a_value,
                    UnOp::Not if a.ty == Type::Bool => truth(a_value == IBig::ZERO),
                    UnOp::Not => -a_value - IBig::ONE,
                    _ => return Err(Stop::Unknown),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(a, locals)?, self.eval(b, locals)?);
                if a.ty.is_float() {
                    let (x, y) = (bits_of(x, a.ty)?, bits_of(y, b.ty)?);
                    let result = interp::eval::binary(&self.program.target, *op, a.ty, x, y);
                    return result.map(|bits| of_bits(bits, e.ty)).map_err(|_| Stop::Unknown);
                }
                binary(*op, a.ty, x, y)?
            }
            _ => return Err(Stop::Unknown),
        })
    }
}

enum Done {
    Went,
    Returned(Option<IBig>),
}

/// The machine's bits of a number, if it is a value of the type.
fn bits_of(value: IBig, ty: Type) -> Result<u128, Stop> {
    match ty {
        Type::Int(int) => {
            let number = i128::try_from(value).map_err(|_| Stop::Unknown)?;
            if int.value(int.wrap(number)) == number { Ok(int.wrap(number)) } else { Err(Stop::Unknown) }
        }
        _ => u128::try_from(value).map_err(|_| Stop::Unknown),
    }
}

fn of_bits(bits: u128, ty: Type) -> IBig {
    match ty {
        Type::Int(int) => IBig::from(int.value(bits)),
        _ => IBig::from(bits),
    }
}

fn truth(value: bool) -> IBig {
    if value { IBig::ONE } else { IBig::ZERO }
}

fn binary(op: BinOp, ty: Type, x: IBig, y: IBig) -> Result<IBig, Stop> {
    Ok(match op {
        BinOp::Add | BinOp::PtrAdd => x + y,
        BinOp::Sub | BinOp::PtrSub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div | BinOp::Rem if y == IBig::ZERO => return Err(Stop::End(Ending::Trapped)),
        // Both truncate toward zero.
        BinOp::Div => x / y,
        BinOp::Rem => x % y,
        BinOp::Eq => truth(x == y),
        BinOp::Ne => truth(x != y),
        BinOp::Lt => truth(x < y),
        BinOp::Le => truth(x <= y),
        BinOp::And if ty == Type::Bool => truth(x != IBig::ZERO && y != IBig::ZERO),
        BinOp::Or if ty == Type::Bool => truth(x != IBig::ZERO || y != IBig::ZERO),
        BinOp::Xor if ty == Type::Bool => truth(x != y),
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
            // Only where the machine computes the same: on numbers of the type that stay in it.
            let Type::Int(int) = ty else { return Err(Stop::Unknown) };
            let fit = |v: &IBig| i128::try_from(v).ok().filter(|v| int.value(int.wrap(*v)) == *v);
            // All ones: a mark, or a complement of zero.
            match (op, &x, &y) {
                (BinOp::And, _, ones) if *ones == IBig::NEG_ONE => return Ok(x),
                (BinOp::And, ones, _) if *ones == IBig::NEG_ONE => return Ok(y),
                _ => {}
            }
            let (x, y) = (fit(&x).ok_or(Stop::Unknown)?, fit(&y).ok_or(Stop::Unknown)?);
            let result = match op {
                BinOp::And => x & y,
                BinOp::Or => x | y,
                BinOp::Xor => x ^ y,
                _ if !(0..i128::from(int.bits)).contains(&y) => return Err(Stop::Unknown),
                BinOp::Shl => x.checked_mul(1i128 << y.min(120)).ok_or(Stop::Unknown)?,
                _ => x >> y,
            };
            if int.value(int.wrap(result)) != result {
                return Err(Stop::Unknown);
            }
            IBig::from(result)
        }
        BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows => IBig::ZERO,
    })
}
