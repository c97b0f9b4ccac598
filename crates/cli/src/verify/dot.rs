//! The tree of calls in Graphviz's language, shaded as the paper's Figures 1 and 2.

use super::text::state;
use engine::{CallNode, CallState};
use std::fmt::Write;

pub fn dot(calls: &[CallNode]) -> String {
    let mut out =
        String::from("digraph calls {\n  node [shape=box, style=filled, fontname=\"monospace\"];\n");
    for (i, call) in calls.iter().enumerate() {
        let (fill, font) = colours(call.state);
        let name: String = call.name.chars().flat_map(escape).collect();
        let _ = writeln!(
            out,
            "  n{i} [label=\"{name}\", tooltip=\"{}\", fillcolor=\"{fill}\", fontcolor=\"{font}\"];",
            state(call.state)
        );
    }
    for (i, call) in calls.iter().enumerate() {
        if let Some(parent) = call.parent {
            let _ = writeln!(out, "  n{parent} -> n{i};");
        }
    }
    out.push_str("}\n");
    out
}

fn colours(state: CallState) -> (&'static str, &'static str) {
    match state {
        CallState::Untouched => ("white", "black"),
        CallState::Held => ("palegreen", "black"),
        CallState::Fell => ("firebrick", "white"),
        CallState::Rebuilt => ("orange", "black"),
        CallState::New => ("lightblue", "black"),
        CallState::Inlined => ("gray80", "black"),
    }
}

fn escape(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        c if c.is_control() => vec!['?'],
        c => vec![c],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{FuncId, Pos};

    #[test]
    fn a_tree() {
        let call = |parent, name: &str, state| CallNode {
            parent,
            function: FuncId(0),
            name: name.to_owned(),
            pos: Pos::default(),
            state,
        };
        let text = dot(&[call(None, "main", CallState::Held), call(Some(0), "f\"", CallState::Fell)]);
        assert_eq!(
            text,
            "digraph calls {\n  node [shape=box, style=filled, fontname=\"monospace\"];\n  \
             n0 [label=\"main\", tooltip=\"checked, its summary holds\", fillcolor=\"palegreen\", fontcolor=\"black\"];\n  \
             n1 [label=\"f\\\"\", tooltip=\"checked, its summary fell\", fillcolor=\"firebrick\", fontcolor=\"white\"];\n  \
             n0 -> n1;\n}\n"
        );
    }
}
