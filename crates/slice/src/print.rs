//! What a slice is, before it is made.
//!
//! Whether a slice is the one that was proved safe in an earlier run is asked for each part of a program, after
//! every change; slices that are, need not be made. What is left of a function is decided by its text, by what
//! is relevant in it, by where a check is ahead, and by which branches and calls do not go on. If all this is
//! the same, the slices are the same up to the names of locals and the numbers of nodes. The converse does not
//! hold: where a function changed in what is not relevant, the slices have to be compared.

use crate::ahead::Ahead;
use crate::depend::Relevance;
use crate::rewrite::called;
use crate::{Checks, Slicer};
use ir::fingerprint::{Fingerprint, Text, Texts};
use ir::{Callee, Cfa, FuncId, Op};

impl Slicer {
    /// What the slice for these checks is, if that can be told without making it.
    pub fn print_of(&self, checks: &Checks) -> Option<Fingerprint> {
        let (ahead, relevance) = self.relevance(checks, usize::MAX)?;
        self.print(&ahead, &relevance)
    }

    /// None where it depends on more: what a call through a pointer may run.
    pub(crate) fn print(&self, ahead: &Ahead, relevance: &Relevance) -> Option<Fingerprint> {
        let (program, reach) = (&self.program, &self.reach);
        let texts = self.texts.get_or_init(|| Texts::of(program, reach.entry));
        let called = called(program.functions.len(), reach, relevance);
        let kept = reach.functions().filter(|f| called[f.0 as usize]);
        let mut kept: Vec<(&str, FuncId)> = kept.map(|f| (&*program.function(f).name, f)).collect();
        kept.sort();
        let mut bytes = b"slice".to_vec();
        bytes.extend(program.function(reach.entry).name.as_bytes());
        for (name, f) in kept {
            let (text, cfa) = (texts.function(f)?, program.function(f).cfa()?);
            bytes.extend((name.len() as u32).to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend(text.print.0);
            self.marks(&mut bytes, (f, cfa, text), ahead, relevance)?;
        }
        Some(Fingerprint::of(&bytes))
    }

    /// What is special about places in a function.
    fn marks(
        &self,
        bytes: &mut Vec<u8>,
        (f, cfa, text): (FuncId, &Cfa, &Text),
        ahead: &Ahead,
        relevance: &Relevance,
    ) -> Option<()> {
        for (i, &id) in (0u32..).zip(&text.edges) {
            let edge = cfa.edge(id);
            let relevant = relevance.edge(f, id);
            if let (true, Op::Call { callee: Callee::Indirect(_), .. }) = (relevant, &edge.op) {
                return None;
            }
            let marks = [
                relevant,
                relevant && relevance.result_of(f, id),
                !self.reach.passes(f, id),
                ahead.is_avoided(cfa, f, id),
            ];
            if marks.contains(&true) {
                let marks = marks.iter().fold(0, |bits, mark| bits << 1 | u8::from(*mark));
                bytes.extend(i.to_le_bytes());
                bytes.push(marks);
            }
        }
        bytes.extend(u32::MAX.to_le_bytes());
        bytes.extend(
            text.nodes.chunks(8).map(|nodes| {
                nodes.iter().fold(0u8, |bits, node| bits << 1 | u8::from(ahead.of_node(f, *node)))
            }),
        );
        let params = self.program.function(f).params as usize;
        bytes.extend((0..=params).map(|i| u8::from(relevance.argument(&self.program, f, i))));
        Some(())
    }
}
