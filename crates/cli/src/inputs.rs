//! The files that an argument stands for: itself, those in a folder, or those of a compilation database; and
//! the flags of each.
//!
//! Flags come from the database that `-p` names, as for clangd and clang-tidy: those of the same file there,
//! or else those of the file that is nearest to it. A database only says which flags there are: programs that
//! it names are not run.

use crate::args::{FrontArgs, TargetArg};
use crate::database::{Database, Unit};
use crate::flags;
use cfront::Input;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folders {
    Accept,
    /// Left to the front end, which says what is wrong with them.
    AsFiles,
}

#[derive(Default)]
pub struct Inputs {
    pub files: Vec<Input>,
    /// The machine that the flags of the files are for.
    pub target: Option<TargetArg>,
    /// A database that is the program: all of its files are linked.
    pub whole: Option<PathBuf>,
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
}

/// `build` is the database that flags come from.
pub fn expand(
    paths: &[PathBuf],
    folders: Folders,
    front: &FrontArgs,
    build: Option<&Path>,
) -> Result<Inputs, String> {
    let database = build.map(Database::open).transpose()?;
    let mut inputs = Inputs::default();
    let mut targets = Vec::new();
    let mut unknown = flags::of_user(&front.flags).unknown_meaning;
    let mut lend = |path: PathBuf, unit: &Unit| {
        targets.push(unit.flags.target.unwrap_or(TargetArg::Lp64));
        unknown.extend(unit.flags.unknown_meaning.iter().cloned());
        Input { path, flags: unit.flags.words.clone() }
    };
    for path in paths {
        if path.extension().is_some_and(|e| e == "json") {
            let database = Database::open(path)?;
            let units = database.units.iter().map(|unit| lend(flags::from_here(&unit.file), unit));
            inputs.files.extend(units);
            if database.others > 0 {
                let (name, count) = (path.display(), database.others);
                inputs.warnings.push(format!("{name}: files that are not C are left out ({count})"));
            }
            inputs.whole = Some(database.path);
            continue;
        }
        for path in files(path, folders)? {
            let Some(database) = database.as_ref().filter(|_| is_preprocessed(&path)) else {
                inputs.files.push(path.into());
                continue;
            };
            let real = flags::real(&path);
            let found = database.find(&real);
            let Some(unit) = found.or_else(|| database.nearest(&real)) else { continue };
            if found.is_none() {
                let (file, of) = (path.display(), flags::from_here(&unit.file));
                let (name, of) = (database.path.display(), of.display());
                inputs.notes.push(format!("{file} is not in {name}; it gets the flags of {of}"));
            }
            inputs.files.push(lend(path, unit));
        }
    }
    unknown.sort();
    unknown.dedup();
    let ignored =
        |flag: String| format!("{flag} has no effect: the front end knows only the language without it");
    inputs.warnings.extend(unknown.into_iter().map(ignored));
    inputs.target = one_target(&targets, front)?;
    Ok(inputs)
}

/// A program runs on one machine.
fn one_target(targets: &[TargetArg], front: &FrontArgs) -> Result<Option<TargetArg>, String> {
    match (front.target, targets) {
        (Some(target), _) => Ok(Some(target)),
        (None, [first, rest @ ..]) if rest.iter().any(|other| other != first) => {
            Err("some of the files are compiled with -m32 and some without; --target chooses".to_owned())
        }
        (None, targets) => Ok(targets.first().copied()),
    }
}

/// Is the preprocessor asked about it?
fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_none_or(|e| e != "i")
}

fn files(path: &Path, folders: Folders) -> Result<Vec<PathBuf>, String> {
    if folders == Folders::AsFiles || !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    walk(path, &mut files).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    match files.is_empty() {
        true => Err(format!("{}: no .c or .i file in this folder", path.display())),
        false => Ok(files),
    }
}

/// All C files below `folder`, sorted, so that the same tree is the same program everywhere. Hidden folders
/// and links to folders are left out.
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
