//! The fuzz target for `front_door::journal`.
#![no_main]

#[path = "../front_door.rs"]
#[allow(dead_code, reason = "each target uses its own door")]
mod front_door;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join(format!("adjutant-fuzz-{}", std::process::id()));
    let _ = front_door::journal(bytes, &folder);
});
