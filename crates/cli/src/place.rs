//! Positions of the IR, for people.

use ir::loops::{LoopForest, LoopId};
use ir::{Cfa, Pos, Program};
use serde::Serialize;

/// A place as it appears in JSON documents.
#[derive(Serialize)]
pub struct PlaceJson<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

/// `file:line:column`; None if it is unknown.
pub fn place(program: &Program, pos: Pos) -> Option<String> {
    let file = file(program, pos)?;
    Some(format!("{file}:{}:{}", pos.line, pos.column))
}

/// ` at file:line:column`, or nothing.
pub fn at(program: &Program, pos: Pos) -> String {
    place(program, pos).map(|place| format!(" at {place}")).unwrap_or_default()
}

pub fn place_json(program: &Program, pos: Pos) -> Option<PlaceJson<'_>> {
    Some(PlaceJson { file: file(program, pos)?, line: pos.line, column: pos.column })
}

/// Where a loop begins: at its header, or at the first operation in it that has a place.
pub fn loop_pos(cfa: &Cfa, forest: &LoopForest, id: LoopId) -> Pos {
    let edges = forest.body(id).iter().flat_map(|&node| cfa.out(node));
    edges.map(|edge| edge.pos).find(|pos| pos.line > 0).unwrap_or_default()
}

fn file(program: &Program, pos: Pos) -> Option<&str> {
    program.files.get(pos.file as usize).filter(|_| pos.line > 0).map(|file| &**file)
}
