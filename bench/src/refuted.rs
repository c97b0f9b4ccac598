//! Claims of engines that were seen to be wrong: a violation that does not happen when it is run, a proof in
//! which the checker finds a hole. Users never see them as verdicts, but each is a fault of the engine that
//! made it.

use crate::report::Report;
use crate::table::Table;

/// One of them: who claimed it, about what, and what was found.
pub struct Wrong {
    pub engine: String,
    pub program: String,
    pub reason: String,
}

/// Lists them, and promises that there are none.
pub fn add(report: &mut Report, list: &[Wrong]) {
    if !list.is_empty() {
        let mut table = Table::new("Claims that were refuted", &["engine", "program", "what was found"]);
        for wrong in list {
            table.row(vec![wrong.engine.clone(), format!("`{}`", wrong.program), wrong.reason.clone()]);
        }
        report.tables.push(table);
    }
    report.claim("claims of engines that were refuted", "0", list.len().to_string(), list.is_empty());
}
