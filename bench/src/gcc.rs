//! What gcc says: does it accept a file, how long does it take, what does the program print.

use crate::data::CFile;
use crate::proc::{self, Ran};
use crate::store::Store;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The first line of `gcc --version`.
pub fn version() -> io::Result<String> {
    let ran = proc::run(&crate::argv!["gcc", "--version"], Duration::from_secs(10))?;
    Ok(ran.stdout.lines().next().unwrap_or("").to_string())
}

/// gcc's verdicts on files, remembered between runs.
pub struct Verdicts {
    store: Mutex<Store>,
}

impl Verdicts {
    pub fn open(results: &Path) -> io::Result<Verdicts> {
        let store = Store::open(results, "gcc", &version()?, false)?;
        Ok(Verdicts { store: Mutex::new(store) })
    }

    /// Does `gcc -fsyntax-only` accept the file? For ILP32, `-m32` is tried first, then without: a system
    /// without 32-bit headers should not cost the files that include some.
    pub fn accepts(&self, file: &CFile) -> io::Result<bool> {
        let meta = std::fs::metadata(&file.path)?;
        let modified = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        let key = format!(
            "{} {} {} {} {:?}",
            file.path.display(),
            meta.len(),
            modified.map_or(0, |d| d.as_nanos()),
            file.ilp32,
            file.defines
        );
        if let Some(known) = self.store.lock().ok().and_then(|s| s.get(&key)) {
            return Ok(known);
        }
        let models: &[&str] = if file.ilp32 { &["-m32", "-m64"] } else { &["-m64"] };
        let mut accepted = false;
        for model in models {
            let ran = proc::run(&syntax_only(file, model), Duration::from_secs(60))?;
            accepted |= ran.ok();
            if accepted {
                break;
            }
        }
        if let Ok(mut store) = self.store.lock() {
            store.put(&key, &accepted)?;
        }
        Ok(accepted)
    }
}

/// The command line that parses and checks a file and does nothing else. `-x c` also for `.i` files: told
/// that a file is preprocessed, gcc no longer understands `#line`, which many of them contain.
pub fn syntax_only(file: &CFile, model: &str) -> Vec<String> {
    let mut argv = crate::argv!["gcc", "-fsyntax-only", "-w", "-fmax-errors=1", model, "-x", "c"];
    argv.extend(file.includes.iter().map(|dir| format!("-I{}", dir.display())));
    argv.extend(file.defines.iter().map(|define| format!("-D{define}")));
    argv.push(file.path.display().to_string());
    argv
}

/// Compiles one file to `output`.
pub fn build(source: &Path, output: &Path, flags: &[&str]) -> io::Result<Ran> {
    let mut argv = crate::argv!["gcc", "-w", "-fwrapv"];
    argv.extend(flags.iter().map(|f| f.to_string()));
    argv.extend(crate::argv!["-o", output.display(), source.display()]);
    proc::run(&argv, Duration::from_secs(120))
}
