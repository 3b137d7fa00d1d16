#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
//! The shipped rulesets are part of the binary, so a change to them changes the binary. The binary
//! also records the commit it was built from.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=rulesets");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=ADJUTANT_VERSION={}", version());
}

/// Returns the version and, for a release built from a checkout, the commit and its date.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // A package that was unpacked inside another checkout is not part of it.
    if !release || !std::path::Path::new(".git").exists() {
        return version.to_owned();
    }
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    let commit =
        Command::new("git").args(["log", "-1", "--abbrev=10", "--format=%h of %cs"]).output();
    match commit {
        Ok(commit) if commit.status.success() => {
            format!("{version} ({})", String::from_utf8_lossy(&commit.stdout).trim())
        }
        _ => version.to_owned(),
    }
}
