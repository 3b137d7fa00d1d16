//! The dice that events show: `[5 3 (1) 6! ~2]`, each with the sides of its pool.

use serde_json::Value;

/// A die that an event shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShownDie {
    pub(crate) sides: u64,
    pub(crate) face: u64,
}

/// Returns the dice that a check or a roll shows, in order, and checks the totals that follow from them alone.
pub(crate) fn shown_dice(event: &Value) -> Result<Vec<ShownDie>, String> {
    let mut all = Vec::new();
    if let Some(check) = event.get("check") {
        for roll in check["rolls"].as_array().ok_or("a check without rolls")? {
            // Not every pool can be written.
            let Some(pool) = roll["pool"].as_str() else { continue };
            add_group(pool, &roll["shown"], &roll["total"], &mut all)?;
        }
    }
    if let Some(rolled) = event.get("rolled") {
        // Of an expression of more than one pool, only the whole is shown.
        let written = rolled["written"].as_str().ok_or("a roll that isn't written")?;
        if sides_of(written).is_some() {
            add_group(written, &rolled["shown"], &rolled["total"], &mut all)?;
        }
    }
    Ok(all)
}

/// Adds the dice of one pool.
fn add_group(
    pool: &str,
    shown: &Value,
    total: &Value,
    all: &mut Vec<ShownDie>,
) -> Result<(), String> {
    let Some(sides) = sides_of(pool) else { return Ok(()) };
    let wrong = || format!("{shown} are no dice of {pool}");
    let inner = shown.as_str().and_then(|s| s.strip_prefix('[')?.strip_suffix(']'));
    let mut sum = 0;
    for die in inner.ok_or_else(wrong)?.split_whitespace() {
        let is_counted = !die.starts_with(['(', '~']);
        let die = die.trim_matches(['(', ')', '~', '!', '*']);
        // With `min` and `max`, the face and the value.
        let (face, value) = die.split_once('→').unwrap_or((die, die));
        let face: i64 = face.parse().map_err(|_| wrong())?;
        let value: i64 = value.trim_end_matches(['!', '*']).parse().map_err(|_| wrong())?;
        sum += if is_counted { value } else { 0 };
        match sides {
            Sides::Plain(sides) => all.push(shown_die(sides, face).ok_or_else(wrong)?),
            Sides::Fudge => all.push(shown_die(3, face + 2).ok_or_else(wrong)?),
            Sides::Tens => {
                all.push(shown_die(6, face / 10).ok_or_else(wrong)?);
                all.push(shown_die(6, face % 10).ok_or_else(wrong)?);
            }
        }
    }
    let counts_successes = pool.contains(['<', '>', '=']);
    if !counts_successes && *total != sum {
        return Err(format!("{shown} of {pool} give {sum}, not {total}"));
    }
    Ok(())
}

fn shown_die(sides: u64, face: i64) -> Option<ShownDie> {
    let face = u64::try_from(face).ok().filter(|face| (1..=sides).contains(face))?;
    Some(ShownDie { sides, face })
}

#[derive(Clone, Copy)]
enum Sides {
    Plain(u64),
    Fudge,
    Tens,
}

/// Returns the sides of the dice of a pool; `None` of what isn't one pool.
fn sides_of(pool: &str) -> Option<Sides> {
    let (count, rest) = pool.split_once('d')?;
    if !count.chars().all(|c| c.is_ascii_digit()) || pool.contains([' ', '+', '-', '*', '/', ',']) {
        return None;
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match (&rest[..digits], rest.chars().next()?) {
        ("", '%') => Some(Sides::Plain(100)),
        ("", 'F') => Some(Sides::Fudge),
        ("66", _) => Some(Sides::Tens),
        (sides, _) => sides.parse().ok().map(Sides::Plain),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dice(pool: &str, shown: &str, total: i64) -> Result<Vec<(u64, u64)>, String> {
        let roll = json!({ "pool": pool, "shown": shown, "total": total });
        let event = json!({ "check": { "rolls": [roll] } });
        Ok(shown_dice(&event)?.iter().map(|die| (die.sides, die.face)).collect())
    }

    #[test]
    fn dice_are_read_as_they_are_shown() {
        assert_eq!(dice("2d6", "[5 3]", 8).unwrap(), [(6, 5), (6, 3)]);
        assert_eq!(dice("3d6kh1", "[(1) 6 (2)]", 6).unwrap(), [(6, 1), (6, 6), (6, 2)]);
        assert_eq!(dice("2d6r1", "[~1 4 2]", 6).unwrap(), [(6, 1), (6, 4), (6, 2)]);
        assert_eq!(dice("1d6min2", "[1→2]", 2).unwrap(), [(6, 1)]);
        assert_eq!(dice("2dF", "[-1 1]", 0).unwrap(), [(3, 1), (3, 3)]);
        assert_eq!(dice("1d66", "[35]", 35).unwrap(), [(6, 3), (6, 5)]);
        assert_eq!(dice("2d10>=5", "[7* 2]", 1).unwrap(), [(10, 7), (10, 2)]);
        assert_eq!(dice("1d%", "[100]", 100).unwrap(), [(100, 100)]);
        // A total that isn't that of the dice, a face that no die has, and no dice at all.
        assert!(dice("2d6", "[5 3]", 9).is_err());
        assert!(dice("3d6kh1", "[(1) 6 (2)]", 9).is_err());
        assert!(dice("1d6", "[7]", 7).is_err());
        assert!(dice("1d6", "six", 6).is_err());
    }
}
