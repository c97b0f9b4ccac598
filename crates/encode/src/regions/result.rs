//! The result of the analysis, without the graph: enough to evaluate address expressions.

use super::collect::Collected;
use super::divide::Division;
use super::eval::{self, Domain};
use super::points_to::{Node, Value};
use super::residue::Residue;
use super::{Layout, Region, RegionId, Regions, effects};
use ir::{Expr, FuncId, GlobalId, LocalId, Program, Storage, Target, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frozen {
    targets: Vec<Target>,
    classes: Vec<Class>,
    /// By program.
    globals: Vec<Vec<Option<Place>>>,
    functions: Vec<Vec<Option<Place>>>,
    slots: Vec<Vec<Option<Slots>>>,
    absolute: Option<Place>,
}

/// An index into the classes, and an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    class: usize,
    at: Residue,
}

/// What registers point to, and where objects are.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Slots {
    locals: Vec<Option<Place>>,
    var_args: Option<Place>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Class {
    modulus: u64,
    whole: bool,
    cells: BTreeMap<i64, Cell>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    size: u64,
    /// What is stored there points to this.
    content: Option<Place>,
    region: Option<RegionId>,
}

impl Frozen {
    pub fn region(&self, program: usize, function: FuncId, address: &Expr) -> Option<RegionId> {
        let place = self.place(program, function, address)?;
        let class = self.classes.get(place.class)?;
        let cell = class.cell(place.at).and_then(|cell| cell.region);
        cell.or_else(|| class.cells.values().find_map(|cell| cell.region))
    }

    pub fn around(&self, program: usize, function: FuncId, address: &Expr) -> Vec<RegionId> {
        let place = self.place(program, function, address);
        let Some(class) = place.and_then(|place| self.classes.get(place.class)) else { return Vec::new() };
        let mut list: Vec<RegionId> = class.cells.values().filter_map(|cell| cell.region).collect();
        list.sort();
        list.dedup();
        list
    }

    fn place(&self, program: usize, function: FuncId, address: &Expr) -> Option<Place> {
        let target = *self.targets.get(program)?;
        let slots = self.slots.get(program)?.get(function.0 as usize)?.as_ref();
        Some(eval::address(&mut Query { frozen: self, program, slots, target }, address))
    }
}

impl Class {
    fn cell(&self, at: Residue) -> Option<&Cell> {
        if self.whole {
            return self.cells.values().next();
        }
        let position = match i64::try_from(self.modulus) {
            Ok(modulus) if modulus > 0 => at.off.rem_euclid(modulus),
            _ => at.off,
        };
        let (start, cell) = self.cells.range(..=position).next_back()?;
        ((position.wrapping_sub(*start) as u64) < cell.size).then_some(cell)
    }
}

struct Query<'f> {
    frozen: &'f Frozen,
    program: usize,
    slots: Option<&'f Slots>,
    target: Target,
}

impl Domain for Query<'_> {
    type Value = Place;

    fn target(&self) -> Target {
        self.target
    }

    fn local(&mut self, id: LocalId) -> Option<Place> {
        self.slots?.locals.get(id.0 as usize).copied().flatten()
    }

    fn global(&mut self, id: GlobalId) -> Option<Place> {
        self.frozen.globals.get(self.program)?.get(id.0 as usize).copied().flatten()
    }

    fn addr_local(&mut self, id: LocalId) -> Option<Place> {
        self.local(id)
    }

    fn addr_global(&mut self, id: GlobalId) -> Option<Place> {
        self.global(id)
    }

    fn addr_func(&mut self, id: FuncId) -> Option<Place> {
        self.frozen.functions.get(self.program)?.get(id.0 as usize).copied().flatten()
    }

    fn var_args(&mut self) -> Option<Place> {
        self.slots?.var_args
    }

    fn absolute(&mut self, at: Residue) -> Place {
        let place = self.frozen.absolute.unwrap_or(Place { class: 0, at: Residue::ZERO });
        Place { class: place.class, at }
    }

    fn load(&mut self, at: Place, _ty: Type) -> Option<Place> {
        self.frozen.classes.get(at.class)?.cell(at.at)?.content
    }

    fn shift(&mut self, value: Place, by: Residue) -> Place {
        Place { class: value.class, at: value.at.plus(by) }
    }

    fn join(&mut self, a: Place, b: Place, _ty: Type) -> Place {
        // The analysis has made the classes one, if the expression is from the program.
        Place { class: a.class, at: a.at.join(b.at) }
    }

    fn to_pointer(&mut self, value: Place) -> Place {
        value
    }
}

/// Takes what is needed out of the graph.
pub fn freeze(programs: &[&Program], all: &mut Collected, division: &Division) -> Regions {
    let effects = effects::effects(programs, all, division);
    let mut freezer = Freezer { all, classes: Vec::new(), index: FxHashMap::default() };
    let absolute = freezer.all.absolute;
    let mut frozen = Frozen {
        targets: programs.iter().map(|p| p.target).collect(),
        absolute: Some(freezer.object(absolute)),
        ..Frozen::default()
    };
    for (index, program) in programs.iter().enumerate() {
        let globals = freezer.all.globals[index].clone();
        let storages = program.globals.iter().map(|g| g.storage);
        frozen.globals.push(globals.iter().zip(storages).map(|(n, s)| freezer.variable(*n, s)).collect());
        let functions = freezer.all.functions[index].clone();
        frozen.functions.push(functions.iter().map(|n| Some(freezer.object(*n))).collect());
        let mut list = Vec::new();
        for (function, slots) in program.functions.iter().zip(freezer.all.slots[index].clone()) {
            list.push(slots.map(|slots| {
                Slots {
                    locals: slots
                        .locals
                        .iter()
                        .zip(&function.locals)
                        .map(|(n, l)| freezer.variable(*n, l.storage))
                        .collect(),
                    var_args: Some(freezer.object(slots.var_args)),
                }
            }));
        }
        frozen.slots.push(list);
    }
    frozen.classes = freezer.finish(division);
    let index = freezer.index;
    let names = names(programs, all, &frozen, &index);
    let mut list: Vec<Region> =
        division.groups.iter().map(|group| region(group, &index, &names, &frozen)).collect();
    make_unique(&mut list);
    let objects = objects(all, division);
    if list.is_empty() {
        let name = "nothing".to_owned();
        list.push(Region { layout: Layout::Bytes, escapes: false, constant: true, written: false, name });
    }
    let calls_outside = all.unknown_calls.clone();
    Regions { list, assumes_types: division.assumes_types, frozen, effects, calls_outside, objects }
}

struct Freezer<'a> {
    all: &'a mut Collected,
    classes: Vec<Node>,
    index: FxHashMap<Node, usize>,
}

impl Freezer<'_> {
    fn class(&mut self, node: Node) -> usize {
        let root = self.all.graph.find(node);
        *self.index.entry(root).or_insert_with(|| {
            self.classes.push(root);
            self.classes.len() - 1
        })
    }

    fn object(&mut self, node: Node) -> Place {
        Place { class: self.class(node), at: Residue::ZERO }
    }

    fn pointed(&mut self, place: Node) -> Option<Place> {
        let (class, at) = self.all.graph.resolve(Value::place(place))?;
        Some(Place { class: self.class(class), at })
    }

    fn variable(&mut self, node: Node, storage: Storage) -> Option<Place> {
        match storage {
            Storage::Memory { .. } => Some(self.object(node)),
            Storage::Register(_) => self.pointed(node),
        }
    }

    /// All classes, with those that are only reached through cells.
    fn finish(&mut self, division: &Division) -> Vec<Class> {
        let mut regions: FxHashMap<(Node, i64), RegionId> = FxHashMap::default();
        for (i, group) in division.groups.iter().enumerate() {
            regions.extend(group.cells.iter().map(|cell| (*cell, RegionId(i as u32))));
        }
        let mut list = Vec::new();
        while let Some(&root) = self.classes.get(list.len()) {
            let class = self.all.graph.class(root).clone();
            let mut cells = BTreeMap::new();
            for (start, (size, node)) in class.cells {
                let region = regions.get(&(root, start)).copied();
                cells.insert(start, Cell { size, content: self.pointed(node), region });
            }
            list.push(Class { modulus: class.modulus, whole: class.whole, cells });
        }
        list
    }
}

/// For each class a variable that is in it or points to it.
fn names(
    programs: &[&Program],
    all: &mut Collected,
    frozen: &Frozen,
    index: &FxHashMap<Node, usize>,
) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = vec![None; frozen.classes.len()];
    for i in 0..all.objects.len() {
        let class = all.graph.find(all.objects[i].node);
        let name = programs.get(all.objects[i].program).and_then(|p| all.objects[i].kind.name(p));
        if let (Some(class), Some(name)) = (index.get(&class), name) {
            names[*class].get_or_insert(name);
        }
    }
    for (program, slots) in programs.iter().zip(&frozen.slots) {
        let slots = program.functions.iter().zip(slots).filter_map(|(f, slots)| Some((f, slots.as_ref()?)));
        for (function, slots) in slots {
            for (local, place) in function.locals.iter().zip(&slots.locals) {
                if let (Storage::Register(Type::Ptr), Some(place)) = (local.storage, place) {
                    names[place.class]
                        .get_or_insert_with(|| ir::names::qualified(&function.name, &local.name));
                }
            }
        }
    }
    for (program, globals) in programs.iter().zip(frozen.globals.iter()) {
        for (global, place) in program.globals.iter().zip(globals) {
            if let Some(place) = place {
                names[place.class].get_or_insert_with(|| global.name.to_string());
            }
        }
    }
    names
}

fn region(
    group: &super::divide::Group,
    index: &FxHashMap<Node, usize>,
    names: &[Option<String>],
    frozen: &Frozen,
) -> Region {
    let mut name = "memory".to_owned();
    if let Some((class, start)) = group.cells.first()
        && let Some(class) = index.get(class)
    {
        let cells = frozen.classes[*class].cells.values().filter(|cell| cell.region.is_some()).count();
        let base = names[*class].clone().unwrap_or(name);
        name = if cells > 1 { format!("{base}+{start}") } else { base };
    }
    let constant = group.constant && !group.written;
    Region { layout: group.layout, escapes: group.open, constant, written: group.written, name }
}

/// Regions are told apart by their names.
fn make_unique(list: &mut [Region]) {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut next: FxHashMap<String, u32> = FxHashMap::default();
    for region in list {
        let base = region.name.clone();
        while !used.insert(region.name.clone()) {
            let number = next.entry(base.clone()).or_insert(1);
            *number += 1;
            region.name = format!("{base}#{number}");
        }
    }
}

fn objects(all: &mut Collected, division: &Division) -> Vec<Vec<(usize, super::ObjectKind)>> {
    let mut regions: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
    for (i, group) in division.groups.iter().enumerate() {
        for (class, _) in &group.cells {
            let list = regions.entry(*class).or_default();
            if list.last() != Some(&i) {
                list.push(i);
            }
        }
    }
    let mut objects = vec![Vec::new(); division.groups.len()];
    for i in 0..all.objects.len() {
        let class = all.graph.find(all.objects[i].node);
        for region in regions.get(&class).into_iter().flatten() {
            objects[*region].push((all.objects[i].program, all.objects[i].kind));
        }
    }
    objects
}
