//! Properties: which checks count.
//!
//! SV-COMP's property files are lines of the form `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use ir::CheckKind;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    /// Where executions start, if the property says so.
    pub entry: Option<String>,
    /// Functions that must not be called; None: those that always count.
    pub error_functions: Option<Vec<String>>,
    /// Only these checks count; None: whatever was asked for.
    pub checks: Option<BTreeSet<CheckKind>>,
}

/// Understands a property file, or says what in it cannot be understood.
pub fn parse(text: &str) -> Result<Property, String> {
    let mut property = Property::default();
    let mut checks = BTreeSet::new();
    let mut functions = Vec::new();
    // Blanks mean nothing; several checks may stand anywhere.
    let text: String = text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let body = rest.strip_prefix("CHECK(").ok_or_else(|| unknown(rest))?;
        let end = closing(body).ok_or_else(|| unknown(rest))?;
        let (check, after) = (&body[..end], &body[end + 1..]);
        rest = after;
        let inner = check.strip_prefix("init(").ok_or_else(|| unknown(check))?;
        let (entry, formula) = inner.split_once("()),").ok_or_else(|| unknown(check))?;
        if !is_name(entry) || property.entry.as_ref().is_some_and(|other| other != entry) {
            return Err(unknown(check));
        }
        property.entry = Some(entry.to_owned());
        let formula =
            formula.strip_prefix("LTL(").and_then(|f| f.strip_suffix(')')).ok_or_else(|| unknown(check))?;
        match formula {
            "G!overflow" => {
                checks.insert(CheckKind::Overflow);
            }
            "Gvalid-free" | "Gvalid-deref" => {
                checks.insert(CheckKind::Memory);
            }
            "Gvalid-memtrack" => {
                checks.insert(CheckKind::Leak);
            }
            "Gvalid-memcleanup" => {
                checks.insert(CheckKind::Cleanup);
            }
            "Fend" => return Err("termination is not supported".to_owned()),
            "G!data-race" => return Err("data races are not supported".to_owned()),
            _ => {
                let call = formula.strip_prefix("G!call(").and_then(|f| f.strip_suffix("())"));
                let name = call.filter(|name| is_name(name)).ok_or_else(|| unknown(check))?;
                checks.insert(CheckKind::ErrorCall);
                functions.push(name.to_owned());
            }
        }
    }
    if checks.is_empty() {
        return Err("there is no CHECK in it".to_owned());
    }
    // Calls of the usual error functions end an execution also where the property is about something else.
    property.error_functions = (!functions.is_empty()).then_some(functions);
    property.checks = Some(checks);
    Ok(property)
}

fn unknown(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    let dots = if short.len() < text.len() { "..." } else { "" };
    format!("'{short}{dots}' is not a property that is supported")
}

/// Where the bracket closes that was opened before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(i),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match parse(text) {
            Ok(p) => {
                let checks: Vec<_> = p.checks.iter().flatten().map(|c| c.name()).collect();
                let functions = p.error_functions.unwrap_or_default();
                format!("{} {checks:?} {functions:?}", p.entry.unwrap_or_default()).replace('"', "")
            }
            Err(message) => message,
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn files_of_the_competition() {
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", "main [error_call] [reach_error]");
        check(
            "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )",
            "main [error_call] [__VERIFIER_error]",
        );
        check("CHECK( init(start()), LTL(G ! overflow) )", "start [overflow] []");
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n",
            "main [memory, leak] []",
        );
        check("CHECK( init(main()), LTL(G valid-memcleanup) )", "main [cleanup] []");
        check("CHECK( init(main()), LTL(F end) )", "termination is not supported");
        check("CHECK( init(main()), LTL(G ! data-race) )", "data races are not supported");
        check(
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "'COVER(init(main()),FQL(COVEREDGES(@DECISIONEDGE)))' is not a property that is supported",
        );
        check("", "there is no CHECK in it");
        check(
            "CHECK( init(main()), LTL(G ! call(f(x))) )",
            "'init(main()),LTL(G!call(f(x)))' is not a property that is supported",
        );
        check("CHECK(", "'CHECK(' is not a property that is supported");
        check(
            "CHECK(init(a()),LTL(G!overflow))CHECK(init(b()),LTL(G!overflow))",
            "'init(b()),LTL(G!overflow)' is not a property that is supported",
        );
    }

    #[test]
    fn damage() {
        let text = "CHECK( init(main()), LTL(G ! call(é())) )";
        for end in (0..=text.len()).filter(|i| text.is_char_boundary(*i)) {
            let _ = parse(&text[..end]);
            let _ = parse(&text[end..]);
        }
    }
}
