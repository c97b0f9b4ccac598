//! `reprove diff`: what changed between two versions, and what the change can affect.

use crate::args::DiffArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::Folders;
use crate::{json, load};
use change::{Comparison, Kind, Row, compare};
use report::{DiagnosticJson, Table};
use serde::Serialize;
use std::fmt::Write;

pub fn diff(args: &DiffArgs, console: &Console) -> Result<Exit, Exit> {
    let one = |path: &std::path::PathBuf| {
        load::load(std::slice::from_ref(path), Folders::Accept, &args.front, console)
    };
    // Both are read before anything is said about either, so that all errors come at once.
    let (old, new) = match (one(&args.old), one(&args.new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(failed), Ok(_)) | (Ok(_), Err(failed)) => {
            return Err(json::failed(console, args.json, "diff", failed));
        }
        (Err(mut old), Err(new)) => {
            old.diagnostics.extend(new.diagnostics);
            return Err(json::failed(console, args.json, "diff", old));
        }
    };
    let mut options = change::Options::default();
    if let Some(entry) = &args.front.entry {
        options.entry = entry.clone();
    }
    let comparison = compare(&old.program, &new.program, &options);
    if args.json {
        let diagnostics: Vec<DiagnosticJson> = [old.diagnostics, new.diagnostics].concat();
        #[derive(Serialize)]
        struct Document<'a> {
            identical: bool,
            #[serde(flatten)]
            comparison: &'a Comparison,
        }
        let document = Document { identical: comparison.is_identical(), comparison: &comparison };
        json::print(console, "diff", &diagnostics, document)?;
        return Ok(Exit::Fine);
    }
    let rows = comparison.rows();
    let mut out = String::new();
    let shown = |row: &&Row| args.all || row.state != "unchanged";
    if rows.iter().any(|row| shown(&row)) {
        let mut table = Table::new(["fragment", "state", "place", "why"]);
        for row in rows.iter().filter(shown) {
            let name = match row.kind {
                Kind::Global => format!("{} (global)", row.fragment),
                _ => row.fragment.clone(),
            };
            let place = row.new_pos.as_ref().or(row.old_pos.as_ref());
            table.row([&name, &row.state, &place.map(|p| p.to_string()).unwrap_or_default(), &row.why]);
        }
        out = table.render(console.width);
        out.push('\n');
    }
    for kind in [Kind::Function, Kind::Loop, Kind::Global] {
        if let Some(line) = summary(&rows, kind) {
            let _ = writeln!(out, "{line}");
        }
    }
    console.print(out.as_bytes())?;
    Ok(Exit::Fine)
}

/// `functions: 1 changed, 2 affected, 5 unchanged`.
fn summary(rows: &[Row], kind: Kind) -> Option<String> {
    let states = ["changed", "affected", "added", "removed", "renamed", "unchanged"];
    let count = |state| rows.iter().filter(|row| row.kind == kind && row.state == state).count();
    let parts: Vec<String> = states
        .iter()
        .map(|s| (count(*s), s))
        .filter(|(n, _)| *n > 0)
        .map(|(n, s)| format!("{n} {s}"))
        .collect();
    (!parts.is_empty()).then(|| format!("{kind}s: {}", parts.join(", ")))
}
