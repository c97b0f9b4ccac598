//! The inputs of a run, in one block: what to give a program to see it fail.
//!
//! Nothing of it is cut: all answers to what the program asked are there, also those that made no difference.
//! What was never set or written is there if it matters. Inputs of one place are one line, with their values
//! in order.

use super::error_trace::{Line, Style, table};
use super::events::Event;
use super::events::names::Given;
use super::{Answer, Failure};

/// The block, or nothing if there are none.
pub fn inputs(answer: &Answer, failure: &Failure, style: &Style) -> String {
    let mut groups: Vec<(&Event, &Given, Vec<&str>)> = Vec::new();
    for event in &failure.events {
        let Some(given) = &event.given else { continue };
        if !(event.matters || given.is_answer || style.explain) {
            continue;
        }
        let same = |(first, other, _): &&mut (&Event, &Given, Vec<&str>)| {
            (first.function, first.edge, first.pos) == (event.function, event.edge, event.pos)
                && other.what == given.what
        };
        match groups.iter_mut().find(same) {
            Some((.., values)) => values.push(&given.value),
            None => groups.push((event, given, vec![&given.value])),
        }
    }
    let line = |(event, given, values): (&Event, &Given, Vec<&str>)| {
        let values = listed(&values);
        let remark = match given.from {
            "" => values,
            from => format!("{values} ({from})"),
        };
        Line { pos: Some(event.pos), depth: 0, text: given.what.clone(), remark }
    };
    let lines: Vec<Line> = groups.into_iter().map(line).collect();
    match lines.is_empty() {
        true => String::new(),
        false => table(answer, "inputs", &lines, 0, style),
    }
}

/// `1, 2, 0 (7 times)`.
fn listed(values: &[&str]) -> String {
    let run = |run: &[&str]| match run {
        [one, _, _, ..] => format!("{one} ({} times)", run.len()),
        few => few.join(", "),
    };
    values.chunk_by(|a, b| a == b).map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_order() {
        let check = |values: &str, expected: &str| {
            assert_eq!(listed(&values.split(' ').collect::<Vec<_>>()), expected);
        };
        check("1", "1");
        check("1 1 2", "1, 1, 2");
        check("0 0 0 5 0 0 0 0", "0 (3 times), 5, 0 (4 times)");
    }
}
