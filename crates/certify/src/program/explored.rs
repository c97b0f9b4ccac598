//! Explored programs: the checker enumerates the states at the heads of loops by itself.
//!
//! Why that is enough. `states` follows all executions from a state to the next heads of loops, or to a check
//! that may fail, and the states that stand for one include its executions. By induction on the number of
//! heads that an execution comes to, it is in one of the enumerated states there; no check fails between
//! them.
//!
//! The partition is only believed to make states few: a value that it does not have is a hole in the proof.

use super::Refused;
use super::obligation::Prover;
use crate::Flaw;
use engine::Partition;
use ir::{FuncId, Program};
use rustc_hash::FxHashSet;
use states::{Ask, Divided, End, Executor, Stop};

/// More than anybody wants to wait for.
const MOST_STATES: usize = 4_000_000;

/// How the claim was shown, in words.
pub fn check(
    program: &Program,
    entry: FuncId,
    partition: &Partition,
    prover: &mut Prover,
) -> Result<String, Refused> {
    // What lies in no interval is found by counting, so no value may lie in two.
    let ascend = |list: &[(i128, i128)]| {
        list.iter().all(|(low, high)| low <= high) && list.windows(2).all(|w| w[0].1 < w[1].0)
    };
    if !partition.intervals.iter().all(|(_, list)| ascend(list)) {
        return Err(Flaw::Malformed("the intervals of a variable are no partition".to_owned()).into());
    }
    let exec = Executor::new(program, prover.budget);
    let divided = Divided::new(partition);
    let mut known = FxHashSet::default();
    let mut open = vec![exec.initial(entry).map_err(stopped)?];
    while let Some(state) = open.pop() {
        for path in exec.run(state, Ask::Anything).map_err(stopped)? {
            let head = match path.end {
                End::Head(head) => head,
                End::Fails { .. } => return Err(Flaw::Wrong("a check may fail".to_owned()).into()),
            };
            let Ok(states) = divided.divide(&exec, head) else {
                let flaw = "a variable has values that the partition does not have";
                return Err(Flaw::Wrong(flaw.to_owned()).into());
            };
            for state in states {
                if known.insert(state.clone()) {
                    open.push(state);
                }
            }
        }
        if known.len() > MOST_STATES {
            return Err(Flaw::Open("too many states".to_owned()).into());
        }
    }
    Ok(format!("{} states enumerated, {} steps", known.len(), exec.steps()))
}

fn stopped(stop: Stop) -> Refused {
    Refused::from(match stop {
        Stop::Budget(stopped) => Flaw::Open(stopped.to_string()),
        Stop::Unsupported(what) => Flaw::Open(what.to_owned()),
    })
}
