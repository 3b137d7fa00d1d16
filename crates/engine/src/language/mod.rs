//! The rule language: how rule text is parsed, checked, compiled and run.
//!
//! - [`lexer`], [`parser`], `keywords`, [`statements`] and [`decks`] parse text into [`syntax`];
//! - [`rule`] holds the parts of a rule; [`schema`] holds the declarations that rule text can use;
//! - [`compile`] checks the rules against the declarations and produces [`code`];
//! - `activation` holds the rule text that implements activations;
//! - [`grid`] is the geometry of a drawn plan, [`number`] holds exact fractions, and [`named`] holds
//!   lists whose items can be found by name;
//! - [`machine`] runs the code on a [`machine::World`], and asks a [`machine::Host`] for dice and
//!   answers.
//!
//! Nothing in this module reads TOML or holds the state of a game.

pub(crate) mod activation;
pub mod code;
pub mod compile;
pub mod decks;
pub mod grid;
mod keywords;
pub mod lexer;
pub mod machine;
pub mod named;
pub mod number;
pub mod parser;
pub mod rule;
pub mod schema;
pub mod statements;
pub mod syntax;
