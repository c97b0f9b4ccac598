//! What the names in a C condition stand for.
//!
//! `x$1` and `x$2` are the old and the new version's parameter or global; `x` is the old version's, or the
//! new one's if the old version has none. `result` is what the function returned. Every other identifier is
//! left to the compiler: functions, types, enumeration constants.

use super::c::{CBinding, Version, Versions};
use super::tokens::Word;
use super::{Name, Origin, Side, SpecError};
use ir::{Storage, Type};

/// When a condition is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before the call: parameters, globals and memory are the inputs.
    Before,
    /// After it: globals and memory are the outputs; parameters are still what was passed.
    After,
}

/// A variable that a condition mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// As the user wrote it.
    pub name: String,
    pub binding: CBinding,
    /// The value lies in memory, and its address is passed.
    pub by_address: bool,
    /// Where it is mentioned first.
    pub lo: usize,
    pub hi: usize,
}

pub struct Lookup<'v> {
    pub versions: &'v Versions<'v>,
    moment: Moment,
}

impl Found {
    /// Can the condition reach memory through it?
    pub fn by_address_or_pointer(&self, lookup: &Lookup) -> bool {
        self.by_address || lookup.ir_type(self.binding) == Some(Type::Ptr)
    }
}

impl<'v> Lookup<'v> {
    pub fn new(versions: &'v Versions<'v>, moment: Moment) -> Lookup<'v> {
        Lookup { versions, moment }
    }

    /// All variables among the words, each once.
    pub fn variables(&self, origin: &Origin, words: &[Word]) -> Result<Vec<Found>, SpecError> {
        let mut list: Vec<Found> = Vec::new();
        for word in words.iter().filter(|w| w.is_variable) {
            if list.iter().any(|v| v.name == word.text) {
                continue;
            }
            let found = match word.text.split_once('$') {
                Some((name, "1")) => self.variable(Side::Old, name),
                Some((name, "2")) => self.variable(Side::New, name),
                Some(_) => return Err(self.unknown(origin, &word.text, word.lo, word.hi)),
                None => self.variable(Side::Old, &word.text).or_else(|| self.variable(Side::New, &word.text)),
            };
            match found {
                Some((binding, by_address)) => list.push(Found {
                    name: word.text.clone(),
                    binding,
                    by_address,
                    lo: word.lo,
                    hi: word.hi,
                }),
                None if word.text.contains('$') || word.text == "result" && !word.is_called => {
                    return Err(self.unknown(origin, &word.text, word.lo, word.hi));
                }
                None => {}
            }
        }
        Ok(list)
    }

    /// What a name is, and whether its value lies in memory and its address is passed.
    fn variable(&self, side: Side, name: &str) -> Option<(CBinding, bool)> {
        let version = self.versions.side(side);
        if let Some(index) = params(version).find_map(|(i, param)| (param == name).then_some(i)) {
            let local = &version.function().locals[index as usize];
            return Some((CBinding::Param { side, index }, is_record(&local.c_type)));
        }
        if name == "result" && self.moment == Moment::After {
            let function = version.function();
            return match function.locals.first().filter(|l| &*l.name == ".ret" && function.params > 0) {
                Some(_) => Some((CBinding::Param { side, index: 0 }, true)),
                None => function.ret.map(|_| (CBinding::Result { side }, false)),
            };
        }
        let id = version.program.find_global(name)?;
        Some(match version.program.global(id).storage {
            Storage::Register(_) => (CBinding::Global { side, id }, false),
            Storage::Memory { .. } => (CBinding::GlobalAddress { side, id }, true),
        })
    }

    /// What a name of an SMT-LIB condition is. (Memory globals are their addresses there.)
    pub fn resolve(&self, name: &Name) -> Option<CBinding> {
        let (binding, by_address) = match name {
            Name::Var(side, name) => self.variable(*side, name)?,
            Name::Result(side) => self.variable(*side, "result")?,
            Name::Heap(_) | Name::Word(_) => return None,
        };
        // A result that is a struct is no number.
        let fits = !matches!((name, binding), (Name::Result(_), CBinding::Param { .. })) || !by_address;
        fits.then_some(binding)
    }

    /// The type in which the versions hold a value.
    pub fn ir_type(&self, binding: CBinding) -> Option<Type> {
        let version = self.versions.side(binding.side());
        let register = |storage: Storage| match storage {
            Storage::Register(ty) => Some(ty),
            Storage::Memory { .. } => None,
        };
        match binding {
            CBinding::Param { index, .. } => register(version.function().locals.get(index as usize)?.storage),
            CBinding::Result { .. } => version.function().ret,
            CBinding::Global { id, .. } => register(version.program.global(id).storage),
            CBinding::GlobalAddress { .. } => Some(Type::Ptr),
        }
    }

    /// The error for a name that means nothing, with the names that exist.
    pub fn unknown(&self, origin: &Origin, text: &str, lo: usize, hi: usize) -> SpecError {
        let mut error = origin.error(lo, hi, format!("unknown name '{text}'"));
        let (name, version) = text.split_once('$').map_or((text, None), |(n, v)| (n, Some(v)));
        if name == "result" {
            let why = match self.moment {
                Moment::Before => "there is no result before the call",
                Moment::After => "the function returns nothing that could be used here",
            };
            return error.note(why);
        }
        if version.is_some_and(|v| v != "1" && v != "2") {
            error = error.note(format!("write {name}$1 for the old version's, {name}$2 for the new one's"));
        }
        let list = |side: Side| -> Vec<String> {
            let version = self.versions.side(side);
            let globals = version.program.globals.iter().filter(|g| is_c_name(&g.name));
            let params = params(version).map(|(_, name)| name.to_owned());
            params.chain(globals.map(|g| g.name.to_string())).collect()
        };
        let (old, new) = (list(Side::Old), list(Side::New));
        let result = if self.moment == Moment::After { ", result" } else { "" };
        let show = |names: &[String]| match names.len() {
            0 => "none".to_owned(),
            n if n > 20 => format!("{}, and {} more", names[..20].join(", "), n - 20),
            _ => names.join(", "),
        };
        if old == new {
            error.note(format!("the names here are: {}{result}", show(&old)))
        } else {
            let error = error.note(format!("the old version's names are: {}{result}", show(&old)));
            error.note(format!("the new version's names are: {}{result}", show(&new)))
        }
    }

    /// What the usual macros stand for: conditions are not preprocessed.
    pub fn macro_value(&self, word: &Word) -> Option<String> {
        if !word.is_variable || word.is_called {
            return None;
        }
        let long = if self.versions.old.program.target.long_bits == 64 {
            "0x7fffffffffffffffL"
        } else {
            "0x7fffffffL"
        };
        let unsigned_long = if self.versions.old.program.target.long_bits == 64 {
            "0xffffffffffffffffUL"
        } else {
            "0xffffffffUL"
        };
        let text = match &*word.text {
            "NULL" => "((void *)0)".to_owned(),
            "true" => "1".to_owned(),
            "false" => "0".to_owned(),
            "CHAR_BIT" => "8".to_owned(),
            "SCHAR_MAX" | "CHAR_MAX" | "INT8_MAX" => "127".to_owned(),
            "SCHAR_MIN" | "CHAR_MIN" | "INT8_MIN" => "(-128)".to_owned(),
            "UCHAR_MAX" | "UINT8_MAX" => "255".to_owned(),
            "SHRT_MAX" | "INT16_MAX" => "32767".to_owned(),
            "SHRT_MIN" | "INT16_MIN" => "(-32768)".to_owned(),
            "USHRT_MAX" | "UINT16_MAX" => "65535".to_owned(),
            "INT_MAX" | "INT32_MAX" => "0x7fffffff".to_owned(),
            "INT_MIN" | "INT32_MIN" => "(-0x7fffffff - 1)".to_owned(),
            "UINT_MAX" | "UINT32_MAX" => "0xffffffffU".to_owned(),
            "LONG_MAX" => long.to_owned(),
            "LONG_MIN" => format!("(-{long} - 1L)"),
            "ULONG_MAX" | "SIZE_MAX" => unsigned_long.to_owned(),
            "LLONG_MAX" | "INT64_MAX" => "0x7fffffffffffffffLL".to_owned(),
            "LLONG_MIN" | "INT64_MIN" => "(-0x7fffffffffffffffLL - 1LL)".to_owned(),
            "ULLONG_MAX" | "UINT64_MAX" => "0xffffffffffffffffULL".to_owned(),
            _ => return None,
        };
        Some(text)
    }
}

/// The parameters that have a name, by their index in IR.
fn params(version: Version<'_>) -> impl Iterator<Item = (u32, &str)> {
    let function = version.function();
    let locals = function.locals.iter().take(function.params as usize).enumerate();
    locals.filter(|(_, l)| !l.name.starts_with('.')).map(|(i, l)| {
        // A parameter that is copied to memory at the entry arrives under this name.
        (i as u32, l.name.strip_suffix(".arg").unwrap_or(&l.name))
    })
}

/// Is it a struct or union itself?
pub(super) fn is_record(c_type: &str) -> bool {
    let mut words = c_type.split_whitespace();
    let first = words.find(|w| !matches!(*w, "const" | "volatile"));
    matches!(first, Some("struct" | "union")) && !c_type.contains(['*', '(', '['])
}

fn is_c_name(name: &str) -> bool {
    ir::names::unqualified(name) == name && !name.starts_with('.')
}
