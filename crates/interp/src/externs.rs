//! Functions without a body: the C library's output functions do what they do, others return an input.

use crate::code::CallSite;
use crate::inputs::InputKind;
use crate::io::{At, Io};
use crate::machine::arguments;
use crate::memory::Memory;
use crate::outcome::{ExternCall, Outcome};
use ir::FuncId;

/// Calls `id`; its result's bits, if it has one that is wanted.
pub fn call(
    io: &mut Io,
    memory: &mut Memory,
    at: At,
    id: FuncId,
    site: &CallSite,
    regs: &[u64],
) -> Result<Option<u128>, Outcome> {
    let function = io.program.function(id);
    let args = arguments(site, regs);
    let result = {
        if io.assumed_set.insert(id) {
            io.assumed.push(id);
        }
        match (site.dst, function.ret) {
            (Some(_), Some(ty)) => Some(io.ask(memory, Some(at), ty, InputKind::ExternReturn(id))?),
            _ => None,
        }
    };
    if io.options.record_calls {
        let size = size_of::<ExternCall>() + args.len() * size_of::<u128>();
        if !memory.charge(size as u64) {
            return Err(Outcome::OutOfMemory);
        }
        let args = args.iter().map(|(_, bits)| *bits).collect();
        io.calls.push(ExternCall { function: id, edge: at.step(), args, result });
    }
    Ok(result)
}
