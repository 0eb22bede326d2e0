//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. A panic elsewhere does not make what is behind it unusable: it is always written whole.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
