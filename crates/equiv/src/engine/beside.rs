//! The search for a difference side by side, in a thread of its own while proofs are tried.

use super::members::{contract, modes};
use crate::product::Product;
use crate::prove;
use crate::shape::Shape;
use crate::symbolic::{self, Found, Guess};
use crate::verdict::Request;
use base::Budget;
use encode::Unsupported;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Rounds of loops that are looked at, one bound after the other.
const ROUNDS: [u32; 7] = [1, 2, 4, 9, 17, 33, 65];

/// What one bound came to.
pub struct Told {
    pub bound: u32,
    pub what: What,
    pub time: Duration,
}

pub enum What {
    /// To be confirmed.
    Guess(Box<Product>, Box<Guess>),
    Nothing,
    Unknown(Option<Unsupported>),
}

/// Looks for differences with growing bounds, in versions that have no calls left but recursive ones, and
/// tells what it finds, a difference by interrupting the request first. Ends when more rounds would not show
/// more, or nobody listens.
pub fn search(request: &Request, shape: &Shape, budget: &Budget, tell: &Sender<Told>) {
    let Some(&mode) = modes(request.integers).first() else { return };
    let contract = contract(request, shape, mode);
    for bound in ROUNDS {
        let start = Instant::now();
        let (what, cut) = match prove::unwound(shape, bound, &contract, mode, budget) {
            Ok(product) => {
                let cut = product.cut;
                let what = match symbolic::search(&product, mode, budget) {
                    Found::Guess(guess) => What::Guess(Box::new(product), guess),
                    Found::Nothing => What::Nothing,
                    Found::Unknown => What::Unknown(None),
                };
                (what, cut)
            }
            Err(unsupported) => (What::Unknown(Some(unsupported)), false),
        };
        if let What::Guess(..) = what {
            request.budget.cancelled.store(true, Ordering::Relaxed);
        }
        let told = Told { bound, what, time: start.elapsed() };
        if tell.send(told).is_err() || !cut || budget.check(0).is_err() {
            return;
        }
    }
}
