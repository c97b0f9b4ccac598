//! Which functions are ours: models of the C library, linked to programs that use it.
//!
//! People know what `strlen` does; its steps are not part of the way to a failure.

use ir::{FuncId, Program};
use std::sync::Arc;

pub struct Library {
    /// By file of the program.
    files: Vec<bool>,
}

impl Library {
    /// `texts`: the preprocessed sources. A file that they mention is the user's, whatever its name.
    pub fn of(program: &Program, texts: &[(String, Arc<str>)]) -> Library {
        let mentioned = |file: &str| {
            let quoted = format!("\"{file}\"");
            texts.iter().any(|(name, text)| name == file || text.contains(&quoted))
        };
        let is_model = |file: &str| cfront::models::all().iter().any(|model| model.name == file);
        Library { files: program.files.iter().map(|file| is_model(file) && !mentioned(file)).collect() }
    }

    pub fn has(&self, program: &Program, function: FuncId) -> bool {
        let pos = program.function(function).pos;
        pos.line > 0 && self.files.get(pos.file as usize).copied().unwrap_or(false)
    }
}
