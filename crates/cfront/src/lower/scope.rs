//! Blocks: where variables in memory begin and end.
//!
//! The variables of a function's outermost block live as long as its activation. Those of inner blocks end
//! where the block is left, by its end or by a jump, and live again where it is entered. That is said only
//! where memory is checked, and only of variables to which pointers are made: nobody else could notice. They
//! begin at their declarations, or at a label behind these, so no jump misses it; what is between the start
//! of the block and the declaration cannot name them.

use super::Lowered;
use super::function::Lower;
use crate::hir::{LabelId, LocalId};
use ir::{CheckKind, Expr, ExprKind, Op, Type};
use rustc_hash::FxHashMap;

/// The blocks around the statement being lowered, without the outermost.
#[derive(Default)]
pub(crate) struct Scopes {
    open: Vec<Scope>,
    made: u32,
    /// All variables in memory that were declared in inner blocks.
    declared: Vec<(u32, ir::LocalId)>,
    /// For labels that were passed: the blocks around them.
    labels: FxHashMap<LabelId, Vec<u32>>,
}

struct Scope {
    id: u32,
    variables: Vec<Variable>,
}

#[derive(Clone, Copy)]
enum Variable {
    Memory(ir::LocalId),
    /// An array of variable length, by the register that points to it. No jump leads past its declaration.
    Pointed(ir::LocalId),
}

impl Scopes {
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Operations at the start of the function: no block was entered yet.
    pub fn at_start(&self) -> impl Iterator<Item = Op> + '_ {
        self.declared.iter().map(|(_, local)| lifetime(Variable::Memory(*local), false))
    }

    fn is_open(&self, id: u32) -> bool {
        self.open.iter().any(|scope| scope.id == id)
    }
}

fn lifetime(variable: Variable, begins: bool) -> Op {
    let kind = match variable {
        Variable::Memory(local) => ExprKind::AddrLocal(local),
        Variable::Pointed(local) => ExprKind::Local(local),
    };
    Op::Lifetime { ptr: Expr { ty: Type::Ptr, kind }, begins }
}

impl Lower<'_, '_> {
    pub fn in_scope(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let depth = self.scopes.depth();
        self.scopes.made += 1;
        let id = self.scopes.made;
        self.scopes.open.push(Scope { id, variables: Vec::new() });
        let result = inside(self);
        self.leave_to(depth);
        self.scopes.open.truncate(depth);
        result
    }

    /// Does a variable end with the innermost block?
    pub fn ends_something(&self) -> bool {
        self.scopes.open.last().is_some_and(|scope| !scope.variables.is_empty())
    }

    /// The declaration of a variable in memory is reached.
    pub fn begin(&mut self, id: LocalId, local: ir::LocalId) {
        if let Some(scope) = self.own_scope(id) {
            self.scopes.declared.push((scope, local));
            self.declare_in_scope(Variable::Memory(local));
            self.b.emit(lifetime(Variable::Memory(local), true));
        }
    }

    /// An array of variable length was made.
    pub fn made_here(&mut self, id: LocalId, local: ir::LocalId) {
        if self.own_scope(id).is_some() {
            self.declare_in_scope(Variable::Pointed(local));
        }
    }

    /// The inner block to which a variable belongs whose end can be noticed.
    fn own_scope(&self, id: LocalId) -> Option<u32> {
        let noticed = self.checks(CheckKind::Memory) && self.is_pointed(id);
        self.scopes.open.last().filter(|_| noticed).map(|scope| scope.id)
    }

    fn declare_in_scope(&mut self, variable: Variable) {
        if let Some(scope) = self.scopes.open.last_mut() {
            scope.variables.push(variable);
        }
    }

    /// Leaves all blocks but the outer `depth` ones.
    pub fn leave_to(&mut self, depth: usize) {
        let left = self.scopes.open.iter().skip(depth).flat_map(|scope| scope.variables.iter().copied());
        let ops: Vec<Op> = left.map(|variable| lifetime(variable, false)).collect();
        ops.into_iter().for_each(|op| self.b.emit(op));
    }

    /// A jump to a label that was passed leaves the blocks that are not around it. Labels that come later see
    /// to that themselves.
    pub fn leave_for_label(&mut self, label: LabelId) {
        let Some(around) = self.scopes.labels.get(&label) else { return };
        let left = self.scopes.open.iter().filter(|scope| !around.contains(&scope.id));
        let left = left.flat_map(|scope| scope.variables.iter().copied());
        let ops: Vec<Op> = left.map(|variable| lifetime(variable, false)).collect();
        ops.into_iter().for_each(|op| self.b.emit(op));
    }

    /// A label that jumps from anywhere lead to.
    pub fn enter_at_label(&mut self, label: LabelId) {
        let around = self.scopes.open.iter().map(|scope| scope.id).collect();
        self.scopes.labels.insert(label, around);
        let declared = self.scopes.declared.iter();
        let ops: Vec<Op> = declared
            .map(|(scope, local)| lifetime(Variable::Memory(*local), self.scopes.is_open(*scope)))
            .collect();
        ops.into_iter().for_each(|op| self.b.emit(op));
    }

    /// A `case`: the switch may jump over declarations of the blocks inside of it.
    pub fn enter_at_case(&mut self) {
        let Some(depth) = self.switches.last().map(|frame| frame.depth) else { return };
        let entered = self.scopes.open.iter().skip(depth).flat_map(|scope| scope.variables.iter());
        let memory = entered.filter(|variable| matches!(variable, Variable::Memory(_)));
        let ops: Vec<Op> = memory.map(|variable| lifetime(*variable, true)).collect();
        ops.into_iter().for_each(|op| self.b.emit(op));
    }
}
