//! Broken inputs for robustness tests: mutations of C texts, and a loop that feeds them to a target.
//!
//! Mutations work on bytes (flips, holes, truncation) and on tokens (deleting, repeating, swapping, moving
//! between files, wrapping in brackets, repeating thousands of times), because random bytes rarely get past a
//! lexer. A target that panics or takes too long is a find; it is shrunk by deleting tokens for as long as it
//! stays one.

use base::random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// One to four changes to `input`; `other` is where foreign tokens come from.
pub fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = input.to_vec();
    for _ in 0..1 + random.below(4) {
        text = if random.below(4) == 0 {
            mutate_bytes(text, random)
        } else {
            mutate_tokens(&text, other, random)
        };
    }
    text
}

/// An input on which the target failed, shrunk.
#[derive(Debug, Clone)]
pub struct Find {
    pub input: Vec<u8>,
    /// The message of the panic, or how long it took.
    pub reason: String,
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Report {
    pub runs: u64,
    pub finds: Vec<Find>,
}

/// Feeds mutants of `corpus` to `target` until `time` is over or ten finds are made. `before` sees every
/// input first, so that one which ends the process (a stack overflow) can be kept.
pub fn run(
    corpus: &[Vec<u8>],
    time: Duration,
    seed: u64,
    mut before: impl FnMut(&[u8]),
    target: impl Fn(&[u8]),
) -> Report {
    let mut random = Random(seed);
    let mut report = Report::default();
    let end = Instant::now() + time;
    while Instant::now() < end && report.finds.len() < 10 {
        let (Some(input), Some(other)) = (random.one(corpus), random.one(corpus)) else { break };
        let mutant = mutate(input, other, &mut random);
        before(&mutant);
        report.runs += 1;
        if let Some(reason) = fails(&mutant, &target)
            && !report.finds.iter().any(|f| f.reason == reason)
        {
            let input = shrink(mutant, &target);
            report.finds.push(Find { input, reason });
        }
    }
    report
}

/// Slower than this per input (and per 100 kB of it) is a find too.
const SLOW: Duration = Duration::from_secs(2);

fn fails(input: &[u8], target: &impl Fn(&[u8])) -> Option<String> {
    let begin = Instant::now();
    match catch_unwind(AssertUnwindSafe(|| target(input))) {
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            Some(text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("panic").to_string())
        }
        Ok(()) => {
            let limit = SLOW * (1 + input.len() as u32 / 100_000);
            (begin.elapsed() > limit).then(|| "too slow".to_string())
        }
    }
}

/// Deletes ever smaller runs of tokens while the target still fails.
fn shrink(mut input: Vec<u8>, target: &impl Fn(&[u8])) -> Vec<u8> {
    let end = Instant::now() + Duration::from_secs(20);
    let mut size = tokens(&input).len() / 2;
    while size > 0 && Instant::now() < end {
        let mut at = 0;
        loop {
            let list = tokens(&input);
            if at >= list.len() || Instant::now() >= end {
                break;
            }
            let hole = (at + size).min(list.len());
            let rest: Vec<u8> = [&list[..at], &list[hole..]].concat().concat();
            if fails(&rest, target).is_some() { input = rest } else { at += size }
        }
        size /= 2;
    }
    input
}

/// Separated by spaces; `~` stands for a newline.
const WORDS: &str = "int char long unsigned float void struct union enum typedef static extern const volatile \
    inline if else while do for switch case default break continue return goto sizeof typeof asm __attribute__ \
    __extension__ _Generic _Static_assert _Alignas _Atomic _Complex __label__ __builtin_va_arg __builtin_offsetof \
    __real__ ({ }) (( )) [[ ]] && || ... .. -> ++ -- <<= >>= ? : ?: = == , ; { } ( ) [ ] * & + - ! % / ^ | <: %> \
    \" ' \"s\" L\"w\" 'c' '\\x 0 1 0x 1e 1.5f 0x1p3 99999999999999999999 # #1\"f.c\"~ #line~ #pragma~ /* */ // \\~ \
    \\u00e9 \\ @ $ __func__ x T main .5 a: [0] {} ()";

fn mutate_tokens(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut list: Vec<&[u8]> = tokens(text);
    if list.is_empty() {
        list.push(b" ");
    }
    let lo = random.below(list.len());
    let reach = if random.below(8) == 0 { list.len() } else { 6 };
    let hi = (lo + 1 + random.below(reach)).min(list.len());
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let word = random.one(&words).map_or(String::new(), |w| w.replace('~', "\n"));
    let word = word.as_bytes();
    let mut foreign = Vec::new();
    match random.below(9) {
        0 => drop(list.drain(lo..hi)),
        1 => {
            let copy = list[lo..hi].to_vec();
            list.splice(lo..lo, copy);
        }
        2 => {
            let to = random.below(list.len());
            list.swap(lo, to);
        }
        3 => list[lo] = word,
        4 => list.splice(lo..lo, [&b" "[..], word, b" "]).for_each(drop),
        5 => {
            foreign.extend(tokens(other));
            let from = random.below(foreign.len());
            let to = (from + random.below(40)).min(foreign.len());
            list.splice(lo..hi, foreign[from.min(to)..to].iter().copied());
        }
        6 => {
            foreign.extend(tokens(other));
            list.truncate(lo);
            let from = random.below(foreign.len()).min(foreign.len());
            list.extend(&foreign[from..]);
        }
        7 => {
            let (open, close): (&[u8], &[u8]) =
                [(&b"("[..], &b")"[..]), (b"{", b"}"), (b"[", b"]"), (b"({", b";})")][random.below(4)];
            list.insert(hi, close);
            list.insert(lo, open);
        }
        _ => {
            // Now and then far more often than any stack could take.
            let times = [3, 50, 5000, 30_000][random.below(4).min(random.below(4))];
            let unit: Vec<&[u8]> =
                if random.below(2) == 0 { vec![word, b" "] } else { list[lo..hi].to_vec() };
            let times = times.min(300_000 / unit.iter().map(|t| t.len()).sum::<usize>().max(1));
            list.splice(lo..lo, unit.iter().copied().cycle().take(unit.len() * times)).for_each(drop);
        }
    }
    list.concat()
}

fn mutate_bytes(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    if text.is_empty() {
        return vec![random.number() as u8];
    }
    let at = random.below(text.len());
    let end = (at + 1 + random.below(16)).min(text.len());
    match random.below(6) {
        0 => text[at] ^= 1 << random.below(8),
        1 => text[at] = random.number() as u8,
        2 => text.insert(at, random.number() as u8),
        3 => drop(text.drain(at..end)),
        4 => text.truncate(at),
        _ => {
            let copy = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, copy);
        }
    }
    text
}

/// A rough split into words, strings, spaces and single characters; joined, they are the text.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let class = |b: u8| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => 1,
            b' ' | b'\t' | b'\r' | b'\n' => 2,
            _ => 0,
        };
        let len = match (first, class(first)) {
            (b'"', _) => {
                rest[1..].iter().position(|&b| b == b'"' || b == b'\n').map_or(rest.len(), |n| n + 2)
            }
            (_, 0) => 1,
            (_, kind) => rest.iter().position(|&b| class(b) != kind).unwrap_or(rest.len()),
        };
        let (token, tail) = rest.split_at(len);
        list.push(token);
        rest = tail;
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lose_nothing() {
        let mut random = Random(7);
        let mut text = b"int main(void) { return f(\"a b\", 'c') + 0x1; }\n".to_vec();
        for _ in 0..300 {
            assert_eq!(tokens(&text).concat(), text);
            text = mutate(&text, b"struct s { int x; };", &mut random);
            text.truncate(2000);
        }
    }

    #[test]
    fn finds_and_shrinks() {
        let corpus = [b"int a; int b; goto x; while (1) ;".to_vec(), b"float y; x = 1;".to_vec()];
        let target = |input: &[u8]| {
            let text = String::from_utf8_lossy(input);
            assert!(!(text.contains("float") && text.contains("goto")), "both");
        };
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let report = run(&corpus, Duration::from_millis(500), 1, |_| {}, target);
        std::panic::set_hook(hook);
        let find = report.finds.first().expect("splicing brings both words together");
        assert_eq!(find.reason, "both");
        assert!(find.input.len() <= 10, "{:?}", String::from_utf8_lossy(&find.input));
    }
}
