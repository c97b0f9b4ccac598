//! Bounds and sizes of the command line.

use crate::fragments::paths;
use engine::{Bounds, LoopBound, Unwind};
use ir::{LoopForest, Program};

/// One part of `--unwind`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnwindArg {
    Auto,
    Every(u32),
    /// A loop by its number or its path, as `2.1`.
    Loop {
        function: String,
        number: String,
        bound: u32,
    },
}

pub fn unwind_arg(text: &str) -> Result<UnwindArg, String> {
    if text == "auto" {
        return Ok(UnwindArg::Auto);
    }
    let Some((place, count)) = text.rsplit_once('=') else { return bound(text).map(UnwindArg::Every) };
    // Static functions that clash are called `file::name`.
    let (function, number) = place.rsplit_once(':').ok_or("a loop is FUNCTION:NUMBER=K")?;
    if function.is_empty() || number.is_empty() {
        return Err("a loop is FUNCTION:NUMBER=K".to_owned());
    }
    Ok(UnwindArg::Loop { function: function.to_owned(), number: number.to_owned(), bound: bound(count)? })
}

pub fn bound(text: &str) -> Result<u32, String> {
    match text.trim().parse::<u64>() {
        Ok(0) => {
            Err("a bound of 0 would leave out every loop and every recursive call, and what follows them \
                      could not be reached; the least bound is 1"
                .to_owned())
        }
        Ok(value) => u32::try_from(value).map_err(|_| format!("bounds are at most {}", u32::MAX)),
        Err(_) => Err("'auto', a number, or FUNCTION:NUMBER=K".to_owned()),
    }
}

/// Puts the parts together for this program.
pub fn unwind(parts: &[UnwindArg], recursion: Option<u32>, program: &Program) -> Result<Unwind, String> {
    let mut every = None;
    let mut auto = false;
    let mut loops = Vec::new();
    for part in parts {
        match part {
            UnwindArg::Auto => auto = true,
            UnwindArg::Every(bound) => every = Some(*bound),
            UnwindArg::Loop { function, number, bound } => {
                let number = find_loop(program, function, number)?;
                loops.push(LoopBound { function: function.clone(), number, bound: *bound });
            }
        }
    }
    match every {
        Some(_) if auto => Err("--unwind: a bound for everything, or 'auto', not both".to_owned()),
        Some(every) => Ok(Unwind::Fixed(Bounds { every, recursion, loops })),
        None if !loops.is_empty() => {
            Err("--unwind: a bound for all other loops is needed too, as in 3,f:1=10".to_owned())
        }
        None if recursion.is_some() => {
            Err("--unwind-recursion needs a bound for loops too (--unwind K)".to_owned())
        }
        None => Ok(Unwind::Auto { most: None }),
    }
}

/// The number of a loop, from 1, as `show cfa` has it.
fn find_loop(program: &Program, function: &str, number: &str) -> Result<u32, String> {
    let id = program.find_function(function);
    let Some(cfa) = id.and_then(|id| program.function(id).cfa()) else {
        return Err(format!("--unwind: the program has no function '{function}' with a body"));
    };
    let forest = LoopForest::of(cfa);
    let count = forest.loops().len();
    let found = match number.contains('.') {
        true => paths(&forest).iter().position(|path| path == number).map(|i| i + 1),
        false => number.parse::<usize>().ok().filter(|n| (1..=count).contains(n)),
    };
    found.map(|n| n as u32).ok_or_else(|| {
        let count = match count {
            0 => "no loop".to_owned(),
            1 => "1 loop".to_owned(),
            n => format!("{n} loops"),
        };
        format!("--unwind: '{function}' has {count}, and no loop {number} (`reprove show cfa` numbers them)")
    })
}

/// `1000000`, `500k`, `100M`, `2G`, `512MiB`.
pub fn memory(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let factor = match text[digits..].trim() {
        "" | "B" => 1u64,
        "k" | "K" | "kB" | "KB" | "KiB" => 1 << 10,
        "M" | "MB" | "MiB" => 1 << 20,
        "G" | "GB" | "GiB" => 1 << 30,
        _ => 0,
    };
    let size = text[..digits].parse::<u64>().ok().and_then(|n| n.checked_mul(factor));
    size.filter(|size| *size > 0).ok_or_else(|| "a number of bytes, or of k, M or G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let check = |text: &str, expected: Result<UnwindArg, &str>| {
            let found = unwind_arg(text);
            match expected {
                Ok(part) => assert_eq!(found, Ok(part), "{text}"),
                Err(part) => assert!(found.as_ref().is_err_and(|e| e.contains(part)), "{text}: {found:?}"),
            }
        };
        let in_loop = |function: &str, number: &str, bound| UnwindArg::Loop {
            function: function.into(),
            number: number.into(),
            bound,
        };
        check("auto", Ok(UnwindArg::Auto));
        check("1000000", Ok(UnwindArg::Every(1_000_000)));
        check("f:2=7", Ok(in_loop("f", "2", 7)));
        check("a.c::f:2.1=7", Ok(in_loop("a.c::f", "2.1", 7)));
        check("0", Err("a bound of 0 would leave out every loop"));
        check("f:1=0", Err("a bound of 0"));
        check("4294967296", Err("at most 4294967295"));
        check("99999999999999999999999", Err("'auto', a number"));
        check("-1", Err("'auto', a number"));
        check("f=3", Err("a loop is"));
        check(":1=3", Err("a loop is"));
        check("", Err("'auto'"));
    }

    #[test]
    fn sizes() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(memory(text).ok(), expected, "{text}");
        check("1000", Some(1000));
        check("4GiB", Some(4 << 30));
        check("512 MiB", Some(512 << 20));
        check("2G", Some(2 << 30));
        check("0", None);
        check("1T", None);
        check("99999999999999999999", None);
        check("18446744073709551615G", None);
        check("é", None);
        check("", None);
    }
}
