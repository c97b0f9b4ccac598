//! The benchmark folder: which sets there are, their C files, and how each file is to be read.
//!
//! The archives may be unpacked flat (`DIR/drivers--*`, `DIR/svcomp2016`, …) or each into a folder named
//! after it.

use crate::proc;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Set {
    Svcomp2016,
    Drivers,
    Equiv,
    Projects,
    Cbmc,
    Cpachecker,
    Ultimate,
}

/// A C file and the options that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct CFile {
    pub path: PathBuf,
    /// The path below the benchmark folder.
    pub name: String,
    pub ilp32: bool,
    pub includes: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
}

impl Set {
    pub const ALL: [Set; 7] =
        [Set::Svcomp2016, Set::Drivers, Set::Equiv, Set::Projects, Set::Cbmc, Set::Cpachecker, Set::Ultimate];

    pub fn name(self) -> &'static str {
        match self {
            Set::Svcomp2016 => "svcomp2016",
            Set::Drivers => "drivers",
            Set::Equiv => "equiv",
            Set::Projects => "projects",
            Set::Cbmc => "cbmc-regression",
            Set::Cpachecker => "cpachecker-tests",
            Set::Ultimate => "ultimate-examples",
        }
    }

    /// The archive that holds the set.
    pub fn archive(self) -> &'static str {
        match self {
            Set::Cbmc | Set::Cpachecker | Set::Ultimate => "frontend",
            _ => self.name(),
        }
    }

    /// The sets that a name on the command line means; `frontend` is the three regression suites.
    pub fn by_name(name: &str) -> Option<Vec<Set>> {
        if name == "frontend" {
            return Some(vec![Set::Cbmc, Set::Cpachecker, Set::Ultimate]);
        }
        let set = Set::ALL.into_iter().find(|s| s.name() == name)?;
        Some(vec![set])
    }

    /// The share of the files gcc accepts that must be lowered, in percent.
    pub fn goal(self) -> usize {
        if matches!(self, Set::Svcomp2016 | Set::Drivers) { 100 } else { 98 }
    }

    /// All C files of the set, sorted by name.
    pub fn files(self, data: &Path) -> io::Result<Vec<CFile>> {
        let mut paths = BTreeSet::new();
        for root in self.roots(data)? {
            walk(&root, &mut |path| {
                if matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
                    paths.insert(path.to_path_buf());
                }
            })?;
        }
        Ok(paths.into_iter().map(|path| self.file(data, path)).collect())
    }

    fn roots(self, data: &Path) -> io::Result<Vec<PathBuf>> {
        let group = if self == Set::Drivers { "drivers" } else { "frontend" };
        let mut roots = Vec::new();
        for dir in [data.to_path_buf(), data.join(group)] {
            let Ok(entries) = fs::read_dir(&dir) else { continue };
            for entry in entries {
                let path = entry?.path();
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("").to_string();
                let wanted =
                    if self == Set::Drivers { name.starts_with("drivers--") } else { name == self.name() };
                if wanted && path.is_dir() {
                    roots.push(path);
                }
            }
        }
        Ok(roots)
    }

    fn file(self, data: &Path, path: PathBuf) -> CFile {
        let name = path.strip_prefix(data).unwrap_or(&path).to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(data).to_path_buf();
        let mut file =
            CFile { path, name, ilp32: false, includes: vec![folder.clone()], defines: Vec::new() };
        match self {
            Set::Svcomp2016 => {
                let class = folder.file_name().and_then(|n| n.to_str()).unwrap_or("");
                file.ilp32 = !class.starts_with("ldv-") && class != "drivers" || says_ilp32(&file.path);
                file.defines.extend(missing_definition(&file.name).map(str::to_string));
            }
            Set::Cbmc => {
                if let Ok(text) = fs::read_to_string(folder.join("test.desc")) {
                    apply_test_desc(&mut file, &folder, &text);
                }
            }
            Set::Cpachecker => {
                let stem = file.path.file_stem().and_then(|n| n.to_str()).unwrap_or("");
                if let Ok(text) = fs::read_to_string(folder.join(format!("{stem}.yml"))) {
                    file.ilp32 = text.lines().any(|l| l.trim().starts_with("data_model: ILP32"));
                }
            }
            Set::Drivers | Set::Equiv | Set::Projects | Set::Ultimate => {}
        }
        file
    }
}

/// Was the program preprocessed for 32 bits, whatever its class is?
fn says_ilp32(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.contains("typedef unsigned int size_t;"))
}

/// Three programs of the set need a macro that their makers gave elsewhere (a header that is not in the set,
/// the command line).
fn missing_definition(name: &str) -> Option<&'static str> {
    if name.contains("/loop-lit/") {
        Some("LARGE_INT=1000000")
    } else if name.ends_with("/floats-cdfpl/square.c") {
        Some("NR=1")
    } else {
        None
    }
}

/// The third line of a CBMC test description holds its options.
fn apply_test_desc(file: &mut CFile, folder: &Path, text: &str) {
    let mut words = text.lines().nth(2).unwrap_or("").split_whitespace();
    while let Some(word) = words.next() {
        let value = |prefix: &str, next: &mut dyn Iterator<Item = &str>| match word.strip_prefix(prefix) {
            Some("") => next.next().map(str::to_string),
            Some(rest) => Some(rest.to_string()),
            None => None,
        };
        if matches!(word, "--32" | "-m32" | "--i386-linux" | "--win32") {
            file.ilp32 = true;
        } else if let Some(define) = value("-D", &mut words) {
            file.defines.push(define);
        } else if let Some(dir) = value("-I", &mut words) {
            file.includes.push(folder.join(dir));
        }
    }
}

fn walk(dir: &Path, visit: &mut impl FnMut(&Path)) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, visit)?;
        } else {
            visit(&path);
        }
    }
    Ok(())
}

/// Unpacks every `*.tar.zst` in `archives` into `data`, once.
pub fn unpack(archives: &Path, data: &Path) -> Result<(), String> {
    let fail = |e: io::Error| format!("{}: {e}", archives.display());
    fs::create_dir_all(data).map_err(fail)?;
    for entry in fs::read_dir(archives).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let Some(name) = path.file_name().and_then(|n| n.to_str()).filter(|n| n.ends_with(".tar.zst")) else {
            continue;
        };
        let done = data.join(format!(".{name}.unpacked"));
        if done.exists() {
            continue;
        }
        eprintln!("unpacking {name}");
        let script = "zstd -dc \"$1\" | tar x -C \"$2\"";
        let argv = crate::argv!["sh", "-c", script, "sh", path.display(), data.display()];
        let ran = proc::run(&argv, Duration::from_secs(600)).map_err(fail)?;
        if !ran.ok() {
            return Err(format!("{name}: {}", ran.stderr.trim()));
        }
        fs::write(done, "").map_err(fail)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_from_test_descriptions() {
        let mut file = CFile {
            path: "d/main.c".into(),
            name: "main.c".into(),
            ilp32: false,
            includes: vec![],
            defines: vec![],
        };
        apply_test_desc(
            &mut file,
            Path::new("d"),
            "CORE\nmain.c\n--32 -DA=1 -D B -I inc --unwind 3\n^EXIT=0$\n",
        );
        assert!(file.ilp32);
        assert_eq!(file.defines, ["A=1", "B"]);
        assert_eq!(file.includes, [PathBuf::from("d/inc")]);
    }

    #[test]
    fn data_models_by_folder() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["svcomp2016/loops/a.c", "svcomp2016/ldv-x/b.i", "drivers--a/c.i", "equiv/d.c"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let check = |set: Set, expected: &[(&str, bool)]| {
            let files = set.files(dir.path()).unwrap();
            let found: Vec<_> = files.iter().map(|f| (f.name.as_str(), f.ilp32)).collect();
            assert_eq!(found, expected);
        };
        check(Set::Svcomp2016, &[("svcomp2016/ldv-x/b.i", false), ("svcomp2016/loops/a.c", true)]);
        check(Set::Drivers, &[("drivers--a/c.i", false)]);
        check(Set::Equiv, &[("equiv/d.c", false)]);
        check(Set::Projects, &[]);
    }
}
