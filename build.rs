#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
//! The shipped rulesets are embedded in the binary: a change of theirs is a change of it.

fn main() {
    println!("cargo:rerun-if-changed=rulesets");
    println!("cargo:rerun-if-changed=build.rs");
}
