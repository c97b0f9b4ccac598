//! Lines of C, indented by the blocks that they are in.

use std::fmt::Write;

pub struct Lines {
    pub text: String,
    /// How many blocks are open; the body of a function is one.
    pub depth: usize,
}

impl Lines {
    /// Inside of a function.
    pub fn new() -> Lines {
        Lines { text: String::new(), depth: 1 }
    }

    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.depth);
    }

    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// The line is `}`, or what follows the end of a block.
    pub fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }
}
