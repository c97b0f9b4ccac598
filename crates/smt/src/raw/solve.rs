//! Handles for what computes: solvers, models, tactics, fixed points.

use super::{Ast, Ctx, Decl, c_name, text};
use std::ffi::c_uint;
use std::rc::Rc;
use z3_sys::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Yes,
    No,
    Unknown,
}

impl Answer {
    fn of(value: Z3_lbool) -> Answer {
        match value {
            1 => Answer::Yes,
            -1 => Answer::No,
            _ => Answer::Unknown,
        }
    }
}

/// An owned reference of one of Z3's counted object types.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $inc:ident, $dec:ident) => {
        $(#[$doc])*
        pub(crate) struct $name {
            ctx: Rc<Ctx>,
            ptr: $raw,
        }

        impl $name {
            fn wrap(ctx: &Rc<Ctx>, ptr: Option<$raw>) -> Option<$name> {
                let ptr = ptr?;
                // Sound: Z3 just returned the pointer; counted before any other call.
                unsafe { $inc(ctx.0, ptr) };
                Some($name { ctx: ctx.clone(), ptr })
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // Sound: gives back the reference counted in `wrap`.
                unsafe { $dec(self.ctx.0, self.ptr) }
            }
        }
    };
}

handle!(Params, Z3_params, Z3_params_inc_ref, Z3_params_dec_ref);
handle!(Solver, Z3_solver, Z3_solver_inc_ref, Z3_solver_dec_ref);
handle!(Model, Z3_model, Z3_model_inc_ref, Z3_model_dec_ref);
handle!(Tactic, Z3_tactic, Z3_tactic_inc_ref, Z3_tactic_dec_ref);
handle!(Goal, Z3_goal, Z3_goal_inc_ref, Z3_goal_dec_ref);
handle!(Fixedpoint, Z3_fixedpoint, Z3_fixedpoint_inc_ref, Z3_fixedpoint_dec_ref);
handle!(
    /// Terms in a vector of Z3's.
    AstVector, Z3_ast_vector, Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref
);
handle!(
    /// The goals that a tactic leaves.
    Applied, Z3_apply_result, Z3_apply_result_inc_ref, Z3_apply_result_dec_ref
);
handle!(FuncInterp, Z3_func_interp, Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
handle!(FuncEntry, Z3_func_entry, Z3_func_entry_inc_ref, Z3_func_entry_dec_ref);

impl AstVector {
    fn to_vec(&self) -> Vec<Ast> {
        // Sound: indices are below the size.
        unsafe {
            let size = Z3_ast_vector_size(self.ctx.0, self.ptr);
            (0..size).filter_map(|i| self.ctx.wrap(Z3_ast_vector_get(self.ctx.0, self.ptr, i))).collect()
        }
    }
}

impl Params {
    pub(crate) fn new(ctx: &Rc<Ctx>) -> Option<Params> {
        Params::wrap(ctx, unsafe { Z3_mk_params(ctx.0) })
    }

    pub(crate) fn bool(self, key: &str, value: bool) -> Params {
        if let Some(key) = self.ctx.symbol(key) {
            unsafe { Z3_params_set_bool(self.ctx.0, self.ptr, key, value) }
        }
        self
    }

    pub(crate) fn uint(self, key: &str, value: u32) -> Params {
        if let Some(key) = self.ctx.symbol(key) {
            unsafe { Z3_params_set_uint(self.ctx.0, self.ptr, key, value) }
        }
        self
    }

    pub(crate) fn symbol(self, key: &str, value: &str) -> Params {
        if let (Some(key), Some(value)) = (self.ctx.symbol(key), self.ctx.symbol(value)) {
            unsafe { Z3_params_set_symbol(self.ctx.0, self.ptr, key, value) }
        }
        self
    }
}

impl Solver {
    /// The incremental core alone.
    pub(crate) fn simple(ctx: &Rc<Ctx>) -> Option<Solver> {
        Solver::wrap(ctx, unsafe { Z3_mk_simple_solver(ctx.0) })
    }

    pub(crate) fn for_logic(ctx: &Rc<Ctx>, logic: &str) -> Option<Solver> {
        let logic = ctx.symbol(logic)?;
        Solver::wrap(ctx, unsafe { Z3_mk_solver_for_logic(ctx.0, logic) })
    }

    pub(crate) fn from_tactic(tactic: &Tactic) -> Option<Solver> {
        Solver::wrap(&tactic.ctx, unsafe { Z3_mk_solver_from_tactic(tactic.ctx.0, tactic.ptr) })
    }

    pub(crate) fn set(&self, params: &Params) {
        unsafe { Z3_solver_set_params(self.ctx.0, self.ptr, params.ptr) }
    }

    /// False if Z3 refuses.
    #[must_use]
    pub(crate) fn assert(&self, a: &Ast) -> bool {
        if !self.ctx.owns(a) {
            return false;
        }
        // Sound: Z3 checks that it is a truth value, and reports that by its error code.
        unsafe {
            Z3_solver_assert(self.ctx.0, self.ptr, a.ptr);
            Z3_get_error_code(self.ctx.0) == ErrorCode::Ok
        }
    }

    pub(crate) fn push(&self) {
        unsafe { Z3_solver_push(self.ctx.0, self.ptr) }
    }

    /// The caller knows that there are as many levels.
    pub(crate) fn pop(&self, levels: u32) {
        unsafe { Z3_solver_pop(self.ctx.0, self.ptr, levels) }
    }

    pub(crate) fn check(&self, assumptions: &[&Ast]) -> Answer {
        if !self.ctx.owns_all(assumptions) {
            return Answer::Unknown;
        }
        let list: Vec<Z3_ast> = assumptions.iter().map(|a| a.ptr).collect();
        let count = list.len() as c_uint;
        Answer::of(unsafe { Z3_solver_check_assumptions(self.ctx.0, self.ptr, count, list.as_ptr()) })
    }

    pub(crate) fn model(&self) -> Option<Model> {
        Model::wrap(&self.ctx, unsafe { Z3_solver_get_model(self.ctx.0, self.ptr) })
    }

    pub(crate) fn core(&self) -> Vec<Ast> {
        let vector = AstVector::wrap(&self.ctx, unsafe { Z3_solver_get_unsat_core(self.ctx.0, self.ptr) });
        vector.map_or(Vec::new(), |v| v.to_vec())
    }

    pub(crate) fn reason(&self) -> String {
        text(unsafe { Z3_solver_get_reason_unknown(self.ctx.0, self.ptr) })
    }

    pub(crate) fn target(&self) -> Target {
        Target { ctx: self.ctx.0, solver: Some(self.ptr) }
    }
}

/// What another thread stops: one check of a solver, or everything in a context.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    ctx: Z3_context,
    solver: Option<Z3_solver>,
}

// Sound: the two interrupt functions are made to be called from other threads, and nothing else is done with
// these pointers.
unsafe impl Send for Target {}

impl Target {
    /// A context that was interrupted stays so: it must not be used for anything afterwards.
    pub(crate) fn whole(ctx: &Rc<Ctx>) -> Target {
        Target { ctx: ctx.0, solver: None }
    }

    /// Only while the target is alive: `watch` calls it only between the start and the end of the work, which
    /// borrows it.
    pub(crate) fn interrupt(self) {
        unsafe {
            match self.solver {
                Some(solver) => Z3_solver_interrupt(self.ctx, solver),
                None => Z3_interrupt(self.ctx),
            }
        }
    }
}

/// What a model makes of a function.
pub(crate) struct Table {
    /// Arguments and value.
    pub(crate) entries: Vec<(Vec<Ast>, Ast)>,
    /// Elsewhere.
    pub(crate) otherwise: Ast,
}

impl Model {
    /// The value of a term, with values for what the model leaves open.
    pub(crate) fn eval(&self, a: &Ast) -> Option<Ast> {
        if !self.ctx.owns(a) {
            return None;
        }
        let mut value = a.ptr;
        // Sound: on success `value` is a valid term, kept alive by the context until the next call.
        let done = unsafe { Z3_model_eval(self.ctx.0, self.ptr, a.ptr, true, &mut value) };
        if done { self.ctx.wrap(Some(value)) } else { None }
    }

    pub(crate) fn table(&self, f: &Decl) -> Option<Table> {
        let ctx = &self.ctx;
        // Sound: `f` comes from a term of this context; indices are below the counts.
        unsafe {
            let interp = FuncInterp::wrap(ctx, Z3_model_get_func_interp(ctx.0, self.ptr, f.ptr))?;
            let otherwise = ctx.wrap(Z3_func_interp_get_else(ctx.0, interp.ptr))?;
            let mut entries = Vec::new();
            for i in 0..Z3_func_interp_get_num_entries(ctx.0, interp.ptr) {
                let entry = FuncEntry::wrap(ctx, Z3_func_interp_get_entry(ctx.0, interp.ptr, i))?;
                let value = ctx.wrap(Z3_func_entry_get_value(ctx.0, entry.ptr))?;
                let count = Z3_func_entry_get_num_args(ctx.0, entry.ptr);
                let arg = |i| ctx.wrap(Z3_func_entry_get_arg(ctx.0, entry.ptr, i));
                entries.push(((0..count).map(arg).collect::<Option<_>>()?, value));
            }
            Some(Table { entries, otherwise })
        }
    }
}

impl Tactic {
    pub(crate) fn named(ctx: &Rc<Ctx>, name: &str) -> Option<Tactic> {
        let name = c_name(name);
        Tactic::wrap(ctx, unsafe { Z3_mk_tactic(ctx.0, name.as_ptr()) })
    }

    pub(crate) fn then(&self, next: &Tactic) -> Option<Tactic> {
        let same = Rc::ptr_eq(&self.ctx, &next.ctx);
        same.then(|| Tactic::wrap(&self.ctx, unsafe { Z3_tactic_and_then(self.ctx.0, self.ptr, next.ptr) }))?
    }

    /// Fails after so many milliseconds.
    pub(crate) fn within(&self, milliseconds: u32) -> Option<Tactic> {
        Tactic::wrap(&self.ctx, unsafe { Z3_tactic_try_for(self.ctx.0, self.ptr, milliseconds) })
    }

    /// The goals left over, each a list of formulas: their disjunction of conjunctions is what the goal was.
    pub(crate) fn apply(&self, goal: &Goal) -> Option<Vec<Vec<Ast>>> {
        let ctx = &self.ctx;
        if !Rc::ptr_eq(ctx, &goal.ctx) {
            return None;
        }
        // Sound: null on failure; indices are below the counts.
        unsafe {
            let applied = Applied::wrap(ctx, Z3_tactic_apply(ctx.0, self.ptr, goal.ptr))?;
            let mut goals = Vec::new();
            for i in 0..Z3_apply_result_get_num_subgoals(ctx.0, applied.ptr) {
                let goal = Goal::wrap(ctx, Z3_apply_result_get_subgoal(ctx.0, applied.ptr, i))?;
                let formula = |i| ctx.wrap(Z3_goal_formula(ctx.0, goal.ptr, i));
                goals.push((0..Z3_goal_size(ctx.0, goal.ptr)).map(formula).collect::<Option<_>>()?);
            }
            Some(goals)
        }
    }
}

impl Goal {
    pub(crate) fn new(ctx: &Rc<Ctx>) -> Option<Goal> {
        Goal::wrap(ctx, unsafe { Z3_mk_goal(ctx.0, true, false, false) })
    }

    pub(crate) fn assert(&self, a: &Ast) -> bool {
        let owned = self.ctx.owns(a);
        if owned {
            unsafe { Z3_goal_assert(self.ctx.0, self.ptr, a.ptr) }
        }
        owned
    }
}

impl Fixedpoint {
    pub(crate) fn new(ctx: &Rc<Ctx>) -> Option<Fixedpoint> {
        Fixedpoint::wrap(ctx, unsafe { Z3_mk_fixedpoint(ctx.0) })
    }

    pub(crate) fn set(&self, params: &Params) {
        unsafe { Z3_fixedpoint_set_params(self.ctx.0, self.ptr, params.ptr) }
    }

    pub(crate) fn register(&self, predicate: &Decl) {
        unsafe { Z3_fixedpoint_register_relation(self.ctx.0, self.ptr, predicate.ptr) }
    }

    /// A closed rule; false if Z3 refuses it.
    #[must_use]
    pub(crate) fn add_rule(&self, rule: &Ast, name: &str) -> bool {
        if !self.ctx.owns(rule) {
            return false;
        }
        let name = self.ctx.symbol(name);
        unsafe {
            Z3_fixedpoint_add_rule(self.ctx.0, self.ptr, rule.ptr, name);
            Z3_get_error_code(self.ctx.0) == ErrorCode::Ok
        }
    }

    /// Is the predicate ever true?
    pub(crate) fn query(&self, predicate: &Decl) -> Answer {
        let list = [predicate.ptr];
        Answer::of(unsafe { Z3_fixedpoint_query_relations(self.ctx.0, self.ptr, 1, list.as_ptr()) })
    }

    /// What holds of a predicate's arguments (`Bound` variables 0, 1, ...) at every level.
    pub(crate) fn cover(&self, predicate: &Decl) -> Option<Ast> {
        self.ctx.wrap(unsafe { Z3_fixedpoint_get_cover_delta(self.ctx.0, self.ptr, -1, predicate.ptr) })
    }

    /// After yes: a proof that derives the query from the rules.
    pub(crate) fn answer(&self) -> Option<Ast> {
        self.ctx.wrap(unsafe { Z3_fixedpoint_get_answer(self.ctx.0, self.ptr) })
    }

    pub(crate) fn reason(&self) -> String {
        text(unsafe { Z3_fixedpoint_get_reason_unknown(self.ctx.0, self.ptr) })
    }
}
