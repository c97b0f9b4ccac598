//! Graphs against evaluation, clauses against graphs, the binary form against damage.

use base::Budget;
use proptest::prelude::*;
use sat::*;

/// One step of building: an operation on results of earlier ones (or inputs), by position.
#[derive(Clone, Debug)]
struct Step(u8, u16, u16, u16);

const INPUTS: u32 = 6;
/// Bit `i` of word `n` is bit `n` of `i`: all assignments of six inputs.
const ALL: [u64; INPUTS as usize] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (0..8u8, any::<u16>(), any::<u16>(), any::<u16>()).prop_map(|(o, a, b, c)| Step(o, a, b, c));
    prop::collection::vec(step, 1..most)
}

/// Builds a graph, and the truth table of each edge by other means.
fn build(steps: &[Step]) -> (Aig, Vec<(Lit, u64)>) {
    let mut aig = Aig::new();
    let mut made = vec![(Lit::FALSE, 0), (Lit::TRUE, u64::MAX)];
    made.extend((0..INPUTS).map(|i| (aig.input(i), ALL[i as usize])));
    for &Step(operation, a, b, c) in steps {
        // Mostly recent results, otherwise everything stays shallow.
        let pick = |n: u16| made[made.len() - 1 - (n as usize % made.len().min(12))];
        let ((a, x), (b, y), (c, z)) = (pick(a), pick(b), pick(c));
        made.push(match operation {
            0 | 1 => (aig.and(a, b), x & y),
            2 => (aig.or(a, b), x | y),
            3 => (aig.xor(a, b), x ^ y),
            4 => (aig.ite(a, b, c), x & y | !x & z),
            5 => (!a, !x),
            6 => (aig.and_all([a, !b, c]), x & !y & z),
            _ => (aig.implies(a, b), !x | y),
        });
    }
    (aig, made)
}

fn table(aig: &Aig, lit: Lit) -> u64 {
    aig.evaluate(&[lit], |label| ALL[label as usize])[0]
}

proptest! {
    #[test]
    fn simplification_keeps_the_function(steps in steps(80)) {
        let (aig, made) = build(&steps);
        for &(lit, expected) in &made {
            prop_assert_eq!(table(&aig, lit), expected);
        }
        // Two operands at most, smaller numbers first, no constants: what rewriting promises.
        for node in 1..aig.len() as u32 {
            if let Node::And(a, b) = aig.node(node) {
                prop_assert!(a < b && b.node() < node && !a.is_constant() && a.node() != b.node());
            }
        }
    }

    #[test]
    fn copies_are_equal(steps in steps(80)) {
        let (aig, made) = build(&steps);
        let roots: Vec<Lit> = made.iter().rev().step_by(3).map(|m| m.0).collect();
        let values: Vec<u64> = roots.iter().map(|&lit| table(&aig, lit)).collect();
        let values_of = |aig: &Aig, roots: &[Lit]| aig.evaluate(roots, |label| ALL[label as usize]);

        let (extracted, copies) = aig.extract(&roots);
        prop_assert_eq!(values_of(&extracted, &copies), &values[..]);
        prop_assert_eq!(extracted.support(&copies), aig.support(&roots));
        prop_assert!(extracted.size(&copies) <= aig.size(&roots));

        let (read, stored) = Aig::from_bytes(&aig.to_bytes(&roots)).unwrap();
        prop_assert_eq!(values_of(&read, &stored), &values[..]);
        prop_assert_eq!(read.to_bytes(&stored), extracted.to_bytes(&copies));

        let (reduced, fewer) = aig.reduce(&roots, &Budget::unlimited());
        prop_assert_eq!(values_of(&reduced, &fewer), &values[..]);
        prop_assert!(reduced.size(&fewer) <= extracted.size(&copies));
        // Six inputs are few: all equal functions are found.
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                prop_assert_eq!(fewer[i] == fewer[j], a == b);
            }
        }

        // Inputs exchanged and complemented.
        let mut other = Aig::new();
        let moved = other.import(&aig, &roots, |aig, label| !aig.input(INPUTS - 1 - label));
        let moved = other.evaluate(&moved, |label| !ALL[(INPUTS - 1 - label) as usize]);
        prop_assert_eq!(moved, values);
    }

    /// The clauses have the models that the graph has, whether roots are assumed, refuted or asserted.
    #[test]
    fn clauses_mean_the_graph(steps in steps(60), asserted: u8) {
        let (aig, made) = build(&steps);
        let (mut solver, mut encoder) = (Solver::for_easy_queries(), Encoder::new());
        let inputs: Vec<Literal> = (0..INPUTS).map(|_| solver.new_var()).collect();
        for (label, &literal) in inputs.iter().enumerate() {
            prop_assert!(encoder.bind(label as u32, literal));
        }
        let (required, allowed) = made[asserted as usize % made.len()];
        encoder.assert(&aig, required, &mut solver);
        for &(lit, expected) in made.iter().rev().take(12) {
            let literal = encoder.encode(&aig, lit, &mut solver);
            prop_assert_eq!(encoder.encode(&aig, !lit, &mut solver), !literal);
            for assignment in 0..64u32 {
                let inputs = inputs.iter().enumerate().map(|(i, &l)| l.flip_if(assignment >> i & 1 == 0));
                let mut assumptions: Vec<Literal> = inputs.collect();
                assumptions.push(literal);
                let answer = solver.solve(&assumptions, &Budget::unlimited()).unwrap();
                prop_assert_eq!(answer == Answer::Sat, (allowed & expected) >> assignment & 1 == 1);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_safely(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = Aig::from_bytes(&bytes);
        let _ = Aig::from_bytes(&[&[0xa1], &bytes[..]].concat());
    }

    #[test]
    fn damaged_bytes_are_read_safely(steps in steps(30), at: prop::sample::Index, bit in 0..8u8) {
        let (aig, made) = build(&steps);
        let mut bytes = aig.to_bytes(&[made[made.len() - 1].0]);
        for length in 0..bytes.len() {
            prop_assert!(Aig::from_bytes(&bytes[..length]).is_err());
        }
        let place = at.index(bytes.len());
        bytes[place] ^= 1 << bit;
        if let Ok((aig, roots)) = Aig::from_bytes(&bytes) {
            prop_assert!(aig.len() <= bytes.len() && roots.len() <= bytes.len());
        }
    }
}

/// Counts are checked against the bytes that are there before anything is allocated.
#[test]
fn huge_counts_are_refused() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    for place in 0..3 {
        let counts: Vec<u8> = (0..3).flat_map(|i| if i == place { huge.to_vec() } else { vec![0] }).collect();
        assert!(Aig::from_bytes(&[&[0xa1], &counts[..], &[0; 100]].concat()).is_err());
    }
    assert!(Aig::from_bytes(&[0xa1, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0]).is_err(), "more than 32 bits");
}

/// Cones as deep as they are large need no stack.
#[test]
fn deep_cones() {
    let mut aig = Aig::new();
    let mut sum = aig.input(0);
    for i in 1..40_000 {
        let input = aig.input(i % 1000);
        let both = aig.and(sum, input);
        sum = aig.or(both, !input);
        let other = aig.input(1000 + i);
        sum = aig.xor(sum, other);
    }
    let (copy, roots) = Aig::from_bytes(&aig.to_bytes(&[sum])).unwrap();
    assert_eq!(copy.size(&roots), aig.size(&[sum]));
    let random = |label: u32| u64::from(label).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    assert_eq!(copy.evaluate(&roots, random), aig.evaluate(&[sum], random));
    let mut solver = Solver::new();
    let literal = Encoder::new().encode(&aig, sum, &mut solver);
    assert_eq!(solver.solve(&[literal], &Budget::unlimited()), Ok(Answer::Sat));
}

/// Two adders of different structure become one, and what depends on no input becomes constant.
#[test]
fn equal_circuits_are_merged() {
    let mut aig = Aig::new();
    let bits: Vec<(Lit, Lit)> = (0..16).map(|i| (aig.input(2 * i), aig.input(2 * i + 1))).collect();
    let (mut carry, mut majority) = (Lit::FALSE, Lit::FALSE);
    let (mut first, mut second) = (vec![], vec![]);
    for &(a, b) in &bits {
        let half = aig.xor(a, b);
        first.push(aig.xor(half, carry));
        carry = aig.ite(half, carry, a);
        let half = aig.xor(b, majority);
        second.push(aig.xor(half, a));
        let (x, y, z) = (aig.and(a, b), aig.and(a, majority), aig.and(b, majority));
        majority = aig.or_all([x, y, z]);
    }
    let differences: Vec<Lit> = first.iter().zip(&second).map(|(&a, &b)| aig.xor(a, b)).collect();
    let differ = aig.or_all(differences);
    assert_eq!(aig.reduce(&[differ], &Budget::unlimited()).1, [Lit::FALSE]);
    let both: Vec<Lit> = first.iter().chain(&second).copied().collect();
    let (reduced, roots) = aig.reduce(&both, &Budget::unlimited());
    assert_eq!(roots[..16], roots[16..]);
    assert!(reduced.size(&roots) <= aig.size(&first));
    // Without any questions nothing is merged, but nothing is wrong either.
    let (same, roots) = aig.reduce(&both, &Budget::steps(0));
    let random = |label: u32| u64::from(label + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    assert_eq!(same.evaluate(&roots, random), aig.evaluate(&both, random));
}
