//! The comparison as a whole: matching, states, and the tables that come out.

use crate::loops;
use crate::matching::{Matching, Version};
use crate::result::{
    Change, FunctionChange, GlobalChange, GlobalDifference, Kind, LoopChange, LoopRef, Place, Side, State,
    Why,
};
use crate::states::States;
use ir::{FuncId, Global, GlobalId, Program};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// How to compare.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function in which the program starts; initial values matter to it.
    pub entry: String,
    /// How much (in percent) a removed and an added function must have in common to count as one that was
    /// renamed and changed.
    pub similarity: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { entry: "main".into(), similarity: 60 }
    }
}

/// Two versions compared.
#[derive(Serialize)]
pub struct Comparison {
    /// Sorted by name.
    pub functions: Vec<FunctionChange>,
    /// In the order of their functions; removed loops come last in each.
    pub loops: Vec<LoopChange>,
    /// Sorted by name; string literals are not listed.
    pub globals: Vec<GlobalChange>,
    #[serde(skip)]
    pub matching: Matching,
    /// Position in `functions` by function of the new version.
    #[serde(skip)]
    by_new: Vec<usize>,
    #[serde(skip)]
    by_new_loop: FxHashMap<LoopRef, usize>,
    /// Callers by function of the new version, through pointers included.
    #[serde(skip)]
    callers: Vec<Vec<FuncId>>,
}

/// A line of the table for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    pub kind: Kind,
    pub fragment: String,
    pub state: String,
    pub why: String,
    pub old_pos: Option<Place>,
    pub new_pos: Option<Place>,
}

pub fn compare(old: &Program, new: &Program, options: &Options) -> Comparison {
    let (old, new) = (&Version::new(old), &Version::new(new));
    let matching = Matching::new(old, new, options.similarity);
    let mut states = States::new(old, new, &matching, &options.entry);
    let mut functions = functions(old, new, &states);
    let mut globals = globals(old, new, &states);
    functions.sort_by(|a, b| (&a.name, a.new.is_none()).cmp(&(&b.name, b.new.is_none())));
    globals.sort_by(|a, b| (&a.name, a.new.is_none()).cmp(&(&b.name, b.new.is_none())));
    let mut by_new = vec![0; new.program.functions.len()];
    for (i, change) in functions.iter().enumerate() {
        if let Some(side) = &change.new {
            by_new[side.id.0 as usize] = i;
        }
    }
    let sides = |c: &FunctionChange| (c.old.as_ref().map(|s| s.id), c.new.as_ref().map(|s| s.id));
    let order: Vec<_> = functions.iter().map(sides).collect();
    let loops = loops::changes(&mut states, &order, options.similarity);
    let ids = loops.iter().zip(0..).filter_map(|(c, i)| Some((c.new.as_ref()?.id, i)));
    let by_new_loop = ids.collect();
    let callers = callers(new);
    Comparison { functions, loops, globals, matching, by_new, by_new_loop, callers }
}

impl Comparison {
    /// What became of this function of the new version.
    pub fn function(&self, new: FuncId) -> &FunctionChange {
        &self.functions[self.by_new[new.0 as usize]]
    }

    /// What became of this loop of the new version.
    pub fn loop_(&self, new: LoopRef) -> Option<&LoopChange> {
        self.by_new_loop.get(&new).map(|i| &self.loops[*i])
    }

    /// Nothing differs, names of functions and globals included.
    pub fn is_identical(&self) -> bool {
        self.functions.iter().all(|c| c.state == State::Unchanged)
            && self.globals.iter().all(|c| c.state == State::Unchanged)
    }

    /// The functions of the new version that the behaviour of this one can influence: all that call it,
    /// directly or not. Ascending, without the function itself unless it is recursive.
    pub fn can_affect(&self, new: FuncId) -> Vec<FuncId> {
        let callers = |f: FuncId| self.callers[f.0 as usize].iter().copied();
        let found = ir::graph::reachable(self.callers.len(), callers(new), callers);
        (0..).map(FuncId).zip(found).filter(|(_, found)| *found).map(|(f, _)| f).collect()
    }

    /// All changes as lines: functions, each followed by its loops, then globals.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut loops = self.loops.iter().peekable();
        for change in &self.functions {
            rows.push(row(change));
            let owner = |c: &LoopChange| match (&c.new, &c.old) {
                (Some(side), _) => change.new.as_ref().is_some_and(|f| f.id == side.id.function),
                (None, Some(side)) => change.old.as_ref().is_some_and(|f| f.id == side.id.function),
                (None, None) => false,
            };
            while let Some(change) = loops.next_if(|c| owner(c)) {
                rows.push(row(change));
            }
        }
        rows.extend(self.globals.iter().map(row));
        rows
    }
}

impl<Id> Change<Id> {
    /// The first reason, and how many others there are.
    pub fn sentence(&self) -> String {
        match &self.why[..] {
            [] => String::new(),
            [why] => why.to_string(),
            [why, others @ ..] => format!("{why} (and {} more)", others.len()),
        }
    }

    /// The name in the old version, if it is another one.
    pub fn renamed_from(&self) -> Option<&str> {
        let old = self.old.as_ref()?;
        self.new.as_ref().filter(|new| new.name != old.name).map(|_| old.name.as_str())
    }
}

fn row<Id>(change: &Change<Id>) -> Row {
    Row {
        kind: change.kind,
        fragment: change.name.clone(),
        state: change.state.to_string(),
        why: change.sentence(),
        old_pos: change.old.as_ref().and_then(|s| s.place.clone()),
        new_pos: change.new.as_ref().and_then(|s| s.place.clone()),
    }
}

/// The state and reasons of something that exists in both versions.
pub(crate) fn state(changed: &[Why], affected: &[Why], renamed: Option<String>) -> (State, Vec<Why>) {
    let name = renamed.clone().map(|from| Why::Renamed { from });
    match (changed, affected, renamed) {
        ([_, ..], _, _) => (State::Changed, changed.iter().cloned().chain(name).collect()),
        (_, [_, ..], _) => (State::Affected, affected.iter().cloned().chain(name).collect()),
        (_, _, Some(from)) => (State::Renamed { from }, name.into_iter().collect()),
        _ => (State::Unchanged, Vec::new()),
    }
}

/// Puts together what is known of both sides; one of them is there.
pub(crate) fn change<Id>(
    kind: Kind,
    old: Option<Side<Id>>,
    new: Option<Side<Id>>,
    both: impl FnOnce(Option<String>) -> (State, Vec<Why>),
) -> Change<Id> {
    let name = new.as_ref().or(old.as_ref()).map_or(String::new(), |side| side.name.clone());
    let (state, why) = match (&old, &new) {
        (Some(a), Some(b)) => both((a.name != b.name).then(|| a.name.clone())),
        (None, _) => (State::Added, vec![Why::Added]),
        (_, None) => (State::Removed, vec![Why::Removed]),
    };
    Change { kind, name, state, why, old, new }
}

fn functions(old: &Version, new: &Version, states: &States) -> Vec<FunctionChange> {
    let side = |version: &Version, id: FuncId| {
        let function = version.program.function(id);
        Side { name: function.name.to_string(), place: Place::of(version.program, function.pos), id }
    };
    let matching = states.same.matching;
    let present = new.program.function_ids().map(|id| {
        let before = matching.old_function(id).map(|id| side(old, id));
        let index = id.0 as usize;
        change(Kind::Function, before, Some(side(new, id)), |renamed| {
            state(&states.changed[index], &states.affected[index], renamed)
        })
    });
    let gone = old.program.function_ids().filter(|id| matching.new_function(*id).is_none());
    let gone =
        gone.map(|id| change(Kind::Function, Some(side(old, id)), None, |_| (State::Removed, Vec::new())));
    present.chain(gone).collect()
}

fn globals(old: &Version, new: &Version, states: &States) -> Vec<GlobalChange> {
    let side = |version: &Version, id: GlobalId| {
        let global: &Global = version.program.global(id);
        Side { name: global.name.to_string(), place: Place::of(version.program, global.pos), id }
    };
    let ids = |version: &Version| {
        let named = (0..version.program.globals.len() as u32).map(GlobalId);
        named.filter(|id| !version.is_literal(*id)).collect::<Vec<_>>()
    };
    let matching = states.same.matching;
    let present = ids(new).into_iter().map(|id| {
        let before = matching.old_global(id).map(|id| side(old, id));
        let after = side(new, id);
        let name = after.name.clone();
        let why = |d: &GlobalDifference| Why::Global { name: name.clone(), difference: d.clone() };
        let (affected, changed): (Vec<_>, Vec<_>) = states.globals[id.0 as usize]
            .iter()
            .partition(|d| matches!(d, GlobalDifference::PointsTo { .. }));
        let changed: Vec<Why> = changed.into_iter().map(why).collect();
        let affected: Vec<Why> = affected.into_iter().map(why).collect();
        change(Kind::Global, before, Some(after), |renamed| state(&changed, &affected, renamed))
    });
    let gone = ids(old).into_iter().filter(|id| matching.new_global(*id).is_none());
    let gone =
        gone.map(|id| change(Kind::Global, Some(side(old, id)), None, |_| (State::Removed, Vec::new())));
    present.chain(gone).collect()
}

fn callers(version: &Version) -> Vec<Vec<FuncId>> {
    let mut callers = vec![Vec::new(); version.program.functions.len()];
    for (form, caller) in version.forms.functions.iter().zip((0..).map(FuncId)) {
        let sets = form.whole.indirect.iter().map(|s| &version.forms.target_sets[*s as usize]);
        let pointed = sets.flat_map(|set| &set.targets);
        for callee in form.whole.canonical.callees.iter().chain(pointed) {
            callers[callee.0 as usize].push(caller);
        }
    }
    callers
}
