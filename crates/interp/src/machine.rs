//! The loop that runs internal code.
//!
//! All calls of the program live in one vector of frames and one of slots, so deep recursion costs memory
//! that is counted, never the host's stack. Anything but plain arithmetic and memory hits is done by cold
//! functions elsewhere; they return the outcome that ends the run.

use crate::code::{Code, Inst, NO_EDGE, NO_SLOT, is_wide, slot_bits, slot_form, type_of_code};
use crate::compile::{Context, compile};
use crate::eval::{self, ArithFault};
use crate::havoc::{Registers, havoc};
use crate::io::{At, Io};
use crate::memory::{Memory, ObjectKind};
use crate::outcome::{Outcome, TraceStep};
use crate::rare::{
    arguments, arith_fault, call_extern, check_failed, left, pass_extra, rare, resolve, snapshot,
    unsupported, write_value,
};
use crate::repetition::Seen;
use base::{Budget, Stopped};
use ir::{BinOp, Body, EdgeId, FuncId, NodeId};
use std::cell::OnceCell;

/// The code of all functions, compiled when first called.
pub struct Codes<'p> {
    pub context: Context<'p>,
    list: Vec<OnceCell<Code>>,
}

impl<'p> Codes<'p> {
    pub fn new(context: Context<'p>) -> Self {
        let list = context.program.functions.iter().map(|_| OnceCell::new()).collect();
        Codes { context, list }
    }

    #[inline]
    pub fn get(&self, id: u32) -> &Code {
        self.list[id as usize].get_or_init(|| compile(&self.context, FuncId(id)))
    }
}

/// Everything that changes while a program runs.
pub struct State {
    pub memory: Memory,
    /// The slots of register globals.
    pub globals: Vec<u64>,
    /// The addresses that `stdout` and `stderr` hold.
    pub streams: [Option<u64>; 2],
    stack: Vec<u64>,
    frames: Vec<Frame>,
    /// Objects that end with an activation; a frame knows where its own begin.
    objects: Vec<u32>,
    pub steps: u64,
}

/// A caller that waits.
#[derive(Clone, Copy)]
struct Frame {
    func: u32,
    pc: u32,
    base: usize,
    /// Where it wants the result.
    dst: u32,
    first_object: u32,
}

/// Steps between two looks at the budget.
const CHECK_EVERY: u64 = 8192;

impl State {
    pub fn new(memory: Memory, globals: Vec<u64>, streams: [Option<u64>; 2]) -> Self {
        State {
            memory,
            globals,
            streams,
            stack: Vec::new(),
            frames: Vec::new(),
            objects: Vec::new(),
            steps: 0,
        }
    }
}

/// Runs `entry` with these argument bits until it ends; also says where that was, innermost first.
pub fn execute(
    codes: &Codes,
    state: &mut State,
    io: &mut Io,
    budget: &Budget,
    entry: FuncId,
    args: &[u128],
) -> (Outcome, Vec<TraceStep>) {
    let program = codes.context.program;
    let State { memory, globals, stack, frames, objects, steps, .. } = state;
    frames.clear();
    let mask = memory.mask();
    let mut func = entry.0;
    let mut code = codes.get(func);
    let mut base = 0usize;
    let mut first_object = objects.len();
    let limit = io.options.max_steps.min(budget.steps.unwrap_or(u64::MAX));
    // Down to the next look at the budget: one register, one comparison.
    let mut fuel = Fuel { steps: 0, left: 0, limit, budget };
    if !reserve(stack, memory, code.frame as usize + args.len() * 2) {
        return (Outcome::StackOverflow, Vec::new());
    }
    for (&(slot, ty), &bits) in code.params.iter().zip(args) {
        write_value(&mut stack[slot as usize..], 0, ty, bits);
    }
    if let Some(slot) = code.varargs {
        match memory.allocate(0, 16, ObjectKind::VarArgs) {
            Ok((address, index)) => {
                stack[slot as usize] = address;
                objects.push(index);
            }
            Err(_) => return (Outcome::OutOfMemory, Vec::new()),
        }
    }
    let mut seen = Seen::default();
    // What is still to run; where that is, is only worked out when asked.
    let mut rest = code.insts.iter();
    let mut regs: &mut [u64] = &mut stack[..code.frame as usize];

    macro_rules! at {
        () => {
            At { function: FuncId(func), edge: edge_of(code, last(code, &rest)) }
        };
    }
    macro_rules! reg {
        ($slot:expr) => {
            regs[$slot as usize]
        };
    }
    macro_rules! signed {
        ($slot:expr) => {
            regs[$slot as usize] as i64
        };
    }
    macro_rules! float {
        ($slot:expr) => {
            f64::from_bits(regs[$slot as usize])
        };
    }

    let outcome = 'run: loop {
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(outcome) => break 'run outcome,
                }
            };
        }
        macro_rules! count {
            ($cost:expr) => {
                fuel.left -= i64::from($cost);
                if fuel.left <= 0 {
                    attempt!(fuel.refill());
                }
            };
        }
        macro_rules! jump_if {
            ($cost:expr, $to:expr, $cond:expr) => {{
                if $cond {
                    rest = code.from($to);
                }
                count!($cost);
            }};
        }
        macro_rules! load {
            ($n:literal, $ty:expr, $dst:expr, $address:expr, $convert:expr) => {{
                let address: u64 = $address & mask;
                let value = match memory.load::<$n>(address) {
                    Some(bytes) => $convert(bytes),
                    None => {
                        let ty = type_of_code($ty);
                        slot_form(ty, attempt!(io.load(memory, at!(), address, ty)))
                    }
                };
                reg!($dst) = value;
            }};
        }
        macro_rules! store {
            ($n:literal, $address:expr, $value:expr) => {{
                let address: u64 = $address & mask;
                let bytes: [u8; 16] = u128::to_le_bytes($value);
                let mut low = [0; $n];
                low.copy_from_slice(&bytes[..$n]);
                if !memory.store::<$n>(address, low) {
                    attempt!(memory.write(address, &low).map_err(|f| at!().fault(program, f)));
                }
            }};
        }
        macro_rules! offset {
            ($addr:expr, $offset:expr) => {
                reg!($addr).wrapping_add($offset as i64 as u64)
            };
        }
        macro_rules! scaled {
            ($addr:expr, $index:expr, $scale:expr) => {
                reg!($addr).wrapping_add(reg!($index).wrapping_mul(u64::from($scale)))
            };
        }
        macro_rules! wide {
            ($slot:expr) => {
                u128::from(reg!($slot)) | u128::from(reg!($slot + 1)) << 64
            };
        }
        macro_rules! call_extern {
            ($id:expr, $site:expr, $dst:expr) => {{
                if program.function($id).havocs {
                    let registers = Registers { places: &codes.context.globals, values: globals };
                    attempt!(havoc(&arguments($site, regs), registers, at!(), memory, io));
                }
                attempt!(call_extern($id, $site, $dst, at!(), regs, memory, io));
            }};
        }
        macro_rules! enter {
            ($callee:expr, $window:expr, $dst:expr) => {{
                let callee: u32 = $callee;
                let callee_code = codes.get(callee);
                if frames.len() >= io.options.max_depth as usize {
                    break 'run Outcome::StackOverflow;
                }
                frames.push(Frame {
                    func,
                    pc: (code.insts.len() - rest.len()) as u32,
                    base,
                    dst: $dst,
                    first_object: first_object as u32,
                });
                base += $window as usize;
                let end = base + callee_code.frame as usize;
                if stack.len() < end && !reserve(stack, memory, end) {
                    break 'run Outcome::StackOverflow;
                }
                func = callee;
                code = callee_code;
                rest = code.insts.iter();
                first_object = objects.len();
                regs = &mut stack[base..end];
            }};
        }
        macro_rules! leave {
            ($result:expr, $low:expr, $high:expr) => {{
                let (low, high): (u64, u64) = ($low, $high);
                while objects.len() > first_object {
                    if let Some(index) = objects.pop() {
                        memory.release(index);
                    }
                }
                let Some(frame) = frames.pop() else { break 'run $result };
                let ret_wide = code.ret.is_some_and(is_wide);
                func = frame.func;
                base = frame.base;
                first_object = frame.first_object as usize;
                code = codes.get(func);
                rest = code.from(frame.pc);
                regs = &mut stack[base..base + code.frame as usize];
                if frame.dst != NO_SLOT {
                    reg!(frame.dst) = low;
                    if ret_wide {
                        reg!(frame.dst + 1) = high;
                    }
                }
            }};
        }

        let Some(inst) = rest.next() else {
            break 'run Outcome::Unsupported {
                reason: "the end of the code".into(),
                pos: Default::default(),
            };
        };
        match *inst {
            Inst::Add64 { dst, a, b } => reg!(dst) = reg!(a).wrapping_add(reg!(b)),
            Inst::AddI32 { dst, a, b } => reg!(dst) = sext32(reg!(a).wrapping_add(reg!(b))),
            Inst::AddU32 { dst, a, b } => reg!(dst) = zext32(reg!(a).wrapping_add(reg!(b))),
            Inst::Sub64 { dst, a, b } => reg!(dst) = reg!(a).wrapping_sub(reg!(b)),
            Inst::SubI32 { dst, a, b } => reg!(dst) = sext32(reg!(a).wrapping_sub(reg!(b))),
            Inst::SubU32 { dst, a, b } => reg!(dst) = zext32(reg!(a).wrapping_sub(reg!(b))),
            Inst::Mul64 { dst, a, b } => reg!(dst) = reg!(a).wrapping_mul(reg!(b)),
            Inst::MulI32 { dst, a, b } => reg!(dst) = sext32(reg!(a).wrapping_mul(reg!(b))),
            Inst::MulU32 { dst, a, b } => reg!(dst) = zext32(reg!(a).wrapping_mul(reg!(b))),
            Inst::And { dst, a, b } => reg!(dst) = reg!(a) & reg!(b),
            Inst::Or { dst, a, b } => reg!(dst) = reg!(a) | reg!(b),
            Inst::Xor { dst, a, b } => reg!(dst) = reg!(a) ^ reg!(b),
            Inst::Shl64 { dst, a, b } => reg!(dst) = reg!(a).wrapping_shl(reg!(b) as u32),
            Inst::ShlI32 { dst, a, b } => reg!(dst) = sext32(reg!(a) << (reg!(b) & 31)),
            Inst::ShlU32 { dst, a, b } => reg!(dst) = zext32(reg!(a) << (reg!(b) & 31)),
            Inst::ShrS64 { dst, a, b } => reg!(dst) = signed!(a).wrapping_shr(reg!(b) as u32) as u64,
            Inst::ShrS32 { dst, a, b } => reg!(dst) = (signed!(a) >> (reg!(b) & 31)) as u64,
            Inst::ShrU64 { dst, a, b } => reg!(dst) = reg!(a).wrapping_shr(reg!(b) as u32),
            Inst::ShrU32 { dst, a, b } => reg!(dst) = reg!(a) >> (reg!(b) & 31),
            Inst::Eq { dst, a, b } => reg!(dst) = u64::from(reg!(a) == reg!(b)),
            Inst::Ne { dst, a, b } => reg!(dst) = u64::from(reg!(a) != reg!(b)),
            Inst::LtS { dst, a, b } => reg!(dst) = u64::from(signed!(a) < signed!(b)),
            Inst::LeS { dst, a, b } => reg!(dst) = u64::from(signed!(a) <= signed!(b)),
            Inst::LtU { dst, a, b } => reg!(dst) = u64::from(reg!(a) < reg!(b)),
            Inst::LeU { dst, a, b } => reg!(dst) = u64::from(reg!(a) <= reg!(b)),
            Inst::FloatAdd { dst, a, b } => {
                reg!(dst) = double(BinOp::Add, float!(a) + float!(b), reg!(a), reg!(b))
            }
            Inst::FloatSub { dst, a, b } => {
                reg!(dst) = double(BinOp::Sub, float!(a) - float!(b), reg!(a), reg!(b))
            }
            Inst::FloatMul { dst, a, b } => {
                reg!(dst) = double(BinOp::Mul, float!(a) * float!(b), reg!(a), reg!(b))
            }
            Inst::FloatDiv { dst, a, b } => {
                reg!(dst) = double(BinOp::Div, float!(a) / float!(b), reg!(a), reg!(b))
            }
            Inst::FloatEq { dst, a, b } => reg!(dst) = u64::from(float!(a) == float!(b)),
            Inst::FloatNe { dst, a, b } => reg!(dst) = u64::from(float!(a) != float!(b)),
            Inst::FloatLt { dst, a, b } => reg!(dst) = u64::from(float!(a) < float!(b)),
            Inst::FloatLe { dst, a, b } => reg!(dst) = u64::from(float!(a) <= float!(b)),

            Inst::Add64Imm { dst, a, imm } => reg!(dst) = reg!(a).wrapping_add(imm as u64),
            Inst::AddI32Imm { dst, a, imm } => reg!(dst) = sext32(reg!(a).wrapping_add(imm as u64)),
            Inst::AddU32Imm { dst, a, imm } => reg!(dst) = zext32(reg!(a).wrapping_add(imm as u64)),
            Inst::Mul64Imm { dst, a, imm } => reg!(dst) = reg!(a).wrapping_mul(imm as u64),
            Inst::MulI32Imm { dst, a, imm } => reg!(dst) = sext32(reg!(a).wrapping_mul(imm as u64)),
            Inst::MulU32Imm { dst, a, imm } => reg!(dst) = zext32(reg!(a).wrapping_mul(imm as u64)),
            Inst::AndImm { dst, a, imm } => reg!(dst) = reg!(a) & imm as u64,
            Inst::OrImm { dst, a, imm } => reg!(dst) = reg!(a) | imm as u64,
            Inst::XorImm { dst, a, imm } => reg!(dst) = reg!(a) ^ imm as u64,
            Inst::Shl64Imm { dst, a, imm } => reg!(dst) = reg!(a).wrapping_shl(imm as u32),
            Inst::ShlI32Imm { dst, a, imm } => reg!(dst) = sext32(reg!(a).wrapping_shl(imm as u32)),
            Inst::ShlU32Imm { dst, a, imm } => reg!(dst) = zext32(reg!(a).wrapping_shl(imm as u32)),
            Inst::ShrSImm { dst, a, imm } => reg!(dst) = signed!(a).wrapping_shr(imm as u32) as u64,
            Inst::ShrUImm { dst, a, imm } => reg!(dst) = reg!(a).wrapping_shr(imm as u32),
            Inst::EqImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) == imm as u64),
            Inst::NeImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) != imm as u64),
            Inst::LtSImm { dst, a, imm } => reg!(dst) = u64::from(signed!(a) < i64::from(imm)),
            Inst::LeSImm { dst, a, imm } => reg!(dst) = u64::from(signed!(a) <= i64::from(imm)),
            Inst::GtSImm { dst, a, imm } => reg!(dst) = u64::from(signed!(a) > i64::from(imm)),
            Inst::GeSImm { dst, a, imm } => reg!(dst) = u64::from(signed!(a) >= i64::from(imm)),
            Inst::LtUImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) < imm as u64),
            Inst::LeUImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) <= imm as u64),
            Inst::GtUImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) > imm as u64),
            Inst::GeUImm { dst, a, imm } => reg!(dst) = u64::from(reg!(a) >= imm as u64),

            Inst::JumpEq { cost, a, b, to } => jump_if!(cost, to, reg!(a) == reg!(b)),
            Inst::JumpNe { cost, a, b, to } => jump_if!(cost, to, reg!(a) != reg!(b)),
            Inst::JumpLtS { cost, a, b, to } => jump_if!(cost, to, signed!(a) < signed!(b)),
            Inst::JumpLeS { cost, a, b, to } => jump_if!(cost, to, signed!(a) <= signed!(b)),
            Inst::JumpLtU { cost, a, b, to } => jump_if!(cost, to, reg!(a) < reg!(b)),
            Inst::JumpLeU { cost, a, b, to } => jump_if!(cost, to, reg!(a) <= reg!(b)),
            Inst::JumpEqImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) == imm as u64),
            Inst::JumpNeImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) != imm as u64),
            Inst::JumpLtSImm { cost, a, imm, to } => jump_if!(cost, to, signed!(a) < i64::from(imm)),
            Inst::JumpLeSImm { cost, a, imm, to } => jump_if!(cost, to, signed!(a) <= i64::from(imm)),
            Inst::JumpGtSImm { cost, a, imm, to } => jump_if!(cost, to, signed!(a) > i64::from(imm)),
            Inst::JumpGeSImm { cost, a, imm, to } => jump_if!(cost, to, signed!(a) >= i64::from(imm)),
            Inst::JumpLtUImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) < imm as u64),
            Inst::JumpLeUImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) <= imm as u64),
            Inst::JumpGtUImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) > imm as u64),
            Inst::JumpGeUImm { cost, a, imm, to } => jump_if!(cost, to, reg!(a) >= imm as u64),
            Inst::Jump { cost, to } => jump_if!(cost, to, true),
            Inst::JumpIf { cost, cond, to } => jump_if!(cost, to, reg!(cond) != 0),
            Inst::JumpUnless { cost, cond, to } => jump_if!(cost, to, reg!(cond) == 0),
            Inst::Tick { cost } => {
                count!(cost);
            }

            Inst::LoadI8 { ty, dst, addr, offset } => load!(1, ty, dst, offset!(addr, offset), from_i8),
            Inst::LoadU8 { ty, dst, addr, offset } => load!(1, ty, dst, offset!(addr, offset), from_u8),
            Inst::LoadI16 { ty, dst, addr, offset } => load!(2, ty, dst, offset!(addr, offset), from_i16),
            Inst::LoadU16 { ty, dst, addr, offset } => load!(2, ty, dst, offset!(addr, offset), from_u16),
            Inst::LoadI32 { ty, dst, addr, offset } => load!(4, ty, dst, offset!(addr, offset), from_i32),
            Inst::LoadU32 { ty, dst, addr, offset } => load!(4, ty, dst, offset!(addr, offset), from_u32),
            Inst::Load64 { ty, dst, addr, offset } => {
                load!(8, ty, dst, offset!(addr, offset), u64::from_le_bytes)
            }
            Inst::LoadI8At { ty, scale, dst, addr, index } => {
                load!(1, ty, dst, scaled!(addr, index, scale), from_i8)
            }
            Inst::LoadU8At { ty, scale, dst, addr, index } => {
                load!(1, ty, dst, scaled!(addr, index, scale), from_u8)
            }
            Inst::LoadI16At { ty, scale, dst, addr, index } => {
                load!(2, ty, dst, scaled!(addr, index, scale), from_i16)
            }
            Inst::LoadU16At { ty, scale, dst, addr, index } => {
                load!(2, ty, dst, scaled!(addr, index, scale), from_u16)
            }
            Inst::LoadI32At { ty, scale, dst, addr, index } => {
                load!(4, ty, dst, scaled!(addr, index, scale), from_i32)
            }
            Inst::LoadU32At { ty, scale, dst, addr, index } => {
                load!(4, ty, dst, scaled!(addr, index, scale), from_u32)
            }
            Inst::Load64At { ty, scale, dst, addr, index } => {
                load!(8, ty, dst, scaled!(addr, index, scale), u64::from_le_bytes)
            }
            Inst::Store8 { addr, src, offset } => store!(1, offset!(addr, offset), u128::from(reg!(src))),
            Inst::Store16 { addr, src, offset } => store!(2, offset!(addr, offset), u128::from(reg!(src))),
            Inst::Store32 { addr, src, offset } => store!(4, offset!(addr, offset), u128::from(reg!(src))),
            Inst::Store64 { addr, src, offset } => store!(8, offset!(addr, offset), u128::from(reg!(src))),
            Inst::Store80 { addr, src, offset } => store!(10, offset!(addr, offset), wide!(src)),
            Inst::Store128 { addr, src, offset } => store!(16, offset!(addr, offset), wide!(src)),
            Inst::Store8At { scale, addr, src, index } => {
                store!(1, scaled!(addr, index, scale), u128::from(reg!(src)))
            }
            Inst::Store16At { scale, addr, src, index } => {
                store!(2, scaled!(addr, index, scale), u128::from(reg!(src)))
            }
            Inst::Store32At { scale, addr, src, index } => {
                store!(4, scaled!(addr, index, scale), u128::from(reg!(src)))
            }
            Inst::Store64At { scale, addr, src, index } => {
                store!(8, scaled!(addr, index, scale), u128::from(reg!(src)))
            }

            Inst::Move { dst, src } => reg!(dst) = reg!(src),
            Inst::SignExtend8 { dst, src } => reg!(dst) = reg!(src) as i8 as u64,
            Inst::SignExtend16 { dst, src } => reg!(dst) = reg!(src) as i16 as u64,
            Inst::SignExtend32 { dst, src } => reg!(dst) = sext32(reg!(src)),
            Inst::ZeroExtend8 { dst, src } => reg!(dst) = u64::from(reg!(src) as u8),
            Inst::ZeroExtend16 { dst, src } => reg!(dst) = u64::from(reg!(src) as u16),
            Inst::ZeroExtend32 { dst, src } => reg!(dst) = zext32(reg!(src)),
            Inst::IntToFloat { dst, src } => reg!(dst) = (signed!(src) as f64).to_bits(),
            Inst::Const { dst, value } => reg!(dst) = value,
            Inst::GetGlobal { dst, global } => reg!(dst) = globals[global as usize],
            Inst::SetGlobal { global, src } => globals[global as usize] = reg!(src),
            Inst::DivS { bits, dst, a, b } => {
                let (x, y) = (signed!(a), signed!(b));
                attempt!(check_division(bits, x, y).map_err(|f| arith_fault(f, at!(), program)));
                reg!(dst) = x.wrapping_div(y) as u64;
            }
            Inst::RemS { bits, dst, a, b } => {
                let (x, y) = (signed!(a), signed!(b));
                attempt!(check_division(bits, x, y).map_err(|f| arith_fault(f, at!(), program)));
                reg!(dst) = x.wrapping_rem(y) as u64;
            }
            Inst::DivU { dst, a, b } => match reg!(a).checked_div(reg!(b)) {
                Some(value) => reg!(dst) = value,
                None => break 'run arith_fault(ArithFault::DivisionByZero, at!(), program),
            },
            Inst::RemU { dst, a, b } => match reg!(a).checked_rem(reg!(b)) {
                Some(value) => reg!(dst) = value,
                None => break 'run arith_fault(ArithFault::DivisionByZero, at!(), program),
            },
            Inst::Select { dst, cond, a } => reg!(dst) = reg!(if reg!(cond) != 0 { a } else { a + 1 }),
            Inst::SelectWide { dst, cond, a } => {
                let from = if reg!(cond) != 0 { a } else { a + 2 };
                (reg!(dst), reg!(dst + 1)) = (reg!(from), reg!(from + 1));
            }
            Inst::Call { cost, func: callee, window, dst } => {
                count!(cost);
                enter!(callee, window, dst);
            }
            Inst::CallVariadic { cost, site, window, dst } => {
                count!(cost);
                let site = &code.sites[site as usize];
                let Some(id) = site.func else { break 'run unsupported("a call of nothing", at!(), program) };
                let object = attempt!(pass_extra(site, program, id, regs, memory, at!()));
                enter!(id.0, window, dst);
                objects.push(object.1);
                if let Some(slot) = code.varargs {
                    reg!(slot) = object.0;
                }
            }
            Inst::CallExtern { site, dst, .. } => {
                let site = &code.sites[site as usize];
                let Some(id) = site.func else { break 'run unsupported("a call of nothing", at!(), program) };
                call_extern!(id, site, dst);
            }
            Inst::CallIndirect { cost, site, window, dst } => {
                count!(cost);
                let site = &code.sites[site as usize];
                let id = attempt!(resolve(site, regs, at!(), program));
                let callee = program.function(id);
                match &callee.body {
                    Body::Poisoned { reason, .. } => {
                        break 'run Outcome::Unsupported { reason: reason.clone(), pos: at!().pos(program) };
                    }
                    Body::Extern => call_extern!(id, site, dst),
                    Body::Defined(_) => {
                        let extra = if callee.variadic {
                            Some(attempt!(pass_extra(site, program, id, regs, memory, at!())))
                        } else {
                            None
                        };
                        enter!(id.0, window, dst);
                        // The same bits may be of another signedness here.
                        for &(slot, ty) in code.params.iter().filter(|(_, ty)| !is_wide(*ty)) {
                            let mask = eval::type_mask(&program.target, ty);
                            reg!(slot) = slot_form(ty, u128::from(reg!(slot)) & mask);
                        }
                        if let (Some((address, index)), Some(slot)) = (extra, code.varargs) {
                            objects.push(index);
                            reg!(slot) = address;
                        }
                    }
                }
            }
            Inst::Return { cost, src } => {
                count!(cost);
                let value = reg!(src);
                let bits = code.ret.map(|ty| slot_bits(ty, value));
                leave!(Outcome::Returned(bits), value, 0);
            }
            Inst::ReturnWide { cost, src } => {
                count!(cost);
                let (low, high) = (reg!(src), reg!(src + 1));
                leave!(Outcome::Returned(Some(u128::from(high) << 64 | u128::from(low))), low, high);
            }
            Inst::ReturnVoid { cost } => {
                count!(cost);
                leave!(Outcome::Returned(None), 0, 0);
            }
            Inst::Exit { cost, code: slot } => {
                count!(cost);
                break 'run Outcome::Exited(reg!(slot) as i32);
            }
            Inst::Abort { cost } => {
                count!(cost);
                break 'run Outcome::Aborted;
            }
            Inst::HeapKept { rule, dst, also } => {
                let registers = Registers { places: &codes.context.globals, values: globals };
                let also = (also != NO_SLOT).then(|| reg!(also));
                let ends = frames.is_empty() || !rule.at_return();
                reg!(dst) = u64::from(!ends || left(memory, registers, rule, also).is_none());
            }
            Inst::HeapLost { rule, also } if frames.is_empty() || !rule.at_return() => {
                let registers = Registers { places: &codes.context.globals, values: globals };
                let also = (also != NO_SLOT).then(|| reg!(also));
                if let Some(access) = left(memory, registers, rule, also) {
                    break 'run check_failed(at!(), program, Some(access));
                }
            }
            Inst::HeapLost { .. } => {}
            Inst::Watch { node } => {
                let depth = frames.len() as u32;
                if io.options.find_repetition {
                    let end = base + code.frame as usize;
                    let callers: Vec<(u32, u32)> =
                        frames.iter().map(|frame| (frame.func, frame.pc)).collect();
                    let again = seen.again((func, node, callers), io.asked, [&stack[..end], globals], memory);
                    regs = &mut stack[base..end];
                    if again {
                        io.repeats = Some((FuncId(func), NodeId(node)));
                        break 'run Outcome::Stopped(Stopped::Steps);
                    }
                    continue;
                }
                let at = (FuncId(func), NodeId(node), depth);
                attempt!(snapshot(at, code, &codes.context.globals, regs, globals, memory, io));
            }
            _ => {
                let cost = attempt!(rare(inst, code, at!(), regs, memory, io, objects));
                if cost > 0 {
                    count!(cost);
                }
            }
        }
    };
    *steps = fuel.done() + code.uncounted.get(last(code, &rest)).map_or(0, |n| u64::from(*n));
    let mut backtrace = Vec::new();
    let inner = (func, edge_of(code, last(code, &rest)));
    let outer = frames.iter().rev().map(|f| (f.func, edge_of(codes.get(f.func), f.pc as usize - 1)));
    for (func, edge) in std::iter::once(inner).chain(outer).take(100) {
        backtrace.extend(At { function: FuncId(func), edge }.step(program));
    }
    (outcome, backtrace)
}

/// The instruction that `rest` follows.
fn last(code: &Code, rest: &std::slice::Iter<Inst>) -> usize {
    (code.insts.len() - rest.len()).saturating_sub(1)
}

fn edge_of(code: &Code, pc: usize) -> Option<EdgeId> {
    code.edges.get(pc).copied().filter(|e| *e != NO_EDGE).map(EdgeId)
}

fn sext32(value: u64) -> u64 {
    value as i32 as u64
}

fn zext32(value: u64) -> u64 {
    u64::from(value as u32)
}

fn from_i8(bytes: [u8; 1]) -> u64 {
    bytes[0] as i8 as u64
}

fn from_u8(bytes: [u8; 1]) -> u64 {
    u64::from(bytes[0])
}

fn from_i16(bytes: [u8; 2]) -> u64 {
    i16::from_le_bytes(bytes) as u64
}

fn from_u16(bytes: [u8; 2]) -> u64 {
    u64::from(u16::from_le_bytes(bytes))
}

fn from_i32(bytes: [u8; 4]) -> u64 {
    i32::from_le_bytes(bytes) as u64
}

fn from_u32(bytes: [u8; 4]) -> u64 {
    u64::from(u32::from_le_bytes(bytes))
}

/// A native result, unless it is a NaN: which one that is, the host does not promise.
#[inline]
fn double(op: BinOp, result: f64, a: u64, b: u64) -> u64 {
    if result.is_nan() {
        return crate::float::binary(op, ir::FloatType::F64, u128::from(a), u128::from(b)) as u64;
    }
    result.to_bits()
}

fn check_division(bits: u8, x: i64, y: i64) -> Result<(), ArithFault> {
    if y == 0 {
        return Err(ArithFault::DivisionByZero);
    }
    if y == -1 && x == i64::MIN >> (64 - bits) {
        return Err(ArithFault::DivisionOverflow);
    }
    Ok(())
}

/// Steps are counted down to the next look at the budget.
struct Fuel<'b> {
    /// Counted when the last look was taken, plus what was given out then.
    steps: u64,
    left: i64,
    limit: u64,
    budget: &'b Budget,
}

impl Fuel<'_> {
    fn done(&self) -> u64 {
        self.steps.wrapping_sub(self.left as u64)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<(), Outcome> {
        let done = self.done();
        (self.steps, self.left) = (done, 0);
        if done > self.limit {
            return Err(Outcome::Stopped(Stopped::Steps));
        }
        self.budget.check(done).map_err(Outcome::Stopped)?;
        let portion = CHECK_EVERY.min((self.limit - done).saturating_add(1));
        self.steps = done + portion;
        self.left = portion as i64;
        Ok(())
    }
}

/// Room for `end` slots; more than asked for, so that this is rare.
#[cold]
fn reserve(stack: &mut Vec<u64>, memory: &mut Memory, end: usize) -> bool {
    if stack.len() >= end {
        return true;
    }
    let len = end.max(stack.len() * 2).max(1024);
    let bytes = (len - stack.len()) as u64 * 8;
    if !memory.charge(bytes) {
        memory.refund(bytes);
        return false;
    }
    stack.resize(len, 0);
    true
}
