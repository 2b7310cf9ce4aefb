//! Packs the manual into the program.

fn main() {
    tesuji_bundle::pack("../../docs", "docs");
    tesuji_bundle::pack("../../experiments/results", "results");
}
