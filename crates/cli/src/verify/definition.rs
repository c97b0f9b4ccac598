//! Task definitions of SV-COMP: what is read of them. They may say more.

use serde::Deserialize;
use serde_saphyr::{MessageFormatter, UserMessageFormatter};

#[derive(Deserialize, PartialEq, Eq, Debug)]
pub struct Definition {
    pub format_version: Option<String>,
    #[serde(default)]
    pub input_files: Files,
    #[serde(default)]
    pub properties: Vec<Listed>,
    #[serde(default)]
    pub options: Options,
}

/// One file, or several.
#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(untagged, expecting = "input_files is neither the name of a file nor a list of names")]
pub enum Files {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize, PartialEq, Eq, Debug)]
pub struct Listed {
    pub property_file: Option<String>,
    pub expected_verdict: Option<bool>,
}

#[derive(Deserialize, PartialEq, Eq, Debug, Default)]
pub struct Options {
    pub language: Option<String>,
    pub data_model: Option<String>,
}

impl Default for Files {
    fn default() -> Files {
        Files::Many(Vec::new())
    }
}

impl Files {
    pub fn names(&self) -> &[String] {
        match self {
            Files::One(name) => std::slice::from_ref(name),
            Files::Many(names) => names,
        }
    }
}

impl Definition {
    /// The error begins with its line and column.
    pub fn parse(text: &str) -> Result<Definition, String> {
        let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
        serde_saphyr::from_str_with_options(text, options).map_err(|e| {
            let place = e.location().map_or("1:1".to_owned(), |at| format!("{}:{}", at.line(), at.column()));
            format!("{place}: error: {}", UserMessageFormatter.format_message(&e))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
format_version: '2.0'
input_files: [a.c, \"b.c\"]
properties:
- property_file: ../u.prp # this
  expected_verdict: true
- {property_file: é.prp, more: [x]}
options:
  language: C
  data_model: ILP32
";

    #[test]
    fn what_is_read() {
        let definition = Definition::parse(TEXT).unwrap();
        assert_eq!(definition.format_version.as_deref(), Some("2.0"));
        assert_eq!(definition.input_files.names(), ["a.c", "b.c"]);
        let properties: Vec<_> =
            definition.properties.iter().map(|p| (p.property_file.as_deref(), p.expected_verdict)).collect();
        assert_eq!(properties, [(Some("../u.prp"), Some(true)), (Some("é.prp"), None)]);
        assert_eq!(definition.options.data_model.as_deref(), Some("ILP32"));
    }

    #[test]
    fn other_spellings() {
        let check = |text: &str, expected: &[&str]| {
            let found = Definition::parse(text).map(|d| d.input_files.names().to_vec());
            assert_eq!(
                found.as_deref(),
                Ok(&expected.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..]),
                "{text}"
            );
        };
        check("---\nformat_version: 2.0\ninput_files: a.c\n...\n", &["a.c"]);
        check("input_files:\n- 'x # y.c'\n- z.c\n", &["x # y.c", "z.c"]);
        check("input_files:\n  - \"a\\x20b.c\"\n", &["a b.c"]);
        check("", &[]);
        check("# nothing\n", &[]);
    }

    #[test]
    fn errors() {
        let check = |text: &str, expected: &str| {
            let found = Definition::parse(text).unwrap_err();
            assert!(found.starts_with(expected), "{text}: {found}");
        };
        check("a: [x, y\n", "1:4: error: unclosed bracket '['");
        check("input_files: 'x\n", "2:1: error: invalid indentation in multiline quoted scalar");
        check(
            "input_files: {}\n",
            "1:14: error: input_files is neither the name of a file nor a list of names",
        );
        check("properties: x\n", "1:13: error: expected sequence start");
        check("properties:\n- expected_verdict: perhaps\n", "2:21: error: invalid boolean");
        check("options: 1\n", "1:10: error: expected mapping start");
        check("options: {}\noptions: {}\n", "2:1: error: duplicate mapping key: options");
        check("a: 1\n---\nb: 1\n", "3:1: error: only single YAML document expected");
        check("a: *b\n", "1:4: error: reference to unknown value");
        check("a: 1\n   b: 2\n", "2:5: error: mapping values are not allowed in this context");
        check("a:\n\t- b\n", "2:2: error: tabs disallowed within this context");
    }

    /// Broken documents are errors, never panics: every prefix and every single changed byte of a document.
    #[test]
    fn damage() {
        for end in (0..=TEXT.len()).filter(|i| TEXT.is_char_boundary(*i)) {
            let _ = Definition::parse(&TEXT[..end]);
        }
        for i in 0..TEXT.len() {
            for byte in b"\n :-#'\"[]{},\t&*!|>%@?\\\0" {
                let mut bytes = TEXT.as_bytes().to_vec();
                bytes[i] = *byte;
                if let Ok(text) = String::from_utf8(bytes) {
                    let _ = Definition::parse(&text);
                }
            }
        }
        for open in ["- ", "[", "{a: ", "? ", "!a ", "&a [*a, "] {
            assert!(Definition::parse(&open.repeat(100_000)).is_err());
        }
    }
}
