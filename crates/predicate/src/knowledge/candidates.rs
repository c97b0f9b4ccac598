//! The summaries that functions had before they changed, by their names.
//!
//! They are read with names as they are now: whether they are true is found out later (`recheck`).

use super::form::Version;
use super::load::scope;
use super::precision::program;
use super::*;
use crate::recheck::Candidate;

/// What the store has for functions that changed.
pub(super) fn load_candidates(
    version: &Version,
    store: &Store,
    label: &str,
    missing: &[Fragment],
    reach: &mut ReachabilityGraph,
) {
    let Some(program) = program(version, store, label) else { return };
    for &fragment in missing {
        let Fragment::Function(f) = fragment else { continue };
        let Some(record) = program.record(version, store, f) else { continue };
        // Where nothing needs names, making them would be most of the work.
        let scope = if record.predicates.is_empty() { None } else { scope(version, fragment) };
        let predicates = &mut reach.predicates;
        let mut read = |text: &String| {
            let term = parse_term(text, scope.as_ref()?).ok()?;
            let id = predicates.number(term)?;
            Some((id, predicates.term(id) == term))
        };
        let numbers: Vec<Option<(PredicateId, bool)>> = record.predicates.iter().map(&mut read).collect();
        let number = |n: u16| numbers.get(usize::from(n)).copied().flatten();
        for summary in &record.summaries {
            let state = |diagram: &Diagram| diagram.state(&reach.predicates, number);
            let exits: Option<Vec<Bdd>> = summary.exits.iter().map(|(_, exit)| state(exit)).collect();
            if let (Some(entry), Some(exits)) = (state(&summary.entry), exits) {
                reach.candidates.push(Candidate { fragment, entry, exits, dropped: false });
            }
        }
    }
}
