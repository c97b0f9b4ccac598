//! A small interpreter that knows for every byte of memory which region its accesses were in.
//!
//! It must find: two accesses that touch a common byte go to the same region; in a region of cells they
//! coincide and have the cell's size; what a function reads and writes is what `read_by` and `written_by`
//! say. Functions without a body are as hostile as they may be: they give back any address that unknown code
//! has seen. A run ends where a pointer is read from memory that was never made as one, but put together from
//! parts: addresses are not guessed.

use base::random::Random;
use encode::{Layout, RegionId, Regions};
use interp::eval;
use ir::{
    BinOp, Callee, Expr, ExprKind, FuncId, GlobalId, Init, InitValue, Op, Program, Storage, Target, Type, Var,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Why a run is over before its end.
#[derive(Debug)]
pub enum Stop {
    /// Out of bounds, division by zero, too long: nothing that regions answer for.
    Ends,
    Wrong(String),
}

pub struct Machine<'a> {
    program: &'a Program,
    index: usize,
    regions: &'a Regions,
    objects: Vec<Object>,
    registers: Vec<u128>,
    globals: Vec<u64>,
    /// Addresses that unknown code knows.
    pub seen: Vec<u64>,
    pub rng: Random,
    pub accesses: u64,
    steps: u64,
    effects: Vec<[BTreeSet<RegionId>; 2]>,
    /// All pointers that were ever made.
    made: FxHashSet<u64>,
}

struct Object {
    bytes: Vec<u8>,
    live: bool,
    /// By byte: the region, and where the access began.
    touched: Vec<Option<(RegionId, u64)>>,
}

struct Frame {
    function: FuncId,
    registers: Vec<u128>,
    /// Of memory variables.
    addresses: Vec<u64>,
    var_args: u64,
}

const MAX_STEPS: u64 = 20_000;
const MAX_DEPTH: usize = 200;
const FUNCTIONS: u64 = 0x1000;

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, index: usize, regions: &'a Regions, seed: u64) -> Self {
        let mut machine = Machine {
            program,
            index,
            regions,
            objects: Vec::new(),
            registers: vec![0; program.globals.len()],
            globals: vec![0; program.globals.len()],
            seen: Vec::new(),
            rng: Random(seed),
            accesses: 0,
            steps: 0,
            effects: Vec::new(),
            made: FxHashSet::default(),
        };
        for (i, global) in program.globals.iter().enumerate() {
            if let Storage::Memory { size, .. } = global.storage {
                machine.globals[i] = machine.allocate(size);
            }
        }
        for (i, global) in program.globals.iter().enumerate() {
            let items = global.init.as_ref().unwrap_or(&Init { items: Vec::new() }).items.clone();
            for item in items {
                let bytes = match &item.value {
                    InitValue::Bytes(bytes) => bytes.clone(),
                    InitValue::Scalar(e) => {
                        let bits = machine.constant(e);
                        bits.to_le_bytes()[..e.ty.access_size(&program.target) as usize].to_vec()
                    }
                };
                match global.storage {
                    Storage::Memory { .. } => {
                        machine.write_bytes(machine.globals[i] + item.offset, &bytes);
                    }
                    Storage::Register(_) => {
                        let mut bits = [0; 16];
                        bits[..bytes.len()].copy_from_slice(&bytes);
                        machine.registers[i] = u128::from_le_bytes(bits);
                    }
                }
            }
        }
        machine
    }

    /// A new object; its content is zero.
    pub fn allocate(&mut self, size: u64) -> u64 {
        let size = size.min(1 << 16) as usize;
        self.objects.push(Object { bytes: vec![0; size], live: true, touched: vec![None; size] });
        (self.objects.len() as u64) << self.spacing()
    }

    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) {
        if let Ok((object, at)) = self.locate(address, bytes.len() as u64) {
            self.objects[object].bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// The address of a global in memory.
    pub fn global(&self, id: GlobalId) -> u64 {
        self.globals[id.0 as usize]
    }

    /// Writes a pointer that unknown code has made.
    pub fn write_pointer(&mut self, address: u64, to: u64) {
        self.made.insert(to);
        self.write_bytes(address, &to.to_le_bytes()[..usize::from(self.target().pointer_bits / 8)]);
    }

    pub fn set_register(&mut self, id: GlobalId, bits: u128) {
        self.registers[id.0 as usize] = bits;
    }

    pub fn call(&mut self, function: FuncId, args: &[(Type, u128)]) -> Result<u128, Stop> {
        let text = self.program.function(function);
        let Some(cfa) = text.cfa() else { return Ok(self.unknown(args)) };
        if self.effects.len() > MAX_DEPTH {
            return Err(Stop::Ends);
        }
        let mut frame = Frame {
            function,
            registers: vec![0; text.locals.len()],
            addresses: vec![0; text.locals.len()],
            var_args: 0,
        };
        let params = text.params as usize;
        for (slot, (_, bits)) in frame.registers.iter_mut().zip(args).take(params) {
            *slot = *bits;
        }
        for (i, local) in text.locals.iter().enumerate() {
            if let Storage::Memory { size, .. } = local.storage {
                frame.addresses[i] = self.allocate(size);
            }
        }
        if text.variadic {
            frame.var_args = self.allocate(16 * args.len().saturating_sub(params) as u64);
            for (i, (ty, bits)) in args.iter().skip(params).enumerate() {
                let by = Expr::int(self.target().intptr(true), 16 * i as i128);
                let address =
                    Expr::binary(BinOp::PtrAdd, Expr { ty: Type::Ptr, kind: ExprKind::VarArgs }, by);
                let at = frame.var_args + 16 * i as u64;
                let region = self.regions.of(self.index, function, &address);
                self.touch(region, at, ty.access_size(self.target()), Some(*ty), true, &address, &frame)?;
                self.write_bytes(at, &bits.to_le_bytes()[..ty.access_size(self.target()) as usize]);
            }
        }
        self.effects.push(Default::default());
        let mut node = cfa.entry;
        let result = 'run: loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Stop::Ends);
            }
            let mut next = None;
            for edge in cfa.out(node) {
                if let Op::Assume { cond, holds } = &edge.op
                    && (self.eval(cond, &frame)? == 1) != *holds
                {
                    continue;
                }
                next = Some(edge);
                break;
            }
            let Some(edge) = next else { return Err(Stop::Ends) };
            if let Op::Return(e) = &edge.op {
                let result = e.as_ref().map(|e| self.eval(e, &frame)).transpose()?;
                break 'run result.unwrap_or(0);
            }
            self.step(&edge.op, &mut frame)?;
            node = edge.to;
        };
        self.check_effects(function)?;
        Ok(result)
    }

    fn check_effects(&mut self, function: FuncId) -> Result<(), Stop> {
        let Some([reads, writes]) = self.effects.pop() else { return Ok(()) };
        let name = &self.program.function(function).name;
        if !reads.is_subset(&self.regions.read_by(self.index, function)) {
            return Err(Stop::Wrong(format!("{name} reads {reads:?}")));
        }
        if !writes.is_subset(&self.regions.written_by(self.index, function)) {
            return Err(Stop::Wrong(format!("{name} writes {writes:?}")));
        }
        if let Some(caller) = self.effects.last_mut() {
            caller[0].extend(reads);
            caller[1].extend(writes);
        }
        Ok(())
    }

    /// Unknown code sees its arguments, and all that they lead to, and returns any address it has seen.
    fn unknown(&mut self, args: &[(Type, u128)]) -> u128 {
        for (ty, bits) in args {
            if *ty == Type::Ptr {
                self.reveal(*bits as u64);
            }
        }
        let number = self.rng.below(3) as u128;
        // What it returns as a pointer is aligned for whatever is done with it.
        let aligned = self.rng.one(&self.seen).filter(|address| address.is_multiple_of(8));
        aligned.map_or(number, |address| u128::from(*address))
    }

    /// Unknown code learns an address, and those that lie where it leads.
    pub fn reveal(&mut self, address: u64) {
        let mut work = vec![address];
        while let Some(address) = work.pop() {
            let Ok((object, _)) = self.locate(address, 0) else { continue };
            if self.seen.contains(&address) {
                continue;
            }
            self.seen.push(address);
            let size = (self.target().pointer_bits / 8) as usize;
            for slot in self.objects[object].bytes.chunks_exact(size) {
                work.push(slot.iter().rev().fold(0, |bits, b| bits << 8 | u64::from(*b)));
            }
        }
    }

    fn step(&mut self, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
        match op {
            Op::Assign { var, value } => {
                let bits = self.eval(value, frame)?;
                self.set(*var, bits, frame);
            }
            Op::Store { addr, value } => {
                let (address, bits) = (self.eval(addr, frame)? as u64, self.eval(value, frame)?);
                let size = value.ty.access_size(self.target());
                let region = self.regions.of(self.index, frame.function, addr);
                self.touch(region, address, size, Some(value.ty), true, addr, frame)?;
                self.write_bytes(address, &bits.to_le_bytes()[..size as usize]);
            }
            Op::Copy { dst, src, len } => {
                let (to, from) = (self.eval(dst, frame)? as u64, self.eval(src, frame)? as u64);
                let len = self.eval(len, frame)? as u64;
                let regions = [dst, src].map(|e| self.regions.of(self.index, frame.function, e));
                self.touch(regions[0], to, len, None, true, dst, frame)?;
                self.touch(regions[1], from, len, None, false, src, frame)?;
                let (object, at) = self.locate(from, len)?;
                let bytes = self.objects[object].bytes[at..at + len as usize].to_vec();
                self.write_bytes(to, &bytes);
            }
            Op::Fill { dst, byte, len } => {
                let (to, byte) = (self.eval(dst, frame)? as u64, self.eval(byte, frame)? as u8);
                let len = self.eval(len, frame)? as u64;
                let region = self.regions.of(self.index, frame.function, dst);
                self.touch(region, to, len, None, true, dst, frame)?;
                self.write_bytes(to, &vec![byte; len as usize]);
            }
            Op::Alloc { var, size, .. } => {
                let size = self.eval(size, frame)? as u64;
                let address = self.allocate(size);
                self.set(*var, u128::from(address), frame);
            }
            Op::Lifetime { .. } => {}
            Op::Free { ptr } => {
                let address = self.eval(ptr, frame)? as u64;
                if let Ok((object, 0)) = self.locate(address, 0) {
                    self.objects[object].live = false;
                }
            }
            Op::Havoc { var, .. } => {
                let bits = self.rng.below(4) as u128;
                self.set(*var, bits, frame);
            }
            Op::Call { dst, callee, args } => {
                let mut values = Vec::new();
                for arg in args {
                    values.push((arg.ty, self.eval(arg, frame)?));
                }
                let callee = match callee {
                    Callee::Direct(id) => *id,
                    Callee::Indirect(e) => {
                        let address = self.eval(e, frame)? as u64;
                        let id = address.wrapping_sub(FUNCTIONS) / 16;
                        let types: Vec<Type> = values.iter().map(|(ty, _)| *ty).collect();
                        let known = self.program.functions.get(id as usize);
                        if !known.is_some_and(|f| ir::signature_matches(f, &types, None, self.target())) {
                            return Err(Stop::Ends);
                        }
                        FuncId(id as u32)
                    }
                };
                let result = self.call(callee, &values)?;
                if let Some(dst) = dst {
                    self.set(*dst, result, frame);
                }
            }
            Op::Halt(_) => return Err(Stop::Ends),
            Op::Check { cond, .. } => {
                self.eval(cond, frame)?;
            }
            Op::Skip | Op::Assume { .. } | Op::Return(_) => {}
        }
        Ok(())
    }

    fn set(&mut self, var: Var, bits: u128, frame: &mut Frame) {
        match var {
            Var::Local(id) => frame.registers[id.0 as usize] = bits,
            Var::Global(id) => self.registers[id.0 as usize] = bits,
        }
    }

    fn eval(&mut self, e: &Expr, frame: &Frame) -> Result<u128, Stop> {
        let target = self.program.target;
        let bits = match &e.kind {
            ExprKind::Const(bits) => *bits,
            ExprKind::Local(id) => frame.registers[id.0 as usize] & eval::type_mask(&target, e.ty),
            ExprKind::Global(id) => self.registers[id.0 as usize] & eval::type_mask(&target, e.ty),
            ExprKind::AddrLocal(id) => frame.addresses[id.0 as usize].into(),
            ExprKind::AddrGlobal(id) => self.globals[id.0 as usize].into(),
            ExprKind::AddrFunc(id) => u128::from(FUNCTIONS + 16 * u64::from(id.0)),
            ExprKind::VarArgs => frame.var_args.into(),
            ExprKind::Load(addr) => {
                let address = self.eval(addr, frame)? as u64;
                let size = e.ty.access_size(&target);
                let region = self.regions.of(self.index, frame.function, addr);
                self.touch(region, address, size, Some(e.ty), false, addr, frame)?;
                let (object, at) = self.locate(address, size)?;
                let bytes = &self.objects[object].bytes[at..at + size as usize];
                let bits = bytes.iter().rev().fold(0, |bits, b| bits << 8 | u128::from(*b));
                if e.ty == Type::Ptr && bits != 0 && !self.made.contains(&(bits as u64)) {
                    return Err(Stop::Ends);
                }
                bits
            }
            ExprKind::Unary(op, inner) => eval::unary(*op, e.ty, self.eval(inner, frame)?),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(a, frame)?, self.eval(b, frame)?);
                eval::binary(&target, *op, a.ty, x, y).map_err(|_| Stop::Ends)?
            }
            ExprKind::Cast(inner) => eval::cast(&target, inner.ty, e.ty, self.eval(inner, frame)?),
            ExprKind::Ite(list) => {
                let values =
                    [self.eval(&list[0], frame)?, self.eval(&list[1], frame)?, self.eval(&list[2], frame)?];
                if values[0] == 1 { values[1] } else { values[2] }
            }
            ExprKind::Valid { ptr, size, .. } => {
                let (address, size) = (self.eval(ptr, frame)? as u64, self.eval(size, frame)? as u64);
                u128::from(self.locate(address, size).is_ok())
            }
            ExprKind::Freeable(ptr) => {
                let address = self.eval(ptr, frame)? as u64;
                u128::from(address == 0 || matches!(self.locate(address, 0), Ok((_, 0))))
            }
            ExprKind::ObjectSize(ptr) => {
                let address = self.eval(ptr, frame)? as u64;
                let left = self.locate(address, 0).map(|(o, at)| self.objects[o].bytes.len() - at);
                left.unwrap_or(0) as u128
            }
            // The programs here have no checks of the heap.
            ExprKind::HeapKept { .. } => return Err(Stop::Ends),
        };
        if e.ty == Type::Ptr {
            self.made.insert(bits as u64);
        }
        Ok(bits)
    }

    /// An access: the bytes must be known under the same region.
    #[expect(clippy::too_many_arguments, reason = "what is said in messages, too")]
    fn touch(
        &mut self,
        region: RegionId,
        address: u64,
        size: u64,
        ty: Option<Type>,
        write: bool,
        e: &Expr,
        frame: &Frame,
    ) -> Result<(), Stop> {
        let (object, at) = self.locate(address, size)?;
        if size == 0 {
            return Ok(());
        }
        self.accesses += 1;
        let function = self.program.function(frame.function);
        let place = || {
            let text = ir::ExprDisplay { program: self.program, function: Some(function), expr: e };
            format!("{}: {text}", function.name)
        };
        let Some(data) = self.regions.list.get(region.0 as usize) else {
            return Err(Stop::Wrong(format!("{}: no region {region:?}", place())));
        };
        if let (Layout::Cells(cell), Some(ty)) = (data.layout, ty)
            && (cell.access_size(self.target()) != ty.access_size(self.target())
                || cell.is_float() != ty.is_float())
        {
            return Err(Stop::Wrong(format!("{}: {ty} in a region of {cell}", place())));
        }
        if write && data.constant {
            return Err(Stop::Wrong(format!("{}: a write to a constant region", place())));
        }
        let cells = matches!(data.layout, Layout::Cells(_));
        for i in at..at + size as usize {
            // Blocks are not cells, but nothing is known of a part of a cell.
            let begin = if ty.is_some() { Some(at as u64) } else { None };
            match self.objects[object].touched[i] {
                Some((other, _)) if other != region => {
                    let regions = (region, other);
                    return Err(Stop::Wrong(format!("{}: byte {i}, object {object}: {regions:?}", place())));
                }
                Some((_, other))
                    if cells && begin.is_some_and(|begin| begin != other) && other != u64::MAX =>
                {
                    return Err(Stop::Wrong(format!("{}: cells at {at} and {other}", place())));
                }
                Some((_, other)) if other != u64::MAX => {}
                _ => self.objects[object].touched[i] = Some((region, begin.unwrap_or(u64::MAX))),
            }
        }
        if let Some(effects) = self.effects.last_mut() {
            effects[usize::from(write)].insert(region);
        }
        Ok(())
    }

    fn locate(&self, address: u64, size: u64) -> Result<(usize, usize), Stop> {
        let spacing = self.spacing();
        let index = (address >> spacing).checked_sub(1).ok_or(Stop::Ends)? as usize;
        let at = address & ((1 << spacing) - 1);
        let object = self.objects.get(index).filter(|object| object.live).ok_or(Stop::Ends)?;
        let fits = at.checked_add(size).is_some_and(|end| end <= object.bytes.len() as u64);
        if fits { Ok((index, at as usize)) } else { Err(Stop::Ends) }
    }

    fn constant(&mut self, e: &Expr) -> u128 {
        let frame = Frame { function: FuncId(0), registers: vec![], addresses: vec![], var_args: 0 };
        self.eval(e, &frame).unwrap_or(0)
    }

    fn spacing(&self) -> u32 {
        if self.target().pointer_bits == 64 { 32 } else { 17 }
    }

    fn target(&self) -> &'a Target {
        &self.program.target
    }
}
