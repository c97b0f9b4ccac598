//! The files that an argument stands for: itself, those in a folder, or those of a compilation database.
//!
//! Every file of a database has its own include folders and macros, so it is preprocessed here, as the database says
//! (but with the preprocessor of our own command line: a database names programs, and reading a file must not run
//! them), and the front end gets the result.

use crate::args::{FrontArgs, TargetArg};
use cfront::preprocess::Macro;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folders {
    Accept,
    /// Left to the front end, which says what is wrong with them.
    AsFiles,
}

pub struct Inputs {
    pub files: Vec<PathBuf>,
    /// Holds preprocessed files while they are needed.
    _folder: Option<TempDir>,
}

pub fn expand(paths: &[PathBuf], folders: Folders, front: &FrontArgs) -> Result<Inputs, String> {
    let mut files = Vec::new();
    let mut folder = None;
    for path in paths {
        if path.extension().is_some_and(|e| e == "json") {
            let folder = match &mut folder {
                Some(folder) => folder,
                none => {
                    none.insert(TempDir::new().map_err(|e| format!("cannot make a temporary folder: {e}"))?)
                }
            };
            read_database(path, front, folder.path(), &mut files)?;
        } else if folders == Folders::Accept && path.is_dir() {
            let before = files.len();
            walk(path, &mut files).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            if files.len() == before {
                return Err(format!("{}: no .c or .i file in this folder", path.display()));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(Inputs { files, _folder: folder })
}

/// All C files below `folder`, sorted, so that the same tree is the same program everywhere. Hidden folders and
/// links to folders are left out.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(|e| e.file_name());
    for entry in entries {
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

fn read_database(path: &Path, front: &FrontArgs, out: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|e| format!("{}: not a compilation database: {e}", path.display()))?;
    if entries.is_empty() {
        return Err(format!("{}: the compilation database is empty", path.display()));
    }
    let base = path.parent().unwrap_or(Path::new(""));
    for entry in entries {
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(command)) => split(&command),
            (None, None) => {
                let file = entry.file.display();
                return Err(format!("{}: the entry for {file} has no command", path.display()));
            }
        };
        let directory = base.join(&entry.directory);
        // Absolute, so that messages name a file that can be found from here.
        let file = std::path::absolute(directory.join(&entry.file)).map_err(|e| e.to_string())?;
        let target = out.join(format!("{}.i", files.len()));
        preprocess(front, &directory, &file, &flags(&words, &entry.file), &target)?;
        files.push(target);
    }
    Ok(())
}

fn preprocess(
    front: &FrontArgs,
    directory: &Path,
    file: &Path,
    flags: &[&str],
    out: &Path,
) -> Result<(), String> {
    let mut words = front.cc.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).arg("-E").args(flags);
    if front.target == TargetArg::Ilp32 && !flags.contains(&"-m32") {
        command.arg("-m32");
    }
    command.args(front.include.iter().map(|dir| {
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.clone());
        let mut flag = std::ffi::OsString::from("-I");
        flag.push(dir);
        flag
    }));
    command.args(front.macros.iter().map(|change| match change {
        Macro::Define(text) => format!("-D{text}"),
        Macro::Undefine(name) => format!("-U{name}"),
    }));
    command.arg("-o").arg(out).arg(file).current_dir(directory).stdin(Stdio::null());
    let done =
        command.output().map_err(|e| format!("cannot run '{}' in {}: {e}", front.cc, directory.display()))?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        return Err(format!("preprocessing {} failed:\n{}", file.display(), text.trim_end()));
    }
    Ok(())
}

/// What matters for preprocessing: everything but the compiler, the file, and what to do with the result.
fn flags<'a>(words: &'a [String], file: &Path) -> Vec<&'a str> {
    let mut flags = Vec::new();
    let mut words = words.iter().map(String::as_str).skip(1);
    while let Some(word) = words.next() {
        match word {
            "-c" | "-S" | "-E" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" | "-MG" | "--" => {}
            "-o" | "-MF" | "-MT" | "-MQ" => {
                words.next();
            }
            // These make the preprocessor run other programs.
            "-wrapper" | "-specs" | "-B" | "-fplugin" => {
                words.next();
            }
            _ if ["-fplugin", "-specs=", "--specs=", "-B", "@"].iter().any(|p| word.starts_with(p)) => {}
            _ if word.starts_with("-o") || word.starts_with("-MF") || word.starts_with("-Wp,") => {}
            _ if Path::new(word) == file => {}
            _ => flags.push(word),
        }
    }
    flags
}

/// The words of a shell command, without any expansion.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|&c| c != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|&c| c != '"') {
                    match c {
                        '\\' => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some(c) => word.extend(['\\', c]),
                            None => word.push('\\'),
                        },
                        _ => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let check = |command: &str, expected: &[&str]| assert_eq!(split(command), expected, "{command}");
        check("cc  -c a.c", &["cc", "-c", "a.c"]);
        check(r#"cc -DX="\"a b\"" 'it''s' a\ b.c"#, &["cc", r#"-DX="a b""#, "its", "a b.c"]);
        check("cc ''", &["cc", ""]);
        check("", &[]);
        check("'open", &["open"]);
    }

    #[test]
    fn flags_for_preprocessing() {
        let words = split("gcc -Iinc -DA=1 -MD -MF a.d -c -o a.o -std=gnu11 -include x.h src/a.c");
        assert_eq!(flags(&words, Path::new("src/a.c")), ["-Iinc", "-DA=1", "-std=gnu11", "-include", "x.h"]);
    }
}
