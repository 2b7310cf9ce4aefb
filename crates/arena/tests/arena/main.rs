//! The tests that need the whole catalogue, as one program: each further program would be linked with every agent and
//! game.

mod agents;
mod catalogue;
mod certificates;
mod copies;
mod dice;
mod dice_sheet;
mod erased;
mod experiments;
mod fuzzy;
mod golden;
mod known_values;
mod laws;
mod layers;
mod live;
mod models;
mod numbers;
mod pages;
mod perft;
mod report;
mod results;
mod series;
mod solutions;
mod store_damage;
mod stored_runs;
mod turns;
