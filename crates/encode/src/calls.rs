//! Calls of defined functions whose bodies are not looked at: as uninterpreted functions, or as fresh results
//! that a summary constrains. Both change exactly what the callee's footprint allows.

use crate::block::Call;
use crate::expr::Encoder;
use crate::footprint::Footprint;
use crate::mode::Unsupported;
use crate::state::State;
use ir::{EdgeId, Expr, FuncId, GlobalId, Storage, Type, Var};
use logic::{Sort, Term};

impl Encoder<'_> {
    /// The result, and all that the callee can change, are functions (called `name`) of the arguments and of
    /// all that it can read. The answer is how the callee ended, and with which code, if it may end the
    /// program.
    pub fn uninterpreted_call(
        &mut self,
        name: &str,
        callee: (FuncId, &Footprint),
        dst: Option<Var>,
        args: &[Expr],
        state: &mut State,
    ) -> Result<Option<(Term, Option<Term>)>, Unsupported> {
        let mut inputs = args.iter().map(|a| self.expr(a, state)).collect::<Result<Vec<_>, _>>()?;
        let (callee, print) = self.known(callee)?;
        inputs.extend(
            print
                .reads
                .iter()
                .chain(print.writes.difference(&print.reads))
                .map(|r| state.memory[r.0 as usize]),
        );
        // In the same order in both versions, wherever they declare them.
        let mut globals: Vec<GlobalId> = print.reads_globals.union(&print.writes_globals).copied().collect();
        globals.sort_by_key(|g| &self.program.global(*g).name);
        inputs.extend(globals.iter().filter_map(|g| state.get(Var::Global(*g))));
        inputs.extend(tokens(state, print).map(|(_, token)| *token));
        let apply =
            |what: &str, sort: Sort| Term::apply(&format!("{name}.{what}"), inputs.iter().copied(), sort);
        let (result, kind, code) =
            self.change(callee, print, state, &mut |_, what, sort| apply(what, sort))?;
        self.give(callee, dst, result, state)?;
        Ok(kind.map(|kind| (kind, code)))
    }

    /// A call whose results are fresh variables.
    pub fn summarised_call(
        &mut self,
        site: EdgeId,
        callee: (FuncId, &Footprint),
        dst: Option<Var>,
        args: &[Expr],
        state: &mut State,
    ) -> Result<Call, Unsupported> {
        let args = args.iter().map(|a| self.expr(a, state)).collect::<Result<Vec<_>, _>>()?;
        let before = state.clone();
        let (callee, print) = self.known(callee)?;
        let name = self.program.function(callee).name.clone();
        let (result, kind, code) = self.change(callee, print, state, &mut |encoder, what, sort| {
            encoder.fresh(&format!("{name}.{what}"), sort)
        })?;
        // Where the callee returns: a global that the caller keeps the result in still has the callee's
        // value.
        let after = state.clone();
        self.give(callee, dst, result, state)?;
        Ok(Call { site, callee, args, before, after, result, kind, code })
    }

    fn known<'f>(&self, callee: (FuncId, &'f Footprint)) -> Result<(FuncId, &'f Footprint), Unsupported> {
        if callee.1.unknown {
            let name = &self.program.function(callee.0).name;
            return Err(Unsupported(format!("{name} calls something unknown")));
        }
        Ok(callee)
    }

    /// Gives everything that the callee can change a new value: result, kind of ending, exit code.
    #[expect(clippy::type_complexity, reason = "three parts of one answer")]
    fn change(
        &mut self,
        callee: FuncId,
        print: &Footprint,
        state: &mut State,
        new: &mut dyn FnMut(&mut Self, &str, Sort) -> Term,
    ) -> Result<(Option<Term>, Option<Term>, Option<Term>), Unsupported> {
        let (mode, target) = (self.mode, self.program.target);
        for r in &print.writes {
            let i = r.0 as usize;
            let sort = state.memory[i].sort();
            state.memory[i] = new(self, &format!("memory.{i}"), sort);
        }
        for g in &print.writes_globals {
            let global = self.program.global(*g);
            let (GlobalId(i), Storage::Register(ty)) = (*g, global.storage) else { continue };
            let sort = mode.sort(ty, &target)?;
            let value = new(self, &format!("global.{}", global.name), sort);
            self.facts.push(mode.type_fact(ty, &target, value));
            state.globals[i as usize] = Some(value);
        }
        for (what, token) in tokens(state, print) {
            *token = new(self, what, Sort::Int);
        }
        let result = match self.program.function(callee).ret {
            Some(ty) => {
                let sort = mode.sort(ty, &target)?;
                let result = new(self, "result", sort);
                self.facts.push(mode.type_fact(ty, &target, result));
                Some(result)
            }
            None => None,
        };
        if !print.ends {
            return Ok((result, None, None));
        }
        let kind = new(self, "kind", Sort::Int);
        let code = new(self, "code", mode.sort(Type::I32, &target)?);
        self.facts.push(mode.type_fact(Type::I32, &target, code));
        Ok((result, Some(kind), Some(code)))
    }

    /// The caller keeps the result.
    fn give(
        &mut self,
        callee: FuncId,
        dst: Option<Var>,
        result: Option<Term>,
        state: &mut State,
    ) -> Result<(), Unsupported> {
        if let (Some(dst), Some(result), Some(ty)) = (dst, result, self.program.function(callee).ret) {
            // Through a pointer, the caller may take the same bits for another type.
            let kept = self.var_type(dst)?;
            let value = self.cast(ty, kept, result)?;
            state.set(dst, value);
        }
        Ok(())
    }
}

/// The tokens that a function with this footprint uses.
fn tokens<'s>(
    state: &'s mut State,
    print: &Footprint,
) -> impl Iterator<Item = (&'static str, &'s mut Term)> + use<'s> {
    [
        (print.world, "world", &mut state.world),
        (print.allocates, "allocations", &mut state.allocations),
        (print.inputs, "inputs", &mut state.inputs),
    ]
    .into_iter()
    .filter_map(|(used, name, token)| used.then_some((name, token)))
}
