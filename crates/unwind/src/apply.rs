//! Summaries in the place of calls.
//!
//! A record applies to a call if the context matches: every constant it was made with is there again, every
//! pointer leads to the same objects, and everything it took in can be found. What then crosses the border is
//! bound to its interface variables, and what it gives back is written into the caller's state; the callee is
//! not looked at.

use crate::content::{Content, Found, Start};
use crate::cut::{Interface, Pair};
use crate::exec::{Exec, Gap, Returned, Why};
use crate::objects::ObjectId;
use crate::state::State;
use crate::summary::{ObjectRecord, Record, Value, kind_like, kind_number, start_number};
use ir::{FuncId, GlobalId};
use logic::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is known about calls of the program.
#[derive(Default)]
pub struct Known {
    pub calls: Vec<KnownCall>,
    by_path: FxHashMap<String, usize>,
    by_function: FxHashMap<String, Vec<usize>>,
    /// Calls, by path, that must be looked into.
    pub expand: FxHashSet<String>,
    /// All calls must.
    pub expand_all: bool,
}

pub struct KnownCall {
    pub function: String,
    pub path: String,
    pub record: Rc<Record>,
    /// The summary holds of the function as it is now.
    pub valid: bool,
    /// Which call it was.
    pub node: usize,
}

/// Records of other calls of a function that are tried.
const MOST_TRIED: usize = 6;

impl Known {
    pub fn new(calls: Vec<KnownCall>) -> Known {
        let mut known = Known { calls, ..Known::default() };
        for (i, call) in known.calls.iter().enumerate() {
            known.by_path.insert(call.path.clone(), i);
            known.by_function.entry(call.function.clone()).or_default().push(i);
        }
        known
    }

    /// The records to be tried for a call, the most likely first.
    fn candidates(&self, function: &str, path: &str) -> Vec<usize> {
        if self.expand_all || self.expand.contains(path) {
            return Vec::new();
        }
        let own = self.by_path.get(path).copied().filter(|i| self.calls[*i].function == function);
        let others = self.by_function.get(function).into_iter().flatten().copied();
        let elsewhere = others.filter(|i| Some(*i) != own && self.calls[*i].record.made.is_empty());
        let all = own.into_iter().chain(elsewhere).filter(|i| self.calls[*i].valid);
        all.take(MOST_TRIED).collect()
    }
}

/// What the imports of a record are in a caller.
struct Bindings {
    imports: Vec<Option<Term>>,
}

impl Exec<'_> {
    /// Puts a summary in the place of the call that is about to be entered. None: there is none that applies.
    /// Some(None): one that never returns.
    pub(crate) fn apply(
        &mut self,
        id: FuncId,
        path: &str,
        args: &[Term],
        state: &mut State,
    ) -> Option<Option<Returned>> {
        let known = self.known.take()?;
        let name = self.program.function(id).name.to_string();
        let mut result = None;
        for i in known.candidates(&name, path) {
            let record = known.calls[i].record.clone();
            if let Some(bindings) = self.matches(&record, args, state) {
                result = self.substitute(id, path, (&record, i), &bindings, state);
                break;
            }
        }
        self.known = Some(known);
        result
    }

    fn matches(&mut self, record: &Record, args: &[Term], state: &State) -> Option<Bindings> {
        let mut bindings = Bindings { imports: vec![None; record.imports.len()] };
        if record.args.len() != args.len() {
            return None;
        }
        for (value, arg) in record.args.iter().zip(args) {
            self.bind(record, &mut bindings, value, *arg)?;
        }
        for (name, value) in &record.globals {
            let id = self.global_called(name)?;
            let actual = self.global(state, id);
            self.bind(record, &mut bindings, value, actual)?;
        }
        for object in &record.objects {
            let id = self.objects.find(&object.name)?;
            self.bind_object(record, &mut bindings, object, id, state)?;
        }
        for (name, at, size, value) in &record.unwritten {
            let id = self.objects.find(name)?;
            let actual = self.unwritten(id, *at, *size);
            self.bind(record, &mut bindings, value, actual)?;
        }
        Some(bindings)
    }

    fn bind_object(
        &mut self,
        record: &Record,
        bindings: &mut Bindings,
        object: &ObjectRecord,
        id: ObjectId,
        state: &State,
    ) -> Option<()> {
        let actual = self.objects.get(id);
        if actual.ended || actual.constant != object.constant || kind_number(actual.kind)? != object.kind {
            return None;
        }
        if object.size != Value::Bool(false) {
            let size = self.size_of(id);
            self.bind(record, bindings, &object.size, size)?;
        }
        let content = self.content(state, id);
        if start_number(&content.start) != object.start || content.cells().count() != object.cells.len() {
            return None;
        }
        self.bind(record, bindings, &object.alive, content.alive)?;
        for (at, size, value) in &object.cells {
            match content.find(*at, *size) {
                Found::Whole(actual) => self.bind(record, bindings, value, actual)?,
                _ => return None,
            }
        }
        Some(())
    }

    /// A value of the record is this term here.
    fn bind(&mut self, record: &Record, bindings: &mut Bindings, value: &Value, actual: Term) -> Option<()> {
        match value {
            Value::In(k) => {
                let shape = record.imports.get(*k as usize)?;
                let fits = match actual.sort() {
                    Sort::Float(e, s) => shape.sort() == Sort::Bv(e + s),
                    sort => shape.sort() == sort,
                };
                let outside = record.outside.iter().find(|(v, ..)| v == value);
                let same = |(_, name, kin): &(Value, String, Vec<String>)| {
                    self.pointers.outside_name(actual) == Some(name)
                        && self.pointers.kin(name) == kin.as_slice()
                };
                if !fits || outside.is_some_and(|outside| !same(outside)) {
                    return None;
                }
                // What is a constant here was not one there: any value is fine. What leads to objects here
                // did not there.
                if outside.is_none() && self.pointers.carries(&self.objects, actual) {
                    return None;
                }
                let slot = bindings.imports.get_mut(*k as usize)?;
                match slot {
                    Some(known) => (*known == actual).then_some(()),
                    None => {
                        *slot = Some(actual);
                        Some(())
                    }
                }
            }
            Value::Out(_) => None,
            Value::AsFloat(inner, e, s) => match actual.sort() {
                Sort::Float(x, y) if (x, y) == (*e, *s) => self.bind(record, bindings, inner, actual),
                _ => None,
            },
            Value::Ite(parts) => match (actual.op(), actual.args()) {
                (Op::Ite, [c, a, b]) => {
                    for (value, actual) in parts.iter().zip([c, a, b]) {
                        self.bind(record, bindings, value, *actual)?;
                    }
                    Some(())
                }
                _ => None,
            },
            Value::Add(list) => match (actual.op(), actual.args()) {
                (Op::BvAdd, args) if args.len() == list.len() => {
                    for (value, actual) in list.iter().zip(args) {
                        self.bind(record, bindings, value, *actual)?;
                    }
                    Some(())
                }
                _ => None,
            },
            constant => (constant.term(&[], &[])? == actual).then_some(()),
        }
    }

    fn substitute(
        &mut self,
        id: FuncId,
        path: &str,
        (record, index): (&Record, usize),
        bindings: &Bindings,
        state: &mut State,
    ) -> Option<Option<Returned>> {
        let var = |kind: &str, k: usize, sort: Sort| Term::var(&format!("{path}|{kind}{k}"), sort);
        let imports: Vec<Term> =
            record.imports.iter().enumerate().map(|(k, s)| var("in", k, s.sort())).collect();
        let exports: Vec<Term> =
            record.exports.iter().enumerate().map(|(k, s)| var("out", k, s.sort())).collect();
        let outer = |value: &Value| value.term(&imports, &exports);
        for (value, name, kin) in &record.outside {
            if let (Value::Out(_), Some(term)) = (value, outer(value)) {
                self.pointers.set_kin(name, kin);
                self.pointers.outside_pointer(term, || name.clone());
            }
        }
        // All of it is looked up before anything is changed.
        let mut globals: Vec<(GlobalId, Term)> = Vec::new();
        for (name, value) in &record.changed_globals {
            let (id, value) = (self.global_called(name)?, outer(value)?);
            let ir::Storage::Register(ty) = self.program.global(id).storage else { return None };
            if self.ops.sort(ty).ok()? != value.sort() {
                return None;
            }
            globals.push((id, value));
        }
        let mut made: Vec<(&ObjectRecord, Term, Term)> = Vec::new();
        for object in &record.made {
            let (size, alive) = (outer(&object.size)?, outer(&object.alive)?);
            if size.sort() != Sort::Bv(self.pointer_width()) || alive.sort() != Sort::Bool {
                return None;
            }
            made.push((object, size, alive));
        }
        let is_made = |name: &String| record.made.iter().any(|object| object.name == *name);
        let mut cells: Vec<(&String, u64, u64, Term)> = Vec::new();
        for (name, at, size, value) in &record.changed {
            if self.objects.find(name).is_none() && !is_made(name) {
                return None;
            }
            let value = outer(value)?;
            if value.sort() == Sort::Bool
                || matches!(value.sort(), Sort::Bv(w) if u64::from(w) != size.saturating_mul(8))
            {
                return None;
            }
            cells.push((name, *at, *size, value));
        }
        if record.wild.iter().any(|name| self.objects.find(name).is_none() && !is_made(name)) {
            return None;
        }
        let mut alive: Vec<(ObjectId, Term)> = Vec::new();
        for (name, value) in &record.alive {
            let lives = outer(value).filter(|lives| lives.sort() == Sort::Bool)?;
            alive.push((self.objects.find(name)?, lives));
        }
        // A record that is not of this function's kind does not apply, wherever it came from.
        let result = match &record.result {
            Some(value) => {
                let sort = self.program.function(id).ret.and_then(|ty| self.ops.sort(ty).ok());
                Some(outer(value).filter(|value| Some(value.sort()) == sort)?)
            }
            None => None,
        };
        let (returns, error, gap) =
            (outer(record.returns.as_ref()?)?, outer(record.error.as_ref()?)?, outer(record.gap.as_ref()?)?);
        if [returns, error, gap].iter().any(|term| term.sort() != Sort::Bool) {
            return None;
        }

        let parent = self.frame().call;
        let call = self.push_call(Some(parent), id, path.to_owned(), state.guard.term());
        let bound = |k: usize| bindings.imports.get(k).copied().flatten();
        let interface = Interface {
            imports: imports
                .iter()
                .enumerate()
                .map(|(k, inner)| Pair { outer: bound(k).unwrap_or(*inner), inner: *inner })
                .collect(),
            exports: exports.iter().map(|outer| Pair { outer: *outer, inner: *outer }).collect(),
            ..Interface::default()
        };
        self.calls[call.0 as usize].interface = Some(interface);
        self.calls[call.0 as usize].stand = Some(index);
        let level = self.level() as u32;
        for (object, size, _) in &made {
            let room = size.as_bv().map_or(1 << 31, |bits| bits as u64);
            self.objects.make(object.name.clone(), kind_like(object.kind), *size, room, level)?;
        }
        for (object, _, lives) in &made {
            let id = self.objects.find(&object.name)?;
            let mut content = Content::new(Start::Unwritten);
            content.alive = *lives;
            state.objects.insert(id, Rc::new(content));
        }
        for (name, at, size, value) in cells {
            let id = self.objects.find(name)?;
            let mut content = self.content(state, id);
            Rc::make_mut(&mut content).put(at, value, size);
            state.objects.insert(id, content);
        }
        for name in &record.wild {
            let id = self.objects.find(name)?;
            let mut content = self.content(state, id);
            Rc::make_mut(&mut content).start = Start::Wild;
            state.objects.insert(id, content);
        }
        for (id, lives) in alive {
            let mut content = self.content(state, id);
            Rc::make_mut(&mut content).alive = lives;
            state.objects.insert(id, content);
        }
        for (id, value) in globals {
            state.globals.insert(id, value);
        }
        if !error.is_false() {
            let guard = crate::guard::and(state.guard.term(), error);
            self.calls[parent.0 as usize].errors.push(guard);
        }
        if !gap.is_false() {
            let guard = crate::guard::and(state.guard.term(), gap);
            self.gaps.push(Gap { call: parent, guard, why: Why::Bound });
        }
        Some(state.guard.and(returns).map(|guard| {
            state.guard = guard;
            Returned { state: std::mem::take(state), value: result }
        }))
    }

    pub(crate) fn global_called(&self, name: &str) -> Option<GlobalId> {
        self.by_name.get(name).copied()
    }
}
