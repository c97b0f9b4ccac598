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
    exit: Exit,
) -> Result<Exit, Exit> {
    let text = text(command, diagnostics, body).map_err(|e| {
        console.error(&format!("cannot write JSON: {e}"));
        Exit::Unknown
    })?;
    console.print(text.as_bytes(), exit)
}

pub fn text(
    command: &str,
    diagnostics: &[DiagnosticJson],
    body: impl Serialize,
) -> Result<String, serde_json::Error> {
    let document = Document { version: VERSION, command, diagnostics, body };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}

/// Ends a command whose program could not be loaded. Readers of JSON get a document all the same.
pub fn failed(console: &Console, json: bool, command: &str, failed: Failed) -> Exit {
    #[derive(Serialize)]
    struct Nothing {}
    match json {
        true => {
            print(console, command, &failed.diagnostics, Nothing {}, failed.exit).unwrap_or_else(|exit| exit)
        }
        false => failed.exit,
    }
}
