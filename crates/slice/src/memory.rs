//! What touches which part of memory.
//!
//! The regions of `encode` are for unknown code that may do anything with what it can reach. Here functions
//! without a body that do not havoc only return a value, so the analysis sees them with such a body: what is
//! passed to them stays apart. (The output functions that write to a buffer are taken to write all regions of
//! what it lies in.)

use encode::regions::{Options, Regions};
use ir::{
    Body, Cfa, Edge, EdgeId, Expr, ExprKind, FuncId, Function, HavocKind, Local, LocalId, LocalOrigin,
    NodeId, Op, Pos, Program, Storage, Type, Var,
};

pub struct Memory {
    regions: Regions,
}

/// An index of a region.
pub type Region = u32;

impl Memory {
    pub fn of(mut program: Program, entry: FuncId) -> Memory {
        for id in program.function_ids() {
            let function = program.function(id);
            if function.cfa().is_none() && !function.havocs {
                let (locals, cfa) = stand_in(function);
                let function = program.function_mut(id);
                (function.locals, function.body) = (locals, Body::Defined(cfa));
            }
        }
        // Nothing is assumed about types: pointers from outside may point to anything from outside.
        let options = Options { assume_types: false };
        Memory { regions: Regions::analyse_with(&[&program], &[vec![entry]], &options) }
    }

    pub fn count(&self) -> usize {
        self.regions.list.len()
    }

    /// What unknown code can read, and what of that it can write.
    pub fn escaping(&self) -> impl Iterator<Item = (Region, bool)> + '_ {
        let list = (0..).zip(&self.regions.list).filter(|(_, region)| region.escapes);
        list.map(|(k, region)| (k, region.is_shared()))
    }

    /// Where an access goes.
    pub fn region(&self, f: FuncId, address: &Expr) -> Region {
        self.regions.of(0, f, address).0
    }

    /// All regions of the objects that an address points into; none if no access goes there.
    pub fn around(&self, f: FuncId, address: &Expr) -> Vec<Region> {
        self.regions.around(0, f, address).into_iter().map(|r| r.0).collect()
    }

    /// Where the extra arguments of a function are.
    pub fn extra_arguments(&self, f: FuncId) -> Vec<Region> {
        self.around(f, &Expr { ty: Type::Ptr, kind: ExprKind::VarArgs })
    }
}

/// Does this function without a body write to what its first argument points to?
pub fn writes_buffer(program: &Program, f: FuncId) -> bool {
    let name = &*program.function(f).name;
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")).unwrap_or(name);
    let prints = matches!(name.strip_prefix('v').unwrap_or(name), "sprintf" | "snprintf");
    prints && interp::is_modelled(program, f)
}

/// A body that returns any value, and the locals it needs.
fn stand_in(function: &Function) -> (Vec<Local>, Cfa) {
    let mut locals = function.locals.clone();
    let mut ops = Vec::new();
    let value = function.ret.map(|ty| {
        let var = Var::Local(LocalId(locals.len() as u32));
        locals.push(Local {
            name: "result".into(),
            storage: Storage::Register(ty),
            origin: LocalOrigin::Temp,
            c_type: "".into(),
            pos: Pos::default(),
        });
        ops.push(Op::Havoc { var, kind: HavocKind::Input("outside".into()) });
        Expr::var(var, ty)
    });
    ops.push(Op::Return(value));
    let count = ops.len() as u32;
    let edges =
        (0..).zip(ops).map(|(i, op)| Edge { from: NodeId(i), to: NodeId(i + 1), op, pos: Pos::default() });
    let cfa = Cfa::new(count + 1, NodeId(0), NodeId(count), edges.collect());
    (locals, cfa)
}

/// An edge of a function.
pub type Place = (FuncId, EdgeId);
