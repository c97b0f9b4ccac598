//! Removes what lowering wrote down and nobody reads: the arbitrary value of a variable that is always
//! assigned before it is read, and temporaries without a reader. Declarations then cost nothing, and moving
//! one changes nothing.
//!
//! What is left of several declarations in a row is put in the order in which the variables are used.

use ir::{Edge, ExprKind, HavocKind, Local, LocalId, LocalOrigin, NodeId, Op, Var};
use rustc_hash::FxHashMap;

/// Turns dead operations into `Skip`.
pub fn remove_dead(edges: &mut [Edge], nodes: u32, locals: &[Local]) {
    remove_unread_temps(edges, locals);
    remove_dead_havocs(edges, nodes);
}

/// Orders the variables of each run of declarations by their next use. `edges` are sorted by node, and nodes
/// are numbered depth first, so the order of declaration has no part in the result.
pub fn order_declarations(edges: &mut [Edge], nodes: u32) {
    let declared = |e: &Edge| match e.op {
        Op::Havoc { var: Var::Local(id), kind: HavocKind::Uninit } => Some(id),
        _ => None,
    };
    let mut entered = vec![0u32; nodes as usize];
    let mut declared_before = vec![false; nodes as usize];
    let mut only_out: Vec<Option<u32>> = vec![None; nodes as usize];
    let mut uses: FxHashMap<LocalId, Vec<u32>> = FxHashMap::default();
    for (i, e) in edges.iter().enumerate() {
        entered[e.to.0 as usize] += 1;
        if let Some(id) = declared(e) {
            only_out[e.from.0 as usize] = Some(i as u32);
            declared_before[e.to.0 as usize] = true;
            uses.entry(id).or_default();
        }
    }
    if uses.len() < 2 {
        return;
    }
    // Uses are counted, so that those in one operation have an order too.
    let mut count = 0;
    let mut counted_until = Vec::with_capacity(edges.len());
    for e in edges.iter() {
        let mut used = |id: LocalId| {
            if let Some(list) = uses.get_mut(&id) {
                list.push(count);
            }
            count += 1;
        };
        for_reads(&e.op, &mut used);
        if let (Some(Var::Local(id)), None) = (e.op.written(), declared(e)) {
            used(id);
        }
        counted_until.push(count);
    }
    let next_declaration = |node: NodeId| {
        let single = entered[node.0 as usize] == 1;
        only_out[node.0 as usize].filter(|_| single)
    };
    let starts: Vec<u32> = (0..edges.len() as u32)
        .filter(|&i| declared(&edges[i as usize]).is_some())
        .filter(|&i| {
            // The first of its run: nothing but another declaration leads here alone.
            let from = edges[i as usize].from.0 as usize;
            entered[from] != 1 || !declared_before[from]
        })
        .collect();
    for start in starts {
        let mut run = vec![start];
        while let Some(next) = next_declaration(edges[run[run.len() - 1] as usize].to) {
            run.push(next);
        }
        if run.len() < 2 {
            continue;
        }
        let end = counted_until[run[run.len() - 1] as usize];
        let mut ops: Vec<(u64, Op, ir::Pos)> = Vec::with_capacity(run.len());
        for &i in &run {
            let e = &edges[i as usize];
            let list = declared(e).and_then(|id| uses.get(&id)).map_or(&[][..], |list| list);
            // The next use after the run; or else, by way of a loop, the first before it.
            let later = list.partition_point(|&at| at < end);
            let key = match (list.get(later), list.first()) {
                (Some(&at), _) => u64::from(at),
                (None, Some(&at)) => u64::from(at) + u64::from(u32::MAX),
                (None, None) => u64::MAX,
            };
            ops.push((key, e.op.clone(), e.pos));
        }
        ops.sort_by_key(|(key, ..)| *key);
        for (&i, (_, op, pos)) in run.iter().zip(ops) {
            (edges[i as usize].op, edges[i as usize].pos) = (op, pos);
        }
    }
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
