//! The fuzz target for `front_door::plan`.
#![no_main]

#[path = "../front_door.rs"]
#[allow(dead_code, reason = "each target uses its own door")]
mod front_door;

libfuzzer_sys::fuzz_target!(|text: &str| {
    front_door::plan(text);
});
