//! Damages of a certificate: as text, as JSON, as bytes in base 64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// A certificate that was damaged, and what was done to it.
pub struct Damaged {
    pub text: Vec<u8>,
    pub what: String,
    /// It cannot be read as a certificate any more, or its claim is another one.
    pub malformed: bool,
}

fn damaged(text: impl Into<Vec<u8>>, what: String, malformed: bool) -> Damaged {
    Damaged { text: text.into(), what, malformed }
}

/// Paths to everything in a value, as JSON pointers.
pub fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(name, v)| places(v, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// Every damage of every field.
pub fn of_fields(original: &Value) -> Vec<Damaged> {
    let mut all = Vec::new();
    places(original, "", &mut all);
    let mut list = Vec::new();
    for place in &all {
        let value = original.pointer(place).cloned().unwrap_or_default();
        // Names of files and the tool's name are for people.
        let for_people = place == "/tool" || place.starts_with("/claim") && place.ends_with("/file");
        let claim = place.starts_with("/claim") && !for_people;
        let with = |other: Value| {
            let mut whole = original.clone();
            if let Some(here) = whole.pointer_mut(place) {
                *here = other;
            }
            whole.to_string()
        };
        for other in other_types(&value) {
            let what = format!("{place} is {}", short(&other));
            list.push(damaged(with(other), what, claim || for_people));
        }
        for other in other_values(&value).into_iter().filter(|other| *other != value) {
            let what = format!("{place} is {}", short(&other));
            list.push(damaged(with(other), what, claim));
        }
        if let Some((parent, name)) = place.rsplit_once('/') {
            list.extend(of_member(original, parent, name, &value, claim));
        }
    }
    list
}

fn other_types(value: &Value) -> Vec<Value> {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let types = [json!(null), json!(true), json!(7), json!(-1), json!(1.5), json!("7"), json!([]), json!({})];
    let kind = std::mem::discriminant::<Value>;
    let others = types.into_iter().filter(|other| kind(other) != kind(value));
    others.chain([deep, json!({"cc": "touch injected"})]).collect()
}

fn other_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0)],
        Value::Bool(b) => vec![json!(!b)],
        Value::Number(n) => {
            let n = n.as_i64().unwrap_or(0);
            vec![json!(n + 1), json!(n - 1), json!(u32::MAX), json!(u64::MAX), json!(i64::MIN), json!(1e300)]
        }
        Value::String(text) => {
            let mut list = vec![json!(""), json!(format!("{text}x")), json!("injected.c")];
            list.extend(text.char_indices().nth(text.chars().count() / 2).map(|(i, _)| json!(text[..i])));
            list.extend(text.parse::<i128>().ok().map(|n| json!((n + 1).to_string())));
            if text.starts_with('(') {
                let forms =
                    [format!("(not {text})"), format!("(or true {text})"), format!("(and false {text})")];
                list.extend(forms.map(Value::String));
                list.push(json!("(".repeat(100_000)));
                list.push(json!(format!("{}true{}", "(not ".repeat(50_001), ")".repeat(50_001))));
            }
            list.extend(bytes(text).into_iter().map(Value::String));
            list
        }
        Value::Array(items) => {
            let mut list = Vec::new();
            if !items.is_empty() {
                list.push(json!(items[1..]));
                list.push(json!(items[..items.len() - 1]));
                list.push(json!([&items[..], &items[..1]].concat()));
            }
            if items.len() > 1 {
                list.push(json!(items.iter().rev().collect::<Vec<_>>()));
            }
            list
        }
        Value::Object(_) => Vec::new(),
    }
}

/// What is written in base 64, with bytes that are others.
fn bytes(text: &str) -> Vec<String> {
    let Some(bytes) =
        BASE64_STANDARD.decode(text).ok().filter(|b| b.len() > 2 && text.len().is_multiple_of(4))
    else {
        return Vec::new();
    };
    // A hash is none of these, though it may look so.
    if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Vec::new();
    }
    let mut list = Vec::new();
    for at in (0..bytes.len()).step_by(bytes.len().div_ceil(12)) {
        for bit in [0, 3, 7] {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            list.push(other);
        }
    }
    // Chains of no clauses, of all, of none at all.
    let count = bytes.iter().position(|byte| *byte < 0x80).map_or(0, |end| end + 1);
    list.extend([&[0][..], &[0, 0], &[1, 1], &[1, 1, 1]].map(|end| [&bytes[..count], end].concat()));
    list.push([&bytes[..], &[0]].concat());
    list.extend([bytes[..count].to_vec(), bytes[..bytes.len() / 2].to_vec(), vec![0xff; 300]]);
    let mut texts: Vec<String> = list.into_iter().map(|bytes| BASE64_STANDARD.encode(bytes)).collect();
    texts.extend([format!("{text}="), format!("!{}", &text[1..]), format!(" {text}")]);
    texts
}

/// A member of an object: gone, twice, of another name, with another one beside it.
fn of_member(original: &Value, parent: &str, name: &str, value: &Value, claim: bool) -> Vec<Damaged> {
    let Some(Value::Object(members)) = original.pointer(parent) else { return Vec::new() };
    let mut list = Vec::new();
    let put = |object: Value| {
        let mut whole = original.clone();
        if let Some(here) = whole.pointer_mut(parent) {
            *here = object;
        }
        whole.to_string()
    };
    let mut without = members.clone();
    without.remove(name);
    // What may be nothing may also not be there.
    list.push(damaged(put(json!(without)), format!("{parent}/{name} is gone"), claim && !value.is_null()));
    without.insert(format!("{name}_"), value.clone());
    list.push(damaged(put(json!(without)), format!("{parent}/{name} is called otherwise"), claim));
    let mut more = members.clone();
    more.insert("cc".to_owned(), json!("touch injected"));
    list.push(damaged(put(json!(more)), format!("{parent} has one more"), true));
    // Twice: as text, since a value has each name once.
    let inner: Vec<String> = members.iter().map(|(n, v)| format!("{}:{v}", json!(n))).collect();
    let mark = "the object that has a member twice";
    let text = put(json!(mark));
    let twice = format!("{{{},{}:{value}}}", inner.join(","), json!(name));
    let text = text.replace(&json!(mark).to_string(), &twice);
    // Functions that formulas mention are a list with names; the last one of a name counts.
    let names = parent.ends_with("/symbols") || parent.ends_with("/functions");
    list.push(damaged(text, format!("{parent}/{name} is there twice"), !names));
    list
}

/// Damages of the whole text.
pub fn of_text(original: &Value, other: &Value) -> Vec<Damaged> {
    let text = original.to_string();
    let mut list = Vec::new();
    for tenth in 0..10 {
        let end = text.len() * tenth / 10;
        list.push(damaged(&text.as_bytes()[..end], format!("the first {end} bytes"), true));
    }
    for hundredth in 1..100 {
        let mut bytes = text.clone().into_bytes();
        let at = bytes.len() * hundredth / 100;
        bytes[at] ^= 1 << (hundredth % 8);
        list.push(damaged(bytes, format!("a bit of byte {at}"), false));
    }
    for number in ["1e999", "123456789012345678901234567890", "0x10", "NaN", "-0", "00"] {
        let version = text.replacen("\"version\":7", &format!("\"version\":{number}"), 1);
        list.push(damaged(version, format!("version {number}"), true));
    }
    let mut swapped = original.clone();
    swapped["proof"] = other["proof"].clone();
    list.push(damaged(swapped.to_string(), "the proof of another one".to_owned(), false));
    list.push(damaged(other.to_string(), "another one".to_owned(), true));
    list.push(damaged(format!("{text}{text}"), "twice".to_owned(), true));
    list.push(damaged(format!("\u{feff}{text}"), "with a mark in front".to_owned(), true));
    list.push(damaged(text.replace(':', "="), "not JSON".to_owned(), true));
    list
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}
