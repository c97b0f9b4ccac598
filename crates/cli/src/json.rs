//! JSON documents: one per run, with a version that is raised when a reader would have to change.

use crate::console::Console;
use crate::exit::Exit;
use crate::load::Failed;
use report::DiagnosticJson;
use serde::Serialize;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a, T: Serialize> {
    version: u32,
    command: &'a str,
    diagnostics: &'a [DiagnosticJson],
    #[serde(flatten)]
    body: T,
}

pub fn print(
    console: &Console,
    command: &str,
    diagnostics: &[DiagnosticJson],
    body: impl Serialize,
) -> Result<(), Exit> {
    let document = Document { version: VERSION, command, diagnostics, body };
    let mut text = serde_json::to_string_pretty(&document).map_err(|e| {
        console.error(&format!("cannot write JSON: {e}"));
        Exit::Unknown
    })?;
    text.push('\n');
    console.print(text.as_bytes())
}

/// Ends a command whose program could not be loaded. Readers of JSON get a document all the same.
pub fn failed(console: &Console, json: bool, command: &str, failed: Failed) -> Exit {
    #[derive(Serialize)]
    struct Nothing {}
    if json && let Err(exit) = print(console, command, &failed.diagnostics, Nothing {}) {
        return exit;
    }
    failed.exit
}
