//! Who writes what: from globals and regions to the operations that write them.

use crate::memory::{Memory, Place, writes_buffer};
use crate::reach::Reach;
use ir::{EdgeId, FuncId, Op, Program, Var};

/// Who writes to regions.
pub struct Index {
    /// By region; calls are those of functions without a body that write there.
    pub regions: Vec<Vec<Place>>,
    /// By region: what ends objects there.
    pub frees: Vec<Vec<Place>>,
    /// What ends objects that no access goes to.
    pub other_frees: Vec<Place>,
    /// By region: the functions whose extra arguments lie there.
    pub variadic: Vec<Vec<FuncId>>,
}

impl Index {
    pub fn of(program: &Program, reach: &Reach, memory: &Memory) -> Index {
        let count = memory.count();
        let mut index = Index {
            regions: vec![Vec::new(); count],
            frees: vec![Vec::new(); count],
            other_frees: Vec::new(),
            variadic: vec![Vec::new(); count],
        };
        for (place, op) in operations(program, reach) {
            index.operation(program, reach, memory, place, op);
        }
        for f in reach.functions() {
            if program.function(f).variadic {
                for region in memory.extra_arguments(f) {
                    index.variadic[region as usize].push(f);
                }
            }
        }
        index
    }

    fn operation(&mut self, program: &Program, reach: &Reach, memory: &Memory, place: Place, op: &Op) {
        let (f, id) = place;
        match op {
            Op::Store { addr: to, .. } | Op::Copy { dst: to, .. } | Op::Fill { dst: to, .. } => {
                self.regions[memory.region(f, to) as usize].push(place);
            }
            Op::Free { ptr } | Op::Lifetime { ptr, .. } => {
                let regions = memory.around(f, ptr);
                for &region in &regions {
                    self.frees[region as usize].push(place);
                }
                // The object of a block is known; who frees something else may free any.
                if regions.is_empty() && matches!(op, Op::Free { .. }) {
                    self.other_frees.push(place);
                }
            }
            Op::Call { args, .. } => {
                if reach.targets(f, id).iter().any(|&g| program.function(g).havocs) {
                    for (region, _) in memory.escaping().filter(|(_, written)| *written) {
                        self.regions[region as usize].push(place);
                    }
                }
                let prints = reach.targets(f, id).iter().any(|&g| writes_buffer(program, g));
                if let (true, Some(buffer)) = (prints, args.first()) {
                    for region in memory.around(f, buffer) {
                        self.regions[region as usize].push(place);
                    }
                }
            }
            _ => {}
        }
    }
}

/// By global, for those that are registers: the operations that write it.
pub fn global_writes(program: &Program, reach: &Reach) -> Vec<Vec<Place>> {
    let mut globals = vec![Vec::new(); program.globals.len()];
    for (place, op) in operations(program, reach) {
        if let Some(Var::Global(global)) = op.written() {
            globals[global.0 as usize].push(place);
        }
        if matches!(op, Op::Call { .. })
            && reach.targets(place.0, place.1).iter().any(|&g| program.function(g).havocs)
        {
            let shared = program.globals.iter().zip(&mut globals).filter(|(global, _)| global.is_shared());
            shared.for_each(|(_, writes)| writes.push(place));
        }
    }
    globals
}

fn operations<'a>(program: &'a Program, reach: &'a Reach) -> impl Iterator<Item = (Place, &'a Op)> {
    let bodies = reach.functions().filter_map(|f| Some((f, program.function(f).cfa()?)));
    bodies.flat_map(move |(f, cfa)| {
        let edges = (0..).map(EdgeId).zip(cfa.edges()).filter(move |(_, e)| reach.node(f, e.from));
        edges.map(move |(id, edge)| ((f, id), &edge.op))
    })
}
