//! The proof that the pure crates need no standard library.
//!
//! A panic handler may exist only once in a program, and the standard library brings one. So this library, which has its
//! own, does not compile as soon as any crate below it, ours or not, pulls in std: `found duplicate lang item
//! 'panic_impl'`, and the compiler names the crate through which std came. To see that: write `extern crate std;` into
//! engine/src/lib.rs, or give serde the feature `std` in engine/Cargo.toml, and run `cargo xtask test no_std`.
//!
//! It is built, never run. `cargo xtask` adds a line for each pure crate of the workspace.
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

/// Hands out a fixed block of memory from front to back and takes nothing back.
struct Bump {
    memory: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

// SAFETY: the memory is reached only through `alloc`, which gives every caller a part of its own.
unsafe impl Sync for Bump {}

// SAFETY: `alloc` returns null or a part of `memory` that is aligned and large enough for the layout, and that is handed
// out once: `used` only grows, in one atomic step.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.memory.get().cast::<u8>();
        let part = |used: usize| {
            let from = used.checked_add(start.wrapping_add(used).align_offset(layout.align()))?;
            let to = from.checked_add(layout.size())?;
            (to <= SIZE).then_some((from, to))
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| part(used).map(|(_, to)| to));
        // What was used before says where the part begins: `part` gives the same for the same number.
        taken.ok().and_then(part).map_or(ptr::null_mut(), |(from, _)| start.wrapping_add(from))
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
