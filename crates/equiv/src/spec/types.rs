//! How to write the type of a variable in C.
//!
//! The types in IR are texts for messages, and nearly all of them are C. The others (an anonymous struct
//! behind a typedef) are taken from the place where the function is defined, or said with `__typeof__`.

use super::Side;
use super::c::{CBinding, Version, Versions};
use super::names::Found;
use base::{Diagnostics, Interner, SourceMap};
use cfront::ast::{DeclPart, FunctionDef, Item, Params, TranslationUnit};
use std::path::Path;

/// The index of the text that defines the compared function.
pub fn defining_file(version: &Version) -> Option<usize> {
    if version.texts.len() == 1 {
        return Some(0);
    }
    let function = version.function();
    let file = version.program.files.get(function.pos.file as usize);
    let found = (0..version.texts.len()).filter(|&i| with_definition(version, i, |_, _| ()).is_some());
    let found: Vec<usize> = found.collect();
    let named = |i: &&usize| file.is_some_and(|f| **f == *version.texts[**i].0);
    found.iter().find(named).or(found.first()).copied()
}

/// A type that a variable can be declared with in front of its name, in the file of the `context`'s function.
pub fn spelling(versions: &Versions, context: Side, variable: &Found) -> Result<String, String> {
    let side = variable.binding.side();
    let version = versions.side(side);
    let here = versions.side(context);
    let function = version.function();
    let cannot = |c_type: &str| format!("the type of '{}' ({c_type}) has no name here", variable.name);
    match variable.binding {
        CBinding::Global { id, .. } | CBinding::GlobalAddress { id, .. } => {
            let global = version.program.global(id);
            let same = here.program.find_global(&global.name).map(|g| here.program.global(g));
            if same.is_some_and(|g| g.c_type == global.c_type) {
                return Ok(format!("__typeof__({})", global.name));
            }
            plain(&global.c_type).ok_or_else(|| cannot(&global.c_type))
        }
        CBinding::Param { index, .. } => {
            let local = &function.locals[index as usize];
            if &*local.name == ".ret" {
                return result_type(versions, context, side).ok_or_else(|| cannot(&function.c_type));
            }
            param_type(&version, index).ok_or_else(|| cannot(&local.c_type))
        }
        CBinding::Result { .. } => {
            result_type(versions, context, side).ok_or_else(|| cannot(&function.c_type))
        }
    }
}

/// The type of a parameter, by its index in IR.
fn param_type(version: &Version, index: u32) -> Option<String> {
    let function = version.function();
    let local = &function.locals[index as usize];
    if let Some(text) = plain(&local.c_type) {
        return Some(text);
    }
    let hidden = function.locals.first().is_some_and(|l| &*l.name == ".ret");
    let index = (index as usize).checked_sub(usize::from(hidden))?;
    with_definition(version, defining_file(version)?, |text, def| {
        let Some(DeclPart::Function(part)) = def.declarator.chain.first() else { return None };
        let Params::Prototype { params, .. } = &part.params else { return None };
        let param = params.get(index)?;
        let (lo, hi) = (param.span.lo as usize, param.span.hi as usize);
        // The declaration without its name is the name of its type.
        let text = match param.declarator.name {
            Some(name) => {
                format!("{} {}", text.get(lo..name.span.lo as usize)?, text.get(name.span.hi as usize..hi)?)
            }
            None => text.get(lo..hi)?.to_owned(),
        };
        let one_line =
            text.lines().filter(|l| !l.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ");
        Some(format!("__typeof__({one_line})"))
    })?
}

/// What the compared function of a version returns.
fn result_type(versions: &Versions, context: Side, side: Side) -> Option<String> {
    let version = versions.side(side);
    let c_type = &version.function().c_type;
    // `int *(char, int)`: the brackets at the end are the parameters, unless the result is a pointer to a
    // function.
    if let Some(text) = c_type.split_once('(').map(|(before, _)| before).filter(|_| c_type.ends_with(')'))
        && c_type.matches('(').count() == c_type.matches(')').count()
        && closes_at_end(c_type)
        && let Some(text) = plain(text.trim_end())
    {
        return Some(text);
    }
    let here = versions.side(context);
    let function = here.function();
    if function.c_type != *c_type {
        return None;
    }
    let params = function.locals.iter().take(function.params as usize).enumerate();
    let params = params.filter(|(_, l)| &*l.name != ".ret");
    let args: Option<Vec<String>> =
        params.map(|(i, _)| Some(format!("*({} *)0", param_type(&here, i as u32)?))).collect();
    Some(format!("__typeof__({}({}))", here.c_name(), args?.join(", ")))
}

/// Does the first bracket close at the very end?
fn closes_at_end(text: &str) -> bool {
    let mut level = 0i32;
    let Some(open) = text.find('(') else { return false };
    for (i, c) in text.char_indices().skip_while(|(i, _)| *i < open) {
        match c {
            '(' => level += 1,
            ')' => level -= 1,
            _ => {}
        }
        if level == 0 {
            return i + 1 == text.len();
        }
    }
    false
}

/// A type as IR writes it, if that is C.
fn plain(c_type: &str) -> Option<String> {
    let is_c = !c_type.is_empty() && !c_type.contains('<') && !c_type.contains("__vector");
    is_c.then(|| format!("__typeof__({c_type})"))
}

/// Looks at the definition of the compared function in one of the texts; `look` gets the text, from whose
/// start on positions count, and the definition.
fn with_definition<T: Send>(
    version: &Version,
    file: usize,
    look: impl Fn(&str, &FunctionDef) -> T + Sync,
) -> Option<T> {
    let (name, text) = &version.texts[file];
    let wanted = version.c_name();
    let parsed = cfront::with_stack(|| {
        let mut sources = SourceMap::new();
        let source = sources.add(Path::new(name), text.clone()).ok()?;
        let (mut names, mut diagnostics) = (Interner::new(), Diagnostics::new());
        let unit: TranslationUnit = cfront::parse::parse(source, &mut sources, &mut names, &mut diagnostics);
        unit.items.iter().find_map(|item| match item {
            Item::Function(def) => {
                let ident = def.declarator.name?;
                (names.name(ident.name) == wanted).then(|| look(text, def))
            }
            _ => None,
        })
    });
    parsed.ok().flatten()
}
