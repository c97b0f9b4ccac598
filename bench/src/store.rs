//! Results as JSON lines, so that an interrupted run goes on where it stopped.
//!
//! Every line names the tool it was made with: results of another build are never mistaken for this one's. A
//! line that was cut off by a crash is ignored, and its task runs again.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub struct Store {
    tool: String,
    known: HashMap<String, Value>,
    file: File,
}

#[derive(Serialize, Deserialize)]
struct Line {
    tool: String,
    key: String,
    value: Value,
}

impl Store {
    /// Opens `dir/name.jsonl` with the results of `tool`; `fresh` drops everything first.
    pub fn open(dir: &Path, name: &str, tool: &str, fresh: bool) -> io::Result<Store> {
        fs::create_dir_all(dir)?;
        let path = dir.join(format!("{name}.jsonl"));
        if fresh && path.exists() {
            fs::remove_file(&path)?;
        }
        let text = fs::read(&path).unwrap_or_default();
        let mut known = HashMap::new();
        for line in text.split(|&b| b == b'\n') {
            if let Ok(line) = serde_json::from_slice::<Line>(line)
                && line.tool == tool
            {
                known.insert(line.key, line.value);
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        if text.last().is_some_and(|&b| b != b'\n') {
            file.write_all(b"\n")?;
        }
        Ok(Store { tool: tool.into(), known, file })
    }

    /// The results of the tool that was used last with a file `*.jsonl`, whichever that was, in the order of
    /// their keys. Those of another kind than `T` are left out.
    pub fn recorded<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
        let text = fs::read(path)?;
        let lines = text.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
        let lines: Vec<Line> = lines.collect();
        let Some(tool) = lines.last().map(|line| line.tool.clone()) else { return Ok(Vec::new()) };
        let own = lines.into_iter().filter(|line| line.tool == tool);
        let known: BTreeMap<String, Value> = own.map(|line| (line.key, line.value)).collect();
        Ok(known.into_values().filter_map(|value| serde_json::from_value(value).ok()).collect())
    }

    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_value(self.known.get(key)?.clone()).ok()
    }

    /// Where the line cannot be written, the result is still known in this run.
    pub fn put(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        let value = serde_json::to_value(value)?;
        let line = Line { tool: self.tool.clone(), key: key.into(), value };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.known.insert(line.key, line.value);
        self.file.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resumes_and_ignores_other_tools_and_broken_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let mut store = Store::open(dir.path(), "t", "v1", false).unwrap();
        store.put("a", &1).unwrap();
        store.put("b", &2).unwrap();
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        let mut store = Store::open(dir.path(), "t", "v1", false).unwrap();
        assert_eq!(store.get::<i32>("a"), Some(1));
        assert_eq!(store.get::<i32>("b"), None);
        store.put("b", &3).unwrap();
        assert_eq!(Store::open(dir.path(), "t", "v1", false).unwrap().get::<i32>("b"), Some(3));
        assert_eq!(Store::recorded::<i32>(&path).unwrap(), [1, 3]);
        let mut other = Store::open(dir.path(), "t", "v2", false).unwrap();
        assert_eq!(other.get::<i32>("a"), None);
        other.put("c", &"text").unwrap();
        other.put("a", &4).unwrap();
        assert_eq!(Store::recorded::<i32>(&path).unwrap(), [4]);
        assert_eq!(Store::open(dir.path(), "t", "v1", true).unwrap().get::<i32>("a"), None);
    }
}
