//! What conditions mean as terms: the same in every encoding of integers.

use encode::IntMode;
use equiv::spec::{Binding, Name, Origin, Scope, Side, SpecOp, SpecTerm, TermError, Values, holds, to_term};
use ir::{IntType, Type};
use logic::{Sort, Term};
use proptest::prelude::*;

fn parse(text: &str) -> SpecTerm {
    let origin = Origin::file("t.c", text);
    let words = equiv::spec::read::FreeWords::Refused;
    let mut list =
        equiv::spec::read::read_terms(&origin, 0, text.len(), words).unwrap_or_else(|e| panic!("{e}"));
    list.remove(0).term
}

/// i: int, u: unsigned, c: signed char, p: a pointer, f: a float.
fn type_of(name: &Name) -> Option<Type> {
    match name {
        Name::Var(_, name) => match &**name {
            "i" => Some(Type::I32),
            "u" => Some(Type::U32),
            "c" => Some(Type::I8),
            "p" => Some(Type::Ptr),
            "d" => Some(Type::F64),
            _ => None,
        },
        Name::Result(_) => Some(Type::I32),
        _ => None,
    }
}

/// Variables as they are.
struct Symbols(IntMode);

impl Scope for Symbols {
    fn name(&self, name: &Name) -> Option<Binding> {
        let ty = type_of(name)?;
        let sort = self.0.sort(ty, &ir::Target::LP64).ok()?;
        Some(Binding { term: Term::var(&name.to_string(), sort), ty })
    }

    /// Every cell is an `int`.
    fn load(&self, side: Side, address: Term, bases: &[Name]) -> Option<Binding> {
        assert!(bases.iter().all(|b| b.side() == Some(side)), "{bases:?}");
        let (index, element) = match self.0 {
            IntMode::Bv => (Sort::Bv(64), Sort::Bv(32)),
            _ => (Sort::Int, Sort::Int),
        };
        let heap = Term::var(&Name::Heap(side).to_string(), Sort::array(index, element));
        Some(Binding { term: heap.select(address), ty: Type::I32 })
    }

    fn heaps_equal(&self) -> Option<Term> {
        Some(Term::var("same", Sort::Bool))
    }
}

/// The term in each encoding, given as SMT-LIB: both are brought to the same normal form.
fn check(text: &str, bv: &str, wrap: &str, unbounded: &str) {
    let term = parse(text);
    for (mode, expected) in [(IntMode::Bv, bv), (IntMode::Wrap, wrap), (IntMode::Unbounded, unbounded)] {
        match (to_term(&term, &Symbols(mode), mode), expected.strip_prefix("error: ")) {
            (Ok(found), None) => {
                let mut scope = logic::parse::Scope::new();
                scope.declare_vars(found);
                let expected = logic::parse::parse_term(expected, &scope)
                    .unwrap_or_else(|e| panic!("{expected}: {e:?}"));
                assert_eq!(found, expected, "{text} as {mode}");
            }
            (Err(error), Some(expected)) => assert_eq!(error.to_string(), expected, "{text} as {mode}"),
            (found, _) => panic!("{text} as {mode}: {found:?}, not {expected}"),
        }
    }
}

#[test]
fn comparisons_happen_in_a_width_that_holds_both_sides() {
    check("(<= i$1 7)", "(bvsle i$1 #x00000007)", "(<= i$1 7)", "(<= i$1 7)");
    check("(<= u$1 7)", "(bvule u$1 #x00000007)", "(<= u$1 7)", "(<= u$1 7)");
    check("(= i$1 i$2)", "(= i$1 i$2)", "(= i$1 i$2)", "(= i$1 i$2)");
    check(
        "(< i$1 5000000000)",
        "(bvslt ((_ sign_extend 2) i$1) #b0100101010000001011111001000000000)",
        "(< i$1 5000000000)",
        "(< i$1 5000000000)",
    );
    check(
        "(= i$1 (+ i$2 1))",
        "(= ((_ sign_extend 1) i$1) (bvadd ((_ sign_extend 1) i$2) (_ bv1 33)))",
        "(= i$1 (+ i$2 1))",
        "(= i$1 (+ i$2 1))",
    );
    check(
        "(< i$1 u$2)",
        "(bvslt ((_ sign_extend 1) i$1) ((_ zero_extend 1) u$2))",
        "(< i$1 u$2)",
        "(< i$1 u$2)",
    );
}

#[test]
fn bit_vector_operators() {
    check("(bvsle i$1 (_ bv13 32))", "(bvsle i$1 #x0000000d)", "(<= i$1 13)", "(<= i$1 13)");
    check("(bvsle i$1 (_ bv4294967295 32))", "(bvsle i$1 #xffffffff)", "(<= i$1 (- 1))", "(<= i$1 (- 1))");
    check(
        "(bvuge u$1 (_ bv4294967295 32))",
        "(bvuge u$1 #xffffffff)",
        "(>= u$1 4294967295)",
        "(>= u$1 4294967295)",
    );
    check("(bvult i$1 (_ bv9 32))", "(bvult i$1 #x00000009)", "(< (mod i$1 4294967296) 9)", "(< i$1 9)");
    check(
        "(= (bvadd i$1 (_ bv1 32)) i$2)",
        "(= (bvadd #x00000001 i$1) i$2)",
        "(= (- (mod (+ 2147483649 i$1) 4294967296) 2147483648) i$2)",
        "(= (+ 1 i$1) i$2)",
    );
    let widths = "error: the operands of (bvult i$1 (_ bv13 64)) have 32 and 64 bits";
    check("(bvult i$1 (_ bv13 64))", widths, widths, "(< i$1 13)");
    check(
        "(= (bvand i$1 (_ bv1 32)) (_ bv0 32))",
        "(= (bvand i$1 #x00000001) #x00000000)",
        "(= (sbv_to_int (bvand ((_ int_to_bv 32) i$1) #x00000001)) 0)",
        "error: 'bvand' on unbounded integers",
    );
}

#[test]
fn memory() {
    check(
        "(> (select HEAP$1 p$1) 2)",
        "(bvsgt (select HEAP$1 p$1) #x00000002)",
        "(> (select HEAP$1 p$1) 2)",
        "(> (select HEAP$1 p$1) 2)",
    );
    check("(= HEAP$1 HEAP$2)", "same", "same", "same");
    check("(let ((h HEAP$1)) (distinct h HEAP$2))", "(not same)", "(not same)", "(not same)");
    // A few numbers are written out.
    let cells = "(and (= (select HEAP$1 p$1) (select HEAP$2 p$2)) (= (select HEAP$1 (+ 1 p$1)) (select HEAP$2 (+ 1 p$2))))";
    let wide = "(and (= (select HEAP$1 p$1) (select HEAP$2 p$2))
        (= (select HEAP$1 (bvadd (_ bv1 64) p$1)) (select HEAP$2 (bvadd (_ bv1 64) p$2))))";
    let text = "(forall ((i Int)) (=> (and (>= i 0) (< i 2)) (= (select HEAP$1 (+ p$1 i)) (select HEAP$2 (+ p$2 i)))))";
    check(text, wide, cells, cells);
    let text = "(forall ((i Int)) (>= (select HEAP$1 i) 0))";
    let found = to_term(&parse(text), &Symbols(IntMode::Wrap), IntMode::Wrap).unwrap();
    assert_eq!(*found.op(), logic::Op::Forall, "{found}");
}

#[test]
fn sorts() {
    let check = |text: &str, expected: &str| {
        let error = to_term(&parse(text), &Symbols(IntMode::Wrap), IntMode::Wrap).unwrap_err();
        assert_eq!(error, TermError::Sort(expected.to_owned()), "{text}");
    };
    check("(+ i$1 1)", "(+ i$1 1) is not a truth value");
    check("(and i$1 true)", "i$1 is not a truth value");
    check("(> (= i$1 1) 0)", "(= i$1 1) is not a number");
    check("(= d$1 1)", "(= d$1 1) compares values of different sorts");
    check("(= (select i$1 p$1) 1)", "i$1 is not a heap");
    let unknown = to_term(&parse("(= q$1 1)"), &Symbols(IntMode::Bv), IntMode::Bv).unwrap_err();
    assert_eq!(unknown.to_string(), "unknown name 'q$1'");
}

#[test]
fn values() {
    let bits = |name: &Name| -> Option<(Type, u128)> {
        let value: i64 = match name {
            Name::Var(Side::Old, n) if &**n == "i" => -3,
            Name::Var(Side::New, n) if &**n == "i" => 4,
            Name::Var(Side::Old, n) if &**n == "u" => 0xffff_ffff,
            _ => return None,
        };
        let ty = type_of(name)?;
        Some((ty, ty.as_int()?.wrap(value.into())))
    };
    let check =
        |text: &str, expected: Option<bool>| assert_eq!(holds(&parse(text), &bits), expected, "{text}");
    check("(= (+ i$1 7) i$2)", Some(true));
    check("(< u$1 0)", Some(false));
    check("(= (div i$1 2) (- 2))", Some(true));
    check("(= (mod i$1 2) 1)", Some(true));
    check("(= (abs i$1) 3)", Some(true));
    check("(bvult i$1 i$2)", Some(false));
    check("(bvslt i$1 i$2)", Some(true));
    check("(= (bvand i$1 (_ bv255 32)) (_ bv253 32))", Some(true));
    check("(exists ((k Int)) (and (<= 0 k) (<= k 5) (= (* 2 k) i$2)))", Some(true));
    check("(forall ((k Int)) (= k i$2))", None);
    // What is not known does not matter beside what is false.
    check("(and (= HEAP$1 HEAP$2) (> i$1 0))", Some(false));
    check("(and (= HEAP$1 HEAP$2) (< i$1 0))", None);
    check("(= p$1 0)", None);
}

struct Cells;

impl Values for Cells {
    fn name(&self, name: &Name) -> Option<(Type, u128)> {
        (type_of(name)? == Type::Ptr).then_some((Type::Ptr, 1000))
    }

    fn load(&self, side: Side, address: u64, _bases: &[Name]) -> Option<(Type, u128)> {
        (1000..1040)
            .contains(&address)
            .then(|| (Type::I32, u128::from(address) + u128::from(side == Side::New)))
    }
}

#[test]
fn values_in_memory() {
    let check =
        |text: &str, expected: Option<bool>| assert_eq!(holds(&parse(text), &Cells), expected, "{text}");
    check("(= (select HEAP$1 (+ p$1 8)) 1008)", Some(true));
    check(
        "(forall ((i Int)) (=> (and (<= 0 i) (< i 40)) (< (select HEAP$1 (+ i p$1)) (select HEAP$2 (+ i p$2)))))",
        Some(true),
    );
    check("(= (select HEAP$1 5) 5)", None);
}

/// Random conditions over the four numbers; no division, whose divisor must be a constant.
fn condition() -> impl Strategy<Value = SpecTerm> {
    let var = |name: &'static str| {
        prop_oneof![Just(Side::Old), Just(Side::New)]
            .prop_map(move |side| SpecTerm::Name(Name::Var(side, name.into())))
    };
    let number = prop_oneof![
        var("i"),
        var("u"),
        var("c"),
        any::<i8>().prop_map(|n| SpecTerm::Int(n.into())),
        any::<i64>().prop_map(|n| SpecTerm::Int(n.into())),
    ];
    let number = number.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            (prop::sample::select(vec![SpecOp::Add, SpecOp::Sub, SpecOp::Mul]), inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| SpecTerm::apply(op, [a, b])),
            inner.clone().prop_map(|a| SpecTerm::apply(SpecOp::Abs, [a])),
            (inner.clone(), -20i32..20, any::<bool>()).prop_map(|(a, d, rest)| {
                let d = SpecTerm::Int((if d == 0 { 7 } else { d }).into());
                SpecTerm::apply(if rest { SpecOp::Mod } else { SpecOp::Div }, [a, d])
            }),
        ]
    });
    let bits = (prop_oneof![var("i"), var("u")], any::<u32>(), 0..6usize).prop_map(|(a, b, op)| {
        use SpecOp::*;
        let b = SpecTerm::Bits { value: b.into(), width: 32 };
        let op = [BvAdd, BvSub, BvMul, BvAnd, BvXor, BvUdiv][op];
        SpecTerm::apply(op, [a, b])
    });
    let compare = {
        use SpecOp::*;
        (prop::sample::select(vec![Le, Lt, Ge, Gt, Equal, Distinct]), number.clone(), number)
            .prop_map(|(op, a, b)| SpecTerm::apply(op, [a, b]))
    };
    let compare_bits = {
        use SpecOp::*;
        (prop::sample::select(vec![BvUle, BvUlt, BvSle, BvSgt, BvUge]), bits.clone(), bits)
            .prop_map(|(op, a, b)| SpecTerm::apply(op, [a, b]))
    };
    prop_oneof![2 => compare, 1 => compare_bits]
}

/// Constants for the variables, in one encoding.
struct Fixed(IntMode, [u32; 6]);

impl Scope for Fixed {
    fn name(&self, name: &Name) -> Option<Binding> {
        let ty = type_of(name)?;
        let int: IntType = ty.as_int()?;
        let Name::Var(side, text) = name else { return None };
        let index = ["i", "u", "c"].iter().position(|n| **n == **text)? * 2 + side.index();
        let bits = u128::from(self.1[index]) & int.mask();
        let term = self.0.constant(ty, &ir::Target::LP64, bits).ok()?;
        Some(Binding { term, ty })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Both encodings of the exact semantics agree on every value, and so do the printed form and the term.
    #[test]
    fn encodings_agree(condition in condition(), values in any::<[u32; 6]>(), small in any::<bool>()) {
        let values = if small { values.map(|v| (v % 7).wrapping_sub(3)) } else { values };
        let wrap = to_term(&condition, &Fixed(IntMode::Wrap, values), IntMode::Wrap).unwrap();
        prop_assert!(wrap.is_const(), "{condition} is {wrap}");
        match to_term(&condition, &Fixed(IntMode::Bv, values), IntMode::Bv) {
            Ok(bv) => prop_assert_eq!(bv, wrap, "{}", condition),
            // Only what has no width of at most 128 bits.
            Err(error) => prop_assert!(error.to_string().contains("128 bits"), "{}", error),
        }
        prop_assert_eq!(parse(&condition.to_string()), condition);
    }
}
