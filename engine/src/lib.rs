//! The kernel.
#![no_std]

extern crate alloc;
