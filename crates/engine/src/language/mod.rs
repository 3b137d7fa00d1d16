//! The rule language: how rule text is parsed, checked, compiled and run.
//!
//! - [`lexer`], [`parser`], [`statements`] and [`decks`] parse text into [`syntax`];
//! - [`rule`] holds a rule in its parts; [`schema`] holds the declarations that rule text can use;
//! - [`compile`] checks both against each other and produces [`code`];
//! - `activation` holds the rule text that an activation stands for;
//! - [`grid`] is the geometry of a drawn plan;
//! - [`machine`] runs the code over a [`machine::World`], asking a [`machine::Host`] for dice and
//!   answers.
//!
//! Nothing here reads TOML, and nothing here holds the state of a game.

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
