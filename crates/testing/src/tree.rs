//! Random programs as trees: what all of them share, whatever their statements can do.
//!
//! A statement keeps its id in all versions of a program, so that one that does not matter can be taken out of
//! all of them.

#[derive(Clone, Debug)]
pub struct Stmt<K> {
    pub id: u32,
    pub kind: K,
}

/// What a statement is; some have blocks of others.
pub trait Kind: Clone {
    fn blocks(&self) -> Vec<&[Stmt<Self>]>;
    fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt<Self>>>;
}

/// Every statement, in the order in which they are printed.
pub fn walk<K: Kind>(block: &[Stmt<K>], see: &mut impl FnMut(&Stmt<K>)) {
    for stmt in block {
        see(stmt);
        stmt.kind.blocks().into_iter().for_each(|inner| walk(inner, see));
    }
}

pub fn walk_mut<K: Kind>(block: &mut [Stmt<K>], see: &mut impl FnMut(&mut Stmt<K>)) {
    for stmt in block {
        see(stmt);
        stmt.kind.blocks_mut().into_iter().for_each(|inner| walk_mut(inner, see));
    }
}

/// Takes a statement out, wherever it is.
pub fn remove<K: Kind>(block: &mut Vec<Stmt<K>>, id: u32) {
    block.retain(|stmt| stmt.id != id);
    for stmt in block {
        stmt.kind.blocks_mut().into_iter().for_each(|inner| remove(inner, id));
    }
}

/// Puts a statement somewhere into a block, or into one of the blocks in it.
pub fn insert<K: Kind>(block: &mut Vec<Stmt<K>>, stmt: Stmt<K>, random: &mut crate::Random) {
    let at = random.below(block.len() + 1);
    if block.get(at).is_some_and(|inner| !inner.kind.blocks().is_empty()) && random.rarely(2) {
        let inner = block[at].kind.blocks_mut().into_iter().next();
        return inner.into_iter().for_each(|inner| insert(inner, stmt.clone(), random));
    }
    block.insert(at, stmt);
}
