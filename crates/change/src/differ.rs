//! The first difference of two fragments, for people: both automata are walked side by side, as in the first
//! part of paper 003's algorithm, and the walk stops where they part.
//!
//! Nothing rests on what is found here; whether fragments differ is decided by [`crate::same`].

use crate::matching::Version;
use crate::result::{Edit, Place, Quote, Why};
use crate::same::Same;
use crate::words::Words;
use ir::fingerprint::{Skips, Symbol, out_in_order};
use ir::print::OpDisplay;
use ir::{Callee, Cfa, EdgeId, Expr, ExprKind, FuncId, Function, LocalId, NodeId, Op, Pos, Storage, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A fragment: a function, or a loop given by its header and body.
pub struct Part<'a> {
    pub version: &'a Version<'a>,
    pub function: FuncId,
    pub loop_: Option<(NodeId, &'a [NodeId])>,
}

/// Why these two fragments, which are not the same, differ.
pub fn first_difference(same: &Same, old: &Part, new: &Part) -> Why {
    let (a, b) = (old.function(), new.function());
    let signature = |f: &Function| (f.ret, f.variadic, f.param_types().collect::<Vec<_>>());
    if old.loop_.is_none() && signature(a) != signature(b) {
        return Why::Signature { old: a.c_type.to_string(), new: b.c_type.to_string() };
    }
    let by_place = Why::ControlFlow { old: old.place(a.pos), new: new.place(b.pos) };
    match (Side::new(old), Side::new(new)) {
        (Some(old), Some(new)) => {
            let mut locals = Locals::default();
            if old.part.loop_.is_none() {
                for param in (0..a.params.min(b.params)).map(LocalId) {
                    locals.bind(param, param, a, b);
                }
            }
            Walk { same, old, new, locals }.run().unwrap_or(by_place)
        }
        _ => by_place,
    }
}

impl Part<'_> {
    fn function(&self) -> &Function {
        self.version.program.function(self.function)
    }

    fn place(&self, pos: Pos) -> Option<Place> {
        Place::of(self.version.program, pos)
    }
}

struct Side<'a> {
    part: &'a Part<'a>,
    function: &'a Function,
    cfa: &'a Cfa,
    skips: Skips,
    inside: Option<FxHashSet<NodeId>>,
}

impl<'a> Side<'a> {
    fn new(part: &'a Part<'a>) -> Option<Self> {
        let function = part.function();
        let cfa = function.cfa()?;
        let inside = part.loop_.map(|(_, body)| body.iter().copied().collect());
        Some(Side { part, function, cfa, skips: Skips::new(cfa), inside })
    }

    fn entry(&self) -> NodeId {
        self.skips.end(self.part.loop_.map_or(self.cfa.entry, |(header, _)| header))
    }

    fn target(&self, edge: EdgeId) -> NodeId {
        self.skips.end(self.cfa.edge(edge).to)
    }

    fn stays(&self, edge: EdgeId) -> bool {
        self.inside.as_ref().is_none_or(|inside| inside.contains(&self.cfa.edge(edge).to))
    }

    fn out(&self, node: NodeId) -> Vec<EdgeId> {
        if self.skips.hangs(node) { Vec::new() } else { out_in_order(self.cfa, node).collect() }
    }

    fn words(&self) -> Words<'_> {
        Words { program: self.part.version.program, function: self.function }
    }

    fn quote(&self, node: NodeId) -> Quote {
        match self.out(node).first() {
            Some(id) => {
                let edge = self.cfa.edge(*id);
                Quote { place: self.part.place(edge.pos), text: self.words().op(&edge.op) }
            }
            None => Quote { place: None, text: "the end".into() },
        }
    }

    /// Does this text follow after `node`, a few operations further on a straight line?
    fn follows(&self, node: NodeId, text: &str) -> Option<usize> {
        let mut at = node;
        for distance in 1..=16 {
            let [only] = self.out(at)[..] else { return None };
            at = self.target(only);
            if self.quote(at).text == text {
                return Some(distance);
            }
        }
        None
    }
}

/// A pair of nodes to look at, and the edges that led there.
type Step = (NodeId, NodeId, Option<(EdgeId, EdgeId)>);

struct Walk<'a> {
    same: &'a Same<'a>,
    old: Side<'a>,
    new: Side<'a>,
    locals: Locals,
}

impl<'a> Walk<'a> {
    fn run(mut self) -> Option<Why> {
        let mut seen: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut seen_back: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut stack: Vec<Step> = vec![(self.old.entry(), self.new.entry(), None)];
        while let Some((a, b, led)) = stack.pop() {
            match (seen.get(&a), seen_back.get(&b)) {
                (None, None) => {}
                (Some(x), Some(y)) if *x == b && *y == a => continue,
                _ => return Some(self.control_flow(led)),
            }
            seen.insert(a, b);
            seen_back.insert(b, a);
            let (out_a, out_b) = (self.old.out(a), self.new.out(b));
            if out_a.len() != out_b.len() {
                return Some(self.edit(a, b));
            }
            let below = stack.len();
            for (&x, &y) in out_a.iter().zip(&out_b) {
                let (old, new) = (self.old.cfa, self.new.cfa);
                if !self.ops(&old.edge(x).op, &new.edge(y).op) {
                    return Some(self.operation(a, b, x, y));
                }
                match (self.old.stays(x), self.new.stays(y)) {
                    (true, true) => stack.push((self.old.target(x), self.new.target(y), Some((x, y)))),
                    (false, false) => {}
                    _ => return Some(self.control_flow(Some((x, y)))),
                }
            }
            stack[below..].reverse();
        }
        None
    }

    fn control_flow(&self, led: Option<(EdgeId, EdgeId)>) -> Why {
        let (old, new) = match led {
            Some((a, b)) => (self.old.cfa.edge(a).pos, self.new.cfa.edge(b).pos),
            None => (self.old.function.pos, self.new.function.pos),
        };
        Why::ControlFlow { old: self.old.part.place(old), new: self.new.part.place(new) }
    }

    /// The nodes do different things altogether: was something put in, or taken out?
    fn edit(&self, a: NodeId, b: NodeId) -> Why {
        let (old, new) = (self.old.quote(a), self.new.quote(b));
        let inserted = self.new.follows(b, &old.text);
        let deleted = self.old.follows(a, &new.text);
        let edit = match (inserted, deleted) {
            (None, None) => Edit::Replaced,
            (Some(i), Some(d)) if d < i => Edit::Deleted,
            (None, Some(_)) => Edit::Deleted,
            (Some(_), _) => Edit::Inserted,
        };
        Why::Operation { edit, old, new }
    }

    fn operation(&mut self, a: NodeId, b: NodeId, x: EdgeId, y: EdgeId) -> Why {
        if let Some((old, new)) = self.locals.clash {
            let describe = |function: &Function, id: LocalId| {
                let local = function.local(id);
                let text = if local.c_type.is_empty() {
                    storage_words(local.storage)
                } else {
                    format!("`{}`", local.c_type)
                };
                (local.name.to_string(), text)
            };
            let (name, old) = describe(self.old.function, old);
            let (new_name, new) = describe(self.new.function, new);
            if name == new_name && old != new {
                return Why::Local { name, old, new };
            }
        }
        let why = self.edit(a, b);
        let Why::Operation { edit: Edit::Replaced, mut old, mut new } = why else { return why };
        let (cfa_a, cfa_b): (&'a Cfa, &'a Cfa) = (self.old.cfa, self.new.cfa);
        let (op_a, op_b) = (&cfa_a.edge(x).op, &cfa_b.edge(y).op);
        if let Some((left, right)) = self.narrow(op_a, op_b) {
            old.text = self.old.words().expr(left);
            new.text = self.new.words().expr(right);
        }
        if old.text == new.text {
            let print = |side: &Side, op: &Op| {
                OpDisplay { program: side.part.version.program, function: side.function, op }.to_string()
            };
            (old.text, new.text) = (print(&self.old, op_a), print(&self.new, op_b));
        }
        Why::Operation { edit: Edit::Replaced, old, new }
    }

    /// The smallest part with an operator that shows the difference, if the operations are alike otherwise.
    fn narrow<'e>(&mut self, a: &'e Op, b: &'e Op) -> Option<(&'e Expr, &'e Expr)> {
        if !self.heads(a, b) {
            return None;
        }
        let (list_a, list_b) = (a.exprs(), b.exprs());
        let (mut a, mut b) = self.only_difference(list_a.into_iter(), list_b.into_iter())?;
        if a.children().next().is_none() || b.children().next().is_none() {
            return None;
        }
        while self.expr_heads(a, b) {
            match self.only_difference(a.children(), b.children()) {
                Some((x, y)) if x.children().next().is_some() && y.children().next().is_some() => {
                    (a, b) = (x, y)
                }
                _ => break,
            }
        }
        Some((a, b))
    }

    fn only_difference<'e>(
        &mut self,
        a: impl Iterator<Item = &'e Expr>,
        b: impl Iterator<Item = &'e Expr>,
    ) -> Option<(&'e Expr, &'e Expr)> {
        let mut different = a.zip(b).filter(|(x, y)| !self.exprs(x, y));
        let first = different.next();
        if different.next().is_some() { None } else { first }
    }

    fn ops(&mut self, a: &Op, b: &Op) -> bool {
        let (x, y) = (a.exprs(), b.exprs());
        self.heads(a, b) && x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| self.exprs(x, y))
    }

    /// Do the operations agree but for their expressions?
    fn heads(&mut self, a: &Op, b: &Op) -> bool {
        let vars = match (a.written(), b.written()) {
            (Some(Var::Local(x)), Some(Var::Local(y))) => self.local(x, y),
            (Some(Var::Global(x)), Some(Var::Global(y))) => {
                self.same.symbol(Symbol::Global(x), Symbol::Global(y))
            }
            (None, None) => true,
            _ => false,
        };
        vars && match (a, b) {
            (Op::Assume { holds: x, .. }, Op::Assume { holds: y, .. }) => x == y,
            (Op::Havoc { kind: x, .. }, Op::Havoc { kind: y, .. }) => x == y,
            (Op::Alloc { kind: x, .. }, Op::Alloc { kind: y, .. }) => x == y,
            (Op::Check { kind: x, .. }, Op::Check { kind: y, .. }) => x == y,
            (Op::Call { callee: x, args: s, .. }, Op::Call { callee: y, args: t, .. }) => {
                s.len() == t.len()
                    && match (x, y) {
                        (Callee::Direct(x), Callee::Direct(y)) => self.same.functions(*x, *y),
                        (Callee::Indirect(_), Callee::Indirect(_)) => true,
                        _ => false,
                    }
            }
            _ => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    fn exprs(&mut self, a: &Expr, b: &Expr) -> bool {
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            if !self.expr_heads(a, b) {
                return false;
            }
            stack.extend(a.children().zip(b.children()));
        }
        true
    }

    fn expr_heads(&mut self, a: &Expr, b: &Expr) -> bool {
        use ExprKind::*;
        a.ty == b.ty
            && match (&a.kind, &b.kind) {
                (Const(x), Const(y)) => x == y,
                (Local(x), Local(y)) | (AddrLocal(x), AddrLocal(y)) => self.local(*x, *y),
                (Global(x), Global(y)) | (AddrGlobal(x), AddrGlobal(y)) => {
                    self.same.symbol(Symbol::Global(*x), Symbol::Global(*y))
                }
                (AddrFunc(x), AddrFunc(y)) => self.same.functions(*x, *y),
                (Unary(x, _), Unary(y, _)) => x == y,
                (Binary(x, ..), Binary(y, ..)) => x == y,
                (Valid { write: x, .. }, Valid { write: y, .. }) => x == y,
                (x, y) => std::mem::discriminant(x) == std::mem::discriminant(y),
            }
    }

    fn local(&mut self, a: LocalId, b: LocalId) -> bool {
        self.locals.bind(a, b, self.old.function, self.new.function)
    }
}

/// Which local of the new fragment plays the part of which old one, by first use.
#[derive(Default)]
struct Locals {
    forth: FxHashMap<LocalId, LocalId>,
    back: FxHashMap<LocalId, LocalId>,
    /// The last two that met for the first time and cannot be the same.
    clash: Option<(LocalId, LocalId)>,
}

impl Locals {
    fn bind(&mut self, a: LocalId, b: LocalId, old: &Function, new: &Function) -> bool {
        match (self.forth.get(&a), self.back.get(&b)) {
            (None, None) => {
                let (Some(x), Some(y)) = (old.locals.get(a.0 as usize), new.locals.get(b.0 as usize)) else {
                    return false;
                };
                if x.storage != y.storage {
                    self.clash = Some((a, b));
                    return false;
                }
                self.forth.insert(a, b);
                self.back.insert(b, a);
                true
            }
            (Some(x), Some(y)) => *x == b && *y == a,
            _ => false,
        }
    }
}

pub fn storage_words(storage: Storage) -> String {
    match storage {
        Storage::Register(ty) => format!("`{ty}`"),
        Storage::Memory { size, align } => format!("{size} bytes, aligned to {align}"),
    }
}
