//! The compact binary form: inputs and conjunctions below some roots, as differences in variable-length
//! numbers (after the binary AIGER format). Reading trusts nothing: it builds by [`Aig::and`] and allocates
//! only for bytes that are there. A changed byte may still be a valid form of another graph; who must notice
//! keeps a checksum.

use super::{Aig, Lit, Node};

const FORMAT: u8 = 0xA1;

/// Bytes that are not the binary form of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("not a stored and-inverter graph")
    }
}

impl std::error::Error for Damaged {}

impl Aig {
    /// What is below `roots`, with the roots.
    pub fn to_bytes(&self, roots: &[Lit]) -> Vec<u8> {
        let cone = self.cone(roots);
        let mut inputs: Vec<(u32, u32)> = cone
            .iter()
            .filter_map(|&node| match self.node(node) {
                Node::Input(label) => Some((label, node)),
                _ => None,
            })
            .collect();
        inputs.sort_unstable();
        let mut numbers = vec![0u32; self.len()];
        let mut bytes = vec![FORMAT];
        put(&mut bytes, inputs.len() as u32);
        put(&mut bytes, (cone.len() - inputs.len()) as u32);
        put(&mut bytes, roots.len() as u32);
        let mut last = 0;
        let mut next = 1;
        for (label, node) in inputs {
            put(&mut bytes, label - last);
            last = label;
            numbers[node as usize] = next;
            next += 1;
        }
        let renumber = |numbers: &[u32], lit: Lit| {
            let number = numbers.get(lit.node() as usize).copied().unwrap_or(0);
            Lit::new(number, lit.is_complemented()).0
        };
        for node in cone {
            let Node::And(a, b) = self.node(node) else { continue };
            let (a, b) = (renumber(&numbers, a), renumber(&numbers, b));
            let (high, low) = (a.max(b), a.min(b));
            put(&mut bytes, Lit::new(next, false).0 - high);
            put(&mut bytes, high - low);
            numbers[node as usize] = next;
            next += 1;
        }
        for &root in roots {
            put(&mut bytes, renumber(&numbers, root));
        }
        bytes
    }

    /// Reads back what [`Aig::to_bytes`] wrote, from all of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Aig, Vec<Lit>), Damaged> {
        let (&FORMAT, mut rest) = bytes.split_first().ok_or(Damaged)? else { return Err(Damaged) };
        let inputs = get(&mut rest)? as usize;
        let ands = get(&mut rest)? as usize;
        let roots = get(&mut rest)? as usize;
        // An input and a root take a byte at least, a conjunction two.
        if inputs + 2 * ands + roots > rest.len() {
            return Err(Damaged);
        }
        let mut aig = Aig::new();
        let mut lits = vec![Lit::FALSE];
        lits.reserve_exact(inputs + ands);
        let mut label = 0u32;
        for i in 0..inputs {
            let step = get(&mut rest)?;
            if i > 0 && step == 0 {
                return Err(Damaged);
            }
            label = label.checked_add(step).ok_or(Damaged)?;
            lits.push(aig.input(label));
        }
        for _ in 0..ands {
            let this = Lit::new(lits.len() as u32, false).0;
            let high = this.checked_sub(get(&mut rest)?).ok_or(Damaged)?;
            let low = high.checked_sub(get(&mut rest)?).ok_or(Damaged)?;
            let (high, low) = (number(&lits, high)?, number(&lits, low)?);
            lits.push(aig.and(high, low));
        }
        let mut result = Vec::with_capacity(roots);
        for _ in 0..roots {
            result.push(number(&lits, get(&mut rest)?)?);
        }
        if rest.is_empty() { Ok((aig, result)) } else { Err(Damaged) }
    }
}

fn number(lits: &[Lit], code: u32) -> Result<Lit, Damaged> {
    let lit = Lit(code);
    Ok(lits.get(lit.node() as usize).ok_or(Damaged)?.flip_if(lit.is_complemented()))
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn get(rest: &mut &[u8]) -> Result<u32, Damaged> {
    let mut number = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, tail) = rest.split_first().ok_or(Damaged)?;
        *rest = tail;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).map_err(|_| Damaged);
        }
    }
    Err(Damaged)
}
