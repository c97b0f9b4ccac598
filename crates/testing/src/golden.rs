//! Printed output that is kept beside its case, and blessed with `REPROVE_BLESS=1`.

use std::path::Path;

/// Whether outputs are to be written instead of compared.
pub fn blessing() -> bool {
    std::env::var("REPROVE_BLESS").is_ok_and(|value| value == "1")
}

/// Compares with a file, or writes it. A file that is not there is only made by blessing.
pub fn compare(path: &Path, found: &str) -> Result<(), String> {
    if blessing() {
        return std::fs::write(path, found).map_err(|e| format!("{}: {e}", path.display()));
    }
    let expected = std::fs::read_to_string(path)
        .map_err(|e| format!("{}: {e}; REPROVE_BLESS=1 makes it", path.display()))?;
    if expected == found {
        return Ok(());
    }
    Err(format!("{} differs; REPROVE_BLESS=1 replaces it\n{}", path.display(), difference(&expected, found)))
}

/// The lines from the first that differs to the last, of both.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = |list: &[&str]| list.len() - start;
    let same = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let part = |list: &[&str], sign: char| -> String {
        list[start..start + rest(list) - same].iter().map(|line| format!("{sign} {line}\n")).collect()
    };
    format!("from line {}:\n{}{}", start + 1, part(&old, '-'), part(&new, '+'))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn differences() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "from line 2:\n- b\n+ x\n+ y\n");
        assert_eq!(difference("a\na\n", "a\n"), "from line 2:\n- a\n");
    }
}
