//! `option`: lists the house-rule switches; `option NAME VALUE` is an action.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::language::schema::OPTION_KIND;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};

use crate::console::play::{Handler, Play};
use crate::console::reply::{Replied, Reply};

/// The answer to `option`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OptionsAnswer {
    /// The house-rule switches of the game.
    pub options: Vec<OptionAnswer>,
}

/// A house-rule switch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OptionAnswer {
    /// The name of the switch.
    pub name: String,
    /// The value of the switch.
    pub value: String,
    /// The title of the switch; may be empty.
    pub title: String,
}

/// The handler of `option`.
pub(super) const HANDLER: Handler = Handler::stepwise(|play, typed| Box::pin(option(play, typed)))
    .with_answers(&[|| answer::<OptionsAnswer>("answers to option", "`option`")]);

async fn option(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    if !typed.words_after_first().is_empty() {
        return play.act(typed).await;
    }
    let mut text = Text::new();
    let mut data = Vec::new();
    for (index, option) in play.referee().ruleset().options().iter().enumerate() {
        let table = play.session.table();
        let value = play.referee().attribute_text(table, OPTION_KIND, 0, index);
        let value = value.unwrap_or_default();
        let mut line = Line::of(Role::Strong, format!("  {}", option.name));
        line.push(Role::Plain, format!(" {value}"));
        let title = option.title.as_deref().unwrap_or_default();
        line.push(Role::Quiet, format!("  {title}"));
        text.push(line.with_hanging_indent(6));
        data.push(OptionAnswer { name: option.name.clone(), value, title: title.to_owned() });
    }
    if text.is_empty() {
        text.line(Role::Quiet, "this game has no house-rule switches")
    } else {
        text.line(Role::Quiet, "change one with `option NAME VALUE`")
    };
    Ok(Reply::new(text, OptionsAnswer { options: data }))
}
