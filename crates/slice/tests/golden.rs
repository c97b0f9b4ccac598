//! What is left: the cases of `tests/slice`, each with the text of the functions that keep a body beside it,
//! positions left out.

use cfront::Options;
use ir::CheckKind;
use slice::Checks;
use testing::case::{Case, files};
use testing::{compile_with, golden};

/// The functions that keep a body, as they are after slicing.
fn sliced(case: &Case) -> Result<String, String> {
    let checks = case.list("check")?.into_iter().filter(|name| !name.is_empty());
    let checks = checks.map(|name| {
        let kind = CheckKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| format!("'{name}' is no check"))
    });
    let options = Options { checks: checks.collect::<Result<_, _>>()?, ..Options::default() };
    let mut program = compile_with(&case.text, &options)?;
    if let Some(id) = program.find_function("untranslated") {
        let function = program.function_mut(id);
        function.body = ir::Body::Poisoned { reason: "a test".into(), pos: function.pos };
    }
    let main = program.find_function("main").ok_or("there is no main")?;
    let checks = match case.get("only")? {
        None => Checks::All,
        Some(name) => Checks::In([program.find_function(name).ok_or("there is no such function")?].into()),
    };
    let slice = || slice::slice_for(&program, main, &checks);
    let sliced = slice();
    ir::verify(&sliced).map_err(|problems| format!("{problems:?}"))?;
    if slice() != sliced {
        return Err("it is another one the second time".to_owned());
    }
    let mut text = String::new();
    for (function, id) in sliced.functions.iter().zip(sliced.function_ids()) {
        if function.cfa().is_none() {
            continue;
        }
        text += &format!("{}:\n", function.name);
        for line in ir::print_function(&sliced, id).lines() {
            if line.contains("->") && !line.starts_with("func") {
                text += &format!("{}\n", strip_position(line.trim()));
            }
        }
    }
    Ok(text)
}

fn strip_position(line: &str) -> &str {
    match line.rfind(" @") {
        Some(at) if line[at + 2..].bytes().all(|b| b.is_ascii_digit() || b == b':') => &line[..at],
        _ => line,
    }
}

fn check(case: &Case) -> Result<(), String> {
    golden::compare(&case.path.with_extension("ir"), &sliced(case)?)
}

#[test]
fn cases() {
    let list = files(&testing::path("tests/slice"), "c").expect("the cases");
    assert!(list.len() >= 20, "{list:?}");
    let complaint = |path: &std::path::PathBuf| {
        let checked = Case::read(path, &["check", "only"]).and_then(|case| check(&case));
        checked.err().map(|what| format!("{}: {what}", path.display()))
    };
    let wrong: Vec<String> = list.iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} of {} cases\n{}", wrong.len(), list.len(), wrong.join("\n"));
}
