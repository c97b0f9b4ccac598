//! Lets the finished binary find the Z3 library from any folder: beside itself if it was installed together
//! with it, else where `crates/smt/build.rs` put it.

use std::env;

fn main() {
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN");
    if let Ok(dir) = env::var("DEP_REPROVE_Z3_LIBDIR") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
    }
}
