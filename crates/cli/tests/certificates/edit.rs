//! Edits of a certificate, by a generator: several at once, anywhere.

use crate::damage::places;
use crate::judge::Case;
use crate::questions::{Question, Truth};
use serde_json::{Value, json};

/// A small generator of numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Somewhere below `root`, something else.
fn edit(random: &mut Random, whole: &mut Value, root: &str) {
    let mut all = Vec::new();
    places(whole.pointer(root).unwrap_or(&Value::Null), root, &mut all);
    let place = all[random.below(all.len())].clone();
    let other = all[random.below(all.len())].clone();
    let other = whole.pointer(&other).cloned().unwrap_or_default();
    let Some(value) = whole.pointer_mut(&place) else { return };
    *value = match value.take() {
        Value::String(text) => match random.below(8) {
            0 => json!("true"),
            1 => json!("false"),
            2 => json!(format!("(or {text} true)")),
            3 => json!(format!("(and {text} false)")),
            4 => json!(format!("(not {text})")),
            5 => json!(random.pick(&["injected.c", "$(touch injected)", "-fplugin=injected", "@injected"])),
            6 => {
                json!(random.pick(&["main", "f", "next", "unbounded", "bitvectors", "(_ BitVec 4294967295)"]))
            }
            _ => other,
        },
        Value::Number(n) => {
            let n = n.as_i64().unwrap_or(0);
            json!([0, 1, n + 1, n - 1, n * 1000, -1, i64::from(u32::MAX), i64::MAX][random.below(8)])
        }
        Value::Bool(b) => json!(!b),
        Value::Array(mut list) => {
            let at = random.below(list.len());
            match random.below(4) {
                0 => list.clear(),
                1 if at < list.len() => drop(list.remove(at)),
                2 if at < list.len() => list.push(list[at].clone()),
                _ => list.reverse(),
            }
            Value::Array(list)
        }
        Value::Object(mut map) => {
            let names: Vec<String> = map.keys().cloned().collect();
            match random.below(3) {
                0 if !names.is_empty() => drop(map.remove(&names[random.below(names.len())])),
                1 => drop(map.insert("cc".to_owned(), json!("touch injected"))),
                _ => drop(map.insert(random.pick(&["checks", "macros", "files", "pre"]).to_owned(), other)),
            }
            Value::Object(map)
        }
        Value::Null => other,
    };
}

/// Certificates of what is so, edited, and shown for any of the questions.
pub fn cases<'q>(
    originals: &[(&'q Question, Value)],
    list: &'q [Question],
    count: u64,
    seed: u64,
) -> Vec<Case<'q>> {
    let false_ones: Vec<&Question> = list.iter().filter(|q| q.truth == Truth::Fails).collect();
    let make = |i: u64| {
        let mut random = Random(seed + i * 7919);
        let (from, original) = &originals[random.below(originals.len())];
        let mut value = original.clone();
        // What is false, where the sources are the same, is most tempting.
        let near: Vec<&Question> = false_ones.iter().copied().filter(|q| q.files == from.files).collect();
        let asked = match random.below(4) {
            0 => *from,
            1 => random.pick(&list.iter().collect::<Vec<_>>()),
            2 if !near.is_empty() => random.pick(&near),
            _ => random.pick(&false_ones),
        };
        let mut what = format!("of {}", from.name());
        if random.below(5) > 0 {
            value["claim"] = asked.asked();
            what += ", claim of the other";
        }
        for _ in 0..random.below(4) {
            let root = random.pick(&["/proof", "/proof", "/proof", "/claim", ""]);
            edit(&mut random, &mut value, root);
            what += &format!(", edited below '{root}'");
        }
        let mut text = value.to_string();
        if random.below(20) == 0 {
            text.truncate(text.len() * random.below(100) / 100);
            what += ", truncated";
        }
        Case { text: text.into_bytes(), asked, what, malformed: false }
    };
    (0..count).map(make).collect()
}
