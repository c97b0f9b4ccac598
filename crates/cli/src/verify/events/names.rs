//! Objects, pointers and inputs in words.

use driver::path::{Path, Value};
use interp::{ConsumedInput, InputKind, ObjectKind, Pointee};
use ir::names::unnumbered;
use ir::{GlobalId, InitValue, LocalId, LocalOrigin, Program};

/// `&x`, `&a + 4 bytes`, `push`, `NULL`; None for what is no pointer.
pub fn pointer_text(path: &Path, value: &Value) -> Option<String> {
    Some(match value.pointee.as_ref()? {
        Pointee::Null => "NULL".to_owned(),
        Pointee::Function(id) => path.program.function(*id).name.to_string(),
        Pointee::Nothing => format!("{:#x}", value.bits),
        // Whether it is alive is known for the end of the run only.
        Pointee::Object { kind, offset, .. } => {
            if let (ObjectKind::Global(id), 0) = (kind, offset)
                && let Some(text) = string_literal(path.program, *id)
            {
                return Some(text);
            }
            let name = match object_name(path.program, *kind) {
                Some((name, _)) => format!("&{name}"),
                None => match kind {
                    ObjectKind::Heap => "a heap object".to_owned(),
                    ObjectKind::Stack => "a stack object".to_owned(),
                    ObjectKind::VarArgs => "the variable arguments".to_owned(),
                    _ => "an object".to_owned(),
                },
            };
            match offset {
                0 => name,
                1 => format!("{name} + 1 byte"),
                n => format!("{name} + {n} bytes"),
            }
        }
    })
}

/// The text of a string literal.
pub fn string_literal(program: &Program, id: GlobalId) -> Option<String> {
    const LONGEST: usize = 40;
    let global = program.globals.get(id.0 as usize).filter(|g| g.name.starts_with(".str."))?;
    let item = global.init.as_ref()?.items.first()?;
    let InitValue::Bytes(bytes) = &item.value else { return None };
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let (shown, dots) = if text.len() > LONGEST { (&text[..LONGEST], "...") } else { (text, "") };
    Some(format!("\"{}{dots}\"", String::from_utf8_lossy(shown).escape_debug()))
}

/// The name of a variable, and its type in C.
pub fn object_name(program: &Program, kind: ObjectKind) -> Option<(&str, &str)> {
    match kind {
        ObjectKind::Global(id) => {
            let global = program.globals.get(id.0 as usize)?;
            Some((&global.name, &global.c_type))
        }
        ObjectKind::Local(function, LocalId(id)) => {
            let local = program.functions.get(function.0 as usize)?.locals.get(id as usize)?;
            (local.origin != LocalOrigin::Temp).then(|| (unnumbered(&local.name), &*local.c_type))
        }
        _ => None,
    }
}

/// A value from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Who gets it, or which call returns it; may be nobody.
    pub what: String,
    pub value: String,
    /// Where it comes from, if `what` does not say that.
    pub from: &'static str,
    /// `what` is a call of an input function, which says it all.
    pub is_call: bool,
    /// Somebody was asked for it; otherwise it is what happens to be there.
    pub is_answer: bool,
}

impl Given {
    /// As an event: what happened, and a remark.
    pub fn told(&self) -> (String, String) {
        match (self.is_call, self.what.is_empty()) {
            (true, _) => (self.what.clone(), self.value.clone()),
            (false, true) => (self.value.clone(), self.from.to_owned()),
            (false, false) => (format!("{} = {}", self.what, self.value), self.from.to_owned()),
        }
    }
}

/// What was read from outside into `name`, and where it came from.
pub fn given(input: &ConsumedInput, name: Option<&str>, value: String) -> Given {
    let what = match (&input.request.kind, name) {
        (InputKind::Input(function), Some(name)) => format!("{name} = {function}()"),
        (InputKind::Input(function), None) => format!("{function}()"),
        (_, name) => name.unwrap_or_default().to_owned(),
    };
    let from = match &input.request.kind {
        InputKind::Input(_) => "",
        InputKind::Uninit(_) => "it was never set",
        InputKind::Asm => "from inline assembly",
        InputKind::ExternReturn(_) => "it has no body",
        InputKind::ExternGlobal { .. } => "defined elsewhere",
        kind @ (InputKind::Memory { .. } | InputKind::Changed { .. }) if kind.is_from_outside() => {
            "changed by a function without a body"
        }
        InputKind::Memory { .. } | InputKind::Changed { .. } => "it was never written",
        InputKind::Param(_) => "parameter",
    };
    let is_call = matches!(input.request.kind, InputKind::Input(_));
    Given { what, value, from, is_call, is_answer: is_answer(&input.request.kind) }
}

/// Does a user have to say it to repeat the run? What was never set or written is not theirs to set.
pub fn is_answer(kind: &InputKind) -> bool {
    match kind {
        InputKind::Input(_) | InputKind::ExternReturn(_) | InputKind::Asm | InputKind::Param(_) => true,
        InputKind::ExternGlobal { .. } => true,
        InputKind::Uninit(_) | InputKind::Memory { .. } | InputKind::Changed { .. } => false,
    }
}
