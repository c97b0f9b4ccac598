//! Every edge again, without any iteration: is the result inductive?

use crate::Ranges;
use crate::post::Context;
use crate::state::State;
use ir::{Body, EdgeId, FuncId, NodeId, Op, Program};

pub fn check(ranges: &Ranges, program: &Program) -> Result<(), String> {
    let context = Context::new(program, ranges.entry);
    let says = |f: FuncId, what: String| Err(format!("{}: {what}", program.function(f).name));
    let holds = |f: FuncId, node: NodeId, state: &State| ranges.at(f, node).is_some_and(|s| state.within(s));
    if let Some(Body::Defined(cfa)) = program.functions.get(ranges.entry.0 as usize).map(|f| &f.body)
        && !holds(ranges.entry, cfa.entry, &context.initial(ranges.entry))
    {
        return says(ranges.entry, "the first state is not covered".to_owned());
    }
    for f in program.function_ids() {
        let Some(cfa) = program.function(f).cfa() else { continue };
        for (i, edge) in cfa.edges().iter().enumerate() {
            let Some(state) = ranges.at(f, edge.from) else { continue };
            let id = EdgeId(i as u32);
            if let Some(after) = context.post(f, id, state, &ranges.exits)
                && !holds(f, edge.to, &after)
            {
                return says(f, format!("edge {i}, {} -> {}", edge.from.0, edge.to.0));
            }
            if let Some(exit) = context.exit(f, &edge.op, state)
                && !ranges.exit(f).is_some_and(|known| exit.within(known))
            {
                return says(f, format!("the return on edge {i}"));
            }
            let (Op::Call { args, .. }, Some(site)) = (&edge.op, context.graph.site(f, id)) else { continue };
            for target in &site.targets {
                if let Some(callee) = program.function(*target).cfa()
                    && !holds(*target, callee.entry, &context.entered(args, state, *target))
                {
                    return says(f, format!("the call of {} on edge {i}", program.function(*target).name));
                }
            }
        }
    }
    Ok(())
}
