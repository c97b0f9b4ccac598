//! One call by itself: does its summary still hold (lines 6 and 7 of Algorithm 2)?
//!
//! The function, as it is now, is executed in the context that the record describes. If it needs to know
//! anything that the record does not say, or changes anything that it did not change before, the summary
//! counts as fallen: the caller decides. Otherwise the summary holds if the function's formula contradicts
//! its negation, where what the function gives back takes the place of the summary's exports.

use crate::content::Content;
use crate::cut::{Interface, Pair};
use crate::exec::{CallId, Exec, Frame, Stop};
use crate::guard::Guard;
use crate::objects::ObjectId;
use crate::state::State;
use crate::summary::{Record, Shape, Value, kind_like, start_of};
use ir::FuncId;
use logic::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The call that is checked, as it is numbered in the execution of it alone.
pub const CHECKED: CallId = CallId(1);

/// How the new behaviour is held against the old interface.
pub struct Fit {
    /// What the summary's exports are now.
    pub exports: Vec<Term>,
    /// What must hold besides the summary.
    pub obligations: Vec<Term>,
}

impl Exec<'_> {
    /// Executes a function in the context of a record. False: the record does not fit the program at all.
    pub fn run_alone(&mut self, id: FuncId, path: &str, record: &Record) -> Result<bool, Stop> {
        self.make_globals();
        self.alone = true;
        let function = self.program.function(id);
        let root = self.push_call(None, id, String::new(), Term::bool(true));
        self.frames.push(frame(root, id));
        let call = self.push_call(Some(root), id, path.to_owned(), Term::bool(true));
        let Some((interface, outer)) = self.context(path, record) else {
            self.frames.pop();
            return Ok(false);
        };
        if record.args.len() < function.params as usize
            || (record.args.len() > function.params as usize && !function.variadic)
        {
            self.frames.pop();
            return Ok(false);
        }
        let args: Vec<Term> = interface.args.iter().map(|pair| pair.inner).collect();
        let mut inner = State { locals: vec![None; function.locals.len()], ..State::default() };
        let types: Vec<Option<Sort>> =
            function.locals.iter().map(|l| self.ops.sort(l.storage.register()?).ok()).collect();
        for (i, arg) in args.iter().enumerate().take(function.params as usize) {
            if types[i] != Some(arg.sort()) {
                self.frames.pop();
                return Ok(false);
            }
            inner.locals[i] = Some(*arg);
        }
        // The types of further arguments are not known here.
        if function.variadic {
            self.missed = true;
        }
        let mut frame = frame(call, id);
        frame.interface = Some(interface);
        frame.outer = outer;
        self.frames.push(frame);
        let result = self.body(id, inner);
        match result {
            Ok(returned) => {
                self.leave(returned);
                self.frames.pop();
                Ok(true)
            }
            Err(stop) => {
                self.frames.clear();
                Err(stop)
            }
        }
    }

    /// The caller's state, as far as the record knows it, and the interface with what it takes in.
    fn context(&mut self, path: &str, record: &Record) -> Option<(Interface, State)> {
        let imports: Vec<Term> = record
            .imports
            .iter()
            .enumerate()
            .map(|(k, shape)| Term::var(&format!("{path}|in{k}"), shape.sort()))
            .collect();
        let mut interface = Interface::default();
        for term in &imports {
            interface.imports.push(Pair { outer: *term, inner: *term });
            interface.taken.insert(*term, *term);
        }
        let value = |v: &Value| v.term(&imports, &[]);
        for (v, name, kin) in &record.outside {
            if let (Value::In(_), Some(term)) = (v, value(v)) {
                self.pointers.set_kin(name, kin);
                self.pointers.outside_pointer(term, || name.clone());
            }
        }
        let mut outer = State::default();
        for v in &record.args {
            let term = value(v)?;
            interface.args.push(Pair { outer: term, inner: term });
        }
        for (name, v) in &record.globals {
            let id = self.global_called(name)?;
            let term = value(v)?;
            let ty = self.program.global(id).storage.register()?;
            if self.ops.sort(ty).ok()? != term.sort() {
                return None;
            }
            outer.globals.insert(id, term);
        }
        for object in &record.objects {
            let id = match self.objects.find(&object.name) {
                Some(id) => {
                    let here = self.objects.get(id);
                    let size = value(&object.size);
                    if here.constant != object.constant
                        || size.is_some_and(|size| size != here.size && here.size.is_const())
                    {
                        return None;
                    }
                    id
                }
                None => {
                    let width = self.pointer_width();
                    let size = match &object.size {
                        Value::Bool(_) => Term::var(&format!("{path}|size {}", object.name), Sort::Bv(width)),
                        known => value(known)?,
                    };
                    let room = size.as_bv().map_or(1 << 31, |bits| bits as u64);
                    self.objects.make(object.name.clone(), kind_like(object.kind), size, room, 0)?
                }
            };
            let mut content = Content::new(start_of(object.start));
            content.alive = value(&object.alive)?;
            for (at, size, v) in &object.cells {
                content.put(*at, value(v)?, *size);
            }
            outer.objects.insert(id, Rc::new(content));
        }
        for (name, at, size, v) in &record.unwritten {
            let id = self.objects.find(name)?;
            let term = value(v)?;
            self.unwritten_known.insert((id, *at, *size), term);
        }
        Some((interface, outer))
    }

    /// Holds what the call does now against what the record says it gives back. None: it gives back something
    /// else.
    pub fn fit(&self, record: &Record, complete: bool) -> Option<Fit> {
        let call = self.calls.get(CHECKED.0 as usize)?;
        let interface = call.interface.as_ref()?;
        let exports = vec![None; record.exports.len()];
        let mut fit = Fitting { shapes: &record.exports, exports, obligations: Vec::new() };
        let always = Term::bool(true);
        let imports: Vec<Term> = interface.imports.iter().map(|p| p.inner).collect();
        let before = |v: &Value| v.term(&imports, &[]);
        fit.value(record.returns.as_ref()?, interface.returns?.inner, always)?;
        fit.value(record.error.as_ref()?, interface.error?.inner, always)?;
        if complete {
            fit.value(record.gap.as_ref()?, interface.gap?.inner, always)?;
        }
        let returns = interface.returns?.inner;
        match (&record.result, interface.result) {
            (Some(value), Some(pair)) => fit.value(value, pair.inner, returns)?,
            (None, _) => {}
            (Some(_), None) if returns.is_false() => {}
            (Some(_), None) => return None,
        }
        let mut globals: FxHashMap<&str, Term> = FxHashMap::default();
        for (id, pair) in &interface.changed_globals {
            globals.insert(self.names.get(id.0 as usize)?, pair.inner);
        }
        for (name, value) in &record.changed_globals {
            let now = match globals.remove(name.as_str()) {
                Some(term) => term,
                None => before(&record.globals.iter().find(|(n, _)| n == name)?.1)?,
            };
            fit.value(value, now, returns)?;
        }
        if !globals.is_empty() {
            return None;
        }
        self.fit_objects(record, interface, &mut fit, &before, returns)?;
        let exports = fit.exports.iter().enumerate().map(|(k, term)| {
            term.unwrap_or_else(|| Term::var(&format!("{}|free{k}", call.path), record.exports[k].sort()))
        });
        Some(Fit { exports: exports.collect(), obligations: fit.obligations })
    }

    fn fit_objects(
        &self,
        record: &Record,
        interface: &Interface,
        fit: &mut Fitting<'_>,
        before: &dyn Fn(&Value) -> Option<Term>,
        returns: Term,
    ) -> Option<()> {
        let name = |id: ObjectId| self.objects.get(id).name.as_str();
        let mut cells: FxHashMap<(&str, u64, u64), Term> = FxHashMap::default();
        for changed in &interface.changed {
            cells.insert((name(changed.object), changed.offset, changed.size), changed.value.inner);
        }
        for (object, at, size, value) in &record.changed {
            let now = match cells.remove(&(object.as_str(), *at, *size)) {
                Some(term) => term,
                None => {
                    let old = record.objects.iter().find(|o| o.name == *object)?;
                    let cell = old.cells.iter().find(|(a, s, _)| (a, s) == (at, size));
                    match cell {
                        Some((_, _, v)) => before(v)?,
                        None => return None,
                    }
                }
            };
            fit.value(value, now, returns)?;
        }
        if !cells.is_empty() {
            return None;
        }
        let mut alive: FxHashMap<&str, (ObjectId, Term)> = FxHashMap::default();
        for (id, pair) in &interface.alive {
            alive.insert(name(*id), (*id, pair.inner));
        }
        for (object, value) in &record.alive {
            let now = match alive.remove(object.as_str()) {
                Some((_, term)) => term,
                None => before(&record.objects.iter().find(|o| o.name == *object)?.alive)?,
            };
            fit.value(value, now, returns)?;
        }
        for object in &record.made {
            let (id, lives) = alive.remove(object.name.as_str())?;
            fit.value(&object.alive, lives, returns)?;
            let size = interface.sizes.get(&id).copied().unwrap_or(self.objects.get(id).size);
            // Sizes cross as terms of the caller; only constants are compared.
            let same = size.is_const() && object.size.term(&[], &[]) == Some(size);
            if !same {
                return None;
            }
        }
        let wild = interface.wild.iter().all(|id| record.wild.iter().any(|w| w == name(*id)));
        (alive.is_empty() && wild).then_some(())
    }
}

fn frame(call: CallId, function: FuncId) -> Frame {
    Frame {
        call,
        function,
        counts: FxHashMap::default(),
        outer: State::default(),
        interface: None,
        began: Guard::default(),
    }
}

struct Fitting<'r> {
    shapes: &'r [Shape],
    exports: Vec<Option<Term>>,
    obligations: Vec<Term>,
}

impl Fitting<'_> {
    /// The record's value is this term now, where `when` holds.
    fn value(&mut self, value: &Value, now: Term, when: Term) -> Option<()> {
        match value {
            Value::Out(k) => {
                // A type that changed is another interface.
                let bits = match now.sort() {
                    Sort::Float(e, s) => Sort::Bv(e + s),
                    sort => sort,
                };
                if self.shapes.get(*k as usize)?.sort() != bits {
                    return None;
                }
                let slot = self.exports.get_mut(*k as usize)?;
                match slot {
                    Some(known) if known.sort() != now.sort() => return None,
                    Some(known) => {
                        let same = known.equals(now);
                        self.oblige(when, same);
                    }
                    None => *slot = Some(now),
                }
            }
            Value::In(_) => return None,
            Value::AsFloat(inner, e, s) => {
                if now.sort() != Sort::Float(*e, *s) {
                    return None;
                }
                self.value(inner, now, when)?;
            }
            Value::Ite(parts) => {
                let [c, a, b] = &**parts;
                let (Op::Ite, [x, y, z]) = (now.op(), now.args()) else { return None };
                self.value(c, *x, when)?;
                self.value(a, *y, when.and(*x))?;
                self.value(b, *z, when.and(x.not()))?;
            }
            Value::Add(list) => {
                let (Op::BvAdd, args) = (now.op(), now.args()) else { return None };
                if args.len() != list.len() {
                    return None;
                }
                for (value, now) in list.iter().zip(args) {
                    self.value(value, *now, when)?;
                }
            }
            constant => {
                let constant = constant.term(&[], &[])?;
                if constant.sort() != now.sort() {
                    return None;
                }
                let same = constant.equals(now);
                self.oblige(when, same);
            }
        }
        Some(())
    }

    fn oblige(&mut self, when: Term, holds: Term) {
        let obligation = when.implies(holds);
        if !obligation.is_true() {
            self.obligations.push(obligation);
        }
    }
}
