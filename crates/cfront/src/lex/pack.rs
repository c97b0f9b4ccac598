//! `#pragma pack`: the one pragma that changes what a program means.

use super::Lexer;

/// From position `pos` on, members of records are aligned to at most `align` bytes; 0: as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    pub pos: u32,
    pub align: u8,
}

/// The pragmas seen so far.
#[derive(Default)]
pub(super) struct Packs {
    pub changes: Vec<Pack>,
    stack: Vec<(String, u8)>,
}

impl Packs {
    fn current(&self) -> u8 {
        self.changes.last().map_or(0, |pack| pack.align)
    }
}

impl Lexer<'_> {
    /// The pragma `body` (what follows the word `pragma`), in front of position `pos`. gcc ignores a
    /// malformed pack with a warning, and so do we.
    pub(super) fn pragma(&mut self, body: &str, pos: u32) {
        let Some(arguments) = body.trim_start().strip_prefix("pack") else { return };
        let Some(arguments) = arguments.trim_start().strip_prefix('(') else { return };
        let Some((arguments, _)) = arguments.split_once(')') else { return };
        let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
        let number = arguments.iter().find_map(|a| a.parse::<u8>().ok());
        if number.is_some_and(|n| !matches!(n, 0 | 1 | 2 | 4 | 8 | 16)) {
            return;
        }
        let packs = &mut self.packs;
        let label = arguments.iter().skip(1).find(|a| a.parse::<u8>().is_err());
        let align = match (arguments[0], number) {
            ("push", number) => {
                let current = packs.current();
                packs.stack.push((label.map_or(String::new(), |l| l.to_string()), current));
                number.unwrap_or(current)
            }
            ("pop", _) => {
                // A labelled pop goes back to the push with that label.
                let depth = match label {
                    Some(label) => packs.stack.iter().rposition(|(l, _)| l == label),
                    None => packs.stack.len().checked_sub(1),
                };
                let Some(depth) = depth else { return };
                let restored = packs.stack[depth].1;
                packs.stack.truncate(depth);
                restored
            }
            ("", None) => 0,
            (_, Some(number)) => number,
            _ => return,
        };
        packs.changes.push(Pack { pos, align });
    }
}
