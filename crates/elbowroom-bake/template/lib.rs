//! What C calls: `elbowroom_world.h` says how. Written by `elbowroom bake`.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

mod world;

use core::panic::PanicInfo;
use core::slice;
use elbowroom_baked::{Scratch, Verdict};
use world::{JOINTS, SHAPES, VALUES, WORLD};

const CLEAR: i32 = 1;
const NOT_CLEAR: i32 = 0;
const FAULT: i32 = -1;

/// Nothing here panics; the linker wants to know what would happen.
#[panic_handler]
fn wait_for_ever(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Puts a value where C wants it, unless it wants none.
///
/// # Safety
/// `place` is null, or may be written.
unsafe fn write_if_wanted<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: it is not null, so it may be written.
        unsafe { place.write(value) };
    }
}

/// The joint values that C points at.
///
/// # Safety
/// `values` is null, or points to as many floats as the world has values.
unsafe fn values_at<'a>(values: *const f32) -> &'a [f32] {
    if values.is_null() {
        return &[];
    }
    // SAFETY: it is not null, so as many floats are there.
    unsafe { slice::from_raw_parts(values, VALUES) }
}

/// # Safety
/// `values` is null or points to `ELBOWROOM_VALUES` floats; `pair` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_test(values: *const f32, pair: *mut u16) -> i32 {
    // SAFETY: the header asks for it.
    let values = unsafe { values_at(values) };
    let mut scratch = Scratch::<JOINTS, SHAPES>::new();
    match WORLD.test(values, &mut scratch) {
        Verdict::Clear => CLEAR,
        Verdict::NotClear { pair: found } => {
            // SAFETY: the header asks for it.
            unsafe { write_if_wanted(pair, found) };
            NOT_CLEAR
        }
        Verdict::Fault => FAULT,
    }
}

/// # Safety
/// `values` is null or points to `ELBOWROOM_VALUES` floats; `metres` and `pair` are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_lower_bound(values: *const f32, metres: *mut f32, pair: *mut u16) -> i32 {
    // SAFETY: the header asks for it.
    let values = unsafe { values_at(values) };
    let mut scratch = Scratch::<JOINTS, SHAPES>::new();
    match WORLD.lower_bound(values, &mut scratch) {
        Some(bound) => {
            // SAFETY: the header asks for it.
            unsafe { write_if_wanted(metres, bound.metres) };
            // SAFETY: the header asks for it.
            unsafe { write_if_wanted(pair, bound.pair) };
            CLEAR
        }
        None => {
            // SAFETY: the header asks for it.
            unsafe { write_if_wanted(metres, f32::NEG_INFINITY) };
            FAULT
        }
    }
}

/// The fingerprint of the world that was baked.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_fingerprint() -> u64 {
    WORLD.fingerprint
}
