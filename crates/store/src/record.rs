//! Rows of the database and what makes them believable: a seal over all that must not change, and payloads
//! named by their hash.
//!
//! The time of last use is outside the seal, because it changes; it decides nothing but what is collected
//! first.

use crate::audit::Problem;
use crate::{Artefact, Entry, Id, Key};
use rusqlite::Row;

/// Larger payloads are refused: SQLite takes no more than 10^9 bytes in one place.
pub const MAX_PAYLOAD: u64 = 1 << 29;

/// The columns that [`read`] expects, `artefact` being `a` and `payload` being `p`. Add `p.data` for
/// [`data`].
pub(crate) const COLUMNS: &str = "a.kind, a.key, a.payload, a.size, a.label, a.tool, a.created, a.used, a.links, \
                                  a.seal, length(p.data), a.rowid";
pub(crate) const DATA: usize = 12;

pub(crate) struct Record {
    pub row: i64,
    pub entry: Entry,
    pub payload: [u8; 32],
}

/// A row that is as it was written, or what is wrong with it.
pub(crate) fn read(row: &Row<'_>) -> Result<Record, Problem> {
    let record = parse(row).map_err(|_| Problem::Metadata)?;
    record.ok_or(Problem::Metadata)
}

/// The payload of a record that [`read`] accepted.
pub(crate) fn unpack(row: &Row<'_>, record: &Record) -> Result<Vec<u8>, Problem> {
    let data = row.get_ref(DATA).map_err(|_| Problem::Payload)?;
    if data == rusqlite::types::ValueRef::Null {
        return Err(Problem::NoPayload);
    }
    let data = data.as_blob().map_err(|_| Problem::Payload)?;
    // The size is under the seal, so this cannot ask for more memory than the payload needed when it was
    // written.
    let size = usize::try_from(record.entry.size.min(MAX_PAYLOAD)).map_err(|_| Problem::Payload)?;
    let payload = zstd::bulk::decompress(data, size).map_err(|_| Problem::Payload)?;
    match blake3::hash(&payload).as_bytes() == &record.payload {
        true => Ok(payload),
        false => Err(Problem::Payload),
    }
}

/// An artefact as it is written.
pub(crate) struct Packed<'a> {
    pub artefact: &'a Artefact,
    pub hash: [u8; 32],
    pub data: Vec<u8>,
    pub size: i64,
    pub links: Vec<u8>,
    pub seal: [u8; 32],
}

/// Level 3 is within a few percent of the best for artefacts, at the speed of writing them.
const LEVEL: i32 = 3;

/// None if it is too large.
pub(crate) fn pack<'a>(artefact: &'a Artefact, tool: &str, created: i64) -> Option<Packed<'a>> {
    if artefact.payload.len() as u64 > MAX_PAYLOAD {
        return None;
    }
    let size = i64::try_from(artefact.payload.len()).ok()?;
    let hash = *blake3::hash(&artefact.payload).as_bytes();
    let data = zstd::bulk::compress(&artefact.payload, LEVEL).ok()?;
    let links = postcard::to_stdvec(&artefact.links).ok()?;
    let seal = seal(&artefact.id, &hash, size, &artefact.label, tool, created, &links);
    Some(Packed { artefact, hash, data, size, links, seal })
}

fn parse(row: &Row<'_>) -> rusqlite::Result<Option<Record>> {
    let text = |i: usize| row.get::<_, String>(i);
    let hash = |i: usize| row.get::<_, [u8; 32]>(i);
    let id = Id { kind: text(0)?, key: Key(hash(1)?) };
    let (payload, size, label, tool) = (hash(2)?, row.get::<_, i64>(3)?, text(4)?, text(5)?);
    let created: i64 = row.get(6)?;
    let links: Vec<u8> = row.get(8)?;
    if hash(9)? != seal(&id, &payload, size, &label, &tool, created, &links) {
        return Ok(None);
    }
    let Ok(links) = postcard::from_bytes(&links) else { return Ok(None) };
    let created = created.max(0) as u64;
    let used = row.get::<_, i64>(7).map_or(created, |used| used.max(0) as u64);
    let stored = row.get::<_, i64>(10).unwrap_or(0);
    let entry = Entry {
        id,
        label,
        links,
        tool,
        created,
        used,
        size: size.max(0) as u64,
        stored: stored.max(0) as u64,
    };
    Ok(Some(Record { row: row.get(11)?, entry, payload }))
}

fn seal(
    id: &Id,
    hash: &[u8; 32],
    size: i64,
    label: &str,
    tool: &str,
    created: i64,
    links: &[u8],
) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("reprove store entry, format 1");
    let (size, created) = (size.to_le_bytes(), created.to_le_bytes());
    let fields: [&[u8]; 8] =
        [id.kind.as_bytes(), &id.key.0, hash, &size, label.as_bytes(), tool.as_bytes(), &created, links];
    for field in fields {
        hasher.update(&(field.len() as u64).to_le_bytes());
        hasher.update(field);
    }
    *hasher.finalize().as_bytes()
}
