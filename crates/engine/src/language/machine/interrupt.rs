//! The reasons why an instruction did not finish.

use super::error::PlayFault;
use super::host::Halt;

/// The reason why an instruction did not finish; the caller adds the location.
pub(super) enum Interrupt {
    Fault(PlayFault),
    Halt(Halt),
}

impl From<PlayFault> for Interrupt {
    fn from(fault: PlayFault) -> Self {
        Interrupt::Fault(fault)
    }
}

impl From<Halt> for Interrupt {
    fn from(halt: Halt) -> Self {
        Interrupt::Halt(halt)
    }
}
