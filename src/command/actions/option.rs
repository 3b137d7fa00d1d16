//! `option`: a house-rule switch changed. The console lists them all.

use super::super::{Candidates, LineError, Reading, Token, TypedLine, Word, named};
use super::Read;
use crate::language::schema;
use crate::referee::Action;

pub(crate) const OPTION: Word<Read> = Word {
    name: "option",
    usage: "option [NAME VALUE]",
    help: "list or change the house-rule switches",
    complete,
    most: 2,
    ..Word::of(read as Read)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let ruleset = reading.ruleset();
    let (name, after) = typed.need_word("which switch?", "write `option NAME VALUE`")?;
    let known: Vec<&str> = ruleset.options.iter().map(|o| o.name.as_str()).collect();
    let found = named(name, &known, "option")?;
    let option = ruleset.options.iter().find(|o| o.name == found);
    let place = option.map(|o| o.attribute);
    let attributes = &ruleset.schema.kind(schema::OPTION).attributes;
    let Some((place, attribute)) = place.and_then(|p| Some((p, attributes.get(p)?))) else {
        return Err(LineError::new(Some(name), format!("there is no option `{found}`")));
    };
    let Some(value) = after.first() else {
        return Err(LineError::new(None, "to what?").help(format!("write `option {found} VALUE`")));
    };
    let values = vec![(place, reading.given(attribute, value)?)];
    Ok(Action::Set { kind: schema::OPTION, row: 0, values })
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    let ruleset = reading.ruleset();
    match given {
        [] => ruleset.options.iter().for_each(|o| to.offer(&o.name)),
        [name] => {
            let attribute = ruleset.schema.kind(schema::OPTION).attribute(&name.text);
            if let Some(attribute) = attribute {
                reading.offer_attribute(attribute, to);
            }
        }
        _ => {}
    }
}
