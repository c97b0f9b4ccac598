//! Compilation databases (`compile_commands.json`), as CMake, Meson and bear write them: which flags a file
//! is compiled with.

use crate::flags::{self, Flags};
use crate::shell;
use serde::Deserialize;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const NAME: &str = "compile_commands.json";

pub struct Database {
    /// The file itself.
    pub path: PathBuf,
    /// Its C files, each once: the first entry of a file counts.
    pub units: Vec<Unit>,
    /// How many files there are that are not C.
    pub others: usize,
}

/// A file of a database.
pub struct Unit {
    pub file: PathBuf,
    pub flags: Flags,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

impl Database {
    /// `place` is the file, or a folder that has it.
    pub fn open(place: &Path) -> Result<Database, String> {
        let path = if place.is_dir() { place.join(NAME) } else { place.to_path_buf() };
        let name = path.display();
        let text = std::fs::read_to_string(&path).map_err(|e| match e.kind() {
            ErrorKind::NotFound if place.is_dir() => format!(
                "{}: no {NAME} in this folder; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup` and `bear -- make` write one",
                place.display()
            ),
            ErrorKind::NotFound => format!("{name}: no such compilation database"),
            _ => format!("{name}: cannot read: {e}"),
        })?;
        let bad = |why: String| format!("{name}: not a compilation database: {why}");
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
        if entries.is_empty() {
            return Err(format!("{name}: the compilation database is empty"));
        }
        let base = path.parent().unwrap_or(Path::new(""));
        let mut database = Database { path: path.clone(), units: Vec::new(), others: 0 };
        for entry in entries {
            let directory = base.join(&entry.directory);
            let file = flags::real(&directory.join(&entry.file));
            let words = match (entry.arguments, entry.command) {
                (Some(words), _) => words,
                (None, Some(command)) => shell::split(&command),
                (None, None) => {
                    return Err(bad(format!("the entry for {} has no command", entry.file.display())));
                }
            };
            if !is_c(&file, &words) {
                database.others += 1;
            } else if database.find(&file).is_none() {
                database.units.push(Unit { file, flags: flags::of_command(&words, &directory) });
            }
        }
        match database.units.is_empty() {
            true => Err(format!("{name}: the compilation database has no C file")),
            false => Ok(database),
        }
    }

    /// The unit of a file, by its [real](flags::real) name.
    pub fn find(&self, file: &Path) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.file == file)
    }

    /// The unit that a file most probably belongs to, for files that are not in the database: in the nearest
    /// folder, and among those with the name that begins alike; the first of them.
    pub fn nearest(&self, file: &Path) -> Option<&Unit> {
        let near = |unit: &Unit| (shared_folders(&unit.file, file), shared_name(&unit.file, file));
        // The last of the maximal ones, from behind: the first.
        self.units.iter().rev().max_by_key(|unit| near(unit))
    }
}

/// By the name, unless the command says another language.
fn is_c(file: &Path, words: &[String]) -> bool {
    let language = words.iter().zip(words.iter().skip(1)).find(|(flag, _)| *flag == "-x").map(|(_, of)| of);
    match language {
        Some(language) => language == "c",
        None => file.extension().is_some_and(|e| e == "c" || e == "i"),
    }
}

fn shared_folders(a: &Path, b: &Path) -> usize {
    let folders = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let (a, b) = (folders(a), folders(b));
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

fn shared_name(a: &Path, b: &Path) -> usize {
    let stem = |path: &Path| path.file_stem().map(OsStr::as_encoded_bytes).unwrap_or_default().to_vec();
    stem(a).iter().zip(&stem(b)).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_lends_its_flags() {
        let unit = |file: &str| Unit { file: file.into(), flags: Flags::default() };
        let units = ["/p/src/a.c", "/p/src/queue.c", "/p/src/net/queue.c", "/p/test/t.c"].map(unit).into();
        let database = Database { path: "x.json".into(), units, others: 0 };
        let check = |file: &str, expected: &str| {
            let found = database.nearest(Path::new(file)).map(|unit| unit.file.display().to_string());
            assert_eq!(found.as_deref(), Some(expected), "{file}");
        };
        check("/p/test/new.c", "/p/test/t.c");
        check("/p/src/queue_harness.c", "/p/src/queue.c");
        check("/p/src/net/harness.c", "/p/src/net/queue.c");
        check("/p/proofs/harness.c", "/p/src/a.c");
        check("/elsewhere/queue_proof.c", "/p/src/queue.c");
    }
}
