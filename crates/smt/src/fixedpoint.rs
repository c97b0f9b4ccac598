//! Horn clauses for Z3's Spacer: can a predicate be derived by some rules?
//!
//! If not, the answer has a formula per predicate (its cover) under which all rules are valid; if so, a
//! derivation, each of whose steps was found again among the rules, with values for their variables. Spacer
//! transforms the rules before it solves them; inlining and slicing are off, since predicates that they
//! remove have no covers. `check` and the rules themselves are there to believe neither answer.

use crate::raw::{Answer, Ast, Decl, DeclKind, Fixedpoint, Kind, Params, Target};
use crate::read::read;
use crate::solver::{SatResult, Settings, Solver, Strategy, Why, Z3Solver, why};
use crate::tidy::tidy;
use crate::translate::Space;
use crate::watch::{Stop, guarded};
use logic::{Op, Sort, Substitution, Term, Value, free_vars, subterms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct Predicate {
    /// For people; need not be unique.
    pub name: String,
    /// Variables, different from each other: its cover speaks about them.
    pub formals: Vec<Term>,
}

/// A predicate, by its number, of some arguments.
#[derive(Clone, Debug)]
pub struct Atom {
    pub predicate: usize,
    pub args: Vec<Term>,
}

/// For all values of the variables: body and constraint imply the head.
#[derive(Clone, Debug)]
pub struct Rule {
    pub body: Vec<Atom>,
    pub constraint: Term,
    pub head: Atom,
}

#[derive(Clone, Debug, Default)]
pub struct SpacerQuery {
    pub predicates: Vec<Predicate>,
    pub rules: Vec<Rule>,
    /// Can this one be derived, for any arguments?
    pub query: usize,
}

#[derive(Clone, Debug)]
pub enum SpacerResult {
    /// It can. The derivation is missing if Z3's proof could not be followed.
    Derivable(Option<Refutation>),
    /// It cannot: per predicate, what holds of its formals; None where Z3's answer is no term of ours.
    Underivable(Vec<Option<Term>>),
    Unknown(Why),
}

/// Steps in an order in which each one's premises come before it; the last one derives the query.
#[derive(Clone, Debug)]
pub struct Refutation {
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub rule: usize,
    /// For each atom of the rule's body, the step that derived it.
    pub premises: Vec<usize>,
    /// The head's arguments.
    pub fact: Vec<Value>,
    /// Of the rule's variables.
    pub values: Vec<(Term, Value)>,
}

impl Rule {
    pub fn variables(&self) -> BTreeSet<Term> {
        let args = self.body.iter().chain([&self.head]).flat_map(|a| a.args.iter());
        args.chain([&self.constraint]).flat_map(|t| free_vars(*t)).collect()
    }
}

impl SpacerQuery {
    /// The settings' strategy does not matter.
    pub fn solve(&self, settings: &Settings) -> SpacerResult {
        let incomplete = |reason: String| SpacerResult::Unknown(Why::Incomplete(reason));
        if let Err(reason) = self.well_formed() {
            return incomplete(reason);
        }
        let useful = self.useful();
        if !useful.derivable.contains(&self.query) {
            return SpacerResult::Underivable(self.covers(&useful, |_| None));
        }
        // A context of its own: after an interrupt it cannot be used any more.
        let Some(space) = Space::new() else { return incomplete("no context".into()) };
        let Some((engine, decls)) = self.load(&space, &useful, settings) else {
            return incomplete(space.ctx.error());
        };
        let (answer, stop) =
            guarded(Target::whole(&space.ctx), &settings.limits(), || engine.query(&decls[self.query]));
        match (answer, stop) {
            // An answer that came while the context was stopped may still be read; if not, it is `None`.
            (Some(Answer::Yes), _) => {
                let proof = engine.answer();
                SpacerResult::Derivable(proof.and_then(|p| self.follow(&space, &decls, &p, settings)))
            }
            (Some(Answer::No), _) => {
                SpacerResult::Underivable(self.covers(&useful, |p| self.cover(&space, &engine, &decls, p)))
            }
            (_, Some(Stop::Timeout)) => SpacerResult::Unknown(Why::Timeout),
            (_, Some(Stop::Interrupted)) => SpacerResult::Unknown(Why::Interrupted),
            _ => SpacerResult::Unknown(why(engine.reason(), settings)),
        }
    }

    /// Are all rules valid under these covers, and is the query's one empty? The number of a rule that is not
    /// (or may not be), the number of rules for the query.
    pub fn check(&self, covers: &[Term], settings: &Settings) -> Result<(), usize> {
        let holds = |formulas: &[Term]| crate::one_shot(formulas, settings).0 == SatResult::Unsat;
        let cover = |atom: &Atom| {
            let formals = self.predicates.get(atom.predicate)?.formals.iter().copied();
            let mut by = Substitution::new(formals.zip(atom.args.iter().copied()));
            covers.get(atom.predicate).map(|c| by.apply(*c))
        };
        for (number, rule) in self.rules.iter().enumerate() {
            let body: Option<Vec<Term>> = rule.body.iter().map(cover).collect();
            let (Some(mut formulas), Some(head)) = (body, cover(&rule.head)) else { return Err(number) };
            formulas.extend([rule.constraint, head.not()]);
            if !holds(&formulas) {
                return Err(number);
            }
        }
        let query = covers.get(self.query).copied();
        if query.is_some_and(|c| holds(&[c])) { Ok(()) } else { Err(self.rules.len()) }
    }

    fn well_formed(&self) -> Result<(), String> {
        if self.query >= self.predicates.len() {
            return Err("there is no such query".into());
        }
        for rule in &self.rules {
            for atom in rule.body.iter().chain([&rule.head]) {
                let formals = self.predicates.get(atom.predicate).map(|p| &p.formals);
                let fits = formals
                    .is_some_and(|f| f.iter().map(|t| t.sort()).eq(atom.args.iter().map(|t| t.sort())));
                if !fits {
                    return Err("an atom does not fit its predicate".into());
                }
            }
            let terms =
                rule.body.iter().chain([&rule.head]).flat_map(|a| a.args.iter()).chain([&rule.constraint]);
            if let Some(reason) = terms.copied().find_map(unsupported) {
                return Err(format!("Spacer does not know {reason}"));
            }
        }
        Ok(())
    }

    /// Z3 forgets rules that cannot take part in a derivation, and then has no covers for their predicates.
    fn useful(&self) -> Useful {
        let mut useful = Useful::default();
        loop {
            let before = useful.derivable.len();
            for rule in &self.rules {
                if !rule.constraint.is_false()
                    && rule.body.iter().all(|a| useful.derivable.contains(&a.predicate))
                {
                    useful.derivable.insert(rule.head.predicate);
                }
            }
            if useful.derivable.len() == before {
                break;
            }
        }
        useful.needed.insert(self.query);
        loop {
            let before = useful.needed.len();
            for rule in self.rules.iter().filter(|r| useful.takes_part(r)).collect::<Vec<_>>() {
                useful.needed.extend(rule.body.iter().map(|a| a.predicate));
            }
            if useful.needed.len() == before {
                return useful;
            }
        }
    }

    /// False for what cannot be derived, true for what is not needed, and what the engine says for the rest.
    fn covers(&self, useful: &Useful, engine: impl Fn(usize) -> Option<Term>) -> Vec<Option<Term>> {
        let cover = |p: usize| match (useful.derivable.contains(&p), useful.needed.contains(&p)) {
            (false, _) => Some(Term::bool(false)),
            (true, false) => Some(Term::bool(true)),
            (true, true) => engine(p),
        };
        (0..self.predicates.len()).map(cover).collect()
    }

    fn load(&self, space: &Space, useful: &Useful, settings: &Settings) -> Option<(Fixedpoint, Vec<Decl>)> {
        let ctx = &space.ctx;
        let engine = Fixedpoint::new(ctx)?;
        let params = Params::new(ctx)?
            .symbol("engine", "spacer")
            .bool("xform.inline_eager", false)
            .bool("xform.inline_linear", false)
            .bool("xform.slice", false)
            .bool("ctrl_c", false)
            .uint("spacer.random_seed", settings.seed);
        engine.set(&match settings.resources {
            Some(limit) => params.uint("rlimit", limit),
            None => params,
        });
        let mut decls = Vec::new();
        for (number, predicate) in self.predicates.iter().enumerate() {
            let sorts: Vec<Sort> = predicate.formals.iter().map(|f| f.sort()).collect();
            // No variable starts with a space.
            let decl = space.decl(&format!(" {number} {}", predicate.name), &sorts, Sort::Bool)?;
            engine.register(&decl);
            decls.push(decl);
        }
        let apply = |atom: &Atom| {
            let args: Option<Vec<Ast>> = atom.args.iter().map(|t| space.translate(*t)).collect();
            decls[atom.predicate].apply(&args?.iter().collect::<Vec<_>>())
        };
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, r)| useful.takes_part(r)) {
            let mut body: Vec<Ast> = rule.body.iter().map(apply).collect::<Option<_>>()?;
            body.push(space.translate(rule.constraint)?);
            let body = ctx.make_n(z3_sys::Z3_mk_and, &body.iter().collect::<Vec<_>>())?;
            let clause = ctx.make2(z3_sys::Z3_mk_implies, &body, &apply(&rule.head)?)?;
            let bound: Option<Vec<Ast>> = rule.variables().into_iter().map(|v| space.translate(v)).collect();
            let bound = bound?;
            let closed = match bound.is_empty() {
                true => clause,
                false => ctx.quantifier(true, &bound.iter().collect::<Vec<_>>(), &clause)?,
            };
            if !engine.add_rule(&closed, &format!("rule {number}")) {
                return None;
            }
        }
        Some((engine, decls))
    }

    fn cover(&self, space: &Space, engine: &Fixedpoint, decls: &[Decl], predicate: usize) -> Option<Term> {
        let raw = engine.cover(&decls[predicate])?;
        let formals = &self.predicates[predicate].formals;
        let formals: Option<Vec<Ast>> = formals.iter().map(|f| space.translate(*f)).collect();
        let raw = space.ctx.substitute_vars(&raw, &formals?.iter().collect::<Vec<_>>())?;
        Some(tidy(read(space, &raw, None)?))
    }

    /// The steps of Z3's proof: each hyper-resolution is a use of a rule, with the derived fact as its last
    /// argument.
    fn follow(&self, space: &Space, decls: &[Decl], proof: &Ast, settings: &Settings) -> Option<Refutation> {
        let names: FxHashMap<String, usize> = decls.iter().enumerate().map(|(i, d)| (d.name(), i)).collect();
        let mut solver = Z3Solver::new(settings.clone().strategy(Strategy::Core)).ok()?;
        let mut steps: Vec<Step> = Vec::new();
        let mut facts: Vec<(usize, Vec<Value>)> = Vec::new();
        // Proof node to the step that derives its fact; the node is held so that its number stays its own.
        let mut done: FxHashMap<u32, (Ast, Option<usize>)> = FxHashMap::default();
        let mut stack = vec![(proof.clone(), false)];
        while let Some((node, ready)) = stack.pop() {
            if done.contains_key(&node.id()) || !matches!(node.kind(), Kind::App) {
                continue;
            }
            let args = node.args();
            if !ready {
                stack.push((node, true));
                stack.extend(args.into_iter().map(|a| (a, false)));
                continue;
            }
            let mut step = None;
            if node.decl()?.is(DeclKind::PrHyperResolve) {
                let (fact, premises) = args.split_last()?;
                if let Some(&predicate) = names.get(&fact.decl()?.name()) {
                    let fact: Option<Vec<Value>> =
                        fact.args().iter().map(|a| Value::of(read(space, a, None)?)).collect();
                    let fact = fact?;
                    let premises: Vec<usize> =
                        premises.iter().filter_map(|p| done.get(&p.id()).and_then(|(_, s)| *s)).collect();
                    steps.push(self.step(&mut solver, predicate, &fact, &premises, &facts)?);
                    facts.push((predicate, fact));
                    step = Some(steps.len() - 1);
                }
            }
            done.insert(node.id(), (node, step));
        }
        let last = facts.iter().rposition(|(p, _)| *p == self.query)?;
        steps.truncate(last + 1);
        Some(Refutation { steps })
    }

    /// A rule that derives the fact from these premises.
    fn step(
        &self,
        solver: &mut Z3Solver,
        predicate: usize,
        fact: &[Value],
        premises: &[usize],
        facts: &[(usize, Vec<Value>)],
    ) -> Option<Step> {
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, r)| r.head.predicate == predicate) {
            for order in orders(rule, premises, facts) {
                let mut formulas = vec![rule.constraint];
                let derived = order.iter().map(|&p| &facts[p].1[..]);
                for (atom, values) in rule.body.iter().zip(derived).chain([(&rule.head, fact)]) {
                    formulas.extend(atom.args.iter().zip(values).map(|(t, v)| t.equals(v.to_term())));
                }
                if solver.check(&formulas) != SatResult::Sat {
                    continue;
                }
                let model = solver.model()?;
                let values: Option<Vec<(Term, Value)>> =
                    rule.variables().into_iter().map(|v| Some((v, model.eval(v)?))).collect();
                return Some(Step { rule: number, premises: order, fact: fact.to_vec(), values: values? });
            }
        }
        None
    }
}

#[derive(Default)]
struct Useful {
    /// By rules alone, whatever their constraints say.
    derivable: BTreeSet<usize>,
    /// For a derivation of the query.
    needed: BTreeSet<usize>,
}

impl Useful {
    fn takes_part(&self, rule: &Rule) -> bool {
        self.needed.contains(&rule.head.predicate)
            && !rule.constraint.is_false()
            && rule.body.iter().all(|a| self.derivable.contains(&a.predicate))
    }
}

/// The ways to give the premises to the body's atoms; not all of them if there are very many.
fn orders(rule: &Rule, premises: &[usize], facts: &[(usize, Vec<Value>)]) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    if rule.body.len() != premises.len() {
        // The same fact used twice can be listed once.
        return match (rule.body.len(), premises) {
            (2.., &[one]) if rule.body.iter().all(|a| a.predicate == facts[one].0) => {
                vec![vec![one; rule.body.len()]]
            }
            _ => Vec::new(),
        };
    }
    for atom in &rule.body {
        let mut longer = Vec::new();
        for order in &orders {
            for &p in premises {
                let used = order.iter().filter(|q| **q == p).count();
                let available = premises.iter().filter(|q| **q == p).count();
                if facts[p].0 == atom.predicate && used < available {
                    longer.push(order.iter().copied().chain([p]).collect());
                }
            }
        }
        longer.truncate(MOST_ORDERS);
        orders = longer;
    }
    orders.dedup();
    orders
}

const MOST_ORDERS: usize = 64;

/// What Spacer cannot have in a rule.
fn unsupported(term: Term) -> Option<&'static str> {
    subterms([term]).find_map(|t| match t.op() {
        Op::Apply(_) => Some("uninterpreted functions"),
        Op::Forall | Op::Exists => Some("quantifiers in rules"),
        _ => matches!(t.sort(), Sort::Float(..)).then_some("floats"),
    })
}

#[cfg(test)]
mod tests;
