//! Footprints: what a function, with all it calls, can read and change.

use crate::regions::{RegionId, Regions};
use ir::{Callee, Expr, ExprKind, FuncId, GlobalId, HavocKind, Op, Program, Storage, Var};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    pub reads: BTreeSet<RegionId>,
    pub writes: BTreeSet<RegionId>,
    /// Register globals only.
    pub reads_globals: BTreeSet<GlobalId>,
    pub writes_globals: BTreeSet<GlobalId>,
    /// Calls functions without a body.
    pub world: bool,
    pub allocates: bool,
    pub inputs: bool,
    /// May end the program: exit, abort, a trap, a failed check.
    pub ends: bool,
    /// Calls through a pointer.
    pub pointer: bool,
    /// Calls what the front end could not translate.
    pub unknown: bool,
}

/// By [`FuncId`]. `ignored` functions without a body have no effect.
pub fn footprints(program: &Program, index: usize, regions: &Regions, ignored: &[&str]) -> Vec<Footprint> {
    let mut all: Vec<Footprint> =
        program.function_ids().map(|id| own(program, index, regions, ignored, id)).collect();
    let taken = ir::pointees::address_occurs(program);
    let callees: Vec<Vec<FuncId>> = program.function_ids().map(|id| callees(program, id, &taken)).collect();
    // Sets only grow; a few rounds suffice for any program that people write.
    let mut changed = true;
    while changed {
        changed = false;
        for id in program.function_ids() {
            let mut now = all[id.0 as usize].clone();
            for callee in &callees[id.0 as usize] {
                now.add(&all[callee.0 as usize]);
            }
            if now != all[id.0 as usize] {
                all[id.0 as usize] = now;
                changed = true;
            }
        }
    }
    all
}

impl Footprint {
    fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_globals.extend(&other.reads_globals);
        self.writes_globals.extend(&other.writes_globals);
        self.world |= other.world;
        self.allocates |= other.allocates;
        self.inputs |= other.inputs;
        self.ends |= other.ends;
        self.pointer |= other.pointer;
        self.unknown |= other.unknown;
    }
}

fn own(program: &Program, index: usize, regions: &Regions, ignored: &[&str], id: FuncId) -> Footprint {
    let function = program.function(id);
    let mut print = Footprint::default();
    let Some(cfa) = function.cfa() else {
        match function.body {
            ir::Body::Extern if function.havocs => shared(program, regions, &mut print),
            ir::Body::Extern if ignored.contains(&&*function.name) => {}
            ir::Body::Extern => outside(program, regions, &mut print),
            _ => {
                outside(program, regions, &mut print);
                print.unknown = true;
            }
        }
        return print;
    };
    for edge in cfa.edges() {
        for e in edge.op.exprs() {
            expression(index, regions, id, e, &mut print);
        }
        match &edge.op {
            Op::Store { addr, .. } => {
                print.writes.insert(regions.of(index, id, addr));
            }
            Op::Fill { dst, .. } => {
                print.writes.insert(regions.of(index, id, dst));
                print.reads.insert(regions.of(index, id, dst));
            }
            Op::Copy { dst, src, .. } => {
                print.writes.insert(regions.of(index, id, dst));
                print.reads.insert(regions.of(index, id, dst));
                print.reads.insert(regions.of(index, id, src));
            }
            Op::Call { callee: Callee::Direct(callee), args, .. }
                if program.function(*callee).cfa().is_none()
                    && writes_buffer(&program.function(*callee).name) =>
            {
                print.writes.extend(args.first().into_iter().flat_map(|to| regions.around(index, id, to)));
            }
            Op::Havoc { kind: HavocKind::Input(_), .. } => print.inputs = true,
            Op::Alloc { .. } => print.allocates = true,
            Op::Halt(_) | Op::Check { .. } => print.ends = true,
            Op::Call { callee: Callee::Indirect(_), .. } => {
                outside(program, regions, &mut print);
                print.pointer = true;
            }
            _ => {}
        }
        if let Some(Var::Global(g)) = edge.op.written() {
            print.writes_globals.insert(g);
        }
    }
    print
}

/// Does a function of this name, if it has no body, write to what its first argument points to? The
/// interpreter does it.
pub(crate) fn writes_buffer(name: &str) -> bool {
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")).unwrap_or(name);
    matches!(name.strip_prefix('v').unwrap_or(name), "sprintf" | "snprintf")
}

/// What a function without a body may do.
fn outside(program: &Program, regions: &Regions, print: &mut Footprint) {
    print.world = true;
    for (i, region) in regions.list.iter().enumerate() {
        if region.escapes {
            print.reads.insert(RegionId(i as u32));
            if !region.constant {
                print.writes.insert(RegionId(i as u32));
            }
        }
    }
    for (i, global) in program.globals.iter().enumerate() {
        if matches!(global.storage, Storage::Register(_)) && !global.constant {
            print.reads_globals.insert(GlobalId(i as u32));
            print.writes_globals.insert(GlobalId(i as u32));
        }
    }
}

/// What a function without a body changes that havocs (`ir::Function::havocs`). What it reads does not
/// matter: whatever it writes is any value.
fn shared(program: &Program, regions: &Regions, print: &mut Footprint) {
    let list = regions.list.iter().enumerate();
    print.writes.extend(list.filter(|(_, r)| r.is_shared()).map(|(i, _)| RegionId(i as u32)));
    let globals = (0..).map(GlobalId).zip(program.globals.iter());
    let shared = globals.filter(|(_, g)| matches!(g.storage, Storage::Register(_)) && g.is_shared());
    print.writes_globals.extend(shared.map(|(id, _)| id));
}

fn expression(index: usize, regions: &Regions, id: FuncId, e: &Expr, print: &mut Footprint) {
    e.walk(&mut |part| match &part.kind {
        ExprKind::Load(addr) => {
            print.reads.insert(regions.of(index, id, addr));
        }
        ExprKind::Global(g) => {
            print.reads_globals.insert(*g);
        }
        ExprKind::Valid { .. }
        | ExprKind::Freeable(_)
        | ExprKind::ObjectSize(_)
        | ExprKind::HeapKept { .. } => print.allocates = true,
        _ => {}
    });
    let mut divides = false;
    e.walk(&mut |part| {
        if let ExprKind::Binary(ir::BinOp::Div | ir::BinOp::Rem, _, d) = &part.kind {
            // A constant divisor other than 0 and -1 cannot trap.
            let safe = d.as_const().is_some_and(|bits| {
                part.ty.as_int().is_some_and(|int| bits != 0 && !(int.signed && bits == int.mask()))
            });
            divides |= part.ty.is_int() && !safe;
        }
    });
    print.ends |= divides;
}

fn callees(program: &Program, id: FuncId, taken: &[FuncId]) -> Vec<FuncId> {
    let mut list = BTreeSet::new();
    for edge in program.function(id).cfa().map(|c| c.edges()).unwrap_or_default() {
        if let Op::Call { callee, .. } = &edge.op {
            match callee {
                Callee::Direct(f) => {
                    list.insert(*f);
                }
                Callee::Indirect(_) => list.extend(taken),
            }
        }
    }
    list.into_iter().collect()
}
