//! Which modifiers make sense on which dice. What passes here can be rolled in bounded time, and
//! its odds can be told exactly.

use super::pool::{Modifier, Pool};

/// A code, a message, and what would be right (or nothing).
pub(crate) type Objection = (&'static str, String, &'static str);

/// Looks at the last modifier of the pool; those before it have passed already.
pub(crate) fn last_modifier(pool: &Pool) -> Result<(), Objection> {
    let Some((&last, before)) = pool.modifiers.split_last() else { return Ok(()) };
    let die = pool.die;
    match last {
        Modifier::Keep(_, n) | Modifier::Drop(_, n) => selection(pool, before, last, n),
        Modifier::Explode(point) => {
            if before.iter().any(|m| matches!(m, Modifier::Explode(_))) {
                return Err(("dice-twice", "dice explode only once".into(), ""));
            }
            match die.matching(point) {
                0 => Err(("dice-never", format!("no {die} can show `{point}`"), "")),
                n if n == die.faces() => {
                    Err(("dice-endless", format!("every {die} would explode without end"), ""))
                }
                _ => Ok(()),
            }
        }
        Modifier::Reroll { point, once } => {
            let (again, faces) = (die.matching(point), die.faces());
            if again == 0 {
                Err(("dice-never", format!("no {die} can show `{point}`"), ""))
            } else if again == faces && !once {
                Err((
                    "dice-endless",
                    format!("every {die} would be rerolled without end"),
                    "`ro` rerolls only once",
                ))
            } else if (faces - again).saturating_mul(20) < faces && !once {
                Err((
                    "dice-endless",
                    format!("a {die} would be rerolled almost without end"),
                    "at least one face in twenty must be able to stay",
                ))
            } else {
                Ok(())
            }
        }
        Modifier::Minimum(n) | Modifier::Maximum(n) => {
            if (die.lowest()..=die.highest()).contains(&n) {
                Ok(())
            } else {
                Err(("dice-never", format!("`{n}` is not between the faces of a {die}"), ""))
            }
        }
    }
}

fn selection(pool: &Pool, before: &[Modifier], last: Modifier, n: u32) -> Result<(), Objection> {
    // Dice that explode only make more, so this many are there at least.
    let mut there = pool.count;
    let (mut exploded, mut selected, mut changed) = (false, 0, false);
    for modifier in before {
        match *modifier {
            Modifier::Keep(_, n) => there = n,
            Modifier::Drop(_, n) => there -= n,
            Modifier::Explode(_) => exploded = true,
            _ => {}
        }
        if modifier.selects() {
            selected += 1;
            changed = false;
        } else if matches!(modifier, Modifier::Explode(_) | Modifier::Reroll { .. }) {
            changed = true;
        }
    }
    if selected > 0 && (exploded || changed) {
        // Nobody plays this, and its exact odds would take far too long.
        let message = "dice cannot be chosen both before and after a reroll or explosion";
        return Err((
            "dice-twice",
            message.into(),
            "write them side by side; after an explosion only one is possible",
        ));
    }
    let most = if matches!(last, Modifier::Keep(..)) { there } else { there - 1 };
    if n == 0 || n > most {
        let message = format!("`{last}` of {there} dice leaves nothing to choose");
        return Err((
            "dice-choice",
            message,
            "at least one die must be kept, and no more than there are",
        ));
    }
    Ok(())
}
