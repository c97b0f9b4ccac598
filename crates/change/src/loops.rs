//! Which loop of a function continues which loop of its old version, and what became of it.
//!
//! Loops are matched along the nesting, from the outside in. Among the loops inside matched loops, those with
//! the same text are matched first (the same position preferred), then the rest by order if they are equally
//! many, else by similarity. What is left in the whole function (a loop that was wrapped into another one,
//! say) is matched by text, then by similarity. As for functions, a bad match costs reuse and not truth.

use crate::compare::{change, state};
use crate::differ::{Part, first_difference};
use crate::matching::Version;
use crate::result::{Kind, LoopChange, LoopRef, Place, Side, State, Why};
use crate::same::{Same, Verdict};
use crate::similar;
use crate::states::States;
use ir::fingerprint::{FunctionForm, Symbol};
use ir::loops::{LoopForest, LoopId};
use ir::{FuncId, NodeId, Program};

/// The changes of all loops, in the order of `functions` (old and new version of each function, if there is
/// one).
pub fn changes(
    states: &mut States,
    functions: &[(Option<FuncId>, Option<FuncId>)],
    similarity: u32,
) -> Vec<LoopChange> {
    functions.iter().flat_map(|(old, new)| of_function(states, *old, *new, similarity)).collect()
}

fn of_function(
    states: &mut States,
    old_id: Option<FuncId>,
    new_id: Option<FuncId>,
    similarity: u32,
) -> Vec<LoopChange> {
    let (old, new) = (states.same.old, states.same.new);
    let mut found: Vec<(Option<LoopId>, LoopChange)> = Vec::new();
    let pairs = match (old_id, new_id) {
        (Some(a), Some(b)) => match_loops(&mut states.same, a, b, similarity),
        _ => Vec::new(),
    };
    for id in new_id.map_or(Vec::new(), |f| ids(new, f)) {
        let partner = pairs.iter().find(|(_, b)| *b == id).map(|(a, _)| *a);
        let before = partner.zip(old_id).map(|(l, f)| side(old, f, l));
        let after = new_id.map(|f| side(new, f, id));
        let difference = match (partner, old_id, new_id) {
            (Some(l), Some(a), Some(b)) => compare(states, (a, l), (b, id)),
            _ => Default::default(),
        };
        let both = |renamed| state(&difference.0, &difference.1, renamed);
        found.push((Some(id), change(Kind::Loop, before, after, both)));
    }
    for id in old_id.map_or(Vec::new(), |f| ids(old, f)) {
        if !pairs.iter().any(|(a, _)| *a == id) {
            let before = old_id.map(|f| side(old, f, id));
            found.push((None, change(Kind::Loop, before, None, |_| (State::Removed, Vec::new()))));
        }
    }
    found.sort_by_key(|(id, _)| (id.is_none(), *id));
    found.into_iter().map(|(_, change)| change).collect()
}

fn form<'a>(version: &'a Version, id: FuncId) -> &'a FunctionForm {
    version.forms.function(id)
}

fn ids(version: &Version, id: FuncId) -> Vec<LoopId> {
    form(version, id).forest.iter().flat_map(|forest| forest.ids()).collect()
}

/// Why a loop is changed, and why it is affected.
fn compare(states: &mut States, old: (FuncId, LoopId), new: (FuncId, LoopId)) -> (Vec<Why>, Vec<Why>) {
    let (a, b) = (states.same.old, states.same.new);
    if a.program.target != b.program.target {
        let names = (a.program.target.name.into(), b.program.target.name.into());
        return (vec![Why::Machine { old: names.0, new: names.1 }], Vec::new());
    }
    let (old_form, new_form) = (form(a, old.0).loop_(old.1), form(b, new.0).loop_(new.1));
    match states.same.fragments(old_form, new_form) {
        Verdict::Same => (Vec::new(), states.reasons(old_form, new_form)),
        Verdict::Literals => (Vec::new(), vec![Why::Literal]),
        Verdict::Different => {
            let part = |version, (function, id): (FuncId, LoopId)| Part {
                version,
                function,
                loop_: form(version, function).forest.as_ref().map(|f| (f.get(id).header, f.body(id))),
            };
            (vec![first_difference(&states.same, &part(a, old), &part(b, new))], Vec::new())
        }
    }
}

fn match_loops(same: &mut Same, old: FuncId, new: FuncId, similarity: u32) -> Vec<(LoopId, LoopId)> {
    let (Some(a), Some(b)) = (&form(same.old, old).forest, &form(same.new, new).forest) else {
        return Vec::new();
    };
    let mut matcher = Matcher { same, old, new, similarity, pairs: Vec::new() };
    let roots = |forest: &LoopForest| forest.ids().filter(|l| forest.get(*l).parent.is_none()).collect();
    let mut levels: Vec<(Vec<LoopId>, Vec<LoopId>)> = vec![(roots(a), roots(b))];
    while let Some((x, y)) = levels.pop() {
        let first = matcher.pairs.len();
        matcher.siblings(x, y);
        for (x, y) in &matcher.pairs[first..] {
            levels.push((a.get(*x).children.clone(), b.get(*y).children.clone()));
        }
    }
    let left = a.ids().filter(|l| !matcher.pairs.iter().any(|(x, _)| x == l)).collect();
    let right = b.ids().filter(|l| !matcher.pairs.iter().any(|(_, y)| y == l)).collect();
    let (left, right) = matcher.by_text(left, right);
    matcher.by_similarity(&left, &right);
    matcher.pairs
}

struct Matcher<'a, 'v> {
    same: &'a mut Same<'v>,
    old: FuncId,
    new: FuncId,
    similarity: u32,
    pairs: Vec<(LoopId, LoopId)>,
}

impl Matcher<'_, '_> {
    fn siblings(&mut self, old: Vec<LoopId>, new: Vec<LoopId>) {
        let (old, new) = self.by_text(old, new);
        if old.len() == new.len() {
            self.pairs.extend(old.into_iter().zip(new));
        } else {
            self.by_similarity(&old, &new);
        }
    }

    /// Matches loops of the same text; returns the others.
    fn by_text(&mut self, old: Vec<LoopId>, new: Vec<LoopId>) -> (Vec<LoopId>, Vec<LoopId>) {
        if old.is_empty() || new.is_empty() {
            return (old, new);
        }
        let (a, b) = (form(self.same.old, self.old), form(self.same.new, self.new));
        let mut free: Vec<Option<LoopId>> = new.into_iter().map(Some).collect();
        let mut left = Vec::new();
        for (i, x) in old.into_iter().enumerate() {
            let alike = |y: &Option<LoopId>| {
                y.is_some_and(|y| a.loop_(x).canonical.shape == b.loop_(y).canonical.shape)
            };
            let in_place = if free.get(i).is_some_and(alike) { Some(i) } else { None };
            let others = free.iter().enumerate().filter(|(_, y)| alike(y)).map(|(j, _)| j);
            let candidates: Vec<usize> = in_place.into_iter().chain(others).collect();
            let same = candidates.into_iter().find(|j| {
                free[*j].is_some_and(|y| self.same.fragments(a.loop_(x), b.loop_(y)) != Verdict::Different)
            });
            match same.and_then(|j| free[j].take()) {
                Some(y) => self.pairs.push((x, y)),
                None => left.push(x),
            }
        }
        (left, free.into_iter().flatten().collect())
    }

    fn by_similarity(&mut self, old: &[LoopId], new: &[LoopId]) {
        let matching = self.same.matching;
        let old_token = |symbol| match symbol {
            Symbol::Function(f) => matching.new_function(f).map(|f| f.0),
            Symbol::Global(g) => matching.new_global(g).map(|g| g.0),
        };
        let new_token = |symbol| match symbol {
            Symbol::Function(f) => matching.old_function(f).map(|_| f.0),
            Symbol::Global(g) => matching.old_global(g).map(|_| g.0),
        };
        let (a, b) = (self.same.old, self.same.new);
        let bag_a =
            |l: &LoopId| similar::fragment(a, self.old, &form(a, self.old).loop_(*l).canonical, old_token);
        let bag_b =
            |l: &LoopId| similar::fragment(b, self.new, &form(b, self.new).loop_(*l).canonical, new_token);
        let bags = (old.iter().map(bag_a).collect::<Vec<_>>(), new.iter().map(bag_b).collect::<Vec<_>>());
        for (x, y) in similar::pairs(&bags.0, &bags.1, self.similarity) {
            self.pairs.push((old[x], new[y]));
        }
    }
}

fn side(version: &Version, function: FuncId, id: LoopId) -> Side<LoopRef> {
    let name = &version.program.function(function).name;
    let forest = form(version, function).forest.as_ref();
    let path = forest.map_or(String::new(), |forest| path(forest, id));
    let place = forest.and_then(|forest| place(version.program, function, forest.body(id)));
    Side { name: format!("{name} loop {path}"), place, id: LoopRef { function, id } }
}

/// `2.1`: the first loop in the second loop.
fn path(forest: &LoopForest, id: LoopId) -> String {
    let mut numbers = Vec::new();
    let mut at = Some(id);
    while let Some(id) = at {
        let before = |l: &LoopId| *l < id;
        let parent = forest.get(id).parent;
        let number = match parent {
            Some(parent) => forest.get(parent).children.iter().filter(|l| before(l)).count(),
            None => forest.ids().filter(|l| before(l) && forest.get(*l).parent.is_none()).count(),
        };
        numbers.push((number + 1).to_string());
        at = parent;
    }
    numbers.reverse();
    numbers.join(".")
}

/// The place of the header, or else of the first operation in the loop that has one.
fn place(program: &Program, function: FuncId, body: &[NodeId]) -> Option<Place> {
    let cfa = program.function(function).cfa()?;
    body.iter().flat_map(|node| cfa.out(*node)).find_map(|edge| Place::of(program, edge.pos))
}
