//! Packs the networks that come with the games into the program.

fn main() {
    tesuji_bundle::pack("../../data/networks", "networks");
}
