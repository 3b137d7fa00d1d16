//! The host for runs that are not recorded. It rolls and draws at random. If a rule states the best
//! answer to a question, the host gives that answer; otherwise, it gives a random answer.

use adjutant_dice::{DiceTray, Die, Pool, SeededSource, Source};

use crate::language::machine::{Answers, Halt, Host, Question, RandomLot};

/// A host that rolls dice, and that chooses an answer at random if the rule doesn't state the best
/// one.
#[derive(Clone, Debug)]
pub(super) struct RandomHost {
    dice: SeededSource,
    tray: DiceTray,
    /// True if the umpire overrides refusals.
    pub insist: bool,
}

impl RandomHost {
    /// Returns a host that uses these dice.
    pub(super) fn new(dice: SeededSource) -> Self {
        RandomHost { dice, tray: DiceTray::default(), insist: false }
    }
}

/// Returns a random index below `count`. All indices are equally likely.
pub(super) fn random_index(dice: &mut impl Source, count: usize) -> Result<usize, Halt> {
    let sides = u32::try_from(count).unwrap_or(u32::MAX);
    Ok(dice.face(sides).map_err(Halt::Dice)? as usize - 1)
}

/// Returns one of the possible answers at random. All answers are equally likely.
pub(super) fn random_answer(dice: &mut impl Source, answers: &Answers) -> Result<i64, Halt> {
    Ok(match answers {
        Answers::Named(all) => {
            let index = random_index(dice, all.len())?;
            all.get(index).map_or(-1, |(value, _)| *value)
        }
        Answers::Between(low, high) => {
            low + random_index(dice, usize::try_from(high - low + 1).unwrap_or(1))? as i64
        }
    })
}

impl Host for RandomHost {
    #[inline]
    fn wants_reports(&self) -> bool {
        false
    }

    fn roll_pool(&mut self, pool: &Pool) -> Result<i64, Halt> {
        match pool.die() {
            // This case is by far the most common, so it is handled directly.
            Die::Plain(sides) if pool.is_plain() => self.roll_dice(pool.count(), sides),
            _ => self.tray.roll_pool(pool, &mut self.dice).map_err(Halt::Dice),
        }
    }

    fn roll_dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        let mut total = 0;
        for _ in 0..count {
            total += i64::from(self.dice.face(sides).map_err(Halt::Dice)?);
        }
        Ok(total)
    }

    fn draw_lot(&mut self, lot: RandomLot<'_>, _names: &[String]) -> Result<usize, Halt> {
        random_index(&mut self.dice, lot.members.len())
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        match question.best {
            Some(best) => Ok(best),
            None => random_answer(&mut self.dice, &question.answers),
        }
    }

    fn overrides_refusal(&mut self, _reason: String) -> bool {
        self.insist
    }
}
