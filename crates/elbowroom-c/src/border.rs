//! The border to C: every call comes in here, and no panic goes out.
//!
//! A call ends with a status, and where it is refused with words. The words are kept by thread, as `errno`
//! is: two threads that fail at once each read their own. [`enter_call`] and [`enter_query`] are the only
//! ways in, and both go through [`catch_panic`], the only place that catches.

use crate::status::ElbowroomStatus;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

thread_local! {
    /// What was wrong with the last call of this thread that failed.
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

/// A panic is a defect of this library. C cannot unwind, so it becomes a status, and what the call worked on
/// is refused from then on (its lock is poisoned).
fn catch_panic<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    // Nothing that a panic leaves half done is looked at again: handles are behind locks, which it poisons.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<&str>().map(|words| (*words).to_string());
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        keep_message(&format!(
            "a defect of elbowroom: it panicked ({words}); free the object of this call, and report this"
        ));
        otherwise
    })
}

/// Refuses work on several threads in a process that was forked from the one that started them: it would
/// wait for ever.
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
    // A thread that ends has no place for words any more, and nobody who reads them.
    let _ = MESSAGE.try_with(|kept| kept.replace(text_for_c(message)));
}

/// The words of the last failure.
pub(crate) fn last_message() -> *const c_char {
    MESSAGE.try_with(|kept| kept.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// A text as C has it. A zero inside would end it early, so it becomes a question mark.
pub(crate) fn text_for_c(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn said() -> String {
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
        assert!(said().contains("index out of bounds"), "{}", said());
        assert_eq!(enter_query(7, || panic!("of {}", "three")), 7);
        assert!(said().contains("(of three)"), "{}", said());
    }

    #[test]
    fn words_stay_until_the_next_failure_and_belong_to_their_thread() {
        assert_eq!(enter_call(|| Err(CallFault::of_argument("a\0b"))), ElbowroomStatus::BadArgument);
        assert_eq!(enter_call(|| Ok(())), ElbowroomStatus::Ok);
        assert_eq!(said(), "a?b");
        assert_eq!(std::thread::spawn(said).join().unwrap(), "");
    }
}
