//! Functions without a body that may change what they can reach (`ir::Function::havocs`).
//!
//! What such a call can reach is what its arguments and the shared globals point to, what lies there and
//! points on, and all that an earlier call could reach: it may have kept the pointers. Every object among
//! that gets any content. What is in it is asked for when it is read, so that answers are needed only for
//! what matters.

use crate::compile::GlobalPlace;
use crate::inputs::InputKind;
use crate::io::{At, Io};
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::rare::{read_value, write_value};
use ir::{GlobalId, Type};

/// The register globals.
pub struct Registers<'a> {
    pub places: &'a [GlobalPlace],
    pub values: &'a mut [u64],
}

#[inline(never)]
pub fn havoc(
    args: &[(Type, u128)],
    registers: Registers,
    at: At,
    memory: &mut Memory,
    io: &mut Io,
) -> Result<(), Outcome> {
    let program = io.program;
    let mut work: Vec<u64> = args.iter().map(|(_, bits)| *bits as u64).collect();
    for (id, place) in (0..).map(GlobalId).zip(registers.places) {
        if !program.global(id).is_visible() {
            continue;
        }
        work.push(match *place {
            GlobalPlace::Register { slot, ty } => read_value(registers.values, slot, ty) as u64,
            GlobalPlace::Memory { address, .. } => address,
        });
    }
    let bytes = usize::from(program.target.pointer_bits / 8);
    loop {
        // Every word is looked at again: the program may have stored pointers where others can see them.
        let mut grown = false;
        work.extend(memory.escaped_words(bytes));
        for address in work.drain(..) {
            grown |= memory.escape(address);
        }
        if !grown {
            break;
        }
    }
    memory.change_escaped().map_err(|fault| at.fault(program, fault))?;
    for (global, place) in (0..).map(GlobalId).zip(registers.places) {
        if let GlobalPlace::Register { slot, ty } = *place
            && program.global(global).is_shared()
        {
            let before = read_value(registers.values, slot, ty);
            let bits = io.ask(memory, Some(at), ty, InputKind::Changed { global, before })?;
            write_value(registers.values, slot, ty, bits);
        }
    }
    Ok(())
}
