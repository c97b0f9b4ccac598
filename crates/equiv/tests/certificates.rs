//! Certificates: what the engine proves, `certify` accepts; what was tampered with, it does not.

use base::Budget;
use certify::format::{
    Certificate, Claim, Coupled, Encoding, Integers, Location, Moves, Place, Proof, Source, VERSION, Value,
};
use certify::{Checked, Flaw, Given, check_certificate};
use equiv::spec::Spec;
use equiv::{Member, Request, certificate, engine};
use ir::Program;
use proptest::prelude::*;
use std::collections::BTreeMap;
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

fn sources(texts: [&str; 2]) -> Given {
    let names = ["old.i", "new.i"].map(str::to_owned);
    Given(names.into_iter().zip(texts.map(str::to_owned)).collect::<BTreeMap<_, _>>())
}

/// The certificate that comparing the functions `f` gives.
fn certificate(texts: [&str; 2], members: &[Member]) -> Certificate {
    let programs = texts.map(program);
    let functions = [0, 1].map(|i: usize| programs[i].find_function("f").expect("there is an f"));
    let spec = Spec::default();
    let budget = seconds(60);
    let request = Request {
        old: &programs[0],
        new: &programs[1],
        functions,
        spec: &spec,
        integers: equiv::Integers::Machine,
        budget: &budget,
        members,
    };
    let report = engine::compare(&request);
    let pair = certificate::pair(&request, &report.verdict, &report.assumptions)
        .unwrap_or_else(|| panic!("no answer: {:?}", report.log));
    let names = ["old.i", "new.i"];
    let source =
        |i: usize| vec![Source { file: names[i].to_owned(), blake3: certify::hash(texts[i].as_bytes()) }];
    Certificate {
        version: VERSION,
        tool: "test".to_owned(),
        semantics: ir::fingerprint::SEMANTICS_VERSION,
        front: certify::front(&cfront::Options::default()),
        sources: [source(0), source(1)],
        pairs: vec![pair],
    }
}

const PROOFS: &[Member] = &[Member::Identical, Member::Candidates];

fn check(certificate: &Certificate, texts: [&str; 2]) -> Result<Checked, Flaw> {
    let text = serde_json::to_string(certificate).expect("certificates can be written");
    certify::check(&text, &sources(texts), &seconds(60))
}

fn coupled(certificate: &mut Certificate) -> &mut Coupled {
    match &mut certificate.pairs[0].claim {
        Claim::Equivalent(Proof::Coupled(coupled)) => coupled,
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
    tamper("a precondition", &|c| coupled(c).pre = "false".to_owned(), false);
    tamper("a postcondition", &|c| coupled(c).post = Some("true".to_owned()), false);
    tamper("other integers", &|c| c.pairs[0].integers = Integers::Unbounded, false);
    tamper("another encoding", &|c| coupled(c).encoding = Encoding::Unbounded, false);
    tamper("identical", &|c| c.pairs[0].claim = Claim::Equivalent(Proof::Identical), false);
    tamper("assumed", &|c| c.pairs[0].claim = Claim::Equivalent(Proof::Assumed), false);
    tamper("another format", &|c| c.version += 1, false);
    tamper("no pairs", &|c| c.pairs.clear(), false);
    tamper("another fingerprint", &|c| c.pairs[0].fingerprints.swap(0, 1), true);
    tamper("another file", &|c| c.sources[1][0].blake3 = certify::hash(b""), true);
    tamper("another function", &|c| c.pairs[0].functions[1] = "g".to_owned(), true);
    tamper("another semantics", &|c| c.semantics += 1, true);
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
    if let Claim::Different(difference) = &mut bad.pairs[0].claim {
        difference.args = [0, 1].map(|_| vec![Value::Bits("4".to_owned())]);
    }
    assert!(matches!(check(&bad, texts), Err(Flaw::Wrong(_))));
    let pointers =
        ["int g; void f(int *a) { a[1] = a[0] + g; }", "int g; void f(int *a) { a[1] = a[0] - g; }"];
    let good = certificate(pointers, &Member::ALL);
    assert!(check(&good, pointers).expect("a difference in memory").differs);
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
        bogus.sources[1][0].blake3 = certify::hash(OTHER.as_bytes());
        let other = program(OTHER);
        let prints = ir::fingerprint::Fingerprints::compute(&other, b"equiv");
        bogus.pairs[0].fingerprints[1] = prints.function(other.find_function("f").expect("f")).global.to_string();
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
        let result = check_certificate(&bogus, &sources(texts), &seconds(20));
        prop_assert!(!matches!(result, Err(Flaw::Changed(_))), "{:?}", result);
        prop_assert!(result.is_err());
    }
}
