//! One concrete input of both versions, in terms that do not depend on where objects happen to lie.
//!
//! Memory that the caller owns is a list of numbered objects; the globals that both versions have are named.
//! A pointer is an object (or global, or function) and an offset, so an input can be made from a solver's
//! model, printed, and replayed under any layout of the address space. What an input leaves open is either
//! zero or chosen when it is first asked for; a run makes what it was told explicit.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a pointer points into.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
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

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Pointer {
    pub base: Base,
    pub offset: i64,
}

/// A scalar: bits as the IR has them, zero-extended (0 is the null pointer too), or a pointer to something.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
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
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Place {
    Object(usize),
    Global(Arc<str>),
}

/// A byte of memory: a number, or the n-th byte (from the lowest) of a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Byte {
    Number(u8),
    Part(Pointer, u8),
}

/// Known bytes of memory; others are not mentioned.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    places: BTreeMap<Place, Bytes>,
}

/// The known bytes of one place.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Bytes {
    /// The bytes at offsets below [`DENSE`], as far as any is known. Runs ask for many of them.
    dense: Vec<Option<u8>>,
    /// Parts of pointers, and bytes further up.
    sparse: BTreeMap<u64, Byte>,
}

const DENSE: u64 = 1 << 16;

impl Bytes {
    fn get(&self, offset: u64) -> Option<Byte> {
        match self.dense.get(offset as usize) {
            Some(Some(byte)) => Some(Byte::Number(*byte)),
            _ => self.sparse.get(&offset).cloned(),
        }
    }

    fn set(&mut self, offset: u64, byte: Byte) {
        match byte {
            Byte::Number(number) if offset < DENSE => {
                if self.dense.len() <= offset as usize {
                    self.dense.resize(offset as usize + 1, None);
                }
                self.dense[offset as usize] = Some(number);
                self.sparse.remove(&offset);
            }
            byte => {
                self.remove(offset);
                self.sparse.insert(offset, byte);
            }
        }
    }

    fn remove(&mut self, offset: u64) {
        if let Some(slot) = self.dense.get_mut(offset as usize) {
            *slot = None;
        }
        self.sparse.remove(&offset);
    }

    /// All known bytes, ascending.
    fn all(&self) -> Vec<(u64, Byte)> {
        let dense = self.dense.iter().zip(0..).filter_map(|(b, at)| b.map(|b| (at, Byte::Number(b))));
        let sparse = self.sparse.iter().map(|(at, byte)| (*at, byte.clone()));
        let mut list: Vec<(u64, Byte)> = dense.chain(sparse).collect();
        list.sort_by_key(|(at, _)| *at);
        list
    }

    fn is_empty(&self) -> bool {
        self.sparse.is_empty() && self.dense.iter().all(Option::is_none)
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        self.sparse == other.sparse && {
            let len = self.dense.len().max(other.dense.len());
            let at = |bytes: &Bytes, i: usize| bytes.dense.get(i).copied().flatten();
            (0..len).all(|i| at(self, i) == at(other, i))
        }
    }
}

impl Eq for Bytes {}

/// A stretch of known memory, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Run {
    Bytes(Vec<u8>),
    Pointer(Pointer),
}

impl Memory {
    pub fn is_empty(&self) -> bool {
        self.places.values().all(Bytes::is_empty)
    }

    pub fn byte(&self, place: &Place, offset: u64) -> Option<Byte> {
        self.places.get(place)?.get(offset)
    }

    pub fn set_byte(&mut self, place: &Place, offset: u64, byte: Byte) {
        if !self.places.contains_key(place) {
            self.places.insert(place.clone(), Bytes::default());
        }
        if let Some(bytes) = self.places.get_mut(place) {
            bytes.set(offset, byte);
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
        if let Some(Byte::Part(pointer, 0)) = bytes.get(offset) {
            let part = |i: u64| Some(Byte::Part(pointer.clone(), i as u8));
            let whole = (1..len).all(|i| bytes.get(offset + i) == part(i));
            return whole.then_some(Value::Pointer(pointer));
        }
        let mut bits = 0u128;
        for i in 0..len.min(16) {
            match bytes.get(offset + i)? {
                Byte::Number(byte) => bits |= u128::from(byte) << (8 * i),
                Byte::Part(..) => return None,
            }
        }
        Some(Value::Bits(bits))
    }

    pub fn remove(&mut self, place: &Place, offset: u64) {
        if let Some(bytes) = self.places.get_mut(place) {
            bytes.remove(offset);
        }
    }

    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|(_, bytes)| !bytes.is_empty()).map(|(place, _)| place)
    }

    /// The known bytes of a place, ascending.
    pub fn bytes(&self, place: &Place) -> Vec<(u64, Byte)> {
        self.places.get(place).map(Bytes::all).unwrap_or_default()
    }

    /// What is known of a place, ascending: bytes next to each other together, pointers by themselves.
    pub fn runs(&self, place: &Place) -> Vec<(u64, Run)> {
        let mut list: Vec<(u64, Run)> = Vec::new();
        for (offset, byte) in self.bytes(place) {
            match (byte, list.last_mut()) {
                (Byte::Number(b), Some((start, Run::Bytes(bytes))))
                    if *start + bytes.len() as u64 == offset =>
                {
                    bytes.push(b);
                }
                (Byte::Number(b), _) => list.push((offset, Run::Bytes(vec![b]))),
                (Byte::Part(pointer, 0), _) => list.push((offset, Run::Pointer(pointer))),
                (Byte::Part(..), _) => {}
            }
        }
        list
    }
}

/// One call of a function without a body: the `index`-th (from 0) with this name and these arguments.
/// Pointers to what only one version has (locals, its own heap objects) are all one: [`Base::Nothing`] and
/// offset 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CallKey {
    pub name: Arc<str>,
    pub args: Vec<Value>,
    pub index: u32,
}

/// What an input does not mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Rest {
    Zero,
    /// Chosen when asked for, as a function of this seed and of what is asked.
    Seed(u64),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The arguments of the old and of the new version.
    pub args: [Vec<Value>; 2],
    /// The sizes of the caller's objects.
    pub objects: Vec<u64>,
    /// Initial content of the caller's objects and of the globals that both versions have.
    pub memory: Memory,
    /// What functions without a body return.
    pub returns: BTreeMap<CallKey, Value>,
    /// What the n-th call (from 0) of a function without a body returns, whatever it is called with, where
    /// `returns` does not say it. For inputs that a solver made; a run writes down in `returns` what it was
    /// told.
    pub calls: BTreeMap<(Arc<str>, u32), Value>,
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
            calls: BTreeMap::new(),
            inputs: BTreeMap::new(),
            rest: Rest::Zero,
        }
    }
}
