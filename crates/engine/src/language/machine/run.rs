//! A running machine, and the registers of the current function.

use super::error::PlayFault;
use super::host::Host;
use super::interrupt::Interrupt;
use super::state::Machine;
use super::world::World;
use crate::language::code::Reg;
use crate::language::number::Number;

/// A running machine, its table and its host.
pub(super) struct Run<'r, 'p, T, H> {
    pub(super) machine: &'r mut Machine<'p>,
    pub(super) table: &'r mut T,
    pub(super) host: &'r mut H,
    /// The index of the function's first register.
    pub(super) base: usize,
    /// The reason why an instruction did not finish.
    pub(super) halted: Option<Interrupt>,
}

impl<T: World, H: Host> Run<'_, '_, T, H> {
    #[inline(always)]
    pub(super) fn value(&self, reg: Reg) -> i64 {
        self.machine.registers[self.base + usize::from(reg)]
    }

    #[inline(always)]
    pub(super) fn set_value(&mut self, reg: Reg, value: i64) {
        self.machine.registers[self.base + usize::from(reg)] = value;
    }

    /// Returns the row of the piece in a register. Fails if the piece is `none`.
    #[inline(always)]
    pub(super) fn row(&self, reg: Reg) -> Result<u32, PlayFault> {
        u32::try_from(self.value(reg)).map_err(|_| PlayFault::OfNone)
    }

    /// Returns the number in a register that holds a fraction or a whole number.
    pub(super) fn number(&self, reg: Reg, fraction: bool) -> Result<Number, PlayFault> {
        if fraction {
            Ok(Number::from_bits(self.value(reg)))
        } else {
            Number::whole(self.value(reg)).ok_or(PlayFault::TooLarge)
        }
    }

    /// Fails if there are more events than the outcome of one command can hold.
    pub(super) fn check_not_full(&self) -> Result<(), PlayFault> {
        if self.host.is_full() { Err(PlayFault::TooMuch) } else { Ok(()) }
    }

    pub(super) fn list_members(&self, list: Reg) -> &[u32] {
        self.machine.members(self.value(list))
    }
}
