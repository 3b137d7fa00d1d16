//! `option`: changes a house-rule switch. Without a name, `option` is a console word that lists all
//! switches.

use super::super::{CompletionCandidates, LineError, Reading, Token, TypedLine, Word};
use super::{ReadAction, find_attribute};
use crate::language::schema;
use crate::referee::Action;

/// The word `option`, which changes a house-rule switch.
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
    let (index, attribute) = find_attribute(ruleset, schema::OPTION_KIND, name)?;
    let Some(value) = after.first() else {
        let help = format!("write `option {} VALUE`", attribute.name);
        return Err(LineError::new(None, "which value?").help(help));
    };
    let values = vec![(index, reading.attribute_value(attribute, value)?)];
    Ok(Action::Set { kind: schema::OPTION_KIND, rows: vec![0], values })
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    let ruleset = reading.ruleset();
    match given {
        [] => ruleset.options().iter().for_each(|o| to.offer(&o.name)),
        [name] => {
            let attribute = ruleset.schema.kind(schema::OPTION_KIND).attribute(&name.text);
            if let Some(attribute) = attribute {
                reading.offer_attribute(attribute, to);
            }
        }
        _ => {}
    }
}
