//! From cells to regions, and their layouts.
//!
//! A cell that unknown code cannot reach is a region of its own: all accesses to it are known, and no other
//! access overlaps them. Pointers that come from unknown code may point to any open object, so there one
//! thing more is assumed, and only there: memory has types (C11 6.5 7). Accesses of different types do not
//! overlap unless one is through a character type, moves whole blocks, or the program itself shows that it
//! reads one type as another.

use super::collect::{Access, Collected, Extent};
use super::points_to::Node;
use super::residue::Residue;
use super::{Layout, Options};
use ir::{Expr, ExprKind, InitValue, Program, Storage, Target, Type};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A class with more cells than this is a table, not a struct: cells of one type are not told apart.
const MAX_CELLS: usize = 32;

/// What accesses of one type have in common; signedness does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Shape {
    size: u64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Kind {
    Int,
    Ptr,
    Float,
}

const CHARACTER: Shape = Shape { size: 1, kind: Kind::Int };

/// A cell that is accessed.
struct Candidate {
    class: Node,
    start: i64,
    size: u64,
    accesses: Vec<usize>,
    shapes: BTreeSet<Shape>,
    /// `Copy` or `Fill` beyond what the other accesses say about the type of the memory.
    blocks: bool,
    open: bool,
    foreign: bool,
    /// All objects are declared as characters.
    characters: bool,
    /// All objects are constant: whatever else points there reads the same forever.
    constant: bool,
}

pub struct Group {
    pub layout: Layout,
    pub open: bool,
    /// Class and first byte of the cells.
    pub cells: Vec<(Node, i64)>,
    pub written: bool,
    /// All objects are constant.
    pub constant: bool,
}

pub struct Division {
    pub groups: Vec<Group>,
    /// By access: the group.
    pub group_of: Vec<Option<usize>>,
    /// The assumption about types made a difference.
    pub assumes_types: bool,
}

pub fn divide(programs: &[&Program], all: &mut Collected, options: &Options) -> Division {
    let Some(target) = programs.first().map(|p| p.target) else {
        return Division { groups: Vec::new(), group_of: Vec::new(), assumes_types: false };
    };
    let places: Vec<Option<(Node, Residue)>> =
        (0..all.accesses.len()).map(|i| all.graph.resolve(all.accesses[i].at)).collect();
    let mut candidates = candidates(all, &places, &target);
    mark_declared(programs, all, &mut candidates);
    let mut sets = Sets::new(candidates.len());
    join_tables(&candidates, &mut sets);
    let assumes_types = join_foreign(&candidates, &mut sets, options);

    let mut index: BTreeMap<usize, usize> = BTreeMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for i in 0..candidates.len() {
        let next = members.len();
        let group = *index.entry(sets.find(i)).or_insert(next);
        if group == next {
            members.push(Vec::new());
        }
        members[group].push(i);
    }
    let mut group_of = vec![None; all.accesses.len()];
    let mut groups = Vec::new();
    let mut where_is: FxHashMap<(Node, i64), usize> = FxHashMap::default();
    for (g, members) in members.iter().enumerate() {
        let cells: Vec<&Candidate> = members.iter().map(|i| &candidates[*i]).collect();
        for access in cells.iter().flat_map(|c| &c.accesses) {
            group_of[*access] = Some(g);
        }
        where_is.extend(cells.iter().map(|c| ((c.class, c.start), g)));
        groups.push(Group {
            layout: layout(&cells, &all.accesses, &places, options),
            open: cells.iter().any(|c| c.open),
            cells: cells.iter().map(|c| (c.class, c.start)).collect(),
            constant: cells.iter().all(|c| c.constant),
            written: cells.iter().flat_map(|c| &c.accesses).any(|i| all.accesses[*i].write),
        });
    }
    fit_initialisers(programs, all, &mut groups, &where_is);
    Division { groups, group_of, assumes_types }
}

fn candidates(all: &mut Collected, places: &[Option<(Node, Residue)>], target: &Target) -> Vec<Candidate> {
    let mut list: Vec<Candidate> = Vec::new();
    let mut index: FxHashMap<(Node, i64), usize> = FxHashMap::default();
    for (i, place) in places.iter().enumerate() {
        let Some((class, at)) = *place else { continue };
        let data = all.graph.class(class);
        let Some(start) = data.start(at) else { continue };
        let (open, foreign) = (data.open, data.foreign);
        let size = data.cells.get(&start).map_or(0, |cell| cell.0);
        let candidate = *index.entry((class, start)).or_insert(list.len());
        if candidate == list.len() {
            list.push(Candidate {
                class,
                start,
                size,
                accesses: Vec::new(),
                shapes: BTreeSet::new(),
                blocks: false,
                open,
                foreign,
                characters: false,
                constant: false,
            });
        }
        list[candidate].accesses.push(i);
        if let Extent::Scalar(ty) = all.accesses[i].extent {
            list[candidate].shapes.insert(shape(ty, target));
        }
    }
    for candidate in &mut list {
        candidate.blocks = blocks(candidate, &all.accesses, places, target);
    }
    list
}

fn shape(ty: Type, target: &Target) -> Shape {
    let kind = match ty {
        Type::Float(_) => Kind::Float,
        Type::Ptr => Kind::Ptr,
        Type::Int(_) | Type::Bool => Kind::Int,
    };
    Shape { size: ty.access_size(target), kind }
}

/// Do blocks reach beyond memory that other accesses show to be of one type? They do not where it is an array
/// of that type, or where a block is just one value.
fn blocks(
    candidate: &Candidate,
    accesses: &[Access],
    places: &[Option<(Node, Residue)>],
    target: &Target,
) -> bool {
    let mut lengths = candidate.accesses.iter().filter_map(|i| match accesses[*i].extent {
        Extent::Block(len) => Some(len),
        Extent::Scalar(_) => None,
    });
    let [Shape { size, .. }] = candidate.shapes.iter().copied().collect::<Vec<_>>()[..] else {
        return lengths.next().is_some();
    };
    let array = candidate.accesses.iter().any(|i| match (accesses[*i].extent, places[*i]) {
        (Extent::Scalar(ty), Some((_, at))) => at.step == ty.access_size(target),
        _ => false,
    });
    lengths.any(|len| !array && len != Some(size))
}

/// Declared as characters, a global or local cannot hold anything else.
fn mark_declared(programs: &[&Program], all: &mut Collected, candidates: &mut [Candidate]) {
    let mut declared: FxHashMap<Node, (bool, bool)> = FxHashMap::default();
    for i in 0..all.objects.len() {
        let class = all.graph.find(all.objects[i].node);
        let kind = all.objects[i].kind;
        let Some(program) = programs.get(all.objects[i].program) else { continue };
        let entry = declared.entry(class).or_insert((true, true));
        entry.0 &= kind.c_type(program).is_some_and(is_character_array);
        entry.1 &= kind.is_constant(program);
    }
    for candidate in candidates {
        let (characters, constant) = declared.get(&candidate.class).copied().unwrap_or_default();
        candidate.characters = characters;
        candidate.constant = constant && !candidate.foreign;
    }
}

fn is_character_array(c_type: &str) -> bool {
    let element = c_type.split('[').next().unwrap_or_default();
    let mut words = element.split_whitespace().peekable();
    words.peek().is_some()
        && words.all(|w| matches!(w, "char" | "signed" | "unsigned" | "const" | "volatile" | "static"))
        && element.contains("char")
}

fn join_tables(candidates: &[Candidate], sets: &mut Sets) {
    let mut count: FxHashMap<Node, usize> = FxHashMap::default();
    for candidate in candidates {
        *count.entry(candidate.class).or_default() += 1;
    }
    let mut first: FxHashMap<(Node, Shape), usize> = FxHashMap::default();
    for (i, candidate) in candidates.iter().enumerate() {
        if count.get(&candidate.class).is_some_and(|n| *n > MAX_CELLS)
            && let Some(shape) = candidate.shapes.first().filter(|_| candidate.shapes.len() == 1)
        {
            sets.join(i, *first.entry((candidate.class, *shape)).or_insert(i));
        }
    }
}

/// Joins what pointers from unknown code may overlap. The answer: did types keep something apart?
fn join_foreign(candidates: &[Candidate], sets: &mut Sets, options: &Options) -> bool {
    let foreign: Vec<usize> = (0..candidates.len()).filter(|i| candidates[*i].foreign).collect();
    let open: Vec<usize> =
        (0..candidates.len()).filter(|i| candidates[*i].open && !candidates[*i].constant).collect();
    let Some(&first) = foreign.first() else { return false };
    let any_type = |c: &Candidate| c.blocks || c.shapes.contains(&CHARACTER);
    if !options.assume_types || foreign.iter().any(|i| any_type(&candidates[*i])) {
        for i in open {
            sets.join(first, i);
        }
        return false;
    }
    let mut by_shape: BTreeMap<Shape, usize> = BTreeMap::new();
    for i in foreign {
        for shape in &candidates[i].shapes {
            sets.join(i, *by_shape.entry(*shape).or_insert(i));
        }
    }
    let mut apart = by_shape.len() > 1;
    for &i in &open {
        let candidate = &candidates[i];
        for (shape, other) in &by_shape {
            if any_type(candidate) && !candidate.characters || candidate.shapes.contains(shape) {
                sets.join(i, *other);
            } else {
                apart = true;
            }
        }
    }
    apart
}

/// Cells if all accesses are of one size and either coincide or are disjoint.
fn layout(
    cells: &[&Candidate],
    accesses: &[Access],
    places: &[Option<(Node, Residue)>],
    options: &Options,
) -> Layout {
    let shapes = || cells.iter().flat_map(|c| &c.shapes);
    let alike = |a: &Shape, b: &Shape| a.size == b.size && (a.kind == Kind::Float) == (b.kind == Kind::Float);
    let Some(first) = shapes().next().filter(|first| shapes().all(|s| alike(first, s))) else {
        return Layout::Bytes;
    };
    let size = first.size;
    let mut types: BTreeMap<Type, usize> = BTreeMap::new();
    // Offsets in one class have one remainder.
    let mut remainders: FxHashMap<Node, i64> = FxHashMap::default();
    for cell in cells {
        let (mut aligned, mut parts) = (true, false);
        for i in &cell.accesses {
            let Some((_, at)) = places[*i] else { continue };
            let whole = match accesses[*i].extent {
                Extent::Scalar(ty) => {
                    *types.entry(ty).or_default() += 1;
                    true
                }
                Extent::Block(None) => continue,
                Extent::Block(Some(len)) => len.is_multiple_of(size),
            };
            parts |= !whole;
            let remainder = at.off.rem_euclid(size as i64);
            aligned &= whole
                && at.step.is_multiple_of(size)
                && *remainders.entry(cell.class).or_insert(remainder) == remainder;
        }
        // All accesses have the size of the cell, so they begin where it begins.
        let exact = cell.size == size && !parts && (!cell.foreign || options.assume_types);
        if !exact && (!aligned || cell.foreign && remainders.get(&cell.class).is_some_and(|r| *r != 0)) {
            return Layout::Bytes;
        }
    }
    let rank = |ty: Type| match ty {
        Type::Int(int) => 2 * u8::from(int.signed),
        _ => 1,
    };
    let best = types.into_iter().max_by_key(|(ty, count)| (*count, rank(*ty)));
    best.map_or(Layout::Bytes, |(ty, _)| Layout::Cells(ty))
}

/// Addresses in initialisers must be whole cells; bytes can be put together.
fn fit_initialisers(
    programs: &[&Program],
    all: &mut Collected,
    groups: &mut [Group],
    where_is: &FxHashMap<(Node, i64), usize>,
) {
    for (index, program) in programs.iter().enumerate() {
        for (global, &node) in program.globals.iter().zip(&all.globals[index]) {
            let (Storage::Memory { .. }, Some(init)) = (global.storage, &global.init) else { continue };
            let root = all.graph.find(node);
            let class = all.graph.class(root);
            for item in &init.items {
                let InitValue::Scalar(e) = &item.value else { continue };
                if !has_address(e) {
                    continue;
                }
                let at = Residue::new(item.offset.into(), 0);
                let group = class.start(at).and_then(|start| where_is.get(&(root, start)));
                let Some(&group) = group else { continue };
                let Layout::Cells(ty) = groups[group].layout else { continue };
                let size = ty.access_size(&program.target);
                let cell = class.start(at).and_then(|start| Some((start, class.cells.get(&start)?.0)));
                let fits = cell.is_some_and(|(start, cell_size)| {
                    if class.whole {
                        item.offset.is_multiple_of(size)
                    } else {
                        cell_size == size && class.position(at.off) == start
                    }
                });
                let whole = e.ty.access_size(&program.target) == size && !ty.is_float();
                if !fits || !whole {
                    groups[group].layout = Layout::Bytes;
                }
            }
        }
    }
}

fn has_address(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.kind, ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_)));
    found
}

struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Sets {
        Sets((0..count).collect())
    }

    fn find(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// The smaller index stands for both.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
