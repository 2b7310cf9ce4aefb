//! One target for libFuzzer: the one that `TESUJI_FUZZ_TARGET` names.

#![no_main]

use std::cell::LazyCell;

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{Target, target};

thread_local! {
    static TARGET: LazyCell<Target> = LazyCell::new(|| {
        let name = std::env::var("TESUJI_FUZZ_TARGET").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("TESUJI_FUZZ_TARGET names no target: `{name}`"))
    });
}

fuzz_target!(|input: &[u8]| TARGET.with(|target| drop(target.run(input))));
