//! A failing run, as a violation witness tells it: what came from outside, how conditions turned out, and
//! where it ends.

use super::number::plain;
use super::places::Places;
use super::{Location, Waypoint, WaypointKind};
use driver::Violation;
use driver::path::{Path, Step};
use interp::InputKind;
use ir::{FuncId, Op, Pos, Program, Type};

/// Of longer runs only the inputs are told, and of those so many.
const MOST: usize = 5000;

/// The points that the run passes, the violation last; none if it cannot be said in which line it is. Steps
/// of functions of ours (`is_library`) are not in the user's files.
pub fn waypoints(
    program: &Program,
    violation: &Violation,
    path: Option<&Path>,
    places: &Places,
    is_library: &dyn Fn(FuncId) -> bool,
) -> Option<Vec<Waypoint>> {
    let target = target(program, violation, places, is_library)?;
    let mut list = Vec::new();
    for step in path.iter().flat_map(|path| &path.steps) {
        if let Some(path) = path.filter(|_| !is_library(step.function)) {
            list.extend(input(path, step, places).or_else(|| branching(path, step, places)));
        }
    }
    if list.len() > MOST {
        list.retain(|waypoint| !matches!(waypoint.kind, WaypointKind::Branching(_)));
        list.truncate(MOST);
    }
    list.push(Waypoint { kind: WaypointKind::Target, location: target });
    Some(list)
}

/// A call that gave a value from outside.
fn input(path: &Path, step: &Step, places: &Places) -> Option<Waypoint> {
    let mut asked = path.inputs(&step.inputs).iter();
    let (name, ty) = asked.find_map(|input| match &input.request.kind {
        InputKind::Input(name) => Some((name.to_string(), input.request.ty)),
        InputKind::ExternReturn(id) => Some((path.program.function(*id).name.to_string(), input.request.ty)),
        _ => None,
    })?;
    let value = match ty {
        Type::Int(int) if int.bits <= 64 => int.value(step.written?),
        _ => return None,
    };
    let start = places.offset(path.program, path.pos(step))?;
    let calls = places.found.calls.get(&start)?;
    let mut fitting = calls.iter().filter(|call| places.name(call.callee) == name);
    let call = fitting.next().filter(|_| fitting.next().is_none())?;
    let location = places.call_end(start, call.end, call.function)?;
    let kind = WaypointKind::FunctionReturn(format!("\\result == {}", plain(value)?));
    Some(Waypoint { kind, location })
}

/// A condition of an `if` or a `while` that is decided now.
fn branching(path: &Path, step: &Step, places: &Places) -> Option<Waypoint> {
    let Op::Assume { holds, .. } = path.op(step)? else { return None };
    let cfa = path.program.function(step.function).cfa()?;
    let from = cfa.edges().get(step.edge.0 as usize)?.from;
    if cfa.out(from).len() < 2 {
        return None;
    }
    let start = places.offset(path.program, path.pos(step))?;
    let branching = places.found.branchings.get(*places.found.operands.get(&start)?)?;
    let outcome = branching.condition.decided(start, *holds)?;
    let location = places.location(branching.keyword, Some(branching.function))?;
    Some(Waypoint { kind: WaypointKind::Branching(outcome), location })
}

/// The statement or full expression around the check that fails; of a function of ours, around its call.
fn target(
    program: &Program,
    violation: &Violation,
    places: &Places,
    is_library: &dyn Fn(FuncId) -> bool,
) -> Option<Location> {
    let own = (violation.function, violation.pos);
    let callers = violation.run.backtrace.iter().map(|at| {
        let edge = program.function(at.function).cfa().and_then(|cfa| cfa.edges().get(at.edge.0 as usize));
        (at.function, edge.map(|edge| edge.pos).unwrap_or_default())
    });
    let (_, pos) = std::iter::once(own).chain(callers).find(|(function, _)| !is_library(*function))?;
    let start = places.offset(program, pos);
    let around = start.and_then(|start| {
        let has = |span: base::Span| (span.lo..span.hi).contains(&start);
        let wholes = places.found.wholes.iter().filter(|whole| has(whole.span));
        wholes.min_by_key(|whole| whole.span.hi - whole.span.lo)
    });
    let exact = around.and_then(|whole| places.location(whole.span.lo, Some(whole.function)));
    exact.or_else(|| start.and_then(|start| places.line(start))).or_else(|| of(program, pos))
}

/// A place as the program has it.
fn of(program: &Program, pos: Pos) -> Option<Location> {
    let file = program.files.get(pos.file as usize).filter(|_| pos.line > 0)?;
    Some(Location { file: file.to_string(), line: pos.line, column: None, function: None })
}
