//! `printf` and its relatives: the format string, its conversions, and where the bytes go.

use crate::decimal::{Decimal, Text, hexadecimal};
use crate::eval;
use crate::float::{Class, parts, sign_bit};
use crate::io::{At, Io};
use crate::memory::Memory;
use crate::outcome::{Outcome, UndefinedKind};
use ir::{FloatType, IntType, Type};

/// Keeps the first bytes of an output and counts all.
#[derive(Debug)]
pub struct Sink {
    pub kept: Vec<u8>,
    limit: usize,
    pub total: u64,
}

impl Sink {
    pub fn new(limit: usize) -> Self {
        Sink { kept: Vec::new(), limit, total: 0 }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.total = self.total.saturating_add(bytes.len() as u64);
    }

    pub fn repeat(&mut self, byte: u8, count: u64) {
        let room = self.limit.saturating_sub(self.kept.len()) as u64;
        let len = self.kept.len() + count.min(room) as usize;
        self.kept.resize(len, byte);
        self.total = self.total.saturating_add(count);
    }
}

/// Where the arguments of the conversions are.
pub enum Arguments {
    /// Passed by the call itself.
    List(std::vec::IntoIter<(Type, u128)>),
    /// In slots of 16 bytes from this address on.
    Slots(u64),
}

/// Access to the run, for one call.
pub struct Printer<'a, 'r> {
    pub io: &'a mut Io<'r>,
    pub memory: &'a mut Memory,
    pub at: At,
    pub arguments: Arguments,
    pub sink: Sink,
}

#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: u64,
    precision: Option<u64>,
    /// Bits of an integer argument.
    bits: u8,
    long_double: bool,
    wide: bool,
    upper: bool,
}

type Printed<T> = Result<T, Outcome>;

impl Printer<'_, '_> {
    /// Writes what the format at this address says.
    pub fn format(&mut self, format: u64) -> Printed<()> {
        let text = self.string(format, u64::MAX)?;
        let mut rest = &text[..];
        while let Some(percent) = rest.iter().position(|b| *b == b'%') {
            self.sink.push(&rest[..percent]);
            rest = self.conversion(&rest[percent..])?;
        }
        self.sink.push(rest);
        Ok(())
    }

    /// The bytes at an address up to a zero or to the limit.
    pub fn string(&mut self, address: u64, limit: u64) -> Printed<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            match self.byte(address.wrapping_add(bytes.len() as u64))? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// That many bytes.
    pub fn block(&mut self, address: u64, len: u64) -> Printed<Vec<u8>> {
        let (at, program) = (self.at, self.io.program);
        if !self.memory.valid(address, len, false) {
            // Says what is wrong.
            self.memory.bytes(address, len).map_err(|f| at.fault(program, f))?;
        }
        (0..len).map(|i| self.byte(address.wrapping_add(i))).collect()
    }

    fn byte(&mut self, address: u64) -> Printed<u8> {
        let address = address & self.memory.mask();
        match self.memory.load::<1>(address) {
            Some([byte]) => Ok(byte),
            None => self.io.load(self.memory, self.at, address, Type::U8).map(|b| b as u8),
        }
    }

    /// One conversion; what follows it.
    fn conversion<'t>(&mut self, text: &'t [u8]) -> Printed<&'t [u8]> {
        let mut spec = Spec { bits: 32, ..Spec::default() };
        let mut rest = &text[1..];
        loop {
            match rest.first() {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                Some(b'\'') => {}
                _ => break,
            }
            rest = &rest[1..];
        }
        if let Some(after) = rest.strip_prefix(b"*") {
            let width = self.int(32)? as u32 as i32;
            spec.left |= width < 0;
            spec.width = u64::from(width.unsigned_abs());
            rest = after;
        } else {
            (spec.width, rest) = number(rest);
            if rest.first() == Some(&b'$') {
                let reason = "numbered arguments in a format".into();
                return Err(Outcome::Unsupported { reason, pos: self.at.pos(self.io.program) });
            }
        }
        if let Some(after) = rest.strip_prefix(b".") {
            if let Some(after) = after.strip_prefix(b"*") {
                let precision = self.int(32)? as u32 as i32;
                spec.precision = u64::try_from(precision).ok();
                rest = after;
            } else {
                let (precision, after) = number(after.strip_prefix(b"-").unwrap_or(after));
                spec.precision = Some(precision);
                rest = after;
            }
        }
        rest = self.length(&mut spec, rest);
        let Some((&letter, after)) = rest.split_first() else {
            // The format ends in the middle of a conversion; glibc prints nothing more.
            return Ok(rest);
        };
        spec.upper = letter.is_ascii_uppercase();
        match letter {
            b'd' | b'i' => {
                let int = IntType::new(spec.bits, true);
                let value = int.value(self.int(spec.bits)?);
                self.integer(&spec, value.unsigned_abs(), Some(value < 0), 10, "");
            }
            b'u' => {
                let value = self.int(spec.bits)?;
                self.integer(&spec, value, None, 10, "");
            }
            b'o' => {
                let value = self.int(spec.bits)?;
                self.integer(&spec, value, None, 8, "");
            }
            b'x' | b'X' => {
                let value = self.int(spec.bits)?;
                let prefix = if letter == b'x' { "0x" } else { "0X" };
                self.integer(&spec, value, None, 16, if spec.alternate && value != 0 { prefix } else { "" });
            }
            b'p' => {
                let value = self.int(self.io.program.target.pointer_bits)?;
                if value == 0 {
                    self.padded(&spec, b"(nil)");
                } else {
                    self.integer(&spec, value, None, 16, "0x");
                }
            }
            b'c' | b'C' => {
                let value = self.int(32)?;
                if spec.wide || letter == b'C' {
                    let text = char::from_u32(value as u32).map_or_else(String::new, String::from);
                    self.padded(&spec, text.as_bytes());
                } else {
                    self.padded(&spec, &[value as u8]);
                }
            }
            b's' | b'S' => {
                let address = self.int(self.io.program.target.pointer_bits)? as u64;
                let limit = spec.precision.unwrap_or(u64::MAX);
                let text = if spec.wide || letter == b'S' {
                    self.wide_string(address, limit)?
                } else {
                    self.string(address, limit)?
                };
                self.padded(&spec, &text);
            }
            b'n' => {
                let address = self.int(self.io.program.target.pointer_bits)? as u64;
                let bytes = self.sink.total.to_le_bytes();
                let (at, program) = (self.at, self.io.program);
                let stored = self.memory.write(address, &bytes[..usize::from(spec.bits / 8)]);
                stored.map_err(|f| at.fault(program, f))?;
            }
            b'%' => self.sink.push(b"%"),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(&spec, letter)?,
            // Undefined in C; glibc prints it as it stands.
            _ => {
                let used = text.len() - after.len();
                self.sink.push(&text[..used]);
            }
        }
        Ok(after)
    }

    fn length<'t>(&self, spec: &mut Spec, text: &'t [u8]) -> &'t [u8] {
        let target = &self.io.program.target;
        let list: [(&[u8], u8); 9] = [
            (b"hh", 8),
            (b"h", 16),
            (b"ll", 64),
            (b"l", target.long_bits),
            (b"q", 64),
            (b"L", 64),
            (b"j", 64),
            (b"z", target.pointer_bits),
            (b"t", target.pointer_bits),
        ];
        match list.iter().find(|(name, _)| text.starts_with(name)) {
            Some((name, bits)) => {
                spec.bits = *bits;
                spec.long_double = *name == b"L";
                spec.wide = *name == b"l";
                &text[name.len()..]
            }
            None => text,
        }
    }

    fn too_few<T>(&self) -> Printed<T> {
        let detail = "the format asks for more arguments than there are".to_owned();
        Err(self.at.undefined(self.io.program, UndefinedKind::BadCall, detail))
    }

    /// The next argument, as an integer of this width.
    fn int(&mut self, bits: u8) -> Printed<u128> {
        let wanted = IntType::new(bits, false);
        match &mut self.arguments {
            Arguments::List(list) => match list.next() {
                // A float here is a mistake in the program; its bits are as good as anything.
                Some((ty @ Type::Float(_), value)) => {
                    Ok(value & eval::type_mask(&self.io.program.target, ty) & wanted.mask())
                }
                Some((ty, value)) => Ok(eval::cast(&self.io.program.target, ty, Type::Int(wanted), value)),
                None => self.too_few(),
            },
            Arguments::Slots(address) => {
                // Narrow types were promoted to int when they were passed.
                let ty = Type::int(bits.max(32), false);
                let slot = std::mem::replace(address, address.wrapping_add(16));
                Ok(self.io.load(self.memory, self.at, slot, ty)? & wanted.mask())
            }
        }
    }

    fn float_argument(&mut self, long: bool) -> Printed<(FloatType, u128)> {
        let wanted = if long { FloatType::F80 } else { FloatType::F64 };
        match &mut self.arguments {
            Arguments::List(list) => match list.next() {
                Some((Type::Float(f), value)) => Ok((f, value)),
                Some((_, value)) => {
                    Ok((wanted, value & eval::type_mask(&self.io.program.target, Type::Float(wanted))))
                }
                None => self.too_few(),
            },
            Arguments::Slots(address) => {
                let slot = std::mem::replace(address, address.wrapping_add(16));
                Ok((wanted, self.io.load(self.memory, self.at, slot, Type::Float(wanted))?))
            }
        }
    }

    fn wide_string(&mut self, address: u64, limit: u64) -> Printed<Vec<u8>> {
        let mut bytes: Vec<u8> = Vec::new();
        for i in 0.. {
            let at = address.wrapping_add(i * 4) & self.memory.mask();
            let code = self.io.load(self.memory, self.at, at, Type::U32)? as u32;
            let mut buffer = [0; 4];
            let text = char::from_u32(code).unwrap_or('?').encode_utf8(&mut buffer);
            if code == 0 || (bytes.len() + text.len()) as u64 > limit {
                break;
            }
            bytes.extend_from_slice(text.as_bytes());
        }
        Ok(bytes)
    }

    fn padded(&mut self, spec: &Spec, text: &[u8]) {
        let padding = spec.width.saturating_sub(text.len() as u64);
        if !spec.left {
            self.sink.repeat(b' ', padding);
        }
        self.sink.push(text);
        if spec.left {
            self.sink.repeat(b' ', padding);
        }
    }

    /// `negative` is None for unsigned conversions, which have no sign.
    fn integer(&mut self, spec: &Spec, magnitude: u128, negative: Option<bool>, base: u32, prefix: &str) {
        let sign = match negative {
            Some(true) => "-",
            Some(false) if spec.plus => "+",
            Some(false) if spec.space => " ",
            _ => "",
        };
        let mut digits = match base {
            8 => format!("{magnitude:o}"),
            16 if spec.upper => format!("{magnitude:X}"),
            16 => format!("{magnitude:x}"),
            _ => magnitude.to_string(),
        };
        if magnitude == 0 && spec.precision == Some(0) {
            digits.clear();
        }
        let mut zeros = spec.precision.unwrap_or(1).saturating_sub(digits.len() as u64);
        if base == 8 && spec.alternate && zeros == 0 && !digits.starts_with('0') {
            zeros = 1;
        }
        let text = Text { text: Vec::new(), zeros, tail: digits.into_bytes() };
        self.number(spec, sign, prefix, text, spec.zero && spec.precision.is_none());
    }

    fn float(&mut self, spec: &Spec, letter: u8) -> Printed<()> {
        let (f, bits) = self.float_argument(spec.long_double)?;
        let upper = spec.upper;
        let parts = parts(f, bits);
        let sign = match bits & sign_bit(f) != 0 {
            true => "-",
            false if spec.plus => "+",
            false if spec.space => " ",
            false => "",
        };
        let name = match (parts.class, upper) {
            (Class::Finite, _) => None,
            (Class::Infinite, false) => Some("inf"),
            (Class::Infinite, true) => Some("INF"),
            (Class::Nan, false) => Some("nan"),
            (Class::Nan, true) => Some("NAN"),
        };
        if let Some(name) = name {
            let text = Text { text: name.into(), ..Text::default() };
            self.number(spec, sign, "", text, false);
            return Ok(());
        }
        let precision = spec.precision.unwrap_or(6);
        let decimal = || Decimal::new(parts.significand, parts.exponent);
        let mut prefix = "";
        let text = match letter.to_ascii_lowercase() {
            b'f' => decimal().fixed(precision, spec.alternate),
            b'e' => decimal().scientific(precision, spec.alternate, upper),
            b'g' => decimal().general(precision, spec.alternate, upper),
            _ => {
                prefix = if upper { "0X" } else { "0x" };
                hexadecimal(f, &parts, spec.precision, spec.alternate, upper)
            }
        };
        self.number(spec, sign, prefix, text, spec.zero);
        Ok(())
    }

    /// A number with its padding: blanks outside, or zeros between sign and digits.
    fn number(&mut self, spec: &Spec, sign: &str, prefix: &str, text: Text, zero: bool) {
        let len = (sign.len() + prefix.len() + text.text.len() + text.tail.len()) as u64;
        let padding = spec.width.saturating_sub(len.saturating_add(text.zeros));
        if !spec.left && !zero {
            self.sink.repeat(b' ', padding);
        }
        self.sink.push(sign.as_bytes());
        self.sink.push(prefix.as_bytes());
        if !spec.left && zero {
            self.sink.repeat(b'0', padding);
        }
        self.sink.push(&text.text);
        self.sink.repeat(b'0', text.zeros);
        self.sink.push(&text.tail);
        if spec.left {
            self.sink.repeat(b' ', padding);
        }
    }
}

/// A decimal number at the start of the text, and what follows.
fn number(text: &[u8]) -> (u64, &[u8]) {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value =
        text[..len].iter().fold(0u64, |v, b| v.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    (value, &text[len..])
}
