//! Completes the address of a game or an agent: its name, its parameters, and what a parameter can name.

use tesuji_arena::{AgentInfo, GameInfo, ParameterInfo};

/// A game or an agent that an address can name.
pub(super) struct Addressee {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<ParameterInfo>,
}

impl Addressee {
    pub(super) fn game(info: &GameInfo) -> Addressee {
        Addressee { name: info.name, summary: info.summary, parameters: info.parameters.clone() }
    }

    pub(super) fn agent(info: &AgentInfo) -> Addressee {
        Addressee { name: info.name, summary: info.summary, parameters: info.parameters.clone() }
    }
}

/// The names of bundled data of a parameter.
pub(super) fn bundled(known: &[Addressee], name: &str, parameter: &str) -> Vec<&'static str> {
    let found = known.iter().find(|addressee| addressee.name == name);
    let parameters = found.iter().flat_map(|addressee| &addressee.parameters);
    parameters.filter(|candidate| candidate.name == parameter).flat_map(|data| data.bundled.iter().copied()).collect()
}

/// What the typed text can become, each with a description; all of them begin with the typed text.
pub(super) fn complete(known: &[Addressee], typed: &str) -> Vec<(String, String)> {
    let Some((name, arguments)) = typed.split_once('(') else {
        let matching = known.iter().filter(|addressee| addressee.name.starts_with(typed));
        let mut candidates: Vec<(String, String)> =
            matching.map(|addressee| (addressee.name.to_owned(), addressee.summary.to_owned())).collect();
        if known.iter().any(|addressee| addressee.name == typed && !addressee.parameters.is_empty()) {
            candidates.push((format!("{typed}("), "with parameters".to_owned()));
        }
        return candidates;
    };
    match known.iter().find(|addressee| addressee.name == name) {
        Some(addressee) => complete_arguments(&addressee.parameters, typed, arguments),
        None => Vec::new(),
    }
}

fn complete_arguments(parameters: &[ParameterInfo], typed: &str, arguments: &str) -> Vec<(String, String)> {
    let pieces = pieces(arguments);
    let Some((last, earlier)) = pieces.split_last() else { return Vec::new() };
    // A closed address is complete.
    if last.contains(')') && !last.contains('(') {
        return Vec::new();
    }
    let before = &typed[..typed.len() - last.len()];
    if let Some((key, value)) = last.split_once('=') {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == key.trim()) else {
            return Vec::new();
        };
        let before = format!("{before}{key}=");
        let mut candidates = values(parameter, value, &before);
        if !value.is_empty() && candidates.is_empty() {
            candidates.extend(closings(typed));
        }
        return candidates;
    }
    let is_used =
        |name: &str| earlier.iter().any(|piece| piece.split('=').next().is_some_and(|key| key.trim() == name));
    let open = parameters.iter().filter(|parameter| parameter.name.starts_with(last) && !is_used(parameter.name));
    let mut candidates: Vec<(String, String)> =
        open.map(|parameter| (format!("{before}{}=", parameter.name), parameter.summary.to_owned())).collect();
    // Without a key, the value is that of the parameter at this place.
    if let Some(parameter) = parameters.get(earlier.len()).filter(|_| earlier.iter().all(|piece| !piece.contains('=')))
    {
        candidates.extend(values(parameter, last, before).into_iter().filter(|_| !parameter.bundled.is_empty()));
    }
    if !last.is_empty() && candidates.is_empty() {
        candidates.extend(closings(typed));
    }
    candidates
}

/// Values that a parameter is known to take.
fn values(parameter: &ParameterInfo, typed: &str, before: &str) -> Vec<(String, String)> {
    let default = parameter.default.as_deref().filter(|default| !default.is_empty());
    let mut values: Vec<&str> = parameter.bundled.clone();
    if let Some(default) = default.filter(|default| !values.contains(default)) {
        values.push(default);
    }
    let matching = values.into_iter().filter(|value| value.starts_with(typed) && *value != typed);
    matching
        .map(|value| {
            let about = if Some(value) == default { "default" } else { "" };
            (format!("{before}{value}"), about.to_owned())
        })
        .collect()
}

/// What can follow a whole argument.
fn closings(typed: &str) -> [(String, String); 2] {
    [(format!("{typed})"), "end".to_owned()), (format!("{typed},"), "another parameter".to_owned())]
}

/// Splits arguments at the commas that are not inside quotes or parentheses; the last piece may be unfinished.
fn pieces(arguments: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0u32, false);
    for (place, letter) in arguments.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                pieces.push(&arguments[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    pieces.push(&arguments[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(typed: &str) -> Vec<String> {
        let catalogue = tesuji_standard::catalogue();
        let games = catalogue.games().iter().map(Addressee::game);
        let agents = catalogue.agents().iter().map(Addressee::agent);
        let known: Vec<Addressee> = games.chain(agents).collect();
        let texts: Vec<String> = complete(&known, typed).into_iter().map(|(text, _)| text).collect();
        assert!(texts.iter().all(|text| text.starts_with(typed)), "{typed}: {texts:?}");
        texts
    }

    #[test]
    fn names_parameters_and_values_are_completed() {
        assert_eq!(texts("tub"), ["tubstap", "tubstap-random", "tubstap-champion"]);
        assert!(texts("uct").contains(&"uct(".to_owned()));
        assert_eq!(texts("tic-tac-toe"), ["tic-tac-toe"]);
        assert_eq!(texts("uct(pl"), ["uct(playouts=", "uct(playout="]);
        assert_eq!(texts("tubstap(map=mead"), ["tubstap(map=meadow"]);
        assert_eq!(texts("uct(playouts=20,ch"), ["uct(playouts=20,choice="]);
        assert!(texts("uct(c").contains(&"uct(c=".to_owned()));
        assert!(!texts("uct(c=0.5,c").contains(&"uct(c=0.5,c=".to_owned()));
        assert_eq!(texts("uct(playouts=20"), ["uct(playouts=20)", "uct(playouts=20,"]);
        assert!(texts("gdl(tic").contains(&"gdl(tic-tac-toe".to_owned()));
        for closed in ["uct(c=1)", "no-such(", "uct(nonsense=", "zzz"] {
            assert_eq!(texts(closed), [""; 0], "{closed}");
        }
    }
}
