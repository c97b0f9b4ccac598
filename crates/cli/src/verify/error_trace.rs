//! The way to a failure, as lines: what led to it in order, repetitions and long rows of conditions
//! shortened, and the check that fails with its line of the source.

use super::events::{Event, Kind};
use super::given::inputs;
use super::{Answer, Failure};
use crate::console::{Paint, Tone};
use crate::place::place;
use ir::Pos;
use report::Table;
use std::fmt::Write;

/// So many lines are shown, from the end, unless everything was asked for.
const MOST_LINES: usize = 60;
/// Longer texts are cut.
const LONGEST_TEXT: usize = 100;
/// A file's name of this length is said once instead of on every line.
const LONG_NAME: usize = 20;

/// How things are shown.
#[derive(Clone, Copy)]
pub struct Style {
    /// Everything is wanted.
    pub explain: bool,
    pub width: Option<usize>,
    pub paint: Paint,
}

/// A line of a list: where, what, and a remark.
pub struct Line {
    pub pos: Option<Pos>,
    pub depth: u32,
    pub text: String,
    pub remark: String,
}

pub fn error_trace(answer: &Answer, failure: &Failure, style: &Style) -> String {
    let Style { explain, paint, .. } = *style;
    let mut out = inputs(answer, failure, style);
    let shown = shown(&failure.events, explain);
    if failure.events.is_empty() {
        out.push_str("error trace is too long to be shown\n");
    } else if !shown.is_empty() {
        let rows = match explain {
            true => shown.iter().map(|e| Row::Event(e)).collect(),
            false => shorten(collapse(&shown)),
        };
        let skipped = if explain { 0 } else { rows.len().saturating_sub(MOST_LINES) };
        let lines: Vec<Line> = rows.iter().map(Row::line).collect();
        out += &table(answer, "error trace", &lines, skipped, style);
    }
    let (pos, within) = whose(answer, failure);
    let at = place(answer.program, pos).map(|p| format!("{p}: ")).unwrap_or_default();
    let what = clean(&format!("{within}{}", failure.what(answer.program)));
    let _ = writeln!(out, "{}{}", clean(&at), paint.paint(Tone::Bad, &what));
    let line = answer.sources.quotable(pos).and_then(|file| report::source_line(file, pos.line));
    if let Some(line) = line {
        let number = pos.line.to_string();
        let gap = " ".repeat(number.len());
        let _ = writeln!(out, "{gap} |\n{number} | {}\n{gap} |", clean(&line));
    }
    for note in failure.notes(answer.program) {
        let _ = writeln!(out, "  {}", clean(&note));
    }
    out
}

/// What led to the failure, without steps that say no value; but a call stays if steps in it are shown.
fn shown(events: &[Event], explain: bool) -> Vec<&Event> {
    let wanted = |e: &&Event| (e.matters || explain) && e.kind != Kind::Failure;
    let mut list: Vec<&Event> = Vec::new();
    let mut next = 0;
    for event in events.iter().filter(wanted).rev() {
        let leads = event.kind == Kind::Call && next > event.depth;
        if event.has_value || leads || explain {
            list.push(event);
            next = event.depth;
        }
    }
    list.reverse();
    list
}

/// A list with a title. Of a long one the first lines are skipped.
pub fn table(answer: &Answer, title: &str, lines: &[Line], skipped: usize, style: &Style) -> String {
    let file = |pos: Pos| answer.program.files.get(pos.file as usize).filter(|_| pos.line > 0);
    let mut files = lines.iter().filter_map(|line| file(line.pos?));
    let first = files.next();
    let only = first.filter(|first| first.len() > LONG_NAME && files.all(|other| other == *first));
    let title = match only {
        Some(file) => format!("{title}, in {file}:"),
        None => format!("{title}:"),
    };
    let mut out = style.paint.paint(Tone::Heading, &title) + "\n";
    if skipped > 0 {
        let _ = writeln!(out, "  ... {skipped} earlier lines (--explain shows all)");
    }
    let place = |line: &Line| match line.pos.and_then(|pos| Some((pos.line, file(pos)?))) {
        Some((number, _)) if only.is_some() => number.to_string(),
        Some((number, file)) => format!("{}:{number}", file.rsplit('/').next().unwrap_or(file)),
        None => String::new(),
    };
    let lines = lines.get(skipped..).unwrap_or_default();
    let mut table = Table::new(["", "", ""]);
    for line in lines {
        let indent = "  ".repeat(line.depth.min(12) as usize);
        table.row([
            format!("  {}", place(line)),
            format!("{indent}{}", cut(&line.text)),
            line.remark.clone(),
        ]);
    }
    // The table has no headings. A line that was wrapped has no place.
    let mut places = lines.iter().map(place).filter(|place| !place.is_empty()).peekable();
    for line in table.render(style.width).lines().skip(1).map(str::trim_end) {
        let rest =
            |place: &String| line.strip_prefix("  ").and_then(|line| line.strip_prefix(place.as_str()));
        match places.peek().and_then(|place| Some((place, rest(place)?))) {
            Some((place, rest)) => {
                let _ = writeln!(out, "  {}{rest}", style.paint.paint(Tone::Faint, place));
                places.next();
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}

fn cut(text: &str) -> String {
    let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
    match end {
        Some(end) => format!("{}...", clean(&text[..end])),
        None => clean(text),
    }
}

/// Sources may hold anything; a terminal must not obey it.
fn clean(text: &str) -> String {
    let plain = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(plain).collect()
}

/// Where the user's code fails: the check itself, or the call of a library function that it is in.
fn whose(answer: &Answer, failure: &Failure) -> (Pos, String) {
    let within = |(pos, function)| (pos, format!("in {function}: "));
    call_of_library(answer, failure).map_or((failure.violation.pos, String::new()), within)
}

/// If the check is in a function of the library: where the user's code calls the library, and what it calls.
pub fn call_of_library<'a>(answer: &Answer<'a>, failure: &Failure) -> Option<(Pos, &'a str)> {
    let (program, violation) = (answer.program, failure.violation);
    if !answer.sources.is_library(violation.function) {
        return None;
    }
    let mut within = &program.function(violation.function).name;
    for step in &violation.run.backtrace {
        let function = program.function(step.function);
        if !answer.sources.is_library(step.function) {
            let pos =
                function.cfa().and_then(|cfa| cfa.edges().get(step.edge.0 as usize)).map(|edge| edge.pos);
            return Some((pos.unwrap_or_default(), within));
        }
        within = &function.name;
    }
    None
}

/// What is printed.
#[derive(Clone, Copy)]
enum Row<'e> {
    Event(&'e Event),
    Times {
        times: usize,
        depth: u32,
    },
    /// Conditions that did not hold.
    Conditions {
        count: usize,
        depth: u32,
    },
}

impl Row<'_> {
    fn line(&self) -> Line {
        match self {
            Row::Event(event) => Line {
                pos: Some(event.pos),
                depth: event.depth,
                text: event.text.clone(),
                remark: event.remark.clone(),
            },
            Row::Times { times, depth } => {
                let text = format!("... {times} more times");
                Line { pos: None, depth: *depth, text, remark: String::new() }
            }
            Row::Conditions { count, depth } => {
                let text = format!("... {count} more conditions");
                Line { pos: None, depth: *depth, text, remark: "no".to_owned() }
            }
        }
    }
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

/// Of many conditions in a row that do not hold, as those of a `switch`, the first and the last are enough.
fn shorten(rows: Vec<Row>) -> Vec<Row> {
    const MOST: usize = 4;
    let declined = |row: &Row| match row {
        Row::Event(event) if event.kind == Kind::Branch && event.remark == "no" => Some(event.depth),
        _ => None,
    };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        let depth = declined(row);
        let length = match depth {
            Some(_) => rows[at..].iter().take_while(|row| declined(row) == depth).count(),
            None => 1,
        };
        match depth {
            Some(depth) if length > MOST => {
                out.push(*row);
                out.push(Row::Conditions { count: length - 2, depth });
                out.push(rows[at + length - 1]);
            }
            _ => out.extend(&rows[at..at + length]),
        }
        at += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{EdgeId, FuncId, Pos};

    fn check(edges: &str, expected: &str) {
        let events: Vec<Event> = edges
            .bytes()
            .map(|edge| Event {
                kind: if edge.is_ascii_digit() { Kind::Branch } else { Kind::Assignment },
                function: FuncId(0),
                edge: Some(EdgeId(edge.into())),
                pos: Pos::default(),
                depth: 0,
                text: char::from(edge).to_string(),
                remark: "no".to_owned(),
                matters: true,
                has_value: true,
                given: None,
            })
            .collect();
        let rows = shorten(collapse(&events.iter().collect::<Vec<_>>()));
        let shown = rows.iter().map(|row| match row {
            Row::Event(event) => event.text.clone(),
            Row::Times { times, .. } => format!("({times})"),
            Row::Conditions { count, .. } => format!("<{count}>"),
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
        check("a1234b", "a1234b");
        check("a123456b78", "a1<4>6b78");
        check("12345", "1<3>5");
    }
}
