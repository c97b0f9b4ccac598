//! Differences, run again by the interpreter.
//!
//! Both versions run on the certificate's input, twice: under two layouts of memory, and with two choices of
//! what nobody initialised. A difference counts if it shows both times, and if each version does the same
//! both times. Only what is plainly different counts: how a run ended, a number, an output, a call of a
//! function without a body, a byte that is no part of a pointer.

use crate::Flaw;
use crate::claim::{Contract, Integers};
use crate::format::{Content, Difference, Value};
use base::Budget;
use encode::expr::{Ignored, MARKERS};
use interp::{
    Detect, InputKind, InputRequest, Inputs, Interp, Options, Outcome, Pointee, UndefinedKind, is_modelled,
};
use ir::{CheckKind, FuncId, GlobalId, Program, Storage, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Steps for one run.
const STEPS: u64 = 50_000_000;

/// What was different, in words.
pub fn replay(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    contract: &Contract,
    integers: Integers,
    difference: &Difference,
    budget: &Budget,
) -> Result<String, Flaw> {
    if integers == Integers::Unbounded {
        return Err(Flaw::Open("the interpreter's integers have limits".to_owned()));
    }
    if !contract.pre.is_empty() || contract.post.is_some() || !contract.equal_inputs {
        return Err(Flaw::Open("conditions on inputs and outputs are not evaluated".to_owned()));
    }
    if !contract.assumed.is_empty() {
        return Err(Flaw::Open("functions are assumed to be something else than they are".to_owned()));
    }
    if difference.args[0] != difference.args[1] {
        return Err(Flaw::Wrong("the versions are given different arguments".to_owned()));
    }
    let setup = Setup::new(programs, functions, difference)?;
    let budget = budget.with_steps(Some(STEPS));
    let mut seen = Vec::new();
    for again in [false, true] {
        seen.push([setup.run(0, again, &budget)?, setup.run(1, again, &budget)?]);
    }
    for [old, new] in &seen {
        if !old.differs(new) {
            return Err(Flaw::Wrong("the versions do the same on this input".to_owned()));
        }
    }
    match (0..2).any(|side| seen[0][side].differs(&seen[1][side])) {
        true => Err(Flaw::Wrong("what a version does depends on what C leaves open".to_owned())),
        false => Ok(seen[0][0].difference(&seen[0][1])),
    }
}

/// What is common to all runs.
struct Setup<'a> {
    programs: [&'a Program; 2],
    functions: [FuncId; 2],
    difference: &'a Difference,
    /// Globals that both versions have and may change.
    shared: BTreeSet<&'a str>,
    /// Whole programs start with their initialisers.
    whole: bool,
}

/// What was seen of one run.
struct Seen {
    ending: String,
    returned: bool,
    value: Option<(Type, u128)>,
    output: [Vec<u8>; 2],
    calls: Vec<(String, Vec<u128>)>,
    /// Bytes of objects and globals; None where nothing was written, or a pointer.
    memory: BTreeMap<String, Vec<Option<u8>>>,
}

impl Seen {
    fn differs(&self, other: &Seen) -> bool {
        let value = match (&self.value, &other.value) {
            (Some((a, x)), Some((b, y))) => a == b && x != y && matches!(a, Type::Int(_) | Type::Bool),
            _ => false,
        };
        let memory = self.memory.iter().any(|(name, bytes)| {
            let others = other.memory.get(name).into_iter().flatten();
            bytes.iter().zip(others).any(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a != b))
        });
        let ended = self.ending != other.ending;
        let effects = self.output != other.output || self.calls != other.calls;
        ended || effects || self.returned && other.returned && (value || memory)
    }
}

impl Seen {
    /// In words, where it differs.
    fn difference(&self, other: &Seen) -> String {
        let [old, new] = [self, other].map(|seen| match &seen.value {
            Some((_, bits)) if seen.returned => format!("{} {bits}", seen.ending),
            _ => seen.ending.clone(),
        });
        match old == new {
            false => format!("the old one {old}, the new one {new}"),
            true if self.output != other.output => "the output differs".to_owned(),
            true if self.calls != other.calls => "what functions without a body are given differs".to_owned(),
            true => "memory differs at the end".to_owned(),
        }
    }
}

impl<'a> Setup<'a> {
    fn new(
        programs: [&'a Program; 2],
        functions: [FuncId; 2],
        difference: &'a Difference,
    ) -> Result<Setup<'a>, Flaw> {
        let names = |program: &'a Program| -> BTreeSet<&'a str> {
            let stream = |name: &str| matches!(name, "stdin" | "stdout" | "stderr");
            let list = program.globals.iter().filter(|g| !(g.constant || stream(&g.name)));
            list.map(|g| &*g.name).collect()
        };
        if programs[0].target != programs[1].target {
            return Err(Flaw::Wrong("the versions are for different targets".to_owned()));
        }
        let shared = names(programs[0]).intersection(&names(programs[1])).copied().collect();
        let whole = (0..2).all(|i| &*programs[i].function(functions[i]).name == "main");
        Ok(Setup { programs, functions, difference, shared, whole })
    }

    fn run(&self, side: usize, again: bool, budget: &Budget) -> Result<Seen, Flaw> {
        let program = self.programs[side];
        let function = self.functions[side];
        // The second layout has something else in front.
        let before: &[u64] = if again { &[24, 1000, 8] } else { &[] };
        let heap = [before, &self.difference.objects].concat();
        // Proofs of equivalence keep each number at its address, where no other overlaps it: what happens where
        // pointers are not aligned as their types demand is undefined in C, and no difference.
        let detect = Detect { misaligned_access: true, ..Detect::default() };
        let options =
            Options { heap, detect, record_inputs: false, record_calls: true, ..Options::new(function) };
        let mut interp = Interp::new(program, options).map_err(|e| Flaw::Open(e.to_string()))?;
        let bad = || Flaw::Malformed("the input does not fit the functions".to_owned());
        let mut places = BTreeMap::new();
        for (i, size) in self.difference.objects.iter().enumerate() {
            let address = interp.heap_address(before.len() + i).ok_or_else(bad)?;
            places.insert(format!("object {i}"), (address, *size));
        }
        for (id, global) in (0..).map(GlobalId).zip(program.globals.iter()) {
            if let (Some(address), Storage::Memory { size, .. }) = (interp.global_address(id), global.storage)
            {
                places.insert(global.name.to_string(), (address, size));
            }
        }
        let mut world = World {
            setup: self,
            program,
            places,
            salt: again,
            known: BTreeMap::new(),
            bytes: BTreeMap::new(),
            inputs: BTreeMap::new(),
            calls: BTreeMap::new(),
            call: None,
        };
        world.read().ok_or_else(bad)?;
        if !self.whole {
            for (id, global) in (0..).map(GlobalId).zip(program.globals.iter()) {
                if !self.shared.contains(&*global.name) {
                    continue;
                }
                match global.storage {
                    Storage::Memory { .. } => interp.make_unwritten(id),
                    Storage::Register(ty) => {
                        let len = ty.access_size(&program.target);
                        interp.set_global_bits(id, world.initial(&global.name, 0, len));
                    }
                }
            }
        }
        let params = program.function(function).params as usize;
        let args = self.difference.args[side].iter().map(|v| world.bits(v)).collect::<Option<Vec<_>>>();
        let args = args.filter(|list| list.len() == params).ok_or_else(bad)?;
        let places = world.places.clone();
        let run = interp.call(function, &args, &mut world, budget);
        let (ending, returned) = ending(&run.outcome)?;
        let value = match run.outcome {
            Outcome::Returned(bits) => program.function(function).ret.zip(bits),
            _ => None,
        };
        let mut calls = Vec::new();
        for call in &run.calls {
            let f = program.function(call.function);
            let other = self.programs[1 - side].find_function(&f.name);
            let modelled = is_modelled(program, call.function) || marker(&f.name).is_some();
            if !modelled && other.is_some_and(|g| self.programs[1 - side].function(g).cfa().is_some()) {
                return Err(Flaw::Open(format!("{} has a body in one version only", f.name)));
            }
            if !modelled {
                // Addresses are not comparable: any pointer is as good as another.
                let types = f.param_types().map(Some).chain(std::iter::repeat(None));
                let plain = |(bits, ty): (&u128, Option<Type>)| {
                    if ty.is_some_and(|t| t != Type::Ptr) { *bits } else { 0 }
                };
                calls.push((f.name.to_string(), call.args.iter().zip(types).map(plain).collect()));
            }
        }
        let mut memory = BTreeMap::new();
        for (name, (address, size)) in &places {
            if name.starts_with("object ") || self.shared.contains(name.as_str()) {
                let touched = interp.touched(*address).min(*size);
                let bytes = interp.read(*address, touched).unwrap_or_default();
                memory.insert(name.clone(), numbers(&interp, bytes, program));
            }
        }
        for (id, global) in (0..).map(GlobalId).zip(program.globals.iter()) {
            if let Storage::Register(ty) = global.storage
                && self.shared.contains(&*global.name)
                && ty != Type::Ptr
            {
                memory.insert(global.name.to_string(), interp.global_bytes(id).unwrap_or_default());
            }
        }
        Ok(Seen { ending, returned, value, output: [run.stdout, run.stderr], calls, memory })
    }
}

/// How a run ended, unless it says nothing about the program.
fn ending(outcome: &Outcome) -> Result<(String, bool), Flaw> {
    let text = match outcome {
        Outcome::Returned(_) => return Ok(("returned".to_owned(), true)),
        Outcome::Exited(code) => format!("exited with {code}"),
        Outcome::Aborted => "aborted".to_owned(),
        Outcome::CheckFailed { kind: kind @ (CheckKind::Assertion | CheckKind::ErrorCall), .. } => {
            format!("failed: {kind:?}")
        }
        Outcome::Undefined(u)
            if matches!(u.kind, UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow) =>
        {
            "trapped".to_owned()
        }
        Outcome::Undefined(u) if u.kind == UndefinedKind::MisalignedAccess => {
            return Err(Flaw::Open(format!("pointers may have to be aligned: {}", u.detail)));
        }
        Outcome::Stopped(_) | Outcome::StackOverflow | Outcome::OutOfMemory => {
            return Err(Flaw::Open("a version does not end within the limits".to_owned()));
        }
        other => return Err(Flaw::Wrong(format!("it is no input of a version: {other:?}"))),
    };
    Ok((text, false))
}

/// Bytes without those that may be parts of pointers.
fn numbers(interp: &Interp, mut bytes: Vec<Option<u8>>, program: &Program) -> Vec<Option<u8>> {
    let width = usize::from(program.target.pointer_bits / 8);
    let plain = bytes.clone();
    for (i, window) in plain.windows(width).enumerate() {
        let whole: Option<Vec<u8>> = window.iter().copied().collect();
        let Some(whole) = whole else { continue };
        let address = whole.iter().rev().fold(0u64, |a, b| a << 8 | u64::from(*b));
        if matches!(interp.pointee(address), Pointee::Object { .. } | Pointee::Function(_)) {
            bytes[i..i + width].fill(None);
        }
    }
    bytes
}

fn marker(name: &str) -> Option<Ignored> {
    MARKERS.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// The answers to what one run asks.
struct World<'s, 'a> {
    setup: &'s Setup<'a>,
    program: &'s Program,
    /// Address and size of objects and globals.
    places: BTreeMap<String, (u64, u64)>,
    salt: bool,
    known: BTreeMap<(String, Vec<Value>, u32), u128>,
    bytes: BTreeMap<(String, u64), u8>,
    /// How often each input function, and each function without a body with certain arguments, was called.
    inputs: BTreeMap<String, u32>,
    calls: BTreeMap<(String, Vec<Value>), u32>,
    call: Option<(String, Vec<Value>, u32)>,
}

impl World<'_, '_> {
    /// Brings the certificate's values into this version's addresses.
    fn read(&mut self) -> Option<()> {
        let difference = self.setup.difference;
        for part in &difference.memory {
            let name = match (part.object, &part.global) {
                (Some(index), None) => format!("object {index}"),
                (None, Some(name)) => name.clone(),
                _ => return None,
            };
            let content = match &part.content {
                Content::Bytes(bytes) => bytes.clone(),
                Content::Pointer(value) => {
                    let width = usize::from(self.program.target.pointer_bits / 8);
                    self.bits(value)?.to_le_bytes()[..width].to_vec()
                }
            };
            for (i, byte) in (0u64..).zip(content) {
                self.bytes.insert((name.clone(), part.offset.checked_add(i)?), byte);
            }
        }
        for (name, args, index, value) in &difference.returns {
            let bits = self.bits(value)?;
            self.known.insert((name.clone(), args.clone(), *index), bits);
        }
        Some(())
    }

    fn bits(&self, value: &Value) -> Option<u128> {
        let within = |name: &str, offset: i64| {
            let (address, _) = self.places.get(name)?;
            Some(u128::from(address.wrapping_add(offset as u64)))
        };
        match value {
            Value::Bits(text) => text.parse().ok(),
            Value::Object(index, offset) => within(&format!("object {index}"), *offset),
            Value::Global(name, offset) => within(name, *offset),
            Value::Function(_) | Value::Nothing => None,
        }
    }

    /// What memory holds at first; what the certificate does not say is zero.
    fn initial(&self, name: &str, offset: u64, len: u64) -> u128 {
        let byte = |i: u64| {
            u128::from(self.bytes.get(&(name.to_owned(), offset.wrapping_add(i))).copied().unwrap_or(0))
        };
        (0..len.min(16)).fold(0, |bits, i| bits | byte(i) << (8 * i))
    }

    fn place(&self, address: u64) -> Option<(&str, u64)> {
        let found = self
            .places
            .iter()
            .find(|(_, (start, size))| address.checked_sub(*start).is_some_and(|offset| offset <= *size));
        found.map(|(name, (start, _))| (name.as_str(), address - start))
    }

    fn shared(&self, ty: Type, bits: u128) -> Value {
        if ty != Type::Ptr || bits == 0 {
            return Value::Bits(bits.to_string());
        }
        match self.place(bits as u64) {
            Some((name, offset)) => match name.strip_prefix("object ").and_then(|n| n.parse().ok()) {
                Some(index) => Value::Object(index, offset as i64),
                None => Value::Global(name.to_owned(), offset as i64),
            },
            None => Value::Nothing,
        }
    }

    /// What nobody gave a value: something else in each run.
    fn open(&self) -> u128 {
        if self.salt { 0x5a17_c3d2_96e1_0b4f_77a5_3c1e_d208_69bf } else { 0 }
    }
}

impl Inputs for World<'_, '_> {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let len = request.ty.access_size(&self.program.target);
        match &request.kind {
            InputKind::Input(name) => {
                let count = self.inputs.entry(name.to_string()).or_default();
                let index = *count;
                *count += 1;
                let inputs = &self.setup.difference.inputs;
                let found = inputs.iter().find(|(n, i, _)| **n == **name && *i == index);
                found.map_or(Some(0), |(_, _, value)| self.bits(value))
            }
            InputKind::Uninit(_) | InputKind::Asm | InputKind::Param(_) => Some(self.open()),
            InputKind::ExternReturn(_) => {
                let key = self.call.take()?;
                Some(self.known.get(&key).copied().unwrap_or(0))
            }
            InputKind::ExternGlobal { global, offset } => {
                let name = self.program.globals.get(global.0 as usize)?.name.to_string();
                Some(self.initial(&name, *offset, len))
            }
            InputKind::Changed { before, .. } => Some(*before),
            InputKind::Memory { address, .. } => match self.place(*address) {
                Some((name, offset)) => Some(self.initial(name, offset, len)),
                None => Some(self.open()),
            },
        }
    }

    fn calling(&mut self, function: FuncId, args: &[(Type, u128)]) -> Option<u128> {
        let name = self.program.function(function).name.to_string();
        match marker(&name) {
            Some(Ignored::AllOnes) => return Some(u128::MAX),
            Some(Ignored::FirstArgument) => return Some(args.first().map_or(0, |(_, bits)| *bits)),
            None if is_modelled(self.program, function) => return None,
            None => {}
        }
        let shared: Vec<Value> = args.iter().map(|(ty, bits)| self.shared(*ty, *bits)).collect();
        let count = self.calls.entry((name.clone(), shared.clone())).or_default();
        let index = *count;
        *count += 1;
        self.call = Some((name, shared, index));
        None
    }
}
