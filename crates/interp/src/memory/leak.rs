//! What is left of the heap where the program ends (`ir::HeapRule`).
//!
//! A pointer is a word whose value is an address inside of an object, or right behind it, wherever the word
//! lies: memory has no types. Bytes that were never written are no pointers.

use super::{Memory, Object, ObjectKind};
use crate::access::{Access, AccessFault, AccessKind, Accessed};
use crate::address::NULL_PAGE;
use ir::HeapRule;

impl Memory {
    /// A heap object that breaks the rule. `words` are values of registers, as far as they keep what they
    /// lead to.
    pub fn left(&self, rule: HeapRule, words: Vec<u64>) -> Option<Access> {
        let mut kept = vec![false; self.objects.len()];
        if !rule.wants_freed() {
            self.mark(words, |object| is_root(object, rule), &mut kept);
        }
        let lost = |(i, object): &(usize, &Object)| self.is_heap(object) && !kept[*i];
        let lost: Vec<(usize, &Object)> = self.first_parts().filter(lost).collect();
        // What the others lead to would have been found through them.
        let mut inner = vec![false; self.objects.len()];
        for (i, object) in &lost {
            let others = self.words(object).into_iter().filter_map(|word| self.heap_at(word));
            others.filter(|other| other != i).for_each(|other| inner[other] = true);
        }
        let first = lost.iter().min_by_key(|(i, object)| (inner[*i], object.nth))?;
        let Object { kind, base, size, .. } = *first.1;
        let object = Some(Accessed { kind, base, size, offset: 0 });
        let fault = if rule.wants_freed() { AccessFault::NotFreed } else { AccessFault::Leaked };
        Some(Access { kind: AccessKind::End, address: base, bytes: size, fault, object })
    }

    /// The heap objects that there are belong to somebody outside of the program.
    pub fn give_heap_away(&mut self) {
        self.foreign = self.made.get(&ObjectKind::Heap).copied().unwrap_or(0);
    }

    fn is_heap(&self, object: &Object) -> bool {
        object.live && object.kind == ObjectKind::Heap && object.nth >= self.foreign
    }

    /// Marks the heap objects that these words and these objects lead to.
    fn mark(&self, mut work: Vec<u64>, root: impl Fn(&Object) -> bool, kept: &mut [bool]) {
        for (i, object) in self.first_parts().filter(|(_, object)| root(object)) {
            kept[i] = true;
            work.extend(self.words(object));
        }
        while let Some(word) = work.pop() {
            if let Some(index) = self.heap_at(word).filter(|index| !kept[*index]) {
                kept[index] = true;
                work.extend(self.words(&self.objects[index]));
            }
        }
    }

    /// The live objects, each once.
    fn first_parts(&self) -> impl Iterator<Item = (usize, &Object)> {
        let all = self.objects.iter().enumerate().skip(1);
        all.filter(|(i, object)| object.live && object.part_of as usize == *i)
    }

    /// The live heap object that an address leads to.
    fn heap_at(&self, address: u64) -> Option<usize> {
        let (index, object) = self.object_of(address).filter(|(_, object)| self.is_heap(object))?;
        (address.wrapping_sub(object.base) <= object.size).then_some(index)
    }

    /// Everything in an object that may be a pointer.
    fn words(&self, object: &Object) -> Vec<u64> {
        let bytes = if self.mask() == u64::MAX { 8 } else { 4 };
        let end = object.content.extent().min(object.size as usize);
        let word = |at: usize| {
            (0..bytes)
                .rev()
                .try_fold(0u64, |word, i| Some(word << 8 | u64::from(object.content.byte(at + i)?)))
        };
        (0..(end + 1).saturating_sub(bytes)).filter_map(word).filter(|word| *word >= NULL_PAGE).collect()
    }
}

/// Does an object keep what it leads to, whoever leads to itself?
fn is_root(object: &Object, rule: HeapRule) -> bool {
    object.escaped
        || match object.kind {
            ObjectKind::Global(_) | ObjectKind::Outside => true,
            ObjectKind::Local(..) | ObjectKind::Stack | ObjectKind::VarArgs => !rule.at_return(),
            ObjectKind::Heap | ObjectKind::Changed => false,
        }
}
