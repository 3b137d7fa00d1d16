//! Names that nearly every view uses.

pub(super) use std::collections::BTreeMap;

pub(super) use indexmap::IndexMap;
pub(super) use serde_json::{Value, json};
pub(super) use unicode_width::UnicodeWidthStr;

pub(super) use crate::language::machine::World;
pub(super) use crate::language::schema::{Attribute, KindId, Role as Kinds, Storage, Type};
pub(super) use crate::names::counted;
pub(super) use crate::referee::{Check, Event, Outcome};
pub(super) use crate::render::document::Block;
pub(super) use crate::render::hands::Which;
pub(super) use crate::render::json::array;
pub(super) use crate::render::markup::{Line, Role, Text};
pub(super) use crate::render::outcome::View;
pub(super) use crate::render::table::title_of;
pub(super) use crate::render::{check, hands};
pub(super) use crate::ruleset::Ruleset;
pub(super) use crate::session::{Board, Entry};
pub(super) use crate::source::Sources;
pub(super) use crate::tabletop::Change;
