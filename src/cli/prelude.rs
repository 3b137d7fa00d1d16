//! Names that nearly every subcommand uses.

pub(super) use std::io;
pub(super) use std::io::{IsTerminal, Write};
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::sync::Arc;

pub(super) use serde_json::{Value, json};

pub(super) use crate::cli::output::Screen;
pub(super) use crate::cli::{
    Code, Ended, Failed, cannot_write, library, new_file, play, shown, write_file,
};
pub(super) use crate::files::SystemDisk;
pub(super) use crate::{files, session_folder, shipped};
pub(super) use adjutant_dice::Seed;
pub(super) use adjutant_engine::names::counted;
pub(super) use adjutant_engine::referee::Referee;
pub(super) use adjutant_engine::render::json::array;
pub(super) use adjutant_engine::render::markup::{Line, Role, Text, clean};
pub(super) use adjutant_engine::ruleset::Ruleset;
pub(super) use adjutant_engine::session::StoreError;
pub(super) use adjutant_engine::{render, ruleset};
