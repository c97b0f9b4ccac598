//! Answers to queries that were asked before, by any solver of the process.
//!
//! A query is the set of its conjuncts. Only definite answers are kept.

use crate::model::Model;
use crate::one_shot::one_shot;
use crate::solver::{SatResult, Settings};
use logic::Term;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{LazyLock, Mutex, MutexGuard};

/// A bounded table of answers. Share it by reference, or use [`QueryCache::global`].
pub struct QueryCache {
    table: Mutex<Table>,
    capacity: usize,
}

/// How often the cache was asked, and how often it knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheStatistics {
    pub asked: u64,
    pub known: u64,
}

#[derive(Default)]
struct Table {
    answers: HashMap<Query, bool>,
    /// Oldest first, for throwing out.
    order: VecDeque<Query>,
    statistics: CacheStatistics,
}

/// The conjuncts, sorted, each once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Query(std::sync::Arc<[Term]>);

impl Query {
    fn new(formulas: &[Term]) -> Query {
        let set: BTreeSet<Term> = formulas.iter().flat_map(|f| f.conjuncts()).collect();
        Query(set.into_iter().collect())
    }
}

impl QueryCache {
    pub fn new(capacity: usize) -> QueryCache {
        QueryCache { table: Mutex::default(), capacity }
    }

    /// The one of the process.
    pub fn global() -> &'static QueryCache {
        static GLOBAL: LazyLock<QueryCache> = LazyLock::new(|| QueryCache::new(200_000));
        &GLOBAL
    }

    /// Are these formulas known to be satisfiable (true) or unsatisfiable together?
    pub fn get(&self, formulas: &[Term]) -> Option<bool> {
        let query = Query::new(formulas);
        if query.0.iter().any(|t| t.is_false()) {
            return Some(false);
        }
        let mut table = self.lock();
        table.statistics.asked += 1;
        let answer = table.answers.get(&query).copied();
        table.statistics.known += u64::from(answer.is_some());
        answer
    }

    /// Keeps a definite answer.
    pub fn put(&self, formulas: &[Term], result: &SatResult) {
        let satisfiable = match result {
            SatResult::Sat => true,
            SatResult::Unsat => false,
            SatResult::Unknown(_) => return,
        };
        let query = Query::new(formulas);
        let mut table = self.lock();
        if table.answers.insert(query.clone(), satisfiable).is_none() {
            table.order.push_back(query);
        }
        while table.order.len() > self.capacity {
            if let Some(oldest) = table.order.pop_front() {
                table.answers.remove(&oldest);
            }
        }
    }

    /// The answer from the table, or else from a solver.
    pub fn solve(&self, formulas: &[Term], settings: &Settings) -> SatResult {
        match self.get(formulas) {
            Some(true) => SatResult::Sat,
            Some(false) => SatResult::Unsat,
            None => self.solve_with_model(formulas, settings).0,
        }
    }

    /// Always asks the solver unless the formulas are known to be unsatisfiable, since models are not kept.
    pub fn solve_with_model(&self, formulas: &[Term], settings: &Settings) -> (SatResult, Option<Model>) {
        if self.get(formulas) == Some(false) {
            return (SatResult::Unsat, None);
        }
        let (result, model) = one_shot(formulas, settings);
        self.put(formulas, &result);
        (result, model)
    }

    pub fn statistics(&self) -> CacheStatistics {
        self.lock().statistics
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Why;
    use logic::Sort;

    #[test]
    fn sets_of_conjuncts_are_remembered() {
        let [p, q, r] = ["p", "q", "r"].map(|n| Term::var(n, Sort::Bool));
        let cache = QueryCache::new(2);
        cache.put(&[p, q.not()], &SatResult::Sat);
        cache.put(&[p], &SatResult::Unknown(Why::Timeout));
        assert_eq!(cache.get(&[q.not().and(p), p]), Some(true));
        assert_eq!(cache.get(&[p]), None);
        assert_eq!(cache.get(&[p, Term::bool(false)]), Some(false));
        cache.put(&[p, q], &SatResult::Unsat);
        cache.put(&[p, q], &SatResult::Unsat);
        assert_eq!(cache.get(&[p, q.not()]), Some(true));
        cache.put(&[r], &SatResult::Sat);
        assert_eq!(cache.get(&[p, q.not()]), None);
        assert_eq!(cache.get(&[q, p]), Some(false));
        assert_eq!(cache.statistics(), CacheStatistics { asked: 5, known: 3 });
    }

    #[test]
    fn the_solver_is_asked_once() {
        let x = Term::var("x", Sort::Int);
        let cache = QueryCache::new(10);
        let settings = Settings::default();
        let formulas = [x.int_lt(Term::int(3)), x.int_gt(Term::int(5))];
        assert_eq!(cache.solve(&formulas, &settings), SatResult::Unsat);
        settings.interrupt.interrupt();
        assert_eq!(cache.solve(&formulas, &settings), SatResult::Unsat);
        assert!(matches!(cache.solve(&formulas[..1], &settings), SatResult::Unknown(_)));
        settings.interrupt.reset();
        assert!(cache.solve_with_model(&formulas[..1], &settings).1.is_some());
    }
}
