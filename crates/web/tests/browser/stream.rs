//! A page that follows a long stream of thoughts stays smooth, and its memory flat.

use std::time::{Duration, Instant};

use crate::{WIDE, lab_and_browser};

/// More playouts than any test waits for.
const ENDLESS: u32 = 5_000_000;

/// How long the stream is watched: a few seconds, or as many as `TESUJI_STREAM_SECONDS` says.
fn watched() -> Duration {
    let named = std::env::var("TESUJI_STREAM_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(named.unwrap_or(3))
}

#[test]
fn a_long_stream_of_thoughts_keeps_frames_short_and_memory_flat() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    // Two agents: when one has used up its time, the other one's thoughts follow.
    tab.begin("tubstap", "tubstap", usize::MAX, "uct", ENDLESS);
    tab.click("#tab-thinking");
    tab.wait("Number(document.querySelector('#panel-thinking .thought').dataset.playouts) > 0");
    // The work of the page in each frame: from its beginning to the end of what the page does in it.
    tab.evaluate(
        "(() => { window.frames_ = [];
           const frame = () => {
             const begun = performance.now();
             const channel = new MessageChannel();
             channel.port1.onmessage = () => window.frames_.push(performance.now() - begun);
             channel.port2.postMessage(null);
             requestAnimationFrame(frame);
           };
           requestAnimationFrame(frame); })()",
    );
    let (begun, mut sizes) = (Instant::now(), Vec::new());
    let mut seen = 0.0;
    while begun.elapsed() < watched() {
        let more = format!("Number(document.querySelector('#panel-thinking .thought').dataset.playouts) !== {seen}");
        tab.wait(&more);
        seen = tab
            .evaluate("Number(document.querySelector('#panel-thinking .thought').dataset.playouts)")
            .as_f64()
            .unwrap();
        sizes.push(tab.heap());
    }
    let median = tab.evaluate("window.frames_.sort((a, b) => a - b)[Math.floor(window.frames_.length / 2)]");
    let median = median.as_f64().unwrap();
    // After a collection of garbage the page holds about what it held at first.
    let (first, last) = (sizes[sizes.len() / 4], sizes[sizes.len() - 1]);
    eprintln!(
        "{} frames, median {median:.2} ms; heap {first:.1} to {last:.1} MB",
        tab.evaluate("window.frames_.length")
    );
    assert!(last < 1.5 * first + 4.0, "the page's memory grows from {first} to {last} MB");
    tab.finish();
}
