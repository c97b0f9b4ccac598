//! Harnesses, and how they are run on a revision: the comment lines at their top
//! (`programs/harness/README.md`).

use std::fs;
use std::path::{Path, PathBuf};

pub struct Harness {
    /// `sds/trim`.
    pub name: String,
    pub path: PathBuf,
    /// Where it lies, and headers of its own.
    pub folder: PathBuf,
    /// Of the text: results of another text are none.
    pub hash: String,
    head: Head,
}

/// What the comments say.
#[derive(Default, Debug, PartialEq, Eq)]
struct Head {
    project: String,
    files: Vec<String>,
    flags: Vec<String>,
    ranges: Vec<Range>,
}

/// Revisions from one number to another, with flags of their own.
#[derive(Debug, PartialEq, Eq)]
struct Range {
    first: u32,
    last: u32,
    flags: Vec<String>,
}

/// A revision to which a harness applies.
#[derive(Default)]
pub struct Revision {
    pub name: String,
    pub folder: PathBuf,
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
}

/// All harnesses of a folder, by name.
pub fn read(folder: &Path) -> Result<Vec<Harness>, String> {
    let mut harnesses = Vec::new();
    for project in list(folder)?.into_iter().filter(|path| path.is_dir()) {
        for path in list(&project)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "c")) {
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let head = head(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{}/{stem}", head.project);
            let hash = blake3::hash(text.as_bytes()).to_hex()[..16].to_string();
            harnesses.push(Harness { name, path, folder: project.clone(), hash, head });
        }
    }
    harnesses.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(harnesses)
}

impl Harness {
    /// The revisions to which it applies, in their order.
    pub fn revisions(&self, projects: &Path) -> Result<Vec<Revision>, String> {
        let mut revisions = Vec::new();
        for folder in list(&projects.join(&self.head.project).join("series"))? {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(number) = name.split('_').next().and_then(|n| n.parse().ok()) else { continue };
            let Some(own) = self.head.flags_of(number) else { continue };
            let files = self.head.files.iter().map(|file| folder.join(file));
            let files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
            let flags = self.head.flags.iter().chain(own).cloned().collect();
            revisions.push(Revision { name, folder, files, flags });
        }
        Ok(revisions)
    }
}

impl Head {
    /// None: it does not apply to this revision.
    fn flags_of(&self, revision: u32) -> Option<&[String]> {
        if self.ranges.is_empty() {
            return Some(&[]);
        }
        let range = self.ranges.iter().find(|range| (range.first..=range.last).contains(&revision))?;
        Some(&range.flags)
    }
}

fn head(text: &str) -> Result<Head, String> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut head = Head::default();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        match line.split_once(": ") {
            Some(("project", name)) => head.project = name.trim().to_owned(),
            Some(("files", list)) => head.files = words(list),
            Some(("flags", list)) => head.flags = words(list),
            Some(("revisions", list)) => {
                let mut list = words(list).into_iter();
                let range = list.next().unwrap_or_default();
                let (first, last) = range.split_once("..").ok_or("revisions are FIRST..LAST")?;
                let number = |text: &str, open: u32| match text {
                    "" => Ok(open),
                    text => text.parse().map_err(|_| format!("'{text}' is no number of a revision")),
                };
                let (first, last) = (number(first, 0)?, number(last, u32::MAX)?);
                head.ranges.push(Range { first, last, flags: list.collect() });
            }
            _ => {}
        }
    }
    if head.project.is_empty() { Err("no line '// project: NAME'".to_owned()) } else { Ok(head) }
}

/// What is in a folder, sorted.
fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<_, String>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_how_it_is_run() {
        let text = "// project: sds\n// files: sds.c a.c\n// flags: -DN=8\n// revisions: 0004..0007 -DOLD -DX\n\
                    // revisions: 0010..\n// Trims: a string.\n#include \"input.h\"\n// project: no\n";
        let head = head(text).unwrap();
        assert_eq!((head.project.as_str(), head.files.len(), head.flags.len()), ("sds", 2, 1));
        let check = |revision: u32, expected: Option<&[&str]>| {
            let flags =
                head.flags_of(revision).map(|flags| flags.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(flags.as_deref(), expected, "{revision}");
        };
        check(3, None);
        check(4, Some(&["-DOLD", "-DX"]));
        check(7, Some(&["-DOLD", "-DX"]));
        check(8, None);
        check(99, Some(&[]));
    }

    #[test]
    fn what_is_wrong_with_them() {
        let check =
            |text: &str, expected: &str| assert_eq!(head(text).err().as_deref(), Some(expected), "{text}");
        check("int main(void) {}\n", "no line '// project: NAME'");
        check("// project: a\n// revisions: 7\n", "revisions are FIRST..LAST");
        check("// project: a\n// revisions: x..\n", "'x' is no number of a revision");
    }

    #[test]
    fn our_harnesses() {
        let harnesses = read(&super::super::own_harnesses()).unwrap();
        assert!(harnesses.len() >= 25, "{}", harnesses.len());
        assert!(harnesses.iter().all(|harness| !harness.head.files.is_empty()));
    }
}
