//! Calls.

use crate::content::{Content, Start};
use crate::cut::{Changed, Interface, Pair};
use crate::exec::{Exec, Fail, Frame, Made, Returned, Stop, Why};
use crate::guard::Guard;
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use interp::ObjectKind;
use ir::{Body, Callee, EdgeId, Expr, FuncId, Type, Var};
use logic::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Exec<'_> {
    /// Executes a call. False: the path ends here.
    pub(crate) fn call(
        &mut self,
        site: EdgeId,
        dst: Option<Var>,
        callee: &Callee,
        args: &[Expr],
        state: &mut State,
    ) -> Result<bool, Fail> {
        let pos = self.pos(site);
        let target = match callee {
            Callee::Direct(id) => Ok(*id),
            Callee::Indirect(e) => Err(self.expr(e, state)?),
        };
        let types: Vec<Type> = args.iter().map(|a| a.ty).collect();
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.expr(arg, state)?);
        }
        if !self.survive(state, pos) {
            return Ok(false);
        }
        let pointer = match target {
            Ok(id) => return self.call_function(site, dst, id, (&types, &values), state),
            Err(pointer) => pointer,
        };
        let mut result: Option<State> = None;
        for case in self.pointers.cases(&mut self.objects, pointer).iter() {
            let function = match case.target {
                Target::Object(id, offset) => match self.objects.get(id).kind {
                    Kind::Function(f) if offset.as_bv() == Some(0) && self.fits(f, &types, dst) => f,
                    Kind::Outside => {
                        self.unknown.push((case.when, "a call of code from outside".to_owned()));
                        continue;
                    }
                    _ => {
                        self.undefined(case.when, "a call through a pointer to no fitting function");
                        continue;
                    }
                },
                Target::Nowhere => {
                    self.undefined(case.when, "a call through a null or wild pointer");
                    continue;
                }
                Target::Environment => {
                    self.unknown.push((case.when, "a call of code from outside".to_owned()));
                    continue;
                }
                Target::Unknown => {
                    self.unknown.push((case.when, "a call through a pointer that is not known".to_owned()));
                    continue;
                }
            };
            let (unknown, undefined) =
                (std::mem::take(&mut self.unknown), std::mem::take(&mut self.undefined));
            let mut now = state.clone();
            if let Some(guard) = now.guard.and(case.when) {
                now.guard = guard;
                if self.call_function(site, dst, function, (&types, &values), &mut now)? {
                    let live = (0..now.locals.len() as u32).map(ir::LocalId).collect();
                    result = match result.take() {
                        Some(other) => self.merge(other, now, &live),
                        None => Some(now),
                    };
                }
            }
            (self.unknown, self.undefined) = (unknown, undefined);
        }
        for (condition, what) in std::mem::take(&mut self.unknown) {
            let guard = crate::guard::and(state.guard.term(), condition);
            self.gap(guard, Why::Unsupported(what, pos));
        }
        for (condition, what) in std::mem::take(&mut self.undefined) {
            let guard = crate::guard::and(state.guard.term(), condition);
            self.gap(guard, Why::Undefined(what, pos));
        }
        match result {
            Some(after) => {
                *state = after;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// May a call with such arguments reach this function? As the interpreter has it.
    fn fits(&self, id: FuncId, types: &[Type], dst: Option<Var>) -> bool {
        let function = self.program.function(id);
        let result = dst.and_then(|var| self.var_type(var).ok());
        ir::signature_matches(function, types, result, &self.program.target)
    }

    fn call_function(
        &mut self,
        site: EdgeId,
        dst: Option<Var>,
        id: FuncId,
        (types, values): (&[Type], &[Term]),
        state: &mut State,
    ) -> Result<bool, Fail> {
        let pos = self.pos(site);
        let function = self.program.function(id);
        match &function.body {
            Body::Extern => {
                if function.havocs {
                    self.havoc_reachable(site, id, (types, values), state)?;
                }
                if let Some(var) = dst {
                    let ty = self.var_type(var)?;
                    let value = self.fresh(site, ty, &function.name, state)?;
                    self.set(state, var, value);
                }
                return Ok(true);
            }
            Body::Poisoned { reason, .. } => {
                self.end_unsupported(state, format!("{}: {reason}", function.name), pos);
                return Ok(false);
            }
            Body::Defined(_) => {}
        }
        let depth = self.depth_of(id);
        let unconditional = self.is_free() && state.guard.same(&self.entry_guard());
        if self.too_deep() {
            self.gap(state.guard.term(), Why::Depth);
            return Ok(false);
        }
        if depth > self.limits.bounds.of_recursion() && !unconditional {
            self.ended.push((state.guard.term(), id, None));
            self.gap(state.guard.term(), Why::Bound);
            return Ok(false);
        }
        self.deepest = self.deepest.max(depth);
        if !unconditional && self.is_worth_asking(id) && !self.is_possible(&state.guard) {
            return Ok(false);
        }
        let returned = self.enter(id, (types, values), state)?;
        let Some(Returned { state: after, value }) = returned else { return Ok(false) };
        *state = after;
        if let Some(var) = dst {
            let ty = self.var_type(var)?;
            let value = match value {
                Some(value) => value,
                None => self.ops.constant(ty, 0)?,
            };
            self.set(state, var, value);
        }
        Ok(true)
    }

    /// The guard with which the active call began.
    fn entry_guard(&self) -> Guard {
        self.frames.last().map(|f| f.began.clone()).unwrap_or_default()
    }

    fn enter(
        &mut self,
        id: FuncId,
        (types, values): (&[Type], &[Term]),
        state: &mut State,
    ) -> Result<Option<Returned>, Stop> {
        let function = self.program.function(id);
        let count = self.count(true, id.0);
        let path = format!("{}/{}#{count}", self.path(), function.name);
        if self.limits.cut
            && let Some(returned) = self.apply(id, &path, values, state)
        {
            return Ok(returned);
        }
        let parent = self.frame().call;
        let call = self.push_call(Some(parent), id, path, state.guard.term());
        let outer = std::mem::take(state);
        let cut = self.limits.cut;
        let mut inner = State { locals: vec![None; function.locals.len()], ..State::default() };
        let mut frame = Frame {
            call,
            function: id,
            counts: FxHashMap::default(),
            outer: State::default(),
            interface: None,
            began: Guard::default(),
        };
        if cut {
            frame.interface = Some(Interface::default());
            frame.outer = outer;
        } else {
            inner.guard = outer.guard.clone();
            frame.began = outer.guard.clone();
            inner.globals = outer.globals;
            inner.objects = outer.objects;
            inner.escaped = outer.escaped;
            frame.outer.locals = outer.locals;
        }
        self.frames.push(frame);
        let level = self.level();
        let mut taken = Vec::with_capacity(values.len());
        for value in values {
            let inside = self.import(level, *value);
            taken.push(inside);
            if let Some(interface) = &mut self.frames[level].interface {
                interface.args.push(Pair { outer: *value, inner: inside });
            }
        }
        for (slot, value) in inner.locals.iter_mut().zip(&taken).take(function.params as usize) {
            *slot = Some(*value);
        }
        if function.variadic {
            self.extra_arguments(types, &taken, function.params as usize, &mut inner);
        }
        let result = self.body(id, inner);
        let returned = match result {
            Ok(returned) => returned,
            Err(stop) => {
                self.frames.pop();
                return Err(stop);
            }
        };
        Ok(self.leave(returned))
    }

    /// The arguments beyond the parameters lie in an object of the call, in slots of 16 bytes.
    fn extra_arguments(&mut self, types: &[Type], values: &[Term], params: usize, state: &mut State) {
        let name = format!("{}/...", self.path());
        let extra = values.len().saturating_sub(params) as u64;
        let size = Term::bv(u128::from(extra * 16), self.pointer_width());
        let kind = Kind::Made(ObjectKind::VarArgs);
        let level = self.level() as u32;
        let Some(object) = self.objects.make(name, kind, size, extra * 16, level) else { return };
        let mut content = Content::new(Start::Unwritten);
        for ((ty, value), slot) in types.iter().zip(values).skip(params).zip(0..) {
            content.put(slot * 16, *value, ty.access_size(&self.program.target));
        }
        self.made.push(Made { guard: state.guard.term(), object });
        state.objects.insert(object, Rc::new(content));
    }

    /// Ends the active call: its locals die, and what it did becomes the caller's.
    pub(crate) fn leave(&mut self, mut returned: Option<Returned>) -> Option<Returned> {
        let level = self.level();
        let call = self.frames[level].call;
        let cut = self.frames[level].interface.is_some();
        let mut left = Vec::new();
        for id in self.objects.of_level(level as u32) {
            match self.objects.get(id).kind {
                Kind::Made(ObjectKind::Heap) | Kind::Outside => left.push(id),
                _ => {
                    self.objects.get_mut(id).ended = true;
                    if let Some(returned) = &mut returned {
                        returned.state.objects.remove(&id);
                    }
                }
            }
        }
        if !cut {
            let frame = self.frames.pop()?;
            for id in left {
                let size = self.objects.get(id).size;
                self.objects.pass_on(id, level as u32 - 1, size);
            }
            let errors = std::mem::take(&mut self.calls[call.0 as usize].errors);
            let parent = self.frame().call;
            self.calls[parent.0 as usize].errors.extend(errors);
            return returned.map(|mut returned| {
                returned.state.locals = frame.outer.locals;
                returned
            });
        }
        let result = self.give_back(level, call, returned);
        for id in left {
            let size = self.objects.get(id).size;
            let size = self.export(level, size);
            if let Some(interface) = &mut self.frames[level].interface {
                interface.sizes.insert(id, size);
            }
            self.objects.pass_on(id, level as u32 - 1, size);
        }
        let frame = self.frames.pop()?;
        self.calls[call.0 as usize].interface = frame.interface;
        result
    }

    /// When a call fails, or does what is not followed whatever the bounds are; and when it leaves the
    /// bounds.
    pub fn failures(&mut self, call: crate::exec::CallId) -> (Term, Term) {
        let errors = std::mem::take(&mut self.calls[call.0 as usize].errors);
        let own = || self.open_gaps().filter(|g| g.call == call);
        let beyond = own().filter(|g| g.why != Why::Bound).map(|g| g.guard);
        let error = Term::any(errors.into_iter().chain(beyond));
        (error, Term::any(own().filter(|g| g.why == Why::Bound).map(|g| g.guard)))
    }

    /// Exports what a cut call did into the caller's state.
    fn give_back(
        &mut self,
        level: usize,
        call: crate::exec::CallId,
        returned: Option<Returned>,
    ) -> Option<Returned> {
        let mut outer = std::mem::take(&mut self.frames[level].outer);
        let (error, gap) = self.failures(call);
        let caller = self.frames[level - 1].call;
        let fails = self.export(level, error);
        let stops = self.export(level, gap);
        if !fails.is_false() {
            let guard = crate::guard::and(outer.guard.term(), fails);
            self.calls[caller.0 as usize].errors.push(guard);
        }
        if !stops.is_false() {
            let guard = crate::guard::and(outer.guard.term(), stops);
            self.gaps.push(crate::exec::Gap { call: caller, guard, why: Why::Bound });
        }
        let returns = returned.as_ref().map_or(Term::bool(false), |r| r.state.guard.term());
        let goes_on = self.export(level, returns);
        let mut interface = Interface::default();
        let mut result = None;
        let mut alive = true;
        if let Some(Returned { state, value }) = returned {
            match outer.guard.and(goes_on) {
                Some(guard) => outer.guard = guard,
                None => alive = false,
            }
            result = value.map(|value| {
                let outside = self.export(level, value);
                interface.result = Some(Pair { outer: outside, inner: value });
                outside
            });
            for (id, value) in &state.globals {
                let known = self.frames[level].interface.as_ref().and_then(|i| i.globals.get(id));
                if known.is_some_and(|pair| pair.inner == *value) {
                    continue;
                }
                let outside = self.export(level, *value);
                interface.changed_globals.insert(*id, Pair { outer: outside, inner: *value });
                outer.globals.insert(*id, outside);
            }
            let objects: Vec<(ObjectId, Rc<Content>)> =
                state.objects.iter().map(|(id, content)| (*id, content.clone())).collect();
            for (id, content) in objects {
                self.give_back_object(level, id, &content, &mut outer, &mut interface);
            }
        }
        if let Some(own) = &mut self.frames[level].interface {
            own.result = interface.result;
            own.changed_globals = interface.changed_globals;
            own.changed = interface.changed;
            own.alive = interface.alive;
            own.wild = interface.wild;
            own.returns = Some(Pair { outer: goes_on, inner: returns });
            own.error = Some(Pair { outer: fails, inner: error });
            own.gap = Some(Pair { outer: stops, inner: gap });
        }
        let comes_back = alive && !goes_on.is_false();
        comes_back.then_some(Returned { state: outer, value: result })
    }

    fn give_back_object(
        &mut self,
        level: usize,
        id: ObjectId,
        content: &Rc<Content>,
        outer: &mut State,
        interface: &mut Interface,
    ) {
        if self.objects.get(id).ended {
            return;
        }
        let known = self.frames[level].interface.as_ref().and_then(|i| i.objects.get(&id));
        let before = known.map(|(_, inner)| inner.clone());
        if before.as_ref().is_some_and(|inner| Rc::ptr_eq(inner, content) || inner.same(content)) {
            return;
        }
        let own = self.objects.get(id).level as usize >= level;
        let base = match (&before, own) {
            (Some(inner), _) => inner.clone(),
            (None, true) => Rc::new(Content::new(Start::Unwritten)),
            // Nothing of it was looked at, but it was changed: a dead local of a call below.
            (None, false) => self.content_before(level, id),
        };
        let mut outside = if own {
            (*base).clone()
        } else {
            match outer.objects.get(&id) {
                Some(content) => (**content).clone(),
                None => (*self.content_before(self.below(level), id)).clone(),
            }
        };
        for at in base.differences(content) {
            let cell = content.overlapping(at, 1).into_iter().find(|(start, _)| *start == at);
            let Some((_, cell)) = cell else {
                outside.remove(at);
                continue;
            };
            let value = self.export(level, cell.value);
            let pair = Pair { outer: value, inner: cell.value };
            interface.changed.push(Changed { object: id, offset: at, size: cell.size, value: pair });
            outside.put(at, value, cell.size);
        }
        if base.start != content.start || (own && content.start == Start::Wild) {
            outside.start = content.start.clone();
            interface.wild.push(id);
        }
        if base.alive != content.alive || own {
            outside.alive = self.export(level, content.alive);
            interface.alive.push((id, Pair { outer: outside.alive, inner: content.alive }));
        }
        outer.objects.insert(id, Rc::new(outside));
    }

    fn below(&self, level: usize) -> usize {
        (0..level).rev().find(|i| self.frames[*i].interface.is_some()).unwrap_or(0)
    }
}
