//! Modifiers: the conditions for using them, and their effect on the limits of a pool.
//!
//! `parser/modifier.rs` reads them, `roll.rs` applies them, and `distribution/pool.rs` computes
//! their effect on the odds. The section "A dice modifier" of `CONTRIBUTING.md` lists all files to
//! change for a new modifier.

use std::fmt;

use crate::die::{ComparePoint, Comparison, Die};
use crate::notation::EXPLOSION_LIMIT;

/// The end of the scale from which dice are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiceEnd {
    /// The highest dice.
    Highest,
    /// The lowest dice.
    Lowest,
}

impl DiceEnd {
    pub(crate) fn opposite(self) -> DiceEnd {
        match self {
            DiceEnd::Highest => DiceEnd::Lowest,
            DiceEnd::Lowest => DiceEnd::Highest,
        }
    }

    fn letter(self) -> char {
        match self {
            DiceEnd::Highest => 'h',
            DiceEnd::Lowest => 'l',
        }
    }
}

/// A change to the dice of a pool. Modifiers apply in the order in which they are written, each to
/// the dice that still count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiceModifier {
    /// `kh3`, `kl1`: only these dice count. If dice are equal, the one rolled first is kept.
    Keep(DiceEnd, u32),
    /// `dh1`, `dl1`: these dice no longer count. If dice are equal, the one rolled last is dropped.
    Drop(DiceEnd, u32),
    /// `!`: every die whose face matches adds one more die, which can add another, up to
    /// [`EXPLOSION_LIMIT`] extra dice for each die of the pool.
    Explode(ComparePoint),
    /// `r1`, `ro<=2`: a die whose face matches is rolled again, with `r` until its face no longer
    /// matches.
    Reroll {
        /// The faces to roll again.
        point: ComparePoint,
        /// True if a die is rolled again only once, whatever the new face.
        once: bool,
    },
    /// `min2`: a lower face counts as this number.
    Minimum(i32),
    /// `max5`: a higher face counts as this number.
    Maximum(i32),
}

impl fmt::Display for DiceModifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `=` is left out, except before a minus sign, which would be read as a subtraction.
        let short = |point: &ComparePoint| match point {
            ComparePoint { comparison: Comparison::Equal, value } if *value >= 0 => {
                value.to_string()
            }
            point => point.to_string(),
        };
        match self {
            DiceModifier::Keep(end, n) => write!(f, "k{}{n}", end.letter()),
            DiceModifier::Drop(end, n) => write!(f, "d{}{n}", end.letter()),
            DiceModifier::Explode(point) => write!(f, "!{}", short(point)),
            DiceModifier::Reroll { point, once: false } => write!(f, "r{}", short(point)),
            DiceModifier::Reroll { point, once: true } => write!(f, "ro{}", short(point)),
            DiceModifier::Minimum(n) => write!(f, "min{n}"),
            DiceModifier::Maximum(n) => write!(f, "max{n}"),
        }
    }
}

/// The code, message and help of the error for a modifier that cannot be used; the help may be
/// empty.
pub(crate) type Objection = (&'static str, String, &'static str);

impl DiceModifier {
    /// Returns true if the modifier chooses among the dice. Other modifiers change each die
    /// separately.
    pub(crate) fn selects_dice(self) -> bool {
        matches!(self, DiceModifier::Keep(..) | DiceModifier::Drop(..))
    }

    /// Checks that the modifier can be used for `count` dice after the modifiers `before` it. A
    /// pool whose modifiers all pass can be rolled in bounded time and has exact odds.
    pub(crate) fn check(
        self,
        die: Die,
        count: u32,
        before: &[DiceModifier],
    ) -> Result<(), Objection> {
        let never = |point| Err(("dice-never", format!("no {die} can show `{point}`"), ""));
        match self {
            DiceModifier::Keep(_, n) | DiceModifier::Drop(_, n) => {
                self.check_choice(n, die, count, before)
            }
            DiceModifier::Explode(point) => {
                if before.iter().any(|m| matches!(m, DiceModifier::Explode(_))) {
                    return Err(("dice-twice", "only one `!` is allowed".into(), ""));
                }
                match die.count_matching(point) {
                    0 => never(point),
                    n if n == die.face_count() => {
                        Err(("dice-endless", format!("every {die} would explode without end"), ""))
                    }
                    _ => Ok(()),
                }
            }
            DiceModifier::Reroll { point, once } => {
                match (die.count_matching(point), die.face_count()) {
                    (0, _) => never(point),
                    (again, faces) if again == faces && !once => Err((
                        "dice-endless",
                        format!("every {die} would be rerolled without end"),
                        "`ro` rerolls only once",
                    )),
                    (again, faces) if (faces - again).saturating_mul(20) < faces && !once => Err((
                        "dice-endless",
                        format!("a {die} would be rerolled almost without end"),
                        "at least one face in twenty must end the rerolls",
                    )),
                    _ => Ok(()),
                }
            }
            DiceModifier::Minimum(n) | DiceModifier::Maximum(n) => {
                if (die.lowest()..=die.highest()).contains(&n) {
                    Ok(())
                } else {
                    Err(("dice-never", format!("`{n}` is outside the range of a {die}"), ""))
                }
            }
        }
    }

    fn check_choice(
        self,
        n: u32,
        die: Die,
        count: u32,
        before: &[DiceModifier],
    ) -> Result<(), Objection> {
        let explodes = |m: &DiceModifier| matches!(m, DiceModifier::Explode(_));
        let throws = |m: &DiceModifier| explodes(m) || matches!(m, DiceModifier::Reroll { .. });
        if let Some(last) = before.iter().rposition(|m| m.selects_dice())
            && (before.iter().any(explodes) || before[last..].iter().any(throws))
        {
            // Nobody plays this, and its exact odds would take far too long to compute.
            let message = "dice cannot be chosen both before and after a reroll or explosion";
            let help =
                "write `k` and `d` side by side; after an explosion, only one of them is allowed";
            return Err(("dice-twice", message.into(), help));
        }
        // Explosions only add dice, so there are at least this many.
        let mut limits = PoolLimits::new(die, count);
        before.iter().filter(|m| m.selects_dice()).for_each(|m| m.update_limits(&mut limits));
        let there = limits.most;
        let most = if matches!(self, DiceModifier::Keep(..)) { there } else { there - 1 };
        if n == 0 || i64::from(n) > most {
            let message = format!("`{self}` is impossible: the number of dice is {there}");
            let help =
                "choose at least one die but no more than are rolled, and don't drop all of them";
            return Err(("dice-choice", message, help));
        }
        Ok(())
    }

    /// Updates the limits of a pool for the change that the modifier makes to its dice.
    pub(crate) fn update_limits(self, limits: &mut PoolLimits) {
        match self {
            DiceModifier::Keep(_, n) => {
                limits.fewest = limits.fewest.min(n.into());
                limits.most = limits.most.min(n.into());
            }
            DiceModifier::Drop(_, n) => {
                limits.fewest = (limits.fewest - i64::from(n)).max(0);
                limits.most = (limits.most - i64::from(n)).max(0);
            }
            DiceModifier::Explode(_) => {
                limits.most += limits.most * i64::from(EXPLOSION_LIMIT);
                limits.admit_all_faces();
            }
            DiceModifier::Reroll { .. } => limits.admit_all_faces(),
            DiceModifier::Minimum(n) => {
                limits.lowest = limits.lowest.max(n.into());
                limits.highest = limits.highest.max(n.into());
            }
            DiceModifier::Maximum(n) => {
                limits.lowest = limits.lowest.min(n.into());
                limits.highest = limits.highest.min(n.into());
            }
        }
    }
}

/// The limits of a pool: the number of its dice, and the value of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolLimits {
    die: Die,
    pub(crate) fewest: i64,
    pub(crate) most: i64,
    pub(crate) lowest: i64,
    pub(crate) highest: i64,
}

impl PoolLimits {
    pub(crate) fn new(die: Die, count: u32) -> PoolLimits {
        let fewest = count.into();
        let most = count.into();
        PoolLimits { die, fewest, most, lowest: die.lowest().into(), highest: die.highest().into() }
    }

    /// Widens the limits to all faces of the die, as after a new roll.
    fn admit_all_faces(&mut self) {
        self.lowest = self.lowest.min(self.die.lowest().into());
        self.highest = self.highest.max(self.die.highest().into());
    }
}
