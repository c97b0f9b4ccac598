//! Histories: the revisions of a driver under one rule, in order.
//!
//! A file is named `DRIVER.ko_NUMBER.COMMIT.RULE.cil_LABEL.i`; order is by number, then by commit.

use crate::data::CFile;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Driver and rule.
    pub name: String,
    pub revisions: Vec<Revision>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Revision {
    pub file: CFile,
    /// Can an error be reached? None if the label does not say.
    pub bug: Option<bool>,
}

/// What the labels of a series say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Labels {
    Safe,
    /// Some say nothing, and none that there is a bug.
    Open,
    Bug,
}

impl Series {
    fn labels(&self) -> Labels {
        let bugs = || self.revisions.iter().map(|revision| revision.bug);
        if bugs().any(|bug| bug == Some(true)) {
            Labels::Bug
        } else if bugs().any(|bug| bug.is_none()) {
            Labels::Open
        } else {
            Labels::Safe
        }
    }

    /// The last word of the name.
    pub fn rule(&self) -> &str {
        self.name.rsplit(' ').next().unwrap_or_default()
    }

    /// The name, as one folder.
    pub fn folder_name(&self) -> String {
        self.name.replace(['/', ' '], "_")
    }
}

/// All series, by name. Files with other names are left out.
pub fn of(files: Vec<CFile>) -> Vec<Series> {
    let mut series: BTreeMap<String, Vec<(u32, String, Revision)>> = BTreeMap::new();
    for file in files {
        let Some((name, number, commit, bug)) = parse(&file.name) else { continue };
        series.entry(name).or_default().push((number, commit, Revision { file, bug }));
    }
    let sorted = |(name, mut list): (String, Vec<(u32, String, Revision)>)| {
        list.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Series { name, revisions: list.into_iter().map(|(_, _, revision)| revision).collect() }
    };
    series.into_iter().map(sorted).collect()
}

/// `count` series, spread over rules, labels and sizes: every rule gets its share, those of its series apart
/// that have a bug or no label somewhere; of the series of such a group, sorted by size, those are taken that
/// are equally far apart, from the smallest to the largest. The same ones whenever names and sizes are the
/// same.
pub fn choose(series: Vec<Series>, count: usize, size: impl Fn(&Series) -> u64) -> Vec<Series> {
    let mut groups: BTreeMap<(String, Labels), Vec<(u64, Series)>> = BTreeMap::new();
    let whole = series.len();
    for one in series {
        groups.entry((one.rule().to_owned(), one.labels())).or_default().push((size(&one), one));
    }
    let shares = shares(&groups.values().map(Vec::len).collect::<Vec<_>>(), count.min(whole));
    let mut chosen = Vec::new();
    for (mut list, take) in groups.into_values().zip(shares) {
        list.sort_by(|(a, x), (b, y)| (a, &x.name).cmp(&(b, &y.name)));
        let places = places(list.len(), take);
        let kept = list.into_iter().enumerate().filter(|(i, _)| places.contains(i));
        chosen.extend(kept.map(|(_, (_, series))| series));
    }
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

/// `count`, divided as `sizes` are; where rounding leaves some over, those get them who lost most by it, and
/// nobody gets nothing as long as there is enough.
fn shares(sizes: &[usize], count: usize) -> Vec<usize> {
    let whole = sizes.iter().sum::<usize>().max(1);
    let least = usize::from(count >= sizes.len());
    let mut shares: Vec<usize> = sizes.iter().map(|n| (n * count / whole).max(least).min(*n)).collect();
    // How much more than it has a group should have, in parts of `whole`.
    let lack = |shares: &[usize], i: usize| (sizes[i] * count) as i64 - (shares[i] * whole) as i64;
    while shares.iter().sum::<usize>() < count {
        let open = (0..sizes.len()).filter(|i| shares[*i] < sizes[*i]);
        let Some(i) = open.max_by_key(|i| (lack(&shares, *i), std::cmp::Reverse(*i))) else { break };
        shares[i] += 1;
    }
    while shares.iter().sum::<usize>() > count {
        let open = (0..sizes.len()).filter(|i| shares[*i] > least);
        let Some(i) = open.min_by_key(|i| (lack(&shares, *i), *i)) else { break };
        shares[i] -= 1;
    }
    shares
}

/// `take` of `n` positions, from the first to the last; one alone is in the middle.
fn places(n: usize, take: usize) -> Vec<usize> {
    match take {
        0 => Vec::new(),
        1 => vec![n / 2],
        take => (0..take).map(|i| (i * (n - 1) + (take - 1) / 2) / (take - 1)).collect(),
    }
}

fn parse(path: &str) -> Option<(String, u32, String, Option<bool>)> {
    let file = path.rsplit('/').next()?;
    let (driver, rest) = file.split_once(".ko_")?;
    let (number, rest) = rest.split_once('.')?;
    let (commit, rest) = rest.split_once('.')?;
    let (rule, label) = rest.split_once(".cil_")?;
    let bug = match (label.contains("true-unreach-call"), label.contains("false-unreach-call")) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    };
    let driver = driver.strip_prefix("drivers--").unwrap_or(driver);
    Some((format!("{driver} {rule}"), number.parse().ok()?, commit.to_owned(), bug))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> CFile {
        CFile { path: name.into(), name: name.into(), ilp32: false, includes: vec![], defines: vec![] }
    }

    #[test]
    fn revisions_are_in_order() {
        let names = [
            "drivers--a--b/drivers--a--b.ko_010.aaaaaaa.08_1a.cil_unknown.i",
            "drivers--a--b/drivers--a--b.ko_009.ccccccc.08_1a.cil_false-unreach-call.i",
            "drivers--a--b/drivers--a--b.ko_009.bbbbbbb.08_1a.cil_true-unreach-call.i",
            "drivers--a--b/drivers--a--b.ko_000.bbbbbbb.32_1.cil_true-unreach-call.i",
            "drivers--a--b/other.i",
        ];
        let found: Vec<String> = of(names.map(file).to_vec())
            .iter()
            .flat_map(|s| {
                s.revisions.iter().map(|r| format!("{} {} {:?}", s.name, &r.file.name[31..42], r.bug))
            })
            .collect();
        let expected = [
            "a--b 08_1a 009.bbbbbbb Some(false)",
            "a--b 08_1a 009.ccccccc Some(true)",
            "a--b 08_1a 010.aaaaaaa None",
            "a--b 32_1 000.bbbbbbb Some(false)",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn shares_follow_sizes() {
        let check = |sizes: &[usize], count, expected: &[usize]| assert_eq!(shares(sizes, count), expected);
        check(&[20, 20, 20, 10, 10, 10], 30, &[7, 7, 7, 3, 3, 3]);
        check(&[20, 12, 20, 20, 12, 6], 30, &[7, 4, 7, 6, 4, 2]);
        check(&[50, 1, 1], 3, &[1, 1, 1]);
        check(&[50, 1, 1], 2, &[2, 0, 0]);
        check(&[2, 3], 5, &[2, 3]);
        check(&[2, 3], 9, &[2, 3]);
        check(&[], 4, &[]);
    }

    #[test]
    fn chosen_series_are_spread() {
        let check_with = |last: Option<bool>, count: usize, expected: &[&str]| {
            // Of the last series, one revision of two is labelled like this.
            let series = |name: &str| {
                let label = |bug| Revision { file: file(name), bug };
                let second = if name == "q y" { last } else { Some(false) };
                Series { name: name.into(), revisions: vec![label(Some(false)), label(second)] }
            };
            let all = ["e x", "d x", "c x", "b x", "a x", "p y", "q y"].map(series).to_vec();
            // In the order of the alphabet.
            let size = |s: &Series| u64::from(s.name.as_bytes()[0]);
            let chosen = choose(all, count, size);
            let names: Vec<&str> = chosen.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(names, expected, "{count}");
        };
        let check = |count: usize, expected: &[&str]| check_with(Some(false), count, expected);
        check(0, &[]);
        check(1, &["c x"]);
        check(2, &["c x", "q y"]);
        check(4, &["a x", "c x", "e x", "q y"]);
        check(7, &["a x", "b x", "c x", "d x", "e x", "p y", "q y"]);
        check(99, &["a x", "b x", "c x", "d x", "e x", "p y", "q y"]);
        for last in [Some(true), None] {
            check_with(last, 3, &["c x", "p y", "q y"]);
            check_with(last, 4, &["a x", "e x", "p y", "q y"]);
        }
    }

    #[test]
    fn places_have_both_ends() {
        let check = |n, take, expected: &[usize]| assert_eq!(places(n, take), expected);
        check(20, 2, &[0, 19]);
        check(5, 3, &[0, 2, 4]);
        check(20, 4, &[0, 6, 13, 19]);
        check(3, 3, &[0, 1, 2]);
        check(1, 1, &[0]);
    }
}
