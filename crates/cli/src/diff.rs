//! `reprove diff`: what changed between two versions, and what the change can affect.

use crate::args::{DiffArgs, FrontArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::{json, load};
use change::{Comparison, Edit, Kind, Quote, Row, Why, compare};
use report::{DiagnosticJson, Table};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

pub fn diff(args: &DiffArgs, console: &Console) -> Result<Exit, Exit> {
    let paths = [&args.old, &args.new].map(std::slice::from_ref);
    let front = FrontArgs { environment: Some(cfront::Environment::All), ..args.front.clone() };
    let (old, new) = load::load_both(paths, &front, console)
        .map_err(|failed| json::failed(console, args.json, "diff", failed))?;
    let mut options = change::Options::default();
    if let Some(entry) = &args.front.entry {
        options.entry = entry.clone();
    }
    let mut comparison = compare(&old.program, &new.program, &options);
    let functions = comparison.functions.iter_mut().flat_map(|change| &mut change.why);
    let loops = comparison.loops.iter_mut().flat_map(|change| &mut change.why);
    functions.chain(loops).for_each(|why| quote_source(why, args));
    if args.json {
        let diagnostics: Vec<DiagnosticJson> = [old.diagnostics, new.diagnostics].concat();
        #[derive(Serialize)]
        struct Document<'a> {
            identical: bool,
            #[serde(flatten)]
            comparison: &'a Comparison,
        }
        let document = Document { identical: comparison.is_identical(), comparison: &comparison };
        return json::print(console, "diff", &diagnostics, document, Exit::Fine);
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
    console.print(out.as_bytes(), Exit::Fine)
}

/// Differences are found in the program as the tool sees it; a person wants to read the lines that were
/// written.
fn quote_source(why: &mut Why, args: &DiffArgs) {
    let Why::Operation { edit, old, new } = why else { return };
    // A preprocessed text names files that may have changed since, or belong to another machine.
    let line = |quote: &Quote, input: &Path| {
        let place = quote.place.as_ref().filter(|_| input.extension().is_none_or(|e| e != "i"))?;
        report::source_line(&place.file, place.line)
            .map(|line| line.trim().to_string())
            .filter(|line| !line.is_empty())
    };
    let (old_line, new_line) = (line(old, &args.old), line(new, &args.new));
    match (edit, old_line, new_line) {
        // Equal lines would hide the difference, which is then in a macro or a declaration.
        (Edit::Replaced, Some(old_line), Some(new_line)) if old_line != new_line => {
            (old.text, new.text) = (old_line, new_line);
        }
        (Edit::Inserted, _, Some(line)) => new.text = line,
        (Edit::Deleted, Some(line), _) => old.text = line,
        _ => {}
    }
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
