//! The part of YAML that task definitions are written in.
//!
//! Mappings and lists by indentation, lists and mappings in brackets on one line, plain and quoted scalars,
//! comments. What else YAML has (anchors, tags, block scalars, several documents) is refused with its line:
//! guessing would verify something that nobody asked for.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yaml {
    Scalar(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlError {
    /// From 1.
    pub line: usize,
    pub message: &'static str,
}

/// Deeper documents are refused.
const DEEPEST: usize = 32;

impl Yaml {
    pub fn parse(text: &str) -> Result<Yaml, YamlError> {
        let mut lines = Vec::new();
        for (i, raw) in text.lines().enumerate() {
            let error = |message| YamlError { line: i + 1, message };
            let line = without_comment(raw).trim_end();
            let content = line.trim_start_matches(' ');
            if content.starts_with('\t') {
                return Err(error("a tab cannot indent"));
            }
            if content.is_empty() || content == "---" && lines.is_empty() || content == "..." {
                continue;
            }
            if content == "---" {
                return Err(error("a second document"));
            }
            lines.push(Line { number: i + 1, indent: line.len() - content.len(), text: content });
        }
        let mut parser = Parser { lines, at: 0 };
        let Some(first) = parser.lines.first() else { return Ok(Yaml::Map(Vec::new())) };
        let indent = first.indent;
        let value = parser.block(indent, 0)?;
        match parser.lines.get(parser.at) {
            Some(line) => Err(line.error("this does not belong to anything")),
            None => Ok(value),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Yaml::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; anything else stands for itself.
    pub fn items(&self) -> &[Yaml] {
        match self {
            Yaml::List(items) => items,
            other => std::slice::from_ref(other),
        }
    }
}

struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

impl Line<'_> {
    fn error(&self, message: &'static str) -> YamlError {
        YamlError { line: self.number, message }
    }
}

struct Parser<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl Parser<'_> {
    /// The value whose lines begin at this column.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        let Some(line) = self.lines.get(self.at) else { return Ok(Yaml::Scalar(String::new())) };
        if depth > DEEPEST {
            return Err(line.error("nested too deeply"));
        }
        match (dash(line.text), split_key(line.text)) {
            (Some(_), _) => self.list(indent, depth),
            (None, Some(_)) => self.map(indent, depth),
            (None, None) => {
                let value = flow(line)?;
                self.at += 1;
                Ok(value)
            }
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get_mut(self.at)
            && line.indent == indent
            && let Some(rest) = dash(line.text)
        {
            if rest.is_empty() {
                self.at += 1;
                items.push(self.below(indent + 1, depth)?);
                continue;
            }
            // The element begins on the line of its dash, as if that were blank.
            line.indent += line.text.len() - rest.len();
            line.text = rest;
            let inner = line.indent;
            items.push(self.block(inner, depth + 1)?);
        }
        self.ends(indent)?;
        Ok(Yaml::List(items))
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Yaml, YamlError> {
        let mut entries: Vec<(String, Yaml)> = Vec::new();
        while let Some(line) = self.lines.get(self.at)
            && line.indent == indent
            && dash(line.text).is_none()
        {
            let Some((key, rest)) = split_key(line.text) else {
                return Err(line.error("expected 'key: value'"));
            };
            let key = scalar(key).map_err(|message| line.error(message))?;
            if entries.iter().any(|(k, _)| *k == key) {
                return Err(line.error("the same key twice"));
            }
            let value = if rest.is_empty() {
                self.at += 1;
                // A list may begin at the column of its key.
                let same =
                    self.lines.get(self.at).is_some_and(|l| l.indent == indent && dash(l.text).is_some());
                self.below(if same { indent } else { indent + 1 }, depth)?
            } else {
                let value = flow(&Line { number: line.number, indent: line.indent, text: rest })?;
                self.at += 1;
                value
            };
            entries.push((key, value));
        }
        self.ends(indent)?;
        Ok(Yaml::Map(entries))
    }

    /// What follows, if it is at least so far to the right; else nothing.
    fn below(&mut self, least: usize, depth: usize) -> Result<Yaml, YamlError> {
        match self.lines.get(self.at).map(|line| line.indent) {
            Some(indent) if indent >= least => self.block(indent, depth + 1),
            _ => Ok(Yaml::Scalar(String::new())),
        }
    }

    fn ends(&self, indent: usize) -> Result<(), YamlError> {
        match self.lines.get(self.at) {
            Some(line) if line.indent > indent => Err(line.error("the indentation does not fit")),
            _ => Ok(()),
        }
    }
}

fn dash(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('-')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start_matches(' '))
}

/// A key and what follows its colon.
fn split_key(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(['[', '{']) {
        return None;
    }
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if i == 0 => quote = Some(c),
            (None, ':') => {
                let rest = &text[i + 1..];
                if rest.is_empty() || rest.starts_with(' ') {
                    return Some((text[..i].trim_end(), rest.trim()));
                }
            }
            _ => {}
        }
    }
    None
}

/// A comment begins at a `#` after a blank, outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (i, c) in line.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '#') if before == ' ' || before == '\t' => return &line[..i],
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            _ => {}
        }
        before = c;
    }
    line
}

/// A value on one line.
fn flow(line: &Line) -> Result<Yaml, YamlError> {
    let (value, rest) = flow_value(line.text, 0, false).map_err(|message| line.error(message))?;
    match rest.trim().is_empty() {
        true => Ok(value),
        false => Err(line.error("something follows the end of a value")),
    }
}

type Parsed<'t, T> = Result<(T, &'t str), &'static str>;

fn flow_value(text: &str, depth: usize, inside: bool) -> Parsed<'_, Yaml> {
    if depth > DEEPEST {
        return Err("nested too deeply");
    }
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('[') {
        let mut items = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(']') {
                return Ok((Yaml::List(items), after));
            }
            let (item, after) = flow_value(rest, depth + 1, true)?;
            items.push(item);
            rest = separator(after, ']')?;
        }
    }
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut entries = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                return Ok((Yaml::Map(entries), after));
            }
            let (key, after) = rest.split_once(':').ok_or("expected 'key: value'")?;
            let (value, after) = flow_value(after, depth + 1, true)?;
            entries.push((scalar(key.trim())?, value));
            rest = separator(after, '}')?;
        }
    }
    let end = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let close = text[1..].find(quote).ok_or("a quote is not closed")?;
            close + 2
        }
        _ if inside => text.find([',', ']', '}']).unwrap_or(text.len()),
        _ => text.len(),
    };
    Ok((Yaml::Scalar(scalar(text[..end].trim())?), &text[end..]))
}

fn separator(text: &str, close: char) -> Result<&str, &'static str> {
    let text = text.trim_start();
    match text.strip_prefix(',') {
        Some(rest) => Ok(rest),
        None if text.starts_with(close) => Ok(text),
        None => Err("a bracket is not closed"),
    }
}

fn scalar(text: &str) -> Result<String, &'static str> {
    let quoted = |q: char| text.len() >= 2 && text.starts_with(q) && text.ends_with(q);
    if quoted('\'') || quoted('"') {
        let inner = &text[1..text.len() - 1];
        return match inner.contains(['\\', '"', '\'']) {
            true => Err("escapes in quotes are not supported"),
            false => Ok(inner.to_owned()),
        };
    }
    match text.chars().next() {
        Some('&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' | '"' | '\'') => {
            Err("only plain and quoted texts, lists and mappings are supported")
        }
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(value: &Yaml) -> String {
        match value {
            Yaml::Scalar(text) => text.clone(),
            Yaml::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
            Yaml::Map(entries) => {
                let entries: Vec<_> = entries.iter().map(|(k, v)| format!("{k}: {}", show(v))).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    #[test]
    fn documents() {
        let check = |text: &str, expected: &str| {
            let found = Yaml::parse(text).map_or_else(|e| format!("{}: {}", e.line, e.message), |y| show(&y));
            assert_eq!(found, expected, "{text}");
        };
        check("", "{}");
        check("---\n# only this\n", "{}");
        check("a: 1\nb: 'x # y'  # z\n", "{a: 1, b: x # y}");
        check("a:\n  - x.c\n  - y.c\nb: 2\n", "{a: [x.c, y.c], b: 2}");
        check("a:\n- x\n- y\nb:\n", "{a: [x, y], b: }");
        check(
            "p:\n  - property_file: ../u.prp\n    expected_verdict: true\n  - property_file: v.prp\n",
            "{p: [{property_file: ../u.prp, expected_verdict: true}, {property_file: v.prp}]}",
        );
        check("o:\n  language: C\n  data_model: ILP32\n", "{o: {language: C, data_model: ILP32}}");
        check("a: [x.c, \"y z.c\", []]\nb: {c: d, e: [f]}", "{a: [x.c, y z.c, []], b: {c: d, e: [f]}}");
        check("-\n  a: 1\n- - x\n  - y\n", "[{a: 1}, [x, y]]");
        check("u: http://x/y#z\n", "{u: http://x/y#z}");
        check("a: &x 1\n", "1: only plain and quoted texts, lists and mappings are supported");
        check("a: |\n  text\n", "1: only plain and quoted texts, lists and mappings are supported");
        check("a: 1\n   b: 2\n", "2: the indentation does not fit");
        check("a: 1\na: 2\n", "2: the same key twice");
        check("  a: 1\nb: 2\n", "2: this does not belong to anything");
        check("a: [x, y\n", "1: a bracket is not closed");
        check("a: 'x\n", "1: a quote is not closed");
        check("a: 1\n---\nb: 1\n", "2: a second document");
        check("\ta: 1\n", "1: a tab cannot indent");
    }

    /// Broken documents are errors, never panics: every prefix and every single changed byte of a document.
    #[test]
    fn damage() {
        let text = "format_version: '2.0'\ninput_files: [a.c, \"b.c\"]\np:\n- x: {y: z}\n  w: é\n  # c\no:\n  l: C\n";
        for end in (0..=text.len()).filter(|i| text.is_char_boundary(*i)) {
            let _ = Yaml::parse(&text[..end]);
        }
        for i in 0..text.len() {
            for byte in b"\n :-#'\"[]{},\t&" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[i] = *byte;
                if let Ok(text) = String::from_utf8(bytes) {
                    let _ = Yaml::parse(&text);
                }
            }
        }
        assert!(Yaml::parse(&"- ".repeat(100_000)).is_err());
        assert!(Yaml::parse(&"[".repeat(100_000)).is_err());
    }
}
