//! Names that nearly every word uses.

pub(super) use serde_json::{Value, json};

pub(super) use super::{Run, Word};
pub(super) use crate::console::play::{Frontend, Play};
pub(super) use crate::console::reply::{Failure, Replied, Reply};
pub(super) use adjutant_engine::command::{Candidates, LineError, MANY, Reading, Token, TypedLine};
pub(super) use adjutant_engine::names;
pub(super) use adjutant_engine::render::json::array;
pub(super) use adjutant_engine::render::markup::{Line, Role, Text};
