//! From a control-flow automaton to internal code: operations, order of blocks, jumps.
//!
//! Nodes are laid out along chains so that most edges fall through. Compilation cannot fail: what the
//! internal code cannot express (an expression nested too deeply, a node that verification would refuse)
//! becomes a trap that ends the run with `Unsupported` when it is reached.

use crate::access::AccessKind;
use crate::code::{CallSite, Code, Inst, NO_EDGE, NO_SLOT, is_wide, type_code};
use crate::lower::Lower;
use crate::outcome::Detect;
use ir::{
    AllocKind, Body, Callee, Cfa, CheckKind, Edge, EdgeId, Expr, ExprKind, FuncId, Function, LocalId, NodeId,
    Op, Program, Storage, Type, Var,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What compilation needs besides the function.
pub struct Context<'p> {
    pub program: &'p Program,
    pub globals: Vec<GlobalPlace>,
    pub detect: Detect,
    pub trace: bool,
    pub values: bool,
    pub watch: FxHashSet<(FuncId, NodeId)>,
}

/// Where a global lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalPlace {
    /// The first of its slots among the globals' slots.
    Register {
        slot: u32,
        ty: Type,
    },
    Memory {
        address: u64,
        object: u32,
        size: u64,
    },
}

/// What cannot be compiled.
pub type Refusal = &'static str;

const UNPLACED: u32 = u32::MAX;

pub fn compile(context: &Context, id: FuncId) -> Code {
    let function = context.program.function(id);
    let mut lower = Lower::new(context, function);
    match &function.body {
        Body::Defined(cfa) => match Compiler::body(&mut lower, id, function, cfa) {
            Ok(()) => lower.code,
            Err(refusal) => trap_only(lower.code, refusal.into()),
        },
        Body::Extern => trap_only(lower.code, "a function without a body cannot be run by itself".into()),
        Body::Poisoned { reason, .. } => trap_only(lower.code, reason.clone()),
    }
}

fn trap_only(mut code: Code, reason: Arc<str>) -> Code {
    code.insts = vec![Inst::Trap { reason: 0 }];
    code.edges = vec![NO_EDGE];
    code.uncounted = vec![0];
    code.traps = vec![reason];
    code
}

struct Compiler<'l, 'c, 'p> {
    id: FuncId,
    lower: &'l mut Lower<'c, 'p>,
    cfa: &'c Cfa,
    /// Where each node's code begins.
    start: Vec<u32>,
    entering: Vec<u32>,
    /// Jumps to be directed at a node's code.
    fixups: Vec<(usize, NodeId)>,
    pending: Vec<NodeId>,
}

impl<'c, 'p: 'c> Compiler<'_, 'c, 'p> {
    fn body(
        lower: &mut Lower<'c, 'p>,
        id: FuncId,
        function: &'c Function,
        cfa: &'c Cfa,
    ) -> Result<(), Refusal> {
        let nodes = cfa.node_count() as usize;
        let mut entering = vec![0; nodes];
        for edge in cfa.edges() {
            *entering.get_mut(edge.to.0 as usize).ok_or("an edge leads nowhere")? += 1;
        }
        for (i, local) in function.locals.iter().enumerate() {
            if let Storage::Memory { .. } = local.storage {
                let dst = lower.code.slots[i];
                lower.emit(Inst::NewLocal { dst, local: i as u32 });
            }
        }
        for id in unset_locals(function, cfa) {
            if let Storage::Register(ty) = function.local(id).storage {
                let dst = lower.code.slots[id.0 as usize];
                lower.emit(Inst::Unset { ty: type_code(ty), dst, local: id.0 });
            }
        }
        let start = vec![UNPLACED; nodes];
        let pending = vec![cfa.entry];
        let mut compiler = Compiler { id, lower, cfa, start, entering, fixups: Vec::new(), pending };
        while let Some(node) = compiler.pending.pop() {
            if compiler.start[node.0 as usize] == UNPLACED {
                compiler.chain(node)?;
            }
        }
        for (at, node) in std::mem::take(&mut compiler.fixups) {
            let target = compiler.start[node.0 as usize];
            compiler.lower.code.insts[at].set_target(target);
        }
        if compiler.lower.code.insts.len() > u32::MAX as usize / 2 {
            return Err("the function is too long");
        }
        Ok(())
    }

    /// Lays out code from `node` on until control goes elsewhere.
    fn chain(&mut self, mut node: NodeId) -> Result<(), Refusal> {
        self.lower.cost = 0;
        loop {
            if self.start[node.0 as usize] != UNPLACED {
                self.jump(node);
                return Ok(());
            }
            if self.entering[node.0 as usize] > 1 {
                self.lower.flush_cost();
            }
            self.start[node.0 as usize] = self.lower.code.insts.len() as u32;
            if self.lower.context.watch.contains(&(self.id, node)) {
                self.lower.emit(Inst::Watch { node: node.0 });
            }
            let ids: Vec<EdgeId> = self.cfa.out_ids(node).collect();
            match *ids {
                [id] => {
                    let edge = self.cfa.edge(id);
                    self.begin(id);
                    if self.lower.trace() {
                        self.lower.emit(Inst::Trace { edge: id.0 });
                    }
                    if !self.operation(edge)? {
                        return Ok(());
                    }
                    node = edge.to;
                }
                [yes, no] => match self.branch(yes, no)? {
                    Some(next) => node = next,
                    None => return Ok(()),
                },
                _ => {
                    self.lower.trap("a location without a way on".into());
                    return Ok(());
                }
            }
        }
    }

    fn begin(&mut self, id: EdgeId) {
        self.lower.begin_edge(id);
    }

    fn jump(&mut self, node: NodeId) {
        let cost = self.lower.take_cost();
        self.fixups.push((self.lower.code.insts.len(), node));
        self.lower.emit(Inst::Jump { cost, to: 0 });
    }

    /// A branch; the node whose code should follow, if any.
    fn branch(&mut self, yes: EdgeId, no: EdgeId) -> Result<Option<NodeId>, Refusal> {
        let (yes_edge, no_edge) = (self.cfa.edge(yes), self.cfa.edge(no));
        let (Op::Assume { cond, holds: true }, Op::Assume { holds: false, .. }) = (&yes_edge.op, &no_edge.op)
        else {
            self.lower.trap("a choice that no condition decides".into());
            return Ok(None);
        };
        let (then, other) = (yes_edge.to, no_edge.to);
        self.begin(yes);
        self.record(&yes_edge.op)?;
        if self.lower.trace() {
            let jump = self.lower.jump_where(cond, true)?;
            // A condition that is never true left the cost uncounted.
            let cost = self.lower.cost;
            self.begin(no);
            self.lower.cost = cost;
            self.lower.emit(Inst::Trace { edge: no.0 });
            self.jump(other);
            self.pending.push(other);
            self.begin(yes);
            self.lower.cost = 0;
            if let Some(at) = jump {
                self.lower.land(at);
            }
            self.lower.emit(Inst::Trace { edge: yes.0 });
            return Ok(Some(then));
        }
        let placed = |c: &Self, n: NodeId| c.start[n.0 as usize] != UNPLACED;
        let (sense, away, next) = if placed(self, other) && !placed(self, then) {
            (false, other, then)
        } else {
            (true, then, other)
        };
        if let Some(at) = self.lower.jump_where(cond, sense)? {
            self.fixups.push((at, away));
        }
        self.pending.push(away);
        Ok(Some(next))
    }

    /// Has the values of an operation's expressions recorded, if somebody wants them.
    fn record(&mut self, op: &Op) -> Result<(), Refusal> {
        if !self.lower.context.values {
            return Ok(());
        }
        for e in op.exprs() {
            let mut addresses = Vec::new();
            e.walk(&mut |e| {
                if let ExprKind::Load(address) = &e.kind {
                    addresses.push(&**address);
                }
            });
            for e in addresses.into_iter().chain([e]) {
                let src = self.lower.slot(e)?;
                self.lower.emit(Inst::Record { ty: type_code(e.ty), src });
            }
        }
        Ok(())
    }

    /// The same for the variable that an operation has written.
    fn record_written(&mut self, var: Option<Var>) -> Result<(), Refusal> {
        if let Some(var) = var.filter(|_| self.lower.context.values) {
            let ty = self.lower.var_type(var)?;
            let src = self.lower.slot(&Expr::var(var, ty))?;
            self.lower.emit(Inst::Record { ty: type_code(ty), src });
        }
        Ok(())
    }

    /// One operation; false if control does not go on to the edge's end.
    fn operation(&mut self, edge: &'c Edge) -> Result<bool, Refusal> {
        self.record(&edge.op)?;
        match &edge.op {
            Op::Skip => {}
            Op::Assume { cond, holds } => self.require(cond, *holds, Inst::AssumeFails)?,
            Op::Check { kind: CheckKind::Memory, cond, .. } => self.require_access(cond)?,
            Op::Check { cond: Expr { kind: ExprKind::HeapKept { rule, also }, .. }, .. } => {
                let also = self.lower.also(also.as_deref())?;
                self.lower.emit(Inst::HeapLost { rule: *rule, also });
            }
            Op::Check { cond, .. } => self.require(cond, true, Inst::CheckFails)?,
            Op::Assign { var, value } => self.lower.assign(*var, value)?,
            Op::Store { addr, value } => self.lower.store(addr, value)?,
            Op::Havoc { var, .. } => {
                let ty = self.lower.var_type(*var)?;
                let dst = self.lower.target_slot(*var, ty);
                self.lower.emit(Inst::Havoc { ty: type_code(ty), dst });
                self.lower.finish(*var, ty, dst)?;
            }
            Op::Copy { dst, src, len } => {
                let (dst, src, len) = (self.lower.slot(dst)?, self.lower.slot(src)?, self.lower.slot(len)?);
                self.lower.emit(Inst::Copy { dst, src, len });
            }
            Op::Fill { dst, byte, len } => {
                let (dst, byte, len) = (self.lower.slot(dst)?, self.lower.slot(byte)?, self.lower.slot(len)?);
                self.lower.emit(Inst::Fill { dst, byte, len });
            }
            Op::Alloc { var, size, kind } => {
                let size = self.lower.slot(size)?;
                let dst = self.lower.target_slot(*var, Type::Ptr);
                self.lower.emit(Inst::Alloc { heap: *kind == AllocKind::Heap, dst, size });
                self.lower.finish(*var, Type::Ptr, dst)?;
            }
            Op::Free { ptr } => {
                let ptr = self.lower.slot(ptr)?;
                self.lower.emit(Inst::Free { ptr });
            }
            Op::Lifetime { ptr, begins } => {
                let ptr = self.lower.slot(ptr)?;
                self.lower.emit(Inst::Lifetime { ptr, begins: *begins });
            }
            Op::Call { dst, callee, args } => self.call(*dst, callee, args)?,
            Op::Return(value) => {
                let src = match value {
                    Some(e) => Some((self.lower.slot(e)?, is_wide(e.ty))),
                    None => None,
                };
                let cost = self.lower.take_cost();
                self.lower.emit(match src {
                    Some((src, true)) => Inst::ReturnWide { cost, src },
                    Some((src, false)) => Inst::Return { cost, src },
                    None => Inst::ReturnVoid { cost },
                });
                return Ok(false);
            }
            Op::Halt(code) => {
                let code = match code {
                    Some(e) => Some(self.lower.slot(e)?),
                    None => None,
                };
                let cost = self.lower.take_cost();
                self.lower.emit(match code {
                    Some(code) => Inst::Exit { cost, code },
                    None => Inst::Abort { cost },
                });
                return Ok(false);
            }
        }
        if let Op::Havoc { .. } | Op::Alloc { .. } | Op::Call { .. } = edge.op {
            self.record_written(edge.op.written())?;
        }
        Ok(true)
    }

    fn require(&mut self, cond: &Expr, holds: bool, otherwise: Inst) -> Result<(), Refusal> {
        let over = self.lower.jump_where(cond, holds)?;
        self.lower.emit(otherwise);
        if let Some(at) = over {
            self.lower.land(at);
        }
        Ok(())
    }

    /// A check about memory. Where it fails, what was accessed is computed once more, for the outcome.
    fn require_access(&mut self, cond: &Expr) -> Result<(), Refusal> {
        let over = self.lower.jump_where(cond, true)?;
        let fails = match &cond.kind {
            ExprKind::Valid { ptr, size, write } => {
                let kind = if *write { AccessKind::Write } else { AccessKind::Read };
                Inst::AccessFails { kind, ptr: self.lower.slot(ptr)?, size: self.lower.slot(size)? }
            }
            ExprKind::Freeable(ptr) => {
                Inst::AccessFails { kind: AccessKind::Free, ptr: self.lower.slot(ptr)?, size: NO_SLOT }
            }
            _ => Inst::CheckFails,
        };
        self.lower.emit(fails);
        if let Some(at) = over {
            self.lower.land(at);
        }
        Ok(())
    }

    /// Arguments go to consecutive slots above all temporaries: there the callee's frame begins.
    fn call(&mut self, dst: Option<Var>, callee: &'c Callee, args: &'c [Expr]) -> Result<(), Refusal> {
        let dst_type = match dst {
            Some(var) => Some(self.lower.var_type(var)?),
            None => None,
        };
        let dst_slot = match (dst, dst_type) {
            (Some(var), Some(ty)) => self.lower.target_slot(var, ty),
            _ => NO_SLOT,
        };
        let (func, target) = match callee {
            Callee::Direct(id) => (Some(*id), NO_SLOT),
            Callee::Indirect(e) => (None, self.lower.slot(e)?),
        };
        let callee = func.map(|id| self.lower.context.program.function(id));
        let window = self.lower.top();
        let fixed = callee.map_or(args.len(), |f| f.params as usize).min(args.len());
        let mut slots = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            if i == fixed {
                // Between parameters and extra arguments: the address of the latter.
                self.lower.temp(false)?;
            }
            slots.push((self.lower.temp(is_wide(arg.ty))?, arg.ty));
        }
        // The callee writes here before its frame is known, and a result may be wide.
        self.lower.temp(true)?;
        for (arg, (slot, _)) in args.iter().zip(&slots) {
            self.lower.put(arg, *slot)?;
        }
        let site =
            CallSite { func, target, types: args.iter().map(|a| a.ty).collect(), args: slots, dst: dst_type };
        match callee.map(|f| (&f.body, f.variadic)) {
            Some((Body::Defined(_), false)) => {
                let cost = self.lower.take_cost();
                let func = func.map_or(0, |id| id.0);
                self.lower.emit(Inst::Call { cost, func, window, dst: dst_slot });
            }
            Some((Body::Defined(_), true)) => {
                let (cost, site) = (self.lower.take_cost(), self.lower.site(site));
                self.lower.emit(Inst::CallVariadic { cost, site, window, dst: dst_slot });
            }
            Some((Body::Extern, _)) => {
                let site = self.lower.site(site);
                self.lower.emit(Inst::CallExtern { site, window, dst: dst_slot });
            }
            Some((Body::Poisoned { reason, .. }, _)) => self.lower.trap(reason.clone()),
            None => {
                let (cost, site) = (self.lower.take_cost(), self.lower.site(site));
                self.lower.emit(Inst::CallIndirect { cost, site, window, dst: dst_slot });
                // The callee may have returned the same bits as a type of other signedness.
                if let Some(ty) = dst_type {
                    self.lower.normalise(ty, dst_slot, dst_slot);
                }
            }
        }
        match (dst, dst_type) {
            (Some(var), Some(ty)) => self.lower.finish(var, ty, dst_slot),
            _ => Ok(()),
        }
    }
}

/// Register locals that some path reads before it sets them. For each one, a search backwards from its uses.
fn unset_locals(function: &Function, cfa: &Cfa) -> Vec<LocalId> {
    let count = function.locals.len();
    let mut uses: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    for edge in cfa.edges() {
        for expr in edge.op.exprs() {
            expr.walk(&mut |e| {
                if let ExprKind::Local(id) = e.kind
                    && let Some(list) = uses.get_mut(id.0 as usize)
                    && list.last() != Some(&edge.from)
                {
                    list.push(edge.from);
                }
            });
        }
    }
    let entering = cfa.predecessors();
    let mut seen = vec![u32::MAX; cfa.node_count() as usize];
    let mut unset = Vec::new();
    for (i, nodes) in uses.into_iter().enumerate().skip(function.params as usize) {
        let stamp = i as u32;
        let mut work = nodes;
        for node in &work {
            seen[node.0 as usize] = stamp;
        }
        while let Some(node) = work.pop() {
            if node == cfa.entry {
                unset.push(LocalId(stamp));
                break;
            }
            for id in &entering[node.0 as usize] {
                let edge = cfa.edge(*id);
                let sets = edge.op.written() == Some(Var::Local(LocalId(stamp)));
                if !sets && seen[edge.from.0 as usize] != stamp {
                    seen[edge.from.0 as usize] = stamp;
                    work.push(edge.from);
                }
            }
        }
    }
    unset
}
