//! The partitioned formula (CreateFormula of paper 002), its proof, and the interpolants of its calls.
//!
//! Every call that is cut off has its own clauses. They are made on demand: first what the error at the root
//! depends on; then, for every interface variable that came up, the equation that binds it, in the partition
//! it belongs to, and what that depends on. A call whose interface nobody asks for has no clauses at all.
//!
//! A call can be there as itself, as its summary, or not at all ([`Stand`]): the substitution scenarios.

use crate::cut::Pair;
use crate::exec::{CallId, Exec};
use crate::formula::Failure;
use crate::upgrade::Trouble;
use base::Budget;
use blast::Blaster;
use logic::Term;
use rustc_hash::FxHashMap;
use sat::{Aig, Encoder, Interpolants, Lit, Literal, Proof, ProofSolver, System, Tree, Var};

/// What stands for a call in the formula.
#[derive(Clone)]
pub enum Stand {
    Inline,
    /// A circuit over the bits of its interface, labelled as [`bit_label`] does.
    Summary(Aig, Lit),
    Havoc,
}

/// Whose a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Call,
    Import(CallId, u32),
    Export(CallId, u32),
}

/// A bit of a call's interface: of the n-th import or export.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bit {
    pub export: bool,
    pub index: u32,
    pub bit: u32,
}

pub struct Partitions<'e, 'p> {
    exec: &'e Exec<'p>,
    aig: Aig,
    blaster: Blaster,
    encoders: Vec<Encoder>,
    shared: Encoder,
    solver: ProofSolver,
    owners: FxHashMap<Term, Owner>,
    /// By label: the variable and the bit.
    labels: FxHashMap<u32, (Term, u32)>,
    registered: usize,
    processed: usize,
    stands: Vec<Stand>,
    used: Vec<bool>,
    goal: Option<(u32, Literal)>,
    constrained: usize,
}

pub enum Outcome {
    Sat,
    Unsat(Proof),
}

impl Bit {
    pub fn label(self) -> u32 {
        self.index << 9 | self.bit.min(255) << 1 | u32::from(self.export)
    }

    pub fn of_label(label: u32) -> Bit {
        Bit { export: label & 1 == 1, index: label >> 9, bit: label >> 1 & 255 }
    }
}

impl<'e, 'p> Partitions<'e, 'p> {
    pub fn new(exec: &'e Exec<'p>, stands: Vec<Stand>) -> Self {
        let shared = Encoder::new();
        let mut owners = FxHashMap::default();
        for (i, call) in exec.calls.iter().enumerate() {
            let id = CallId(i as u32);
            if let Some(interface) = &call.interface {
                for (k, pair) in interface.imports.iter().enumerate() {
                    owners.insert(pair.inner, Owner::Import(id, k as u32));
                }
                for (k, pair) in interface.exports.iter().enumerate() {
                    owners.insert(pair.outer, Owner::Export(id, k as u32));
                }
            }
        }
        let count = exec.calls.len();
        Partitions {
            exec,
            aig: Aig::new(),
            blaster: Blaster::new(),
            encoders: (0..count).map(|_| shared.beside()).collect(),
            shared,
            solver: ProofSolver::new(),
            owners,
            labels: FxHashMap::default(),
            registered: 0,
            processed: 0,
            stands,
            used: vec![false; count],
            goal: None,
            constrained: 0,
        }
    }

    /// The circuit of a Bool of a call's formula, and of a summary over given terms.
    pub fn circuit(&mut self, term: Term) -> Result<Lit, Failure> {
        Ok(self.blaster.bool(&mut self.aig, term)?)
    }

    pub fn aig(&mut self) -> &mut Aig {
        &mut self.aig
    }

    /// Copies a circuit over interface bits, which are those of these terms.
    pub fn import(
        &mut self,
        aig: &Aig,
        root: Lit,
        imports: &[Term],
        exports: &[Term],
    ) -> Result<Lit, Failure> {
        let mut words = Vec::new();
        for list in [imports, exports] {
            let mut found = Vec::with_capacity(list.len());
            for term in list {
                found.push(self.blaster.word(&mut self.aig, *term)?);
            }
            words.push(found);
        }
        let copied = self.aig.import(aig, &[root], |_, label| {
            let bit = Bit::of_label(label);
            let list = &words[usize::from(bit.export)];
            let word = list.get(bit.index as usize);
            word.and_then(|word| word.get(bit.bit as usize)).copied().unwrap_or(Lit::FALSE)
        });
        Ok(copied.first().copied().unwrap_or(Lit::TRUE))
    }

    /// Binds every interface variable that has come up, until there is none left.
    fn spread(&mut self) -> Result<(), Failure> {
        loop {
            let new = self.shared.inputs_from(self.processed);
            if new.is_empty() {
                return Ok(());
            }
            self.processed += new.len();
            self.register();
            for label in new {
                let Some((term, bit)) = self.labels.get(&label).copied() else { continue };
                let owner = self.owners.get(&term).copied().unwrap_or(Owner::Call);
                let Some(literal) = self.shared.input(label) else { continue };
                match owner {
                    Owner::Call => {}
                    Owner::Import(call, k) => self.bind_import(call, k, bit, literal)?,
                    Owner::Export(call, k) => self.bind_export(call, k, bit, literal)?,
                }
            }
        }
    }

    fn register(&mut self) {
        let mut count = 0;
        for (term, word) in self.blaster.inputs().skip(self.registered) {
            count += 1;
            for (bit, lit) in (0..).zip(word) {
                if let sat::Node::Input(label) = self.aig.node(lit.node()) {
                    self.labels.insert(label, (term, bit));
                }
            }
        }
        self.registered += count;
    }

    fn bind_import(&mut self, call: CallId, k: u32, bit: u32, literal: Literal) -> Result<(), Failure> {
        let call = &self.exec.calls[call.0 as usize];
        let pair = call.interface.as_ref().and_then(|i| i.imports.get(k as usize)).copied();
        let (Some(Pair { outer, inner }), Some(parent)) = (pair, call.parent) else { return Ok(()) };
        // Not bound: any value.
        if outer == inner {
            return Ok(());
        }
        self.equate(parent, outer, bit, literal)
    }

    fn bind_export(&mut self, id: CallId, k: u32, bit: u32, literal: Literal) -> Result<(), Failure> {
        let call = &self.exec.calls[id.0 as usize];
        match self.stands.get(id.0 as usize) {
            Some(Stand::Havoc) => {
                self.used[id.0 as usize] = true;
                Ok(())
            }
            Some(Stand::Summary(aig, root)) => {
                if std::mem::replace(&mut self.used[id.0 as usize], true) {
                    return Ok(());
                }
                let (aig, root) = (aig.clone(), *root);
                let Some(interface) = &call.interface else { return Ok(()) };
                let imports: Vec<Term> = interface.imports.iter().map(|p| p.inner).collect();
                let exports: Vec<Term> = interface.exports.iter().map(|p| p.outer).collect();
                let lit = self.import(&aig, root, &imports, &exports)?;
                self.encoders[id.0 as usize].assert(&self.aig, lit, &mut self.solver.partition(id.0));
                Ok(())
            }
            _ => {
                self.used[id.0 as usize] = true;
                let pair = call.interface.as_ref().and_then(|i| i.exports.get(k as usize)).copied();
                let Some(Pair { inner, .. }) = pair else { return Ok(()) };
                self.equate(id, inner, bit, literal)
            }
        }
    }

    /// In the formula of `call`, a bit of `term` is `literal`.
    fn equate(&mut self, call: CallId, term: Term, bit: u32, literal: Literal) -> Result<(), Failure> {
        let word = self.blaster.word(&mut self.aig, term)?;
        let lit = word.get(bit as usize).copied().unwrap_or(Lit::FALSE);
        let encoder = &mut self.encoders[call.0 as usize];
        let mut part = self.solver.partition(call.0);
        let other = encoder.encode(&self.aig, lit, &mut part);
        use sat::Clauses;
        part.add_clause(&[!literal, other]);
        part.add_clause(&[literal, !other]);
        Ok(())
    }

    /// Can this, of the call's own formula, be true?
    pub fn holds(&mut self, call: CallId, lit: Lit, budget: &Budget) -> Result<Outcome, Trouble> {
        let encoder = &mut self.encoders[call.0 as usize];
        let literal = encoder.encode(&self.aig, lit, &mut self.solver.partition(call.0));
        self.used[call.0 as usize] = true;
        self.goal = Some((call.0, literal));
        self.spread()?;
        for constraint in self.blaster.constraints().to_vec().into_iter().skip(self.constrained) {
            self.constrained += 1;
            let encoder = &mut self.encoders[0];
            encoder.assert(&self.aig, constraint, &mut self.solver.partition(0));
        }
        Ok(match self.solver.solve(&[(literal, call.0)], budget)? {
            sat::Outcome::Sat => Outcome::Sat,
            sat::Outcome::Unsat(proof) => Outcome::Unsat(proof),
        })
    }

    /// The values of terms in the model.
    pub fn values(&mut self, terms: &[Term]) -> Result<Vec<bool>, Failure> {
        let mut roots = Vec::new();
        for term in terms {
            roots.push(self.blaster.bool(&mut self.aig, *term)?);
        }
        let (shared, solver) = (&self.shared, &mut self.solver);
        let bits = self.aig.evaluate(&roots, |label| {
            let literal = shared.input(label);
            let set = literal.and_then(|literal| solver.value(literal)).unwrap_or(false);
            if set { u64::MAX } else { 0 }
        });
        Ok(bits.into_iter().map(|bit| bit & 1 == 1).collect())
    }

    pub fn tree(&self) -> Option<Tree> {
        Tree::new(self.exec.calls.iter().map(|call| call.parent.map(|p| p.0)).collect()).ok()
    }

    /// All clauses, the last goal's among them.
    pub fn asserted(&self) -> Vec<(u32, Vec<Literal>)> {
        let mut clauses = self.solver.clauses();
        clauses.extend(self.goal.map(|(partition, literal)| (partition, vec![literal])));
        clauses
    }

    /// Does the formula ask anything of the call?
    pub fn is_used(&self, call: CallId) -> bool {
        self.used[call.0 as usize]
    }

    /// The interpolants of calls over the bits of their interfaces; None for one that speaks of anything
    /// else.
    pub fn summaries(&self, interpolants: &Interpolants, calls: &[CallId]) -> Vec<Option<(Aig, Lit)>> {
        let mut names: FxHashMap<Var, u32> = FxHashMap::default();
        for label in self.shared.inputs_from(0) {
            if let Some(literal) = self.shared.input(label) {
                names.insert(literal.var(), label);
            }
        }
        let bit = |call: CallId, var: Var| {
            let (term, bit) = self.labels.get(names.get(&var)?)?;
            match self.owners.get(term)? {
                Owner::Import(owner, k) if *owner == call => {
                    Some(Bit { export: false, index: *k, bit: *bit })
                }
                Owner::Export(owner, k) if *owner == call => Some(Bit { export: true, index: *k, bit: *bit }),
                _ => None,
            }
        };
        let one = |call: &CallId| {
            let root = *interpolants.roots.get(call.0 as usize)?;
            let mut result = Aig::new();
            let mut foreign = false;
            let copied = result.import(&interpolants.aig, &[root], |aig, var| match bit(*call, var) {
                Some(bit) => aig.input(bit.label()),
                None => {
                    foreign = true;
                    Lit::TRUE
                }
            });
            let lit = copied.first().copied()?;
            (!foreign).then_some((result, lit))
        };
        calls.iter().map(one).collect()
    }
}

/// How interpolants are made, in terms of the solver.
pub fn system(system: ::engine::System) -> System {
    match system {
        ::engine::System::Pudlak => System::Pudlak,
        ::engine::System::McMillan => System::McMillan,
    }
}
