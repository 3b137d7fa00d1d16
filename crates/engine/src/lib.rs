//! The engine of Adjutant, a referee's assistant for miniatures games that are played with real
//! figures on a real table.
//!
//! The engine stores the state of the table, rolls dice and names every modifier, looks up the
//! charts, runs the automatic phases, draws cards and chits, lists the changes to make on the
//! table, and writes the transcript. Games are data: each is a ruleset in TOML. The code of the
//! engine contains nothing that is specific to one game. It uses no clock, files, network or
//! terminal; only the program around it does. It compiles to WebAssembly unchanged.
//!
//! # Getting started
//!
//! Rules are loaded from text, a session begins with a scenario, and a [`console::Console`] plays
//! the session line by line. Odds and simulations use the same rules:
//!
//! ```
//! use std::sync::Arc;
//!
//! use adjutant_dice::Seed;
//! use adjutant_engine::command;
//! use adjutant_engine::referee::Referee;
//! use adjutant_engine::ruleset::{self, FileText};
//! use adjutant_engine::session::{Beginning, Session};
//!
//! let text = r#"
//! [game]
//! title = "Volley"
//! [kind.squad]
//! men = { from = 0, to = 10, start = 8 }
//! [rule.shoot]
//! usage = "shoot <at:squad>"
//! roll = "1d6"
//! needs = ">= 4"
//! pass = "at.men -= 1"
//! [[phase]]
//! name = "fire"
//! [scenario.field]
//! pieces.squad = { ann = {} }
//! "#;
//! let files = [FileText { name: "volley.toml".to_owned(), text: text.to_owned(), scenario: None }];
//! let ruleset = ruleset::load(files.to_vec()).map_err(|faulty| faulty.faults[0].message.clone())?;
//! let scenario = ruleset.scenarios[0].clone();
//! let beginning = Beginning {
//!     game: "volley",
//!     files: &files,
//!     shipped: |_| None,
//!     scenario: &scenario,
//!     seed: Seed::from_text("candle"),
//!     seed_text: Some("candle"),
//!     at: 0,
//! };
//! let (session, _) = Session::begin(Referee::new(Arc::new(ruleset)), beginning)?;
//!
//! let line = command::parse(session.referee(), session.table(), "shoot ann")?;
//! let command = line.ok_or("an empty line")?;
//! let odds = session.referee().odds(session.table(), &command.action, false)?;
//! // Half of all throws hit.
//! let hit = odds.endings.iter().find(|ending| !ending.changes.is_empty()).ok_or("no hit")?;
//! assert_eq!(hit.chance.to_string(), "1/2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Module map
//!
//! A module imports only from modules below it in this list. A test of the program
//! (`tests/it/architecture.rs`) checks this. Dice have their own crate, `adjutant-dice`.
//!
//! | module | contents |
//! |---|---|
//! | [`console`] | a game played line by line: the console words, the questions, and the data to store |
//! | [`check`] | tests of rulesets: worked examples, random games and lints; a page about each fault code |
//! | [`render`] | views, from events and table to documents; the printers of text, Markdown and HTML; JSON |
//! | [`session`] | a running game: its journal, undo, amend, the next dice |
//! | [`command`] | from a typed line to a command |
//! | [`referee`] | from an action, the ruleset and the tabletop to an outcome |
//! | [`ruleset`] | from TOML to a checked, compiled model; its keys and their JSON Schema; lints |
//! | [`tabletop`] | the state of a game: pieces, attributes, lists, decks; changes; scenarios |
//! | [`language`] | the rule language: reading, checking, compiling, running |
//! | [`diagnostic`] | a fault as data |
//! | [`names`] | names as people type them: complete, abbreviated, misspelt |
//! | [`source`] | files, and spans in them |
//!
//! # The laws
//!
//! 1. Only the program uses the terminal, files, the clock, the network and the environment. The
//!    engine only takes and returns data.
//! 2. Dice come from one trait, [`adjutant_dice::Source`]. Nothing else is random.
//! 3. Rule text is checked when it is loaded, not during play. One run reports all errors, up to a
//!    limit, each with its file, line and column, with the faulty text underlined, and often with a
//!    suggestion. The few errors that remain possible during play have their own types, name their
//!    rule and change nothing.
//! 4. Resolving a command never changes the tabletop. It returns events in a [`referee::Outcome`],
//!    whose changes are applied in a second step.
//! 5. An outcome of a saved game is shown only after the journal on disk has stored it. Each
//!    command is one record.
//! 6. A roll is never erased. Undo reverses the changes of a command; the command stays in the
//!    journal.
//! 7. Each command that rolls dice from the seed has a throw number, and throw `n` takes its dice
//!    from stream `n` of the seed. No throw number is used twice.
//! 8. Every collection whose order is visible has a defined order. The same seed and the same lines
//!    give the same transcript, byte for byte, on every machine.
//! 9. A ruleset or scenario from a stranger is harmless. It has no access to files, the network or
//!    processes. Its time, memory and depth are limited. No control characters in its names reach
//!    the terminal.
//! 10. No text for a side reveals a secret that the side must not know.
//!     [`referee::Referee::seen_outcome`] is the only filter, and the views of a side are the
//!     umpire's views of the filtered game. Only the umpire's views show command numbers and the
//!     journal's heads (running hashes).
//!
//! # One stream of events
//!
//! A game is one stream of typed, serialisable [`referee::Event`]s, which refer to rules, pieces
//! and attributes by name. The journal stores them unchanged. Outcome lines, "On the table", `why`,
//! transcripts, luck and JSON are views: functions of the events and the table. No code parses text
//! that the program wrote for people.
//!
//! # One rule, three uses
//!
//! The same rule text serves the roll at the table, the odds before the roll and the simulation of
//! a scenario, so no rule is stated twice. The three uses differ only in the
//! [`language::machine::Host`] that supplies the [`language::machine::Machine`] with dice.

#![cfg_attr(not(test), warn(clippy::shadow_unrelated))]

pub mod check;
pub mod command;
pub mod console;
pub mod diagnostic;
pub mod language;
pub mod names;
pub mod referee;
pub mod render;
pub mod ruleset;
pub mod session;
pub mod source;
pub mod tabletop;
