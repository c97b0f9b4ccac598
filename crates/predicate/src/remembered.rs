//! Abstract successors that earlier runs computed.
//!
//! Most steps of a changed program are as they were, those of changed functions included: the same formula under the same predicates.
//! An answer is kept under a hash of the whole question, with names as they are, so it does not matter in which version, function or
//! activation it was asked. One entry of the store has those of a program's last versions.

use crate::diagram::Diagram;
use crate::predicates::{PredicateId, Predicates};
use biodivine_lib_bdd::Bdd;
use ir::fingerprint::SEMANTICS_VERSION;
use logic::{Digests, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use store::{Artefact, Key, Store};

const KIND: &str = "predicate successors";
const VERSION: u32 = 1;
/// So many are kept for a program.
const MOST: usize = 1500;
/// Of a hash, so many bytes are kept; nobody makes two questions alike on purpose.
const BYTES: usize = 16;

type Short = [u8; BYTES];
/// None: there is no successor. Otherwise a diagram over the goals, by their place in the question.
type Reply = Option<Diagram>;

pub struct Remembered {
    key: Key,
    digests: Digests,
    known: FxHashMap<Short, Reply>,
    /// As they were stored, the newest first.
    before: Vec<Short>,
    /// Those of this run.
    asked: Vec<Short>,
    learned: bool,
}

#[derive(Serialize, Deserialize, Default)]
struct Record(Vec<(Short, Reply)>);

/// What is asked, in an order that does not depend on this run.
pub struct Question {
    hash: Short,
    goals: Vec<PredicateId>,
}

impl Remembered {
    /// What the store has for this program.
    pub fn load(store: &Store, label: &str, about: &str) -> Remembered {
        let head = format!("{VERSION} {SEMANTICS_VERSION} {about}");
        let key = Key::of(&[head.as_bytes(), label.as_bytes()]);
        let found = store.get(KIND, &key).and_then(|a| postcard::from_bytes(&a.payload).ok());
        let Record(list) = found.unwrap_or_default();
        Remembered {
            key,
            digests: Digests::default(),
            before: list.iter().map(|(hash, _)| *hash).collect(),
            known: list.into_iter().collect(),
            asked: Vec::new(),
            learned: false,
        }
    }

    pub fn question(&mut self, facts: &[Term], goals: &[(PredicateId, Term)], matters: bool) -> Question {
        let mut sorted: Vec<([u8; 32], PredicateId)> =
            goals.iter().map(|(id, goal)| (self.digests.of(*goal), *id)).collect();
        sorted.sort();
        let mut all = self.digests.of_all(if matters { "successor" } else { "step" }, facts).to_vec();
        for (digest, _) in &sorted {
            all.extend(digest);
        }
        let mut hash = [0; BYTES];
        hash.copy_from_slice(&Key::of(&[&all]).0[..BYTES]);
        Question { hash, goals: sorted.into_iter().map(|(_, id)| id).collect() }
    }

    /// The answer, if there is one.
    pub fn answer(&mut self, question: &Question, predicates: &Predicates) -> Option<Option<Bdd>> {
        let goal = |n: u16| Some((*question.goals.get(usize::from(n))?, true));
        let answer = match self.known.get(&question.hash)? {
            None => None,
            Some(diagram) => Some(diagram.state(predicates, goal)?),
        };
        self.asked.push(question.hash);
        Some(answer)
    }

    pub fn learn(&mut self, question: Question, answer: Option<&Bdd>, predicates: &Predicates) {
        let mut foreign = false;
        let number = |id: PredicateId| {
            let place = question.goals.iter().position(|goal| *goal == id);
            foreign |= place.is_none();
            place.unwrap_or_default() as u16
        };
        let reply = answer.map(|state| Diagram::of(state, predicates, number));
        if !foreign {
            self.known.insert(question.hash, reply);
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
