//! A bad access to memory in words: what was done to which object, where in it, and where that object came
//! from.

use super::events::names::{object_name, string_literal};
use crate::place::{PlaceJson, at, place_json};
use driver::Life;
use interp::{Access, AccessFault, AccessKind, Accessed, ObjectKind};
use ir::Program;
use serde::Serialize;

/// `write of 4 bytes past the end of 'a' (16 bytes), at offset 16`.
pub fn what(program: &Program, access: &Access) -> String {
    let done = match access.kind {
        AccessKind::Read => format!("read of {}", bytes(access.bytes)),
        AccessKind::Write => format!("write of {}", bytes(access.bytes)),
        AccessKind::Free => "free".to_owned(),
        AccessKind::End => "end of the program".to_owned(),
    };
    let Some(object) = &access.object else {
        return match (access.fault, access.address) {
            (AccessFault::Null, 0) => format!("{done} through a null pointer"),
            (AccessFault::Null, offset) => format!("{done} through a null pointer, at offset {offset}"),
            (_, address) => format!("{done} at {address:#x}, where no object is"),
        };
    };
    let (name, size, offset) = (name(program, object.kind), bytes(object.size), object.offset);
    match (access.kind, access.fault) {
        (AccessKind::Free, AccessFault::Freed) => format!("{done} of {name} ({size}) that was freed already"),
        (AccessKind::Free, AccessFault::Ended) => format!("{done} of {name}, which was not allocated"),
        (_, AccessFault::PastEnd) => format!("{done} past the end of {name} ({size}), at offset {offset}"),
        (_, AccessFault::BeforeStart) => {
            format!("{done} before the start of {name} ({size}), at offset {offset}")
        }
        (_, AccessFault::Freed) => format!("{done} of {name} ({size}) that was freed, at offset {offset}"),
        (_, AccessFault::Ended) => {
            format!("{done} of {name} ({size}), whose lifetime has ended, at offset {offset}")
        }
        (_, AccessFault::Constant) => format!("{done} to the constant {name} ({size}), at offset {offset}"),
        (_, AccessFault::NotAllocated) => format!("{done} of {name}, which was not allocated"),
        (_, AccessFault::NotStart) => {
            format!("{done} of a pointer into {name} ({size}), at offset {offset}, not at its start")
        }
        (_, AccessFault::Leaked) => format!("{name} ({size}) is leaked: nothing leads to it any more"),
        (_, AccessFault::NotFreed) => format!("{name} ({size}) is not freed when the program ends"),
        (_, AccessFault::Null | AccessFault::NoObject) => done,
    }
}

/// Where the object was made and ended, one line each.
pub fn notes(program: &Program, object: &Accessed, life: &Life) -> Vec<String> {
    let subject = match object_name(program, object.kind) {
        Some((name, c_type)) if !c_type.is_empty() => format!("'{name}' ({c_type}) is declared"),
        Some((name, _)) => format!("'{name}' is declared"),
        None => "the memory was allocated".to_owned(),
    };
    let made = life.made.map(|pos| format!("{subject}{}", at(program, pos)));
    let ended = life.ended.map(|pos| format!("it was freed{}", at(program, pos)));
    made.into_iter().chain(ended).collect()
}

fn name(program: &Program, kind: ObjectKind) -> String {
    if let ObjectKind::Global(id) = kind
        && let Some(text) = string_literal(program, id)
    {
        return text;
    }
    match (object_name(program, kind), kind) {
        (Some((name, _)), _) => format!("'{name}'"),
        (None, ObjectKind::Heap) => "an allocation".to_owned(),
        (None, ObjectKind::Stack) => "an array of variable length".to_owned(),
        (None, ObjectKind::VarArgs) => "the variable arguments".to_owned(),
        (None, ObjectKind::Outside | ObjectKind::Changed) => "an object from outside".to_owned(),
        (None, ObjectKind::Global(_) | ObjectKind::Local(..)) => "a variable".to_owned(),
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

#[derive(Serialize)]
pub struct AccessJson<'a> {
    access: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    fault: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectJson<'a>>,
}

#[derive(Serialize)]
struct ObjectJson<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    size: u64,
    /// Of the access.
    offset: i64,
    /// Its declaration or allocation.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    freed: Option<PlaceJson<'a>>,
}

pub fn json<'a>(program: &'a Program, access: &Access, life: &Life) -> AccessJson<'a> {
    let object = access.object.map(|object| ObjectJson {
        kind: match object.kind {
            ObjectKind::Global(_) => "global",
            ObjectKind::Local(..) => "local",
            ObjectKind::Heap => "heap",
            ObjectKind::Stack => "stack",
            ObjectKind::VarArgs => "arguments",
            ObjectKind::Outside | ObjectKind::Changed => "outside",
        },
        name: object_name(program, object.kind).map(|(name, _)| name),
        size: object.size,
        offset: object.offset,
        place: life.made.and_then(|pos| place_json(program, pos)),
        freed: life.ended.and_then(|pos| place_json(program, pos)),
    });
    AccessJson {
        access: match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Free => "free",
            AccessKind::End => "end",
        },
        bytes: matches!(access.kind, AccessKind::Read | AccessKind::Write).then_some(access.bytes),
        fault: match access.fault {
            AccessFault::Null => "null",
            AccessFault::NoObject => "no_object",
            AccessFault::PastEnd => "past_end",
            AccessFault::BeforeStart => "before_start",
            AccessFault::Freed => "freed",
            AccessFault::Ended => "ended",
            AccessFault::Constant => "constant",
            AccessFault::NotAllocated => "not_allocated",
            AccessFault::NotStart => "not_start",
            AccessFault::Leaked => "leaked",
            AccessFault::NotFreed => "not_freed",
        },
        object,
    }
}
