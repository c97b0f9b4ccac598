//! What the tests of regions share.

use encode::{Layout, RegionId, Regions};
use ir::{Expr, ExprDisplay, ExprKind, FuncId, Op, Program, Target};

/// The program of a preprocessed text.
pub fn compile(text: &str) -> Program {
    compile_for(text, Target::LP64)
}

pub fn compile_for(text: &str, target: Target) -> Program {
    let options = cfront::Options { target, ..cfront::Options::default() };
    testing::compile_with(text, &options).unwrap_or_else(|what| panic!("{what}"))
}

pub fn roots(program: &Program, names: &[&str]) -> Vec<FuncId> {
    names
        .iter()
        .map(|name| program.find_function(name).unwrap_or_else(|| panic!("no function {name}")))
        .collect()
}

pub fn analyse(programs: &[&Program], root_names: &[&str]) -> Regions {
    let roots: Vec<Vec<FuncId>> = programs.iter().map(|p| roots(p, root_names)).collect();
    Regions::analyse(programs, &roots)
}

/// One line for each access of each function; repeated lines once.
pub fn describe(programs: &[&Program], root_names: &[&str]) -> String {
    let regions = analyse(programs, root_names);
    let mut lines = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        for id in program.function_ids() {
            for (address, what) in accesses(program, id) {
                let function = program.function(id);
                let text = ExprDisplay { program, function: Some(function), expr: address };
                lines.push(format!(
                    "{}: {what}[{text}] -> {}",
                    function.name,
                    name(&regions, index, id, address)
                ));
            }
        }
    }
    lines.dedup();
    lines.join("\n")
}

fn name(regions: &Regions, index: usize, id: FuncId, address: &Expr) -> String {
    let RegionId(i) = regions.of(index, id, address);
    let region = &regions.list[i as usize];
    let layout = match region.layout {
        Layout::Cells(ty) => ty.to_string(),
        Layout::Bytes => "bytes".to_owned(),
    };
    let flags = [(region.escapes, " escapes"), (region.constant, " constant")];
    let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, text)| *text).collect();
    format!("{}: {layout}{flags}", region.name)
}

/// The addresses that a function accesses, in order, with what is accessed there.
pub fn accesses(program: &Program, id: FuncId) -> Vec<(&Expr, String)> {
    let mut list = Vec::new();
    for edge in program.function(id).cfa().map(|cfa| cfa.edges()).unwrap_or_default() {
        for e in edge.op.exprs() {
            e.walk(&mut |e| {
                if let ExprKind::Load(address) = &e.kind {
                    list.push((&**address, e.ty.to_string()));
                }
            });
        }
        match &edge.op {
            Op::Store { addr, value } => list.push((addr, value.ty.to_string())),
            Op::Copy { dst, src, .. } => list.extend([(src, "copy".to_owned()), (dst, "copy".to_owned())]),
            Op::Fill { dst, .. } => list.push((dst, "fill".to_owned())),
            _ => {}
        }
    }
    list
}
