//! rust-embed notices a changed file of the site, but not a new one: for a release of the server, watch the folder.
//! A site that is not there yet is no error: cargo then only asks again next time.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let server = std::env::var_os("CARGO_FEATURE_SSR").is_some();
    let release = std::env::var("PROFILE").as_deref() == Ok("release");
    if server && release {
        println!("cargo::rerun-if-changed=target/site");
    }
}
