//! The canonical forms of everything in a program: what fingerprints are made of, and what two versions are
//! compared by.

use super::canonical::Canonical;
use super::encode::Encoder;
use super::{Fingerprint, Symbol};
use crate::calls::signature_matches;
use crate::cfa::{Callee, Cfa, Op};
use crate::program::{FuncId, Function, Global, GlobalId, Program, Storage, Var};
use crate::types::{Target, Type};
use rustc_hash::FxHashMap;

pub struct Forms {
    /// By [`FuncId`].
    pub functions: Vec<FunctionForm>,
    /// By [`GlobalId`].
    pub globals: Vec<GlobalForm>,
    /// What calls through pointers can reach, one set for each signature called.
    pub target_sets: Vec<TargetSet>,
}

/// A function or a loop.
pub struct FragmentForm {
    pub canonical: Canonical,
    /// Indices into [`Forms::target_sets`], one for each signature called through a pointer, by first use.
    pub indirect: Vec<u32>,
}

pub struct FunctionForm {
    pub whole: FragmentForm,
    /// By loop id.
    pub loops: Vec<FragmentForm>,
}

/// A global's initial value.
pub struct GlobalForm {
    pub init: Fingerprint,
    /// What the initial value points to, by first use.
    pub symbols: Vec<Symbol>,
}

/// The functions that a call through a pointer may run: the address is taken somewhere and the signature fits.
pub struct TargetSet {
    pub signature: Signature,
    /// Sorted by name.
    pub targets: Vec<FuncId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub args: Vec<Type>,
    pub result: Option<Type>,
}

impl Forms {
    pub fn new(program: &Program) -> Forms {
        let mut signatures = Signatures { program, index: FxHashMap::default(), list: Vec::new() };
        let functions: Vec<_> =
            program.functions.iter().map(|f| FunctionForm::new(f, &mut signatures)).collect();
        let globals: Vec<_> = program.globals.iter().map(|g| GlobalForm::new(g, &program.target)).collect();
        let addressed = addressed(program, &functions, &globals);
        let target_sets =
            signatures.list.into_iter().map(|s| TargetSet::new(s, &addressed, program)).collect();
        Forms { functions, globals, target_sets }
    }

    pub fn function(&self, id: FuncId) -> &FunctionForm {
        &self.functions[id.0 as usize]
    }

    pub fn global(&self, id: GlobalId) -> &GlobalForm {
        &self.globals[id.0 as usize]
    }
}

/// String literals have no name of their own: they count by content.
pub fn is_literal(global: &Global) -> bool {
    global.constant && global.name.starts_with(".str.")
}

impl FunctionForm {
    fn new(function: &Function, signatures: &mut Signatures) -> FunctionForm {
        let form = |canonical: Canonical, signatures: &mut Signatures| {
            let indirect = signatures.called_in(function, &canonical);
            FragmentForm { canonical, indirect }
        };
        let whole = form(Canonical::function(function), signatures);
        FunctionForm { whole, loops: Vec::new() }
    }
}

impl GlobalForm {
    fn new(global: &Global, target: &Target) -> GlobalForm {
        let mut out = Encoder::new(&[]);
        out.init(global, target);
        GlobalForm { init: Fingerprint::of(&out.bytes), symbols: out.symbols }
    }
}

impl TargetSet {
    fn new(signature: Signature, addressed: &[FuncId], program: &Program) -> TargetSet {
        let fits = |id: &FuncId| {
            signature_matches(program.function(*id), &signature.args, signature.result, &program.target)
        };
        let targets = addressed.iter().copied().filter(fits).collect();
        TargetSet { signature, targets }
    }
}

/// All functions whose address is taken in reachable code or in an initial value, sorted by name.
fn addressed(program: &Program, functions: &[FunctionForm], globals: &[GlobalForm]) -> Vec<FuncId> {
    let code = functions.iter().flat_map(|f| f.whole.canonical.addressed.iter().copied());
    let data = globals.iter().flat_map(|g| &g.symbols).filter_map(|s| match s {
        Symbol::Function(id) => Some(*id),
        Symbol::Global(_) => None,
    });
    let mut taken: Vec<FuncId> =
        code.chain(data).filter(|f| program.functions.len() > f.0 as usize).collect();
    taken.sort_by(|a, b| program.function(*a).name.cmp(&program.function(*b).name));
    taken.dedup();
    taken
}

/// The signatures of calls through pointers, numbered.
struct Signatures<'a> {
    program: &'a Program,
    index: FxHashMap<Signature, u32>,
    list: Vec<Signature>,
}

impl Signatures<'_> {
    fn called_in(&mut self, function: &Function, canonical: &Canonical) -> Vec<u32> {
        let mut found = Vec::new();
        let cfa: Option<&Cfa> = function.cfa();
        for edge in cfa.into_iter().flat_map(|cfa| canonical.edges.iter().map(|e| cfa.edge(*e))) {
            if let Op::Call { dst, callee: Callee::Indirect(_), args } = &edge.op {
                let args = args.iter().map(|e| e.ty).collect();
                let signature = Signature { args, result: dst.and_then(|v| self.register_type(function, v)) };
                let next = self.list.len() as u32;
                let index = *self.index.entry(signature.clone()).or_insert(next);
                if index == next {
                    self.list.push(signature);
                }
                if !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        found
    }

    fn register_type(&self, function: &Function, var: Var) -> Option<Type> {
        let storage = match var {
            Var::Local(id) => function.locals.get(id.0 as usize)?.storage,
            Var::Global(id) => self.program.globals.get(id.0 as usize)?.storage,
        };
        match storage {
            Storage::Register(ty) => Some(ty),
            Storage::Memory { .. } => None,
        }
    }
}
