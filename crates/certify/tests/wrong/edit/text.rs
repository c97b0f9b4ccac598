//! Formulas as text: numbers by one, comparisons turned, names of one version for those of the other.

use testing::Random;

/// Another formula, mostly one that can be read.
pub fn formula(text: &str, others: &[String], random: &mut Random) -> String {
    let other = others.get(random.below(others.len())).map_or("true", |other| other);
    match random.below(14) {
        0 => "true".to_owned(),
        1 => "false".to_owned(),
        2 => format!("(not {text})"),
        3 => format!("(or {text} {other})"),
        4 => format!("(and {text} {other})"),
        5 => format!("(or {text} (not {other}))"),
        _ => inside(text, random),
    }
}

/// What a word becomes, if it is one of these.
const WORDS: &[(&str, &str)] = &[
    ("and", "or"),
    ("or", "and"),
    ("<=", "<"),
    ("<", "<="),
    ("+", "-"),
    ("=", "distinct"),
    ("bvsle", "bvslt"),
    ("bvslt", "bvsle"),
    ("bvule", "bvult"),
    ("bvult", "bvsle"),
    ("bvadd", "bvsub"),
    ("bvmul", "bvadd"),
    ("true", "false"),
];

fn inside(text: &str, random: &mut Random) -> String {
    let is_end = |c: char| c.is_whitespace() || c == '(' || c == ')';
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_end(c) {
            words.extend((i > start).then(|| (start, &text[start..i])));
            start = i + c.len_utf8();
        }
    }
    let changed = |word: &str, random: &mut Random| -> Option<String> {
        if let Ok(number) = word.parse::<i128>() {
            return Some((number + random.pick(&[-1, 1])).to_string());
        }
        if word.starts_with("#x") || word.starts_with("#b") {
            let (head, last) = word.split_at(word.len() - 1);
            return Some(format!("{head}{}", if last == "0" { "1" } else { "0" }));
        }
        if word.contains("old.") || word.contains("new.") {
            let names: Vec<&str> =
                words.iter().map(|(_, w)| *w).filter(|w| w.contains("old.") || w.contains("new.")).collect();
            return Some(random.pick(&names).to_owned());
        }
        WORDS.iter().find(|(from, _)| *from == word).map(|(_, to)| (*to).to_owned())
    };
    for _ in 0..20 {
        let Some((at, word)) = words.get(random.below(words.len())) else { break };
        if let Some(other) = changed(word, random) {
            return format!("{}{other}{}", &text[..*at], &text[at + word.len()..]);
        }
    }
    format!("(not {text})")
}
