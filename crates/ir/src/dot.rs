//! Drawings for Graphviz: a function's automaton with its loops as boxes, and the call graph with its
//! recursive components as boxes.

use crate::calls::CallGraph;
use crate::cfa::{Cfa, NodeId};
use crate::loops::LoopForest;
use crate::print::OpDisplay;
use crate::program::{Body, FuncId, Function, Pos, Program};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// The automaton of a function; a function without a body gives an empty drawing.
pub fn dot_cfa(program: &Program, id: FuncId) -> String {
    let mut out = String::new();
    let function = program.functions.get(id.0 as usize);
    let name = function.map_or("", |f| &f.name);
    let _ = writeln!(out, "digraph {} {{\n  node [shape=circle];", Quoted(name));
    if let Some(function) = function
        && let Some(cfa) = function.cfa()
    {
        nodes(&mut out, cfa);
        edges(&mut out, program, function, cfa);
    }
    out.push_str("}\n");
    out
}

/// Solid arrows are direct calls, dashed ones calls through pointers. Functions without a definition are
/// dashed, those that the front end could not handle red.
pub fn dot_calls(program: &Program, graph: &CallGraph) -> String {
    let mut out = String::from("digraph calls {\n  node [shape=box];\n");
    for (i, component) in graph.components().iter().enumerate() {
        if component.len() > 1 {
            let _ = writeln!(out, "  subgraph cluster_{i} {{\n    label=\"recursive\";");
        }
        for &f in component {
            let function = program.function(f);
            let style = match &function.body {
                Body::Defined(_) => "",
                Body::Extern => ", style=dashed",
                Body::Poisoned { .. } => ", color=red",
            };
            let _ = writeln!(out, "  f{} [label={}{style}];", f.0, Quoted(&function.name));
        }
        if component.len() > 1 {
            out.push_str("  }\n");
        }
    }
    for caller in program.function_ids() {
        let mut counts: BTreeMap<(FuncId, bool), u32> = BTreeMap::new();
        for site in graph.sites(caller) {
            for &target in &site.targets {
                *counts.entry((target, site.indirect)).or_default() += 1;
            }
        }
        for ((target, indirect), count) in counts {
            let mut style = Vec::new();
            style.extend((count > 1).then(|| format!("label=\"{count}\"")));
            style.extend(indirect.then(|| "style=dashed".to_string()));
            let style = if style.is_empty() { String::new() } else { format!(" [{}]", style.join(", ")) };
            let _ = writeln!(out, "  f{} -> f{}{style};", caller.0, target.0);
        }
    }
    out.push_str("}\n");
    out
}

fn nodes(out: &mut String, cfa: &Cfa) {
    let forest = LoopForest::of(cfa);
    for node in cfa.nodes().filter(|&node| forest.innermost(node).is_none()) {
        node_line(out, cfa, node, 1);
    }
    // Loops come before the loops inside them, so the boxes open and close in this order.
    let mut open = 0;
    for id in forest.ids() {
        let l = forest.get(id);
        while open >= l.depth {
            let _ = writeln!(out, "{:1$}}}", "", 2 * open as usize);
            open -= 1;
        }
        open = l.depth;
        let indent = 2 * open as usize;
        let label = if l.irreducible {
            let entries: Vec<String> = l.entries.iter().map(|n| n.0.to_string()).collect();
            format!("irreducible loop at {}, entered at {}", l.header.0, entries.join(" "))
        } else {
            format!("loop at {}", l.header.0)
        };
        let _ = writeln!(out, "{:indent$}subgraph cluster_{} {{", "", id.0);
        let _ = writeln!(out, "{:indent$}  label={};", "", Quoted(&label));
        for &node in forest.body(id).iter().take_while(|&&node| forest.innermost(node) == Some(id)) {
            node_line(out, cfa, node, open as usize + 1);
        }
    }
    while open > 0 {
        let _ = writeln!(out, "{:1$}}}", "", 2 * open as usize);
        open -= 1;
    }
}

fn node_line(out: &mut String, cfa: &Cfa, node: NodeId, level: usize) {
    let style = if node == cfa.exit {
        " [shape=doublecircle]"
    } else if node == cfa.entry {
        " [style=bold]"
    } else {
        ""
    };
    let _ = writeln!(out, "{:1$}{2}{style};", "", 2 * level, node.0);
}

fn edges(out: &mut String, program: &Program, function: &Function, cfa: &Cfa) {
    for edge in cfa.edges() {
        let op = OpDisplay { program, function, op: &edge.op };
        let label = format!("{op}{}", Place { program, pos: edge.pos });
        let _ = writeln!(out, "  {} -> {} [label={}];", edge.from.0, edge.to.0, Quoted(&label));
    }
}

/// A position on a line of its own; nothing if unknown.
struct Place<'a> {
    program: &'a Program,
    pos: Pos,
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.program.files.get(self.pos.file as usize) {
            Some(file) if self.pos.line > 0 => write!(f, "\n{file}:{}:{}", self.pos.line, self.pos.column),
            _ => Ok(()),
        }
    }
}

/// A string as Graphviz reads it: backslashes would start escapes, and `&` the name of a character.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '&' => f.write_str("&amp;")?,
                '\n' => f.write_str("\\n")?,
                c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn automaton_with_loops() {
        let program = parse(
            r#"target lp64
            file "a\\b.c"
            func "f \"q\""(x: i32) {
              local m: memory 4 align 4
              nodes 7 entry 0 exit 6
              0 -> 1: check assertion x == 0i32 "a\\b \"c\"" @3:4
              1 -> 2: assume x < 1i32
              1 -> 5: assume not x < 1i32
              2 -> 3: assume x < 2i32
              2 -> 1: assume not x < 2i32
              3 -> 2: i32[&m] = x
              5 -> 6: return
            }"#,
        )
        .unwrap();
        let expected = r#"digraph "f \"q\"" {
  node [shape=circle];
  0 [style=bold];
  4;
  5;
  6 [shape=doublecircle];
  subgraph cluster_0 {
    label="loop at 1";
    1;
    subgraph cluster_1 {
      label="loop at 2";
      2;
      3;
    }
  }
  0 -> 1 [label="check assertion x == 0i32 \"a\\\\b \\\"c\\\"\"\na\\b.c:3:4"];
  1 -> 2 [label="assume x < 1i32"];
  1 -> 5 [label="assume not x < 1i32"];
  2 -> 3 [label="assume x < 2i32"];
  2 -> 1 [label="assume not x < 2i32"];
  3 -> 2 [label="i32[&amp;m] = x"];
  5 -> 6 [label="return"];
}
"#;
        assert_eq!(dot_cfa(&program, FuncId(0)), expected);
        assert_eq!(dot_cfa(&program, FuncId(7)), "digraph \"\" {\n  node [shape=circle];\n}\n");
    }

    #[test]
    fn irreducible_loops_name_their_entries() {
        let mut out = String::new();
        nodes(&mut out, &crate::testing::graph_of(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]));
        assert!(out.contains("label=\"irreducible loop at 1, entered at 1 2\";"), "{out}");
    }

    #[test]
    fn calls() {
        let program = parse(
            r#"target lp64
            func e() extern
            func bad() poisoned "asm"
            func f(p: ptr) {
              nodes 5 entry 0 exit 4
              0 -> 1: call e()
              1 -> 2: call e()
              2 -> 3: call g(func e)
              3 -> 4: return
            }
            func g(p: ptr) {
              nodes 4 entry 0 exit 3
              0 -> 1: call f(p)
              1 -> 2: call *(p)()
              2 -> 3: return
            }"#,
        )
        .unwrap();
        let expected = r#"digraph calls {
  node [shape=box];
  f0 [label="e", style=dashed];
  f1 [label="bad", color=red];
  subgraph cluster_2 {
    label="recursive";
  f2 [label="f"];
  f3 [label="g"];
  }
  f2 -> f0 [label="2"];
  f2 -> f3;
  f3 -> f0 [style=dashed];
  f3 -> f2;
}
"#;
        assert_eq!(dot_calls(&program, &CallGraph::of(&program)), expected);
    }
}
