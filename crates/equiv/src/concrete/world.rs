//! What both versions are told: one set of answers for the two runs of a comparison.
//!
//! A [`World`] is an input together with the means to complete it. Whatever a run asks for is looked up by
//! what it means (a byte of an object or a named global, the n-th call of a function with certain arguments)
//! and, if it is not there, chosen and written down. So the other version gets the same answer to the same
//! question, and afterwards the input says everything that mattered.
//!
//! Some questions have no meaning that both versions share: variables and memory that nobody gave a value.
//! Their answers depend on `salt`; a difference that is real does not.

use super::choose::{Constants, Random, hash_text, value};
use super::input::{Base, Byte, CallKey, Input, Place, Pointer, Rest, Value};
use super::{ExternRule, Options};
use interp::{InputKind, InputRequest, Inputs};
use ir::{FuncId, Program, Target, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

pub struct World<'c> {
    pub input: Input,
    pub constants: &'c Constants,
    pub options: &'c Options,
    pub salt: u64,
    /// Bytes of memory that were read as part of a value, so they are no padding: code of the place, offset.
    pub asked: FxHashSet<(u64, u64)>,
}

impl<'c> World<'c> {
    pub fn new(input: Input, constants: &'c Constants, options: &'c Options, salt: u64) -> World<'c> {
        World { input, constants, options, salt, asked: FxHashSet::default() }
    }

    pub fn was_asked(&self, place: &Place, offset: u64) -> bool {
        self.asked.contains(&(Self::place_code(place), offset))
    }

    fn choose(&self, ty: Type, question: &[u64]) -> Value {
        match self.input.rest {
            Rest::Zero => Value::Bits(0),
            Rest::Seed(seed) => {
                let mut random = Random::for_question(seed, question);
                value(self.constants, seed, &mut random, ty, self.input.objects.len())
            }
        }
    }

    fn place_code(place: &Place) -> u64 {
        match place {
            Place::Object(index) => *index as u64,
            Place::Global(name) => hash_text(name) | 1 << 63,
        }
    }

    /// The initial value of memory, as `map` sees it. None if it is a pointer to what that side does not
    /// have.
    pub fn initial(&mut self, map: &AddressMap, place: &Place, offset: u64, ty: Type) -> Option<u128> {
        let len = ty.access_size(&map.target);
        self.asked.extend((0..len).map(|i| (Self::place_code(place), offset + i)));
        if (0..len).all(|i| self.input.memory.byte(place, offset + i).is_none()) {
            let value = self.choose(ty, &[1, Self::place_code(place), offset, type_code(ty)]);
            self.input.memory.set(place, offset, len, &value);
            return map.bits(&value);
        }
        let mut bits = 0;
        for i in 0..len {
            let byte = match self.input.memory.byte(place, offset + i) {
                Some(byte) => map.byte(&byte)?,
                None => {
                    let question = [1, Self::place_code(place), offset + i, type_code(Type::U8)];
                    let byte = self.choose(Type::U8, &question).bits().unwrap_or(0) as u8;
                    self.input.memory.set_byte(place, offset + i, Byte::Number(byte));
                    byte
                }
            };
            bits |= u128::from(byte) << (8 * i);
        }
        Some(bits)
    }

    /// A byte that no run has asked for: any value will do, so it is made one that is not `other`.
    pub fn settle_unlike(&mut self, place: &Place, offset: u64, other: u8) -> u8 {
        let byte = if other == b'#' { b'$' } else { b'#' };
        self.input.memory.set_byte(place, offset, Byte::Number(byte));
        byte
    }
}

fn type_code(ty: Type) -> u64 {
    match ty {
        Type::Bool => 1,
        // Signed and unsigned reads of the same memory mean the same bytes.
        Type::Int(int) => 2 | u64::from(int.bits) << 8,
        Type::Float(f) => 3 | f.value_bytes() << 8,
        Type::Ptr => 4,
    }
}

/// Where one program, under one layout, has what inputs speak of.
pub struct AddressMap {
    pub target: Target,
    /// Address, size and place, by address.
    places: Vec<(u64, u64, Place)>,
    by_place: FxHashMap<Place, u64>,
    functions: FxHashMap<Arc<str>, u64>,
}

impl AddressMap {
    pub fn new(
        target: Target,
        mut places: Vec<(u64, u64, Place)>,
        functions: FxHashMap<Arc<str>, u64>,
    ) -> AddressMap {
        places.sort();
        let by_place = places.iter().map(|(address, _, place)| (place.clone(), *address)).collect();
        AddressMap { target, places, by_place, functions }
    }

    pub fn address(&self, place: &Place) -> Option<u64> {
        self.by_place.get(place).copied()
    }

    /// The place that an address points into, or just behind.
    pub fn place(&self, address: u64) -> Option<(&Place, u64)> {
        let next = self.places.partition_point(|(start, ..)| *start <= address);
        let (start, size, place) = self.places.get(next.checked_sub(1)?)?;
        (address - start <= *size).then_some((place, address - start))
    }

    /// The bits of a value on this side.
    pub fn bits(&self, value: &Value) -> Option<u128> {
        match value {
            Value::Bits(bits) => Some(*bits),
            Value::Pointer(pointer) => self.pointer(pointer).map(u128::from),
        }
    }

    fn pointer(&self, pointer: &Pointer) -> Option<u64> {
        let base = match &pointer.base {
            Base::Object(index) => self.address(&Place::Object(*index))?,
            Base::Global(name) => self.address(&Place::Global(name.clone()))?,
            Base::Function(name) => *self.functions.get(name)?,
            Base::Local { .. } | Base::Heap(_) | Base::Nothing => return None,
        };
        let mask =
            if self.target.pointer_bits >= 64 { u64::MAX } else { (1 << self.target.pointer_bits) - 1 };
        Some(base.wrapping_add(pointer.offset as u64) & mask)
    }

    pub fn byte(&self, byte: &Byte) -> Option<u8> {
        match byte {
            Byte::Number(byte) => Some(*byte),
            Byte::Part(pointer, index) => Some((self.pointer(pointer)? >> (8 * (index & 7))) as u8),
        }
    }
}

/// The answers as one side asks for them.
pub struct Answers<'w, 'c, 'p> {
    pub world: &'w mut World<'c>,
    pub map: &'w AddressMap,
    program: &'p Program,
    rules: &'w FxHashMap<FuncId, ExternRule>,
    /// Functions that the interpreter knows, or that have a rule.
    modelled: &'w FxHashSet<FuncId>,
    /// The function without a body that is being called.
    call: Option<CallKey>,
    calls: FxHashMap<(Arc<str>, Vec<Value>), u32>,
    /// How often each function was called, with whatever arguments.
    called: FxHashMap<Arc<str>, u32>,
    inputs: FxHashMap<Arc<str>, u32>,
    unspecified: u64,
}

impl<'w, 'c, 'p> Answers<'w, 'c, 'p> {
    pub fn new(
        world: &'w mut World<'c>,
        map: &'w AddressMap,
        program: &'p Program,
        rules: &'w FxHashMap<FuncId, ExternRule>,
        modelled: &'w FxHashSet<FuncId>,
    ) -> Self {
        Answers {
            world,
            map,
            program,
            rules,
            modelled,
            call: None,
            calls: FxHashMap::default(),
            called: FxHashMap::default(),
            inputs: FxHashMap::default(),
            unspecified: 0,
        }
    }

    /// A value that nobody gave: the same in both versions as long as they ask alike.
    fn unspecified(&mut self, ty: Type, name: &str) -> u128 {
        self.unspecified += 1;
        let question = [2, hash_text(name), self.unspecified, type_code(ty)];
        match self.world.input.rest {
            _ if self.world.salt != 0 => {
                let mut random = Random::for_question(self.world.salt, &question);
                u128::from(random.bits()) << 64 | u128::from(random.bits())
            }
            Rest::Zero => 0,
            Rest::Seed(_) if ty == Type::Ptr => 0,
            Rest::Seed(_) => self.world.choose(ty, &question).bits().unwrap_or(0),
        }
    }

    /// An argument in terms that both sides share.
    fn shared(&self, ty: Type, bits: u128) -> Value {
        if ty != Type::Ptr || bits == 0 {
            return Value::Bits(bits);
        }
        let address = bits as u64;
        let (base, offset) = match self.map.place(address) {
            Some((Place::Object(index), offset)) => (Base::Object(*index), offset as i64),
            Some((Place::Global(name), offset)) => (Base::Global(name.clone()), offset as i64),
            None => (Base::Nothing, 0),
        };
        Value::Pointer(Pointer { base, offset })
    }

    fn returned(&mut self, ty: Type, function: FuncId) -> Option<u128> {
        let key = self.call.take()?;
        let name = &self.program.function(function).name;
        if let Some(value) = self.world.input.returns.get(&key) {
            return self.map.bits(value);
        }
        let number = self.called.get(name).map_or(0, |n| n.saturating_sub(1));
        if let Some(value) = self.world.input.calls.get(&(name.clone(), number)).cloned() {
            let bits = self.map.bits(&value);
            self.world.input.returns.insert(key, value);
            return bits;
        }
        let mut question = vec![3, hash_text(name), u64::from(key.index), type_code(ty)];
        question.extend(key.args.iter().map(|arg| match arg {
            Value::Bits(bits) => *bits as u64 ^ (*bits >> 64) as u64,
            Value::Pointer(Pointer { base, offset }) => {
                let base = match base {
                    Base::Object(index) => *index as u64 + 1,
                    Base::Global(name) => hash_text(name),
                    _ => 0,
                };
                base.wrapping_mul(0x1_0000_0001).wrapping_add(*offset as u64)
            }
        }));
        let value = self.world.choose(ty, &question);
        let bits = self.map.bits(&value);
        self.world.input.returns.insert(key, value);
        bits
    }
}

impl Inputs for Answers<'_, '_, '_> {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let ty = request.ty;
        match &request.kind {
            InputKind::Input(name) => {
                let count = self.inputs.entry(name.clone()).or_default();
                let key = (name.clone(), *count);
                *count += 1;
                if let Some(value) = self.world.input.inputs.get(&key) {
                    return self.map.bits(value);
                }
                let question = [4, hash_text(name), u64::from(key.1), type_code(ty)];
                let value = self.world.choose(ty, &question);
                let bits = self.map.bits(&value);
                self.world.input.inputs.insert(key, value);
                bits
            }
            InputKind::Uninit(local) => {
                let name = match (request.function, local) {
                    (Some(f), Some(local)) => {
                        self.program.functions.get(f.0 as usize).and_then(|f| f.locals.get(local.0 as usize))
                    }
                    _ => None,
                };
                let name = name.map_or_else(|| "".into(), |local| local.name.clone());
                Some(self.unspecified(ty, &name))
            }
            InputKind::Asm | InputKind::Param(_) => Some(self.unspecified(ty, "")),
            InputKind::ExternReturn(function) => self.returned(ty, *function),
            InputKind::ExternGlobal { global, offset } => {
                let place = Place::Global(self.program.globals.get(global.0 as usize)?.name.clone());
                self.world.initial(self.map, &place, *offset, ty)
            }
            // Comparisons have functions without a body as functions of what they are given.
            InputKind::Changed { before, .. } => Some(*before),
            InputKind::Memory { address, .. } => match self.map.place(*address) {
                Some((place, offset)) => {
                    let place = place.clone();
                    self.world.initial(self.map, &place, offset, ty)
                }
                None => Some(self.unspecified(ty, "memory")),
            },
        }
    }

    fn calling(&mut self, function: FuncId, args: &[(Type, u128)]) -> Option<u128> {
        let rule = self.rules.get(&function);
        match rule {
            Some(ExternRule::Constant(bits)) => return Some(*bits),
            Some(ExternRule::Argument(index)) => return Some(args.get(*index).map_or(0, |(_, bits)| *bits)),
            Some(ExternRule::Pure) => {}
            None if self.modelled.contains(&function) => return None,
            None => {}
        }
        let name = self.program.function(function).name.clone();
        *self.called.entry(name.clone()).or_default() += 1;
        let shared: Vec<Value> = args.iter().map(|(ty, bits)| self.shared(*ty, *bits)).collect();
        let index = if rule == Some(&ExternRule::Pure) {
            0
        } else {
            let count = self.calls.entry((name.clone(), shared.clone())).or_default();
            *count += 1;
            *count - 1
        };
        self.call = Some(CallKey { name, args: shared, index });
        None
    }
}
