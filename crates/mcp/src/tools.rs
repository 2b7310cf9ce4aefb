//! The tools that clients see: names, descriptions, and the JSON schemas of their arguments.

use serde_json::{Value, json};

/// A tool.
pub(crate) struct ToolText {
    pub name: &'static str,
    pub description: &'static str,
    /// By argument: name, type, description, whether it is needed.
    arguments: &'static [(&'static str, &'static str, &'static str, bool)],
    /// Whether it changes nothing.
    pub reads: bool,
}

const MATCH: (&str, &str, &str, bool) = ("match", "integer", "The number of the match, from `start_match`.", true);
const KEY: (&str, &str, &str, bool) =
    ("key", "string", "The key of your seat; not needed if clients play only one seat of the match.", false);

/// All tools, in the order of use.
pub(crate) const TOOLS: &[ToolText] = &[
    ToolText {
        name: "list_games",
        description: "List the games: name, summary, parameters and example addresses.",
        arguments: &[],
        reads: true,
    },
    ToolText {
        name: "rules",
        description: "The rules of a game as text: in words with the notation of actions, and the rule sheet or map if \
                      the rules are data.",
        arguments: &[("game", "string", "The address of a game, such as `tic-tac-toe` or `gdl(tron-6x6)`.", true)],
        reads: true,
    },
    ToolText {
        name: "list_agents",
        description: "List the agents that can play a game, to be seated as opponents or asked for analysis.",
        arguments: &[("game", "string", "The address of the game.", true)],
        reads: true,
    },
    ToolText {
        name: "start_match",
        description: "Start a match. `seats` has one entry for each player: `client` for a seat that a client plays, \
                      or the address of an agent such as `uct`. Returns the position and a key for each client's seat.",
        arguments: &[
            ("game", "string", "The address of the game.", true),
            ("seats", "array", "One entry for each player: `client`, or the address of an agent.", true),
            ("budget", "string", "What agents may spend on a decision, such as `500` playouts or `time=1s`.", false),
            ("seed", "integer", "Fixes chance and the agents' random numbers.", false),
            ("retries", "integer", "How many illegal acts a decision may have before its seat forfeits.", false),
            ("withhold_legal", "boolean", "Never list legal actions in this match.", false),
        ],
        reads: false,
    },
    ToolText {
        name: "show",
        description: "The position of a match: board as text and JSON, who is to choose, your legal actions; with \
                      `picture` also an SVG image.",
        arguments: &[MATCH, KEY, ("picture", "boolean", "Also return the board as an SVG image.", false)],
        reads: true,
    },
    ToolText {
        name: "act",
        description: "Choose an action for your seat. It must be a legal action, letter by letter. Agents then act \
                      until a client has to choose or the match is over. In simultaneous moves your choice stays \
                      hidden until all have chosen.",
        arguments: &[MATCH, KEY, ("action", "string", "The action, exactly as the game writes it.", true)],
        reads: false,
    },
    ToolText { name: "resign", description: "Resign the match for your seat.", arguments: &[MATCH, KEY], reads: false },
    ToolText {
        name: "analyse",
        description: "Ask an agent what it thinks of the position: its choice, the expected payoff, and its candidates \
                      with visits and values.",
        arguments: &[
            MATCH,
            ("agent", "string", "The address of the agent, such as `uct`.", true),
            ("player", "string", "For which player, by name; the first who has to choose by default.", false),
            ("budget", "string", "What it may spend, such as `500` playouts or `time=1s`.", false),
        ],
        reads: true,
    },
    ToolText {
        name: "replay",
        description: "All steps of a match, and the position after a number of steps.",
        arguments: &[MATCH, ("step", "integer", "The number of steps; all by default.", false)],
        reads: true,
    },
    ToolText {
        name: "list_matches",
        description: "List the matches of this server: game, seats, whether they are over.",
        arguments: &[],
        reads: true,
    },
    ToolText {
        name: "statistics",
        description: "The results of finished matches by game and occupants: wins, draws, losses, win rate with a 95 % \
                      interval, refused acts.",
        arguments: &[],
        reads: true,
    },
];

impl ToolText {
    /// The JSON schema of its arguments.
    pub(crate) fn schema(&self) -> Value {
        let property = |kind: &str, about: &str| match kind {
            "array" => json!({ "type": kind, "items": { "type": "string" }, "description": about }),
            _ => json!({ "type": kind, "description": about }),
        };
        let properties: serde_json::Map<String, Value> =
            self.arguments.iter().map(|(name, kind, about, _)| ((*name).to_owned(), property(kind, about))).collect();
        let required: Vec<&str> =
            self.arguments.iter().filter(|argument| argument.3).map(|argument| argument.0).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }
}
