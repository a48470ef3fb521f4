//! The program `elbowroom`. All of it is in the library beside it, which is compiled while the engine still
//! is.

/// musl's own allocator maps and unmaps each large block anew.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    elbowroom_cli::main()
}
