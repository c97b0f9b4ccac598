//! A feasible path as a run: the answers to what the interpreter asks on the way.

mod memory;

use crate::formula::Passage;
use crate::model::Model;
use ::engine::{Counterexample, Site};
use encode::names::{is_address, is_auxiliary};
use encode::transition_system::Event;
use ir::{FuncId, GlobalId, LocalId, Op, Var};
use logic::{Substitution, Term, Value, free_vars};
use memory::Memory;
use smt::Model as Values;

/// Wherever a pointer is moved on the way, it stays near, and what is accessed is not next to null: what a
/// model that nobody has told so need not do, and programs without undefined behaviour nearly always do.
/// Nothing if it is so already.
pub fn nearness(model: &Model, values: &Values, passages: &[Passage], bits: u32) -> Vec<Term> {
    let mut list = Vec::new();
    let mut wild = false;
    let _ = follow(model, values, passages, &mut |_, seen, renamed| match seen {
        Seen::Event(Event::Moved(from, to)) => {
            let near = near(renamed(from), renamed(to), bits);
            wild |= values.eval_bool(near) == Some(false);
            list.push(near);
        }
        Seen::Event(Event::Read { at, .. } | Event::Accessed(_, at)) => {
            let valid = not_null(renamed(at));
            if values.eval_bool(valid) == Some(false) {
                wild = true;
                list.push(valid);
            }
        }
        _ => {}
    });
    if wild { list } else { Vec::new() }
}

/// Bits of how far pointers are moved; less than the room that objects from outside have behind where
/// pointers point.
pub const NEAR: [u32; 2] = [6, 11];

/// At most so many bits behind.
pub fn near(from: Term, to: Term, bits: u32) -> Term {
    match from.sort() {
        logic::Sort::Bv(width) => to.sub(from).extract(width - 1, bits).equals(Term::bv(0, width - bits)),
        _ => from.int_le(to).and(to.int_lt(from.add(Term::int(1u64 << bits)))),
    }
}

/// Not in the first 8192 bytes: pointers that are followed at some offset are not small numbers, either.
fn not_null(at: Term) -> Term {
    match at.sort() {
        logic::Sort::Bv(width) => at.extract(width - 1, 13).equals(Term::bv(0, width - 13)).not(),
        _ => Term::int(1 << 13).int_le(at),
    }
}

/// What the model makes of everything that comes from outside, memory that nobody wrote included. What the
/// path does not ask for is zero.
pub fn input_vector(model: &Model, values: &Values, passages: &[Passage]) -> Option<Counterexample> {
    let system = &model.system;
    let view = model.view(system.entry).ok()?;
    let first = passages.first()?;
    let version = |x: Term| first.before.get(x).unwrap_or_else(|| unversioned(model, x));
    let mut memory = Memory::new(model);
    for (i, param) in view.params.iter().enumerate() {
        if let Some(value) = param.and_then(|p| bits(values.eval(version(p))?)) {
            let i = i as u32;
            memory.answer(Site::Param(i), system.entry, Var::Local(LocalId(i)), value);
        }
    }
    for (i, global) in system.program.globals.iter().enumerate() {
        if global.init.is_none()
            && let Some(Some(x)) = view.now.globals.get(i)
            && let Some(value) = values.eval(version(*x)).and_then(bits)
        {
            let id = GlobalId(i as u32);
            memory.answer(Site::ExternGlobal(id), system.entry, Var::Global(id), value);
        }
    }
    follow(model, values, passages, &mut |passage, seen, renamed| match seen {
        Seen::Entered => memory.enter(passage.function),
        Seen::Event(event) => {
            let number = |term: Term| values.eval(renamed(term)).and_then(bits);
            record(model, &mut memory, passage.function, event, &number);
        }
    })?;
    Some(memory.input_vector())
}

enum Seen {
    /// The function of the passage.
    Entered,
    Event(Event),
}

type Watcher<'a> = dyn FnMut(&Passage, Seen, &dyn Fn(Term) -> Term) + 'a;

/// Goes along the path as the model has it. Terms of events are those of a transition; what is passed along
/// says what they are on this path.
fn follow(model: &Model, values: &Values, passages: &[Passage], watch: &mut Watcher) -> Option<()> {
    let system = &model.system;
    for passage in passages {
        let f = passage.function;
        let renamed = |term: Term| {
            let pairs = free_vars(term).into_iter().map(|x| {
                let aux = passage.rename.iter().find(|(y, _)| *y == x).map(|(_, z)| *z);
                (x, aux.or_else(|| passage.before.get(x)).unwrap_or_else(|| unversioned(model, x)))
            });
            Substitution::new(pairs.collect::<Vec<_>>()).apply(term)
        };
        if passage.from == model.entry_node(f) {
            watch(passage, Seen::Entered, &renamed);
        }
        let mut holds = |cond: Term| values.eval_bool(renamed(cond)) == Some(true);
        let events = match system.walk(f, passage.from, &mut holds) {
            Ok(events) => events,
            // A call is a step of its own; of its arguments nothing more is known then.
            Err(_) if passage.is_call => continue,
            Err(_) => return None,
        };
        for event in events {
            watch(passage, Seen::Event(event), &renamed);
        }
    }
    Some(())
}

fn record(
    model: &Model,
    memory: &mut Memory,
    f: FuncId,
    event: Event,
    number: &dyn Fn(Term) -> Option<u128>,
) {
    let system = &model.system;
    match event {
        Event::Value(edge, term) => {
            let cfa = system.program.function(f).cfa();
            let op = cfa.map(|cfa| &cfa.edge(edge).op);
            if let Some(Op::Havoc { var, .. } | Op::Call { dst: Some(var), .. }) = op {
                let site = Site::Edge(f, system.origin(f, edge));
                memory.answer(site, f, *var, number(term).unwrap_or(0));
            }
        }
        Event::Mentioned(e, address) => {
            if let Some(address) = number(address) {
                memory.mention(f, &e, address);
            }
        }
        Event::Read { load, at, value } => {
            if let (Some(at), Some(value)) = (number(at), number(value)) {
                memory.read(f, &load, at, value);
            }
        }
        Event::Accessed(address, at) => {
            if let Some(at) = number(at) {
                memory.access(f, &address, at);
            }
        }
        Event::Allocated { var, kind, at, size } => {
            // It counts, whether or not anybody knows where it is.
            memory.allocate(f, var, kind, number(at).unwrap_or(0), number(size).unwrap_or(0));
        }
        Event::Moved(..) => {}
    }
}

/// As `Builder::now` calls what has not changed since the start. Addresses never change.
fn unversioned(model: &Model, x: Term) -> Term {
    let Some(name) = x.var_name().filter(|_| !is_address(x) && !is_auxiliary(x)) else { return x };
    let shared = model.view(model.system.entry).is_ok_and(|view| view.at_exit.contains(&x));
    // The first instance is that of the entry; others have versions of their parameters.
    let number = if ir::names::split_qualified(name).is_some() && !shared { "#1" } else { "" };
    Term::var(&format!("{name}@{number}"), x.sort())
}

/// A value as bits; negative numbers in two's complement, of which the receiver takes as many as it needs.
fn bits(value: Value) -> Option<u128> {
    match value {
        Value::Bool(b) => Some(u128::from(b)),
        Value::Int(_) => match Value::number(logic::Sort::Bv(128), value.as_int()?) {
            Value::Bv { bits, .. } => Some(bits),
            _ => None,
        },
        Value::Bv { bits, .. } | Value::Float { bits, .. } => Some(bits),
        Value::Array(_) => None,
    }
}
