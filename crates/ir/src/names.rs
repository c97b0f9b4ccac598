//! How names of a program are made unique, and the way back to what the source says: what lies in a function
//! or a file is `owner::name`, and of several with one name all but the first have a number, `name#2`.

/// The name of what lies in a function or a file.
pub fn qualified(owner: &str, name: &str) -> String {
    format!("{owner}::{name}")
}

/// The function or file that a name is qualified with, and the rest.
pub fn split_qualified(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once("::")
}

/// The name without the function or file that qualifies it.
pub fn unqualified(name: &str) -> &str {
    split_qualified(name).map_or(name, |(_, name)| name)
}

/// The name of the `n`-th of several that would be called the same, counted from 1.
pub fn numbered(name: &str, n: impl Into<u64>) -> String {
    let n = n.into();
    if n == 1 { name.to_owned() } else { format!("{name}#{n}") }
}

/// The name without its number.
pub fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        assert_eq!(split_qualified(&qualified("a.c::f", "x")), Some(("a.c::f", "x")));
        assert_eq!((unqualified("f::x"), unqualified("x")), ("x", "x"));
        assert_eq!((numbered("x", 1u32), numbered("x", 2u32)), ("x".to_owned(), "x#2".to_owned()));
        assert_eq!((unnumbered("x#12"), unnumbered("x"), unnumbered("x#y")), ("x", "x", "x#y"));
    }
}
