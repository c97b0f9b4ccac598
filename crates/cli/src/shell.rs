//! Words as a POSIX shell reads and people write them, without any expansion.

/// The words of a command. An open quote ends where the command does.
pub fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|&c| c != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|&c| c != '"') {
                    match c {
                        '\\' => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some('\n') => {}
                            Some(c) => word.extend(['\\', c]),
                            None => word.push('\\'),
                        },
                        _ => word.push(c),
                    }
                }
            }
            '\\' => match chars.next() {
                // The line goes on.
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => word.get_or_insert_default().push('\\'),
            },
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// One word, quoted where a shell would read something else.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn commands() {
        let check = |command: &str, expected: &[&str]| assert_eq!(split(command), expected, "{command}");
        check("cc  -c a.c", &["cc", "-c", "a.c"]);
        check(r#"cc -DX="\"a b\"" 'it''s' a\ b.c"#, &["cc", r#"-DX="a b""#, "its", "a b.c"]);
        check(r#"cc -DV=\"1.2\" '-DW="x y"'"#, &["cc", r#"-DV="1.2""#, r#"-DW="x y""#]);
        check("cc ''", &["cc", ""]);
        check("cc -DA \\\n -DB\\\nC", &["cc", "-DA", "-DBC"]);
        check("", &[]);
        check("'open", &["open"]);
    }

    /// What `sh` makes of the same command: it prints each word with a zero byte behind it.
    fn by_sh(command: &str) -> Vec<String> {
        let script = format!("printf '%s\\0' {command}");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{command}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_terminator('\0').map(String::from).collect()
    }

    /// Pieces of commands, in any order: all that quotes, separates or is quoted.
    fn pieces() -> impl Strategy<Value = String> {
        let plain = "[a-z=/.,+-]{1,4}";
        let single = "'[ a-z\"\\\\$]{0,4}'";
        let double = r#""([ a-z']|\\["\\$`]|\\[a-z]){0,4}""#;
        let escaped = r#"\\[ "'\\$a-z]"#;
        let piece = prop_oneof![plain, single, double, escaped, "[ \t]{1,2}"];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| format!("x{}", pieces.concat()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

        #[test]
        fn quoted_words_come_back(words in proptest::collection::vec("[^\0]{0,8}", 0..6)) {
            let command = words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(split(&command), words);
        }

        #[test]
        fn any_text_is_split(text in "([ a'\"\\\\\n]|.){0,24}") {
            split(&text);
        }

        #[test]
        fn the_shell_agrees(command in pieces()) {
            prop_assert_eq!(split(&command), by_sh(&command), "{}", command);
        }
    }
}
