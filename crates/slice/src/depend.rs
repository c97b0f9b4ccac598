//! What the checks depend on: backwards along dependences, until nothing new turns up.
//!
//! Four things make an operation relevant: it is a check (or restricts the executions that get to one); it
//! gives a register a value that is needed where it arrives; it writes a global or a region that is needed;
//! or it is a branch that decides whether something relevant runs. A relevant operation needs what its
//! expressions read. A call is kept if what it runs has a relevant effect, or if its result is needed; a call
//! that is kept needs those arguments whose parameters are needed in the callee.
//!
//! All facts only ever grow, each is looked at once, and the order makes no difference to the result.
//! Dividing memory costs more than all the rest, and many checks depend on registers only: it is done when
//! the first access turns out to matter.

use crate::ahead::{Ahead, goals};
use crate::control::Part;
use crate::memory::{Place, Region};
use crate::reach::{Reach, is_branch};
use crate::{Checks, Slicer};
use ir::{
    AllocKind, Callee, Cfa, EdgeId, Expr, ExprKind, FuncId, GlobalId, LocalId, NodeId, Op, Program, Storage,
    Type, Var,
};
use rustc_hash::FxHashSet;

/// What was found.
pub struct Relevance {
    /// By function; none where nothing was found.
    functions: Vec<Option<Box<Facts>>>,
    /// How many operations are relevant.
    pub size: usize,
}

#[derive(Default)]
struct Facts {
    /// By edge.
    relevant: Vec<bool>,
    /// By node: does something relevant leave it?
    active: Vec<bool>,
    /// Values that are needed at a node.
    needed: FxHashSet<(NodeId, LocalId)>,
    params: Vec<bool>,
    extra_arguments: bool,
    result: bool,
    /// Calls whose results are needed.
    results: FxHashSet<EdgeId>,
    /// Calls that were kept, of this function.
    kept: Vec<Place>,
    /// By node: the branches it depends on.
    control: Option<Vec<Vec<NodeId>>>,
}

impl Relevance {
    pub fn edge(&self, f: FuncId, edge: EdgeId) -> bool {
        self.facts(f).is_some_and(|facts| facts.relevant.get(edge.0 as usize) == Some(&true))
    }

    /// The functions with something relevant, ascending.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        let found = |facts: &Facts| facts.relevant.contains(&true);
        let list = (0..).map(FuncId).zip(&self.functions);
        list.filter(move |(_, facts)| facts.as_deref().is_some_and(found)).map(|(f, _)| f)
    }

    fn facts(&self, f: FuncId) -> Option<&Facts> {
        self.functions[f.0 as usize].as_deref()
    }

    /// Is the result of this call needed?
    pub fn result_of(&self, f: FuncId, call: EdgeId) -> bool {
        self.facts(f).is_some_and(|facts| facts.results.contains(&call))
    }

    /// Is an argument at this place of a call needed?
    pub fn argument(&self, program: &Program, f: FuncId, position: usize) -> bool {
        let Some(facts) = self.facts(f) else { return false };
        match position.checked_sub(program.function(f).params as usize) {
            None => facts.params.get(position).copied().unwrap_or(false),
            Some(_) => facts.extra_arguments,
        }
    }
}

/// None if more than `most` operations are relevant.
pub fn depend(slicer: &Slicer, ahead: &Ahead, checks: &Checks, most: usize) -> Option<Relevance> {
    let program = &slicer.program;
    let mut search = Search {
        slicer,
        program,
        reach: &slicer.reach,
        ahead,
        checks,
        functions: program.functions.iter().map(|_| None).collect(),
        effects: vec![false; program.functions.len()],
        size: 0,
        globals: vec![false; program.globals.len()],
        regions: Vec::new(),
        lives: Vec::new(),
        all_lives: false,
        everything: false,
        heap: false,
        reachable: false,
        work: Vec::new(),
    };
    search.start();
    search.run(most).then_some(Relevance { functions: search.functions, size: search.size })
}

/// What has become true and is still to be followed up. Everything that leads on goes through here: chains of
/// dependences are as long as programs are.
enum Task {
    /// An edge has become relevant.
    Edge(FuncId, EdgeId),
    /// The value of a register is needed at a node.
    Value(FuncId, NodeId, LocalId),
    /// A node has become active.
    Node(FuncId, NodeId),
    Global(GlobalId),
    Region(Region),
    /// Calls of a function have an effect.
    Effect(FuncId),
}

struct Search<'a> {
    slicer: &'a Slicer,
    program: &'a Program,
    reach: &'a Reach,
    ahead: &'a Ahead<'a>,
    checks: &'a Checks,
    functions: Vec<Option<Box<Facts>>>,
    /// By function: does a call of it do anything relevant, whatever becomes of its result?
    effects: Vec<bool>,
    /// How many operations are relevant.
    size: usize,
    globals: Vec<bool>,
    /// Regions whose content is needed; empty before the first.
    regions: Vec<bool>,
    /// Regions of objects of which it matters whether they are alive; empty before the first.
    lives: Vec<bool>,
    all_lives: bool,
    /// An output function matters.
    everything: bool,
    /// It matters what is left of the heap.
    heap: bool,
    /// A function without a body matters that can change what it reaches.
    reachable: bool,
    work: Vec<Task>,
}

impl<'a> Search<'a> {
    fn facts(&mut self, f: FuncId) -> &mut Facts {
        let (program, reach) = (self.program, self.reach);
        self.functions[f.0 as usize].get_or_insert_with(|| {
            Box::new(match program.function(f).cfa() {
                Some(cfa) if reach.runs(f) => Facts {
                    relevant: vec![false; cfa.edges().len()],
                    active: vec![false; cfa.node_count() as usize],
                    params: vec![false; program.function(f).params as usize],
                    ..Facts::default()
                },
                _ => Facts::default(),
            })
        })
    }

    fn is_relevant(&self, f: FuncId, edge: EdgeId) -> bool {
        self.functions[f.0 as usize].as_ref().is_some_and(|facts| facts.relevant[edge.0 as usize])
    }

    fn cfa(&self, f: FuncId) -> Option<&'a Cfa> {
        self.program.function(f).cfa()
    }

    /// Checks, assumptions, and the branches where executions get away.
    fn start(&mut self) {
        for f in self.reach.functions() {
            let Some(cfa) = self.cfa(f) else { continue };
            if !self.ahead.of_function(self.program, f) {
                // Whoever calls this will not fail a check any more.
                self.effect(f);
                continue;
            }
            if !self.ahead.is_inside(f) {
                // The same for all checks that are behind a call of it.
                for &(node, id) in self.slicer.endings(f) {
                    self.ending(cfa, f, node, id);
                }
                continue;
            }
            for node in cfa.nodes().filter(|&n| self.ahead.of_node(f, n)) {
                cfa.out_ids(node).for_each(|id| self.ending(cfa, f, node, id));
            }
            if self.checks.contains(f) {
                for id in goals(self.program, self.reach, f) {
                    match cfa.edge(id).op {
                        Op::Call { .. } => self.keep_call(f, id, true),
                        _ => self.relevant(f, id),
                    }
                }
            }
        }
    }

    /// An assumption, or a side of a branch by which an execution may get away, matters.
    fn ending(&mut self, cfa: &Cfa, f: FuncId, node: NodeId, id: EdgeId) {
        let Op::Assume { .. } = cfa.edge(id).op else { return };
        let leaves = |id| !self.ahead.of_node(f, cfa.edge(id).to) && !self.ahead.is_avoided(cfa, f, id);
        if is_branch(cfa, node) && cfa.out_ids(node).any(leaves) {
            self.relevant(f, id);
            self.effect(f);
        } else if cfa.out(node).len() == 1 {
            self.relevant(f, id);
        }
    }

    /// False if there is more than that.
    fn run(&mut self, most: usize) -> bool {
        while let Some(task) = self.work.pop() {
            if self.size > most {
                return false;
            }
            match task {
                Task::Edge(f, edge) => self.edge(f, edge),
                Task::Value(f, node, local) => self.value(f, node, local),
                Task::Node(f, node) => self.node(f, node),
                Task::Global(id) => {
                    for &(f, edge) in &self.slicer.global_writes()[id.0 as usize] {
                        self.write_global(f, edge, id);
                    }
                }
                Task::Region(region) => self.region(region),
                Task::Effect(f) => {
                    for &(caller, call) in self.reach.callers(f) {
                        self.keep_call(caller, call, true);
                    }
                }
            }
        }
        true
    }

    fn relevant(&mut self, f: FuncId, edge: EdgeId) {
        let Some(cfa) = self.cfa(f) else { return };
        let live = self.ahead.of_node(f, cfa.edge(edge).from);
        if live && !std::mem::replace(&mut self.facts(f).relevant[edge.0 as usize], true) {
            self.size += 1;
            self.work.push(Task::Edge(f, edge));
        }
    }

    fn edge(&mut self, f: FuncId, id: EdgeId) {
        let Some(cfa) = self.cfa(f) else { return };
        let edge = cfa.edge(id);
        match &edge.op {
            // What it needs depends on the callee.
            Op::Call { .. } => {}
            // Nobody asks how the program ended.
            Op::Halt(_) => {}
            op => op.exprs().into_iter().for_each(|e| self.need(f, edge.from, e)),
        }
        if let Op::Copy { src, .. } = &edge.op {
            let region = self.slicer.divided().memory.region(f, src);
            self.need_region(region);
        }
        let effect = match &edge.op {
            Op::Check { .. }
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Free { .. }
            | Op::Lifetime { .. } => true,
            Op::Assume { .. } => !is_branch(cfa, edge.from),
            Op::Call { .. } => false,
            op => matches!(op.written(), Some(Var::Global(_))),
        };
        if effect {
            self.effect(f);
        }
        self.activate(f, edge.from);
    }

    fn activate(&mut self, f: FuncId, node: NodeId) {
        if !std::mem::replace(&mut self.facts(f).active[node.0 as usize], true) {
            self.work.push(Task::Node(f, node));
        }
    }

    fn node(&mut self, f: FuncId, node: NodeId) {
        let Some(cfa) = self.cfa(f) else { return };
        let (reach, ahead) = (self.reach, self.ahead);
        let control = &mut self.facts(f).control;
        let control = control.get_or_insert_with(|| Part::of(cfa, reach, ahead, f).branches());
        for branch in std::mem::take(&mut control[node.0 as usize]) {
            cfa.out_ids(branch).for_each(|id| self.relevant(f, id));
        }
    }

    /// The value of `e` is needed at a node.
    fn need(&mut self, f: FuncId, node: NodeId, e: &Expr) {
        e.walk(&mut |part| match &part.kind {
            ExprKind::Local(local) => self.need_local(f, node, *local),
            ExprKind::Global(global) => self.need_global(*global),
            ExprKind::Load(address) => {
                let memory = &self.slicer.divided().memory;
                let (region, around) = (memory.region(f, address), memory.around(f, address));
                self.need_region(region);
                // Reading a dead object has no meaning, which is not the same as reading what it held.
                self.life(&around);
            }
            ExprKind::Valid { ptr, .. } | ExprKind::Freeable(ptr) | ExprKind::ObjectSize(ptr) => {
                let around = self.slicer.divided().memory.around(f, ptr);
                self.life(&around);
            }
            ExprKind::HeapKept { .. } => self.need_heap(),
            _ => {}
        });
    }

    /// What is left of the heap depends on all that is made and freed, and on every pointer that memory and
    /// globals hold.
    fn need_heap(&mut self) {
        if std::mem::replace(&mut self.heap, true) {
            return;
        }
        let count = self.slicer.divided().memory.count();
        (0..count).for_each(|region| self.need_region(region as Region));
        self.reach.functions().for_each(|f| self.extra_arguments(f));
        (0..self.program.globals.len() as u32).map(GlobalId).for_each(|id| self.need_global(id));
        self.life(&[]);
        for f in self.reach.functions() {
            let edges = self.cfa(f).into_iter().flat_map(|cfa| (0..).map(EdgeId).zip(cfa.edges()));
            for (id, _) in edges.filter(|(_, e)| matches!(e.op, Op::Alloc { kind: AllocKind::Heap, .. })) {
                self.relevant(f, id);
                self.effect(f);
            }
        }
    }

    fn need_local(&mut self, f: FuncId, node: NodeId, local: LocalId) {
        if self.facts(f).needed.insert((node, local)) {
            self.work.push(Task::Value(f, node, local));
        }
    }

    fn value(&mut self, f: FuncId, node: NodeId, local: LocalId) {
        let Some(cfa) = self.cfa(f) else { return };
        if node == cfa.entry && local.0 < self.program.function(f).params {
            self.parameter(f, local.0 as usize);
        }
        for &id in self.reach.entering(f, node) {
            let edge = cfa.edge(id);
            if !self.ahead.of_node(f, edge.from) {
                continue;
            }
            if edge.op.written() == Some(Var::Local(local)) {
                self.write(f, id);
            } else {
                self.need_local(f, edge.from, local);
            }
        }
    }

    /// What this operation writes to a global is needed.
    fn write_global(&mut self, f: FuncId, id: EdgeId, global: GlobalId) {
        let written = self.cfa(f).and_then(|cfa| cfa.edge(id).op.written());
        match written == Some(Var::Global(global)) {
            true => self.write(f, id),
            // A callee without a body does it.
            false => self.keep_call(f, id, true),
        }
    }

    /// What this operation writes to a register is needed.
    fn write(&mut self, f: FuncId, id: EdgeId) {
        let Some(cfa) = self.cfa(f) else { return };
        match &cfa.edge(id).op {
            Op::Call { dst, .. } => self.need_result(f, id, matches!(dst, Some(Var::Global(_)))),
            _ => self.relevant(f, id),
        }
    }

    fn parameter(&mut self, f: FuncId, position: usize) {
        let facts = self.facts(f);
        let Some(slot) = facts.params.get_mut(position) else { return };
        if std::mem::replace(slot, true) {
            return;
        }
        for (caller, call) in self.facts(f).kept.clone() {
            self.need_arguments(caller, call, |i| i == position);
        }
    }

    fn extra_arguments(&mut self, f: FuncId) {
        if std::mem::replace(&mut self.facts(f).extra_arguments, true) {
            return;
        }
        let params = self.program.function(f).params as usize;
        for (caller, call) in self.facts(f).kept.clone() {
            self.need_arguments(caller, call, |i| i >= params);
        }
    }

    fn need_arguments(&mut self, f: FuncId, call: EdgeId, wanted: impl Fn(usize) -> bool) {
        let Some(edge) = self.cfa(f).map(|cfa| cfa.edge(call)) else { return };
        let Op::Call { args, .. } = &edge.op else { return };
        for (_, arg) in args.iter().enumerate().filter(|(i, _)| wanted(*i)) {
            self.need(f, edge.from, arg);
        }
    }

    fn need_global(&mut self, id: GlobalId) {
        if !std::mem::replace(&mut self.globals[id.0 as usize], true) {
            self.work.push(Task::Global(id));
        }
    }

    fn need_region(&mut self, region: Region) {
        self.regions.resize(self.slicer.divided().memory.count(), false);
        if !std::mem::replace(&mut self.regions[region as usize], true) {
            self.work.push(Task::Region(region));
        }
    }

    fn region(&mut self, region: Region) {
        let index = &self.slicer.divided().index;
        for &(f, edge) in &index.regions[region as usize] {
            match self.cfa(f).map(|cfa| &cfa.edge(edge).op) {
                Some(Op::Call { .. }) => self.keep_call(f, edge, true),
                _ => self.relevant(f, edge),
            }
        }
        for &f in &index.variadic[region as usize] {
            self.extra_arguments(f);
        }
    }

    /// It matters whether the objects in these regions are alive; without any, whether anything is.
    fn life(&mut self, regions: &[Region]) {
        let index = &self.slicer.divided().index;
        let mut places: Vec<&Place> = Vec::new();
        // What frees objects that are never accessed may free any.
        if self.lives.is_empty() {
            places.extend(&index.other_frees);
            self.lives.resize(index.frees.len(), false);
        }
        if regions.is_empty() && !std::mem::replace(&mut self.all_lives, true) {
            places.extend(index.frees.iter().flatten());
        }
        for &region in regions {
            if !std::mem::replace(&mut self.lives[region as usize], true) {
                places.extend(&index.frees[region as usize]);
            }
        }
        for &(f, edge) in places {
            self.relevant(f, edge);
        }
    }

    /// What output functions print and return depends on all that they are given and all that this leads to.
    fn need_everything(&mut self, f: FuncId, call: EdgeId) {
        self.need_arguments(f, call, |_| true);
        if !std::mem::replace(&mut self.everything, true) {
            let count = self.slicer.divided().memory.count();
            (0..count).for_each(|region| self.need_region(region as Region));
            self.reach.functions().for_each(|g| self.extra_arguments(g));
        }
    }

    /// What a function without a body can change depends on where pointers point: those it is given, and
    /// those that it can find.
    fn need_reachable(&mut self, f: FuncId, call: EdgeId) {
        self.need_arguments(f, call, |_| true);
        if !std::mem::replace(&mut self.reachable, true) {
            let escaping = self.slicer.divided().memory.escaping();
            escaping.map(|(region, _)| region).for_each(|region| self.need_region(region));
            let globals = (0..).map(GlobalId).zip(self.program.globals.iter());
            let width = self.program.target.pointer_bits;
            // An address may be kept as a number.
            let holds = |ty: Type| ty == Type::Ptr || ty.as_int().is_some_and(|int| int.bits >= width);
            let pointers = globals
                .filter(|(_, g)| g.is_visible() && matches!(g.storage, Storage::Register(ty) if holds(ty)));
            pointers.for_each(|(id, _)| self.need_global(id));
        }
    }

    /// Calls of this function do something relevant.
    fn effect(&mut self, f: FuncId) {
        if !std::mem::replace(&mut self.effects[f.0 as usize], true) {
            self.work.push(Task::Effect(f));
        }
    }

    fn need_result(&mut self, f: FuncId, call: EdgeId, effect: bool) {
        self.keep_call(f, call, effect);
        if !self.is_relevant(f, call) || !self.facts(f).results.insert(call) {
            return;
        }
        for &g in self.reach.targets(f, call) {
            let Some(cfa) = self.cfa(g) else { continue };
            if std::mem::replace(&mut self.facts(g).result, true) {
                continue;
            }
            for &id in self.reach.entering(g, cfa.exit) {
                if let Op::Return(_) = cfa.edge(id).op {
                    self.relevant(g, id);
                }
            }
        }
    }

    fn keep_call(&mut self, f: FuncId, call: EdgeId, effect: bool) {
        let Some(edge) = self.cfa(f).map(|cfa| cfa.edge(call)) else { return };
        let Op::Call { callee, .. } = &edge.op else { return };
        if !self.ahead.of_node(f, edge.from) {
            return;
        }
        if !self.is_relevant(f, call) {
            self.relevant(f, call);
            if let Callee::Indirect(e) = callee {
                self.need(f, edge.from, e);
            }
            for &g in self.reach.targets(f, call) {
                let params = self.program.function(g).params as usize;
                let facts = self.facts(g);
                facts.kept.push((f, call));
                let (needed, extra) = (facts.params.clone(), facts.extra_arguments);
                self.need_arguments(
                    f,
                    call,
                    |i| if i < params { needed.get(i) == Some(&true) } else { extra },
                );
                if interp::is_modelled(self.program, g) {
                    self.need_everything(f, call);
                } else if self.program.function(g).havocs {
                    self.need_reachable(f, call);
                }
            }
        }
        if effect {
            self.effect(f);
        }
    }
}
