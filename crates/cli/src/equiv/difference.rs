//! An input on which the versions differ, and what each of them does on it: as data, which `text` prints and
//! JSON carries.

use super::memory::View;
use super::story;
use super::values::Names;
use ::equiv::concrete::{
    Call, CallKey, Difference, DifferenceKind, Ending, Input, Observation, Pointer, SideBySide, Value,
};
use ir::{FuncId, Function, Program, Type};
use serde::Serialize;

#[derive(Serialize)]
pub struct Shown {
    /// What is different, in words.
    pub what: String,
    pub input: Vec<String>,
    /// The runs up to the first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<story::Shown>,
    /// What each version does in the end, one row for each thing that is worth comparing.
    pub outcomes: Vec<Row>,
}

#[derive(Serialize)]
pub struct Row {
    pub what: String,
    pub old: String,
    pub new: String,
}

/// More differences in memory are not listed.
const MOST_CELLS: usize = 16;
/// Longer output is cut to the part around the first difference.
const LONGEST_OUTPUT: usize = 60;

pub fn shown(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    difference: &Difference,
    runs: Option<&SideBySide>,
    quote: [bool; 2],
) -> Shown {
    let sides = [programs[0].function(functions[0]), programs[1].function(functions[1])];
    let names = Names::new(sides[0], &difference.input);
    let shower = Shower { programs, sides, view: View::new(&names, programs[0]), names: &names };
    Shown {
        what: shower.what(difference),
        input: shower.input(&difference.input),
        runs: runs.map(|runs| story::shown(programs, &names, runs, quote)),
        outcomes: shower.outcomes(difference),
    }
}

struct Shower<'a> {
    programs: [&'a Program; 2],
    sides: [&'a Function; 2],
    view: View<'a>,
    names: &'a Names,
}

impl Shower<'_> {
    fn what(&self, difference: &Difference) -> String {
        match &difference.kind {
            DifferenceKind::Ending => "the versions end differently".to_owned(),
            DifferenceKind::Value => "the versions return different values".to_owned(),
            DifferenceKind::Call { index } => {
                let call = |seen: &Observation| seen.calls.get(*index).map(|c| c.name.to_string());
                let name = call(&difference.old).or_else(|| call(&difference.new)).unwrap_or_default();
                format!(
                    "the versions call functions without a body differently, at call {} ({name})",
                    index + 1
                )
            }
            DifferenceKind::Stdout => "the versions print different text".to_owned(),
            DifferenceKind::Stderr => "the versions print different text to standard error".to_owned(),
            DifferenceKind::Memory { place, offset } => {
                format!("the versions leave different values in {}", self.view.cell(place, *offset).name)
            }
            DifferenceKind::Heap { .. } => {
                "the versions leave different values in memory that they allocate".to_owned()
            }
            DifferenceKind::Postcondition => "the postcondition does not hold".to_owned(),
        }
    }

    fn input(&self, input: &Input) -> Vec<String> {
        let mut lines = self.arguments(input);
        for place in input.memory.places() {
            lines.extend(self.view.lines(&input.memory, place));
        }
        for ((name, call), value) in &input.inputs {
            let ty = self.returns(name).unwrap_or(Type::I32);
            lines.push(format!("{name}() = {} (call {})", self.value(value, ty, ""), call + 1));
        }
        for (CallKey { name, args, index }, value) in &input.returns {
            let args: Vec<String> = args.iter().map(|a| self.argument(a)).collect();
            let ty = self.returns(name).unwrap_or(Type::I64);
            let again = if *index > 0 {
                format!(" (call {} with these arguments)", index + 1)
            } else {
                String::new()
            };
            lines.push(format!("{name}({}) = {}{again}", args.join(", "), self.value(value, ty, "")));
        }
        lines
    }

    fn arguments(&self, input: &Input) -> Vec<String> {
        let [old, new] = self.sides;
        let mut lines = Vec::new();
        let count = old.params.max(new.params) as usize;
        for i in 0..count {
            let show = |side: usize| {
                let function = self.sides[side];
                let local = function.locals.get(i).filter(|_| i < function.params as usize)?;
                let ty = function.param_types().nth(i)?;
                let text = self.value(input.args[side].get(i)?, ty, &local.c_type);
                Some((local.name.to_string(), text))
            };
            // An object that is called after this parameter is shown by its content.
            let object = |(name, text): &(String, String)| name == text;
            let size = match input.args[0].get(i) {
                Some(Value::Pointer(Pointer { base: ::equiv::concrete::Base::Object(o), .. })) => {
                    input.objects.get(*o).copied()
                }
                _ => None,
            };
            match (show(0), show(1)) {
                (Some(shown), Some(other)) if shown.1 == other.1 => {
                    if !object(&shown) {
                        let renamed =
                            if shown.0 == other.0 { String::new() } else { format!(" ({})", other.0) };
                        lines.push(format!("{}{renamed} = {}", shown.0, shown.1));
                    } else if let Some(size) = size {
                        lines.push(format!("{} = an object of {size} bytes", shown.0));
                    }
                }
                (old, new) => {
                    for (shown, version) in [(old, "old"), (new, "new")] {
                        if let Some((name, text)) = shown {
                            lines.push(format!("{name} = {text} in the {version} version"));
                        }
                    }
                }
            }
        }
        lines
    }

    fn outcomes(&self, difference: &Difference) -> Vec<Row> {
        let (old, new) = (&difference.old, &difference.new);
        let mut rows = Vec::new();
        let mut row = |what: &str, old: String, new: String| {
            rows.push(Row { what: what.to_owned(), old, new });
        };
        row("ends", self.ending(0, old), self.ending(1, new));
        let calls = old.calls.len().max(new.calls.len());
        let first = (0..calls).find(|&i| old.calls.get(i) != new.calls.get(i));
        if let Some(i) = first {
            let call = |seen: &Observation| seen.calls.get(i).map_or("none".to_owned(), |c| self.call(c));
            row(&format!("call {}", i + 1), call(old), call(new));
        }
        for (what, a, b) in [("stdout", &old.stdout, &new.stdout), ("stderr", &old.stderr, &new.stderr)] {
            if a != b {
                let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
                row(what, output(a, start), output(b, start));
            }
        }
        if old.ending == Ending::Returned && new.ending == Ending::Returned {
            for (name, a, b) in self.changed_cells(difference) {
                row(&name, a, b);
            }
        }
        rows
    }

    fn ending(&self, side: usize, seen: &Observation) -> String {
        match (&seen.ending, &seen.value) {
            (Ending::Returned, Some((ty, value))) => {
                let c_type = self.sides[side].c_type.split('(').next().unwrap_or_default();
                format!("returns {}", self.value(value, *ty, c_type))
            }
            (Ending::Returned, None) => "returns".to_owned(),
            (Ending::Exited(code), _) => format!("exits with {code}"),
            (Ending::Aborted, _) => "aborts".to_owned(),
            (Ending::CheckFailed(kind), _) => format!("fails a check: {}", kind.name()),
            (Ending::Trap, _) => "traps: a division by zero, or one that overflows".to_owned(),
            (Ending::Never, _) => "never ends: its state repeats".to_owned(),
        }
    }

    /// Scalars that are different at the end, the one that was found first.
    fn changed_cells(&self, difference: &Difference) -> Vec<(String, String, String)> {
        let (input, old, new) = (&difference.input, &difference.old, &difference.new);
        let mut cells = Vec::new();
        if let DifferenceKind::Memory { place, offset } = &difference.kind {
            cells.push(self.view.cell(place, *offset));
        }
        for memory in [&old.memory, &new.memory] {
            for place in memory.places() {
                for cell in self.view.cells(memory, place) {
                    if !cells.contains(&cell) && cells.len() < 4096 {
                        cells.push(cell);
                    }
                }
            }
        }
        let read = |seen: &Observation, cell: &super::memory::Cell| {
            seen.read(input, &cell.place, cell.offset, self.view.size(cell))
        };
        let different = cells.iter().filter_map(|cell| {
            let (a, b) = (read(old, cell), read(new, cell));
            let show = |value: &Option<Value>| self.view.value(cell, value.as_ref());
            (a != b).then(|| (cell.name.clone(), show(&a), show(&b)))
        });
        different.take(MOST_CELLS).collect()
    }

    fn call(&self, call: &Call) -> String {
        let args: Vec<String> = call.args.iter().map(|a| self.argument(a)).collect();
        format!("{}({})", call.name, args.join(", "))
    }

    /// Arguments of functions without a body have lost their types; small negative numbers are more likely
    /// than huge ones.
    fn argument(&self, value: &Value) -> String {
        match value {
            Value::Bits(bits) if *bits > u128::from(u32::MAX) => self.value(value, Type::I64, ""),
            _ => self.value(value, Type::I32, ""),
        }
    }

    fn value(&self, value: &Value, ty: Type, c_type: &str) -> String {
        self.names.value(value, ty, c_type.trim(), &self.programs[0].target)
    }

    fn returns(&self, name: &str) -> Option<Type> {
        let find = |program: &Program| program.function(program.find_function(name)?).ret;
        self.programs.iter().find_map(|program| find(program))
    }
}

/// Text that a program printed, around a position.
fn output(bytes: &[u8], at: usize) -> String {
    let from = if bytes.len() > LONGEST_OUTPUT { at.saturating_sub(LONGEST_OUTPUT / 2) } else { 0 };
    let part = bytes.get(from..).unwrap_or_default();
    let part = &part[..part.len().min(LONGEST_OUTPUT)];
    let before = if from > 0 { "..." } else { "" };
    let after = if from + part.len() < bytes.len() { "..." } else { "" };
    format!("{before}\"{}\"{after}", String::from_utf8_lossy(part).escape_debug())
}
