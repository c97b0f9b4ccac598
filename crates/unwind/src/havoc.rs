//! Calls of functions without a body that may change what they can reach (`ir::Function::havocs`).
//!
//! Reached is what the arguments and the shared globals may point to, what lies there, and all that was
//! reached before: whoever was given a pointer may have kept it. Each object among that starts anew, with
//! unwritten bytes of its own, which are an object of their own here (`Kind::Changed`). Pointers may also be
//! what they were: a new one leads out of the program. The interpreter does the same (`interp::havoc`), so
//! that a model can be run; it reaches exactly what there is, and this here what there may be.

use crate::content::{Content, Start};
use crate::exec::{Exec, Fail};
use crate::guard::{and, or};
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use engine::Site;
use ir::{EdgeId, FuncId, GlobalId, Type};
use logic::{Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An object that is reached in so many ways is taken to be reached always.
const MOST_CONDITIONS: u32 = 4;

impl Exec<'_> {
    pub(crate) fn havoc_reachable(
        &mut self,
        site: EdgeId,
        callee: FuncId,
        (types, values): (&[Type], &[Term]),
        state: &mut State,
    ) -> Result<(), Fail> {
        let name = self.program.function(callee).name.clone();
        if self.limits.cut {
            // What is reached across the borders of calls that are cut off is not followed.
            return Err(Fail::Unsupported(format!("'{name}' has no body and may change memory")));
        }
        self.escape(types, values, state);
        let number = self.havocs.len() as u32;
        self.havocs.push(state.guard.term());
        self.objects_at_havoc.push(self.objects.len());
        let at = format!("{}/{name}#{number}", self.path());
        for (id, when) in state.escaped.clone() {
            let object = self.objects.get(id);
            if object.constant || object.ended {
                continue;
            }
            let (size, changed) = (object.size, format!("{} after {at}", object.name));
            let kind = Kind::Changed { object: id, call: number };
            let Some(start) = self.objects.make(changed, kind, size, 1, 0) else {
                return Err(Fail::Unsupported("more objects than there are addresses".to_owned()));
            };
            let before = self.content(state, id);
            let mut content = Content::new(Start::Of(start, before.clone()));
            content.alive = before.alive;
            if !when.is_true() {
                content = Content::either(when, &content, &before);
            }
            state.objects.insert(id, Rc::new(content));
        }
        let (call, function) = (self.frame().call, self.frame().function);
        for (global, ty) in self.registers(ir::Global::is_shared) {
            let what = format!("{} after {name}#{number}", self.program.global(global).name);
            let value = self.input(call, state, Site::Changed(function, site, global), ty, &what);
            let mut value = value.ok_or_else(|| Fail::Unsupported(format!("a value of type {ty}")))?;
            let old = self.global(state, global);
            if ty == Type::Ptr && self.pointers.carries(&self.objects, old) {
                let kept = Term::var(&format!("{}.{what} kept", self.path()), Sort::Bool);
                if let Some(input) = self.inputs.last_mut() {
                    input.kept = Some(kept);
                }
                value = kept.ite(old, value);
            }
            self.set(state, ir::Var::Global(global), value);
        }
        Ok(())
    }

    /// Adds what a call can reach to what escaped.
    fn escape(&mut self, types: &[Type], values: &[Term], state: &mut State) {
        let always = Term::bool(true);
        let mut work: Vec<(Term, Term)> = Vec::new();
        for (ty, value) in types.iter().zip(values) {
            let cases =
                if *ty == Type::Ptr { self.pointers.cases(&mut self.objects, *value) } else { [].into() };
            for case in cases.iter().filter(|case| case.target == Target::Unknown) {
                let what = "a pointer that is not known is given to a function without a body".to_owned();
                self.unknown.push((case.when, what));
            }
            work.push((always, *value));
        }
        for (global, _) in self.registers(ir::Global::is_visible) {
            work.push((always, self.global(state, global)));
        }
        // What lies outside is known there.
        let known = |kind: Kind| match kind {
            Kind::Outside => true,
            Kind::Global(id) => self.program.global(id).is_visible(),
            _ => false,
        };
        let mut objects: Vec<(Term, ObjectId)> = self
            .objects
            .ids()
            .filter(|id| known(self.objects.get(*id).kind))
            .map(|id| (always, id))
            .chain(state.escaped.iter().map(|(id, when)| (*when, *id)))
            .collect();
        let mut reached: BTreeMap<ObjectId, (Term, u32)> = BTreeMap::new();
        loop {
            if let Some((when, term)) = work.pop() {
                if term.sort() == Sort::Bv(self.pointer_width()) && self.pointers.carries(&self.objects, term)
                {
                    let cases = self.pointers.cases(&mut self.objects, term);
                    objects.extend(cases.iter().filter_map(|case| match case.target {
                        Target::Object(id, _) => Some((and(when, case.when), id)),
                        _ => None,
                    }));
                }
            } else if let Some((when, id)) = objects.pop() {
                let code = matches!(self.objects.get(id).kind, Kind::Function(_) | Kind::Changed { .. });
                let (before, times) = reached.get(&id).copied().unwrap_or((Term::bool(false), 0));
                let now = if times < MOST_CONDITIONS { or(before, when) } else { always };
                if !code && now != before {
                    reached.insert(id, (now, times + 1));
                    work.extend(self.content(state, id).values().into_iter().map(|value| (now, value)));
                }
            } else {
                break;
            }
        }
        state.escaped = reached.into_iter().map(|(id, (when, _))| (id, when)).collect();
    }

    /// The register globals that code outside of the program can see, or change.
    fn registers(&self, which: impl Fn(&ir::Global) -> bool) -> Vec<(GlobalId, Type)> {
        let globals = (0..).map(GlobalId).zip(self.program.globals.iter()).filter(|(_, g)| which(g));
        globals.filter_map(|(id, global)| Some((id, global.storage.register()?))).collect()
    }
}
