//! A function's body in a preprocessed text, as far as that can be seen without parsing.

/// What is between the braces of the definition of `name`, if there is one.
pub fn body_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in text.match_indices(name) {
        let rest = &text[at + name.len()..];
        if text[..at].ends_with(word) || rest.starts_with(word) {
            continue;
        }
        let Some(parameters) = rest.trim_start().strip_prefix('(') else { continue };
        let Some(end) = closing(parameters, '(', ')') else { continue };
        let Some(body) = parameters[end + 1..].trim_start().strip_prefix('{') else { continue };
        return closing(body, '{', '}').map(|end| &body[..end]);
    }
    None
}

/// Where the bracket closes that was opened before `text`.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            match depth {
                0 => return Some(i),
                _ => depth -= 1,
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(body_of(text, "f"), expected, "{text}");
        check("void f(void) { abort(); }", Some(" abort(); "));
        check(
            "void f(void); int g(int (*h)(int)) { f(); } void f(int (*x)(int)) { if (1) { } }",
            Some(" if (1) { } "),
        );
        check("void f(void);", None);
        check("void ff() { } int xf() {}", None);
        check("f(", None);
        check("f() {", None);
        check("", None);
    }
}
