//! The answer for people: the way to a failure, what the verdict rests on, and the verdict as the last line.

use super::events::{Event, Kind};
use super::{Answer, Failure};
use crate::place::place;
use driver::Verdict;
use engine::{CallNode, CallState, Decision, Outcome};
use ir::Pos;
use report::Table;
use std::fmt::Write;

/// So many steps of a violation are shown, from its end, unless everything was asked for.
const MOST_STEPS: usize = 60;
const MOST_ASSUMPTIONS: usize = 5;
const MOST_FIGURES: usize = 4;
/// So many calls of the tree are printed.
const MOST_CALLS: usize = 400;

pub fn text(answer: &Answer, explain: bool, width: Option<usize>) -> String {
    let mut out = String::new();
    if let Some(failure) = &answer.failure {
        violation(&mut out, answer, failure, explain, width);
    }
    let outcome = &answer.outcome;
    if explain {
        decisions(&mut out, &outcome.decisions, width);
        tree(&mut out, &outcome.calls);
        figures(&mut out, answer);
    }
    list(&mut out, "assuming", &outcome.assumptions, if explain { usize::MAX } else { MOST_ASSUMPTIONS });
    out += &summary(answer, explain);
    out += &answer.last_line();
    out.push('\n');
    out
}

fn violation(out: &mut String, answer: &Answer, failure: &Failure, explain: bool, width: Option<usize>) {
    let shown: Vec<&Event> =
        failure.events.iter().filter(|e| (e.matters || explain) && e.kind != Kind::Failure).collect();
    if !shown.is_empty() {
        let rows = collapse(&shown);
        let skipped = if explain { 0 } else { rows.len().saturating_sub(MOST_STEPS) };
        out.push_str("the way to the failure:\n");
        if skipped > 0 {
            let _ = writeln!(out, "  ... {skipped} earlier steps (--explain shows all)");
        }
        let mut table = Table::new(["", "", ""]);
        for row in &rows[skipped..] {
            match row {
                Row::Event(event) => {
                    let file = answer.program.files.get(event.pos.file as usize);
                    let place = match file.filter(|_| event.pos.line > 0) {
                        Some(file) => format!("{}:{}", short_file(file), event.pos.line),
                        None => String::new(),
                    };
                    let indent = "  ".repeat(event.depth.min(12) as usize);
                    table.row([
                        format!("  {place}"),
                        format!("{indent}{}", event.text),
                        event.remark.clone(),
                    ]);
                }
                Row::Times { times, depth } => {
                    let indent = "  ".repeat((*depth).min(12) as usize);
                    table.row(["  ".to_owned(), format!("{indent}... {times} more times"), String::new()]);
                }
            }
        }
        let rendered = table.render(width);
        // The table has no headings.
        for line in rendered.lines().skip(1) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    } else if failure.events.is_empty() {
        out.push_str("the way to the failure is too long to be shown\n");
    }
    let (pos, within) = whose(answer, failure);
    let at = place(answer.program, pos).map(|p| format!("{p}: ")).unwrap_or_default();
    let _ = writeln!(out, "{at}{within}{}", failure.what());
    let file = answer.program.files.get(pos.file as usize).filter(|_| answer.quote);
    if let Some(line) = file.and_then(|file| report::source_line(file, pos.line)) {
        let number = pos.line.to_string();
        let gap = " ".repeat(number.len());
        let _ = writeln!(out, "{gap} |\n{number} | {line}\n{gap} |");
    }
}

/// Where the user's code fails: the check itself, or the call of a library function that it is in.
fn whose(answer: &Answer, failure: &Failure) -> (Pos, String) {
    let (program, violation) = (answer.program, failure.violation);
    if !answer.library.has(program, violation.function) {
        return (violation.pos, String::new());
    }
    let mut within = &program.function(violation.function).name;
    for step in &violation.run.backtrace {
        let function = program.function(step.function);
        if !answer.library.has(program, step.function) {
            let pos =
                function.cfa().and_then(|cfa| cfa.edges().get(step.edge.0 as usize)).map(|edge| edge.pos);
            return (pos.unwrap_or_default(), format!("in {within}: "));
        }
        within = &function.name;
    }
    (violation.pos, String::new())
}

/// What is printed of a violation.
enum Row<'e> {
    Event(&'e Event),
    Times { times: usize, depth: u32 },
}

/// The same steps over and over: the first and the last time are enough.
fn collapse<'e>(events: &[&'e Event]) -> Vec<Row<'e>> {
    const LONGEST: usize = 40;
    let same = |a: &Event, b: &Event| (a.function, a.edge, a.depth) == (b.function, b.edge, b.depth);
    let mut rows = Vec::new();
    let mut at = 0;
    while at < events.len() {
        // How often does a block of this length come again at once?
        let again = |length: usize| {
            let rest = &events[at..];
            let matching = rest[length..].iter().zip(rest).take_while(|(a, b)| same(a, b)).count();
            matching / length
        };
        let longest = LONGEST.min((events.len() - at) / 2);
        // The block that covers most; of those the shortest.
        let best = (1..=longest).map(|n| (n * again(n), std::cmp::Reverse(n))).max();
        match best {
            Some((covered, std::cmp::Reverse(length))) if covered / length >= 3 => {
                let times = covered / length;
                rows.extend(events[at..at + length].iter().map(|e| Row::Event(e)));
                rows.push(Row::Times { times: times - 1, depth: events[at].depth });
                let last = at + times * length;
                rows.extend(events[last..last + length].iter().map(|e| Row::Event(e)));
                at = last + length;
            }
            _ => {
                rows.push(Row::Event(events[at]));
                at += 1;
            }
        }
    }
    rows
}

fn short_file(file: &str) -> &str {
    // The place of the failure has the whole path.
    file.rsplit('/').next().unwrap_or(file)
}

fn decisions(out: &mut String, decisions: &[Decision], width: Option<usize>) {
    if decisions.is_empty() {
        return;
    }
    let mut table = Table::new(["about", "decision", "reason"]);
    for decision in decisions {
        table.row([decision.about.clone(), decision.outcome.to_string(), decision.reason.clone()]);
    }
    out.push_str(&table.render(width));
    out.push('\n');
}

/// The calls and what was done with them: the paper's Figures 1 and 2 as text.
fn tree(out: &mut String, calls: &[CallNode]) {
    if calls.is_empty() {
        return;
    }
    out.push_str("calls:\n");
    let mut depth = vec![0usize; calls.len()];
    for (i, call) in calls.iter().enumerate().take(MOST_CALLS) {
        let parent = call.parent.map(|p| p as usize).filter(|p| *p < i);
        depth[i] = parent.map_or(0, |p| depth[p] + 1);
        let indent = "  ".repeat(depth[i].min(40) + 1);
        let _ = writeln!(out, "{indent}{}: {}", call.name, state(call.state));
    }
    if calls.len() > MOST_CALLS {
        let _ = writeln!(out, "  ... {} more calls", calls.len() - MOST_CALLS);
    }
}

pub fn state(state: CallState) -> &'static str {
    match state {
        CallState::Untouched => "untouched",
        CallState::Held => "checked, its summary holds",
        CallState::Fell => "checked, its summary fell",
        CallState::Rebuilt => "its summary fell, a new one was made",
        CallState::New => "a new summary",
        CallState::Inlined => "looked into",
    }
}

fn figures(out: &mut String, answer: &Answer) {
    for figure in &answer.outcome.figures {
        let _ = writeln!(out, "{}: {}", figure.name, number(figure.value));
    }
}

fn list(out: &mut String, what: &str, items: &[String], most: usize) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "{what}:");
    for item in items.iter().take(most) {
        let _ = writeln!(out, "  {item}");
    }
    if items.len() > most {
        let _ = writeln!(out, "  ... and {} more (--explain lists all)", items.len() - most);
    }
}

/// One line: who answered, how long it took, what was reused.
fn summary(answer: &Answer, explain: bool) -> String {
    let outcome = &answer.outcome;
    let mut parts = vec![format!("{}: {:.2} s", outcome.engine, answer.time.as_secs_f64())];
    if !explain {
        // The time is there already; where it went is for those who ask.
        let figures = outcome.figures.iter().filter(|f| !f.name.ends_with("seconds")).take(MOST_FIGURES);
        parts.extend(figures.map(|f| format!("{} {}", f.name, number(f.value))));
    }
    let all = [Outcome::Reused, Outcome::Rechecked, Outcome::Rejected, Outcome::Rebuilt, Outcome::New];
    for kind in all {
        let count = outcome.decisions.iter().filter(|d| d.outcome == kind).count();
        if count > 0 {
            parts.push(format!("{count} {kind}"));
        }
    }
    if let (Some(expected), true) = (answer.expected, decided(&outcome.verdict).is_some()) {
        let agrees = decided(&outcome.verdict) == Some(expected);
        parts.push(format!("the task expects {expected}{}", if agrees { "" } else { ", which is not so" }));
    }
    parts.join(", ") + "\n"
}

pub fn decided(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Safe => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{EdgeId, FuncId, Pos};

    fn check(edges: &str, expected: &str) {
        let events: Vec<Event> = edges
            .bytes()
            .map(|edge| Event {
                kind: Kind::Assignment,
                function: FuncId(0),
                edge: Some(EdgeId(edge.into())),
                pos: Pos::default(),
                depth: 0,
                text: char::from(edge).to_string(),
                remark: String::new(),
                matters: true,
            })
            .collect();
        let rows = collapse(&events.iter().collect::<Vec<_>>());
        let shown = rows.iter().map(|row| match row {
            Row::Event(event) => event.text.clone(),
            Row::Times { times, .. } => format!("({times})"),
        });
        assert_eq!(shown.collect::<String>(), expected, "{edges}");
    }

    #[test]
    fn repetitions() {
        check("", "");
        check("abc", "abc");
        check("aaa", "aaa");
        check("aaaaaa", "a(4)a");
        check("xabababababy", "xab(3)aby");
        check("abcabcabcabcd", "abc(2)abcd");
        check("aabbaabb", "aabbaabb");
    }
}
