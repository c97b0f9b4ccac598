//! Numbers that follow from a seed (SplitMix64), for generated programs, edits and inputs: a seed names a run
//! on every machine.

#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Seeds next to each other give numbers that have nothing to do with each other, from the first one on.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        random.number();
        random
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 on; 0 if there is nothing below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// One of a list; nothing of an empty one.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// One of a list that has some.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One time in `n`.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// Programs of old seeds are kept as reports of bugs, so a seed means the same for ever.
    #[test]
    fn numbers_of_a_seed() {
        let mut random = Random(0);
        let numbers = [random.number(), random.number(), random.number()];
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
