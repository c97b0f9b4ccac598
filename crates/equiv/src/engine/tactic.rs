//! Tactics: how loops are coupled and how large the space of formulas is, in the order in which they are
//! tried.

use crate::concrete;
use crate::prove::Pairing;
use crate::template::Effort;
use std::time::Duration;

/// How much time one attempt may take, growing from pass to pass.
pub const SLICES: [Duration; 3] =
    [Duration::from_millis(1500), Duration::from_secs(5), Duration::from_secs(20)];

pub const PLAIN: Effort = Effort { products: false, partitions: 0, parities: false, orders: false };
pub const SPLIT: Effort = Effort { partitions: 4, ..PLAIN };
pub const ORDERS: Effort = Effort { partitions: 4, orders: true, ..PLAIN };
pub const MODULAR: Effort = Effort { parities: true, ..PLAIN };
pub const PARITY: Effort = Effort { partitions: 2, parities: true, ..PLAIN };
pub const PRODUCTS: Effort = Effort { products: true, ..PLAIN };
pub const DEEPER: Effort = Effort { products: true, partitions: 5, orders: true, ..PLAIN };

/// How loops are coupled, whatever the shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tactic {
    pub effort: Effort,
    /// Is a loop left as soon as one side leaves it?
    pub eager: bool,
    pub pairing: Pairing,
}

pub const fn tactic(effort: Effort) -> Tactic {
    Tactic { effort, eager: false, pairing: Pairing::All }
}

pub const fn eager(effort: Effort) -> Tactic {
    Tactic { effort, eager: true, pairing: Pairing::All }
}

impl std::fmt::Display for Tactic {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Effort { products, partitions, parities, orders } = self.effort;
        write!(f, "{partitions} partitions")?;
        for (on, what) in [
            (products, "products"),
            (orders, "orders"),
            (parities, "parities"),
            (self.eager, "loops left at once"),
            (self.pairing == Pairing::First, "first loops"),
            (self.pairing == Pairing::Last, "last loops"),
        ] {
            if on {
                write!(f, ", {what}")?;
            }
        }
        Ok(())
    }
}

/// Tried on the versions as they are, in this order; what costs more comes after other shapes were tried.
pub const FIRST: [Tactic; 2] = [tactic(PLAIN), eager(PLAIN)];
pub const SECOND: [Tactic; 9] = [
    tactic(SPLIT),
    eager(SPLIT),
    tactic(ORDERS),
    eager(ORDERS),
    tactic(MODULAR),
    tactic(PARITY),
    Tactic { effort: PLAIN, eager: false, pairing: Pairing::Last },
    Tactic { effort: PLAIN, eager: false, pairing: Pairing::First },
    tactic(PRODUCTS),
];
pub const THIRD: [Tactic; 1] = [eager(PARITY)];
/// On versions in which even functions that are the same are looked into.
pub const OPEN: [Tactic; 5] = [tactic(PLAIN), eager(PLAIN), tactic(MODULAR), tactic(SPLIT), eager(SPLIT)];
/// With more time for each.
pub const LAST: [Tactic; 5] =
    [tactic(PLAIN), tactic(SPLIT), tactic(ORDERS), tactic(PRODUCTS), tactic(DEEPER)];
/// For callees.
pub const QUICK: [Tactic; 3] = [tactic(PLAIN), eager(PLAIN), tactic(SPLIT)];

/// How many runs, from pass to pass.
pub fn differ_effort(pass: u32) -> concrete::Effort {
    let default = concrete::Effort::default();
    match pass {
        0 => concrete::Effort { inputs: 100, steps: 2_000, deep_total: 0, watched_runs: 0, ..default },
        1 => concrete::Effort { inputs: 600, steps: 20_000, deep_total: 6_000_000, ..default },
        2 => concrete::Effort { inputs: 3_000, deep_total: 100_000_000, deep_steps: 20_000_000, ..default },
        _ => concrete::Effort { inputs: 20_000, deep_total: u64::MAX, deep_steps: u64::MAX, ..default },
    }
}
