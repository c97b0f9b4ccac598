//! From a model to a run.
//!
//! The interpreter asks for values as it needs them; the model says what they are. Values that an edge asks
//! for are known by the edge and by how often it has asked: of those that the symbolic execution made there,
//! the ones whose guard holds, in order. Objects are known by how many of their kind were made before: again
//! those whose guard holds, in order.

use crate::exec::{CallId, Exec};
use crate::formula::{Failure, Formula};
use crate::objects::{Kind, OUTSIDE_SIZE, ObjectId};
use engine::{Counterexample, InputVector, UNCHANGED};
use interp::{ByteId, Interp, ObjectKind, Options};
use ir::{FuncId, Program};
use logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// The run that the formula's last model describes, for the whole program `program`.
pub fn input_vector(
    exec: &Exec,
    formula: &mut Formula,
    program: &Program,
    entry: FuncId,
) -> Result<Counterexample, Failure> {
    let outside: Vec<ObjectId> =
        exec.objects.ids().filter(|id| exec.objects.get(*id).kind == Kind::Outside).collect();
    let heap: Vec<u64> = outside.iter().map(|_| OUTSIDE_SIZE).collect();
    let mut options = Options::new(entry);
    options.heap.clone_from(&heap);
    let interp = Interp::new(program, options).ok();
    let translate = |value: u128| -> u128 {
        let Some(id) = u64::try_from(value).ok().and_then(|at| exec.objects.at(at)) else { return value };
        let Some(k) = outside.iter().position(|other| *other == id) else { return value };
        let address = interp.as_ref().and_then(|interp| interp.heap_address(k));
        address.map_or(value, |address| {
            value.wrapping_sub(exec.objects.get(id).base.into()) + u128::from(address)
        })
    };
    let mut vector = InputVector::default();
    let guards: Vec<Term> = exec.inputs.iter().map(|i| i.guard).collect();
    let asked = formula.values(&guards)?;
    let terms: Vec<Term> = exec.inputs.iter().map(|i| i.value).collect();
    let values = formula.values(&terms)?;
    let kept: Vec<Term> = exec.inputs.iter().map(|i| i.kept.unwrap_or(Term::bool(false))).collect();
    let kept = formula.values(&kept)?;
    for (((input, asked), value), kept) in exec.inputs.iter().zip(asked).zip(values).zip(kept) {
        let value = match input.pointer {
            _ if kept == 1 => UNCHANGED,
            true => translate(value),
            false => value,
        };
        if asked == 1 {
            vector.answer(input.site.clone(), value);
        }
    }
    let kept = kept_pointers(exec, formula)?;
    let places = places(exec, formula, &outside)?;
    let happens = formula.values(&exec.havocs)?;
    let changes = happens.iter().scan(0, |count, happens| {
        *count += u32::from(*happens == 1);
        Some((*happens == 1).then_some(*count))
    });
    let changes: Vec<Option<u32>> = changes.collect();
    let places = Places { objects: places, changes, kept };
    let pointer_bytes = u64::from(program.target.pointer_bits / 8);
    // What is known of a place by its number counts more than what was read at a place that turned out to be
    // this one: the read may not happen in this run.
    let offsets: Vec<Term> = exec.unwritten_somewhere.iter().map(|(_, at, _)| *at).collect();
    let bytes: Vec<Term> = exec.unwritten_somewhere.iter().map(|(_, _, byte)| *byte).collect();
    let (offsets, values) = (formula.values(&offsets)?, formula.values(&bytes)?);
    for (((id, ..), at), value) in exec.unwritten_somewhere.iter().zip(offsets).zip(values) {
        put(exec, &mut vector, &places, *id, at as u64, value as u8);
    }
    let offsets: Vec<Term> = exec.unwritten_pointers_somewhere.iter().map(|(_, at, _)| *at).collect();
    let pointers: Vec<Term> = exec.unwritten_pointers_somewhere.iter().map(|(_, _, term)| *term).collect();
    let (offsets, values) = (formula.values(&offsets)?, formula.values(&pointers)?);
    for (((id, ..), at), value) in exec.unwritten_pointers_somewhere.iter().zip(offsets).zip(values) {
        for i in 0..pointer_bytes {
            let byte = (translate(value) >> (8 * i)) as u8;
            put(exec, &mut vector, &places, *id, (at as u64).wrapping_add(i), byte);
        }
    }
    let mut bytes: Vec<((ObjectId, u64), Term)> = exec.unwritten.iter().map(|(k, t)| (*k, *t)).collect();
    bytes.sort_by_key(|(key, _)| *key);
    let terms: Vec<Term> = bytes.iter().map(|(_, t)| *t).collect();
    let values = formula.values(&terms)?;
    for (((id, at), _), value) in bytes.iter().zip(values) {
        put(exec, &mut vector, &places, *id, *at, value as u8);
    }
    let terms: Vec<Term> = exec.unwritten_pointers.iter().map(|(_, _, t)| *t).collect();
    let values = formula.values(&terms)?;
    for ((id, at, _), value) in exec.unwritten_pointers.iter().zip(values) {
        for i in 0..pointer_bytes {
            put(exec, &mut vector, &places, *id, at + i, (translate(value) >> (8 * i)) as u8);
        }
    }
    Ok(Counterexample { heap, inputs: vector })
}

fn put(exec: &Exec, vector: &mut InputVector, places: &Places, id: ObjectId, at: u64, byte: u8) {
    let known = |id: ObjectId| match exec.objects.get(id).kind {
        Kind::Global(global) => Some((ObjectKind::Global(global), 0)),
        _ => places.objects.get(&id).copied(),
    };
    let (object, changes) = match exec.objects.get(id).kind {
        Kind::Global(global) => {
            vector.globals.insert((global, at), byte);
            return;
        }
        Kind::Changed { .. } if places.kept.contains(&(id, at)) => return,
        Kind::Changed { object, call } => {
            let Some(changes) = places.changes.get(call as usize).copied().flatten() else { return };
            (known(object), changes)
        }
        Kind::Outside => {
            let calls = exec.objects_at_havoc.iter().zip(&places.changes);
            let before = calls.filter(|(objects, _)| **objects <= id.0 as usize);
            (known(id), before.filter_map(|(_, changes)| *changes).max().unwrap_or(0))
        }
        _ => (known(id), 0),
    };
    if let Some((kind, nth)) = object {
        vector.memory.insert(ByteId { kind, nth, changes, offset: at }, byte);
    }
}

/// How the interpreter knows what there is in the model's run.
struct Places {
    objects: FxHashMap<ObjectId, (ObjectKind, u32)>,
    /// By call that changes memory from outside: how many there were until then, if it happens.
    changes: Vec<Option<u32>>,
    /// Bytes of changed objects that are what they were.
    kept: FxHashSet<(ObjectId, u64)>,
}

fn kept_pointers(exec: &Exec, formula: &mut Formula) -> Result<FxHashSet<(ObjectId, u64)>, Failure> {
    let whens: Vec<Term> = exec.kept_pointers.iter().map(|(.., kept)| *kept).collect();
    let offsets: Vec<Term> = exec.kept_pointers.iter().map(|(_, offset, _)| *offset).collect();
    let (whens, offsets) = (formula.values(&whens)?, formula.values(&offsets)?);
    let bytes = u64::from(exec.program.target.pointer_bits / 8);
    let kept = exec.kept_pointers.iter().zip(whens).zip(offsets).filter(|((_, kept), _)| *kept == 1);
    Ok(kept
        .flat_map(|((place, _), at)| (0..bytes).map(move |i| (place.0, (at as u64).wrapping_add(i))))
        .collect())
}

/// How the interpreter knows the objects that exist in the model's run.
fn places(
    exec: &Exec,
    formula: &mut Formula,
    outside: &[ObjectId],
) -> Result<FxHashMap<ObjectId, (ObjectKind, u32)>, Failure> {
    let mut places: FxHashMap<ObjectId, (ObjectKind, u32)> = FxHashMap::default();
    for (k, id) in outside.iter().enumerate() {
        places.insert(*id, (ObjectKind::Heap, k as u32));
    }
    let guards: Vec<Term> = exec.made.iter().map(|m| m.guard).collect();
    let exists = formula.values(&guards)?;
    let mut counts: FxHashMap<ObjectKind, u32> = FxHashMap::default();
    counts.insert(ObjectKind::Heap, outside.len() as u32);
    for (made, exists) in exec.made.iter().zip(exists) {
        if let (1, Kind::Made(kind)) = (exists, exec.objects.get(made.object).kind) {
            let count = counts.entry(kind).or_insert(0);
            places.insert(made.object, (kind, *count));
            *count += 1;
        }
    }
    // Every call makes each of its memory locals.
    let guards: Vec<Term> = exec.calls.iter().map(|c| c.guard).collect();
    let happens = formula.values(&guards)?;
    let mut before: FxHashMap<CallId, u32> = FxHashMap::default();
    let mut counts: FxHashMap<FuncId, u32> = FxHashMap::default();
    for (i, (call, happens)) in exec.calls.iter().zip(happens).enumerate() {
        if happens == 1 {
            let count = counts.entry(call.function).or_insert(0);
            before.insert(CallId(i as u32), *count);
            *count += 1;
        }
    }
    for id in exec.objects.ids() {
        let object = exec.objects.get(id);
        if let Kind::Made(kind @ ObjectKind::Local(..)) = object.kind
            && let Some(nth) = before.get(&CallId(object.call))
        {
            places.insert(id, (kind, *nth));
        }
    }
    Ok(places)
}
