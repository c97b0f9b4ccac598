//! What two versions have in common before they run.

use encode::Regions;
use encode::footprint::{Footprint, footprints};
use ir::Program;

/// Markers have no effect.
pub fn footprints_of(program: &Program, index: usize, regions: &Regions) -> Vec<Footprint> {
    footprints(program, index, regions, crate::side::MARKS)
}
