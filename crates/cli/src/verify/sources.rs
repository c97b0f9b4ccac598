//! Whose files a program was made from, and what may be shown of them.
//!
//! Models of the C library are ours: people know what `strlen` does, and its steps are not part of the way to
//! a failure. Lines are quoted from files that were read just now; what a preprocessed text names may have
//! changed since, or belong to another machine.

use crate::load::Loaded;
use ir::{FuncId, Pos};
use std::path::Path;
use std::sync::Arc;

pub struct Sources {
    files: Vec<File>,
    /// By function.
    library: Vec<bool>,
}

struct File {
    name: Arc<str>,
    quotable: bool,
}

impl Sources {
    pub fn of(loaded: &Loaded) -> Sources {
        let program = &loaded.program;
        // A file that the sources mention is the user's, whatever its name.
        let mentioned = |file: &str| {
            let quoted = format!("\"{file}\"");
            loaded.texts.iter().any(|(name, text)| name == file || text.contains(&quoted))
        };
        let is_model = |file: &str| cfront::models::all().any(|m| m.name == file) && !mentioned(file);
        let library: Vec<bool> = program.files.iter().map(|file| is_model(file)).collect();
        let all_c = loaded.files.iter().all(|file| file.path.extension().is_some_and(|e| e == "c"));
        let given = |name: &str| loaded.files.iter().any(|file| file.path == Path::new(name));
        let file = |(name, library): (&Arc<str>, &bool)| File {
            name: name.clone(),
            quotable: !library && (all_c || given(name)),
        };
        let files = program.files.iter().zip(&library).map(file).collect();
        let of_library = |pos: Pos| pos.line > 0 && library.get(pos.file as usize).copied().unwrap_or(false);
        Sources { files, library: program.functions.iter().map(|f| of_library(f.pos)).collect() }
    }

    /// Is the function ours?
    pub fn is_library(&self, function: FuncId) -> bool {
        self.library.get(function.0 as usize).copied().unwrap_or(false)
    }

    /// The file of a place whose line may be shown.
    pub fn quotable(&self, pos: Pos) -> Option<&Arc<str>> {
        let file = self.files.get(pos.file as usize).filter(|_| pos.line > 0)?;
        file.quotable.then_some(&file.name)
    }
}
