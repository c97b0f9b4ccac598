//! Certificates: what the engine proves, `certify` accepts; what was tampered with, it does not.

use base::Budget;
use certify::claim::{Comparison, Front, Integers, Source};
use certify::format::{Certificate, Coupled, Encoding, Location, Moves, Place, Proof, Value, Verdict};
use certify::{Checked, Conditions, Flaw};
use change::Pair;
use driver::certificate;
use equiv::spec::{Spec, Version, Versions};
use equiv::{Member, Request, engine};
use ir::{FuncId, Program};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const SUM: [&str; 2] = [
    "int f(int n) { int s = 0; int k = 0; while (k < n) { s = s + 2 * k; k = k + 1; } return s; }",
    "int f(int n) { int t = 0; int k = 0; while (k < n) { t += k; t += k; k++; } return t; }",
];
/// Not the same as [`SUM`]'s first.
const OTHER: &str = "int f(int n) { int t = 0; int k = 0; while (k < n) { t += k; t += 2; k++; } return t; }";
const RECURSION: [&str; 2] = [
    "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }",
    "int f(int n) { if (n < 1) return 0; int r = f(n - 1); return r + n; }",
];
const CALLEE: [&str; 2] = [
    "int w; int g(int x) { w = x; return x * 2; } int f(int *a, int n) { int s = 0; \
     for (int i = 0; i < n; i++) { s += g(a[i]); a[i] = s; } return s; }",
    "int w; int g(int x) { w = x; return x + x; } int f(int *a, int n) { int s = 0; int i = 0; \
     while (i < n) { s = g(a[i]) + s; a[i] = s; i += 1; } return s; }",
];
const TABLE: [&str; 2] = [
    "static const int t[3] = {4, 5, 6}; int f(int i) { return i == 1 ? t[1] + i : 0; }",
    "static const int t[3] = {4, 5, 6}; int f(int i) { if (i != 1) return 0; return 6; }",
];

fn seconds(count: u64) -> Budget {
    Budget { deadline: Instant::now().checked_add(Duration::from_secs(count)), ..Budget::unlimited() }
}

fn program(text: &str) -> Program {
    cfront::compile_text("f.i", text, &cfront::Options::default())
        .program
        .expect("the test's program compiles")
}

/// What the user asks about the functions `f`.
struct Question {
    texts: [&'static str; 2],
    programs: [Program; 2],
    spec: Spec,
    budget: Budget,
}

impl Question {
    fn new(texts: [&'static str; 2]) -> Question {
        Question { texts, programs: texts.map(program), spec: Spec::default(), budget: seconds(60) }
    }

    /// With conditions in C.
    fn under(texts: [&'static str; 2], pre: &[&str], post: &[&str]) -> Question {
        let mut question = Question::new(texts);
        let options = cfront::Options::default();
        let texts = texts.map(|text| [("f.i".to_owned(), text.into())]);
        let functions = question.functions();
        let version =
            |i: usize| Version { program: &question.programs[i], function: functions[i], texts: &texts[i] };
        let versions = Versions { old: version(0), new: version(1), options: &options };
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let mut spec = Spec::default();
        spec.add_options(&owned(pre), &owned(post), &versions).expect("the test's conditions are right");
        question.spec = spec;
        question
    }

    fn functions(&self) -> [FuncId; 2] {
        [0, 1].map(|i: usize| self.programs[i].find_function("f").expect("there is an f"))
    }

    fn pair(&self) -> Pair<'_> {
        Pair::new(&self.programs[0], &self.programs[1])
    }

    fn request<'a>(&'a self, pair: &'a Pair<'a>, members: &'a [Member]) -> Request<'a> {
        Request {
            pair,
            functions: self.functions(),
            spec: &self.spec,
            integers: equiv::Integers::Machine,
            budget: &self.budget,
            members,
        }
    }

    fn claim(&self) -> Comparison {
        let source = |text: &str| Source { file: "f.i".to_owned(), blake3: certify::hash(text.as_bytes()) };
        let front = Front {
            target: "lp64".to_owned(),
            macros: Vec::new(),
            flags: Vec::new(),
            checks: Vec::new(),
            error_functions: Vec::new(),
            unknown_functions: "pure".to_owned(),
            malloc_may_fail: false,
        };
        let pairs = vec![certificate::asked(&self.request(&self.pair(), &[]))];
        let sources = self.texts.map(|text| vec![source(text)]);
        Comparison { sources, front, integers: Integers::Machine, pairs }
    }

    /// The certificate that the engine's answer gives.
    fn certificate(&self, members: &[Member]) -> Certificate {
        let pair = self.pair();
        let request = self.request(&pair, members);
        let report = engine::compare(&request, &certificate::confirm);
        let answer = certificate::answer(&request, &report.verdict)
            .unwrap_or_else(|| panic!("no answer: {:?}", report.log));
        Certificate::new(self.claim(), vec![answer])
    }

    fn check(&self, certificate: &Certificate) -> Result<Checked, Flaw> {
        let text = certificate.text().expect("certificates can be written");
        let pair = self.pair();
        let request = self.request(&pair, &[]);
        let conditions = certificate::Asked(&request);
        let conditions: [&dyn Conditions; 1] = [&conditions];
        let [old, new] = &self.programs;
        certify::check(&text, &self.claim(), [old, new], &conditions, &seconds(60))
    }
}

fn certificate(texts: [&'static str; 2], members: &[Member]) -> Certificate {
    Question::new(texts).certificate(members)
}

const PROOFS: &[Member] = &[Member::Identical, Member::Candidates];

fn check(certificate: &Certificate, texts: [&'static str; 2]) -> Result<Checked, Flaw> {
    Question::new(texts).check(certificate)
}

fn coupled(certificate: &mut Certificate) -> &mut Coupled {
    match &mut certificate.proof[0].verdict {
        Verdict::Equivalent(Proof::Coupled(coupled)) => coupled,
        _ => panic!("not a proof by coupling"),
    }
}

/// The index of the location where both versions are at loop heads.
fn head(coupled: &Coupled) -> usize {
    let is = |p: &Option<Place>| matches!(p, Some(Place::Node(_)));
    coupled.locations.iter().position(|l| l.places.iter().all(is)).expect("there is a loop")
}

/// A change of that location.
fn at_head(change: impl Fn(&mut Location)) -> impl Fn(&mut Certificate) {
    move |certificate| {
        let coupled = coupled(certificate);
        let head = head(coupled);
        change(&mut coupled.locations[head]);
    }
}

#[test]
fn proofs_are_accepted() {
    for texts in [SUM, RECURSION, CALLEE, TABLE, [SUM[0], SUM[0]]] {
        let certificate = certificate(texts, PROOFS);
        let checked = check(&certificate, texts).unwrap_or_else(|flaw| panic!("{}: {flaw}", texts[1]));
        assert!(!checked.differs && checked.claims.len() == 1);
    }
}

#[test]
fn tampering_is_noticed() {
    let good = certificate(SUM, PROOFS);
    let tamper = |what: &str, change: &dyn Fn(&mut Certificate), changed: bool| {
        let mut bad = good.clone();
        change(&mut bad);
        match check(&bad, SUM) {
            Ok(_) => panic!("accepted: {what}"),
            Err(Flaw::Changed(why)) => assert!(changed, "{what}: {why}"),
            Err(flaw) => assert!(!changed, "{what}: {flaw}"),
        }
    };
    tamper("a formula weakened", &at_head(|l| l.formula = "true".to_owned()), false);
    tamper(
        "a formula strengthened",
        &at_head(|l| l.formula = format!("(and {} (= old.k old.s))", l.formula)),
        false,
    );
    tamper("a disjunct dropped", &at_head(|l| l.formula = "false".to_owned()), false);
    tamper("a formula about something else", &at_head(|l| l.formula = "(= old.x 0)".to_owned()), false);
    tamper("nobody moves", &at_head(|l| l.moves = Moves::Done), false);
    tamper("one moves too far", &at_head(|l| l.moves = Moves::Old), false);
    tamper(
        "a location removed",
        &|c| {
            let coupled = coupled(c);
            coupled.locations.remove(head(coupled));
        },
        false,
    );
    tamper(
        "a location twice",
        &|c| {
            let coupled = coupled(c);
            coupled.locations.push(coupled.locations[0].clone());
        },
        false,
    );
    tamper("all locations removed", &|c| coupled(c).locations.clear(), false);
    tamper("a precondition", &|c| c.claim.pairs[0].contract.pre = vec!["0".to_owned()], true);
    tamper("a postcondition", &|c| c.claim.pairs[0].contract.post = Some(vec!["1".to_owned()]), true);
    tamper("other inputs", &|c| c.claim.pairs[0].contract.equal_inputs = false, true);
    tamper("other integers", &|c| c.claim.integers = Integers::Unbounded, true);
    tamper("another target", &|c| c.claim.front.target = "ilp32".to_owned(), true);
    tamper("macros", &|c| c.claim.front.macros = vec!["-DNDEBUG".to_owned()], true);
    tamper("checks", &|c| c.claim.front.checks = vec!["overflow".to_owned()], true);
    tamper("other files", &|c| c.claim.sources.swap(0, 1), true);
    tamper("another encoding", &|c| coupled(c).encoding = Encoding::Unbounded, false);
    tamper("identical", &|c| c.proof[0].verdict = Verdict::Equivalent(Proof::Identical), false);
    tamper("assumed", &|c| c.proof[0].verdict = Verdict::Equivalent(Proof::Assumed), false);
    tamper("another format", &|c| c.version += 1, false);
    tamper("no pairs", &|c| c.claim.pairs.clear(), true);
    tamper("no answer", &|c| c.proof.clear(), false);
    tamper("an answer about others", &|c| c.proof[0].functions[1] = "g".to_owned(), false);
    tamper("another file", &|c| c.claim.sources[1][0].blake3 = certify::hash(b""), true);
    tamper("another function", &|c| c.claim.pairs[0].functions[1] = "g".to_owned(), true);
    tamper("another kind", &|c| c.kind = "program".to_owned(), false);
    let changed = check(&good, [SUM[0], OTHER]);
    assert!(matches!(changed, Err(Flaw::Changed(_))), "{changed:?}");
}

#[test]
fn callees_need_proofs_of_their_own() {
    let good = certificate(CALLEE, PROOFS);
    let mut bad = good.clone();
    let coupled = coupled(&mut bad);
    assert_eq!(coupled.same.len(), 1, "g is proved by itself");
    coupled.same[0].proof = Proof::Identical;
    assert!(matches!(check(&bad, CALLEE), Err(Flaw::Wrong(_))));
}

#[test]
fn differences_are_run() {
    let texts = ["int f(int x) { return x > 3; }", "int f(int x) { return x >= 3; }"];
    let good = certificate(texts, &Member::ALL);
    assert!(check(&good, texts).expect("a difference").differs);
    let mut bad = good.clone();
    if let Verdict::Different(difference) = &mut bad.proof[0].verdict {
        difference.args = [0, 1].map(|_| vec![Value::Bits("4".to_owned())]);
    }
    assert!(matches!(check(&bad, texts), Err(Flaw::Wrong(_))));
    let pointers =
        ["int g; void f(int *a) { a[1] = a[0] + g; }", "int g; void f(int *a) { a[1] = a[0] - g; }"];
    let good = certificate(pointers, &Member::ALL);
    assert!(check(&good, pointers).expect("a difference in memory").differs);
}

/// Conditions are the user's: a proof under a stronger assumption, or of less, is none of what is asked.
#[test]
fn conditions_are_those_that_are_asked() {
    let positive = ["int f(int n) { return n / 2; }", "int f(int n) { return n >> 1; }"];
    let narrow = Question::under(positive, &["n >= 0"], &[]);
    let good = narrow.certificate(PROOFS);
    assert!(!narrow.check(&good).expect("they agree where n >= 0").differs);
    // The same proof, under another claim.
    let claims = |asked: &Question, good: &Certificate| Certificate { claim: asked.claim(), ..good.clone() };
    for asked in [Question::new(positive), Question::under(positive, &["n >= -5"], &[])] {
        assert!(matches!(asked.check(&good), Err(Flaw::Changed(_))));
        let refused = asked.check(&claims(&asked, &good));
        assert!(matches!(refused, Err(Flaw::Wrong(_))), "{refused:?}");
    }
    let close = ["int f(int n) { return n; }", "int f(int n) { return n - 1; }"];
    let less = Question::under(close, &["n > -100"], &["result$1 >= result$2"]);
    let good = less.certificate(PROOFS);
    assert!(!less.check(&good).expect("the first result is larger").differs);
    for post in [&["result$1 == result$2"][..], &["result$1 < result$2"], &[]] {
        let asked = Question::under(close, &["n > -100"], post);
        assert!(matches!(asked.check(&good), Err(Flaw::Changed(_))));
        let refused = asked.check(&claims(&asked, &good));
        assert!(matches!(refused, Err(Flaw::Wrong(_))), "{post:?}: {refused:?}");
    }
}

/// A way to make a certificate another one.
fn mutation() -> impl Strategy<Value = (usize, usize, String)> {
    let formulas = ["true", "false", "(= old.k new.k)", "(= old.s new.t)", "(= old.result new.result)"];
    let formula = prop::sample::select(formulas.to_vec()).prop_map(str::to_owned);
    (0usize..8, 0usize..7, formula)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever the formulas and policies: versions that differ have no proof.
    #[test]
    fn no_proof_for_what_is_not_true(mutations in prop::collection::vec(mutation(), 0..6)) {
        let texts = [SUM[0], OTHER];
        thread_local!(static GOOD: Certificate = certificate(SUM, PROOFS));
        let mut bogus = GOOD.with(Certificate::clone);
        let question = Question::new(texts);
        bogus.claim = question.claim();
        let coupled = coupled(&mut bogus);
        coupled.transformed.clear();
        for (at, kind, formula) in mutations {
            let count = coupled.locations.len();
            if count == 0 {
                break;
            }
            let location = &mut coupled.locations[at % count];
            match kind {
                0 => location.formula = formula,
                1 => location.formula = format!("(and {} {formula})", location.formula),
                2 => location.formula = format!("(or {} {formula})", location.formula),
                3 => location.moves = Moves::Both,
                4 => location.moves = Moves::Old,
                5 => location.moves = Moves::Wait,
                _ => {
                    coupled.locations.remove(at % count);
                }
            }
        }
        let result = question.check(&bogus);
        prop_assert!(!matches!(result, Err(Flaw::Changed(_))), "{:?}", result);
        prop_assert!(result.is_err());
    }
}
