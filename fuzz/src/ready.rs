//! Futures that wait for nothing.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// The result of a future that only waits for itself, such as one that reads a log in memory.
pub(super) fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1000 {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
    }
    panic!("a log in memory does not wait");
}
