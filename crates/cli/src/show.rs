//! `reprove show`: a program as this tool sees it.

use crate::args::{FrontArgs, ShowArgs, What};
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::Folders;
use crate::load::{self, Loaded};
use crate::place::{PlaceJson, at, place, place_json};
use crate::{fragments, json};
use ir::calls::CallGraph;
use ir::dot::{dot_calls, dot_cfa};
use ir::loops::LoopForest;
use ir::{Body, Cfa, FuncId, Function, NodeId, OpDisplay, Program};
use serde::Serialize;
use std::fmt::Write;

pub fn show(args: &ShowArgs, console: &Console) -> Result<Exit, Exit> {
    let refuse = |message: &str| {
        console.error(message);
        Err(Exit::BadInput)
    };
    if args.dot && !matches!(args.what, What::Cfa | What::Calls) {
        return refuse("--dot draws graphs: 'show cfa' and 'show calls' have one");
    }
    if args.json && !matches!(args.what, What::Calls | What::Fragments) {
        return refuse("--json is for 'show calls' and 'show fragments'");
    }
    let command = match args.what {
        What::Ir => "show ir",
        What::Cfa => "show cfa",
        What::Calls => "show calls",
        What::Fragments => "show fragments",
    };
    let front = FrontArgs { environment: Some(cfront::Environment::All), ..args.front.clone() };
    let loaded = load::load(&args.files, Folders::AsFiles, &front, console)
        .map_err(|failed| json::failed(console, args.json, command, failed))?;
    let program = &loaded.program;
    let only = match &args.function {
        Some(name) => Some(load::find_function(program, name, console)?),
        None => None,
    };
    let text = match args.what {
        What::Ir => match only {
            Some(id) => ir::print_function(program, id),
            None => ir::print(program),
        },
        What::Cfa => {
            let list = program.function_ids().filter(|&id| match only {
                Some(only) => id == only,
                None => program.function(id).cfa().is_some(),
            });
            let texts = list.map(|id| if args.dot { dot_cfa(program, id) } else { cfa_text(program, id) });
            texts.collect::<Vec<_>>().join("\n")
        }
        What::Calls => return calls(args, console, &loaded, only),
        What::Fragments => return fragments::show(args, console, &loaded, only),
    };
    console.print(text.as_bytes(), Exit::Fine)
}

/// Nodes in order, each with its edges; what is a loop's is said at the node.
fn cfa_text(program: &Program, id: FuncId) -> String {
    let function = program.function(id);
    let mut out = format!("function {}{}", function.name, at(program, function.pos));
    let Some(cfa) = function.cfa() else {
        let _ = writeln!(out, ": {}", without_body(function));
        return out;
    };
    let forest = LoopForest::of(cfa);
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (nodes, edges) = (count(cfa.node_count() as usize, "node"), count(cfa.edges().len(), "edge"));
    let _ = writeln!(out, ": {nodes}, {edges}, {}", count(forest.loops().len(), "loop"));
    for node in cfa.nodes() {
        let _ = writeln!(out, "  {}{}", node.0, remarks(cfa, &forest, node));
        for edge in cfa.out(node) {
            let op = OpDisplay { program, function, op: &edge.op }.to_string();
            let line = format!("    -> {:<4} {op}", edge.to.0);
            let _ = match edge.pos.line {
                0 => writeln!(out, "{line}"),
                n => writeln!(out, "{line:<60} line {n}"),
            };
        }
    }
    out
}

fn remarks(cfa: &Cfa, forest: &LoopForest, node: NodeId) -> String {
    let mut list = Vec::new();
    if node == cfa.entry {
        list.push("entry".to_string());
    }
    if node == cfa.exit {
        list.push("exit".to_string());
    }
    if let Some(id) = forest.headed_by(node) {
        let l = forest.get(id);
        let inside = l.parent.map(|p| format!(" in loop {}", p.0 + 1)).unwrap_or_default();
        let irreducible = if l.irreducible { ", irreducible" } else { "" };
        list.push(format!("head of loop {}{inside}{irreducible}", id.0 + 1));
    } else if let Some(id) = forest.innermost(node) {
        list.push(format!("in loop {}", id.0 + 1));
    }
    if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
}

fn without_body(function: &Function) -> String {
    match &function.body {
        Body::Defined(_) => String::new(),
        Body::Extern => "no definition".to_string(),
        Body::Poisoned { reason, .. } => format!("not supported: {reason}"),
    }
}

#[derive(Serialize)]
struct Caller<'a> {
    name: &'a str,
    /// `defined`, `extern` (no definition) or `unsupported`.
    body: &'static str,
    place: Option<PlaceJson<'a>>,
    recursive: bool,
    address_taken: bool,
    calls: Vec<&'a str>,
    calls_through_pointers: Vec<&'a str>,
}

fn callers<'a>(program: &'a Program, graph: &CallGraph, only: Option<FuncId>) -> Vec<Caller<'a>> {
    let name = |&id: &FuncId| -> &'a str { &program.function(id).name };
    let list = program.function_ids().filter(|&id| only.is_none_or(|only| id == only));
    list.map(|id| {
        let function = program.function(id);
        let targets = |indirect: bool| {
            let sites = graph.sites(id).iter().filter(|site| site.indirect == indirect);
            let mut list: Vec<FuncId> = sites.flat_map(|site| site.targets.iter().copied()).collect();
            list.sort();
            list.dedup();
            list.iter().map(name).collect()
        };
        Caller {
            name: &function.name,
            body: match function.body {
                Body::Defined(_) => "defined",
                Body::Extern => "extern",
                Body::Poisoned { .. } => "unsupported",
            },
            place: place_json(program, function.pos),
            recursive: graph.is_recursive(id),
            address_taken: graph.address_taken().contains(&id),
            calls: targets(false),
            calls_through_pointers: targets(true),
        }
    })
    .collect()
}

fn calls(args: &ShowArgs, console: &Console, loaded: &Loaded, only: Option<FuncId>) -> Result<Exit, Exit> {
    let program = &loaded.program;
    let graph = CallGraph::of(program);
    if args.json {
        #[derive(Serialize)]
        struct Document<'a> {
            functions: Vec<Caller<'a>>,
        }
        let document = Document { functions: callers(program, &graph, only) };
        return json::print(console, "show calls", &loaded.diagnostics, document, Exit::Fine);
    }
    let mut out = String::new();
    if args.dot {
        out = dot_calls(program, &graph);
    } else {
        for (caller, id) in callers(program, &graph, only).iter().zip(program.function_ids()) {
            let function = program.function(only.unwrap_or(id));
            let mut remarks: Vec<String> = place(program, function.pos).into_iter().collect();
            if function.cfa().is_none() {
                remarks.push(without_body(function));
            }
            if caller.recursive {
                remarks.push("recursive".to_string());
            }
            if caller.address_taken {
                remarks.push("address taken".to_string());
            }
            let _ = match remarks.as_slice() {
                [] => writeln!(out, "{}", caller.name),
                _ => writeln!(out, "{} ({})", caller.name, remarks.join(", ")),
            };
            for (what, list) in
                [("calls", &caller.calls), ("through pointers", &caller.calls_through_pointers)]
            {
                if !list.is_empty() {
                    let _ = writeln!(out, "  {what}: {}", list.join(", "));
                }
            }
        }
    }
    console.print(out.as_bytes(), Exit::Fine)
}
