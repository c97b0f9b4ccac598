//! A hash of the code that gives stored artefacts their meaning, made whenever that code changes.
//!
//! What the store has was written by some build of this tool and means what the code of that build says.
//! Instead of version numbers that somebody has to remember to raise, entries carry this hash, and only those
//! of the same hash are read. It covers all crates that have a part in an answer, and the versions of what
//! they depend on; not those that print answers or measure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that only show answers, or make programs for tests.
const OUTSIDE: [&str; 3] = ["cli", "report", "testing"];

fn main() -> std::io::Result<()> {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let crates = own.join("..");
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&crates)? {
        let entry = entry?;
        let name = entry.file_name();
        if OUTSIDE.iter().any(|outside| name == *outside) {
            continue;
        }
        for part in ["src", "models", "Cargo.toml", "build.rs"] {
            collect(&entry.path().join(part), &mut files)?;
        }
    }
    collect(&crates.join("../Cargo.lock"), &mut files)?;
    let mut hasher = blake3::Hasher::new_derive_key("reprove code");
    for (path, content) in &files {
        let name = path.strip_prefix(&crates).unwrap_or(path).to_string_lossy().replace('\\', "/");
        for part in [name.as_bytes(), content] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    println!("cargo::rustc-env=REPROVE_CODE={}", &hasher.finalize().to_hex()[..16]);
    Ok(())
}

/// All files at or below this path, if there is one.
fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> std::io::Result<()> {
    if path.is_dir() {
        println!("cargo::rerun-if-changed={}", path.display());
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        println!("cargo::rerun-if-changed={}", path.display());
        files.insert(path.to_path_buf(), fs::read(path)?);
    }
    Ok(())
}
