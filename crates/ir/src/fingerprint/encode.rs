//! Operations, expressions and initial values as bytes, with every name taken out.
//!
//! The encoding is injective: reading the bytes from the left, each tag says what follows, and a local or
//! symbol that occurs for the first time carries the next free number. So equal bytes mean equal structure up
//! to a one-to-one renaming of locals (their storage is written at the first occurrence) and of symbols
//! (whose identity is in the list beside the bytes).

use super::{Fingerprint, Symbol};
use crate::cfa::{AllocKind, Callee, Edge, HavocKind, Op};
use crate::expr::{BinOp, Expr, ExprKind, UnOp};
use crate::program::{FuncId, Global, Init, InitValue, Local, LocalId, Storage, Var};
use crate::types::{FloatType, Target, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bytes written so far, and the numbers given to locals and symbols on the way. One encoder serves all
/// fragments of a function, so that its tables are made once.
pub(super) struct Encoder<'a> {
    pub bytes: Vec<u8>,
    declared: &'a [Local],
    /// By local: its number, [`NONE`] before the first use.
    local_index: Vec<u32>,
    symbol_index: FxHashMap<Symbol, u32>,
    called: FxHashSet<FuncId>,
    stack: Vec<&'a Expr>,
    found: Found,
}

/// What was numbered, by number.
#[derive(Default)]
pub(super) struct Found {
    pub locals: Vec<LocalId>,
    pub symbols: Vec<Symbol>,
    pub callees: Vec<FuncId>,
}

const NONE: u32 = u32::MAX;

impl<'a> Encoder<'a> {
    pub fn new(declared: &'a [Local]) -> Self {
        Encoder {
            bytes: Vec::new(),
            declared,
            local_index: vec![NONE; declared.len()],
            symbol_index: FxHashMap::default(),
            called: FxHashSet::default(),
            stack: Vec::new(),
            found: Found::default(),
        }
    }

    /// The hash of what was written, and what was found; the encoder is as new.
    pub fn finish(&mut self) -> (Fingerprint, Found) {
        let print = Fingerprint::of(&self.bytes);
        self.bytes.clear();
        for id in &self.found.locals {
            if let Some(slot) = self.local_index.get_mut(id.0 as usize) {
                *slot = NONE;
            }
        }
        self.symbol_index.clear();
        self.called.clear();
        (print, std::mem::take(&mut self.found))
    }

    pub fn byte(&mut self, b: u8) {
        self.bytes.push(b);
    }

    pub fn number(&mut self, n: u32) {
        self.long(u64::from(n));
    }

    /// Seven bits a byte, the last byte below 128: most numbers are small, and hashing is what takes the
    /// time.
    pub fn long(&mut self, mut n: u64) {
        while n >= 128 {
            self.bytes.push(n as u8 | 128);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    fn flag(&mut self, b: bool) {
        self.bytes.push(b as u8);
    }

    fn text(&mut self, s: &str) {
        self.long(s.len() as u64);
        self.bytes.extend_from_slice(s.as_bytes());
    }

    pub fn ty(&mut self, ty: Type) {
        match ty {
            Type::Bool => self.byte(0),
            // 16 and above, in one byte for all widths there are.
            Type::Int(int) if int.bits.is_power_of_two() => {
                self.byte(16 + 2 * int.bits.trailing_zeros() as u8 + int.signed as u8);
            }
            Type::Int(int) => self.bytes.extend_from_slice(&[1, int.bits, int.signed as u8]),
            Type::Float(float) => self.byte(match float {
                FloatType::F32 => 2,
                FloatType::F64 => 3,
                FloatType::F80 => 4,
                FloatType::F128 => 5,
            }),
            Type::Ptr => self.byte(6),
        }
    }

    pub fn optional_ty(&mut self, ty: Option<Type>) {
        self.flag(ty.is_some());
        if let Some(ty) = ty {
            self.ty(ty);
        }
    }

    pub fn storage(&mut self, storage: Storage) {
        match storage {
            Storage::Register(ty) => {
                self.byte(0);
                self.ty(ty);
            }
            Storage::Memory { size, align } => {
                self.byte(1);
                self.long(size);
                self.long(align);
            }
        }
    }

    /// A local by its number; the first occurrence also says what it is.
    pub fn local(&mut self, id: LocalId) {
        let next = self.found.locals.len() as u32;
        let Some(slot) = self.local_index.get_mut(id.0 as usize) else {
            // The IR verifier rejects this; whatever comes of it, it must not equal a good function.
            self.number(NONE);
            return self.number(id.0);
        };
        if *slot != NONE {
            let known = *slot;
            return self.number(known);
        }
        *slot = next;
        self.number(next);
        self.found.locals.push(id);
        self.storage(self.declared[id.0 as usize].storage);
    }

    fn symbol(&mut self, symbol: Symbol) {
        let next = self.found.symbols.len() as u32;
        let index = *self.symbol_index.entry(symbol).or_insert(next);
        if index == next {
            self.found.symbols.push(symbol);
        }
        // Functions and globals share the numbers; the tag of what refers to them tells them apart.
        self.number(index);
    }

    fn var(&mut self, var: Var) {
        match var {
            Var::Local(id) => {
                self.byte(0);
                self.local(id);
            }
            Var::Global(id) => {
                self.byte(1);
                self.symbol(Symbol::Global(id));
            }
        }
    }

    /// In prefix order with an explicit stack: generated code has very deep expressions.
    pub fn expr(&mut self, expr: &'a Expr) {
        self.stack.push(expr);
        while let Some(e) = self.stack.pop() {
            self.ty(e.ty);
            match &e.kind {
                ExprKind::Const(bits) => {
                    self.byte(0);
                    self.long(*bits as u64);
                    self.long((bits >> 64) as u64);
                }
                ExprKind::Local(id) => {
                    self.byte(1);
                    self.local(*id);
                }
                ExprKind::Global(id) => {
                    self.byte(2);
                    self.symbol(Symbol::Global(*id));
                }
                ExprKind::AddrLocal(id) => {
                    self.byte(3);
                    self.local(*id);
                }
                ExprKind::AddrGlobal(id) => {
                    self.byte(4);
                    self.symbol(Symbol::Global(*id));
                }
                ExprKind::AddrFunc(id) => {
                    self.byte(5);
                    self.symbol(Symbol::Function(*id));
                }
                ExprKind::VarArgs => self.byte(6),
                ExprKind::Load(_) => self.byte(7),
                ExprKind::Unary(op, _) => self.bytes.extend_from_slice(&[8, unary_tag(*op)]),
                ExprKind::Binary(op, ..) => self.bytes.extend_from_slice(&[9, binary_tag(*op)]),
                ExprKind::Cast(_) => self.byte(10),
                ExprKind::Ite(_) => self.byte(11),
                ExprKind::Valid { write, .. } => self.bytes.extend_from_slice(&[12, *write as u8]),
                ExprKind::Freeable(_) => self.byte(13),
                ExprKind::ObjectSize(_) => self.byte(14),
                ExprKind::HeapKept { rule, also } => {
                    self.bytes.extend_from_slice(&[15, *rule as u8, also.is_some() as u8]);
                }
            }
            let below = self.stack.len();
            self.stack.extend(e.children());
            self.stack[below..].reverse();
        }
    }

    fn optional_expr(&mut self, expr: Option<&'a Expr>) {
        self.flag(expr.is_some());
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    /// What the edge does, without where it leads. A check's message is for people and does not count.
    pub fn op(&mut self, edge: &'a Edge) {
        match &edge.op {
            Op::Skip => self.byte(0),
            Op::Assume { cond, holds } => {
                self.bytes.extend_from_slice(&[1, *holds as u8]);
                self.expr(cond);
            }
            Op::Assign { var, value } => {
                self.byte(2);
                self.var(*var);
                self.expr(value);
            }
            Op::Store { addr, value } => {
                self.byte(3);
                self.expr(addr);
                self.expr(value);
            }
            Op::Havoc { var, kind } => {
                self.byte(4);
                self.var(*var);
                match kind {
                    HavocKind::Input(name) => {
                        self.byte(0);
                        self.text(name);
                    }
                    HavocKind::Uninit => self.byte(1),
                    HavocKind::Asm => self.byte(2),
                }
            }
            Op::Copy { dst, src, len } => {
                self.byte(5);
                self.expr(dst);
                self.expr(src);
                self.expr(len);
            }
            Op::Fill { dst, byte, len } => {
                self.byte(6);
                self.expr(dst);
                self.expr(byte);
                self.expr(len);
            }
            Op::Alloc { var, size, kind } => {
                let kind = match kind {
                    AllocKind::Heap => 0,
                    AllocKind::Stack => 1,
                };
                self.bytes.extend_from_slice(&[7, kind]);
                self.var(*var);
                self.expr(size);
            }
            Op::Free { ptr } => {
                self.byte(8);
                self.expr(ptr);
            }
            Op::Lifetime { ptr, begins } => {
                self.bytes.extend_from_slice(&[13, u8::from(*begins)]);
                self.expr(ptr);
            }
            Op::Call { dst, callee, args } => {
                self.byte(9);
                self.flag(dst.is_some());
                if let Some(dst) = dst {
                    self.var(*dst);
                }
                match callee {
                    Callee::Direct(id) => {
                        self.byte(0);
                        self.symbol(Symbol::Function(*id));
                        if self.called.insert(*id) {
                            self.found.callees.push(*id);
                        }
                    }
                    Callee::Indirect(e) => {
                        self.byte(1);
                        self.expr(e);
                    }
                }
                self.number(args.len() as u32);
                for arg in args {
                    self.expr(arg);
                }
            }
            Op::Return(value) => {
                self.byte(10);
                self.optional_expr(value.as_ref());
            }
            Op::Check { kind, cond, message: _ } => {
                self.byte(11);
                self.text(kind.name());
                self.expr(cond);
            }
            Op::Halt(code) => {
                self.byte(12);
                self.optional_expr(code.as_ref());
            }
        }
    }

    /// An initial value by its content: how the front end cut it into items, and zeros written out, do not
    /// matter.
    pub fn init(&mut self, global: &'a Global, target: &'a Target) {
        self.flag(global.init.is_some());
        let Some(init) = &global.init else { return };
        // Runs of non-zero bytes and symbolic scalars, in ascending order.
        let mut run: Option<(u64, Vec<u8>)> = None;
        for (offset, piece) in pieces(init, target) {
            match piece {
                Piece::Byte(b) => match &mut run {
                    Some((start, bytes)) if *start + bytes.len() as u64 == offset => bytes.push(b),
                    _ => {
                        self.flush(run.replace((offset, vec![b])));
                    }
                },
                Piece::Scalar(e) => {
                    self.flush(run.take());
                    self.byte(2);
                    self.long(offset);
                    self.expr(e);
                }
            }
        }
        self.flush(run);
        self.byte(0);
    }

    fn flush(&mut self, run: Option<(u64, Vec<u8>)>) {
        if let Some((start, bytes)) = run {
            self.byte(1);
            self.long(start);
            self.long(bytes.len() as u64);
            self.bytes.extend_from_slice(&bytes);
        }
    }
}

enum Piece<'a> {
    Byte(u8),
    Scalar(&'a Expr),
}

fn pieces<'a>(init: &'a Init, target: &'a Target) -> impl Iterator<Item = (u64, Piece<'a>)> {
    init.items.iter().flat_map(move |item| {
        let (bytes, scalar): (Vec<u8>, _) = match &item.value {
            InitValue::Bytes(bytes) => (bytes.clone(), None),
            InitValue::Scalar(e) => match e.as_const() {
                Some(bits) => {
                    let size = e.ty.access_size(target).min(16) as usize;
                    (bits.to_le_bytes()[..size].to_vec(), None)
                }
                None => (Vec::new(), Some((item.offset, Piece::Scalar(e)))),
            },
        };
        let bytes = bytes.into_iter().enumerate().filter(|(_, b)| *b != 0);
        bytes.map(move |(i, b)| (item.offset + i as u64, Piece::Byte(b))).chain(scalar)
    })
}

// Tags are written out so that reordering an enum in the IR cannot silently change what fingerprints mean.

fn unary_tag(op: UnOp) -> u8 {
    match op {
        UnOp::Neg => 0,
        UnOp::Not => 1,
        UnOp::Sqrt => 2,
        UnOp::Abs => 3,
        UnOp::Floor => 4,
        UnOp::Ceil => 5,
        UnOp::Trunc => 6,
        UnOp::RoundEven => 7,
        UnOp::RoundAway => 8,
    }
}

fn binary_tag(op: BinOp) -> u8 {
    match op {
        BinOp::Add => 0,
        BinOp::Sub => 1,
        BinOp::Mul => 2,
        BinOp::Div => 3,
        BinOp::Rem => 4,
        BinOp::And => 5,
        BinOp::Or => 6,
        BinOp::Xor => 7,
        BinOp::Shl => 8,
        BinOp::Shr => 9,
        BinOp::Eq => 10,
        BinOp::Ne => 11,
        BinOp::Lt => 12,
        BinOp::Le => 13,
        BinOp::PtrAdd => 14,
        BinOp::PtrSub => 15,
        BinOp::AddOverflows => 16,
        BinOp::SubOverflows => 17,
        BinOp::MulOverflows => 18,
    }
}
