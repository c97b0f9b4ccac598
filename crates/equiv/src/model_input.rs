//! A solver's values as an input of both versions.
//!
//! The solver knows addresses; an input knows objects. A pointer that is the address of a global, or close to
//! it, points there; other pointers that are close together point into one object of the caller, also those
//! that are found in memory. What the solver says about the content of memory is taken over where it is about
//! such an object.

use crate::concrete::{Base, Input, Place, Pointer, Value};
use crate::symbolic::Guess;
use crate::verdict::Request;
use encode::Layout;
use encode::expr::Who;
use encode::names;
use ir::{GlobalId, Storage, Type};
use logic::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of an object made for a solver's pointer, which points to its middle.
const OBJECT: u128 = 4096;
/// So many objects are made at most.
const MOST_OBJECTS: usize = 16;

/// The input that a guess is about. `layouts` are those of the memory regions, by name.
pub fn input(request: &Request, layouts: &[(String, Layout)], guess: &Guess) -> Option<Input> {
    let args = arguments(request, &guess.values)?;
    let mut objects = Objects { globals: globals(request, &guess.values), starts: Vec::new() };
    for (_, address) in args.iter().flatten().filter(|(ty, _)| *ty == Type::Ptr) {
        objects.add(*address);
    }
    let target = &request.pair.old.target;
    let mut memory: Vec<(Layout, Vec<(u128, u128)>)> = Vec::new();
    for (name, layout) in layouts {
        let found = [names::old(names::memory(name)), names::memory(name)];
        if let Some(array) = found.iter().find_map(|name| guess.values.get(&**name)) {
            memory.push((*layout, cells(*array)));
        }
    }
    // Objects that lie behind pointers in memory, and so on.
    let mut known = 0;
    while known != objects.starts.len() + 1 {
        known = objects.starts.len() + 1;
        for (_, entries) in memory.iter().filter(|(layout, _)| *layout == Layout::Cells(Type::Ptr)) {
            for (address, content) in entries {
                if objects.place(*address).is_some() {
                    objects.add(*content);
                }
            }
        }
    }
    let value = |(ty, bits): &(Type, u128)| match objects.pointer(*bits) {
        Some(pointer) if *ty == Type::Ptr => Value::Pointer(pointer),
        _ => Value::Bits(*bits),
    };
    let args = [0, 1].map(|side: usize| args[side].iter().map(value).collect::<Vec<_>>());
    let mut input = Input::new(args[0].clone(), vec![OBJECT as u64; objects.starts.len()]);
    input.args = args;
    for (layout, entries) in &memory {
        let ty = match layout {
            Layout::Cells(ty) => *ty,
            Layout::Bytes => Type::U8,
        };
        let width = ty.access_size(target);
        for (address, content) in entries {
            if let Some((place, offset)) = objects.place(*address) {
                input.memory.set(&place, offset, width, &value(&(ty, *content)));
            }
        }
    }
    for global in request.pair.old.globals.iter() {
        let (Storage::Register(ty), false) = (global.storage, global.constant) else { continue };
        let found = [names::old(names::global(&global.name)), names::global(&global.name)];
        let bits = found.iter().find_map(|name| number(*guess.values.get(&**name)?, ty));
        if let Some(bits) = bits {
            let place = Place::Global(global.name.clone());
            input.memory.set(&place, 0, ty.access_size(target), &value(&(ty, bits)));
        }
    }
    for (who, list) in &guess.given {
        for (n, (ty, term)) in (0..).zip(list) {
            let bits = value(&(*ty, number(*term, *ty)?));
            match who {
                Who::Input(name) => input.inputs.insert((name.clone(), n), bits),
                Who::Function(name) => input.calls.insert((name.clone(), n), bits),
            };
        }
    }
    Some(input)
}

/// The types and bits of both versions' arguments.
fn arguments(request: &Request, values: &BTreeMap<&'static str, Term>) -> Option<[Vec<(Type, u128)>; 2]> {
    let programs = request.pair.programs();
    let mut bits: [Vec<(Type, u128)>; 2] = [Vec::new(), Vec::new()];
    for side in 0..2 {
        let f = programs[side].function(request.functions[side]);
        for id in (0..f.params).map(ir::LocalId) {
            let Storage::Register(ty) = f.local(id).storage else { return None };
            let name = format!("{}{}", names::VERSIONS[side], f.local(id).name);
            // Equal inputs are passed on as the old side's variables.
            let first = programs[0].function(request.functions[0]);
            let value = values.get(&*name).copied().or_else(|| {
                let partner = (id.0 < first.params).then(|| names::old(&first.local(id).name))?;
                values.get(&*partner).copied()
            });
            bits[side].push((ty, value.map_or(Some(0), |v| number(v, ty))?));
        }
    }
    Some(bits)
}

/// Where the globals that can change are.
fn globals(request: &Request, values: &BTreeMap<&'static str, Term>) -> Vec<(u128, u128, Arc<str>)> {
    let mut list = Vec::new();
    for id in (0..request.pair.old.globals.len() as u32).map(GlobalId) {
        let global = request.pair.old.global(id);
        let Storage::Memory { size, .. } = global.storage else { continue };
        let address = values.get(&*names::address(&global.name)).and_then(|v| number(*v, Type::Ptr));
        if let (Some(address), false) = (address, global.constant) {
            list.push((address, size.into(), global.name.clone()));
        }
    }
    list
}

struct Objects {
    /// Address, size, name.
    globals: Vec<(u128, u128, Arc<str>)>,
    /// The first pointer to each object of the caller.
    starts: Vec<u128>,
}

impl Objects {
    /// A pointer that has to point somewhere.
    fn add(&mut self, address: u128) {
        if address != 0 && self.place(address).is_none() && self.starts.len() < MOST_OBJECTS {
            self.starts.push(address);
        }
    }

    fn place(&self, address: u128) -> Option<(Place, u64)> {
        for (start, size, name) in &self.globals {
            if let Some(offset) = address.checked_sub(*start).filter(|offset| offset < size) {
                return Some((Place::Global(name.clone()), offset as u64));
            }
        }
        let object = self.starts.iter().position(|s| address.abs_diff(*s) < OBJECT / 2)?;
        let offset = (OBJECT / 2 + address).checked_sub(self.starts[object])?;
        Some((Place::Object(object), offset as u64))
    }

    fn pointer(&self, address: u128) -> Option<Pointer> {
        let (place, offset) = self.place(address).filter(|_| address != 0)?;
        let base = match place {
            Place::Object(index) => Base::Object(index),
            Place::Global(name) => Base::Global(name),
        };
        Some(Pointer { base, offset: offset as i64 })
    }
}

/// The bits of a constant term, if it is a value of the type.
fn number(value: Term, ty: Type) -> Option<u128> {
    let int = match ty {
        Type::Int(int) => int,
        Type::Ptr => ir::IntType::new(64, false),
        Type::Bool => return Some(u128::from(value == Term::bool(true))),
        Type::Float(_) => {
            return match value.op() {
                logic::Op::Float(bits) => Some(*bits),
                _ => value.as_bv(),
            };
        }
    };
    if let Some(bits) = value.as_bv() {
        return Some(bits);
    }
    let number = i128::try_from(value.as_int()?).ok()?;
    (int.value(int.wrap(number)) == number).then(|| int.wrap(number))
}

/// The entries of an array term that is a chain of writes of constants.
fn cells(array: Term) -> Vec<(u128, u128)> {
    let plain =
        |t: Term| t.as_bv().or_else(|| t.as_int().and_then(|v| i128::try_from(v).ok()).map(|v| v as u128));
    let mut list = Vec::new();
    let mut rest = array;
    while *rest.op() == logic::Op::Store {
        if let (Some(a), Some(v)) = (plain(rest.args()[1]), plain(rest.args()[2])) {
            list.push((a, v));
        }
        rest = rest.args()[0];
    }
    list.reverse();
    list
}
