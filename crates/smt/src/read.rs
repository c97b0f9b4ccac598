//! Z3's terms back to ours: values of models, covers, what tactics leave.
//!
//! Z3 answers with more operations than it was given (`bvneg`, `distinct`, `as-array`, lambdas); each is
//! written with ours, or the whole answer is `None`. What comes from here is simplified by our constructors.

use crate::raw::{Ast, Decl, DeclKind as K, Kind, Model, SortShape, ZSort};
use crate::translate::{Space, quiet_nan};
use logic::{IBig, Op, Rounding, Sort, Term};
use rustc_hash::FxHashMap;

/// The term that Z3's is, if we have one. `as-array` values are looked up in the model.
pub(crate) fn read(space: &Space, ast: &Ast, model: Option<&Model>) -> Option<Term> {
    let mut reader = Reader { space, model, done: FxHashMap::default(), bound: 0 };
    match reader.read(ast)? {
        Read::Term(term) => Some(term),
        Read::Mode(_) => None,
    }
}

pub(crate) fn read_sort(sort: &ZSort) -> Option<Sort> {
    Some(match sort.shape() {
        SortShape::Bool => Sort::Bool,
        SortShape::Int => Sort::Int,
        SortShape::Bv(width) if width <= 128 => Sort::Bv(width),
        SortShape::Float(e, s) if e + s <= 128 => Sort::Float(e, s),
        SortShape::Array(index, element) => Sort::array(read_sort(&index)?, read_sort(&element)?),
        _ => return None,
    })
}

#[derive(Clone, Copy)]
enum Read {
    Term(Term),
    /// Rounding modes are terms to Z3 and part of the operation to us.
    Mode(Rounding),
}

struct Reader<'a> {
    space: &'a Space,
    model: Option<&'a Model>,
    /// By Z3's number of the term, which is held so that the number is not given to another one.
    done: FxHashMap<u32, (Ast, Read)>,
    /// How many bound variables got a name.
    bound: u32,
}

impl Reader<'_> {
    fn read(&mut self, ast: &Ast) -> Option<Read> {
        let mut stack = vec![(ast.clone(), false)];
        while let Some((a, ready)) = stack.pop() {
            if self.done.contains_key(&a.id()) {
                continue;
            }
            let result = match a.kind() {
                Kind::Numeral(digits) => self.numeral(&a, &digits)?,
                Kind::App if ready => {
                    let args: Option<Vec<Read>> = a.args().iter().map(|x| self.known(x)).collect();
                    self.app(&a, &args?)?
                }
                Kind::App => {
                    let args = a.args();
                    stack.push((a, true));
                    stack.extend(args.into_iter().map(|x| (x, false)));
                    continue;
                }
                Kind::Forall => Read::Term(self.quantifier(&a, Term::forall)?),
                Kind::Exists => Read::Term(self.quantifier(&a, Term::exists)?),
                Kind::Lambda => Read::Term(self.lambda(&a)?),
                Kind::Bound | Kind::Other => return None,
            };
            self.done.insert(a.id(), (a, result));
        }
        self.known(ast)
    }

    fn known(&self, ast: &Ast) -> Option<Read> {
        self.done.get(&ast.id()).map(|(_, read)| *read)
    }

    fn term(&mut self, ast: &Ast) -> Option<Term> {
        match self.read(ast)? {
            Read::Term(term) => Some(term),
            Read::Mode(_) => None,
        }
    }

    fn numeral(&self, ast: &Ast, digits: &str) -> Option<Read> {
        let decl = ast.decl()?;
        let mode = |kind, mode| decl.is(kind).then_some(Read::Mode(mode));
        let Some(sort) = read_sort(&ast.sort()?) else {
            return mode(K::FpaRmNearestTiesToEven, Rounding::NearestEven)
                .or_else(|| mode(K::FpaRmNearestTiesToAway, Rounding::NearestAway))
                .or_else(|| mode(K::FpaRmTowardZero, Rounding::ToZero))
                .or_else(|| mode(K::FpaRmTowardPositive, Rounding::Up))
                .or_else(|| mode(K::FpaRmTowardNegative, Rounding::Down));
        };
        match sort {
            Sort::Float(..) => self.float(ast, sort).map(Read::Term),
            Sort::Int | Sort::Bv(_) => Some(Read::Term(Term::number(sort, digits.parse::<IBig>().ok()?))),
            _ => None,
        }
    }

    /// A float constant, by its encoding.
    fn float(&self, ast: &Ast, sort: Sort) -> Option<Term> {
        if ast.decl()?.is(K::FpaNan) {
            return Some(Term::float(quiet_nan(sort)?, sort));
        }
        let c = &self.space.ctx;
        let bits = c.simplify(&c.make1(z3_sys::Z3_mk_fpa_to_ieee_bv, ast)?)?;
        let Kind::Numeral(digits) = bits.kind() else { return None };
        Some(Term::float(digits.parse().ok()?, sort))
    }

    fn open(&mut self, ast: &Ast) -> Option<(Vec<Term>, Term)> {
        let bound = &mut self.bound;
        let (vars, body) = ast.open(|old| {
            *bound += 1;
            format!("{old}'{bound}")
        })?;
        let vars: Option<Vec<Term>> = vars.iter().map(|v| self.term(v)).collect();
        Some((vars?, self.term(&body)?))
    }

    fn quantifier(&mut self, ast: &Ast, make: fn(&[Term], Term) -> Term) -> Option<Term> {
        let (vars, body) = self.open(ast)?;
        Some(make(&vars, body))
    }

    /// A lambda that is a constant array with finitely many exceptions, or another array.
    fn lambda(&mut self, ast: &Ast) -> Option<Term> {
        let (vars, body) = self.open(ast)?;
        let [var] = vars[..] else { return None };
        let free = |t: Term| !logic::free_vars(t).contains(&var);
        let (mut rest, mut stores) = (body, Vec::new());
        let mut array = loop {
            match (rest.op(), rest.args()) {
                _ if free(rest) => break Term::const_array(var.sort(), rest),
                (Op::Select, &[array, index]) if index == var && free(array) => break array,
                (Op::Ite, &[condition, value, otherwise]) => {
                    let index = other_side(condition, var).filter(|i| free(*i) && free(value))?;
                    stores.push((index, value));
                    rest = otherwise;
                }
                _ => return None,
            }
        };
        // The first exception counts, so it is stored last.
        for (index, value) in stores.into_iter().rev() {
            array = array.store(index, value);
        }
        Some(array)
    }

    fn app(&mut self, ast: &Ast, args: &[Read]) -> Option<Read> {
        let decl = ast.decl()?;
        let sort = ast.sort();
        let terms: Option<Vec<Term>> =
            args.iter().map(|a| if let Read::Term(t) = a { Some(*t) } else { None }).collect();
        let Some(a) = terms else {
            return self.rounded(&decl, args, read_sort(&sort?)?).map(Read::Term);
        };
        let Some(sort) = read_sort(&sort?) else { return self.numeral(ast, "") };
        if decl.is(K::Uninterpreted) {
            let name = decl.name();
            let term = if a.is_empty() { Term::var(&name, sort) } else { Term::apply(&name, a, sort) };
            return Some(Read::Term(term));
        }
        if decl.is(K::AsArray) {
            return self.as_array(ast, sort).map(Read::Term);
        }
        basic(&decl, &a, sort)
            .or_else(|| bits(&decl, &a, sort))
            .or_else(|| self.floats(ast, &decl, &a, sort))
            .map(Read::Term)
    }

    fn as_array(&mut self, ast: &Ast, sort: Sort) -> Option<Term> {
        let table = self.model?.table(&ast.as_array()?)?;
        let mut array = Term::const_array(sort.index()?, self.term(&table.otherwise)?);
        for (index, value) in table.entries {
            let [index] = &index[..] else { return None };
            let (index, value) = (self.term(index)?, self.term(&value)?);
            array = array.store(index, value);
        }
        Some(array)
    }

    fn floats(&self, ast: &Ast, decl: &Decl, a: &[Term], sort: Sort) -> Option<Term> {
        let plain = |kind: K, op: Op| decl.is(kind).then_some(op);
        let constants =
            [K::FpaNum, K::FpaPlusInf, K::FpaMinusInf, K::FpaNan, K::FpaPlusZero, K::FpaMinusZero];
        if constants.into_iter().any(|k| decl.is(k)) {
            return self.float(ast, sort);
        }
        match a {
            &[sign, exponent, significand] if decl.is(K::FpaFp) => {
                Some(Term::fp_from(Op::FpFromBits, sign.concat(exponent).concat(significand), sort))
            }
            &[x] if decl.is(K::FpaToFp) && x.sort() == Sort::Bv(sort.width()?) => {
                Some(Term::fp_from(Op::FpFromBits, x, sort))
            }
            // Ours has one encoding for NaN and Z3's has any; it is only ever written for what is not NaN.
            &[x] if decl.is(K::FpaToIeeeBv) => Some(x.fp_to_bits()),
            &[_] | &[_, _] => {
                let op = plain(K::FpaNeg, Op::FpNeg)
                    .or_else(|| plain(K::FpaAbs, Op::FpAbs))
                    .or_else(|| plain(K::FpaRem, Op::FpRem))
                    .or_else(|| plain(K::FpaIsNan, Op::FpIsNan))
                    .or_else(|| plain(K::FpaIsInf, Op::FpIsInfinite))
                    .or_else(|| plain(K::FpaIsNegative, Op::FpIsNegative))
                    .or_else(|| plain(K::FpaEq, Op::FpEq))
                    .or_else(|| plain(K::FpaLt, Op::FpLt))
                    .or_else(|| plain(K::FpaLe, Op::FpLe));
                if let Some(op) = op {
                    return Some(Term::make(op, a.iter().copied(), sort));
                }
                let turned = plain(K::FpaGt, Op::FpLt).or_else(|| plain(K::FpaGe, Op::FpLe))?;
                Some(Term::make(turned, a.iter().rev().copied(), sort))
            }
            _ => None,
        }
    }

    /// Operations whose first argument is a rounding mode.
    fn rounded(&self, decl: &Decl, args: &[Read], sort: Sort) -> Option<Term> {
        let (Read::Mode(r), rest) = args.split_first().map(|(m, rest)| (*m, rest))? else { return None };
        let rest: Option<Vec<Term>> =
            rest.iter().map(|a| if let Read::Term(t) = a { Some(*t) } else { None }).collect();
        let rest = rest?;
        let first = *rest.first()?;
        let ops = [
            (K::FpaAdd, Op::FpAdd(r)),
            (K::FpaSub, Op::FpSub(r)),
            (K::FpaMul, Op::FpMul(r)),
            (K::FpaDiv, Op::FpDiv(r)),
            (K::FpaSqrt, Op::FpSqrt(r)),
            (K::FpaRoundToIntegral, Op::FpRoundToIntegral(r)),
            (K::FpaToFpUnsigned, Op::FpFromUnsigned(r)),
            (K::FpaToSbv, Op::FpToSigned(r, sort.width().unwrap_or(0))),
            (K::FpaToUbv, Op::FpToUnsigned(r, sort.width().unwrap_or(0))),
        ];
        if let Some((_, op)) = ops.into_iter().find(|(kind, _)| decl.is(*kind)) {
            return Some(Term::make(op, rest, sort));
        }
        match first.sort() {
            Sort::Float(..) if decl.is(K::FpaToFp) => Some(Term::fp_from(Op::FpFromFp(r), first, sort)),
            Sort::Bv(_) if decl.is(K::FpaToFp) => Some(Term::fp_from(Op::FpFromSigned(r), first, sort)),
            _ => None,
        }
    }
}

/// The `t` of `var = t`.
fn other_side(condition: Term, var: Term) -> Option<Term> {
    if condition == var {
        return Some(Term::bool(true));
    }
    if *condition.op() == Op::Not && condition.args()[0] == var {
        return Some(Term::bool(false));
    }
    match (condition.op(), condition.args()) {
        (Op::Eq, &[a, b]) if a == var => Some(b),
        (Op::Eq, &[a, b]) if b == var => Some(a),
        _ => None,
    }
}

/// Truth values, integers, arrays.
fn basic(decl: &Decl, a: &[Term], sort: Sort) -> Option<Term> {
    let is = |kind: K| decl.is(kind);
    let all = || a.iter().copied();
    Some(match a {
        [] if is(K::True) => Term::bool(true),
        [] if is(K::False) => Term::bool(false),
        _ if is(K::And) => Term::all(all()),
        _ if is(K::Or) => Term::any(all()),
        &[x] if is(K::Not) => x.not(),
        &[x, y] if is(K::Eq) || is(K::Iff) || is(K::Oeq) => x.equals(y),
        &[x, y] if is(K::Implies) => x.implies(y),
        [_, ..] if is(K::Xor) => all().reduce(Term::differs)?,
        _ if is(K::Distinct) => Term::all((0..a.len()).flat_map(|i| (0..i).map(move |j| a[i].differs(a[j])))),
        &[c, x, y] if is(K::Ite) => c.ite(x, y),
        [_, ..] if is(K::Add) && sort == Sort::Int => all().reduce(Term::add)?,
        [_, ..] if is(K::Sub) && sort == Sort::Int => all().reduce(Term::sub)?,
        [_, ..] if is(K::Mul) && sort == Sort::Int => all().reduce(Term::mul)?,
        &[x] if is(K::Uminus) && sort == Sort::Int => x.neg(),
        &[x] if is(K::Abs) && sort == Sort::Int => Term::int(0).int_le(x).ite(x, x.neg()),
        &[x, y] if is(K::Idiv) => x.div(y),
        &[x, y] if is(K::Mod) => x.modulo(y),
        &[x, y] if is(K::Rem) => {
            let m = x.modulo(y);
            Term::int(0).int_le(y).ite(m, m.neg())
        }
        &[x, y] if is(K::Le) => x.int_le(y),
        &[x, y] if is(K::Ge) => x.int_ge(y),
        &[x, y] if is(K::Lt) => x.int_lt(y),
        &[x, y] if is(K::Gt) => x.int_gt(y),
        &[array, i] if is(K::Select) => array.select(i),
        &[array, i, v] if is(K::Store) => array.store(i, v),
        &[v] if is(K::ConstArray) => Term::const_array(sort.index()?, v),
        _ => return None,
    })
}

fn bits(decl: &Decl, a: &[Term], sort: Sort) -> Option<Term> {
    let is = |kind: K| decl.is(kind);
    let all = || a.iter().copied();
    let by = |i: u32| decl.parameter(i);
    let truth = |b: Term| b.ite(Term::bv(1, 1), Term::bv(0, 1));
    Some(match a {
        [] if is(K::Bit0) => Term::bv(0, 1),
        [] if is(K::Bit1) => Term::bv(1, 1),
        [_, ..] if is(K::Badd) => all().reduce(Term::add)?,
        [_, ..] if is(K::Bsub) => all().reduce(Term::sub)?,
        [_, ..] if is(K::Bmul) => all().reduce(Term::mul)?,
        [_, ..] if is(K::Band) => all().reduce(Term::bvand)?,
        [_, ..] if is(K::Bor) => all().reduce(Term::bvor)?,
        [_, ..] if is(K::Bxor) => all().reduce(Term::bvxor)?,
        [_, ..] if is(K::Concat) => all().reduce(Term::concat)?,
        &[x] if is(K::Bneg) => x.neg(),
        &[x] if is(K::Bnot) => x.bvnot(),
        &[x, y] if is(K::Bnand) => x.bvand(y).bvnot(),
        &[x, y] if is(K::Bnor) => x.bvor(y).bvnot(),
        &[x, y] if is(K::Bxnor) => x.bvxor(y).bvnot(),
        &[x, y] if is(K::Budiv) || is(K::BudivI) => x.udiv(y),
        &[x, y] if is(K::Burem) || is(K::BuremI) => x.urem(y),
        &[x, y] if is(K::Bsdiv) || is(K::BsdivI) => x.sdiv(y),
        &[x, y] if is(K::Bsrem) || is(K::BsremI) => x.srem(y),
        &[x, y] if is(K::Bsmod) || is(K::BsmodI) => smod(x, y),
        &[x, y] if is(K::Uleq) => x.ule(y),
        &[x, y] if is(K::Ult) => x.ult(y),
        &[x, y] if is(K::Ugeq) => y.ule(x),
        &[x, y] if is(K::Ugt) => y.ult(x),
        &[x, y] if is(K::Sleq) => x.sle(y),
        &[x, y] if is(K::Slt) => x.slt(y),
        &[x, y] if is(K::Sgeq) => y.sle(x),
        &[x, y] if is(K::Sgt) => y.slt(x),
        &[x, y] if is(K::Bshl) => x.shl(y),
        &[x, y] if is(K::Blshr) => x.lshr(y),
        &[x, y] if is(K::Bashr) => x.ashr(y),
        &[x] if is(K::Extract) => x.extract(by(0)?, by(1)?),
        &[x] if is(K::ZeroExt) => x.zero_extend(by(0)?),
        &[x] if is(K::SignExt) => x.sign_extend(by(0)?),
        &[x] if is(K::Repeat) => (1..by(0)?).fold(x, |whole, _| whole.concat(x)),
        &[x] if is(K::RotateLeft) => rotate_left(x, by(0)?),
        &[x] if is(K::RotateRight) => rotate_left(x, x.width() - by(0)? % x.width()),
        &[x] if is(K::Bit2bool) => x.extract(by(0)?, by(0)?).equals(Term::bv(1, 1)),
        &[x] if is(K::Bredor) => truth(x.differs(Term::bv(0, x.width()))),
        &[x] if is(K::Bredand) => truth(x.equals(Term::bv(u128::MAX, x.width()))),
        &[x, y] if is(K::Bcomp) => truth(x.equals(y)),
        &[x] if is(K::Int2bv) => x.int_to_bv(sort.width()?),
        &[x] if is(K::Bv2int) => x.bv_to_int(false),
        &[x] if is(K::Sbv2int) => x.bv_to_int(true),
        &[x, y] if is(K::BumulNoOvfl) => x.mul_fits(y, false),
        // Too large or too small, but not both: the other direction cannot happen where the signs say so.
        &[x, y] if is(K::BsmulNoOvfl) => x.mul_fits(y, true).or(negative(x).differs(negative(y))),
        &[x, y] if is(K::BsmulNoUdfl) => x.mul_fits(y, true).or(negative(x).equals(negative(y))),
        _ => return None,
    })
}

fn negative(x: Term) -> Term {
    x.slt(Term::bv(0, x.width()))
}

fn rotate_left(x: Term, by: u32) -> Term {
    let width = x.width();
    match by % width {
        0 => x,
        by => x.extract(width - by - 1, 0).concat(x.extract(width - 1, width - by)),
    }
}

/// The remainder with the sign of the divisor, as SMT-LIB defines it.
fn smod(x: Term, y: Term) -> Term {
    let (nx, ny) = (negative(x), negative(y));
    let u = nx.ite(x.neg(), x).urem(ny.ite(y.neg(), y));
    let signed = nx.ite(ny.ite(u.neg(), y.sub(u)), ny.ite(u.add(y), u));
    u.equals(Term::bv(0, x.width())).ite(u, signed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r#gen::Gen;
    use crate::{SatResult, Settings, Solver, Z3Solver};
    use logic::Value;
    use proptest::prelude::*;

    /// The term goes to Z3 and comes back meaning the same, and Z3's model agrees with our evaluation.
    fn check(term: Term, g: &mut Gen) {
        let space = Space::new().unwrap();
        let ast = space.translate(term).unwrap();
        let back = read(&space, &ast, None).unwrap_or_else(|| panic!("{term} did not come back"));
        let simple = space.ctx.simplify(&ast).unwrap();
        let simple =
            read(&space, &simple, None).unwrap_or_else(|| panic!("simplified {term} did not come back"));
        let mut solver = Z3Solver::in_space(space, Settings::default()).unwrap();
        for _ in 0..3 {
            let values = g.values(term);
            let Some(expected) = logic::eval(term, &|v| values.get(&v).cloned()) else { continue };
            for t in [back, simple] {
                let got = logic::eval(t, &|v| values.get(&v).cloned());
                // Where the term is undefined in parts that do not matter, another form of it may need them.
                if let Some(got) = got {
                    assert_eq!(got, expected, "{term} became {t}, with {values:?}");
                }
            }
            solver.push();
            for (&variable, value) in &values {
                solver.assert(variable.equals(value.to_term()));
            }
            assert_eq!(solver.check(&[]), SatResult::Sat, "{term} with {values:?}");
            let model = solver.model().unwrap();
            assert_eq!(model.eval(term), Some(expected), "{term} with {values:?}");
            for (&variable, value) in &values {
                assert_eq!(model.eval(variable).as_ref(), Some(value));
            }
            solver.pop();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

        #[test]
        fn terms_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
            let mut g = Gen::new(&bytes);
            let term = match g.pick(4) {
                0 => g.bool(4),
                1 => g.int(4),
                2 => g.bv(Sort::Bv(8), 4),
                _ => g.array(crate::r#gen::ARRAY(), 3),
            };
            check(term, &mut g);
        }

        #[test]
        fn floats_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut g = Gen::new(&bytes);
            g.widths = &[32];
            let sort = if g.pick(2) == 0 { Sort::F32 } else { Sort::F64 };
            let term = match g.pick(3) {
                0 => g.float_test(sort, 2),
                1 => g.float(sort, 2),
                _ => g.float(sort, 2).fp_to_bits(),
            };
            check(term, &mut g);
        }
    }

    #[test]
    fn products_that_fit_are_told_exactly() {
        let (x, y) = (Term::var("x", Sort::Bv(3)), Term::var("y", Sort::Bv(3)));
        let space = Space::new().unwrap();
        let mut solver = Z3Solver::in_space(space, Settings::default()).unwrap();
        for signed in [false, true] {
            for bits in 0..64u128 {
                let (a, b) = (Term::bv(bits % 8, 3), Term::bv(bits / 8, 3));
                let fits = x.mul_fits(y, signed);
                let expected = a.mul_fits(b, signed).is_true();
                let equal = [x.equals(a), y.equals(b)];
                let result = solver.check(&[equal[0], equal[1], fits]);
                assert_eq!(result == SatResult::Sat, expected, "{a} * {b}, signed: {signed}");
            }
        }
    }

    #[test]
    fn arrays_are_values() {
        let sort = Sort::array(Sort::Int, Sort::Int);
        let (a, b, i) = (Term::var("a", sort), Term::var("b", sort), Term::var("i", Sort::Int));
        let mut solver = Z3Solver::new(Settings::default()).unwrap();
        solver.assert(a.select(i).equals(Term::int(7)));
        solver.assert(a.select(i.add(Term::int(1))).equals(Term::int(8)));
        solver.assert(b.equals(a.store(i, Term::int(9))));
        solver.assert(i.int_gt(Term::int(100)));
        assert_eq!(solver.check(&[]), SatResult::Sat);
        let model = solver.model().unwrap();
        let index = model.eval(i).unwrap();
        let array = model.eval(b).unwrap();
        assert_eq!(array.as_array().unwrap().get(&index), &Value::int(9));
        assert_eq!(model.eval(a).unwrap().as_array().unwrap().get(&index), &Value::int(7));
    }

    #[test]
    fn quantifiers_come_back() {
        let (x, y) = (Term::var("x", Sort::Int), Term::var("y", Sort::Int));
        let inner = Term::exists(&[y], x.int_lt(y));
        let term = Term::forall(&[x], inner.or(x.equals(y)));
        let space = Space::new().unwrap();
        let back = read(&space, &space.translate(term).unwrap(), None).unwrap();
        assert_eq!(logic::free_vars(back), [y].into());
        let mut solver = Z3Solver::in_space(space, Settings::default()).unwrap();
        assert_eq!(solver.check(&[back.differs(term)]), SatResult::Unsat);
    }
}
