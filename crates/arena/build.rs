//! Packs the experiments into the program.

fn main() {
    tesuji_bundle::pack("../../experiments", "experiments");
}
