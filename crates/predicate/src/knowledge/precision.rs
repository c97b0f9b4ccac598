//! The precisions of a program, by name.

use super::form::Version;
use super::*;

/// By function and number of the loop (0 for the function itself). Predicates have their numbers: whoever takes them over in this order
/// has the same diagrams, and asks the same questions.
#[derive(Serialize, Deserialize, Default, PartialEq)]
pub(super) struct Precisions(Vec<(String, u32, Vec<(u16, String)>)>);

pub(super) fn precision_key(version: &Version, label: &str) -> Key {
    let whole = &version.model.whole;
    let entry = &whole.program.function(whole.entry).name;
    Key::of(&[&VERSION.to_le_bytes(), label.as_bytes(), entry.as_bytes(), whole.mode.to_string().as_bytes()])
}

pub(super) fn precision(version: &Version, store: &Store, label: &str, reach: &Reach) -> Option<Artefact> {
    let mut list: Vec<(String, u32, Vec<(u16, String)>)> = Vec::new();
    let mut fragments: Vec<&Fragment> = reach.precision.keys().collect();
    fragments.sort();
    for fragment in fragments {
        let name = version.model.whole.program.function(fragment.function()).name.to_string();
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let terms = reach.precision[fragment].iter();
        let terms = terms.map(|p| (p.number(), with_lets(reach.predicates.term(*p))));
        list.push((name, number, terms.collect()));
    }
    let payload = postcard::to_stdvec(&Precisions(list)).ok()?;
    let key = precision_key(version, label);
    let same = store.get(PRECISION, &key).is_some_and(|old| old.payload == payload);
    (!same).then(|| Artefact::new(PRECISION, key, payload).label(label))
}

/// The predicates of all fragments, which now have numbers. They are in nobody's precision yet.
pub(super) fn load_precision(
    version: &Version,
    store: &Store,
    label: &str,
    reach: &mut Reach,
) -> Vec<(Fragment, PredicateId)> {
    let found = store.get(PRECISION, &precision_key(version, label));
    let found = found.and_then(|found| postcard::from_bytes(&found.payload).ok());
    let Some(Precisions(list)) = found else { return Vec::new() };
    let model = version.model;
    let mut all: Vec<(u16, Fragment, Term)> = Vec::new();
    for fragment in version.fragments() {
        let f = fragment.function();
        let name = &*model.whole.program.function(f).name;
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let Some((_, _, terms)) = list.iter().find(|(g, n, _)| g == name && *n == number) else { continue };
        let Ok(view) = model.view(f) else { continue };
        let mut scope = Scope::new();
        let now = view.now.locals.iter().flatten().copied().chain(crate::model::shared(&view.now));
        let old = view.to_old.values().copied();
        for x in now.chain(old).chain(view.result) {
            if let Some(name) = x.var_name() {
                scope.define(name, &[], x);
            }
        }
        let form = version.form(fragment);
        for address in &form.addresses {
            let sort = model.whole.mode.pointer(&model.whole.program.target);
            scope.define(address, &[], Term::var(address, sort));
        }
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
