//! `reprove show fragments`: functions and loops with their fingerprints.

use crate::args::ShowArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::json;
use crate::load::Loaded;
use crate::place::{PlaceJson, loop_pos, place, place_json};
use ir::fingerprint::{Fingerprints, FragmentPrint};
use ir::loops::LoopForest;
use ir::{FuncId, Pos, Program};
use report::Table;
use serde::Serialize;

/// A function, or a loop in one.
struct Fragment {
    function: FuncId,
    name: String,
    /// 0 for functions, 1 for outermost loops.
    depth: u32,
    pos: Pos,
    print: FragmentPrint,
}

#[derive(Serialize)]
struct FragmentJson<'a> {
    kind: &'static str,
    name: &'a str,
    function: &'a str,
    depth: u32,
    local: String,
    global: String,
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct Document<'a> {
    program: String,
    fragments: Vec<FragmentJson<'a>>,
}

pub fn show(args: &ShowArgs, console: &Console, loaded: &Loaded, only: Option<FuncId>) -> Result<Exit, Exit> {
    let program = &loaded.program;
    // What is checked is part of the program itself; nothing else here changes what a fragment means.
    let prints = Fingerprints::compute(program);
    let list = fragments(program, &prints, only);
    if args.json {
        let fragments = list.iter().map(|f| FragmentJson {
            kind: if f.depth == 0 { "function" } else { "loop" },
            name: &f.name,
            function: &program.function(f.function).name,
            depth: f.depth,
            local: f.print.local.to_string(),
            global: f.print.global.to_string(),
            place: place_json(program, f.pos),
        });
        let document = Document { program: prints.program().to_string(), fragments: fragments.collect() };
        return json::print(console, "show fragments", &loaded.diagnostics, document, Exit::Fine);
    }
    let mut table = Table::new(["fragment", "local", "global", "place"]);
    for f in &list {
        let name = format!("{:1$}{2}", "", 2 * f.depth as usize, f.name);
        let place = place(program, f.pos).unwrap_or_default();
        table.row([name, f.print.local.short(), f.print.global.short(), place]);
    }
    console.print(table.render(console.width).as_bytes(), Exit::Fine)
}

/// Functions with a body in the program's order, each followed by its loops, outer before inner.
fn fragments(program: &Program, prints: &Fingerprints, only: Option<FuncId>) -> Vec<Fragment> {
    let mut list = Vec::new();
    for id in program.function_ids().filter(|&id| only.is_none_or(|only| id == only)) {
        let function = program.function(id);
        let name = function.name.to_string();
        list.push(Fragment { function: id, name, depth: 0, pos: function.pos, print: prints.function(id) });
        let Some(cfa) = function.cfa() else { continue };
        let forest = LoopForest::of(cfa);
        for (l, path) in forest.ids().zip(paths(&forest)) {
            list.push(Fragment {
                function: id,
                name: format!("loop {path}"),
                depth: forest.get(l).depth,
                pos: loop_pos(cfa, &forest, l),
                print: prints.loop_(id, l),
            });
        }
    }
    list
}

/// The names of all loops: `2.1` is the first loop in the second loop.
pub fn paths(forest: &LoopForest) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let mut inside = vec![0; forest.loops().len()];
    let mut outermost = 0;
    for l in forest.loops() {
        // Parents come before the loops inside them.
        let (count, outer) = match l.parent.map(|p| p.0 as usize) {
            Some(parent) => (&mut inside[parent], paths.get(parent)),
            None => (&mut outermost, None),
        };
        *count += 1;
        paths.push(outer.map_or_else(|| count.to_string(), |outer| format!("{outer}.{count}")));
    }
    paths
}
