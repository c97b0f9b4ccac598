//! One program out of two versions: the base and a version side by side, with a `main` of ours that runs both
//! on the same inputs and compares one output.
//!
//! The texts are put together before preprocessing. In each, every identifier that is neither C's nor the
//! library's gets a prefix, macros and members included, so that nothing of the two can meet. Headers of the
//! program are put in place; those of the system come first, once.

use crate::ctoken::{Kind, tokenize};
use crate::edit::order::is_keyword;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The prefixes of the base and of the version.
pub const BASE: &str = "b_";
pub const VERSION: &str = "n_";

/// Names that stay: the library's, as far as the programs use them, and the preprocessor's.
const KEPT: &[&str] = &[
    "FILE",
    "EOF",
    "NULL",
    "stdin",
    "stdout",
    "stderr",
    "BUFSIZ",
    "EXIT_SUCCESS",
    "EXIT_FAILURE",
    "size_t",
    "printf",
    "fprintf",
    "sprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "scanf",
    "fscanf",
    "sscanf",
    "getc",
    "getchar",
    "ungetc",
    "fgetc",
    "fgets",
    "fopen",
    "fclose",
    "feof",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "exit",
    "abort",
    "atoi",
    "atof",
    "strlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strchr",
    "memcpy",
    "memset",
    "isalnum",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "ispunct",
    "toupper",
    "tolower",
    "log",
    "exp",
    "sin",
    "cos",
    "sqrt",
    "pow",
    "fabs",
    "floor",
    "ceil",
    "assert",
    "defined",
    "__STDC__",
];

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\n\
     extern unsigned char __VERIFIER_nondet_uchar(void);\n\
     extern void __VERIFIER_error(void);\n";

/// The program with `base` and `version` (files) and `main`, the text of our driver.
pub fn harness(base: &Path, version: &Path, main: &str) -> Result<String, String> {
    let mut includes = BTreeSet::new();
    let base = prefixed(base, BASE, &mut includes, 0)?;
    let version = prefixed(version, VERSION, &mut includes, 0)?;
    let mut text: String = includes.iter().map(|line| format!("{line}\n")).collect();
    for part in [INPUTS, &base, &version, main] {
        text += part;
        text.push('\n');
    }
    Ok(text)
}

fn prefixed(
    file: &Path,
    prefix: &str,
    includes: &mut BTreeSet<String>,
    depth: usize,
) -> Result<String, String> {
    if depth > 20 {
        return Err(format!("{}: headers include each other", file.display()));
    }
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut out = String::new();
    for token in tokenize(&String::from_utf8_lossy(&bytes)) {
        match token.kind {
            Kind::Ident => out += &renamed(&token.text, prefix),
            Kind::Directive => {
                let rest = token.text.trim_start_matches('#').trim_start();
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (word, rest) = rest.split_at(end);
                match (word, rest.trim_start().as_bytes().first()) {
                    ("include", Some(b'"')) => {
                        let name = rest.trim_start().trim_start_matches('"');
                        let name = name.split('"').next().unwrap_or_default();
                        out += &prefixed(&file.with_file_name(name), prefix, includes, depth + 1)?;
                    }
                    ("include", _) => {
                        let name = rest.split('>').next().unwrap_or_default().trim();
                        includes.insert(format!("#include {name}>"));
                    }
                    _ => {
                        out += &format!("#{word}");
                        for inner in tokenize(rest) {
                            let is_name = inner.kind == Kind::Ident;
                            out += &if is_name { renamed(&inner.text, prefix) } else { inner.text };
                        }
                    }
                }
            }
            _ => out += &token.text,
        }
    }
    Ok(out)
}

fn renamed(name: &str, prefix: &str) -> String {
    if is_keyword(name) || KEPT.contains(&name) { name.to_owned() } else { format!("{prefix}{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_two_versions_meets() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("own.h", "#define LIMIT 3 /* most */\nstruct s { int v; };\n");
        write(
            "a.c",
            "#include <stdio.h>\n# include \"own.h\"\nint f(x) int x; { puts(\"LIMIT\"); return x < LIMIT; }\n",
        );
        let file = dir.path().join("a.c");
        let text = harness(&file, &file, "int main(void) { return b_f(1) - n_f(1); }\n").unwrap();
        let expected = format!(
            "#include <stdio.h>\n{INPUTS}\n\
             \n#define b_LIMIT 3 /* most */\nstruct b_s {{ int b_v; }};\n\n\
             int b_f(b_x) int b_x; {{ puts(\"LIMIT\"); return b_x < b_LIMIT; }}\n\n\
             \n#define n_LIMIT 3 /* most */\nstruct n_s {{ int n_v; }};\n\n\
             int n_f(n_x) int n_x; {{ puts(\"LIMIT\"); return n_x < n_LIMIT; }}\n\n\
             int main(void) {{ return b_f(1) - n_f(1); }}\n\n"
        );
        assert_eq!(text, expected);
    }
}
