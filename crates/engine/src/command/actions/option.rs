//! `option`: a house-rule switch changed. The console lists them all.

use super::super::{Candidates, LineError, Reading, Token, TypedLine, Word};
use super::{ReadAction, attribute};
use crate::language::schema;
use crate::referee::Action;

/// The word `option`: changes an option of the game.
pub const OPTION: Word<ReadAction> = Word {
    name: "option",
    usage: "option [NAME VALUE]",
    help: "list or change the house-rule switches",
    complete,
    most: 2,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let ruleset = reading.ruleset();
    let (name, after) = typed.need_word("which switch?", "write `option NAME VALUE`")?;
    let (place, attribute) = attribute(ruleset, schema::OPTION, name)?;
    let Some(value) = after.first() else {
        let help = format!("write `option {} VALUE`", attribute.name);
        return Err(LineError::new(None, "to what?").help(help));
    };
    let values = vec![(place, reading.given(attribute, value)?)];
    Ok(Action::Set { kind: schema::OPTION, row: 0, values })
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    let ruleset = reading.ruleset();
    match given {
        [] => ruleset.options().iter().for_each(|o| to.offer(&o.name)),
        [name] => {
            let attribute = ruleset.schema.kind(schema::OPTION).attribute(&name.text);
            if let Some(attribute) = attribute {
                reading.offer_attribute(attribute, to);
            }
        }
        _ => {}
    }
}
