//! The texts that a model is given.

use std::fmt::Write as _;

use crate::reading::MARK;
use crate::{History, Misread, Scramble, Settings, View};

/// What the roles and relations of a rule sheet mean, for a model that has never seen the language.
const ABOUT_SHEETS: &str = "\
The text below defines the rules: it is a rule sheet in the Game Description Language, or the data of the game. In a \
rule sheet, `(<= head body)` reads: head holds if everything in body holds. Words with `?` are variables. `role` names \
the players, `init` the facts of the first position, `true` what holds in a position, `legal` the actions of a player, \
`does` what a player chose, `next` the facts of the next position, `terminal` the end, `goal` the payoffs. The player \
`random`, if there is one, is chance: each of its legal actions is equally likely.";

/// The first message: rules, seat and the agreed form. It is the same for all decisions of a match.
pub(crate) fn system(settings: &Settings, view: &View) -> String {
    let names = Names::new(settings);
    let mut text = String::from("You are a player in a match of a game. Play to get the highest payoff.\n");
    line(&mut text, format_args!("\nThe game is `{}`.", names.text(&view.game)));
    if let Some(rules) = &view.rules {
        line(&mut text, format_args!("\n{}", names.prose(rules).trim()));
    }
    if let Some(sheet) = &view.sheet {
        line(&mut text, format_args!("\n{ABOUT_SHEETS}\n\n```\n{}\n```", names.sheet(sheet).trim()));
    }
    let players: Vec<String> = view.players.iter().map(|player| names.text(player)).collect();
    let (me, (least, greatest)) = (&players[view.player], view.payoffs);
    line(
        &mut text,
        format_args!(
            "\nThe players are: {}. You are `{me}`. Payoffs are from {least} to {greatest}.",
            players.join(", ")
        ),
    );
    // Without legal actions in the prompts, no example: it would name one.
    let example = match view.legal.first().filter(|_| settings.legal) {
        Some(action) => format!(", for example:\n\n{MARK} {}\n\n", names.text(action)),
        None => ". ".to_owned(),
    };
    line(
        &mut text,
        format_args!(
            "\nEach message shows a position in which you choose one action. You may think first, briefly. Then write \
             one line that begins with `{MARK}` followed by your action, exactly as this game writes it{example}Write \
             the word `{MARK}` only once. An answer counts only if it names exactly one legal action in this form. If \
             your answers do not count, you lose the match."
        ),
    );
    text
}

/// The message of one decision: history, position and, if they are shown, the legal actions.
pub(crate) fn position(settings: &Settings, view: &View) -> String {
    let names = Names::new(settings);
    let mut text = String::new();
    let shown = match settings.history {
        History::All => view.steps.len(),
        History::Last(count) => count.min(view.steps.len()),
    };
    if shown > 0 {
        line(&mut text, format_args!("Steps so far:"));
        for (number, moves) in view.steps.iter().enumerate().skip(view.steps.len() - shown) {
            let moves = moves.iter().map(|(who, what)| format!("{} {}", names.text(who), names.text(what)));
            line(&mut text, format_args!("{}. {}", number + 1, moves.collect::<Vec<_>>().join(", ")));
        }
        text.push('\n');
    } else if view.steps.is_empty() {
        line(&mut text, format_args!("This is the first position that is shown to you.\n"));
    }
    line(&mut text, format_args!("Position:\n{}", names.text(view.board.trim_end())));
    if view.state != view.board && settings.scramble.is_none() {
        line(&mut text, format_args!("On one line: {}", view.state));
    }
    let me = names.text(&view.players[view.player]);
    match view.movers.len() {
        0 | 1 => line(&mut text, format_args!("\nIt is your turn, `{me}`.")),
        _ => line(
            &mut text,
            format_args!("\nYou, `{me}`, choose now, and others choose at the same time without seeing your choice."),
        ),
    }
    if settings.legal {
        line(&mut text, format_args!("\nYour legal actions:"));
        view.legal.iter().for_each(|action| line(&mut text, format_args!("{}", names.text(action))));
    }
    line(&mut text, format_args!("\nAnswer with one line `{MARK} …`."));
    text
}

/// The message after an answer that does not count. It repeats nothing of the answer but the action that it named.
pub(crate) fn again(reason: &Misread) -> String {
    format!("Your answer does not count: {reason}. Choose again, and answer with one line `{MARK} …`.")
}

/// The legal actions as the model is to write them.
pub(crate) fn actions(settings: &Settings, view: &View) -> Vec<String> {
    let names = Names::new(settings);
    view.legal.iter().map(|action| names.text(action)).collect()
}

/// The names of a game as a prompt shows them.
struct Names(Option<Scramble>);

impl Names {
    fn new(settings: &Settings) -> Names {
        Names(settings.scramble.map(Scramble::new))
    }

    fn text(&self, text: &str) -> String {
        self.0.map_or_else(|| text.to_owned(), |scramble| scramble.text(text))
    }

    fn sheet(&self, text: &str) -> String {
        self.0.map_or_else(|| text.to_owned(), |scramble| scramble.sheet(text))
    }

    fn prose(&self, text: &str) -> String {
        self.0.map_or_else(|| text.to_owned(), |scramble| scramble.prose(text))
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let written = writeln!(text, "{line}");
    debug_assert!(written.is_ok(), "writing to a string cannot fail");
}
