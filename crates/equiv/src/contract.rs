//! What the user said about a comparison, as terms about the product's states.

use crate::product::Contract;
use crate::spec::{
    Binding, CBinding, CCondition, Condition, ConditionKind, InputEquality, Name, Scope, Side, Spec,
    TermError, to_term,
};
use encode::block::{self, Calls, Treatment};
use encode::footprint::Footprint;
use encode::{Encoder, IntMode, Layout, Look, Regions, State, Unsupported};
use ir::{EdgeId, Expr, FuncId, LoopForest, Program, Type};
use logic::{Linear, Term};
use std::collections::BTreeSet;

pub struct SpecContract<'a> {
    pub spec: &'a Spec,
    pub mode: IntMode,
    pub programs: [&'a Program; 2],
    pub functions: [FuncId; 2],
}

impl Contract for SpecContract<'_> {
    fn equal_inputs(&self) -> bool {
        self.spec.input_equality == InputEquality::Assumed
    }

    /// Unless a condition that replaces equality speaks about memory without saying that it is equal.
    fn equal_memory(&self) -> bool {
        let smt = self.spec.pre.iter().filter_map(|c| match &c.kind {
            ConditionKind::Smt(smt) => Some(&smt.term),
            ConditionKind::C(_) => None,
        });
        let terms: Vec<_> = smt.collect();
        self.equal_inputs()
            || terms.iter().any(|t| t.implies_equal_heaps())
            || !terms.iter().any(|t| t.mentions_heap())
    }

    fn pre(&self, look: &dyn Look) -> Result<Term, Unsupported> {
        let mut known = Vec::new();
        for condition in &self.spec.pre {
            // Less may be assumed, never more: what has no term here is left out, conjunct by conjunct.
            match &condition.kind {
                ConditionKind::Smt(smt) => {
                    for part in smt.term.clone().into_conjuncts() {
                        if let Ok(term) = to_term(&part, &Names { contract: self, look }, self.mode) {
                            known.push(term);
                        }
                    }
                }
                ConditionKind::C(c) => known.extend(self.c_condition(c, look).ok()),
            }
        }
        Ok(Term::all(known))
    }

    fn post(&self, look: &dyn Look) -> Result<Option<Term>, Unsupported> {
        let Some(conditions) = &self.spec.post else { return Ok(None) };
        let terms = conditions.iter().map(|condition| self.demanded(condition, look));
        Ok(Some(Term::all(terms.collect::<Result<Vec<_>, _>>()?)))
    }

    fn post_needs_inputs(&self) -> bool {
        self.spec.post.is_some()
    }
}

impl SpecContract<'_> {
    fn demanded(&self, condition: &Condition, look: &dyn Look) -> Result<Term, Unsupported> {
        match &condition.kind {
            ConditionKind::Smt(smt) => to_term(&smt.term, &Names { contract: self, look }, self.mode)
                .map_err(|e| {
                    Unsupported(match e {
                        TermError::UnknownName(name) => format!("the postcondition mentions {name}"),
                        TermError::Sort(text) | TermError::Unsupported(text) => {
                            format!("the postcondition: {text}")
                        }
                    })
                }),
            ConditionKind::C(c) => self.c_condition(c, look),
        }
    }

    /// A condition in C is a loop-free function: executed symbolically on the terms of its parameters.
    fn c_condition(&self, c: &CCondition, look: &dyn Look) -> Result<Term, Unsupported> {
        if c.reads.iter().any(|r| r.is_some()) {
            return Err(Unsupported("a condition that reads memory".to_owned()));
        }
        let function = c.program.function(c.function);
        let cfa = function.cfa().ok_or_else(|| Unsupported("a condition without a body".to_owned()))?;
        if !LoopForest::of(cfa).loops().is_empty() {
            return Err(Unsupported("a condition with a loop".to_owned()));
        }
        let zero = Term::int(0);
        let regions = Regions::analyse(&[&*c.program], &[vec![c.function]]);
        let mut state = State {
            locals: vec![None; function.locals.len()],
            globals: vec![None; c.program.globals.len()],
            memory: vec![zero; regions.list.len()],
            world: zero,
            allocations: zero,
            inputs: zero,
        };
        for (i, binding) in c.bindings.iter().enumerate() {
            let term = match *binding {
                CBinding::Param { side, index } => {
                    let f = self.programs[side.index()].function(self.functions[side.index()]);
                    look.name(side.index(), &f.local(ir::LocalId(index)).name)
                }
                CBinding::Result { side } => look.name(side.index(), "result"),
                CBinding::Global { side, id } => {
                    look.name(side.index(), &self.programs[side.index()].global(id).name)
                }
                CBinding::GlobalAddress { .. } => None,
            };
            state.locals[i] =
                Some(term.ok_or_else(|| Unsupported("a name that has no term here".to_owned()))?);
        }
        let mut encoder = Encoder::new(&c.program, 0, c.function, self.mode, &regions, "condition.");
        let done = block::block(&mut encoder, cfa, &BTreeSet::new(), cfa.entry, &state, &NoCalls)?;
        let returns = done.segments.iter().filter_map(|segment| {
            let ending = segment.ending.as_ref()?;
            let value = ending.value?;
            let returned = ending.kind.equals(Term::int(block::kind::RETURN));
            let holds = value.differs(Term::number(value.sort(), 0));
            Some(segment.guard.and(returned).and(holds))
        });
        Ok(Term::any(returns).and(done.facts))
    }
}

struct NoCalls;

impl Calls for NoCalls {
    fn treat(&self, _site: EdgeId, _callee: FuncId) -> Treatment {
        Treatment::Refuse("a condition that calls a function".to_owned())
    }

    fn footprint(&self, _callee: FuncId) -> &Footprint {
        static EMPTY: std::sync::LazyLock<Footprint> = std::sync::LazyLock::new(Footprint::default);
        &EMPTY
    }
}

/// The names of SMT-LIB conditions.
struct Names<'c, 's> {
    contract: &'c SpecContract<'s>,
    look: &'c dyn Look,
}

impl Names<'_, '_> {
    fn program(&self, side: Side) -> &Program {
        self.contract.programs[side.index()]
    }

    fn function(&self, side: Side) -> &ir::Function {
        self.program(side).function(self.contract.functions[side.index()])
    }

    /// The address expression that a condition's address is about: a parameter plus a constant.
    fn address(&self, side: Side, address: Term, bases: &[Name]) -> Option<Expr> {
        let f = self.function(side);
        let global = bases.iter().find_map(|name| match name {
            Name::Var(_, text) => self.program(side).find_global(text),
            _ => None,
        });
        let param = bases.iter().find_map(|name| match name {
            Name::Var(_, text) => (0..f.params).map(ir::LocalId).find(|id| {
                f.local(*id).name == *text && f.local(*id).storage == ir::Storage::Register(Type::Ptr)
            }),
            _ => None,
        });
        let kind = match (param, global) {
            (Some(id), _) => ir::ExprKind::Local(id),
            (None, Some(id)) => ir::ExprKind::AddrGlobal(id),
            (None, None) => return None,
        };
        let base = Expr { ty: Type::Ptr, kind };
        let sum = Linear::of(address);
        let intptr = self.program(side).target.intptr(true);
        let constant = i128::try_from(&sum.constant).ok().filter(|_| sum.terms.len() == 1).unwrap_or(0);
        Some(match constant {
            0 => base,
            c => Expr::binary(ir::BinOp::PtrAdd, base, Expr::int(intptr, c)),
        })
    }
}

impl Scope for Names<'_, '_> {
    fn name(&self, name: &Name) -> Option<Binding> {
        match name {
            Name::Var(side, text) => {
                let f = self.function(*side);
                let Some(id) = (0..f.params).map(ir::LocalId).find(|id| f.local(*id).name == *text) else {
                    // The name of a global is its address.
                    let program = self.program(*side);
                    let id = program.find_global(text)?;
                    let ir::Storage::Memory { .. } = program.global(id).storage else { return None };
                    let term =
                        Term::var(&encode::names::address(text), self.contract.mode.pointer(&program.target));
                    return Some(Binding { term, ty: Type::Ptr });
                };
                let ir::Storage::Register(ty) = f.local(id).storage else { return None };
                Some(Binding { term: self.look.name(side.index(), text)?, ty })
            }
            Name::Result(side) => {
                Some(Binding { term: self.look.name(side.index(), "result")?, ty: self.function(*side).ret? })
            }
            Name::Heap(_) | Name::Word(_) => None,
        }
    }

    fn load(&self, side: Side, address: Term, bases: &[Name]) -> Option<Binding> {
        let expr = self.address(side, address, bases);
        let (memory, layout) = self.look.memory(side.index(), expr.as_ref())?;
        let ty = match layout {
            Layout::Cells(ty) => ty,
            Layout::Bytes if self.contract.mode == IntMode::Unbounded => Type::I32,
            Layout::Bytes => Type::U8,
        };
        (memory.sort().index() == Some(address.sort())).then(|| Binding { term: memory.select(address), ty })
    }

    fn global(&self, side: Side, name: &str) -> Option<Binding> {
        let program = self.program(side);
        let id = program.find_global(name)?;
        let ir::Storage::Register(ty) = program.global(id).storage else { return None };
        Some(Binding { term: self.look.name(side.index(), name)?, ty })
    }

    fn heaps_equal(&self) -> Option<Term> {
        self.look.memories_equal()
    }

    fn pointer_bits(&self) -> u32 {
        u32::from(self.program(Side::Old).target.pointer_bits)
    }
}
