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

impl Series {
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

    #[test]
    fn revisions_are_in_order() {
        let file = |name: &str| CFile {
            path: name.into(),
            name: name.into(),
            ilp32: false,
            includes: vec![],
            defines: vec![],
        };
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
}
