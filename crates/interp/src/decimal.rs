//! Exact decimal expansions of floats, and C's notations for them.
//!
//! `m * 2^e` is an integer with a power of ten below it: for negative `e`, `m * 5^-e / 10^-e`. All its digits
//! are computed, then cut where the format says, rounding to nearest, ties to even. Slow for extreme
//! exponents, always right, and the same code for all four formats.

use crate::float::Parts;
use ir::FloatType;

/// `0.d1 d2 d3 ... * 10^point`; no leading zeros, empty for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    pub fn new(significand: u128, exponent: i32) -> Self {
        if significand == 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let zeros = significand.trailing_zeros() as i32;
        let (significand, exponent) = (significand >> zeros, exponent + zeros);
        let mut words: Vec<u32> = (0..4).map(|i| (significand >> (32 * i)) as u32).collect();
        for _ in 0..exponent.max(0) / 31 {
            multiply(&mut words, 1 << 31);
        }
        multiply(&mut words, 1 << (exponent.max(0) % 31));
        let fives = exponent.min(0).unsigned_abs();
        for _ in 0..fives / 13 {
            multiply(&mut words, 5u32.pow(13));
        }
        multiply(&mut words, 5u32.pow(fives % 13));
        let digits = decimal_digits(words);
        let point = digits.len() as i64 - i64::from(fives);
        Decimal { digits, point }
    }

    /// Keeps the first `keep` digits (none, if negative).
    fn round(&mut self, keep: i64) {
        if keep >= self.digits.len() as i64 {
            return;
        }
        let up = if keep < 0 {
            false
        } else {
            let at = keep as usize;
            let odd = at > 0 && self.digits[at - 1] % 2 == 1;
            match self.digits[at] {
                0..=4 => false,
                5 => odd || self.digits[at + 1..].iter().any(|d| *d != 0),
                _ => true,
            }
        };
        self.digits.truncate(keep.max(0) as usize);
        if up {
            match self.digits.iter().rposition(|d| *d != 9) {
                Some(at) => {
                    self.digits.truncate(at + 1);
                    self.digits[at] += 1;
                }
                None => {
                    self.digits = vec![1];
                    self.point += 1;
                }
            }
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    fn digit(&self, at: i64) -> u8 {
        usize::try_from(at).ok().and_then(|i| self.digits.get(i)).map_or(b'0', |d| b'0' + d)
    }

    /// `%f`: all digits before the point and `precision` behind it, the last of them as a count of zeros.
    pub fn fixed(mut self, precision: u64, alternate: bool) -> Text {
        self.round(self.point.saturating_add(i64::try_from(precision).unwrap_or(i64::MAX)));
        let mut text: Vec<u8> = (0..self.point.max(0)).map(|i| self.digit(i)).collect();
        if text.is_empty() {
            text.push(b'0');
        }
        if precision > 0 || alternate {
            text.push(b'.');
        }
        let known = (self.digits.len() as i64 - self.point).max(0) as u64;
        let shown = precision.min(known);
        text.extend((0..shown as i64).map(|i| self.digit(self.point + i)));
        Text { text, zeros: precision - shown, tail: Vec::new() }
    }

    /// `%e`.
    pub fn scientific(mut self, precision: u64, alternate: bool, upper: bool) -> Text {
        self.round(i64::try_from(precision).unwrap_or(i64::MAX).saturating_add(1));
        let mut text = vec![self.digit(0)];
        if precision > 0 || alternate {
            text.push(b'.');
        }
        let shown = precision.min((self.digits.len() as u64).saturating_sub(1));
        text.extend((0..shown as i64).map(|i| self.digit(i + 1)));
        let exponent = if self.digits.is_empty() { 0 } else { self.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        let letter = if upper { 'E' } else { 'e' };
        let tail = format!("{letter}{sign}{:02}", exponent.unsigned_abs()).into_bytes();
        Text { text, zeros: precision - shown, tail }
    }

    /// `%g`.
    pub fn general(self, precision: u64, alternate: bool, upper: bool) -> Text {
        let precision = precision.max(1);
        let mut rounded = self.clone();
        rounded.round(i64::try_from(precision).unwrap_or(i64::MAX));
        let exponent = if rounded.digits.is_empty() { 0 } else { rounded.point - 1 };
        let fixed = exponent >= -4 && (exponent < 0 || (exponent as u64) < precision);
        let mut text = if fixed {
            self.fixed((precision - 1).saturating_add_signed(-exponent), alternate)
        } else {
            self.scientific(precision - 1, alternate, upper)
        };
        if !alternate {
            text.strip_zeros();
        }
        text
    }
}

/// A number as text: `text`, that many zeros, `tail`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    pub text: Vec<u8>,
    pub zeros: u64,
    pub tail: Vec<u8>,
}

impl Text {
    fn strip_zeros(&mut self) {
        self.zeros = 0;
        if self.text.contains(&b'.') {
            while self.text.last() == Some(&b'0') {
                self.text.pop();
            }
            if self.text.last() == Some(&b'.') {
                self.text.pop();
            }
        }
    }
}

/// `%a` of a finite value, without its `0x`: glibc's choice of the leading digit, which is the top four bits
/// of an x87 value and a single bit otherwise.
pub fn hexadecimal(
    f: FloatType,
    parts: &Parts,
    precision: Option<u64>,
    alternate: bool,
    upper: bool,
) -> Text {
    let (fraction_digits, scale) = match f {
        // A float is promoted to double; its fraction has 52 bits then.
        FloatType::F32 => (13, 29),
        FloatType::F64 => (13, 0),
        FloatType::F80 => (15, 0),
        FloatType::F128 => (28, 0),
    };
    let mut value = parts.significand << scale;
    let mut exponent = parts.exponent - scale + 4 * fraction_digits;
    if f == FloatType::F32 && value != 0 {
        while value >> 52 == 0 {
            value <<= 1;
            exponent -= 1;
        }
    }
    if value == 0 {
        exponent = 0;
    }
    let digits = fraction_digits as u64;
    let shown = precision.map_or(digits, |p| p.min(digits));
    let dropped = 4 * (digits - shown) as u32;
    if dropped > 0 {
        let rest = value & ((1 << dropped) - 1);
        let half = 1u128 << (dropped - 1);
        value >>= dropped;
        if rest > half || rest == half && value & 1 == 1 {
            value += 1;
        }
    }
    if value >> (4 * shown) == 16 {
        // Rounding carried out of the leading digit.
        value >>= 4;
        exponent += 4;
    }
    let lead = value >> (4 * shown);
    let mut text = format!("{lead:x}").into_bytes();
    let fraction: Vec<u8> =
        (0..shown).rev().map(|i| b"0123456789abcdef"[(value >> (4 * i)) as usize & 15]).collect();
    text.push(b'.');
    text.extend(fraction);
    let zeros = precision.map_or(0, |p| p - shown);
    if precision.is_none() {
        while text.last() == Some(&b'0') {
            text.pop();
        }
    }
    if text.last() == Some(&b'.') && zeros == 0 && !alternate {
        text.pop();
    }
    let mut tail = format!("p{exponent:+}").into_bytes();
    if upper {
        text.make_ascii_uppercase();
        tail.make_ascii_uppercase();
    }
    Text { text, zeros, tail }
}

fn multiply(words: &mut Vec<u32>, factor: u32) {
    let mut carry = 0u64;
    for word in words.iter_mut() {
        let product = u64::from(*word) * u64::from(factor) + carry;
        *word = product as u32;
        carry = product >> 32;
    }
    if carry > 0 {
        words.push(carry as u32);
    }
}

fn decimal_digits(mut words: Vec<u32>) -> Vec<u8> {
    let mut digits = Vec::new();
    while !words.is_empty() {
        let mut rest = 0u64;
        for word in words.iter_mut().rev() {
            let value = rest << 32 | u64::from(*word);
            *word = (value / 1_000_000_000) as u32;
            rest = value % 1_000_000_000;
        }
        while words.last() == Some(&0) {
            words.pop();
        }
        for _ in 0..9 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits.reverse();
    digits
}
