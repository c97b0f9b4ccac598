//! What the checker has shown before, so that after a change it is asked about the change only.
//!
//! A proof falls apart into obligations, and most of those of the next version are word for word those of
//! this one. The hashes of what was shown are kept in one entry of the store for each program, the ones of
//! the last versions only. A hash is of everything that the obligation says, so it does not matter whose it
//! was.

use crate::{Request, history};
use certify::program::Known;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use store::{Artefact, Key, Store};

const KIND: &str = "obligations";
/// Of a hash, so many bytes are kept; nobody makes two obligations alike on purpose.
const BYTES: usize = 16;
/// So many are kept for a program, or twice as many as its last version has.
const MOST: usize = 2000;

type Short = [u8; BYTES];

/// The obligations that were shown for a program.
pub(crate) struct Shown<'a> {
    store: Option<&'a Store>,
    /// Where the next version looks for them.
    keys: [Key; 2],
    label: &'a str,
    before: FxHashSet<Short>,
    /// In the order in which they were stored, the newest first.
    list: Vec<Short>,
    /// Those of this version.
    now: RefCell<Vec<Short>>,
}

impl<'a> Shown<'a> {
    pub fn of(request: &Request<'a>) -> Shown<'a> {
        let settings = request.settings;
        let wanted = settings.reuse.verdicts && !settings.audit;
        let found =
            request.store.filter(|_| wanted).and_then(|store| store.get(KIND, &history::last_key(request)));
        let bytes = found.map(|artefact| artefact.payload).unwrap_or_default();
        let list: Vec<Short> = bytes.chunks_exact(BYTES).filter_map(|part| part.try_into().ok()).collect();
        Shown {
            store: request.store,
            keys: history::keys(request),
            label: request.label,
            before: list.iter().copied().collect(),
            list,
            now: RefCell::default(),
        }
    }

    /// Keeps what was shown now, and of before what there is room for.
    pub fn save(self) {
        let Some(store) = self.store.filter(|_| !self.now.borrow().is_empty()) else { return };
        let mut seen = FxHashSet::default();
        let now = self.now.into_inner();
        let most = MOST.max(2 * now.len());
        let kept = now.into_iter().chain(self.list).filter(|short| seen.insert(*short)).take(most);
        let bytes: Vec<u8> = kept.flatten().collect();
        // What cannot be stored is shown again next time.
        let records = self.keys.map(|key| Artefact::new(KIND, key, bytes.clone()).label(self.label));
        let _ = store.put_all(&records);
    }
}

impl Known for Shown<'_> {
    fn holds(&self, key: &[u8; 32]) -> bool {
        let short = short(key);
        let known = self.before.contains(&short);
        if known {
            self.now.borrow_mut().push(short);
        }
        known
    }

    fn learn(&mut self, key: [u8; 32]) {
        self.now.borrow_mut().push(short(&key));
    }
}

fn short(key: &[u8; 32]) -> Short {
    let mut short = [0; BYTES];
    short.copy_from_slice(&key[..BYTES]);
    short
}
