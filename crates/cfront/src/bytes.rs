//! Source text that is not UTF-8.
//!
//! Texts are `str`, but a C file may hold any bytes, and those inside string literals must reach the program
//! unchanged. Each byte that is not part of valid UTF-8 is kept as one private-use character, U+F780 to
//! U+F7FF. These characters themselves, should a file contain them, are taken apart into bytes too, so that
//! the way back is unique. Columns after such a byte are two too high; offsets and lines are right.

use std::borrow::Cow;

const RAW: u32 = 0xf700;

/// Turns bytes into text, losing nothing.
pub fn decode(bytes: Vec<u8>) -> String {
    // All private characters in question start with this byte, which hardly any source contains.
    let suspicious = bytes.contains(&0xef);
    let text = match String::from_utf8(bytes) {
        Ok(text) if !suspicious => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut out = String::with_capacity(text.len() + 64);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match raw_byte(c) {
                None => out.push(c),
                Some(_) => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(raw_char)),
            }
        }
        out.extend(chunk.invalid().iter().map(|&b| raw_char(b)));
    }
    out
}

/// The bytes that `text` was decoded from.
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    if !text.chars().any(|c| raw_byte(c).is_some()) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match raw_byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(out)
}

/// The byte that `c` stands for, if it stands for one.
pub fn raw_byte(c: char) -> Option<u8> {
    (RAW + 0x80..=RAW + 0xff).contains(&(c as u32)).then(|| (c as u32 - RAW) as u8)
}

pub(crate) fn starts_raw_byte(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_some_and(|c| raw_byte(c).is_some())
}

fn raw_char(byte: u8) -> char {
    char::from_u32(RAW + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decoding_loses_nothing(bytes: Vec<u8>) {
            prop_assert_eq!(encode(&decode(bytes.clone())).into_owned(), bytes);
        }
    }

    #[test]
    fn private_characters_are_taken_apart() {
        for text in ["a\u{f7a0}b", "ä\u{f780}"] {
            assert_eq!(&*encode(&decode(text.into())), text.as_bytes());
        }
        assert_eq!(decode(b"a\xe4b".to_vec()), "a\u{f7e4}b");
        assert_eq!(decode("aäb".into()), "aäb");
    }
}
