//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, even after a panic of another holder: the data behind these locks is always written as a whole.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
