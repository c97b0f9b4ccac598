//! Format strings of `printf` and `scanf`, taken apart.

/// A piece of a `printf` format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Bytes as they are.
    Text(Vec<u8>),
    Conversion(Conversion),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// As models have them: `-` is 1, `+` is 2, space is 4, `#` is 8, `0` is 16.
    pub flags: i32,
    pub width: Option<Number>,
    pub precision: Option<Number>,
    pub length: Length,
    pub kind: u8,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Known(i32),
    /// `*`: the next argument.
    Argument,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    /// `z` and `t`.
    Word,
    LongDouble,
}

impl Length {
    /// The size of an integer.
    pub fn bytes(self, target: &ir::Target) -> u8 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => target.long_bits / 8,
            Length::LongLong | Length::LongDouble => 8,
            Length::Word => target.pointer_bits / 8,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn digits(&mut self) -> Option<i32> {
        let mut value = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = Some(value.unwrap_or(0i32).checked_mul(10)?.checked_add(i32::from(digit - b'0'))?);
            self.at += 1;
        }
        value
    }

    fn length(&mut self) -> Length {
        match self.peek() {
            Some(b'h') => {
                self.at += 1;
                if self.eat(b'h') { Length::Char } else { Length::Short }
            }
            Some(b'l') => {
                self.at += 1;
                if self.eat(b'l') { Length::LongLong } else { Length::Long }
            }
            Some(b'q' | b'j') => {
                self.at += 1;
                Length::LongLong
            }
            Some(b'z' | b't' | b'Z') => {
                self.at += 1;
                Length::Word
            }
            Some(b'L') => {
                self.at += 1;
                Length::LongDouble
            }
            _ => Length::Int,
        }
    }
}

/// The bytes of a literal up to its end.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.iter().position(|b| *b == 0).map_or(bytes, |end| &bytes[..end])
}

/// Takes a `printf` format apart; none if it has something that is not understood.
pub fn printf(format: &[u8]) -> Option<Vec<Piece>> {
    let mut reader = Reader { bytes: text(format), at: 0 };
    let mut pieces: Vec<Piece> = Vec::new();
    while let Some(byte) = reader.peek() {
        reader.at += 1;
        if byte != b'%' || reader.eat(b'%') {
            match pieces.last_mut() {
                Some(Piece::Text(text)) => text.push(byte),
                _ => pieces.push(Piece::Text(vec![byte])),
            }
            continue;
        }
        let mut flags = 0;
        loop {
            flags |= match reader.peek() {
                Some(b'-') => 1,
                Some(b'+') => 2,
                Some(b' ') => 4,
                Some(b'#') => 8,
                Some(b'0') => 16,
                _ => break,
            };
            reader.at += 1;
        }
        let width =
            if reader.eat(b'*') { Some(Number::Argument) } else { reader.digits().map(Number::Known) };
        let precision = match reader.eat(b'.') {
            false => None,
            true if reader.eat(b'*') => Some(Number::Argument),
            true => Some(Number::Known(reader.digits().unwrap_or(0))),
        };
        let length = reader.length();
        let kind = reader.peek()?;
        reader.at += 1;
        let known = match kind {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' => length != Length::LongDouble,
            b'c' | b's' => length == Length::Int,
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'p' => true,
            _ => false,
        };
        if !known {
            return None;
        }
        pieces.push(Piece::Conversion(Conversion { flags, width, precision, length, kind }));
    }
    Some(pieces)
}

/// A conversion of a `scanf` format that stores something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scanned {
    pub width: Option<i32>,
    /// `m`: the string is put into a block of its own.
    pub allocate: bool,
    pub length: Length,
    /// `[` for a set.
    pub kind: u8,
}

/// The conversions of a `scanf` format that store something, in order; none if it has something that is not
/// understood.
pub fn scanf(format: &[u8]) -> Option<Vec<Scanned>> {
    let mut reader = Reader { bytes: text(format), at: 0 };
    let mut list = Vec::new();
    while let Some(byte) = reader.peek() {
        reader.at += 1;
        if byte != b'%' || reader.eat(b'%') {
            continue;
        }
        let skip = reader.eat(b'*');
        let width = reader.digits();
        let allocate = reader.eat(b'm');
        let length = reader.length();
        let kind = reader.peek()?;
        reader.at += 1;
        match kind {
            b'[' => {
                reader.eat(b'^');
                reader.eat(b']');
                while reader.peek()? != b']' {
                    reader.at += 1;
                }
                reader.at += 1;
            }
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' | b'c' | b's' | b'p' => {}
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {}
            _ => return None,
        }
        if !skip {
            list.push(Scanned { width, allocate, length, kind });
        }
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let check = |format: &str, expected: Option<&str>| {
            let show = |pieces: Vec<Piece>| {
                let one = |piece| match piece {
                    Piece::Text(text) => format!("'{}'", String::from_utf8_lossy(&text)),
                    Piece::Conversion(c) => {
                        format!(
                            "{}:{:?}:{:?}:{:?}:{}",
                            c.flags, c.width, c.precision, c.length, c.kind as char
                        )
                    }
                };
                pieces.into_iter().map(one).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(printf(format.as_bytes()).map(show).as_deref(), expected, "{format}");
        };
        check("a%%b", Some("'a%b'"));
        check("%-05d!", Some("17:Some(Known(5)):None:Int:d '!'"));
        check("%.*s\0%d", Some("0:None:Some(Argument):Int:s"));
        check("%hhx%zu", Some("0:None:None:Char:x 0:None:None:Word:u"));
        check("%1$d", None);
        check("%", None);
        let scanned = |format: &str| {
            let show = |s: Scanned| format!("{:?}:{:?}:{}:{}", s.width, s.length, s.allocate, s.kind as char);
            scanf(format.as_bytes()).map(|list| list.into_iter().map(show).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(scanned("%d, %*d %7s").as_deref(), Some("None:Int:false:d Some(7):Int:false:s"));
        assert_eq!(scanned("%[^]a-]%ms").as_deref(), Some("None:Int:false:[ None:Int:true:s"));
        assert_eq!(scanned("%2$d"), None);
    }
}
