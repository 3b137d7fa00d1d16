#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod hooks;
mod leaner;
mod limits;
mod made_up;
mod stop;
mod stopped;
mod ways;
