//! Who writes what: from globals and regions to the operations that write them.

use crate::ahead::Ahead;
use crate::memory::{Memory, Place, writes_buffer};
use crate::reach::Reach;
use ir::{FuncId, Op, Program, Var};

/// Operations from which no check is ahead are left out.
pub struct Index {
    /// By global, for those that are registers.
    pub globals: Vec<Vec<Place>>,
    /// By region; calls are those of output functions that write there themselves.
    pub regions: Vec<Vec<Place>>,
    /// By region: what ends objects there.
    pub frees: Vec<Vec<Place>>,
    /// What ends objects that no access goes to.
    pub other_frees: Vec<Place>,
    /// By region: the functions whose extra arguments lie there.
    pub variadic: Vec<Vec<FuncId>>,
}

impl Index {
    pub fn of(program: &Program, reach: &Reach, ahead: &Ahead, memory: &Memory) -> Index {
        let count = memory.count();
        let mut index = Index {
            globals: vec![Vec::new(); program.globals.len()],
            regions: vec![Vec::new(); count],
            frees: vec![Vec::new(); count],
            other_frees: Vec::new(),
            variadic: vec![Vec::new(); count],
        };
        for f in reach.functions() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            for node in cfa.nodes().filter(|&n| ahead.of_node(f, n)) {
                for (id, edge) in cfa.out_ids(node).zip(cfa.out(node)) {
                    index.operation(program, reach, memory, (f, id), &edge.op);
                }
            }
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
        if let Some(Var::Global(global)) = op.written() {
            self.globals[global.0 as usize].push(place);
        }
        match op {
            Op::Store { addr: to, .. } | Op::Copy { dst: to, .. } | Op::Fill { dst: to, .. } => {
                self.regions[memory.region(f, to) as usize].push(place);
            }
            Op::Free { ptr } => {
                let regions = memory.around(f, ptr);
                for &region in &regions {
                    self.frees[region as usize].push(place);
                }
                if regions.is_empty() {
                    self.other_frees.push(place);
                }
            }
            Op::Call { args, .. } => {
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
