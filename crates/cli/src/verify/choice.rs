//! Who is asked, and what may be reused: the options that belong to one engine ask for it.

use crate::args::{
    CertifyArg, EngineArg, HolesArg, InterpolationArg, ReuseArg, ScenarioArg, SummariesArg, VerifyArgs,
};
use crate::verify::bounds::UnwindArg;
use driver::{Engines, Strategy};
use engine::{BmcSettings, Holes, PredicateSettings, Reuse, Scenario, Settings, Summaries, System};

/// Who is asked. Options that only one engine has choose it, and contradict the other one.
pub fn how(args: &VerifyArgs) -> Result<Strategy, String> {
    let bounded = [
        ("--unwind", args.unwind.iter().any(|part| *part != UnwindArg::Auto)),
        ("--unwind-recursion", args.unwind_recursion.is_some()),
        ("--scenario", args.scenario.is_some()),
        ("--interpolation", args.interpolation.is_some()),
        ("--dot", args.dot.is_some()),
    ];
    let bounded = bounded.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
    let proving = args.holes.map(|_| "--holes");
    let engines = match (args.engine, bounded, proving) {
        (EngineArg::Predicate | EngineArg::Explicit | EngineArg::Contracts, Some(option), _) => {
            return Err(format!(
                "{option} is for bounded model checking, not for --engine {}",
                name(args.engine)
            ));
        }
        (EngineArg::Bmc | EngineArg::Explicit | EngineArg::Contracts, _, Some(option)) => {
            return Err(format!(
                "{option} is for predicate abstraction, not for --engine {}",
                name(args.engine)
            ));
        }
        (EngineArg::Auto, Some(one), Some(other)) => {
            return Err(format!("{one} is for bounded model checking, {other} for predicate abstraction"));
        }
        (EngineArg::Auto, None, _) => Engines::Auto,
        (EngineArg::Bmc, ..) | (EngineArg::Auto, Some(_), _) => Engines::Only("bmc"),
        (EngineArg::Contracts | EngineArg::Explicit | EngineArg::Predicate, ..) => {
            Engines::Only(name(args.engine))
        }
    };
    if matches!(args.engine, EngineArg::Contracts | EngineArg::Explicit | EngineArg::Predicate)
        && args.summaries.is_some()
    {
        return Err(format!(
            "--summaries is for bounded model checking, not for --engine {}",
            name(args.engine)
        ));
    }
    Ok(Strategy { engines, certificate: args.certificate.is_some() })
}

fn name(engine: EngineArg) -> &'static str {
    match engine {
        EngineArg::Auto => "auto",
        EngineArg::Bmc => "bmc",
        EngineArg::Contracts => "contracts",
        EngineArg::Explicit => "explicit",
        EngineArg::Predicate => "predicate",
    }
}

/// All settings but the bounds, which depend on the program.
pub fn settings(args: &VerifyArgs) -> Result<Settings, String> {
    let scenario = match args.scenario {
        Some(ScenarioArg::Eager) | None => Scenario::Eager,
        Some(ScenarioArg::Lazy) => Scenario::Lazy,
    };
    let system = match args.interpolation {
        Some(InterpolationArg::Pudlak) | None => System::Pudlak,
        Some(InterpolationArg::Mcmillan) => System::McMillan,
    };
    let summaries = match args.summaries {
        Some(SummariesArg::Auto) => Summaries::Worthwhile,
        Some(SummariesArg::Always) | None => Summaries::Always,
    };
    let holes = match args.holes {
        Some(HolesArg::Lazy) | None => Holes::Lazy,
        Some(HolesArg::Eager) => Holes::Eager,
    };
    Ok(Settings {
        audit: args.audit,
        certify: args.certify == CertifyArg::On || args.certificate.is_some(),
        reuse: reuse(&args.reuse, args.no_reuse)?,
        slice: !args.no_slice,
        bmc: BmcSettings { scenario, system, summaries, ..BmcSettings::default() },
        predicate: PredicateSettings { holes },
        ..Settings::default()
    })
}

fn reuse(list: &[ReuseArg], nothing: bool) -> Result<Reuse, String> {
    let mut reuse = Reuse::NONE;
    match list {
        [] if nothing => return Ok(Reuse::NONE),
        [] | [ReuseArg::All] => return Ok(Reuse::ALL),
        [ReuseArg::None] => return Ok(Reuse::NONE),
        _ => {}
    }
    for part in list {
        match part {
            ReuseArg::Verdicts => reuse.verdicts = true,
            ReuseArg::Precision => reuse.precision = true,
            ReuseArg::Procedures => reuse.procedures = true,
            ReuseArg::Loops => reuse.loops = true,
            ReuseArg::Recheck => reuse.recheck = true,
            ReuseArg::Equivalent => reuse.equivalent = true,
            ReuseArg::Runs => reuse.runs = true,
            ReuseArg::All | ReuseArg::None => {
                return Err("--reuse: 'all' and 'none' stand alone".to_owned());
            }
        }
    }
    Ok(reuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let check = |list: &[ReuseArg], expected: Option<[bool; 7]>| {
            let found = reuse(list, false).ok();
            let flags =
                |r: Reuse| [r.verdicts, r.precision, r.procedures, r.loops, r.recheck, r.equivalent, r.runs];
            let found = found.map(flags);
            assert_eq!(found, expected, "{list:?}");
        };
        check(&[], Some([true; 7]));
        check(&[ReuseArg::All], Some([true; 7]));
        check(&[ReuseArg::None], Some([false; 7]));
        check(&[ReuseArg::Precision, ReuseArg::Loops], Some([false, true, false, true, false, false, false]));
        check(
            &[ReuseArg::Verdicts, ReuseArg::Procedures],
            Some([true, false, true, false, false, false, false]),
        );
        check(
            &[ReuseArg::Recheck, ReuseArg::Precision],
            Some([false, true, false, false, true, false, false]),
        );
        check(
            &[ReuseArg::Equivalent, ReuseArg::Procedures],
            Some([false, false, true, false, false, true, false]),
        );
        check(&[ReuseArg::Runs], Some([false, false, false, false, false, false, true]));
        check(&[ReuseArg::All, ReuseArg::Loops], None);
        check(&[ReuseArg::None, ReuseArg::Loops], None);
        assert_eq!(reuse(&[], true), Ok(Reuse::NONE));
    }
}
