//! The integration tests: one crate, a module a suite. `cargo test --test it session_journal::` runs one suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    unreachable_pub,
    reason = "a test fails by panicking"
)]

mod kit;

mod architecture;
mod book;
mod check_command;
mod command_line;
mod console;
mod cookbook;
mod diagnostics;
mod documents;
mod endless_rules;
mod english;
mod evenings;
#[path = "../models/firefight.rs"]
mod firefight_model;
mod from_play;
mod games;
mod host;
#[cfg(unix)]
mod interrupts;
mod json;
mod language;
mod lines;
mod models;
mod new_game;
mod no_entry;
mod odds;
mod odds_and_simulation_command_line;
mod plain;
mod plan_picture;
mod played;
#[cfg(feature = "screen")]
mod players_screen;
mod proof;
mod readme;
mod reports;
#[cfg(feature = "screen")]
mod request_door;
#[cfg(unix)]
mod requests;
mod robustness;
mod scenario_text;
mod schema;
mod screen;
mod secret_pairs;
mod secrets;
mod session_attacks;
mod session_command_line;
mod session_disk;
mod session_fair_dice;
mod session_fields;
mod session_files;
mod session_forged;
mod session_guesses;
mod session_journal;
mod session_kills;
mod session_properties;
mod session_receipts;
mod session_records;
mod session_reload;
mod session_second_verifier;
mod session_shipped;
mod session_story;
mod session_transcript;
mod session_typed;
mod sessions;
mod shipped;
mod sides;
mod simulation;
mod slips;
mod suggestions;
#[cfg(unix)]
mod terminal;
mod unseen;
mod why;
