//! Checks of the pointers that C passes. Most unsafe code of this crate is here: each function takes a
//! pointer, refuses null and misaligned ones, and returns a reference or a slice.
//!
//! The caller guarantees what cannot be checked, and the header says so. A pointer that is not null is valid
//! for its type and its length. No other thread writes there during the call. A handle was not freed.

use crate::border::{CallFault, enter_query};
use crate::status::ElbowroomStatus;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::sync::{Mutex, TryLockError};

pub(crate) fn check_pointer<T>(pointer: *const T, name: &str) -> Result<(), CallFault> {
    if pointer.is_null() {
        let words = format!("{name} is null: give it");
        return Err(CallFault::new(ElbowroomStatus::NullPointer, words));
    }
    if !pointer.is_aligned() {
        return Err(CallFault::of_argument(format!("{name} is not aligned for its type")));
    }
    Ok(())
}

/// Refuses a length that no memory can hold.
fn check_length<T>(length: usize, name: &str) -> Result<(), CallFault> {
    match length.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(CallFault::of_argument(format!("{name} has a length of {length}, which no memory holds"))),
    }
}

/// Borrows one value of C.
///
/// # Safety
/// A pointer that is not null is valid for reads of a `T`. Nobody writes to it during `'a`.
pub(crate) unsafe fn borrow_value<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: `check_pointer` refused null and misaligned pointers; the caller guarantees the rest.
    Ok(unsafe { &*pointer })
}

/// Borrows one value of C that may be absent: null means none.
///
/// # Safety
/// That of [`borrow_value`].
pub(crate) unsafe fn borrow_if_given<'a, T>(
    pointer: *const T,
    name: &str,
) -> Result<Option<&'a T>, CallFault> {
    // SAFETY: the caller of this function guarantees it.
    if pointer.is_null() { Ok(None) } else { unsafe { borrow_value(pointer, name) }.map(Some) }
}

/// Borrows an array of C. Null is allowed only for a length of zero.
///
/// # Safety
/// A pointer that is not null is valid for reads of `length` values. Nobody writes to them during `'a`.
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
    // SAFETY: the checks above refused null, misaligned pointers and impossible lengths; the caller
    // guarantees the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Borrows an array of C for writing. Its old values are not read.
///
/// # Safety
/// A pointer that is not null is valid for writes of `length` values. Nobody else uses them during `'a`.
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
    // SAFETY: the checks above refused null, misaligned pointers and impossible lengths; the caller
    // guarantees the rest. `MaybeUninit` allows values that are not initialized.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), length) })
}

/// Borrows one value of C for writing.
///
/// # Safety
/// That of [`borrow_room`], for one value.
pub(crate) unsafe fn borrow_place<'a, T>(
    pointer: *mut T,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: `check_pointer` refused null and misaligned pointers; the caller guarantees the rest.
    Ok(unsafe { &mut *pointer.cast() })
}

/// Borrows a text of C.
///
/// # Safety
/// A pointer that is not null points to a text that ends with a zero. Nobody writes to it during `'a`.
pub(crate) unsafe fn borrow_text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, CallFault> {
    check_pointer(pointer, name)?;
    // SAFETY: `check_pointer` refused null; the caller guarantees the rest.
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
            // SAFETY: the pointer came from the box in `give_object` and was not taken back.
            drop(unsafe { Box::from_raw(object) });
        }
        Ok(())
    });
}

/// Copies values into an array of C, which must have the same length.
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

/// Locks an object for one call, without waiting.
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
        // SAFETY: the first four calls read nothing; the last pointer is valid for two values.
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
