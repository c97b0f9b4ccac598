//! `reprove store`: what is in the proof store, whether it is whole, and what of it to keep.

use crate::args::{StoreAction, StoreArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::{json, load};
use ::store::{Audit, Collected, Entry, Error, Finding, Gc, Id, Options, Problem, Store, VARIABLE, folder};
use report::Table;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

pub fn store(args: &StoreArgs, console: &Console) -> Result<Exit, Exit> {
    let task = Task { args, console };
    let Some(folder) = folder(args.store.clone(), std::env::var_os(VARIABLE)) else {
        return Err(task.refuse(format!("there is no proof store: {VARIABLE} or --store says none")));
    };
    match &args.action {
        StoreAction::Ls { kind, label } => task.list(&folder, kind.as_deref(), label.as_deref()),
        StoreAction::Show { key, payload } => task.show(&folder, key, *payload),
        StoreAction::Gc { older_than, max_size, unreachable_from, dry_run } => {
            let rules = Gc {
                older_than: *older_than,
                max_bytes: *max_size,
                roots: unreachable_from.clone(),
                dry_run: *dry_run,
            };
            task.collect(&folder, &rules)
        }
        StoreAction::Audit { fix } => task.audit(&folder, *fix),
    }
}

/// `90s`, `12h`, `30d`: a number and its unit.
pub fn age(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 7 * 86_400)];
    quantity(text, &units).map(Duration::from_secs).ok_or_else(|| "a number of s, m, h, d or w".to_string())
}

/// `1000`, `500k`, `100M`, `2G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("k", 1 << 10), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("", 1)];
    quantity(text, &units).ok_or_else(|| "a number of bytes, or of k, M or G".to_string())
}

fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    units.iter().find_map(|(unit, factor)| {
        let number = text.strip_suffix(unit)?.parse::<u64>().ok()?;
        number.checked_mul(*factor)
    })
}

struct Task<'a> {
    args: &'a StoreArgs,
    console: &'a Console,
}

impl Task<'_> {
    fn list(&self, folder: &Path, kind: Option<&str>, label: Option<&str>) -> Result<Exit, Exit> {
        let store = self.open(folder, true)?;
        let entries = store.list(kind, label).map_err(|e| self.refuse(e.to_string()))?;
        let statistics = store.statistics().map_err(|e| self.refuse(e.to_string()))?;
        let damaged = store.counters().damaged > 0;
        if self.args.json {
            #[derive(Serialize)]
            struct Document {
                entries: Vec<EntryJson>,
                statistics: ::store::Statistics,
                damaged: bool,
            }
            let entries = entries.iter().map(EntryJson::from).collect();
            return self.document(Document { entries, statistics, damaged }, Exit::Fine);
        }
        let mut table = Table::new(["kind", "label", "key", "bytes", "stored", "used"]);
        for entry in &entries {
            let used = ago(entry.used);
            let (size, stored) = (entry.size.to_string(), entry.stored.to_string());
            let (kind, label) = (plain(&entry.id.kind), plain(&entry.label));
            table.row([&kind, &label, &short(&entry.id), &size, &stored, &used]);
        }
        let mut out = String::new();
        if !table.is_empty() {
            out = table.render(self.console.width);
            out.push('\n');
        }
        let (shown, all) = (entries.len() as u64, statistics.entries);
        let of = if shown == all { String::new() } else { format!(" of {all}") };
        let _ = writeln!(
            out,
            "{shown}{of} artefacts; {} payloads in {}, the file has {}",
            statistics.payloads,
            readable(statistics.stored),
            readable(statistics.file)
        );
        if damaged {
            let _ =
                writeln!(out, "some entries are damaged and not listed; `reprove store audit` says which");
        }
        self.console.print(out.as_bytes(), Exit::Fine)
    }

    fn show(&self, folder: &Path, prefix: &str, payload: bool) -> Result<Exit, Exit> {
        let store = self.open(folder, true)?;
        let mut entries = store.list(None, None).map_err(|e| self.refuse(e.to_string()))?;
        entries.retain(|entry| entry.id.key.to_string().starts_with(&prefix.to_ascii_lowercase()));
        let entry = match entries.as_slice() {
            [entry] => entry,
            [] => return Err(self.refuse(format!("no artefact has a key that begins with '{prefix}'"))),
            more => {
                let names: Vec<String> = more.iter().take(5).map(|e| e.id.to_string()).collect();
                let message = format!("{} artefacts have keys that begin with '{prefix}'", more.len());
                return Err(self.refuse(format!("{message}:\n  {}", names.join("\n  "))));
            }
        };
        let Some((_, artefact)) = store.look_up(&entry.id.kind, &entry.id.key) else {
            let why = store.counters().trouble.unwrap_or_else(|| "it was removed meanwhile".to_string());
            return Err(self.refuse(format!("the artefact cannot be read: {why}")));
        };
        if payload {
            return self.console.print(&artefact.payload, Exit::Fine);
        }
        if self.args.json {
            return self.document(EntryJson::from(entry), Exit::Fine);
        }
        let mut out = String::new();
        let stored = format!("{} bytes, {} as stored", entry.size, entry.stored);
        let lines = [
            ("kind", plain(&entry.id.kind)),
            ("key", entry.id.key.to_string()),
            ("label", plain(&entry.label)),
            ("payload", stored),
            ("written", format!("{} by reprove {}", ago(entry.created), plain(&entry.tool))),
            ("used", ago(entry.used)),
        ];
        for (name, value) in lines {
            let _ = writeln!(out, "{name:<8}  {value}");
        }
        for link in &entry.links {
            let missing = store.look_up(&link.kind, &link.key).is_none();
            let _ = writeln!(
                out,
                "needs     {}{}",
                plain(&link.to_string()),
                if missing { " (missing)" } else { "" }
            );
        }
        self.console.print(out.as_bytes(), Exit::Fine)
    }

    fn collect(&self, folder: &Path, rules: &Gc) -> Result<Exit, Exit> {
        let store = self.open(folder, rules.dry_run)?;
        let collected = store.gc(rules).map_err(|e| self.refuse(e.to_string()))?;
        let Collected { removed, damaged, kept, before, after, aside } = &collected;
        if self.args.json {
            #[derive(Serialize)]
            struct Document {
                dry_run: bool,
                removed: Vec<EntryJson>,
                damaged: u64,
                kept: u64,
                stored_before: u64,
                stored_after: u64,
            }
            let document = Document {
                dry_run: rules.dry_run,
                removed: removed.iter().map(EntryJson::from).collect(),
                damaged: *damaged,
                kept: *kept,
                stored_before: *before,
                stored_after: *after,
            };
            return self.document(document, Exit::Fine);
        }
        let would = if rules.dry_run { "would remove" } else { "removed" };
        let mut out = String::new();
        for entry in removed {
            let _ = writeln!(
                out,
                "{would} {} {} {}",
                plain(&entry.id.kind),
                short(&entry.id),
                plain(&entry.label)
            );
        }
        if *damaged > 0 {
            let _ = writeln!(out, "{would} {damaged} damaged entries");
        }
        if *aside > 0 {
            let _ = writeln!(out, "removed an unusable store that was set aside ({})", readable(*aside));
        }
        let _ = writeln!(
            out,
            "{would} {} artefacts, kept {kept}; payloads: {} before, {} after",
            removed.len(),
            readable(*before),
            readable(*after)
        );
        self.console.print(out.as_bytes(), Exit::Fine)
    }

    fn audit(&self, folder: &Path, fix: bool) -> Result<Exit, Exit> {
        let options = Options { read_only: !fix, ..options() };
        // Making a store just to find nothing wrong with it helps nobody.
        if fix
            && let Err(e @ Error::Missing(_)) =
                Store::open(folder, Options { read_only: true, ..options.clone() })
        {
            return Err(self.refuse(e.to_string()));
        }
        let mut audit = match Store::open(folder, options) {
            Ok(store) => {
                let mut audit = store.audit(fix).map_err(|e| self.refuse(e.to_string()))?;
                if store.set_aside().is_some() {
                    let detail = "it could not be used at all; a new one was begun".to_string();
                    audit.findings.push(structure(detail));
                    audit.fixed = true;
                }
                audit
            }
            Err(Error::Damaged { detail, .. }) => {
                Audit { findings: vec![structure(detail)], ..Audit::default() }
            }
            Err(e) => return Err(self.refuse(e.to_string())),
        };
        let exit = if audit.findings.is_empty() || audit.fixed { Exit::Fine } else { Exit::Disproved };
        audit.findings.sort_by(|a, b| (&a.id, &a.label).cmp(&(&b.id, &b.label)));
        if self.args.json {
            #[derive(Serialize)]
            struct Document {
                entries: u64,
                whole: u64,
                fixed: bool,
                findings: Vec<FindingJson>,
                exit_code: u8,
            }
            let document = Document {
                entries: audit.entries,
                whole: audit.whole,
                fixed: audit.fixed && !audit.findings.is_empty(),
                findings: audit.findings.iter().map(FindingJson::from).collect(),
                exit_code: exit as u8,
            };
            return self.document(document, exit);
        }
        self.console.print(describe(&audit, self.console.width).as_bytes(), exit)
    }

    fn open(&self, folder: &Path, read_only: bool) -> Result<Store, Exit> {
        // Only `reprove verify` makes stores: a typing error in a name should not.
        let look = Store::open(folder, Options { read_only: true, ..options() });
        match look {
            Err(e @ Error::Missing(_)) => return Err(self.refuse(e.to_string())),
            Ok(store) if read_only => return Ok(store),
            _ => {}
        }
        Store::open(folder, Options { read_only, ..options() }).map_err(|e| self.refuse(e.to_string()))
    }

    fn refuse(&self, message: String) -> Exit {
        let failed = load::refuse(self.console, message, Exit::BadInput);
        json::failed(self.console, self.args.json, "store", failed)
    }

    fn document(&self, body: impl Serialize, exit: Exit) -> Result<Exit, Exit> {
        json::print(self.console, "store", &[], body, exit)
    }
}

fn options() -> Options {
    Options { tool: driver::tool(), every_tool: true, ..Options::default() }
}

fn structure(detail: String) -> Finding {
    Finding { id: None, label: String::new(), problem: Problem::Structure(detail) }
}

fn describe(audit: &Audit, width: Option<usize>) -> String {
    let mut out = String::new();
    if !audit.findings.is_empty() {
        let mut table = Table::new(["kind", "label", "key", "problem"]);
        for Finding { id, label, problem } in &audit.findings {
            let kind = id.as_ref().map(|id| plain(&id.kind)).unwrap_or_default();
            let key = id.as_ref().map(short).unwrap_or_default();
            table.row([kind, plain(label), key, problem.to_string()]);
        }
        out = table.render(width);
        out.push('\n');
    }
    let Audit { entries, whole, findings, fixed } = audit;
    let _ = match (findings.len(), fixed) {
        (0, _) => writeln!(out, "{entries} artefacts, all whole"),
        (_, true) => writeln!(out, "repaired: {whole} artefacts are left, all whole"),
        (_, false) => writeln!(
            out,
            "{whole} of {entries} artefacts are whole; the others count as absent. `reprove store audit --fix` removes them"
        ),
    };
    out
}

#[derive(Serialize)]
struct EntryJson {
    kind: String,
    key: String,
    label: String,
    bytes: u64,
    stored_bytes: u64,
    tool: String,
    /// Milliseconds since 1970.
    created: u64,
    used: u64,
    links: Vec<IdJson>,
}

#[derive(Serialize)]
struct IdJson {
    kind: String,
    key: String,
}

#[derive(Serialize)]
struct FindingJson {
    artefact: Option<IdJson>,
    label: String,
    problem: String,
}

impl From<&Id> for IdJson {
    fn from(id: &Id) -> Self {
        IdJson { kind: id.kind.clone(), key: id.key.to_string() }
    }
}

impl From<&Entry> for EntryJson {
    fn from(entry: &Entry) -> Self {
        EntryJson {
            kind: entry.id.kind.clone(),
            key: entry.id.key.to_string(),
            label: entry.label.clone(),
            bytes: entry.size,
            stored_bytes: entry.stored,
            tool: entry.tool.clone(),
            created: entry.created,
            used: entry.used,
            links: entry.links.iter().map(IdJson::from).collect(),
        }
    }
}

impl From<&Finding> for FindingJson {
    fn from(finding: &Finding) -> Self {
        let Finding { id, label, problem } = finding;
        FindingJson {
            artefact: id.as_ref().map(IdJson::from),
            label: label.clone(),
            problem: problem.to_string(),
        }
    }
}

/// Enough of a key to name it.
fn short(id: &Id) -> String {
    id.key.to_string().chars().take(12).collect()
}

/// What comes from files does not move the cursor of a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

fn readable(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// `3 h ago`.
fn ago(time: u64) -> String {
    let seconds = ::store::now().saturating_sub(time) / 1000;
    match seconds {
        0..60 => "just now".to_string(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        let check = |text: &str, expected_age: Option<u64>, expected_bytes: Option<u64>| {
            assert_eq!(age(text).ok(), expected_age.map(Duration::from_secs), "{text}");
            assert_eq!(bytes(text).ok(), expected_bytes, "{text}");
        };
        check("90s", Some(90), None);
        check("2h", Some(7200), None);
        check("30d", Some(2_592_000), None);
        check("1000", None, Some(1000));
        check("500k", None, Some(512_000));
        check("2G", None, Some(1 << 31));
        check("M", None, None);
        check("-1d", None, None);
        check("99999999999999999999G", None, None);
        check("18446744073709551615G", None, None);
        check("18446744073709551615w", None, None);
    }
}
