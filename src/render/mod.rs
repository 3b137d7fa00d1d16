//! Data to text.
pub mod diagnostic;
