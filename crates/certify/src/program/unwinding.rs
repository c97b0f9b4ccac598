use super::Refused;
use super::obligation::Prover;
use crate::Flaw;
use ir::{FuncId, Program};
pub fn check(_: &Program, _: FuncId, _: u32, _: &mut Prover) -> Result<String, Refused> {
    Err(Flaw::Open("unwinding".to_owned()).into())
}
