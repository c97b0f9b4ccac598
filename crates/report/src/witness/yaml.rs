//! The text of a witness. Every string that is not one of our own words is quoted, so that nothing in it can
//! mean something to YAML, whichever version a reader knows. Written by hand: it is one shape, and types to
//! derive it from would be as long.

use super::{Content, InvariantKind, Location, WaypointKind, Witness, hex};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::Duration;

pub fn text(witness: &Witness) -> String {
    let (kind, content) = match &witness.content {
        Content::Invariants(_) => ("invariant_set", content(witness)),
        Content::Violation(_) => ("violation_sequence", content(witness)),
    };
    let mut out = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    let task = task(witness);
    let time = time(witness.created);
    let _ = writeln!(out, "    uuid: {}", quoted(&uuid(&[&task, &content, &time])));
    let _ = writeln!(out, "    creation_time: {}", quoted(&time));
    let version = quoted(env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "    producer:\n      name: \"reprove\"\n      version: {version}");
    out + &task + &content
}

fn task(witness: &Witness) -> String {
    let task = &witness.task;
    let mut out = "    task:\n      input_files:\n".to_owned();
    for file in &task.files {
        let _ = writeln!(out, "        - {}", quoted(&file.name));
    }
    out.push_str("      input_file_hashes:\n");
    for file in &task.files {
        let _ = writeln!(out, "        {}: {}", quoted(&file.name), quoted(&file.sha256));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&task.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: C", task.data_model);
    out
}

fn content(witness: &Witness) -> String {
    let mut out = "  content:".to_owned();
    match &witness.content {
        Content::Invariants(list) if list.is_empty() => out.push_str(" []\n"),
        Content::Invariants(list) => {
            out.push('\n');
            for invariant in list {
                let kind = match invariant.kind {
                    InvariantKind::Loop => "loop_invariant",
                    InvariantKind::Location => "location_invariant",
                };
                let _ = writeln!(out, "    - invariant:\n        type: {kind}");
                location(&mut out, "        ", &invariant.location);
                let _ = writeln!(out, "        value: {}", quoted(&invariant.value));
                out.push_str("        format: c_expression\n");
            }
        }
        Content::Violation(list) => {
            out.push('\n');
            for waypoint in list {
                let (kind, constraint) = match &waypoint.kind {
                    WaypointKind::Assumption(e) => ("assumption", Some((e.as_str(), Some("c_expression")))),
                    WaypointKind::Branching(true) => ("branching", Some(("true", None))),
                    WaypointKind::Branching(false) => ("branching", Some(("false", None))),
                    WaypointKind::FunctionReturn(e) => {
                        ("function_return", Some((e.as_str(), Some("acsl_expression"))))
                    }
                    WaypointKind::Target => ("target", None),
                };
                let _ = writeln!(out, "    - segment:\n        - waypoint:\n            type: {kind}");
                out.push_str("            action: follow\n");
                location(&mut out, "            ", &waypoint.location);
                if let Some((value, format)) = constraint {
                    let _ = writeln!(out, "            constraint:\n              value: {}", quoted(value));
                    if let Some(format) = format {
                        let _ = writeln!(out, "              format: {format}");
                    }
                }
            }
        }
    }
    out
}

fn location(out: &mut String, indent: &str, location: &Location) {
    let _ = writeln!(out, "{indent}location:\n{indent}  file_name: {}", quoted(&location.file));
    let _ = writeln!(out, "{indent}  line: {}", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "{indent}  column: {column}");
    }
    if let Some(function) = &location.function {
        let _ = writeln!(out, "{indent}  function: {}", quoted(function));
    }
}

/// In double quotes, where YAML knows the escapes of C.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Control characters, and what YAML takes for the end of a line or of the text.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An identifier that is the same for the same witness: pseudo-random in the sense of RFC 4122 (version 4),
/// from a hash.
fn uuid(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let mut bytes: Vec<u8> = digest.iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

/// As ISO 8601 writes it, in UTC.
fn time(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the day that leap years have comes last; 400 of them have always the
    // same length.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::super::{InputFile, Invariant, Task, Waypoint};
    use super::*;

    #[test]
    fn strings() {
        let check = |text: &str, expected: &str| assert_eq!(quoted(text), expected);
        check("a.c", "\"a.c\"");
        check("\\result == 3", "\"\\\\result == 3\"");
        check("a\"b: #\t\n", "\"a\\\"b: #\\t\\n\"");
        check("\u{1}\u{85}é", "\"\\u0001\\u0085é\"");
    }

    #[test]
    fn times() {
        let check = |seconds: u64, expected: &str| assert_eq!(time(Duration::from_secs(seconds)), expected);
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_399, "2000-02-28T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(951_868_800, "2000-03-01T00:00:00Z");
        check(1_798_761_599, "2026-12-31T23:59:59Z");
        check(4_107_542_400, "2100-03-01T00:00:00Z");
    }

    #[test]
    fn a_whole_witness() {
        let location = |line, column, function: Option<&str>| Location {
            file: "a.c".to_owned(),
            line,
            column,
            function: function.map(str::to_owned),
        };
        let task = Task {
            files: vec![InputFile::new("a.c".to_owned(), b"abc")],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            data_model: "LP64",
        };
        let witness = |content| Witness { task: task.clone(), content, created: Duration::ZERO }.to_yaml();
        let head = |kind: &str, uuid: &str| {
            format!(
                "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
                 creation_time: \"1970-01-01T00:00:00Z\"\n    producer:\n      name: \"reprove\"\n      \
                 version: \"{}\"\n    task:\n      input_files:\n        - \"a.c\"\n      \
                 input_file_hashes:\n        \"a.c\": \"ba7816bf8f01cfea414140de5dae2223b00361a3\
                 96177a9cb410ff61f20015ad\"\n      specification: \"CHECK( init(main()), LTL(G ! \
                 call(reach_error())) )\"\n      data_model: LP64\n      language: C\n",
                env!("CARGO_PKG_VERSION")
            )
        };
        let uuid_of = |text: &str| text.split('"').nth(3).unwrap_or_default().to_owned();
        let is_uuid = |uuid: &str| {
            let parts: Vec<&str> = uuid.split('-').collect();
            parts.iter().map(|p| p.len()).eq([8, 4, 4, 4, 12])
                && parts[2].starts_with('4')
                && parts[3].starts_with(['8', '9', 'a', 'b'])
        };
        let check = |content: Content, kind: &str, expected: &str| {
            let text = witness(content);
            assert!(is_uuid(&uuid_of(&text)), "{text}");
            assert_eq!(text, format!("{}{expected}", head(kind, &uuid_of(&text))));
            uuid_of(&text)
        };
        let none = check(Content::Invariants(vec![]), "invariant_set", "  content: []\n");
        let one = check(
            Content::Invariants(vec![Invariant {
                kind: InvariantKind::Loop,
                location: location(3, Some(5), Some("main")),
                value: "x <= 5".to_owned(),
            }]),
            "invariant_set",
            "  content:\n    - invariant:\n        type: loop_invariant\n        location:\n          \
             file_name: \"a.c\"\n          line: 3\n          column: 5\n          function: \"main\"\n        \
             value: \"x <= 5\"\n        format: c_expression\n",
        );
        assert_ne!(none, one);
        let waypoint = |kind, line, column| Waypoint { kind, location: location(line, column, None) };
        check(
            Content::Violation(vec![
                waypoint(WaypointKind::FunctionReturn("\\result == 1".to_owned()), 1, Some(2)),
                waypoint(WaypointKind::Branching(false), 2, Some(3)),
                waypoint(WaypointKind::Target, 4, None),
            ]),
            "violation_sequence",
            "  content:\n    - segment:\n        - waypoint:\n            type: function_return\n            \
             action: follow\n            location:\n              file_name: \"a.c\"\n              line: 1\n              \
             column: 2\n            constraint:\n              value: \"\\\\result == 1\"\n              \
             format: acsl_expression\n    - segment:\n        - waypoint:\n            type: branching\n            \
             action: follow\n            location:\n              file_name: \"a.c\"\n              line: 2\n              \
             column: 3\n            constraint:\n              value: \"false\"\n    - segment:\n        - waypoint:\n            \
             type: target\n            action: follow\n            location:\n              file_name: \"a.c\"\n              \
             line: 4\n",
        );
    }
}
