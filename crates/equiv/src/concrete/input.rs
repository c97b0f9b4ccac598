//! One concrete input of both versions, in terms that do not depend on where objects happen to lie.
//!
//! Memory that the caller owns is a list of numbered objects; the globals that both versions have are named. A pointer
//! is an object (or global, or function) and an offset, so an input can be made from a solver's model, printed, and
//! replayed under any layout of the address space. What an input leaves open is either zero or chosen when it is first
//! asked for; a run makes what it was told explicit.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What a pointer points into.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// One of the caller's objects, by its index in [`Input::objects`].
    Object(usize),
    Global(Arc<str>),
    Function(Arc<str>),
    /// Only in observations: a local variable of a function, or memory made on its stack.
    Local {
        function: Arc<str>,
        name: Arc<str>,
    },
    /// Only in observations: the n-th heap object that was come across while looking at what a run left.
    Heap(u32),
    /// Only in observations: an address that is in no object, as the offset.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pointer {
    pub base: Base,
    pub offset: i64,
}

/// A scalar: bits as the IR has them, zero-extended (0 is the null pointer too), or a pointer to something.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bits(u128),
    Pointer(Pointer),
}

impl Value {
    pub const NULL: Value = Value::Bits(0);

    /// A pointer into one of the caller's objects.
    pub fn object(index: usize, offset: i64) -> Value {
        Value::Pointer(Pointer { base: Base::Object(index), offset })
    }

    pub fn bits(&self) -> Option<u128> {
        match self {
            Value::Bits(bits) => Some(*bits),
            Value::Pointer(_) => None,
        }
    }
}

/// Memory that both versions find when they start, and that is looked at when they end.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Object(usize),
    Global(Arc<str>),
}

/// A byte of memory: a number, or the n-th byte (from the lowest) of a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Byte {
    Number(u8),
    Part(Pointer, u8),
}

/// Known bytes of memory; others are not mentioned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    places: BTreeMap<Place, BTreeMap<u64, Byte>>,
}

/// A stretch of known memory, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Run {
    Bytes(Vec<u8>),
    Pointer(Pointer),
}

impl Memory {
    pub fn is_empty(&self) -> bool {
        self.places.values().all(BTreeMap::is_empty)
    }

    pub fn byte(&self, place: &Place, offset: u64) -> Option<&Byte> {
        self.places.get(place)?.get(&offset)
    }

    pub fn set_byte(&mut self, place: &Place, offset: u64, byte: Byte) {
        if let Some(bytes) = self.places.get_mut(place) {
            bytes.insert(offset, byte);
        } else {
            self.places.insert(place.clone(), BTreeMap::from([(offset, byte)]));
        }
    }

    pub fn set_bytes(&mut self, place: &Place, offset: u64, bytes: &[u8]) {
        for (i, byte) in bytes.iter().enumerate() {
            self.set_byte(place, offset + i as u64, Byte::Number(*byte));
        }
    }

    /// Sets `len` bytes (at most 16) to a scalar.
    pub fn set(&mut self, place: &Place, offset: u64, len: u64, value: &Value) {
        let len = len.min(16);
        match value {
            Value::Bits(bits) => self.set_bytes(place, offset, &bits.to_le_bytes()[..len as usize]),
            Value::Pointer(pointer) => {
                for i in 0..len {
                    self.set_byte(place, offset + i, Byte::Part(pointer.clone(), i as u8));
                }
            }
        }
    }

    /// The scalar in `len` bytes (at most 16), if all of them are known and make one.
    pub fn get(&self, place: &Place, offset: u64, len: u64) -> Option<Value> {
        let bytes = self.places.get(place)?;
        if let Some(Byte::Part(pointer, 0)) = bytes.get(&offset) {
            let whole = (1..len).all(
                |i| matches!(bytes.get(&(offset + i)), Some(Byte::Part(p, n)) if p == pointer && u64::from(*n) == i),
            );
            return whole.then(|| Value::Pointer(pointer.clone()));
        }
        let mut bits = 0u128;
        for i in 0..len.min(16) {
            match bytes.get(&(offset + i))? {
                Byte::Number(byte) => bits |= u128::from(*byte) << (8 * i),
                Byte::Part(..) => return None,
            }
        }
        Some(Value::Bits(bits))
    }

    pub fn remove(&mut self, place: &Place, offset: u64) {
        if let Some(bytes) = self.places.get_mut(place) {
            bytes.remove(&offset);
        }
    }

    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|(_, bytes)| !bytes.is_empty()).map(|(place, _)| place)
    }

    /// What is known of a place, ascending: bytes next to each other together, pointers by themselves.
    pub fn runs(&self, place: &Place) -> Vec<(u64, Run)> {
        let mut list: Vec<(u64, Run)> = Vec::new();
        for (&offset, byte) in self.places.get(place).into_iter().flatten() {
            match (byte, list.last_mut()) {
                (Byte::Number(b), Some((start, Run::Bytes(bytes))))
                    if *start + bytes.len() as u64 == offset =>
                {
                    bytes.push(*b);
                }
                (Byte::Number(b), _) => list.push((offset, Run::Bytes(vec![*b]))),
                (Byte::Part(pointer, 0), _) => list.push((offset, Run::Pointer(pointer.clone()))),
                (Byte::Part(..), _) => {}
            }
        }
        list
    }
}

/// One call of a function without a body: the `index`-th (from 0) with this name and these arguments. Pointers to what
/// only one version has (locals, its own heap objects) are all one: [`Base::Nothing`] and offset 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallKey {
    pub name: Arc<str>,
    pub args: Vec<Value>,
    pub index: u32,
}

/// What an input does not mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    Zero,
    /// Chosen when asked for, as a function of this seed and of what is asked.
    Seed(u64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The arguments of the old and of the new version.
    pub args: [Vec<Value>; 2],
    /// The sizes of the caller's objects.
    pub objects: Vec<u64>,
    /// Initial content of the caller's objects and of the globals that both versions have.
    pub memory: Memory,
    /// What functions without a body return.
    pub returns: BTreeMap<CallKey, Value>,
    /// What input functions (`__VERIFIER_nondet_int`) return: by name, the n-th call from 0.
    pub inputs: BTreeMap<(Arc<str>, u32), Value>,
    pub rest: Rest,
}

impl Input {
    /// The same arguments for both; everything else is zero.
    pub fn new(args: Vec<Value>, objects: Vec<u64>) -> Input {
        Input {
            args: [args.clone(), args],
            objects,
            memory: Memory::default(),
            returns: BTreeMap::new(),
            inputs: BTreeMap::new(),
            rest: Rest::Zero,
        }
    }
}
