//! Who calls whom.
//!
//! [`signature_matches`] is the one rule for calls through pointers: the interpreter treats any other call as
//! undefined (the execution ends there), so a call can reach only functions that pass it and that the pointer
//! may hold. [`crate::pointees`] says which ones the pointer may hold.

use crate::cfa::{Callee, EdgeId, Op};
use crate::expr::Expr;
use crate::graph;
use crate::pointees::{self, Pointees};
use crate::program::{FuncId, Function, Program, Storage, Var};
use crate::types::{Target, Type};

/// The call graph of a program: all its functions, whichever of them an analysis starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph {
    sites: Vec<Vec<CallSite>>,
    callees: Vec<Vec<FuncId>>,
    callers: Vec<Vec<FuncId>>,
    address_taken: Vec<FuncId>,
    components: Vec<Vec<FuncId>>,
    component_of: Vec<u32>,
    recursive: Vec<bool>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub edge: EdgeId,
    /// Through a pointer?
    pub indirect: bool,
    /// What may be called, ascending: one function for a direct call. A call through a pointer may have none;
    /// then no execution gets past it.
    pub targets: Vec<FuncId>,
}

impl CallGraph {
    pub fn of(program: &Program) -> CallGraph {
        let address_taken = pointees::address_taken(program);
        let sites: Vec<Vec<CallSite>> =
            program.functions.iter().map(|f| call_sites(program, f, &address_taken)).collect();
        let mut callers = vec![Vec::new(); sites.len()];
        let mut callees = Vec::new();
        for (caller, sites) in program.function_ids().zip(&sites) {
            let mut list: Vec<FuncId> = sites.iter().flat_map(|site| site.targets.iter().copied()).collect();
            list.sort();
            list.dedup();
            for callee in &list {
                callers[callee.0 as usize].push(caller);
            }
            callees.push(list);
        }
        let mut components = graph::components(callees.len(), program.function_ids(), |f| {
            callees[f.0 as usize].iter().copied()
        });
        components.iter_mut().for_each(|component| component.sort());
        let mut component_of = vec![0; callees.len()];
        let mut recursive = vec![false; callees.len()];
        for (i, component) in components.iter().enumerate() {
            for &f in component {
                component_of[f.0 as usize] = i as u32;
                recursive[f.0 as usize] = component.len() > 1 || callees[f.0 as usize].contains(&f);
            }
        }
        CallGraph { sites, callees, callers, address_taken, components, component_of, recursive }
    }

    /// The calls in a function, by edge.
    pub fn sites(&self, f: FuncId) -> &[CallSite] {
        &self.sites[f.0 as usize]
    }

    /// The call on an edge of a function.
    pub fn site(&self, f: FuncId, edge: EdgeId) -> Option<&CallSite> {
        let sites = self.sites(f);
        sites.binary_search_by_key(&edge, |site| site.edge).ok().map(|i| &sites[i])
    }

    /// The functions that a function may call itself, ascending.
    pub fn callees(&self, f: FuncId) -> &[FuncId] {
        &self.callees[f.0 as usize]
    }

    pub fn callers(&self, f: FuncId) -> &[FuncId] {
        &self.callers[f.0 as usize]
    }

    /// The functions whose address is taken somewhere in the program, ascending.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }

    /// The strongly connected components, callees before callers.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// The index of a function's component.
    pub fn component_of(&self, f: FuncId) -> usize {
        self.component_of[f.0 as usize] as usize
    }

    /// May an activation of this function call it again?
    pub fn is_recursive(&self, f: FuncId) -> bool {
        self.recursive[f.0 as usize]
    }

    /// What calls can reach from `roots`, they included; ascending.
    pub fn reachable(&self, roots: &[FuncId]) -> Vec<FuncId> {
        let callees = |f: FuncId| self.callees(f).iter().copied();
        let reached = graph::reachable(self.sites.len(), roots.iter().copied(), callees);
        (0..reached.len()).filter(|&i| reached[i]).map(|i| FuncId(i as u32)).collect()
    }
}

fn call_sites(program: &Program, function: &Function, address_taken: &[FuncId]) -> Vec<CallSite> {
    let Some(cfa) = function.cfa() else { return Vec::new() };
    // Most functions have no calls through pointers.
    let mut pointees = None;
    let mut sites = Vec::new();
    for (i, edge) in cfa.edges().iter().enumerate() {
        let Op::Call { dst, callee, args } = &edge.op else { continue };
        let edge = EdgeId(i as u32);
        match callee {
            Callee::Direct(id) => sites.push(CallSite { edge, indirect: false, targets: vec![*id] }),
            Callee::Indirect(e) => {
                let pointees = pointees.get_or_insert_with(|| Pointees::of(program, function));
                let call = (pointees.of_expr(e), &args[..], *dst);
                let targets = indirect_targets(program, function, call, || address_taken);
                sites.push(CallSite { edge, indirect: true, targets });
            }
        }
    }
    sites
}

/// What a call through a pointer in `function` may run, ascending: `call` has what the pointer may hold
/// ([`Pointees::of_expr`]), the arguments, and where the result goes. The functions whose address is taken
/// are only asked for if the pointer may hold any.
pub fn indirect_targets<'a>(
    program: &Program,
    function: &Function,
    call: (Option<Vec<FuncId>>, &[Expr], Option<Var>),
    address_taken: impl FnOnce() -> &'a [FuncId],
) -> Vec<FuncId> {
    let (held, args, dst) = call;
    let args: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let dst = dst.and_then(|var| program.register(function, var));
    let mut targets = held.unwrap_or_else(|| address_taken().to_vec());
    targets.retain(|&f| signature_matches(program.function(f), &args, dst, &program.target));
    targets
}

/// May a call through a pointer, with arguments of these types and a result kept in `dst`, run `callee`?
///
/// - As many arguments as parameters, or at least as many if the callee is variadic.
/// - Each argument passes into its parameter unchanged ([`same_representation`]).
/// - A call that ignores the result may run anything; one that keeps it needs a callee that returns a value
///   of the same representation.
///
/// Values keep their bits; only the type that reads them changes, from `i32` to `u32` or from `ptr` to `u64`.
pub fn signature_matches(callee: &Function, args: &[Type], dst: Option<Type>, target: &Target) -> bool {
    let Some(params) = callee.locals.get(..callee.params as usize) else { return false };
    let count = if callee.variadic { args.len() >= params.len() } else { args.len() == params.len() };
    let result = match (dst, callee.ret) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(dst), Some(ret)) => same_representation(dst, ret, target),
    };
    count
        && result
        && params.iter().zip(args).all(|(param, &arg)| match param.storage {
            Storage::Register(ty) => same_representation(ty, arg, target),
            Storage::Memory { .. } => false,
        })
}

/// Do values of both types have the same bits in the same kind of machine register? Signedness does not
/// matter, and a pointer is an integer of its width.
pub fn same_representation(a: Type, b: Type, target: &Target) -> bool {
    match (a, b) {
        (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
        (Type::Int(int), Type::Ptr) | (Type::Ptr, Type::Int(int)) => int.bits == target.pointer_bits,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Body, Local, LocalOrigin, Pos};

    fn function(params: &[Type], variadic: bool, ret: Option<Type>) -> Function {
        let local = |(i, &ty): (usize, &Type)| Local {
            name: format!("p{i}").into(),
            storage: Storage::Register(ty),
            origin: LocalOrigin::Param,
            c_type: "".into(),
            pos: Pos::default(),
        };
        Function {
            name: "f".into(),
            ret,
            params: params.len() as u32,
            variadic,
            locals: params.iter().enumerate().map(local).collect(),
            body: Body::Extern,
            havocs: false,
            c_type: "".into(),
            pos: Pos::default(),
        }
    }

    #[test]
    fn signatures() {
        let check = |callee: &Function, args: &[Type], dst: Option<Type>, expected: [bool; 2]| {
            let found = [Target::LP64, Target::ILP32].map(|t| signature_matches(callee, args, dst, &t));
            assert_eq!(found, expected, "{callee:?} {args:?} {dst:?}");
        };
        let void = function(&[], false, None);
        check(&void, &[], None, [true, true]);
        check(&void, &[Type::I32], None, [false, false]);
        check(&void, &[], Some(Type::I32), [false, false]);
        let int = function(&[Type::I32, Type::Ptr], false, Some(Type::I32));
        check(&int, &[Type::I32, Type::Ptr], Some(Type::I32), [true, true]);
        check(&int, &[Type::U32, Type::Ptr], Some(Type::U32), [true, true]);
        check(&int, &[Type::U32, Type::U64], None, [true, false]);
        check(&int, &[Type::Ptr, Type::Ptr], None, [false, true]);
        check(&int, &[Type::I32, Type::Ptr], Some(Type::Ptr), [false, true]);
        check(&int, &[Type::F32, Type::Ptr], None, [false, false]);
        check(&int, &[Type::I32], None, [false, false]);
        let variadic = function(&[Type::Ptr], true, Some(Type::F64));
        check(&variadic, &[Type::Ptr, Type::F64], Some(Type::F64), [true, true]);
        check(&variadic, &[Type::Ptr], Some(Type::F32), [false, false]);
        check(&variadic, &[], None, [false, false]);
    }
}
