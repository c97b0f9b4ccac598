//! The precisions of a program, by name.

use super::form::Version;
use super::load::scope;
use super::*;

/// A function, the number of one of its loops (0 for the function itself), and its predicates with their
/// numbers.
type Listed = (String, u32, Vec<(u16, String)>);

/// What is kept of a program as a whole.
#[derive(Serialize, Deserialize, Default, PartialEq)]
pub(super) struct Program {
    /// By function and number of the loop (0 for the function itself). Predicates have their numbers: whoever
    /// takes them over in this order has the same diagrams, and asks the same questions.
    precisions: Vec<Listed>,
    /// Where the summaries of each function are, as it was last.
    latest: Vec<(String, [u8; 32])>,
}

impl Program {
    /// The summaries that a function had last.
    pub(super) fn record(&self, version: &Version, store: &Store, f: FuncId) -> Option<Record> {
        let name = &*version.model.system.program.function(f).name;
        let (_, key) = self.latest.iter().find(|(g, _)| g == name)?;
        postcard::from_bytes(&store.get(KIND, &Key(*key))?.payload).ok()
    }
}

pub(super) fn program(version: &Version, store: &Store, label: &str) -> Option<Program> {
    let found = store.get(PRECISION, &precision_key(version, label))?;
    postcard::from_bytes(&found.payload).ok()
}

pub(super) fn precision_key(version: &Version, label: &str) -> Key {
    let system = &version.model.system;
    let entry = &system.program.function(system.entry).name;
    Key::of(&[label.as_bytes(), entry.as_bytes(), system.mode.to_string().as_bytes()])
}

/// `latest` are the functions that have summaries now; others keep those they had.
pub(super) fn precision(
    version: &Version,
    store: &Store,
    label: &str,
    mut latest: Vec<(String, [u8; 32])>,
    reach: &ReachabilityGraph,
) -> Option<Artefact> {
    let mut list: Vec<Listed> = Vec::new();
    let mut fragments: Vec<&Fragment> = reach.precision.keys().collect();
    fragments.sort();
    for fragment in fragments {
        let name = version.model.system.program.function(fragment.function()).name.to_string();
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let terms = reach.precision[fragment].iter();
        let terms = terms.map(|p| (p.number(), with_lets(reach.predicates.term(*p))));
        list.push((name, number, terms.collect()));
    }
    let before = program(version, store, label);
    for (name, key) in before.iter().flat_map(|program| &program.latest) {
        if !latest.iter().any(|(other, _)| other == name) {
            latest.push((name.clone(), *key));
        }
    }
    latest.sort();
    let now = Program { precisions: list, latest };
    if before.as_ref() == Some(&now) {
        return None;
    }
    let payload = postcard::to_stdvec(&now).ok()?;
    Some(Artefact::new(PRECISION, precision_key(version, label), payload).label(label))
}

/// The predicates of all fragments, which now have numbers. They are in nobody's precision yet.
pub(super) fn load_precision(
    version: &Version,
    store: &Store,
    label: &str,
    reach: &mut ReachabilityGraph,
) -> Vec<(Fragment, PredicateId)> {
    let Some(Program { precisions: list, .. }) = program(version, store, label) else { return Vec::new() };
    let model = version.model;
    let mut all: Vec<(u16, Fragment, Term)> = Vec::new();
    for fragment in version.fragments() {
        let f = fragment.function();
        let name = &*model.system.program.function(f).name;
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let Some((_, _, terms)) = list.iter().find(|(g, n, _)| g == name && *n == number) else { continue };
        let Some(scope) = (!terms.is_empty()).then(|| scope(version, fragment)).flatten() else { continue };
        for (n, text) in terms {
            if let Ok(term) = parse_term(text, &scope) {
                all.push((*n, fragment, term));
            }
        }
    }
    all.sort_by_key(|(n, fragment, _)| (*n, *fragment));
    all.into_iter()
        .filter_map(|(_, fragment, term)| Some((fragment, reach.predicates.number(term)?)))
        .collect()
}
