//! Parser of tree files; the parent module describes the format.

use std::collections::{HashMap, HashSet};

use tesuji_core::{InputError, Player, Players, Source};

use super::{Action, Kind, Known, Node};

/// The contents of a tree file.
pub(super) struct Parsed {
    pub(super) players: Vec<String>,
    pub(super) nodes: Vec<Node>,
    pub(super) known: Known,
}

/// A line without its comment: its location, its depth, and the parts before and after its first colon.
#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    key: &'a str,
    value: &'a str,
}

/// A node whose lines are still being read.
struct Draft<'a> {
    line: Line<'a>,
    parent: u32,
    label: String,
    kind: DraftKind,
    below: Vec<Below<'a>>,
}

enum DraftKind {
    Choice(Player),
    Joint(Players),
    Chance,
    End(Vec<f64>),
}

/// A step to a child, as written in the text.
struct Below<'a> {
    line: Line<'a>,
    names: Vec<&'a str>,
    probability: f64,
    child: u32,
}

struct Parser<'a> {
    source: &'a Source,
    players: Vec<String>,
    value: Option<Vec<f64>>,
    best: Vec<(Line<'a>, Player)>,
    drafts: Vec<Draft<'a>>,
    /// The nodes of the enclosing lines, outermost first.
    open: Vec<u32>,
}

/// Parses a text.
pub(super) fn parse(source: &Source) -> Result<Parsed, InputError> {
    let mut parser =
        Parser { source, players: Vec::new(), value: None, best: Vec::new(), drafts: Vec::new(), open: Vec::new() };
    for text in source.text().lines() {
        let text = text.split('#').next().unwrap_or("").trim_end();
        if !text.is_empty() {
            parser.line(text)?;
        }
    }
    parser.finish()
}

impl<'a> Parser<'a> {
    /// An error at a slice of the text.
    fn wrong(&self, part: &str, message: impl Into<String>) -> InputError {
        // Every part is a slice of the source, so the difference of their addresses is its offset.
        let offset = (part.as_ptr() as usize).saturating_sub(self.source.text().as_ptr() as usize);
        InputError::new(message).at(self.source, offset, part.len())
    }

    fn line(&mut self, text: &'a str) -> Result<(), InputError> {
        let content = text.trim_start_matches(' ');
        let indent = text.len() - content.len();
        if let Some(odd) = content.chars().find(|c| c.is_control() || *c == '\u{feff}') {
            let message = format!("a character that lines may not hold: {}", odd.escape_default());
            return Err(self.wrong(content, message).with_help("indent with blanks, not with tabs"));
        }
        let Some((key, value)) = content.split_once(':') else {
            return Err(self.wrong(content, format!("expected `:` after `{content}`")).with_help(
                "a line is a name, a colon, and what follows: a player, players joined by `&`, `chance`, or payoffs",
            ));
        };
        let line = Line { indent, key: key.trim_end(), value: value.trim_start() };
        match (self.drafts.is_empty(), indent) {
            (true, 0) => self.header(line),
            (true, _) => Err(self.wrong(content, "expected `start:` before the first indented line")),
            (false, 0) => Err(self.wrong(content, "expected an indented line: the tree has begun")),
            (false, _) => self.below(line),
        }
    }

    fn header(&mut self, line: Line<'a>) -> Result<(), InputError> {
        if line.key != "players" && self.players.is_empty() {
            return Err(self.wrong(line.key, "expected `players:` first, with the players' names"));
        }
        match line.key {
            "players" if !self.players.is_empty() => Err(self.wrong(line.key, "the players are named already")),
            "players" => self.name_players(line),
            "value" if self.value.is_some() => Err(self.wrong(line.key, "the value is given already")),
            "value" => {
                self.value = Some(self.payoffs(line.value)?);
                Ok(())
            }
            "start" => self.add(line, 0, String::new()).map(|start| self.open.push(start)),
            key => match key.strip_prefix("best ") {
                Some(name) => {
                    let player = self.player(name.trim())?;
                    if self.best.iter().any(|&(_, known)| known == player) {
                        return Err(self.wrong(line.key, format!("the best of `{}` is given already", name.trim())));
                    }
                    self.best.push((line, player));
                    Ok(())
                }
                None => Err(self
                    .wrong(key, format!("unknown heading `{key}`"))
                    .with_help("headings are `players`, `value`, `best` with a player's name, and `start`")),
            },
        }
    }

    fn name_players(&mut self, line: Line<'a>) -> Result<(), InputError> {
        for name in line.value.split(',').map(str::trim) {
            let good = name.starts_with(char::is_alphabetic) && !name.contains([':', '&', '/']) && name != "chance";
            if !good {
                return Err(self
                    .wrong(name, format!("`{name}` is not a valid name for a player"))
                    .with_help("a player's name begins with a letter, holds none of `: , & / #` and is not `chance`"));
            }
            if self.players.iter().any(|known| known == name) {
                return Err(self.wrong(name, format!("the player `{name}` is named twice")));
            }
            self.players.push(name.to_owned());
        }
        if self.players.len() > Players::MAX {
            return Err(self.wrong(line.value, format!("expected at most {} players", Players::MAX)));
        }
        Ok(())
    }

    fn player(&self, name: &str) -> Result<Player, InputError> {
        let index = self.players.iter().position(|known| known == name);
        index.map(|index| Player(index as u8)).ok_or_else(|| {
            self.wrong(name, format!("expected a player, players joined by `&`, `chance` or payoffs, found `{name}`"))
                .with_help(format!("the players are {}", self.players.join(", ")))
        })
    }

    fn number(&self, text: &str) -> Result<f64, InputError> {
        number(text)
            .ok_or_else(|| self.wrong(text, format!("expected a number such as 2, -0.5 or 3/8, found `{text}`")))
    }

    fn payoffs(&self, text: &str) -> Result<Vec<f64>, InputError> {
        let payoffs = text.split(',').map(|payoff| self.number(payoff.trim())).collect::<Result<Vec<f64>, _>>()?;
        let (expected, found) = (self.players.len(), payoffs.len());
        if found != expected {
            return Err(self.wrong(text, format!("expected {expected} numbers, one for each player, found {found}")));
        }
        Ok(payoffs)
    }

    /// Adds the node that a line's value describes.
    fn add(&mut self, line: Line<'a>, parent: u32, label: String) -> Result<u32, InputError> {
        let value = line.value;
        let kind = if value == "chance" {
            DraftKind::Chance
        } else if value.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            DraftKind::End(self.payoffs(value)?)
        } else if value.contains('&') {
            let mut movers = Vec::new();
            for name in value.split('&').map(str::trim) {
                let mover = self.player(name)?;
                if movers.last().is_some_and(|&last| last >= mover) {
                    return Err(self.wrong(name, "expected the players of a joint move in the order of `players`"));
                }
                movers.push(mover);
            }
            DraftKind::Joint(movers.into_iter().collect())
        } else {
            DraftKind::Choice(self.player(value)?)
        };
        let index = self.drafts.len() as u32;
        self.drafts.push(Draft { line, parent, label, kind, below: Vec::new() });
        Ok(index)
    }

    /// Parses a line inside the tree.
    fn below(&mut self, line: Line<'a>) -> Result<(), InputError> {
        // The start has no indentation and is never closed, since every line here has some.
        while let Some(&last) = self.open.last()
            && self.drafts[last as usize].line.indent >= line.indent
        {
            self.open.pop();
        }
        let parent = self.open.last().copied().unwrap_or(0);
        let draft = &self.drafts[parent as usize];
        if let Some(sibling) = draft.below.first()
            && sibling.line.indent != line.indent
        {
            let (expected, found) = (sibling.line.indent, line.indent);
            return Err(self.wrong(
                line.key,
                format!("expected {expected} blanks before this line, as before its siblings, found {found}"),
            ));
        }
        let (probability, name) = match &draft.kind {
            DraftKind::End(_) => {
                return Err(self.wrong(line.key, "nothing can follow payoffs: the match is over there"));
            }
            DraftKind::Chance => {
                let (number, name) = line.key.split_once(' ').unwrap_or((line.key, ""));
                let probability = self.number(number)?;
                if !(probability > 0.0 && probability <= 1.0) {
                    return Err(
                        self.wrong(number, format!("expected a probability above 0 and at most 1, found {number}"))
                    );
                }
                (probability, name.trim())
            }
            _ => (1.0, line.key),
        };
        let names: Vec<&str> = match &draft.kind {
            DraftKind::Joint(_) => name.split(',').map(str::trim).collect(),
            _ => vec![name],
        };
        if let DraftKind::Joint(players) = draft.kind
            && names.len() != players.len()
        {
            let (expected, found) = (players.len(), names.len());
            return Err(self.wrong(line.key, format!("expected {expected} actions separated by commas, found {found}")));
        }
        if let Some(name) = names.iter().find(|name| name.is_empty() || name.contains(['&', '/', ','])) {
            return Err(self.wrong(line.key, format!("expected a name, found `{name}`")).with_help(
                "a name holds none of `: , & / #`; an outcome has its probability before its name, as in \
                    `1/2 heads: …`",
            ));
        }
        let child = self.add(line, parent, names.join(", "))?;
        self.drafts[parent as usize].below.push(Below { line, names, probability, child });
        self.open.push(child);
        Ok(())
    }

    fn finish(self) -> Result<Parsed, InputError> {
        if self.drafts.is_empty() {
            let end = &self.source.text()[self.source.text().len()..];
            let missing = if self.players.is_empty() { "players" } else { "start" };
            return Err(self.wrong(end, format!("expected `{missing}:`, found the end of the text")));
        }
        let mut nodes = Vec::with_capacity(self.drafts.len());
        for draft in &self.drafts {
            nodes.push(Node { parent: draft.parent, label: draft.label.clone(), kind: self.complete(draft)? });
        }
        let mut best = vec![None; self.players.len()];
        for &(line, player) in &self.best {
            best[player.index()] = Some(self.mix(line, player, &nodes[0].kind)?);
        }
        let known = Known { value: self.value.clone(), best };
        Ok(Parsed { players: self.players, nodes, known })
    }

    fn complete(&self, draft: &Draft<'a>) -> Result<Kind, InputError> {
        let children: Vec<u32> = draft.below.iter().map(|below| below.child).collect();
        if children.is_empty() && !matches!(draft.kind, DraftKind::End(_)) {
            return Err(self.wrong(draft.line.value, format!("expected indented lines below `{}`", draft.line.value)));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = draft.below.iter().find(|below| !seen.insert(&below.names)) {
            return Err(self.wrong(twice.line.key, format!("`{}` stands here twice", twice.names.join(", "))));
        }
        let only = |below: &Below<'_>| below.names[0].to_owned();
        Ok(match &draft.kind {
            DraftKind::End(payoffs) => Kind::End { payoffs: payoffs.clone() },
            DraftKind::Choice(player) => {
                Kind::Choice { player: *player, actions: draft.below.iter().map(only).collect(), children }
            }
            DraftKind::Chance => {
                let total: f64 = draft.below.iter().map(|below| below.probability).sum();
                if (total - 1.0).abs() > 1e-9 {
                    return Err(
                        self.wrong(draft.line.value, format!("the probabilities below add up to {total}, not to 1"))
                    );
                }
                let outcomes = draft.below.iter().map(|below| (only(below), below.probability)).collect();
                Kind::Chance { outcomes, children }
            }
            DraftKind::Joint(players) => self.complete_joint(draft, *players)?,
        })
    }

    /// Checks that a joint move lists every combination of its actions.
    fn complete_joint(&self, draft: &Draft<'a>, players: Players) -> Result<Kind, InputError> {
        let mut actions: Vec<Vec<&str>> = vec![Vec::new(); players.len()];
        let mut seen: Vec<HashSet<&str>> = vec![HashSet::new(); players.len()];
        let mut steps = HashMap::new();
        for below in &draft.below {
            for (place, &name) in below.names.iter().enumerate() {
                if seen[place].insert(name) {
                    actions[place].push(name);
                }
            }
            steps.insert(below.names.clone(), below.child);
        }
        let mut children = Vec::with_capacity(draft.below.len());
        let mut picks = vec![0; actions.len()];
        loop {
            let names: Vec<&str> =
                actions.iter().zip(&picks).map(|(actions, &pick): (_, &usize)| actions[pick]).collect();
            let Some(&child) = steps.get(&names) else {
                let message = format!("the combination `{}` is missing below", names.join(", "));
                return Err(self.wrong(draft.line.value, message));
            };
            children.push(child);
            // Enumerate, the last player fastest.
            let Some(place) = (0..picks.len()).rev().find(|&place| picks[place] + 1 < actions[place].len()) else {
                break;
            };
            picks[place] += 1;
            picks[place + 1..].fill(0);
        }
        let actions = actions.into_iter().map(|names| names.into_iter().map(str::to_owned).collect()).collect();
        Ok(Kind::Joint { players, actions, children })
    }

    /// Parses the mixed strategy of a `best` line: actions of the start, with probabilities unless it is a single one.
    fn mix(&self, line: Line<'a>, player: Player, start: &Kind) -> Result<Vec<(Action, f64)>, InputError> {
        let actions = match start {
            Kind::Choice { player: mover, actions, .. } if *mover == player => actions,
            Kind::Joint { players, actions, .. } if players.contains(player) => &actions[players.rank(player)],
            _ => return Err(self.wrong(line.key, "this player does not choose at the start")),
        };
        let find = |name: &str| actions.iter().position(|action| action == name).map(|index| index as Action);
        if let Some(action) = find(line.value) {
            return Ok(vec![(action, 1.0)]);
        }
        let mut mix: Vec<(Action, f64)> = Vec::new();
        for part in line.value.split(',').map(str::trim) {
            let (name, probability) = part.rsplit_once(' ').unwrap_or((part, ""));
            let action = find(name.trim()).filter(|&action| mix.iter().all(|&(known, _)| known != action));
            let action = action.ok_or_else(|| {
                self.wrong(part, format!("expected an action with its probability, found `{part}`"))
                    .with_help(format!("the actions are {}", actions.join(", ")))
            })?;
            mix.push((action, self.number(probability)?));
        }
        let total: f64 = mix.iter().map(|&(_, probability)| probability).sum();
        if (total - 1.0).abs() > 1e-9 || mix.iter().any(|&(_, probability)| probability < 0.0) {
            return Err(self.wrong(line.value, format!("expected probabilities that add up to 1, not to {total}")));
        }
        Ok(mix)
    }
}

/// A decimal or a fraction, of reasonable size.
fn number(text: &str) -> Option<f64> {
    let decimal = |text: &str| {
        let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
        plain.then(|| text.parse::<f64>().ok()).flatten().filter(|number| number.abs() <= 1e9)
    };
    match text.split_once('/') {
        None => decimal(text),
        Some((above, below)) => {
            let below = decimal(below).filter(|&below| below >= 1.0)?;
            Some(decimal(above)? / below)
        }
    }
}
