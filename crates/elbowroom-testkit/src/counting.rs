//! An allocator that counts, by thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::thread_local;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// For a program's `#[global_allocator]`.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged; counting touches no allocated memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|c| c.set(c.get() + 1));
        let held = HELD.with(|c| {
            c.set(c.get() + layout.size() as isize);
            c.get()
        });
        MOST.with(|c| c.set(c.get().max(held)));
        // SAFETY: the caller's promise is the system's requirement.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.with(|c| c.set(c.get() - layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// How often this thread has allocated.
pub fn allocation_count() -> usize {
    CALLS.with(Cell::get)
}

/// Bytes that this thread has allocated and not freed.
pub fn held_bytes() -> isize {
    HELD.with(Cell::get)
}

/// The most that this thread has held at once since [`reset_most`].
pub fn most_held_bytes() -> isize {
    MOST.with(Cell::get)
}

/// Counts what is held at most from here on.
pub fn reset_most() {
    MOST.with(|c| c.set(held_bytes()));
}
