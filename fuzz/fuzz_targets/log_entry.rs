#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| targets::log_entry::run(input));
