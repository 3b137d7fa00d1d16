//! Names that nearly every word uses.

pub(super) use serde_json::{Value, json};

pub(super) use super::{Run, Word};
pub(super) use crate::command::{Candidates, LineError, MANY, Reading, Token, TypedLine};
pub(super) use crate::console::play::{Frontend, Play};
pub(super) use crate::console::reply::{Failure, Replied, Reply};
pub(super) use crate::names;
pub(super) use crate::render::json::array;
pub(super) use crate::render::markup::{Line, Role, Text};
