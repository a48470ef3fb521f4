//! The border to C: every call comes in here, and no panic goes out.
//!
//! A call returns a status. A call that fails also leaves words. Each thread has its own words, as it has its
//! own `errno`. [`enter_call`] and [`enter_query`] are the only ways in. Both use [`catch_panic`], the only
//! place that catches panics.

use crate::status::ElbowroomStatus;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

thread_local! {
    /// The words of the last call of this thread that failed.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Why a call fails: a code for the program, and words for a person.
#[derive(Debug)]
pub(crate) struct CallFault {
    pub status: ElbowroomStatus,
    pub message: String,
}

impl CallFault {
    pub fn new(status: ElbowroomStatus, message: impl ToString) -> CallFault {
        CallFault { status, message: message.to_string() }
    }

    /// An argument that makes no sense: its name, and what to do.
    pub fn of_argument(message: impl ToString) -> CallFault {
        CallFault::new(ElbowroomStatus::BadArgument, message)
    }
}

/// Runs a call that ends with a status.
pub(crate) fn enter_call(call: impl FnOnce() -> Result<(), CallFault>) -> ElbowroomStatus {
    catch_panic(ElbowroomStatus::Panic, || match call() {
        Ok(()) => ElbowroomStatus::Ok,
        Err(fault) => {
            keep_message(&fault.message);
            fault.status
        }
    })
}

/// Runs a call that ends with a value, or with `otherwise` where it fails.
pub(crate) fn enter_query<T>(otherwise: T, query: impl FnOnce() -> Result<T, CallFault>) -> T {
    let found = catch_panic(None, || query().map_err(|fault| keep_message(&fault.message)).ok());
    found.unwrap_or(otherwise)
}

/// Turns a panic into a status, since C cannot unwind. A panic is a defect of this library. It poisons the
/// lock of the call's object, so that later calls refuse the object.
fn catch_panic<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    // Unwind safety holds: objects are behind locks, and a panic poisons the lock. So no later call reads an
    // object that a panic left half changed.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<&str>().map(|words| (*words).to_string());
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        keep_message(&format!(
            "a defect of elbowroom: it panicked ({words}); free the object of this call, and report this"
        ));
        otherwise
    })
}

/// Refuses work on several threads in a forked process. `fork` copies only the thread that calls it, so the
/// child would wait for ever for threads that it does not have.
pub(crate) fn check_process() -> Result<(), CallFault> {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    let here = std::process::id();
    if *PROCESS.get_or_init(|| here) == here {
        return Ok(());
    }
    let words = "this process was forked after the library was used, and has none of its threads: fork \
                 before, or exec";
    Err(CallFault::new(ElbowroomStatus::Forked, words))
}

fn keep_message(message: &str) {
    // While a thread ends, its words may be gone already. Nobody reads them then.
    let _ = MESSAGE.try_with(|kept| kept.replace(text_for_c(message)));
}

/// The words of the last failure.
pub(crate) fn last_message() -> *const c_char {
    MESSAGE.try_with(|kept| kept.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// A text for C. A zero inside would end the text early, so it becomes a question mark.
pub(crate) fn text_for_c(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn read_message() -> String {
        // SAFETY: the message of this thread is a C string until its next failure.
        unsafe { CStr::from_ptr(last_message()) }.to_str().unwrap().to_string()
    }

    #[test]
    fn a_panic_becomes_a_status_and_words() {
        let nothing: Vec<u8> = Vec::new();
        let status = enter_call(|| {
            let first = nothing[nothing.len()];
            Err(CallFault::of_argument(first))
        });
        assert_eq!(status, ElbowroomStatus::Panic);
        assert!(read_message().contains("index out of bounds"), "{}", read_message());
        assert_eq!(enter_query(7, || panic!("of {}", "three")), 7);
        assert!(read_message().contains("(of three)"), "{}", read_message());
    }

    #[test]
    fn words_stay_until_the_next_failure_and_belong_to_their_thread() {
        assert_eq!(enter_call(|| Err(CallFault::of_argument("a\0b"))), ElbowroomStatus::BadArgument);
        assert_eq!(enter_call(|| Ok(())), ElbowroomStatus::Ok);
        assert_eq!(read_message(), "a?b");
        assert_eq!(std::thread::spawn(read_message).join().unwrap(), "");
    }
}
