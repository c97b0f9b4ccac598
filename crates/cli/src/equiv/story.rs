//! Both runs side by side, up to the first difference.
//!
//! What both versions would tell (assignments of variables that both have, calls, returns) agrees up to the
//! first difference, so these events are the rungs of the table: they stand in the same row, and what only
//! one version does stands between them.

use super::values::Names;
use ::equiv::concrete::{Event, SideBySide, Story, Value, What};
use ir::{Program, Type};
use serde::Serialize;
use std::collections::BTreeSet;

/// What the versions do at the same time; empty where one of them waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    pub old: String,
    pub new: String,
}

/// So much of the way to the difference is shown, from its end.
const MOST_ROWS: usize = 24;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shown {
    /// Rows before these, not shown.
    pub skipped: usize,
    pub rows: Vec<Row>,
}

/// `quote`: may the lines of each version's sources be shown?
pub fn shown(programs: [&Program; 2], names: &Names, both: &SideBySide, quote: [bool; 2]) -> Shown {
    let steps = steps(both);
    let skipped = steps.len().saturating_sub(MOST_ROWS);
    let text = |side: usize, story: &Story, event: Option<usize>| {
        let Some(event) = event else { return String::new() };
        match story.events.get(event) {
            Some(event) => event_text(event, programs[side], names, quote[side]),
            None if story.cut => "      goes on".to_owned(),
            None => String::new(),
        }
    };
    let row = |(i, j): &(Option<usize>, Option<usize>)| Row {
        old: text(0, &both.old, *i),
        new: text(1, &both.new, *j),
    };
    Shown { skipped, rows: steps[skipped..].iter().map(row).collect() }
}

/// The events in the same row, by their numbers.
fn steps(both: &SideBySide) -> Vec<(Option<usize>, Option<usize>)> {
    let common: BTreeSet<&str> = &assigned(&both.old) & &assigned(&both.new);
    let told = |story: &Story, end: usize| -> Vec<usize> {
        (0..end.min(story.events.len())).filter(|&i| is_told(&story.events[i], &common)).collect()
    };
    let (old, new) = both.first_difference.unwrap_or((both.old.events.len(), both.new.events.len()));
    let mut rungs: Vec<(usize, usize)> = told(&both.old, old).into_iter().zip(told(&both.new, new)).collect();
    rungs.push((old, new));
    let mut rows = Vec::new();
    let mut at = (0, 0);
    for (i, j) in rungs {
        for k in 0..i.saturating_sub(at.0).max(j.saturating_sub(at.1)) {
            let next = |from: usize, to: usize| Some(from + k).filter(|n| *n < to);
            rows.push((next(at.0, i), next(at.1, j)));
        }
        rows.push((Some(i), Some(j)));
        at = (i + 1, j + 1);
    }
    // Behind the end of both there is nothing to show.
    rows.retain(|(i, j)| {
        i.is_some_and(|i| i < both.old.events.len() || both.old.cut)
            || j.is_some_and(|j| j < both.new.events.len() || both.new.cut)
    });
    rows
}

fn assigned(story: &Story) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for event in &story.events {
        if let What::Assign { name, .. } = &event.what {
            names.insert(&**name);
        }
    }
    names
}

fn is_told(event: &Event, common: &BTreeSet<&str>) -> bool {
    match &event.what {
        What::Assign { name, .. } => common.contains(&**name),
        What::Call { .. } | What::Return { .. } => true,
        What::Store { .. } | What::Branch { .. } | What::Other { .. } => false,
    }
}

fn event_text(event: &Event, program: &Program, names: &Names, quote: bool) -> String {
    let value = |ty: Type, value: &Value| names.value(value, ty, "", &program.target);
    // Addresses and conversions are easier to read as they were written.
    let written = |text: &str| {
        let file = program.files.get(event.pos.file as usize).filter(|_| quote && text.contains(['(', '[']));
        let line = file.and_then(|file| report::source_line(file, event.pos.line));
        line.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
    };
    let what = match &event.what {
        What::Assign { name, ty, value: v } => format!("{name} = {}", value(*ty, v)),
        What::Store { target, ty, value: v } => {
            let v = v.as_ref().map(|v| value(*ty, v));
            match (written(&format!("({target})")), v) {
                (Some(line), Some(v)) => format!("{line}  // {v}"),
                (Some(line), None) => line,
                (None, v) => format!("*({target}) = {}", v.as_deref().unwrap_or("?")),
            }
        }
        What::Branch { condition, holds } => {
            let condition = written(condition).unwrap_or_else(|| without_types(condition));
            format!("{condition}  // {}", if *holds { "yes" } else { "no" })
        }
        What::Call { name, args, result } => {
            let args: Vec<String> = args.iter().map(|(ty, v)| value(*ty, v)).collect();
            let result = result.as_ref().map(|(ty, v)| format!(" = {}", value(*ty, v))).unwrap_or_default();
            format!("{name}({}){result}", args.join(", "))
        }
        What::Return { value: Some((ty, v)) } => format!("return {}", value(*ty, v)),
        What::Return { value: None } => "return".to_owned(),
        What::Other { text } => written(text).unwrap_or_else(|| without_types(text)),
    };
    let indent = "  ".repeat(event.depth.min(10) as usize);
    match event.pos.line {
        0 => format!("      {indent}{what}"),
        line => format!("{line:>4}: {indent}{what}"),
    }
}

/// Numbers of the IR carry their types (`7i32`), which readers of C do not miss.
fn without_types(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut in_word = false;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && !in_word {
            out.push_str(&rest[..digits]);
            rest = &rest[digits..];
            let suffix = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let (kind, bits) = rest.split_at(suffix.min(1));
            if ["i", "u"].contains(&kind) && bits[..suffix.saturating_sub(1)].parse::<u8>().is_ok() {
                rest = &rest[suffix..];
            }
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
        in_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::equiv::concrete::Ending;
    use ir::Pos;

    #[test]
    fn numbers_lose_their_types() {
        let check = |text: &str, expected: &str| assert_eq!(without_types(text), expected, "{text}");
        check("i < 10i32", "i < 10");
        check("x1 == -7i64", "x1 == -7");
        check("a2i32 != 255u8", "a2i32 != 255");
        check("0x", "0x");
        check("grün 3u16", "grün 3");
    }

    fn story(lines: &[(u32, What)]) -> Story {
        let event = |(line, what): &(u32, What)| Event {
            pos: Pos { file: 0, line: *line, column: 1 },
            function: "f".into(),
            depth: 0,
            what: what.clone(),
        };
        Story { events: lines.iter().map(event).collect(), cut: false, ending: Some(Ending::Returned) }
    }

    fn assign(name: &str, bits: u128) -> What {
        What::Assign { name: name.into(), ty: Type::I32, value: Value::Bits(bits) }
    }

    /// What both tell stands in one row; what one does alone stands before it.
    #[test]
    fn rows_meet_at_common_events() {
        let branch = What::Branch { condition: "x < 3i32".to_owned(), holds: true };
        let old = story(&[(1, assign("x", 1)), (2, branch), (3, assign("x", 2))]);
        let new =
            story(&[(1, assign("x", 1)), (4, assign("y", 9)), (5, assign("z", 9)), (6, assign("x", 3))]);
        let both = SideBySide { old, new, first_difference: Some((2, 3)) };
        assert_eq!(
            steps(&both),
            [(Some(0), Some(0)), (Some(1), Some(1)), (None, Some(2)), (Some(2), Some(3))]
        );
    }
}
