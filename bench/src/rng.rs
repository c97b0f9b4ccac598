//! Choices of a seed: the same seed gives the same benchmark on every machine.

use base::random::Random;

pub struct Rng(Random);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(Random(seed))
    }

    /// A generator for part `index` of a larger job, independent of the order in which parts run.
    pub fn part(seed: u64, index: u64) -> Rng {
        let mut rng = Rng::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
        rng.next();
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// Below `n`; 0 for `n` = 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.below(n) }
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
