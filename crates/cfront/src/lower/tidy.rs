//! Removes what lowering wrote down and nobody reads: the arbitrary value of a variable that is always assigned before
//! it is read, and temporaries without a reader. Declarations then cost nothing, and moving one changes nothing.

use ir::{Edge, ExprKind, HavocKind, Local, LocalId, LocalOrigin, Op, Var};
use rustc_hash::FxHashMap;

/// Turns dead operations into `Skip`.
pub fn remove_dead(edges: &mut [Edge], nodes: u32, locals: &[Local]) {
    remove_unread_temps(edges, locals);
    remove_dead_havocs(edges, nodes);
}

fn for_reads(op: &Op, read: &mut impl FnMut(LocalId)) {
    for e in op.exprs() {
        e.walk(&mut |e| {
            if let ExprKind::Local(id) = e.kind {
                read(id);
            }
        });
    }
}

fn remove_unread_temps(edges: &mut [Edge], locals: &[Local]) {
    let mut reads = vec![false; locals.len()];
    for e in edges.iter() {
        for_reads(&e.op, &mut |id| reads[id.0 as usize] = true);
    }
    for e in edges {
        let removable = match &e.op {
            Op::Assign { var: Var::Local(id), value } => {
                !reads[id.0 as usize] && is_temp(locals, *id) && !value.may_fault()
            }
            Op::Havoc { var: Var::Local(id), kind: HavocKind::Uninit } => !reads[id.0 as usize],
            _ => false,
        };
        if removable {
            e.op = Op::Skip;
        }
        if let Op::Call { dst: dst @ Some(Var::Local(_)), .. } = &mut e.op
            && let Some(Var::Local(id)) = *dst
            && !reads[id.0 as usize]
            && is_temp(locals, id)
        {
            *dst = None;
        }
    }
}

fn is_temp(locals: &[Local], id: LocalId) -> bool {
    locals[id.0 as usize].origin == LocalOrigin::Temp
}

/// Liveness, but only of the variables that are ever given an arbitrary value.
fn remove_dead_havocs(edges: &mut [Edge], nodes: u32) {
    let mut index: FxHashMap<LocalId, usize> = FxHashMap::default();
    for e in edges.iter() {
        if let Op::Havoc { var: Var::Local(id), kind: HavocKind::Uninit } = e.op {
            let next = index.len();
            index.entry(id).or_insert(next);
        }
    }
    if index.is_empty() {
        return;
    }
    let words = index.len().div_ceil(64);
    let mut live = vec![0u64; words * nodes as usize];
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); nodes as usize];
    let mut gen_kill: Vec<(Vec<usize>, Option<usize>)> = Vec::with_capacity(edges.len());
    for (i, e) in edges.iter().enumerate() {
        into[e.to.0 as usize].push(i as u32);
        let mut reads = Vec::new();
        for_reads(&e.op, &mut |id| reads.extend(index.get(&id)));
        let kill = match e.op.written() {
            Some(Var::Local(id)) => index.get(&id).copied(),
            _ => None,
        };
        gen_kill.push((reads, kill));
    }
    let mut work: Vec<u32> = (0..edges.len() as u32).collect();
    let mut row = vec![0u64; words];
    while let Some(i) = work.pop() {
        let e = &edges[i as usize];
        let (reads, kill) = &gen_kill[i as usize];
        row.copy_from_slice(&live[e.to.0 as usize * words..][..words]);
        if let Some(k) = kill {
            row[k / 64] &= !(1 << (k % 64));
        }
        for r in reads {
            row[r / 64] |= 1 << (r % 64);
        }
        let before = &mut live[e.from.0 as usize * words..][..words];
        let mut changed = false;
        for (old, new) in before.iter_mut().zip(&row) {
            changed |= *new & !*old != 0;
            *old |= *new;
        }
        if changed {
            work.extend(&into[e.from.0 as usize]);
        }
    }
    for e in edges {
        if let Op::Havoc { var: Var::Local(id), kind: HavocKind::Uninit } = e.op {
            let k = index[&id];
            if live[e.to.0 as usize * words + k / 64] >> (k % 64) & 1 == 0 {
                e.op = Op::Skip;
            }
        }
    }
}
