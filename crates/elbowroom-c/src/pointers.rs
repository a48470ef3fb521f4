//! What C hands over, looked at before it is used. Most unsafe code of this crate is here: each function
//! takes a pointer, refuses null and what is not aligned, and makes of it what Rust can hold.
//!
//! What cannot be looked at is the caller's promise, and the header says so: a pointer that is not null
//! points to as much as its type and its length say, nobody else writes there during the call, and a handle
//! was not freed.

use crate::border::{CallFault, enter_query};
use crate::status::ElbowroomStatus;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::sync::{Mutex, TryLockError};

fn check_pointer<T>(pointer: *const T, name: &str) -> Result<(), CallFault> {
    if pointer.is_null() {
        let words = format!("{name} is null: give it");
        return Err(CallFault::new(ElbowroomStatus::NullPointer, words));
    }
    if !pointer.is_aligned() {
        return Err(CallFault::of_argument(format!("{name} is not aligned for its type")));
    }
    Ok(())
}

/// Checks that so many things can be there at all.
fn check_length<T>(length: usize, name: &str) -> Result<(), CallFault> {
    match length.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(CallFault::of_argument(format!("{name} has a length of {length}, which no memory holds"))),
    }
}

/// One thing that C lends.
///
/// # Safety
/// A pointer that is not null points to a `T` that lives and is not written to for as long as `'a`.
pub(crate) unsafe fn borrow_value<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: not null, aligned, and the rest is the caller's promise.
    Ok(unsafe { &*pointer })
}

/// One thing that C may lend: null is none.
///
/// # Safety
/// As [`borrow_value`].
pub(crate) unsafe fn borrow_if_given<'a, T>(
    pointer: *const T,
    name: &str,
) -> Result<Option<&'a T>, CallFault> {
    // SAFETY: the caller's promise.
    if pointer.is_null() { Ok(None) } else { unsafe { borrow_value(pointer, name) }.map(Some) }
}

/// An array that C lends. Null is an empty one, and only that.
///
/// # Safety
/// A pointer that is not null points to `length` values that live and are not written to for as long as `'a`.
pub(crate) unsafe fn borrow_array<'a, T>(
    pointer: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], CallFault> {
    if length == 0 {
        return Ok(&[]);
    }
    check_pointer(pointer, name)?;
    check_length::<T>(length, name)?;
    // SAFETY: not null, aligned, no longer than memory can be, and the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// An array that the library fills. What was there is not read.
///
/// # Safety
/// A pointer that is not null points to room for `length` values, which nobody else uses for as long as `'a`.
pub(crate) unsafe fn borrow_room<'a, T>(
    pointer: *mut T,
    length: usize,
    name: &str,
) -> Result<&'a mut [MaybeUninit<T>], CallFault> {
    if length == 0 {
        return Ok(&mut []);
    }
    check_pointer(pointer, name)?;
    check_length::<T>(length, name)?;
    // SAFETY: as for `borrow_array`; that values may be missing is what the type says.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), length) })
}

/// Room for one value that the library writes.
///
/// # Safety
/// As [`borrow_room`].
pub(crate) unsafe fn borrow_place<'a, T>(
    pointer: *mut T,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: not null, aligned, and the rest is the caller's promise.
    Ok(unsafe { &mut *pointer.cast() })
}

/// A text of C.
///
/// # Safety
/// A pointer that is not null points to a text with a zero at its end that lives for as long as `'a`.
pub(crate) unsafe fn borrow_text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: not null, and the rest is the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    let not_utf8 = || CallFault::new(ElbowroomStatus::NotUtf8, format!("{name} is not UTF-8 text"));
    text.to_str().map_err(|_| not_utf8())
}

/// Hands an object to C, which frees it.
pub(crate) fn give_object<T>(place: &mut MaybeUninit<*mut T>, object: T) {
    place.write(Box::into_raw(Box::new(object)));
}

/// Takes an object back from C and drops it. Null is fine.
///
/// # Safety
/// The pointer is null, or came from [`give_object`] and was not taken back.
pub(crate) unsafe fn free_object<T>(object: *mut T) {
    enter_query((), || {
        if !object.is_null() {
            // SAFETY: the caller's promise: it is the box that was handed out.
            drop(unsafe { Box::from_raw(object) });
        }
        Ok(())
    });
}

/// Copies as many values as there are places.
pub(crate) fn copy_values(
    room: &mut [MaybeUninit<f64>],
    values: &[f64],
    name: &str,
) -> Result<(), CallFault> {
    check_count(room.len(), values.len(), name)?;
    room.iter_mut().zip(values).for_each(|(place, value)| {
        place.write(*value);
    });
    Ok(())
}

/// Refuses an array of a wrong length.
pub(crate) fn check_count(given: usize, expected: usize, name: &str) -> Result<(), CallFault> {
    if given == expected {
        return Ok(());
    }
    Err(CallFault::of_argument(format!("{name} has {given} values, and the world has {expected}")))
}

/// Locks what one thread at a time may use, without waiting.
pub(crate) fn use_alone<T, R>(
    shared: &Mutex<T>,
    call: impl FnOnce(&mut T) -> Result<R, CallFault>,
) -> Result<R, CallFault> {
    match shared.try_lock() {
        Ok(mut alone) => call(&mut alone),
        Err(TryLockError::WouldBlock) => {
            let words = "another thread is using this object: make one for each thread";
            Err(CallFault::new(ElbowroomStatus::Busy, words))
        }
        Err(TryLockError::Poisoned(_)) => {
            let words = "an earlier call on this object panicked: free it";
            Err(CallFault::new(ElbowroomStatus::Panic, words))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_array_is_refused() {
        let values = [1.0, 2.0];
        let odd = values.as_ptr().cast::<u8>().wrapping_add(1).cast::<f64>();
        // SAFETY: what is refused is not read, and the last is an array of that length.
        let (null, askew, long, none, fine) = unsafe {
            (
                borrow_array::<f64>(std::ptr::null(), 2, "values"),
                borrow_array(odd, 1, "values"),
                borrow_array(values.as_ptr(), usize::MAX, "values"),
                borrow_array::<f64>(std::ptr::null(), 0, "values"),
                borrow_array(values.as_ptr(), 2, "values"),
            )
        };
        assert_eq!(null.unwrap_err().status, ElbowroomStatus::NullPointer);
        for refused in [askew, long] {
            assert_eq!(refused.unwrap_err().status, ElbowroomStatus::BadArgument);
        }
        assert_eq!((none.unwrap(), fine.unwrap()), (&[][..], &values[..]));
    }

    #[test]
    fn one_thread_at_a_time_and_none_after_a_panic() {
        let shared = Mutex::new(());
        let inner = use_alone(&shared, |()| Ok(use_alone(&shared, |()| Ok(())).unwrap_err().status));
        assert_eq!(inner.unwrap(), ElbowroomStatus::Busy);
        let panicked = std::panic::catch_unwind(|| use_alone::<_, ()>(&shared, |()| panic!("a defect")));
        assert!(panicked.is_err());
        assert_eq!(use_alone(&shared, |()| Ok(())).unwrap_err().status, ElbowroomStatus::Panic);
    }
}
