//! Collecting garbage: by age, by size, and by what nothing worth keeping links to.
//!
//! An artefact lives as long as one that links to it, so its age is that of its youngest user. Candidates go
//! oldest first, users before what they use; whoever links to a removed artefact goes with it. The outcome is
//! that links of kept artefacts never point to removed ones.

use crate::error::Error;
use crate::record::Record;
use crate::store::{Rows, Store, records};
use crate::{Entry, Id};
use rusqlite::Connection;
use std::collections::HashMap;
use std::time::Duration;

/// What to remove. Whatever the rules, entries that are damaged and payloads that nobody uses go, and the
/// file shrinks.
#[derive(Clone, Default, Debug)]
pub struct Gc {
    /// Entries that were not used for longer than this.
    pub older_than: Option<Duration>,
    /// The oldest ones, until the payloads as stored take no more than this.
    pub max_bytes: Option<u64>,
    /// If not empty: what no artefact of these kinds needs.
    pub roots: Vec<String>,
    /// Only say what would go.
    pub dry_run: bool,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Collected {
    /// Oldest first.
    pub removed: Vec<Entry>,
    /// Entries that could not be read.
    pub damaged: u64,
    pub kept: u64,
    /// Bytes of payloads as stored, before and after.
    pub before: u64,
    pub after: u64,
    /// Bytes of unusable files that earlier runs had set aside.
    pub aside: u64,
}

impl Store {
    pub fn gc(&self, rules: &Gc) -> Result<Collected, Error> {
        let now = self.now().max(0) as u64;
        if rules.dry_run {
            let rows = records(&self.lock().db, None, None).map_err(|e| self.fail("read", e))?;
            return Ok(plan(rows, rules, now).0);
        }
        self.flush()?;
        let mut collected = self.change(|transaction| {
            // Inside the transaction, so that nobody adds a link to what is about to go.
            let (collected, rows) = plan(records(transaction, None, None)?, rules, now);
            delete(transaction, &rows)?;
            Ok(collected)
        })?;
        collected.aside = self.place.forget_aside()?;
        shrink(&self.lock().db);
        Ok(collected)
    }
}

/// Removes rows, and payloads that have no row any more.
pub(crate) fn delete(db: &Connection, rows: &[i64]) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached("DELETE FROM artefact WHERE rowid = ?1")?;
    rows.iter().try_for_each(|row| statement.execute([row]).map(|_| ()))?;
    let sql =
        "DELETE FROM payload WHERE NOT EXISTS (SELECT 1 FROM artefact a WHERE a.payload = payload.hash)";
    db.execute(sql, []).map(|_| ())
}

/// Gives space back to the system. If that fails, the next collection does it.
pub(crate) fn shrink(db: &Connection) {
    let run = |sql: &str| -> rusqlite::Result<()> {
        let mut statement = db.prepare(sql)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    let _ = run("PRAGMA incremental_vacuum").and_then(|()| run("PRAGMA wal_checkpoint(TRUNCATE)"));
}

/// What goes, and the rows in which it is.
fn plan(rows: Rows, rules: &Gc, now: u64) -> (Collected, Vec<i64>) {
    let mut gone: Vec<i64> = Vec::new();
    let mut records: Vec<Record> = Vec::new();
    for row in rows {
        match row {
            Ok(record) => records.push(record),
            Err((number, _)) => gone.push(number),
        }
    }
    let mut collected = Collected { damaged: gone.len() as u64, ..Collected::default() };
    let graph = Graph::new(&records);
    let order = graph.order(&records);
    let mut payloads: HashMap<[u8; 32], (usize, u64)> = HashMap::new();
    for record in &records {
        let users = payloads.entry(record.payload).or_insert((0, record.entry.stored));
        users.0 += 1;
        collected.before += if users.0 == 1 { record.entry.stored } else { 0 };
    }
    collected.after = collected.before;

    let needed = match rules.roots.is_empty() {
        true => vec![true; records.len()],
        false => graph.reachable(|i| rules.roots.contains(&records[i].entry.id.kind)),
    };
    let oldest = rules.older_than.map(|age| now.saturating_sub(age.as_millis().min(u64::MAX.into()) as u64));
    let mut removed = vec![false; records.len()];
    for &(used, start) in &order {
        let unneeded = !needed[start] || oldest.is_some_and(|oldest| used < oldest);
        if !unneeded && rules.max_bytes.is_none_or(|max| collected.after <= max) {
            continue;
        }
        let mut stack = vec![start];
        while let Some(i) = stack.pop() {
            if std::mem::replace(&mut removed[i], true) {
                continue;
            }
            if let Some((users, stored)) = payloads.get_mut(&records[i].payload) {
                *users -= 1;
                collected.after -= if *users == 0 { *stored } else { 0 };
            }
            stack.extend(&graph.users[i]);
        }
    }
    for &(_, i) in order.iter().filter(|(_, i)| removed[*i]) {
        gone.push(records[i].row);
        collected.removed.push(records[i].entry.clone());
    }
    collected.kept = (records.len() - collected.removed.len()) as u64;
    (collected, gone)
}

/// Links between entries, by position.
struct Graph {
    uses: Vec<Vec<usize>>,
    users: Vec<Vec<usize>>,
}

impl Graph {
    fn new(records: &[Record]) -> Graph {
        let at: HashMap<&Id, usize> = records.iter().enumerate().map(|(i, r)| (&r.entry.id, i)).collect();
        let mut graph =
            Graph { uses: vec![Vec::new(); records.len()], users: vec![Vec::new(); records.len()] };
        for (from, record) in records.iter().enumerate() {
            for to in record.entry.links.iter().filter_map(|id| at.get(id)) {
                graph.uses[from].push(*to);
                graph.users[*to].push(from);
            }
        }
        graph
    }

    fn reachable(&self, is_root: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut stack: Vec<usize> = (0..self.uses.len()).filter(|i| is_root(*i)).collect();
        let mut reached = vec![false; self.uses.len()];
        while let Some(i) = stack.pop() {
            if !std::mem::replace(&mut reached[i], true) {
                stack.extend(&self.uses[i]);
            }
        }
        reached
    }

    /// All entries with the time at which they or one of their users were last used; oldest first, and where
    /// that is equal users first.
    fn order(&self, records: &[Record]) -> Vec<(u64, usize)> {
        let mut starts: Vec<usize> = (0..records.len()).collect();
        starts.sort_by_key(|&i| std::cmp::Reverse((records[i].entry.used, &records[i].entry.id)));
        let mut time: Vec<Option<u64>> = vec![None; records.len()];
        let mut finished = Vec::with_capacity(records.len());
        for start in starts {
            // Younger ones come first, so the first visit has the latest time.
            let used = records[start].entry.used;
            let mut stack = vec![(start, 0)];
            while let Some((i, next)) = stack.pop() {
                match (next, time[i]) {
                    (0, Some(_)) => continue,
                    (0, None) => time[i] = Some(used),
                    _ => {}
                }
                match self.uses[i].get(next) {
                    Some(&to) => stack.extend([(i, next + 1), (to, 0)]),
                    None => finished.push((time[i].unwrap_or(used), i)),
                }
            }
        }
        // Depth first, what is used is finished before its users.
        finished.reverse();
        finished.sort_by_key(|(used, _)| *used);
        finished
    }
}
