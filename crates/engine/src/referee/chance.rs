//! The host of runs without an audience: chance rolls, draws and answers; nothing is recorded.

use adjutant_dice::{DiceTray, Die, Pool, Seeded, Source};

use crate::language::machine::{Answers, Halt, Host, Lot, Question};

/// Chance alone.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    dice: Seeded,
    tray: DiceTray,
    /// True if what the rules refuse is insisted on.
    pub insist: bool,
}

impl Chance {
    /// Returns a host that uses these dice.
    pub(super) fn new(dice: Seeded) -> Self {
        Chance { dice, tray: DiceTray::default(), insist: false }
    }
}

/// Returns an index below `count`, each equally likely.
pub(super) fn one_of(dice: &mut impl Source, count: usize) -> Result<usize, Halt> {
    let sides = u32::try_from(count).unwrap_or(u32::MAX);
    Ok(dice.face(sides).map_err(Halt::Dice)? as usize - 1)
}

/// Returns one of the possible answers, each equally likely.
pub(super) fn answer(dice: &mut impl Source, answers: &Answers) -> Result<i64, Halt> {
    Ok(match answers {
        Answers::Named(all) => {
            let index = one_of(dice, all.len())?;
            all.get(index).map_or(-1, |(value, _)| *value)
        }
        Answers::Between(low, high) => {
            low + one_of(dice, usize::try_from(high - low + 1).unwrap_or(1))? as i64
        }
    })
}

impl Host for Chance {
    #[inline]
    fn reports(&self) -> bool {
        false
    }

    fn roll(&mut self, pool: &Pool) -> Result<i64, Halt> {
        match pool.die() {
            // The commonest by far, without any more ado.
            Die::Plain(sides) if pool.is_plain() => self.dice(pool.count(), sides),
            _ => self.tray.pool(pool, &mut self.dice).map_err(Halt::Dice),
        }
    }

    fn dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        let mut total = 0;
        for _ in 0..count {
            total += i64::from(self.dice.face(sides).map_err(Halt::Dice)?);
        }
        Ok(total)
    }

    fn lot(&mut self, lot: Lot<'_>, _names: &[String]) -> Result<usize, Halt> {
        one_of(&mut self.dice, lot.members.len())
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        answer(&mut self.dice, &question.answers)
    }

    fn refused(&mut self, _reason: String) -> bool {
        self.insist
    }
}
