//! Abstract successors that earlier runs computed.
//!
//! Most steps of a changed program are as they were, those of changed functions included: the same formula
//! under the same predicates. An answer is kept under a hash of the whole question, so it does not matter in
//! which version, function or instance it was asked; and under another one that does not depend on names,
//! for variables and regions of memory that are called otherwise now. One entry of the store has those of a
//! program's last versions.

use crate::diagram::Diagram;
use crate::predicates::{PredicateId, Predicates};
use biodivine_lib_bdd::Bdd;
use logic::{Digests, Shapes, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use store::{Artefact, Key, Store};

const KIND: &str = "predicate successors";
/// So many are kept for a program.
const MOST: usize = 1500;
/// Of a hash, so many bytes are kept; nobody makes two questions alike on purpose.
const BYTES: usize = 16;

type Short = [u8; BYTES];
/// None: there is no successor. Otherwise a diagram over the goals, by their place in the question.
type Reply = Option<Diagram>;

pub struct SuccessorCache {
    key: Key,
    digests: Digests,
    shapes: Shapes,
    known: FxHashMap<Short, Entry>,
    by_shape: FxHashMap<Short, Short>,
    /// As they were stored, the newest first.
    before: Vec<Short>,
    /// Those of this run.
    asked: Vec<Short>,
    learned: bool,
}

#[derive(Serialize, Deserialize, Clone)]
struct Entry {
    shape: Short,
    /// The goals in the order of the shape, by their places in the question.
    order: Vec<u16>,
    reply: Reply,
}

#[derive(Serialize, Deserialize, Default)]
struct Record(Vec<(Short, Entry)>);

/// How much depends on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// Only whether there is such a step.
    Little,
    Full,
}

/// What is asked.
pub struct Question {
    hash: Short,
    facts: Vec<Term>,
    /// In an order that does not depend on this run.
    goals: Vec<(PredicateId, Term)>,
    effort: Effort,
    /// What it is but for names, once that was needed; and the goals in the order that belongs to it, by
    /// their places.
    shape: Option<(Short, Vec<u16>)>,
}

impl SuccessorCache {
    /// What the store has for this program.
    pub fn load(store: &Store, label: &str, about: &str) -> SuccessorCache {
        let key = Key::of(&[about.as_bytes(), label.as_bytes()]);
        let found = store.get(KIND, &key).and_then(|a| postcard::from_bytes(&a.payload).ok());
        let Record(list) = found.unwrap_or_default();
        SuccessorCache {
            key,
            digests: Digests::default(),
            shapes: Shapes::default(),
            before: list.iter().map(|(hash, _)| *hash).collect(),
            by_shape: list.iter().map(|(hash, entry)| (entry.shape, *hash)).collect(),
            known: list.into_iter().collect(),
            asked: Vec::new(),
            learned: false,
        }
    }

    pub fn question(&mut self, facts: &[Term], goals: &[(PredicateId, Term)], effort: Effort) -> Question {
        let mut sorted: Vec<_> = goals.iter().map(|goal| (self.digests.of(goal.1), *goal)).collect();
        sorted.sort();
        let mut all = self.digests.of_all(&format!("{effort:?}"), facts).to_vec();
        for (digest, _) in &sorted {
            all.extend(digest);
        }
        let goals = sorted.into_iter().map(|(_, goal)| goal).collect();
        Question { hash: short(&all), facts: facts.to_vec(), goals, effort, shape: None }
    }

    /// The answer, if there is one.
    pub fn answer(&mut self, question: &mut Question, predicates: &Predicates) -> Option<Option<Bdd>> {
        if let Some(entry) = self.known.get(&question.hash) {
            let answer = state(&entry.reply, &question.goals, predicates, &Some)?;
            self.asked.push(question.hash);
            return Some(answer);
        }
        let (shape, order) = shape(&mut self.shapes, question);
        let entry = self.known.get(self.by_shape.get(&shape)?)?;
        // From its places to those here, by the order that both have in common.
        let place = |n: u16| order.get(entry.order.iter().position(|other| *other == n)?).copied();
        let answer = state(&entry.reply, &question.goals, predicates, &place)?;
        // Next time it has these names.
        self.learn(question, answer.as_ref(), predicates);
        Some(answer)
    }

    pub fn learn(&mut self, question: &mut Question, answer: Option<&Bdd>, predicates: &Predicates) {
        let (shape, order) = shape(&mut self.shapes, question);
        let mut foreign = false;
        let number = |id: PredicateId| {
            let place = question.goals.iter().position(|(goal, _)| *goal == id);
            foreign |= place.is_none();
            place.unwrap_or_default() as u16
        };
        let reply = answer.map(|state| Diagram::of(state, predicates, number));
        if !foreign {
            self.known.insert(question.hash, Entry { shape, order, reply });
            self.by_shape.insert(shape, question.hash);
            self.asked.push(question.hash);
            self.learned = true;
        }
    }

    /// Those of this run, and of those before what there is room for; nothing if there is nothing new.
    pub fn artefact(&self, label: &str) -> Option<Artefact> {
        if !self.learned {
            return None;
        }
        let mut seen = FxHashSet::default();
        let all = self.asked.iter().chain(&self.before).filter(|hash| seen.insert(**hash)).take(MOST);
        let list = all.filter_map(|hash| Some((*hash, self.known.get(hash)?.clone()))).collect();
        let payload = postcard::to_stdvec(&Record(list)).ok()?;
        Some(Artefact::new(KIND, self.key, payload).label(label))
    }
}

/// A reply in terms of these goals; `place` says which of them a number is.
fn state(
    reply: &Reply,
    goals: &[(PredicateId, Term)],
    predicates: &Predicates,
    place: &dyn Fn(u16) -> Option<u16>,
) -> Option<Option<Bdd>> {
    let goal = |n: u16| Some((goals.get(usize::from(place(n)?))?.0, true));
    match reply {
        None => Some(None),
        Some(diagram) => Some(Some(diagram.state(predicates, goal)?)),
    }
}

fn shape(shapes: &mut Shapes, question: &mut Question) -> (Short, Vec<u16>) {
    if let Some(known) = &question.shape {
        return known.clone();
    }
    let goals: Vec<Term> = question.goals.iter().map(|(_, goal)| *goal).collect();
    let (digest, order) = shapes.of(&question.facts, &goals);
    let head = format!("{:?}", question.effort);
    let hash = short(&[head.as_bytes(), &digest].concat());
    let shape = (hash, order.into_iter().map(|i| i as u16).collect());
    question.shape.insert(shape).clone()
}

fn short(bytes: &[u8]) -> Short {
    let mut short = [0; BYTES];
    short.copy_from_slice(&Key::of(&[bytes]).0[..BYTES]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;
    use store::Options;

    /// A question about two variables, and the answer: the first goal holds, the second does not.
    fn asked(names: [&str; 2], predicates: &mut Predicates) -> (Vec<Term>, Vec<(PredicateId, Term)>, Bdd) {
        let [a, b] = names.map(|name| Term::var(name, Sort::Int));
        let facts = vec![a.int_le(Term::int(3)), Term::int(4).int_le(b)];
        let goals = [a.int_le(Term::int(9)), b.int_le(Term::int(2))];
        let ids = goals.map(|goal| predicates.number(goal).unwrap());
        let answer = predicates.cube(&[(ids[0], true), (ids[1], false)]);
        (facts, ids.into_iter().zip(goals).collect(), answer)
    }

    #[test]
    fn answers_do_not_depend_on_names() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Options::default()).unwrap();
        let load = || SuccessorCache::load(&store, "label", "about");
        let mut predicates = Predicates::new();
        let mut first = load();
        let (facts, goals, answer) = asked(["x", "y"], &mut predicates);
        let mut question = first.question(&facts, &goals, Effort::Full);
        assert_eq!(first.answer(&mut question, &predicates), None);
        first.learn(&mut question, Some(&answer), &predicates);
        store.put(&first.artefact("label").unwrap()).unwrap();
        // Other names, in any order; another run, with other numbers of predicates.
        for names in
            [["x", "y"], ["a", "b"], ["b", "a"], ["y", "x"], ["memory.q", "f::p"], ["f::p", "memory.q"]]
        {
            let mut predicates = Predicates::new();
            predicates.number(Term::var("other", Sort::Bool));
            let mut again = load();
            let (mut facts, mut goals, answer) = asked(names, &mut predicates);
            let mut question = again.question(&facts, &goals, Effort::Full);
            assert_eq!(again.answer(&mut question, &predicates), Some(Some(answer.clone())), "{names:?}");
            goals.reverse();
            let mut question = again.question(&facts, &goals, Effort::Full);
            assert_eq!(again.answer(&mut question, &predicates), Some(Some(answer)), "{names:?}, reversed");
            // Less effort is another question, and so is one with less, or more.
            let mut question = again.question(&facts, &goals, Effort::Little);
            assert_eq!(again.answer(&mut question, &predicates), None, "{names:?}");
            let mut question = again.question(&facts, &goals[..1], Effort::Full);
            assert_eq!(again.answer(&mut question, &predicates), None, "{names:?}");
            facts.pop();
            let mut question = again.question(&facts, &goals, Effort::Full);
            assert_eq!(again.answer(&mut question, &predicates), None, "{names:?}");
        }
    }

    #[test]
    fn contradictions_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Options::default()).unwrap();
        let mut remembered = SuccessorCache::load(&store, "label", "about");
        let mut predicates = Predicates::new();
        let (facts, goals, _) = asked(["x", "y"], &mut predicates);
        let mut question = remembered.question(&facts, &goals, Effort::Full);
        remembered.learn(&mut question, None, &predicates);
        let mut question = remembered.question(&facts, &goals, Effort::Full);
        assert_eq!(remembered.answer(&mut question, &predicates), Some(None));
        // Under another label there is nothing.
        store.put(&remembered.artefact("label").unwrap()).unwrap();
        let mut other = SuccessorCache::load(&store, "another", "about");
        let mut question = other.question(&facts, &goals, Effort::Full);
        assert_eq!(other.answer(&mut question, &predicates), None);
        assert!(other.artefact("another").is_none());
    }
}
