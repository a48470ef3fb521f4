//! Gives the shared library its name for the loader: programs that are linked with it look for the version
//! that they were built with. Before 1.0 another minor version is another interface.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") == "linux" {
        let [major, minor] = ["CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR"].map(variable);
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libelbowroom_c.so.{major}.{minor}");
    }
}
