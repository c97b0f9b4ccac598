//! The commands. Each takes the [`Bench`] and gives a report.

pub mod against;
pub mod claims;
pub mod csmith;
pub mod edits;
pub mod equiv;
pub mod families;
pub mod frontend;
pub mod fuzz;
pub mod green;
pub mod known;
pub mod limits;
pub mod load;
pub mod mutants;
pub mod mutants_verify;
pub mod peer;
mod plan;
pub mod projects;
pub mod series;
pub mod siemens;
pub mod speed;
pub mod svcomp;
pub mod upgrade;

use crate::data::{self, CFile, Set};
use crate::rng::Rng;
use crate::store::Store;
use crate::{Common, proc};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What all commands share.
pub struct Bench {
    data: Option<PathBuf>,
    pub results: PathBuf,
    pub jobs: usize,
    /// For what is measured against each other.
    pub timing_jobs: usize,
    pub fresh: bool,
    pub seed: u64,
    /// The hash of this binary, which contains the tool.
    tool: String,
}

impl Bench {
    pub fn new(common: &Common) -> Result<Bench, String> {
        if let Some(archives) = &common.archives {
            let data = common.data.as_ref().ok_or("--archives needs --data, where to unpack")?;
            data::unpack(archives, data)?;
        }
        let results = common.results.clone().unwrap_or_else(crate::default_results);
        fs::create_dir_all(&results).map_err(|e| format!("{}: {e}", results.display()))?;
        let binary = std::env::current_exe().and_then(fs::read).map_err(|e| format!("own binary: {e}"))?;
        let tool = blake3::hash(&binary).to_hex()[..16].to_string();
        Ok(Bench {
            data: common.data.clone(),
            results,
            jobs: common.jobs.unwrap_or(2),
            timing_jobs: common.jobs.unwrap_or(1),
            fresh: common.fresh,
            seed: common.seed,
            tool,
        })
    }

    /// What the tool that is part of this binary said.
    pub fn store(&self, name: &str) -> Result<Store, String> {
        self.store_of(name, &self.tool)
    }

    pub fn store_of(&self, name: &str, tool: &str) -> Result<Store, String> {
        Store::open(&self.results, name, tool, self.fresh).map_err(|e| format!("results of {name}: {e}"))
    }

    pub fn data(&self) -> Result<&Path, String> {
        let hint = "give the folder with the unpacked benchmarks by --data DIR or REPROVE_BENCH";
        match &self.data {
            Some(data) if data.is_dir() => Ok(data),
            Some(data) => Err(format!("{} is not a folder; {hint}", data.display())),
            None => Err(hint.into()),
        }
    }

    pub fn files(&self, set: Set) -> Result<Vec<CFile>, String> {
        let files = set.files(self.data()?).map_err(|e| format!("{}: {e}", set.name()))?;
        if files.is_empty() { Err(format!("no files of the set {}", set.name())) } else { Ok(files) }
    }

    /// An empty folder below the results.
    pub fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        let dir = self.results.join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(dir)
    }

    /// At most `count` files of all sets that are no larger than `bytes`, the same ones for the same seed.
    pub fn sample(&self, count: usize, bytes: u64) -> Result<Vec<CFile>, String> {
        let mut chosen = Vec::new();
        for set in Set::ALL {
            let mut files = self.files(set)?;
            files.retain(|f| fs::metadata(&f.path).is_ok_and(|m| m.len() <= bytes));
            Rng::part(self.seed, set as u64).shuffle(&mut files);
            files.truncate(count.div_ceil(Set::ALL.len()));
            chosen.extend(files);
        }
        Ok(chosen)
    }
}

/// The programs of this crate, by name.
pub const PROGRAMS: [(&str, &str); 6] = [
    ("sieve", include_str!("../programs/sieve.c")),
    ("matrix", include_str!("../programs/matrix.c")),
    ("sort", include_str!("../programs/sort.c")),
    ("crc", include_str!("../programs/crc.c")),
    ("fib", include_str!("../programs/fib.c")),
    ("words", include_str!("../programs/words.c")),
];

/// Writes a file's preprocessed text to `to`; false if gcc cannot.
pub fn preprocess(file: &CFile, to: &Path) -> bool {
    let mut argv = crate::argv!["gcc", "-E", "-w", "-x", "c"];
    argv.extend(file.includes.iter().map(|dir| format!("-I{}", dir.display())));
    argv.extend(file.defines.iter().map(|define| format!("-D{define}")));
    argv.extend(crate::argv!["-o", to.display(), file.path.display()]);
    proc::run(&argv, Duration::from_secs(30)).is_ok_and(|ran| ran.ok())
}
