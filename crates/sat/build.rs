//! CaDiCaL is C++ and needs its standard library, which the workspace keeps off the link line of everything
//! else (`CXXSTDLIB` in `.cargo/config.toml`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let apple = std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    println!("cargo::rustc-link-lib={}", if apple { "c++" } else { "stdc++" });
}
