//! The place of the one client that is answered.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the place of a client who was cut off may take to become free.
const LEAVING_TIME: Duration = Duration::from_secs(1);

/// Whether there is a client: nobody, one who is answered, one who has been silent for long.
const FREE: u8 = 0;
const TAKEN: u8 = 1;
const SILENT: u8 = 2;

/// Cuts a client off.
type Cut = Box<dyn FnOnce() + Send>;

/// Whether a client is answered, and how to end that.
#[derive(Default)]
pub struct ClientPlace {
    state: AtomicU8,
    cut: Mutex<Option<Cut>>,
}

impl ClientPlace {
    /// Whether nobody has it.
    pub fn is_free(&self) -> bool {
        self.state.load(Ordering::Acquire) == FREE
    }

    /// A client has it from now on.
    pub fn take_place(&self, cut: Option<Cut>) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = cut;
        self.state.store(TAKEN, Ordering::Release);
    }

    /// The client has left.
    pub fn leave_place(&self) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.state.store(FREE, Ordering::Release);
    }

    /// Says whether the client has been silent for so long that another may have its place.
    pub fn set_silent(&self, silent: bool) {
        self.state.store(if silent { SILENT } else { TAKEN }, Ordering::Release);
    }

    /// Whether another client could have it.
    pub fn can_be_had(&self) -> bool {
        self.state.load(Ordering::Acquire) != TAKEN
    }

    /// Cuts off a client that has long been silent: the machine behind a connection may be gone, and nobody
    /// says goodbye then. Whether the place is free now.
    pub fn clear_if_silent(&self) -> bool {
        if self.state.load(Ordering::Acquire) == SILENT {
            let cut = self.cut.lock().unwrap_or_else(PoisonError::into_inner).take();
            cut.into_iter().for_each(|cut| cut());
            let begun = Instant::now();
            while !self.is_free() && begun.elapsed() < LEAVING_TIME {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.is_free()
    }
}
