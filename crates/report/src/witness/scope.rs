//! Which variables of a program have a name at a place of its source.

use super::places::{LoopPlace, Places};
use ir::names::{qualified, split_qualified, unnumbered, unqualified};
use ir::{FuncId, IntType, LocalOrigin, Program, Storage, Type};
use std::collections::HashMap;

/// A register variable that the source can name at some place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Named {
    Local(u32),
    Global(u32),
}

/// By the name that formulas use: the C expression, its type, and which variable it is.
pub type Visible = HashMap<String, (String, IntType, Named)>;

/// The integer variables that can be named at a loop.
pub fn visible(program: &Program, function: FuncId, places: &Places, at: &LoopPlace) -> Visible {
    let f = program.function(function);
    let mut list = Visible::new();
    let statics = |name: &str| program.globals.iter().any(|g| &*g.name == name);
    for (i, local) in f.locals.iter().enumerate() {
        let Storage::Register(Type::Int(ty)) = local.storage else { continue };
        if local.origin == LocalOrigin::Temp || ty.bits > 64 {
            continue;
        }
        let Some(text) = plain(&local.name) else { continue };
        let base = text.split('.').next().unwrap_or(&text);
        if places.names(at, base, program, local.pos) {
            let own = qualified(&f.name, &local.name);
            let name = if statics(&own) { format!("{own}#auto") } else { own };
            list.insert(name, (text, ty, Named::Local(i as u32)));
        }
    }
    for (i, global) in program.globals.iter().enumerate() {
        let Storage::Register(Type::Int(ty)) = global.storage else { continue };
        let text = match split_qualified(&global.name) {
            // A static variable of the function.
            Some((of, name)) if of == &*f.name => {
                places.names(at, name, program, global.pos).then(|| name.to_owned())
            }
            Some(_) => None,
            None => {
                let clashes = |g: &ir::Global| *unqualified(&g.name) == *global.name;
                let alone = program.globals.iter().filter(|g| clashes(g)).count() == 1;
                (alone && places.names_global(at, &global.name)).then(|| global.name.to_string())
            }
        };
        if let Some(text) = text.filter(|_| ty.bits <= 64) {
            list.insert(global.name.to_string(), (text, ty, Named::Global(i as u32)));
        }
    }
    list
}

/// The name as the source has it: `i` for the second variable `i`, `s.f` for a field; none for anything else.
fn plain(name: &str) -> Option<String> {
    let name = unnumbered(name);
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    name.split('.').all(is_name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check =
            |name: &str, expected: Option<&str>| assert_eq!(plain(name).as_deref(), expected, "{name}");
        check("i", Some("i"));
        check("i#2", Some("i"));
        check("s.f", Some("s.f"));
        check("s.f#12", Some("s.f"));
        check("s#2.f", None);
        check(".t1", None);
        check("s..x", None);
        check("a[0]", None);
    }
}
