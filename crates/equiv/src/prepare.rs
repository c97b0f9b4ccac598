//! What two versions have in common before they run: which state a comparison follows, and what it holds at the start.

use crate::side::Tracked;
use encode::footprint::{Footprint, footprints};
use encode::memory::memory_sort;
use encode::{Encoder, IntMode, Layout, RegionId, Regions, Unsupported};
use ir::{Expr, ExprKind, FuncId, GlobalId, InitValue, Program, Storage, Type};
use logic::Term;
use std::collections::BTreeSet;

/// Markers have no effect.
pub fn footprints_of(program: &Program, index: usize, regions: &Regions) -> Vec<Footprint> {
    footprints(program, index, regions, crate::side::MARKS)
}

/// Decides for all globals and regions that the functions can touch whether they change.
pub fn track(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    prints: [&Footprint; 2],
    regions: &Regions,
    mode: IntMode,
    equal_memory: bool,
) -> Result<Tracked, Unsupported> {
    let whole = is_whole_program(programs, functions);
    start_alike(programs, functions, prints, regions, mode, whole)?;
    let mut tracked = Tracked {
        world: prints.iter().any(|p| p.world),
        allocations: prints.iter().any(|p| p.allocates),
        inputs: prints.iter().any(|p| p.inputs),
        ..Tracked::default()
    };
    for (i, print) in prints.into_iter().enumerate() {
        let written: BTreeSet<&str> = prints
            .iter()
            .enumerate()
            .flat_map(|(j, p)| p.writes_globals.iter().map(move |g| (j, g)))
            .map(|(j, g)| &*programs[j].global(*g).name)
            .collect();
        for g in print.reads_globals.iter().chain(&print.writes_globals) {
            let global = programs[i].global(*g);
            let Storage::Register(ty) = global.storage else { continue };
            let value = if written.contains(&*global.name) {
                None
            } else if global.constant || whole {
                Some(initial_global(programs[i], *g, ty, mode)?)
            } else {
                let sort = mode.sort(ty, &programs[i].target)?;
                Some(Term::var(&format!("::{}", global.name), sort))
            };
            tracked.globals.entry(global.name.to_string()).or_insert(value);
        }
    }
    for (i, region) in regions.list.iter().enumerate() {
        let id = RegionId(i as u32);
        let written = prints.iter().any(|p| p.writes.contains(&id));
        let touched = written || prints.iter().any(|p| p.reads.contains(&id));
        let sort = memory_sort(mode, &programs[0].target, region.layout)?;
        let base = Term::var(&format!("memory.{}", region.name), sort);
        tracked.memory.push(if touched && (written || !equal_memory && !region.constant) {
            None
        } else if touched && (region.constant || whole) {
            let mut content = base;
            for side in 0..2 {
                let (program, function) = (programs[side], functions[side]);
                content = initial_memory(program, side, function, regions, id, mode, content, whole)?;
            }
            Some(content)
        } else {
            Some(base)
        });
    }
    Ok(tracked)
}

/// What is not known of the start is one unknown for both versions, and what nobody writes is one value for both. So the
/// globals of a name must start with the same content wherever initialisers count.
fn start_alike(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    prints: [&Footprint; 2],
    regions: &Regions,
    mode: IntMode,
    whole: bool,
) -> Result<(), Unsupported> {
    let touched = |name: &str| {
        let mut found = (0..2).flat_map(|i| {
            prints[i]
                .reads_globals
                .iter()
                .chain(&prints[i].writes_globals)
                .map(move |g| programs[i].global(*g))
        });
        found.any(|g| *g.name == *name)
    };
    for old in &programs[0].globals {
        let Some(new) = programs[1].globals.iter().find(|g| g.name == old.name) else { continue };
        let counts = match (old.storage, new.storage) {
            (Storage::Register(_), Storage::Register(_)) => {
                (whole || old.constant || new.constant) && touched(&old.name)
            }
            // The address of a constant object tells its content.
            _ => whole && !(old.constant && new.constant),
        };
        if counts {
            let starts = [old, new].into_iter().enumerate().map(|(i, global)| {
                let mut encoder = Encoder::new(programs[i], i, functions[i], mode, regions, "");
                Ok((global.constant, start(&mut encoder, global)?))
            });
            let starts: Vec<_> = starts.collect::<Result<_, Unsupported>>()?;
            if starts[0] != starts[1] {
                return Err(Unsupported(format!("the global '{}' starts with another value", old.name)));
            }
        }
    }
    Ok(())
}

/// The plain bytes of a global before the program starts, and the addresses in it; None if it is defined elsewhere.
type Start = Option<(Vec<Option<u8>>, Vec<(u64, Term)>)>;

fn start(encoder: &mut Encoder, global: &ir::Global) -> Result<Start, Unsupported> {
    let target = &encoder.program.target;
    let Some(init) = &global.init else { return Ok(None) };
    let size = match global.storage {
        Storage::Memory { size, .. } => size,
        Storage::Register(ty) => ty.access_size(target),
    };
    let bytes = image(init, size, target)
        .ok_or_else(|| Unsupported(format!("the initialiser of '{}'", global.name)))?;
    let mut addresses = Vec::new();
    for item in &init.items {
        if let InitValue::Scalar(e) = &item.value
            && e.as_const().is_none()
        {
            addresses.push((item.offset, object_address(encoder, e)?));
        }
    }
    Ok(Some((bytes, addresses)))
}

/// `main` starts with the initialisers; anything else is called in any state.
pub fn is_whole_program(programs: [&Program; 2], functions: [FuncId; 2]) -> bool {
    (0..2).all(|i| &*programs[i].function(functions[i]).name == "main")
}

/// The value of a register global before the program starts.
pub fn initial_global(program: &Program, id: GlobalId, ty: Type, mode: IntMode) -> Result<Term, Unsupported> {
    let global = program.global(id);
    let sort = mode.sort(ty, &program.target)?;
    let unknown = Term::var(&format!("::{}", global.name), sort);
    let Some(init) = &global.init else { return Ok(unknown) };
    match init.items.first().map(|item| &item.value) {
        None => mode.constant(ty, &program.target, 0),
        Some(InitValue::Scalar(e)) => match e.as_const() {
            Some(bits) => mode.constant(ty, &program.target, bits),
            None => Ok(unknown),
        },
        Some(InitValue::Bytes(_)) => Ok(unknown),
    }
}

/// Larger objects keep an unknown content: less is known than is true.
const MOST_BYTES: u64 = 4096;

/// The content of a region before the program starts: constants, and for whole programs all initialised globals.
#[expect(clippy::too_many_arguments, reason = "the parts of a comparison")]
pub fn initial_memory(
    program: &Program,
    index: usize,
    function: FuncId,
    regions: &Regions,
    region: RegionId,
    mode: IntMode,
    base: Term,
    whole: bool,
) -> Result<Term, Unsupported> {
    let mut memory = base;
    let mut encoder = Encoder::new(program, index, function, mode, regions, "");
    let mut left = MOST_BYTES;
    for (i, global) in program.globals.iter().enumerate() {
        let Storage::Memory { size, .. } = global.storage else { continue };
        let Some(init) = &global.init else { continue };
        let address = Expr { ty: Type::Ptr, kind: ExprKind::AddrGlobal(GlobalId(i as u32)) };
        if !(global.constant || whole) || size > left || regions.of(index, function, &address) != region {
            continue;
        }
        left -= size;
        let Some(image) = image(init, size, &program.target) else { continue };
        let start = object_address(&mut encoder, &address)?;
        let step = match regions.list[region.0 as usize].layout {
            Layout::Bytes => 1,
            Layout::Cells(ty) => ty.access_size(&program.target),
        };
        for offset in (0..size).step_by(step as usize) {
            let bytes = image.get(offset as usize..(offset + step) as usize);
            let Some(bytes) = bytes.and_then(|b| b.iter().copied().collect::<Option<Vec<u8>>>()) else {
                continue;
            };
            let bits = bytes.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
            let ty = match regions.list[region.0 as usize].layout {
                Layout::Bytes => Type::U8,
                Layout::Cells(ty) => ty,
            };
            let value = mode.constant(ty, &program.target, bits)?;
            let place = start.add(Term::number(start.sort(), offset));
            memory = memory.store(place, value);
        }
    }
    Ok(memory)
}

fn object_address(encoder: &mut Encoder, address: &Expr) -> Result<Term, Unsupported> {
    let nothing = encode::State {
        locals: Vec::new(),
        globals: Vec::new(),
        memory: Vec::new(),
        world: Term::int(0),
        allocations: Term::int(0),
        inputs: Term::int(0),
    };
    encoder.expr(address, &nothing)
}

/// The bytes of an initialiser; None for bytes that are not plain numbers.
fn image(init: &ir::Init, size: u64, target: &ir::Target) -> Option<Vec<Option<u8>>> {
    let mut bytes = vec![Some(0u8); usize::try_from(size).ok()?];
    for item in &init.items {
        let at = usize::try_from(item.offset).ok()?;
        match &item.value {
            InitValue::Bytes(list) => {
                for (i, b) in list.iter().enumerate() {
                    *bytes.get_mut(at + i)? = Some(*b);
                }
            }
            InitValue::Scalar(e) => {
                let width = e.ty.access_size(target) as usize;
                for i in 0..width {
                    if let Some(slot) = bytes.get_mut(at + i) {
                        *slot = e.as_const().map(|bits| (bits >> (8 * i)) as u8);
                    }
                }
            }
        }
    }
    Some(bytes)
}
