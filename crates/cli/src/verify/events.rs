//! A run for people: what was read, assigned, called and decided, with the names of the source.

pub mod names;

use super::expression::condition;
use super::sources::Sources;
use crate::equiv::values::{is_char, show};
use driver::path::{Path, Step, Value};
use driver::slice::Slice;
use interp::{ConsumedInput, InputKind, ObjectKind, Pointee};
use ir::names::unnumbered;
use ir::{Body, Callee, EdgeId, ExprDisplay, FuncId, Function, LocalId, LocalOrigin, Op, Pos, Type, Var};
use names::{Given, given, object_name, pointer_text};
use report::SourceLines;

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: Kind,
    pub function: FuncId,
    pub edge: Option<EdgeId>,
    pub pos: Pos,
    pub depth: u32,
    /// What happened, in the terms of the source.
    pub text: String,
    /// What is not in the text: where a value came from, how a condition turned out.
    pub remark: String,
    /// It led to the failure.
    pub matters: bool,
    /// It says a value, or how a condition turned out.
    pub has_value: bool,
    /// What came from outside, if that is what happened.
    pub given: Option<Given>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Input,
    Assignment,
    Branch,
    Call,
    Return,
    Failure,
}

/// What happened; only what matters, unless everything is wanted.
pub fn events(path: &Path, slice: &Slice, sources: &Sources, everything: bool) -> Vec<Event> {
    let mut teller = Teller { path, slice, sources, events: Vec::new(), lines: SourceLines::default() };
    teller.entry_inputs(0);
    for (i, step) in path.steps.iter().enumerate() {
        let matters = slice.has_step(i) && !sources.is_library(step.function);
        let last = i + 1 == path.steps.len();
        // To repeat the run, all answers are needed, also those that made no difference.
        let answers = path.inputs(&step.inputs).iter().any(|input| names::is_answer(&input.request.kind));
        let answers = answers && !sources.is_library(step.function);
        if matters || everything || last || answers {
            teller.step(step, matters, last);
        }
    }
    teller.events
}

struct Teller<'a, 'p> {
    path: &'a Path<'p>,
    slice: &'a Slice,
    sources: &'a Sources,
    events: Vec<Event>,
    lines: SourceLines,
}

impl<'p> Teller<'_, 'p> {
    fn step(&mut self, step: &Step, matters: bool, last: bool) {
        let path = self.path;
        let Some(op) = path.op(step) else { return };
        let function = path.program.function(step.function);
        let mut own = None;
        for input in path.inputs(&step.inputs) {
            match input.request.kind {
                // Nothing was changed after all.
                InputKind::Changed { before, .. } if before == input.value => {}
                InputKind::Memory { before, .. } if before == Some(input.value) => {}
                InputKind::Memory { .. } | InputKind::ExternGlobal { .. } | InputKind::Changed { .. } => {
                    let given = self.read_input(input);
                    self.tell_input(step, given, matters);
                }
                _ => own = Some(input),
            }
        }
        let values = path.evaluated(step);
        let value = |i: usize| values.get(i).map(|v| v.value);
        match op {
            Op::Skip | Op::Free { .. } | Op::Lifetime { .. } | Op::Halt(_) => {}
            Op::Check { .. } if !last => {}
            Op::Check { .. } => self.tell(step, Kind::Failure, String::new(), String::new(), true),
            Op::Assume { cond, holds } => {
                let branches = function.cfa().is_some_and(|cfa| {
                    let from = cfa.edges().get(step.edge.0 as usize).map(|e| e.from);
                    from.is_some_and(|from| cfa.out(from).len() > 1)
                });
                if branches {
                    let text = condition(path.program, function, cond)
                        .or_else(|| self.source(path.pos(step)))
                        .unwrap_or_else(|| {
                            let program = path.program;
                            ExprDisplay { program, function: Some(function), expr: cond }.to_string()
                        });
                    self.tell(
                        step,
                        Kind::Branch,
                        text,
                        if *holds { "yes" } else { "no" }.to_owned(),
                        matters,
                    );
                }
            }
            Op::Assign { var, value: e } => {
                if let (Some(name), Some(bits)) = (self.name(function, *var), value(0)) {
                    let text = format!("{name} = {}", self.show(e.ty, bits, self.c_type(function, *var)));
                    self.tell(step, Kind::Assignment, text, String::new(), matters);
                }
            }
            Op::Havoc { var, .. } => {
                if let (Some(input), Some(bits)) = (own, step.written) {
                    let c_type = match &input.request.kind {
                        InputKind::Input(name) if name.ends_with("nondet_char") => "char",
                        _ => self.c_type(function, *var),
                    };
                    let shown = self.show(input.request.ty, bits, c_type);
                    let name = self.name(function, *var);
                    self.tell_input(step, given(input, name.as_deref(), shown), matters);
                }
            }
            Op::Alloc { .. } => {}
            Op::Store { value: e, .. } => {
                if let (Some(address), Some(bits)) = (value(0), value(1)) {
                    let pointer = path.value(Type::Ptr, address);
                    let shown = self.show(e.ty, bits, self.element(&pointer));
                    let target = self.place(pointer, e.ty);
                    let pos = path.pos(step);
                    let (text, remark) = match (target, self.source(pos)) {
                        (Some(target), _) => (format!("{target} = {shown}"), String::new()),
                        (None, Some(line)) => (line, shown),
                        (None, None) => {
                            let pointer = path.value(Type::Ptr, address);
                            let target = pointer_text(path, &pointer).unwrap_or_default();
                            (format!("*({target}) = {shown}"), String::new())
                        }
                    };
                    self.tell(step, Kind::Assignment, text, remark, matters);
                }
            }
            Op::Copy { .. } | Op::Fill { .. } => {
                if let Some(line) = self.source(path.pos(step)) {
                    self.tell(step, Kind::Assignment, line, String::new(), matters);
                    self.without_value();
                }
            }
            Op::Call { callee, args, .. } => {
                let first = usize::from(matches!(callee, Callee::Indirect(_)));
                let given: Vec<(Type, u128)> = (args.iter().enumerate())
                    .filter_map(|(i, arg)| Some((arg.ty, value(first + i)?)))
                    .collect();
                self.call(step, &given, own, matters);
            }
            Op::Return(e) => {
                if let (Some(e), Some(bits)) = (e, value(0)) {
                    let c_type = function.c_type.split('(').next().unwrap_or_default().trim();
                    let text = format!("return {}", self.show(e.ty, bits, c_type));
                    self.tell(step, Kind::Return, text, self.received(step), matters);
                }
            }
        }
    }

    fn call(&mut self, step: &Step, given: &[(Type, u128)], own: Option<&ConsumedInput>, matters: bool) {
        let path = self.path;
        let Some(id) = path.callee(step) else { return };
        let callee = path.program.function(id);
        let argument = |(i, (ty, bits)): (usize, &(Type, u128))| match callee.locals.get(i) {
            Some(local) if i < callee.params as usize => {
                let shown = self.show(*ty, *bits, &local.c_type);
                match &callee.body {
                    Body::Defined(_) => format!("{} = {shown}", unnumbered(&local.name)),
                    _ => shown,
                }
            }
            _ => self.show(*ty, *bits, ""),
        };
        let args: Vec<String> = given.iter().enumerate().map(argument).collect();
        let text = format!("{}({})", callee.name, args.join(", "));
        // What our own functions do is not told; what they give is.
        let short = step.begins.is_none() || self.sources.is_library(id);
        if let (Some(ty), Some(bits)) = (callee.ret, step.written.filter(|_| short)) {
            let c_type = callee.c_type.split('(').next().unwrap_or_default().trim();
            let value = self.show(ty, bits, c_type);
            match own {
                Some(_) => {
                    let (from, is_call, is_answer) = ("it has no body", false, true);
                    let given = Given { what: text, value, from, is_call, is_answer };
                    self.tell_input(step, given, matters);
                }
                None => {
                    self.tell(step, Kind::Call, format!("{text} = {value}"), String::new(), matters);
                }
            }
        } else {
            self.tell(step, Kind::Call, text, String::new(), matters);
            if args.is_empty() {
                self.without_value();
            }
        }
        if let Some(inner) = step.begins {
            self.entry_inputs(inner);
        }
    }

    /// What a function is given before its first step, besides arguments: parameters of the entry, variables
    /// without a value.
    fn entry_inputs(&mut self, number: u32) {
        let path = self.path;
        let Some(activation) = path.activations.get(number as usize) else { return };
        let (function, depth) = (activation.function, activation.depth);
        let owner = path.program.function(function);
        for input in path.inputs(&activation.inputs) {
            let (name, c_type, pos, matters) = match input.request.kind {
                InputKind::Param(i) | InputKind::Uninit(Some(LocalId(i))) => {
                    let Some(local) = owner.locals.get(i as usize) else { continue };
                    if local.origin == LocalOrigin::Temp {
                        continue;
                    }
                    let matters = self.slice.has_local(number, LocalId(i));
                    (unnumbered(&local.name), &*local.c_type, local.pos, matters)
                }
                InputKind::ExternGlobal { global: id, .. } => {
                    let global = path.program.global(id);
                    (&*global.name, &*global.c_type, global.pos, self.slice.has_global(id))
                }
                _ => continue,
            };
            let pos = if pos.line > 0 { pos } else { owner.pos };
            let shown = self.show(input.request.ty, input.value, c_type);
            let given = given(input, Some(name), shown);
            let (text, remark) = given.told();
            let (kind, edge, has_value, given) = (Kind::Input, None, true, Some(given));
            let event = Event { kind, function, edge, pos, depth, text, remark, matters, has_value, given };
            self.events.push(event);
        }
    }

    fn read_input(&self, input: &ConsumedInput) -> Given {
        let shown = self.show(input.request.ty, input.value, "");
        let program = self.path.program;
        let object = |kind: ObjectKind, offset: u64| {
            let storage = match kind {
                ObjectKind::Global(id) => program.global(id).storage,
                ObjectKind::Local(f, id) => program.function(f).local(id).storage,
                _ => return None,
            };
            let pointee = Pointee::Object { kind, offset, size: storage.size(&program.target), live: true };
            self.place(Value { ty: Type::Ptr, bits: 1, pointee: Some(pointee) }, input.request.ty)
        };
        let name = match &input.request.kind {
            InputKind::Memory { object: Some(byte), .. } if byte.changes > 0 => {
                object(byte.kind, byte.offset)
            }
            InputKind::Changed { global, .. } => Some(program.global(*global).name.to_string()),
            InputKind::Memory { address, .. } => {
                let pointer = self.path.value(Type::Ptr, u128::from(*address));
                let named = self.place(pointer.clone(), input.request.ty);
                named.or_else(|| Some(format!("*({})", pointer_text(self.path, &pointer)?)))
            }
            InputKind::ExternGlobal { global, offset } => object(ObjectKind::Global(*global), *offset),
            _ => None,
        };
        let name = name.unwrap_or_else(|| "an object from outside".to_owned());
        given(input, Some(&name), shown)
    }

    fn tell_input(&mut self, step: &Step, given: Given, matters: bool) {
        let (text, remark) = given.told();
        self.tell(step, Kind::Input, text, remark, matters);
        if let Some(event) = self.events.last_mut() {
            event.given = Some(given);
        }
    }

    fn tell(&mut self, step: &Step, kind: Kind, text: String, remark: String, matters: bool) {
        let (pos, depth) = (self.path.pos(step), self.path.depth(step));
        let (function, edge) = (step.function, Some(step.edge));
        let (has_value, given) = (true, None);
        let event = Event { kind, function, edge, pos, depth, text, remark, matters, has_value, given };
        self.events.push(event);
    }

    /// The last event says none.
    fn without_value(&mut self) {
        if let Some(event) = self.events.last_mut() {
            event.has_value = false;
        }
    }

    /// What the caller makes of a returned value: `y = 7`.
    fn received(&self, step: &Step) -> String {
        let path = self.path;
        let caller = path.activations.get(step.activation as usize).and_then(|a| a.caller);
        let shown = || {
            let call = path.steps.get(caller?)?;
            let function = path.program.function(call.function);
            let var = path.op(call)?.written()?;
            let ty = path.program.register(function, var)?;
            let value = self.show(ty, call.written?, self.c_type(function, var));
            Some(format!("{} = {value}", self.name(function, var)?))
        };
        shown().unwrap_or_default()
    }

    /// The user's name of a variable; None for ours.
    fn name(&self, function: &'p Function, var: Var) -> Option<String> {
        match var {
            Var::Local(id) => {
                let local = function.locals.get(id.0 as usize)?;
                (local.origin != LocalOrigin::Temp).then(|| unnumbered(&local.name).to_owned())
            }
            Var::Global(id) => Some(self.path.program.globals.get(id.0 as usize)?.name.to_string()),
        }
    }

    fn c_type(&self, function: &'p Function, var: Var) -> &'p str {
        match var {
            Var::Local(id) => function.locals.get(id.0 as usize).map_or("", |l| &l.c_type),
            Var::Global(id) => self.path.program.globals.get(id.0 as usize).map_or("", |g| &g.c_type),
        }
    }

    fn show(&self, ty: Type, bits: u128, c_type: &str) -> String {
        let value = self.path.value(ty, bits);
        pointer_text(self.path, &value).unwrap_or_else(|| show(bits, ty, is_char(c_type)))
    }

    /// `char` for an element of an array of characters, else nothing.
    fn element(&self, address: &Value) -> &'static str {
        let Some(Pointee::Object { kind, .. }) = address.pointee else { return "" };
        let element =
            object_name(self.path.program, kind).and_then(|(_, c_type)| crate::equiv::values::array(c_type));
        if element.is_some_and(|(element, _)| is_char(&element)) { "char" } else { "" }
    }

    /// A variable or an element of an array, if the address is that of a scalar in one.
    fn place(&self, address: Value, ty: Type) -> Option<String> {
        let Some(Pointee::Object { kind, offset, .. }) = address.pointee else { return None };
        let (name, c_type) = object_name(self.path.program, kind)?;
        let target = &self.path.program.target;
        let size = ty.access_size(target);
        if let Some((element, lengths)) = crate::equiv::values::array(c_type) {
            let scalar = crate::equiv::values::scalar(&element, target)?;
            if scalar.access_size(target) != size || offset % size != 0 {
                return None;
            }
            let mut index = offset / size;
            let mut subscripts = Vec::new();
            for length in lengths.iter().rev() {
                subscripts.push(format!("[{}]", index.checked_rem(*length)?));
                index /= length;
            }
            subscripts.reverse();
            return (index == 0).then(|| format!("{name}{}", subscripts.concat()));
        }
        let whole = crate::equiv::values::scalar(c_type, target).map(|ty| ty.access_size(target));
        (offset == 0 && whole == Some(size)).then(|| name.to_owned())
    }

    fn source(&mut self, pos: Pos) -> Option<String> {
        let line = self.lines.get(self.sources.quotable(pos)?, pos.line)?.trim();
        let line = line.strip_suffix('{').unwrap_or(line).trim();
        (!line.is_empty()).then(|| line.to_owned())
    }
}
