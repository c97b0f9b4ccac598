//! `reprove certify`: is a certificate right about the sources as they are now?

use crate::args::CertifyArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::{json, load};
use ::certify::{Checked, Disk, Flaw, check, program};
use base::Budget;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Document {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    exit_code: u8,
    /// What was shown, pair by pair.
    claims: Vec<String>,
    assumptions: BTreeSet<String>,
    /// How many the solver answered.
    queries: usize,
}

pub fn certify(args: &CertifyArgs, console: &Console) -> Result<Exit, Exit> {
    let bad = |message: String| {
        let message = format!("{}: {message}", args.certificate.display());
        json::failed(console, args.json, "certify", load::refuse(console, message, Exit::BadInput))
    };
    let text = std::fs::read_to_string(&args.certificate).map_err(|e| bad(format!("cannot read: {e}")))?;
    let deadline = Instant::now().checked_add(Duration::from_secs_f64(args.timeout));
    let budget = Budget { deadline, ..Budget::unlimited() };
    let about_program = program::is_program(&text);
    let result = match about_program {
        true => safe(&text, &budget),
        false => check(&text, &Disk, &budget),
    };
    let (exit, checked, reason) = match result {
        Ok(checked) if checked.differs => (Exit::Disproved, checked, None),
        Ok(checked) => (Exit::Fine, checked, None),
        Err(flaw @ (Flaw::Malformed(_) | Flaw::Changed(_))) => return Err(bad(flaw.to_string())),
        Err(flaw) => (Exit::Unknown, Checked::default(), Some(flaw.to_string())),
    };
    let verdict = match exit {
        Exit::Fine if about_program => "SAFE",
        Exit::Fine => "EQUIVALENT",
        Exit::Disproved => "NOT EQUIVALENT",
        _ => "UNKNOWN",
    };
    let Checked { claims, assumptions, queries, .. } = checked;
    if args.json {
        let document = Document { verdict, reason, exit_code: exit as u8, claims, assumptions, queries };
        json::print(console, "certify", &[], document)?;
        return Ok(exit);
    }
    let mut out = String::new();
    for claim in &claims {
        let _ = writeln!(out, "{claim}");
    }
    for assumption in &assumptions {
        let _ = writeln!(out, "assuming that {assumption}");
    }
    let _ = match reason {
        Some(reason) => {
            let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(out, "{verdict} ({reason})")
        }
        None => writeln!(out, "{verdict}"),
    };
    console.print(out.as_bytes())?;
    Ok(exit)
}

/// A certificate that `verify` wrote.
fn safe(text: &str, budget: &Budget) -> Result<Checked, Flaw> {
    let checked = program::check_text(text, &Disk, budget, &mut program::Nothing);
    let program::Checked { claims, assumptions, queries, .. } = checked.map_err(|refused| refused.flaw)?;
    Ok(Checked { differs: false, claims, assumptions, queries })
}
