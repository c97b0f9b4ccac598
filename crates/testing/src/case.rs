//! Cases: C files whose first lines say what is expected of them (`tests/README.md`).
//!
//! The header is the run of lines at the top that start with `//`. A line `// key: value` is an entry, any
//! other is a remark for people. A key that nobody knows is an error, and so is an entry below the header:
//! a misspelt expectation must not be no expectation.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Case {
    pub path: PathBuf,
    pub text: String,
    entries: Vec<(String, String)>,
}

impl Case {
    /// Reads a file whose header has no other keys than these.
    pub fn read(path: &Path, keys: &[&str]) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let entries = entries(&text, keys).map_err(|what| format!("{}: {what}", path.display()))?;
        Ok(Case { path: path.to_owned(), text, entries })
    }

    /// What comes after the header.
    pub fn program(&self) -> &str {
        let header = self.text.split_inclusive('\n').take_while(|line| line.starts_with("//"));
        self.text.get(header.map(str::len).sum()..).unwrap_or_default()
    }

    /// Of a key that may be there once.
    pub fn get(&self, key: &str) -> Result<Option<&str>, String> {
        let mut values = self.all(key);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(format!("'{key}' is there more than once")),
        }
    }

    /// Of a key that must be there, once.
    pub fn need(&self, key: &str) -> Result<&str, String> {
        self.get(key)?.ok_or_else(|| format!("there is no '// {key}: ...'"))
    }

    /// Of a key that may be there any number of times.
    pub fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// The parts of a value that are divided by a comma and a blank; one empty part if there is no such key.
    pub fn list(&self, key: &str) -> Result<Vec<&str>, String> {
        Ok(self.get(key)?.unwrap_or_default().split(", ").collect())
    }
}

fn entries(text: &str, keys: &[&str]) -> Result<Vec<(String, String)>, String> {
    let mut list = Vec::new();
    let mut header = true;
    for (number, line) in (1..).zip(text.lines()) {
        header &= line.starts_with("//");
        let Some((key, value)) = entry(line) else { continue };
        match (header, keys.contains(&key)) {
            (true, true) => list.push((key.to_owned(), value.to_owned())),
            (true, false) => return Err(format!("line {number}: unknown key '{key}'; known: {keys:?}")),
            (false, true) => return Err(format!("line {number}: '{key}' is not in the header")),
            (false, false) => {}
        }
    }
    Ok(list)
}

/// A line `// one-word: value`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("//")?.trim().split_once(':')?;
    let word = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    word.then_some((key, value.trim()))
}

/// All files with this ending below a folder, sorted.
pub fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let mut list = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                list.push(path);
            }
        }
    }
    list.sort();
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn headers() {
        let read = |text: &str| entries(text, &["expect", "assumes-not"]);
        let some = |list: &[(&str, &str)]| {
            Ok(list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<Vec<_>>())
        };
        assert_eq!(
            read("// A remark: of several words.\n// expect: safe\nint x;\n"),
            some(&[("expect", "safe")])
        );
        assert_eq!(read("//assumes-not:  a b \n"), some(&[("assumes-not", "a b")]));
        assert_eq!(read("int x;\n// other: remark\n"), some(&[]));
        assert!(read("// expct: safe\n").is_err());
        assert!(read("// Expect: safe\n").is_err());
        assert!(read("int x;\n// expect: safe\n").is_err());
    }
}
