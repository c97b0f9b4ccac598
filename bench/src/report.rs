//! What a command found: tables for people, and for each promise whether it is kept.

use crate::table::Table;
use std::fs;
use std::io;
use std::path::Path;

#[derive(Default)]
pub struct Report {
    pub tables: Vec<Table>,
    pub claims: Vec<Claim>,
}

/// One thing that the tool promises.
pub struct Claim {
    pub what: String,
    pub goal: String,
    pub measured: String,
    pub met: bool,
}

impl Report {
    pub fn claim(&mut self, what: &str, goal: impl Into<String>, measured: impl Into<String>, met: bool) {
        self.claims.push(Claim { what: what.into(), goal: goal.into(), measured: measured.into(), met });
    }

    /// Prints the tables and writes them to `dir/name.md`; true if every claim is met.
    pub fn publish(&self, dir: &Path, name: &str) -> io::Result<bool> {
        let mut text = String::new();
        for table in self.tables.iter().chain(self.summary().as_ref()) {
            text += &table.markdown();
            text.push('\n');
        }
        print!("{text}");
        fs::write(dir.join(format!("{name}.md")), text)?;
        Ok(self.claims.iter().all(|c| c.met))
    }

    fn summary(&self) -> Option<Table> {
        if self.claims.is_empty() {
            return None;
        }
        let mut table = Table::new("Summary", &["claim", "goal", "measured", "met"]);
        for claim in &self.claims {
            let met = if claim.met { "yes" } else { "NO" };
            table.row(vec![claim.what.clone(), claim.goal.clone(), claim.measured.clone(), met.into()]);
        }
        Some(table)
    }
}
