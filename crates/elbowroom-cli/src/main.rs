//! The program `elbowroom`. All of it is in the library beside it, which is compiled while the engine still
//! is.

fn main() -> std::process::ExitCode {
    elbowroom_cli::main()
}
