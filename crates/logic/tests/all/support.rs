//! Random expressions with a meaning of their own: a tree that is evaluated here, on integers, without
//! anything of the crate but its values, and that is built as a term with the constructors.
//!
//! Expressions are made from a list of numbers, so that shrinking the list shrinks the expression; when the
//! list ends, what is left becomes variables.

use logic::{IBig, Sort, Substitution, Term, Value, eval};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub struct Raw {
    pub op: &'static str,
    pub sort: Sort,
    /// Indices of the operator, or the number of a variable.
    pub index: [u32; 2],
    pub args: Vec<Rc<Raw>>,
    pub constant: Option<Value>,
}

pub type Assignment = BTreeMap<String, Value>;

/// What expressions are made of. Rules meet their patterns when there are few operators and few sorts to
/// choose from.
pub struct Theme {
    /// Empty for all.
    pub ops: &'static [&'static str],
    pub sorts: fn() -> Vec<Sort>,
    /// Of four leaves, how many are constants.
    pub constants: u32,
}

pub const THEMES: [Theme; 8] = [
    Theme { ops: &[], sorts, constants: 2 },
    Theme {
        ops: &[
            "and", "or", "not", "bounds", "int_le", "int_lt", "=", "differs", "add", "neg", "scale",
            "implies",
        ],
        sorts: || vec![Sort::Int],
        constants: 1,
    },
    Theme {
        ops: &[
            "zext", "sext", "extract", "concat", "=", "differs", "compare", "bvand", "bvnot", "add", "scale",
        ],
        sorts: || vec![Sort::Bv(8), Sort::Bv(32), Sort::Bv(1)],
        constants: 2,
    },
    Theme {
        ops: &[
            "to_int",
            "int_to_bv",
            "modulo",
            "add",
            "scale",
            "int_le",
            "int_lt",
            "=",
            "zext",
            "sext",
            "extract",
        ],
        sorts: || vec![Sort::Int, Sort::Bv(8), Sort::Bv(32)],
        constants: 2,
    },
    Theme {
        ops: &[
            "ite",
            "=",
            "compare",
            "int_le",
            "and",
            "not",
            "zext",
            "sext",
            "to_int",
            "int_to_bv",
            "extract",
            "neg",
        ],
        sorts: || vec![Sort::Int, Sort::Bv(8), Sort::Bv(1), Sort::Bool],
        constants: 3,
    },
    Theme {
        ops: &["store", "select", "const", "ite", "=", "add", "differs"],
        sorts: || sorts().into_iter().filter(|s| s.is_array()).collect(),
        constants: 2,
    },
    Theme {
        ops: &["div", "modulo", "add", "sub", "scale", "mul", "=", "int_le", "int_lt"],
        sorts: || vec![Sort::Int],
        constants: 1,
    },
    Theme {
        ops: &[
            "bvand", "bvor", "bvxor", "bvnot", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem",
            "compare", "=", "add", "mul", "extract", "not", "neg",
        ],
        sorts: || vec![Sort::Bv(8), Sort::Bv(1), Sort::Bv(64)],
        constants: 2,
    },
];

/// The list of choices.
pub struct Choices<'a> {
    list: std::slice::Iter<'a, u32>,
    theme: &'static Theme,
    /// Subexpressions to use again.
    pool: Vec<Rc<Raw>>,
    /// Numbers that values should be near to.
    near: Vec<IBig>,
}

impl<'a> Choices<'a> {
    pub fn new(list: &'a [u32]) -> Choices<'a> {
        Choices::of_theme(list, &THEMES[0])
    }

    pub fn of_theme(list: &'a [u32], theme: &'static Theme) -> Choices<'a> {
        Choices { list: list.iter(), theme, pool: Vec::new(), near: Vec::new() }
    }

    /// Values are often near the constants of this expression.
    pub fn values_for(list: &'a [u32], raw: &Raw) -> Choices<'a> {
        let mut choices = Choices::new(list);
        raw.numbers(&mut choices.near);
        choices
    }

    pub fn pick(&mut self, n: u32) -> u32 {
        self.list.next().map_or(0, |c| c % n)
    }

    fn raw(&mut self) -> u32 {
        self.list.next().copied().unwrap_or(0)
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.pick(list.len() as u32) as usize]
    }

    fn allows(&self, op: &str) -> bool {
        self.theme.ops.is_empty() || self.theme.ops.contains(&op)
    }

    /// One of the operators that the theme allows; None if it allows none.
    fn op(&mut self, list: &[&'static str]) -> Option<&'static str> {
        let allowed: Vec<&'static str> = list.iter().copied().filter(|op| self.allows(op)).collect();
        (!allowed.is_empty()).then(|| self.one_of(&allowed))
    }

    fn sort(&mut self, fits: impl Fn(Sort) -> bool, otherwise: Sort) -> Sort {
        let fitting: Vec<Sort> = (self.theme.sorts)().into_iter().filter(|s| fits(*s)).collect();
        if fitting.is_empty() { otherwise } else { self.one_of(&fitting) }
    }

    /// A truth value, or one of the sorts of the theme.
    pub fn root(&mut self, depth: u32) -> Rc<Raw> {
        let sort = if self.pick(2) == 0 { Sort::Bool } else { self.sort(|_| true, Sort::Bool) };
        self.expr(sort, depth)
    }

    /// A value, with a taste for the borders.
    pub fn value(&mut self, sort: Sort) -> Value {
        if sort.is_number() && !self.near.is_empty() && self.pick(3) > 0 {
            let at = self.pick(self.near.len() as u32) as usize;
            let delta = [0, 1, -1, 2][self.pick(4) as usize];
            return wrap(&self.near[at] + IBig::from(delta), sort);
        }
        match sort {
            Sort::Bool => Value::Bool(self.pick(2) == 1),
            Sort::Int => match self.pick(8) {
                0..=4 => Value::int(i64::from(self.pick(9)) - 4),
                5 => Value::int(i64::from(self.raw() as i32)),
                6 => {
                    let power = power(self.one_of(&[8, 1, 7, 9, 16, 32, 64]));
                    Value::Int(if self.pick(4) == 0 { -power } else { power })
                }
                _ => Value::int((IBig::from(self.raw()) << 70) - IBig::from(self.raw())),
            },
            Sort::Bv(width) => {
                let bits = match self.pick(6) {
                    0..=1 => u128::from(self.pick(4)),
                    2 => (u128::from(self.pick(4))).wrapping_neg(),
                    3 => (1u128 << (width - 1)).wrapping_add(u128::from(self.pick(3))).wrapping_sub(1),
                    4 => u128::from(self.pick(width + 2)),
                    _ => (0..4).fold(0, |acc, _| acc << 32 | u128::from(self.raw())),
                };
                Value::bv(bits, width)
            }
            Sort::Array(parts) => {
                let default = self.value(parts.1);
                let count = self.pick(4);
                let entries: Vec<(Value, Value)> =
                    (0..count).map(|_| (self.value(parts.0), self.value(parts.1))).collect();
                Value::array(parts.0, default, entries)
            }
            Sort::Float(..) => {
                Value::float(self.value(Sort::Bv(sort.width().unwrap())).as_bv().unwrap(), sort)
            }
        }
    }

    /// Values of the variables of an expression.
    pub fn assignment(&mut self, of: &BTreeSet<(String, Sort)>) -> Assignment {
        of.iter().map(|(name, sort)| (name.clone(), self.value(*sort))).collect()
    }

    pub fn expr(&mut self, sort: Sort, depth: u32) -> Rc<Raw> {
        if depth == 0 {
            return self.leaf(sort);
        }
        let made = match self.pick(8) {
            0 => self.leaf(sort),
            1 => self.again(sort),
            2 if self.allows("ite") => {
                let c = self.expr(Sort::Bool, depth - 1);
                let (a, b) = (self.expr(sort, depth - 1), self.expr(sort, depth - 1));
                node("ite", sort, [0, 0], vec![c, a, b])
            }
            3 if self.allows("select") && matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(8)) => {
                let arrays: Vec<Sort> = sorts().into_iter().filter(|s| s.element() == Some(sort)).collect();
                let array = self.one_of(&arrays);
                let a = self.expr(array, depth - 1);
                let i = self.expr(array.index().unwrap(), depth - 1);
                node("select", sort, [0, 0], vec![a, i])
            }
            _ => {
                let made = match sort {
                    Sort::Bool => self.bool(depth - 1),
                    Sort::Int => self.int(depth - 1),
                    Sort::Bv(width) => self.bv(width, depth - 1),
                    Sort::Array(_) => self.array(sort, depth - 1),
                    Sort::Float(..) => None,
                };
                made.unwrap_or_else(|| self.leaf(sort))
            }
        };
        self.pool.push(made.clone());
        made
    }

    fn array(&mut self, sort: Sort, d: u32) -> Option<Rc<Raw>> {
        let (index, element) = (sort.index()?, sort.element()?);
        if self.pick(5) == 0 {
            let value = self.expr(element, d);
            return Some(node("const", sort, [0, 0], vec![value]));
        }
        let a = self.expr(sort, d);
        let i = self.expr(index, d);
        let v = self.expr(element, d);
        Some(node("store", sort, [0, 0], vec![a, i, v]))
    }

    fn leaf(&mut self, sort: Sort) -> Rc<Raw> {
        if self.pick(4) < 4 - self.theme.constants {
            let index = self.pick(VARS);
            Rc::new(Raw { op: "var", sort, index: [index, 0], args: vec![], constant: None })
        } else {
            self.constant(sort)
        }
    }

    fn constant(&mut self, sort: Sort) -> Rc<Raw> {
        let value = self.value(sort);
        Rc::new(Raw { op: "constant", sort, index: [0, 0], args: vec![], constant: Some(value) })
    }

    fn again(&mut self, sort: Sort) -> Rc<Raw> {
        let fitting: Vec<Rc<Raw>> = self.pool.iter().filter(|r| r.sort == sort).cloned().collect();
        if fitting.is_empty() {
            return self.leaf(sort);
        }
        fitting[self.pick(fitting.len() as u32) as usize].clone()
    }

    fn bool(&mut self, d: u32) -> Option<Rc<Raw>> {
        let op = self.op(&[
            "and", "or", "not", "=", "int_le", "int_lt", "compare", "implies", "differs", "int_ge", "int_gt",
            "bounds",
        ])?;
        let sort = match op {
            "and" | "or" | "not" | "implies" => Sort::Bool,
            "=" | "differs" => self.sort(|_| true, Sort::Int),
            "compare" => self.sort(|s| matches!(s, Sort::Bv(_)), Sort::Bv(8)),
            _ => Sort::Int,
        };
        Some(match op {
            "not" => node("not", Sort::Bool, [0, 0], vec![self.expr(sort, d)]),
            "and" | "or" => {
                let count = 2 + self.pick(2);
                let args = (0..count).map(|_| self.expr(sort, d)).collect();
                node(op, Sort::Bool, [0, 0], args)
            }
            // Several bounds of one expression.
            "bounds" => {
                let x = self.expr(Sort::Int, d);
                let args = (0..3)
                    .map(|_| {
                        let op = self.one_of(&["int_le", "int_lt", "int_ge", "int_gt", "=", "differs"]);
                        let k = self.constant(Sort::Int);
                        node(op, Sort::Bool, [0, 0], vec![x.clone(), k])
                    })
                    .collect();
                let op = self.one_of(&["and", "or"]);
                node(op, Sort::Bool, [0, 0], args)
            }
            _ => {
                let op = match op {
                    "compare" => self.one_of(&["ule", "ult", "sle", "slt", "ufits", "sfits"]),
                    op => op,
                };
                node(op, Sort::Bool, [0, 0], vec![self.expr(sort, d), self.expr(sort, d)])
            }
        })
    }

    fn int(&mut self, d: u32) -> Option<Rc<Raw>> {
        let op = self.op(&["add", "sub", "neg", "scale", "mul", "div", "modulo", "to_int", "square"])?;
        Some(match op {
            "add" | "sub" | "mul" => {
                node(op, Sort::Int, [0, 0], vec![self.expr(Sort::Int, d), self.expr(Sort::Int, d)])
            }
            "square" => {
                let x = self.expr(Sort::Int, d);
                node("mul", Sort::Int, [0, 0], vec![x.clone(), x])
            }
            "neg" => node("neg", Sort::Int, [0, 0], vec![self.expr(Sort::Int, d)]),
            "scale" => {
                node("mul", Sort::Int, [0, 0], vec![self.constant(Sort::Int), self.expr(Sort::Int, d)])
            }
            "to_int" => {
                let sort = self.sort(|s| matches!(s, Sort::Bv(_)), Sort::Bv(8));
                let op = self.one_of(&["signed", "unsigned"]);
                node(op, Sort::Int, [0, 0], vec![self.expr(sort, d)])
            }
            op => {
                // Mostly by a constant: zero has no quotient.
                let n = self.expr(Sort::Int, d);
                let by = if self.pick(4) == 0 { self.expr(Sort::Int, d) } else { self.constant(Sort::Int) };
                node(op, Sort::Int, [0, 0], vec![n, by])
            }
        })
    }

    fn bv(&mut self, width: u32, d: u32) -> Option<Rc<Raw>> {
        let sort = Sort::Bv(width);
        let op = self.op(&[
            "add",
            "sub",
            "mul",
            "neg",
            "bvnot",
            "bvand",
            "bvor",
            "bvxor",
            "shl",
            "lshr",
            "ashr",
            "udiv",
            "urem",
            "sdiv",
            "srem",
            "concat",
            "extract",
            "zext",
            "sext",
            "int_to_bv",
            "extract",
            "scale",
        ])?;
        Some(match op {
            "neg" | "bvnot" => node(op, sort, [0, 0], vec![self.expr(sort, d)]),
            "scale" => node("mul", sort, [0, 0], vec![self.constant(sort), self.expr(sort, d)]),
            "shl" | "lshr" | "ashr" => {
                let x = self.expr(sort, d);
                let by = if self.pick(2) == 0 { self.constant(sort) } else { self.expr(sort, d) };
                node(op, sort, [0, 0], vec![x, by])
            }
            "int_to_bv" => node(op, sort, [width, 0], vec![self.expr(Sort::Int, d)]),
            "concat" if width > 1 => {
                let parts: Vec<u32> = WIDTHS.into_iter().filter(|w| *w < width).collect();
                let low = self.one_of(&parts);
                // Parts of one vector, next to each other or not.
                if self.pick(3) == 0 {
                    let whole = self.expr(Sort::Bv(64), d);
                    let at = self.pick(64 - width + 1);
                    let high = node(
                        "extract",
                        Sort::Bv(width - low),
                        [at + width - 1, at + low],
                        vec![whole.clone()],
                    );
                    let low = node("extract", Sort::Bv(low), [at + low - 1, at], vec![whole]);
                    return Some(node(op, sort, [0, 0], vec![high, low]));
                }
                node(op, sort, [0, 0], vec![self.any_width(width - low, d), self.any_width(low, d)])
            }
            "extract" => {
                let from: Vec<u32> = WIDTHS.into_iter().filter(|w| *w >= width).collect();
                let from = self.one_of(&from);
                let low = if self.pick(2) == 0 { 0 } else { self.pick(from - width + 1) };
                node(op, sort, [low + width - 1, low], vec![self.expr(Sort::Bv(from), d)])
            }
            "zext" | "sext" if width > 1 => {
                let from: Vec<u32> = WIDTHS.into_iter().filter(|w| *w < width).collect();
                let from = self.one_of(&from);
                node(op, sort, [width - from, 0], vec![self.expr(Sort::Bv(from), d)])
            }
            "concat" | "zext" | "sext" => self.leaf(sort),
            op => node(op, sort, [0, 0], vec![self.expr(sort, d), self.expr(sort, d)]),
        })
    }

    /// A vector of a width that has no variables.
    fn any_width(&mut self, width: u32, d: u32) -> Rc<Raw> {
        if WIDTHS.contains(&width) {
            return self.expr(Sort::Bv(width), d);
        }
        if self.pick(4) == 0 {
            return self.constant(Sort::Bv(width));
        }
        let low = self.pick(64 - width + 1);
        let whole = self.expr(Sort::Bv(64), d);
        node("extract", Sort::Bv(width), [low + width - 1, low], vec![whole])
    }
}

pub const WIDTHS: [u32; 4] = [8, 1, 32, 64];
const VARS: u32 = 2;

pub fn vectors() -> Vec<Sort> {
    WIDTHS.into_iter().map(Sort::Bv).collect()
}

pub fn sorts() -> Vec<Sort> {
    let mut all = vec![Sort::Bool, Sort::Int];
    all.extend(vectors());
    all.push(Sort::array(Sort::Int, Sort::Int));
    all.push(Sort::array(Sort::Bv(8), Sort::Bv(8)));
    all.push(Sort::array(Sort::Bv(1), Sort::Int));
    all.push(Sort::array(Sort::Bool, Sort::Bool));
    all
}

pub fn var_name(sort: Sort, index: u32) -> String {
    let kind = match sort {
        Sort::Bool => "p".to_owned(),
        Sort::Int => "x".to_owned(),
        Sort::Bv(width) => format!("v{width}_"),
        Sort::Array(parts) => format!("a {} {} ", parts.0, parts.1),
        Sort::Float(..) => "f".to_owned(),
    };
    format!("{kind}{index}")
}

fn node(op: &'static str, sort: Sort, index: [u32; 2], args: Vec<Rc<Raw>>) -> Rc<Raw> {
    Rc::new(Raw { op, sort, index, args, constant: None })
}

impl Raw {
    /// Through the constructors.
    pub fn term(&self) -> Term {
        let t: Vec<Term> = self.args.iter().map(|a| a.term()).collect();
        match self.op {
            "var" => Term::var(&var_name(self.sort, self.index[0]), self.sort),
            "constant" => self.constant.as_ref().unwrap().to_term(),
            "ite" => t[0].ite(t[1], t[2]),
            "select" => t[0].select(t[1]),
            "store" => t[0].store(t[1], t[2]),
            "const" => Term::const_array(self.sort.index().unwrap(), t[0]),
            "and" => Term::all(t),
            "or" => Term::any(t),
            "not" => t[0].not(),
            "implies" => t[0].implies(t[1]),
            "=" => t[0].equals(t[1]),
            "differs" => t[0].differs(t[1]),
            "int_le" => t[0].int_le(t[1]),
            "int_lt" => t[0].int_lt(t[1]),
            "int_ge" => t[0].int_ge(t[1]),
            "int_gt" => t[0].int_gt(t[1]),
            "ule" => t[0].ule(t[1]),
            "ult" => t[0].ult(t[1]),
            "sle" => t[0].sle(t[1]),
            "slt" => t[0].slt(t[1]),
            "ufits" => t[0].mul_fits(t[1], false),
            "sfits" => t[0].mul_fits(t[1], true),
            "add" => t[0].add(t[1]),
            "sub" => t[0].sub(t[1]),
            "mul" => t[0].mul(t[1]),
            "neg" => t[0].neg(),
            "div" => t[0].div(t[1]),
            "modulo" => t[0].modulo(t[1]),
            "signed" => t[0].bv_to_int(true),
            "unsigned" => t[0].bv_to_int(false),
            "int_to_bv" => t[0].int_to_bv(self.index[0]),
            "bvnot" => t[0].bvnot(),
            "bvand" => t[0].bvand(t[1]),
            "bvor" => t[0].bvor(t[1]),
            "bvxor" => t[0].bvxor(t[1]),
            "shl" => t[0].shl(t[1]),
            "lshr" => t[0].lshr(t[1]),
            "ashr" => t[0].ashr(t[1]),
            "udiv" => t[0].udiv(t[1]),
            "urem" => t[0].urem(t[1]),
            "sdiv" => t[0].sdiv(t[1]),
            "srem" => t[0].srem(t[1]),
            "concat" => t[0].concat(t[1]),
            "extract" => t[0].extract(self.index[0], self.index[1]),
            "zext" => t[0].zero_extend(self.index[0]),
            "sext" => t[0].sign_extend(self.index[0]),
            op => panic!("no constructor for {op}"),
        }
    }

    /// The meaning. None if an integer is divided by zero somewhere.
    pub fn meaning(&self, vars: &Assignment) -> Option<Value> {
        match self.op {
            "var" => return Some(vars[&var_name(self.sort, self.index[0])].clone()),
            "constant" => return self.constant.clone(),
            _ => {}
        }
        let v: Vec<Value> = self.args.iter().map(|a| a.meaning(vars)).collect::<Option<_>>()?;
        let b = |i: usize| v[i].as_bool().unwrap();
        let first_width = self.args[0].sort.width().unwrap_or(0);
        let n = |i: usize| match &v[i] {
            Value::Int(n) => n.clone(),
            Value::Bv { bits, .. } => IBig::from(*bits),
            other => panic!("{other} is no number"),
        };
        let s = |i: usize| signed(&n(i), first_width);
        let number = |value: IBig| Some(wrap(value, self.sort));
        let truth = |value: bool| Some(Value::Bool(value));
        match self.op {
            "ite" => Some(if b(0) { v[1].clone() } else { v[2].clone() }),
            "select" => Some(v[0].as_array()?.get(&v[1]).clone()),
            "store" => {
                let array = v[0].as_array()?;
                let entries = array.entries.clone().into_iter().chain([(v[1].clone(), v[2].clone())]);
                Some(Value::array(array.index, (*array.default).clone(), entries))
            }
            "const" => Some(Value::array(self.sort.index()?, v[0].clone(), [])),
            "and" => truth(v.iter().all(|x| *x == Value::Bool(true))),
            "or" => truth(v.contains(&Value::Bool(true))),
            "not" => truth(!b(0)),
            "implies" => truth(!b(0) || b(1)),
            "=" => truth(v[0] == v[1]),
            "differs" => truth(v[0] != v[1]),
            "int_le" | "ule" => truth(n(0) <= n(1)),
            "int_lt" | "ult" => truth(n(0) < n(1)),
            "int_ge" => truth(n(0) >= n(1)),
            "int_gt" => truth(n(0) > n(1)),
            "sle" => truth(s(0) <= s(1)),
            "slt" => truth(s(0) < s(1)),
            "ufits" => truth(n(0) * n(1) < power(first_width)),
            "sfits" => truth(signed(&(s(0) * s(1)), first_width) == s(0) * s(1)),
            "add" => number(n(0) + n(1)),
            "sub" => number(n(0) - n(1)),
            "mul" => number(n(0) * n(1)),
            "neg" => number(-n(0)),
            "div" if n(1) == IBig::ZERO => None,
            "modulo" if n(1) == IBig::ZERO => None,
            "div" => number((n(0) - remainder(&n(0), &n(1))) / n(1)),
            "modulo" => number(remainder(&n(0), &n(1))),
            "signed" => number(s(0)),
            "unsigned" | "int_to_bv" | "zext" => number(n(0)),
            "sext" => number(s(0)),
            "bvnot" => number(-n(0) - 1),
            "bvand" => number(n(0) & n(1)),
            "bvor" => number(n(0) | n(1)),
            "bvxor" => number(n(0) ^ n(1)),
            "shl" | "lshr" | "ashr" => {
                let by = u32::try_from(n(1).min(IBig::from(first_width))).unwrap();
                match self.op {
                    "shl" => number(n(0) * power(by)),
                    "lshr" => number(floor(&n(0), &power(by))),
                    _ => number(floor(&s(0), &power(by))),
                }
            }
            "udiv" if n(1) == IBig::ZERO => number(IBig::NEG_ONE),
            "udiv" => number(n(0) / n(1)),
            "urem" if n(1) == IBig::ZERO => number(n(0)),
            "urem" => number(n(0) % n(1)),
            "sdiv" if n(1) == IBig::ZERO => number(if s(0) < IBig::ZERO { IBig::ONE } else { IBig::NEG_ONE }),
            // IBig truncates, as C and SMT-LIB do.
            "sdiv" => number(s(0) / s(1)),
            "srem" if n(1) == IBig::ZERO => number(n(0)),
            "srem" => number(s(0) % s(1)),
            "concat" => number(n(0) * power(self.args[1].sort.width().unwrap()) + n(1)),
            "extract" => number(floor(&n(0), &power(self.index[1]))),
            op => panic!("no meaning for {op}"),
        }
    }

    fn numbers(&self, out: &mut Vec<IBig>) {
        match &self.constant {
            Some(Value::Int(n)) => out.push(n.clone()),
            // Also as the signed number that it may be compared with.
            Some(Value::Bv { bits, width }) => {
                out.extend([IBig::from(*bits), signed(&IBig::from(*bits), *width)]);
            }
            _ => self.args.iter().for_each(|a| a.numbers(out)),
        }
    }

    pub fn vars(&self, out: &mut BTreeSet<(String, Sort)>) {
        if self.op == "var" {
            out.insert((var_name(self.sort, self.index[0]), self.sort));
        }
        self.args.iter().for_each(|a| a.vars(out));
    }

    /// As text with the operators as written.
    pub fn show(&self) -> String {
        match self.op {
            "var" => var_name(self.sort, self.index[0]),
            "constant" => self.constant.as_ref().unwrap().to_string(),
            op => {
                let args: Vec<String> = self.args.iter().map(|a| a.show()).collect();
                format!("({op}{:?} {})", self.index, args.join(" "))
            }
        }
    }
}

fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// The number between 0 and |d| that differs from n by a multiple of d.
fn remainder(n: &IBig, d: &IBig) -> IBig {
    let r = n % d;
    let size = if *d < IBig::ZERO { -d } else { d.clone() };
    if r < IBig::ZERO { r + size } else { r }
}

fn floor(n: &IBig, d: &IBig) -> IBig {
    (n - remainder(n, d)) / d
}

fn wrap(value: IBig, sort: Sort) -> Value {
    match sort {
        Sort::Bv(width) => Value::bv(u128::try_from(remainder(&value, &power(width))).unwrap(), width),
        _ => Value::Int(value),
    }
}

fn signed(n: &IBig, width: u32) -> IBig {
    let n = remainder(n, &power(width));
    if n >= power(width - 1) { n - power(width) } else { n }
}

/// The value of a term, variables taken from the assignment.
pub fn value(term: Term, vars: &Assignment) -> Option<Value> {
    eval(term, &|v| vars.get(v.var_name()?).cloned())
}

/// Random expressions for some of the variables.
pub fn replacement(choices: &mut Choices, vars: &BTreeSet<(String, Sort)>) -> Vec<(Term, Rc<Raw>)> {
    let mut pairs = Vec::new();
    for (name, sort) in vars {
        if choices.pick(3) > 0 {
            pairs.push((Term::var(name, *sort), choices.expr(*sort, 2)));
        }
    }
    pairs
}

pub fn substitution(pairs: &[(Term, Rc<Raw>)]) -> Substitution {
    Substitution::new(pairs.iter().map(|(v, raw)| (*v, raw.term())))
}
