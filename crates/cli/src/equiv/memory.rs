//! Memory for people: `a[0] = 3`, `limit = 7`.

use super::values::{self, Names};
use ::equiv::concrete::{Memory, Place, Value};
use ir::{Program, Storage, Target, Type};

/// How the bytes of a place are read.
pub struct View<'a> {
    names: &'a Names,
    program: &'a Program,
}

/// A scalar somewhere in a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    pub place: Place,
    pub offset: u64,
    pub ty: Type,
    /// `a[3]`.
    pub name: String,
    pub c_type: String,
    /// In a one-dimensional array, its position.
    index: Option<u64>,
}

/// What a place consists of.
struct Layout {
    name: String,
    c_type: String,
    ty: Type,
    /// Empty for a scalar, one open length for the object behind a pointer.
    lengths: Vec<Option<u64>>,
    /// The type is not known: positions are counted in bytes.
    raw: bool,
}

/// More lines about one place are not read by anybody.
const MOST_LINES: usize = 24;

impl<'a> View<'a> {
    pub fn new(names: &'a Names, program: &'a Program) -> View<'a> {
        View { names, program }
    }

    fn target(&self) -> &'a Target {
        &self.program.target
    }

    fn layout(&self, place: &Place) -> Layout {
        let raw = |name: String| Layout {
            name,
            c_type: String::new(),
            ty: Type::I32,
            lengths: vec![None],
            raw: true,
        };
        match place {
            Place::Object(index) => {
                let name = self.names.object(*index).to_owned();
                let element = self.names.element(*index);
                match element.and_then(|e| Some((e, values::scalar(e, self.target())?))) {
                    Some((e, ty)) => {
                        Layout { name, c_type: e.to_owned(), ty, lengths: vec![None], raw: false }
                    }
                    None => raw(name),
                }
            }
            Place::Global(name) => {
                let Some(id) = self.program.find_global(name) else { return raw(name.to_string()) };
                let global = self.program.global(id);
                let name = name.to_string();
                if let Storage::Register(ty) = global.storage {
                    let c_type = global.c_type.to_string();
                    return Layout { name, c_type, ty, lengths: Vec::new(), raw: false };
                }
                let (c_type, lengths) =
                    values::array(&global.c_type).unwrap_or((global.c_type.to_string(), Vec::new()));
                match values::scalar(&c_type, self.target()) {
                    Some(ty) => {
                        let lengths = lengths.into_iter().map(Some).collect();
                        Layout { name, c_type, ty, lengths, raw: false }
                    }
                    None => raw(name),
                }
            }
        }
    }

    /// The scalar that holds the byte at `offset`.
    pub fn cell(&self, place: &Place, offset: u64) -> Cell {
        let layout = self.layout(place);
        let size = layout.ty.access_size(self.target()).max(1);
        let start = offset - offset % size;
        let mut index = start / size;
        let position = index;
        let mut brackets = String::new();
        for length in layout.lengths.iter().rev() {
            let here = match length {
                Some(n) if brackets.matches('[').count() + 1 < layout.lengths.len() && *n > 0 => {
                    let here = index % n;
                    index /= n;
                    here
                }
                _ => index,
            };
            brackets = format!("[{here}]{brackets}");
        }
        let name = match layout.raw {
            true => format!("{} at byte {start}", layout.name),
            false => format!("{}{brackets}", layout.name),
        };
        let index = (layout.lengths.len() == 1 && !layout.raw).then_some(position);
        Cell { place: place.clone(), offset: start, ty: layout.ty, name, c_type: layout.c_type, index }
    }

    /// The scalars of which `memory` knows a byte, ascending.
    pub fn cells(&self, memory: &Memory, place: &Place) -> Vec<Cell> {
        let mut list: Vec<Cell> = Vec::new();
        for (start, run) in memory.runs(place) {
            let len = match &run {
                ::equiv::concrete::Run::Bytes(bytes) => bytes.len() as u64,
                ::equiv::concrete::Run::Pointer(_) => u64::from(self.target().pointer_bits / 8),
            };
            let mut at = start;
            while at < start.saturating_add(len) {
                let cell = self.cell(place, at);
                at = cell.offset + self.size(&cell);
                if list.last() != Some(&cell) {
                    list.push(cell);
                }
            }
        }
        list
    }

    pub fn size(&self, cell: &Cell) -> u64 {
        cell.ty.access_size(self.target()).max(1)
    }

    pub fn value(&self, cell: &Cell, value: Option<&Value>) -> String {
        match value {
            Some(value) => self.names.value(value, cell.ty, &cell.c_type, self.target()),
            None => "?".to_owned(),
        }
    }

    /// Lines about all that is known of a place; equal neighbours in one line, and not too many lines.
    pub fn lines(&self, memory: &Memory, place: &Place) -> Vec<String> {
        let cells = self.cells(memory, place);
        let shown: Vec<(Cell, String)> = cells
            .into_iter()
            .map(|cell| {
                let value = self.known(memory, &cell);
                (cell, value)
            })
            .collect();
        let mut lines = Vec::new();
        let mut rest = shown.as_slice();
        while let [(cell, value), ..] = rest {
            let same = |i: &usize| match (&cell.index, &rest[*i].0.index) {
                (Some(first), Some(index)) => first + *i as u64 == *index && rest[*i].1 == *value,
                _ => *i == 0,
            };
            let count = (0..rest.len()).take_while(same).count().max(1);
            let last = &rest[count - 1].0;
            lines.push(match (count, cell.index, last.index) {
                (3.., Some(from), Some(to)) => {
                    format!("{}[{from}..{to}] = {value}", self.layout(place).name)
                }
                _ => format!("{} = {value}", cell.name),
            });
            rest = &rest[if count >= 3 { count } else { 1 }..];
        }
        if lines.len() > MOST_LINES {
            let more = lines.len() - MOST_LINES;
            lines.truncate(MOST_LINES);
            lines.push(format!("... and {more} more"));
        }
        lines
    }

    /// A value of which some bytes may not matter.
    fn known(&self, memory: &Memory, cell: &Cell) -> String {
        let size = self.size(cell);
        if let Some(value) = memory.get(&cell.place, cell.offset, size) {
            return self.value(cell, Some(&value));
        }
        let mut bits = 0u128;
        for i in 0..size.min(16) {
            if let Some(Value::Bits(byte)) = memory.get(&cell.place, cell.offset + i, 1) {
                bits |= byte << (8 * i);
            }
        }
        self.value(cell, Some(&Value::Bits(bits)))
    }
}
