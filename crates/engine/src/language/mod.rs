//! The rule language: how rule text is read, checked and compiled, and how it runs.
//!
//! - [`lexer`], [`parser`], [`statements`], [`decks`] make [`syntax`] of text;
//! - [`rule`] holds a rule in its parts; [`schema`] what rule text can speak of;
//! - [`compile`] checks both against each other and makes [`code`];
//! - [`grid`] is the geometry of a drawn plan;
//! - [`machine`] runs it over a [`machine::World`], asking a [`machine::Host`] for dice and answers.
//!
//! Nothing here reads TOML, and nothing here holds the state of a game.

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
