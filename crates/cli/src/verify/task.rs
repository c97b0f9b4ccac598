//! What is to be verified: files as they are, or as a task definition of SV-COMP (`.yml`) lists them, and the
//! property.

use super::definition::{Definition, Listed};
use super::property::{self, Property};
use crate::args::TargetArg;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Job {
    pub files: Vec<PathBuf>,
    /// The data model of a task definition.
    pub target: Option<TargetArg>,
    pub property: Property,
    /// A task definition names the files.
    pub by_task: bool,
    /// What a task definition expects.
    pub expected: Option<bool>,
    /// What the user should know about the choice.
    pub notes: Vec<String>,
}

impl Job {
    /// Does it come from a task definition or a property file, with the rules of SV-COMP?
    pub fn is_competition(&self) -> bool {
        self.by_task || self.property.checks.is_some()
    }
}

/// Task definitions and property files are for people to write; anything longer is something else.
const LONGEST: u64 = 1 << 20;

/// `files` may have a property among them.
pub fn job(files: &[PathBuf], property: Option<&PathBuf>) -> Result<Job, String> {
    let is = |path: &&PathBuf, names: &[&str]| {
        path.extension().and_then(|e| e.to_str()).is_some_and(|e| names.contains(&e))
    };
    let mut job = Job::default();
    let mut given = property.cloned();
    for path in files.iter().filter(|path| is(path, &["prp"])) {
        if given.replace(path.clone()).is_some() {
            return Err("there can be one property only".to_owned());
        }
    }
    let tasks: Vec<&PathBuf> = files.iter().filter(|path| is(path, &["yml", "yaml"])).collect();
    let rest = files.iter().filter(|path| !is(path, &["yml", "yaml", "prp"]));
    match tasks.as_slice() {
        [] => job.files = rest.cloned().collect(),
        [task] => {
            if rest.count() > 0 {
                return Err(format!("{}: a task definition names all its files", task.display()));
            }
            read_task(task, given.is_none(), &mut job)?;
            job.by_task = true;
        }
        _ => return Err("one task definition at a time".to_owned()),
    }
    if let Some(path) = given {
        job.property = read_property(&path)?;
    }
    if job.files.is_empty() {
        return Err("there is no file to verify".to_owned());
    }
    Ok(job)
}

fn read_task(path: &Path, choose: bool, job: &mut Job) -> Result<(), String> {
    let bad = |message: String| format!("{}: {message}", path.display());
    let text = read(path)?;
    let task = Definition::parse(&text).map_err(|e| format!("{}:{e}", path.display()))?;
    match task.format_version.as_deref() {
        Some("1.0" | "2.0" | "2.1") => {}
        Some(other) => return Err(bad(format!("format_version {other} is not supported"))),
        None => return Err(bad("not a task definition: there is no format_version".to_owned())),
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = task.input_files.names();
    if files.is_empty() || files.iter().any(String::is_empty) {
        return Err(bad("there are no input_files".to_owned()));
    }
    job.files.extend(files.iter().map(|name| folder.join(name)));
    if let Some(language) = task.options.language.filter(|l| l != "C") {
        return Err(bad(format!("the language is {language}, not C")));
    }
    job.target = match task.options.data_model.as_deref() {
        Some("ILP32") => Some(TargetArg::Ilp32),
        Some("LP64") => Some(TargetArg::Lp64),
        Some(other) => return Err(bad(format!("the data model {other} is not supported"))),
        None => None,
    };
    if choose {
        choose_property(task.properties, path, folder, job)?;
    }
    Ok(())
}

/// The first property that is supported; reachability before others, since that is what assertions are about.
fn choose_property(listed: Vec<Listed>, path: &Path, folder: &Path, job: &mut Job) -> Result<(), String> {
    let mut supported: Vec<(String, Property, Option<bool>)> = Vec::new();
    let mut refused = Vec::new();
    for entry in listed {
        let Some(name) = entry.property_file else { continue };
        match read_property(&folder.join(&name)) {
            Ok(property) => supported.push((name, property, entry.expected_verdict)),
            Err(message) => refused.push(message),
        }
    }
    let reachability = |p: &Property| p.error_functions.as_ref().is_some_and(|f| !f.is_empty());
    let chosen = supported.iter().position(|(_, p, _)| reachability(p)).unwrap_or(0);
    if supported.is_empty() {
        return match refused.first() {
            Some(message) => Err(message.clone()),
            None => Ok(()),
        };
    }
    let (name, property, expected) = supported.swap_remove(chosen);
    if !supported.is_empty() {
        let others: Vec<String> = supported.into_iter().map(|(name, ..)| name).collect();
        job.notes.push(format!(
            "{} has several properties; this is about {name}, not about {} (--property chooses)",
            path.display(),
            others.join(", ")
        ));
    }
    (job.property, job.expected) = (property, expected);
    Ok(())
}

fn read_property(path: &Path) -> Result<Property, String> {
    property::parse(&read(path)?).map_err(|message| format!("{}: {message}", path.display()))
}

fn read(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|e| format!("{}: cannot read: {e}", path.display()))?;
    if !about.is_file() || about.len() > LONGEST {
        return Err(format!("{}: this is no file of this kind", path.display()));
    }
    std::fs::read_to_string(path).map_err(|e| format!("{}: cannot read: {e}", path.display()))
}
