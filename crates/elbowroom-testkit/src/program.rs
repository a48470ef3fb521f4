//! Programs under test.

use std::process::Stdio;

/// Standard output whose reader is gone before the program begins, whoever else still holds a copy of its
/// end.
pub fn closed_output() -> Stdio {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    ours.shutdown(std::net::Shutdown::Both).unwrap();
    Stdio::from(std::os::fd::OwnedFd::from(theirs))
}
