//! Which functions are compared.

use cfront::Interface;
use ir::{Body, Callee, FuncId, Op, Program};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChooseError {
    NoSuchFunction { name: String, old: bool, known: Vec<String> },
    NoBody { name: String, old: bool },
    NoCommonFunction,
    Signatures { old: String, new: String, old_type: String, new_type: String },
}

/// The pairs to compare: the one that is asked for, else `main`, else every common function that no other
/// common function calls, and what aliases lead to that lead to another function in each version.
/// `equal_inputs`: parameters pair up by position, so there must be equally many of equal types.
pub fn choose(
    [old, new]: [&Program; 2],
    interfaces: [&Interface; 2],
    wanted: Option<(&str, &str)>,
    equal_inputs: bool,
) -> Result<Vec<[FuncId; 2]>, ChooseError> {
    let named = |side: usize, name: &str| -> Arc<str> {
        interfaces[side].functions.get(name).cloned().unwrap_or_else(|| name.into())
    };
    let pairs = match wanted {
        Some((f, g)) => vec![[find(old, &named(0, f), true)?, find(new, &named(1, g), false)?]],
        None => {
            let mut pairs = roots(old, new)?;
            let whole = pairs.iter().any(|[f, _]| &*old.function(*f).name == "main");
            for (name, f) in interfaces[0].functions.iter().filter(|_| !whole) {
                let Some(g) = interfaces[1].functions.get(name).filter(|g| *g != f) else { continue };
                pairs.push([find(old, f, true)?, find(new, g, false)?]);
            }
            pairs
        }
    };
    for pair in &pairs {
        check_signatures(old, new, *pair, equal_inputs)?;
    }
    Ok(pairs)
}

/// Functions without a body that programs are linked with are not the user's.
fn defined(program: &Program) -> impl Iterator<Item = FuncId> + '_ {
    program.function_ids().filter(|f| !matches!(program.function(*f).body, Body::Extern))
}

/// Models of library functions come with the tool, inline functions of headers with the system.
fn is_users(program: &Program, f: FuncId) -> bool {
    let pos = program.function(f).pos;
    let file = program.files.get(pos.file as usize).map_or("", |name| name);
    let function = cfront::models::model_for(&program.function(f).name);
    let is_model = pos.file > 0 && function.is_some_and(|m| m.name == file);
    pos.line != 0 && !is_model && !file.ends_with(".h")
}

fn find(program: &Program, name: &str, old: bool) -> Result<FuncId, ChooseError> {
    let Some(id) = program.find_function(name) else {
        let known = defined(program).map(|f| program.function(f).name.to_string()).collect();
        return Err(ChooseError::NoSuchFunction { name: name.to_owned(), old, known });
    };
    match program.function(id).body {
        Body::Extern => Err(ChooseError::NoBody { name: name.to_owned(), old }),
        _ => Ok(id),
    }
}

fn roots(old: &Program, new: &Program) -> Result<Vec<[FuncId; 2]>, ChooseError> {
    let common: Vec<[FuncId; 2]> = defined(old)
        .filter_map(|f| {
            let g = new.find_function(&old.function(f).name)?;
            (!matches!(new.function(g).body, Body::Extern)).then_some([f, g])
        })
        .filter(|[f, _]| is_users(old, *f))
        .collect();
    if common.is_empty() {
        return Err(ChooseError::NoCommonFunction);
    }
    if let Some(main) = common.iter().find(|[f, _]| &*old.function(*f).name == "main") {
        return Ok(vec![*main]);
    }
    let called = [called(old), called(new)];
    let is_root = |[f, g]: &&[FuncId; 2]| !called[0].contains(f) && !called[1].contains(g);
    let roots: Vec<[FuncId; 2]> = common.iter().filter(is_root).copied().collect();
    // Everybody calls everybody: all of them.
    Ok(if roots.is_empty() { common } else { roots })
}

/// Functions that another function calls.
fn called(program: &Program) -> BTreeSet<FuncId> {
    let mut called = BTreeSet::new();
    for f in program.function_ids() {
        for edge in program.function(f).cfa().map(|c| c.edges()).unwrap_or_default() {
            if let Op::Call { callee: Callee::Direct(g), .. } = &edge.op
                && *g != f
            {
                called.insert(*g);
            }
        }
    }
    called
}

fn check_signatures(
    old: &Program,
    new: &Program,
    pair: [FuncId; 2],
    equal_inputs: bool,
) -> Result<(), ChooseError> {
    let (f, g) = (old.function(pair[0]), new.function(pair[1]));
    let same = f.ret == g.ret && f.variadic == g.variadic;
    let params = f.param_types().eq(g.param_types());
    if same && (params || !equal_inputs) {
        return Ok(());
    }
    Err(ChooseError::Signatures {
        old: f.name.to_string(),
        new: g.name.to_string(),
        old_type: f.c_type.to_string(),
        new_type: g.c_type.to_string(),
    })
}

impl fmt::Display for ChooseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let version = |old: &bool| if *old { "old" } else { "new" };
        match self {
            ChooseError::NoSuchFunction { name, old, known } => {
                write!(f, "the {} version has no function '{name}'", version(old))?;
                match known.is_empty() {
                    true => write!(f, "; it defines none"),
                    false => write!(f, "; it defines {}", known.join(", ")),
                }
            }
            ChooseError::NoBody { name, old } => {
                write!(f, "'{name}' has no body in the {} version", version(old))
            }
            ChooseError::NoCommonFunction => {
                f.write_str("the two versions have no function in common; name a pair with --function f=g")
            }
            ChooseError::Signatures { old, new, old_type, new_type } => write!(
                f,
                "the functions have different signatures: '{old}' is {old_type}, '{new}' is {new_type}"
            ),
        }
    }
}

impl std::error::Error for ChooseError {}
