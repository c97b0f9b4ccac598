//! Puts the Z3 library that `scripts/setup` fetched where the linker, cargo's test runners and the finished
//! binary find it.
//!
//! The library is copied into the target folder: cargo adds link paths inside it (and only those) to the
//! library path of what it runs, and a target folder shared by several checkouts stays whole when one of them
//! goes away. Binaries get that folder as their rpath from their own build script (`DEP_REPROVE_Z3_LIBDIR`).

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-env-changed=REPROVE_Z3_DIR");
    if let Err(message) = provide() {
        println!("cargo::error={message}");
    }
}

fn provide() -> Result<(), String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let from = env::var_os("REPROVE_Z3_DIR").map_or_else(|| root.join(".deps/z3/lib"), PathBuf::from);
    println!("cargo::rerun-if-changed={}", from.join("libz3.so").display());
    let to = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo gave no OUT_DIR")?);
    let copied = copy_library(&from, &to);
    copied.map_err(|e| format!("no Z3 library in {} ({e}): run scripts/setup once", from.display()))?;
    println!("cargo::rustc-link-search=native={}", to.display());
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", to.display());
    println!("cargo::metadata=libdir={}", to.display());
    Ok(())
}

/// `libz3.so` is a link to the file named by the library's soname, which is the name that is looked up at run
/// time.
fn copy_library(from: &Path, to: &Path) -> io::Result<()> {
    let file = fs::canonicalize(from.join("libz3.so"))?;
    let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let link = to.join("libz3.so");
    for old in [to.join(name), link.clone()] {
        if let Err(e) = fs::remove_file(old)
            && e.kind() != io::ErrorKind::NotFound
        {
            return Err(e);
        }
    }
    fs::copy(&file, to.join(name))?;
    if name != "libz3.so" {
        std::os::unix::fs::symlink(name, link)?;
    }
    Ok(())
}
