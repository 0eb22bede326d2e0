//! Proves that the pure crates need no standard library.
//!
//! A program can have only one panic handler, and the standard library has one. This library has its own, so it does not
//! compile if any crate below it uses std: `found duplicate lang item 'panic_impl'`. The compiler also names the crate that
//! uses std. To try it, write `extern crate std;` into engine/src/lib.rs, or give serde the feature `std` in engine/Cargo.toml,
//! and run `cargo xtask test no_std`.
//!
//! The library is built, but never run. `cargo xtask` adds a line for each pure crate of the workspace.
#![no_std]

use core::{
    alloc::{GlobalAlloc, Layout},
    cell::UnsafeCell,
    panic::PanicInfo,
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[global_allocator]
static HEAP: Bump = Bump { memory: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0) };

const SIZE: usize = 64 * 1024;

/// An allocator that hands out a fixed block of memory from front to back and never frees any.
struct Bump {
    memory: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

// SAFETY: the memory is reached only through `alloc`, which gives every caller a separate part.
unsafe impl Sync for Bump {}

// SAFETY: `alloc` returns null or a part of `memory` that is aligned and large enough for the layout. No part is handed out
// twice, because `used` only grows, in one atomic step.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.memory.get().cast::<u8>();
        let part = |used: usize| {
            let from = used.checked_add(start.wrapping_add(used).align_offset(layout.align()))?;
            let to = from.checked_add(layout.size())?;
            (to <= SIZE).then_some((from, to))
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| part(used).map(|(_, to)| to));
        // `taken` is the previous value of `used`. For the same value, `part` returns the same range.
        taken.ok().and_then(part).map_or(ptr::null_mut(), |(from, _)| start.wrapping_add(from))
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
