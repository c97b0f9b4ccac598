//! Pairs of our own: programs of the paper that the sets do not hold, and the family that grows.

use super::{Expected, Pair};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Numbers of loops in the family of the paper's section 7.3.
pub const SIZES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 100];

const RECONSTRUCTED: [(&str, Expected, &str, &str); 5] = [
    (
        "digits10 (a) to (c)",
        Expected::Equivalent,
        include_str!("../../programs/equiv/digits10_a.c"),
        include_str!("../../programs/equiv/digits10_c.c"),
    ),
    (
        "triangular-mod",
        Expected::Equivalent,
        include_str!("../../programs/equiv/triangular_mod_1.c"),
        include_str!("../../programs/equiv/triangular_mod_2.c"),
    ),
    (
        "triangular-mod!",
        Expected::Different,
        include_str!("../../programs/equiv/triangular_mod_1.c"),
        include_str!("../../programs/equiv/triangular_mod_faulty_2.c"),
    ),
    (
        "loop4",
        Expected::Equivalent,
        include_str!("../../programs/equiv/loop4_1.c"),
        include_str!("../../programs/equiv/loop4_2.c"),
    ),
    (
        "loop5",
        Expected::Equivalent,
        include_str!("../../programs/equiv/loop5_1.c"),
        include_str!("../../programs/equiv/loop5_2.c"),
    ),
];

/// Rows of the paper's Table 1 in our own words, written below `folder`.
pub fn reconstructed(folder: &Path) -> Result<Vec<Pair>, String> {
    let pair = |(name, expected, old, new): &(&str, Expected, &str, &str)| {
        write_pair(folder, &format!("own/{name}"), *expected, old, new)
    };
    RECONSTRUCTED.iter().map(pair).collect()
}

/// `barthe2` in the middle of ever more loops that are the same in both versions.
pub fn family(folder: &Path) -> Result<Vec<(usize, Pair)>, String> {
    let pair = |&loops: &usize| {
        let (old, new) = (program(loops, 0), program(loops, 1));
        let pair = write_pair(folder, &format!("{loops} loops"), Expected::Equivalent, &old, &new)?;
        Ok((loops, pair))
    };
    SIZES.iter().map(pair).collect()
}

/// A sum from `first` to n, with `loops` other loops around it.
fn program(loops: usize, first: u32) -> String {
    let mut text = String::from("int f(int n) {\n    int i;\n    int x = 1;\n");
    for number in 0..=loops {
        if number == loops / 2 {
            let _ = write!(
                text,
                "    i = {first};\n    while (i <= n) {{\n        x = x + i;\n        i++;\n    }}\n"
            );
        }
        if number < loops {
            let step = match number % 3 {
                0 => format!("x = x + {}", number + 2),
                1 => "x = x * 5".to_owned(),
                _ => format!("x = x - i + {number}"),
            };
            let _ = write!(text, "    i = 0;\n    while (i < n) {{\n        {step};\n        i++;\n    }}\n");
        }
    }
    text + "    return x;\n}\n"
}

fn write_pair(folder: &Path, name: &str, expected: Expected, old: &str, new: &str) -> Result<Pair, String> {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let write = |version: &str, text: &str| {
        let path = folder.join(format!("{plain}_{version}.c"));
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<_, String>(path)
    };
    let (old, new) = (write("1", old)?, write("2", new)?);
    Ok(Pair { name: name.to_owned(), old, new, expected, note: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_family_differs_in_one_place() {
        for loops in SIZES {
            let (old, new) = (program(loops, 0), program(loops, 1));
            let changed = old.lines().zip(new.lines()).filter(|(a, b)| a != b).count();
            assert_eq!((changed, old.lines().count()), (1, new.lines().count()), "{loops}");
            assert_eq!(old.matches("while").count(), loops + 1);
        }
    }
}
