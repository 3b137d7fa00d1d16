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
pub(super) use crate::dice::Seed;
pub(super) use crate::files::SystemDisk;
pub(super) use crate::names::counted;
pub(super) use crate::referee::Referee;
pub(super) use crate::render::json::array;
pub(super) use crate::render::markup::{Line, Role, Text, clean};
pub(super) use crate::ruleset::{Ruleset, shipped};
pub(super) use crate::session::StoreError;
pub(super) use crate::{files, render, ruleset};
