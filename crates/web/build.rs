//! Packs the lab's page, and the rules that it shows, into the program.

fn main() {
    tesuji_bundle::pack("page", "page");
    tesuji_bundle::pack("../../docs/games", "games");
    tesuji_bundle::pack("../../docs/ja/games", "games-ja");
    tesuji_bundle::pack("../../data/rulebooks", "rulebooks");
}
