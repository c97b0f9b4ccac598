//! Both runs side by side, up to the first difference.
//!
//! What both versions would tell (assignments of variables that both have, calls, returns) agrees up to the first difference, so
//! these events are the rungs of the table: they stand in the same row, and what only one version does stands between them.

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

pub fn shown(programs: [&Program; 2], names: &Names, both: &SideBySide) -> Shown {
    let common: BTreeSet<&str> = &assigned(&both.old) & &assigned(&both.new);
    let told = |story: &Story, end: usize| -> Vec<usize> {
        (0..end.min(story.events.len())).filter(|&i| is_told(&story.events[i], &common)).collect()
    };
    let ends = both.first_difference.unwrap_or((both.old.events.len(), both.new.events.len()));
    let mut rungs: Vec<(usize, usize)> =
        told(&both.old, ends.0).into_iter().zip(told(&both.new, ends.1)).collect();
    rungs.push(ends);
    let text = |side: usize, story: &Story, i: usize| match story.events.get(i) {
        Some(event) => event_text(event, programs[side], names),
        None if story.cut => "goes on".to_owned(),
        None => String::new(),
    };
    let mut rows = Vec::new();
    let mut at = (0, 0);
    for (i, j) in rungs {
        let (left, right): (Vec<usize>, Vec<usize>) = ((at.0..i).collect(), (at.1..j).collect());
        for k in 0..left.len().max(right.len()) {
            let cell = |side, story, list: &[usize]| list.get(k).map(|&i| text(side, story, i));
            rows.push(Row {
                old: cell(0, &both.old, &left).unwrap_or_default(),
                new: cell(1, &both.new, &right).unwrap_or_default(),
            });
        }
        rows.push(Row { old: text(0, &both.old, i), new: text(1, &both.new, j) });
        at = (i + 1, j + 1);
    }
    rows.retain(|row| !row.old.is_empty() || !row.new.is_empty());
    let skipped = rows.len().saturating_sub(MOST_ROWS);
    rows.drain(..skipped);
    Shown { skipped, rows }
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

fn event_text(event: &Event, program: &Program, names: &Names) -> String {
    let value = |ty: Type, value: &Value| names.value(value, ty, "", &program.target);
    let what = match &event.what {
        What::Assign { name, ty, value: v } => format!("{name} = {}", value(*ty, v)),
        What::Store { target, ty, value: v } => {
            format!("*({target}) = {}", v.as_ref().map_or("?".to_owned(), |v| value(*ty, v)))
        }
        What::Branch { condition, holds } => {
            format!("{condition}: {}", if *holds { "yes" } else { "no" })
        }
        What::Call { name, args, result } => {
            let args: Vec<String> = args.iter().map(|(ty, v)| value(*ty, v)).collect();
            let result = result.as_ref().map(|(ty, v)| format!(" = {}", value(*ty, v))).unwrap_or_default();
            format!("{name}({}){result}", args.join(", "))
        }
        What::Return { value: Some((ty, v)) } => format!("return {}", value(*ty, v)),
        What::Return { value: None } => "return".to_owned(),
        What::Other { text } => text.clone(),
    };
    let indent = "  ".repeat(event.depth.min(10) as usize);
    match event.pos.line {
        0 => format!("      {indent}{what}"),
        line => format!("{line:>4}: {indent}{what}"),
    }
}
