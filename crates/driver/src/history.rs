//! Who decided the last version, and what that took.
//!
//! A hint and nothing else: it says whom to ask first. Found under the name of the program, or, where an
//! earlier version is given, under the fingerprint of that.

use crate::Request;
use engine::Subject;
use serde::{Deserialize, Serialize};
use slice::Checks;
use std::time::Duration;
use store::{Artefact, Key};

const KIND: &str = "history";

#[derive(Serialize, Deserialize)]
struct Record {
    engine: String,
    seconds: f64,
}

pub(crate) struct History {
    last: Option<Record>,
}

impl History {
    pub fn of(request: &Request) -> History {
        let wanted = request.settings.reuse != engine::Reuse::NONE;
        let Some(store) = request.store.filter(|_| wanted) else { return History { last: None } };
        let found = store.get(KIND, &last_key(request));
        History { last: found.and_then(|artefact| postcard::from_bytes(&artefact.payload).ok()) }
    }

    pub fn last(&self) -> Option<(&str, Duration)> {
        let record = self.last.as_ref()?;
        Some((&record.engine, Duration::try_from_secs_f64(record.seconds).ok()?))
    }

    /// What it takes when nothing can be reused matters longer than the last time does. Where it is as usual
    /// and always was (`usual`), there is nothing to remember.
    pub fn remember(&self, request: &Request, engine: &str, time: Duration, usual: bool) {
        let Some(store) = request.store else { return };
        if usual && self.last.is_none() {
            return;
        }
        let before = self.last.as_ref().filter(|record| record.engine == engine);
        let seconds = before.map_or(0.0, |record| record.seconds * SLOWLY).max(time.as_secs_f64());
        let record = Record { engine: engine.to_owned(), seconds };
        let Ok(bytes) = postcard::to_stdvec(&record) else { return };
        let records = keys(request).map(|key| Artefact::new(KIND, key, bytes.clone()).label(request.label));
        // It is a hint: without it, the others are asked first.
        let _ = store.put_all(&records);
    }
}

const SLOWLY: f64 = 0.9;

/// Where something about the last version is found.
pub(crate) fn last_key(request: &Request) -> Key {
    match request.base {
        Some(base) => by_print(base),
        None => by_name(request),
    }
}

/// Where the next version looks for what is known of this one.
pub(crate) fn keys(request: &Request) -> [Key; 2] {
    [by_name(request), by_print(request.subject)]
}

fn by_name(request: &Request) -> Key {
    Key::of(&[b"name", request.label.as_bytes(), request.subject.name().as_bytes()])
}

fn by_print(subject: &Subject) -> Key {
    // A part of the checks is known by what they depend on.
    let print = subject.print(subject.checks != Checks::All);
    Key::of(&[b"print", &print.0])
}
