//! Addresses that come from outside may name bundled data and uploads, never a file or a program of the machine.
//!
//! Through the API an uploaded file is `upload:NAME`. Inside, that is a path in the lab's folder; it is put in when a game is
//! opened and taken out of everything that is shown.

use std::path::{Path, PathBuf};

use tesuji_arena::{Address, InputError, ParameterInfo, agent_infos, game_infos};

use crate::limits::Limits;

/// What stands before the name of an upload.
pub const UPLOAD: &str = "upload:";

/// Agents that the lab does not seat: one starts programs of the machine, which only `programs` of [`Limits`] allows, the other
/// cannot play.
pub const NOT_SEATED: [&str; 2] = [PROGRAM, "outside"];
/// The agent that is a program of the machine.
pub const PROGRAM: &str = "process";

/// How deep addresses may stand inside each other.
const DEPTH: usize = 8;

/// Turns addresses of the API into those that open things here, and back.
pub struct Addresses {
    folder: PathBuf,
    limits: Limits,
}

impl Addresses {
    /// Uploads lie in `folder`.
    pub fn new(folder: PathBuf, limits: Limits) -> Addresses {
        Addresses { folder, limits }
    }

    /// Where uploads lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address that opens a game here.
    pub fn game(&self, address: &str) -> Result<String, InputError> {
        self.inside(address, DEPTH)
    }

    /// The address that builds an agent here.
    pub fn agent(&self, address: &str) -> Result<String, InputError> {
        self.inside(address, DEPTH)
    }

    /// A text for showing: paths of uploads become what the API calls them.
    pub fn shown(&self, text: &str) -> String {
        let mut folder = self.folder.display().to_string();
        folder.push(std::path::MAIN_SEPARATOR);
        text.replace(&folder, UPLOAD)
    }

    /// The names of the uploads that an address of the API names.
    pub fn uploads_in(address: &str) -> Vec<String> {
        let Ok(address) = address.parse::<Address>() else { return Vec::new() };
        let values = address.arguments.iter().filter_map(|(_, value)| value.strip_prefix(UPLOAD));
        values.map(str::to_owned).collect()
    }

    fn inside(&self, address: &str, depth: usize) -> Result<String, InputError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(InputError::new("addresses stand inside each other too deep"));
        };
        let mut address: Address = address.parse()?;
        if address.name == PROGRAM && self.limits.programs {
            // Its command names files of this machine: that is what was allowed.
            return Ok(address.to_string());
        }
        if NOT_SEATED.contains(&address.name.as_str()) {
            return Err(InputError::new(format!("the lab does not seat `{}`", address.name))
                .with_help("it starts programs only when it was started with `tesuji lab --programs`"));
        }
        let parameters = parameters_of(&address.name);
        for (place, (key, value)) in address.arguments.iter_mut().enumerate() {
            let parameter = match key {
                Some(key) => parameters.iter().find(|parameter| parameter.name == key),
                None => parameters.get(place),
            };
            if let Some(name) = value.strip_prefix(UPLOAD) {
                *value = self.upload(name)?.display().to_string();
            } else if let Some(parameter) = parameter.filter(|parameter| parameter.ending.is_some()) {
                bundled(parameter, value)?;
            } else if value.contains('(') {
                *value = self.inside(value, depth)?;
            } else if looks_like_a_file(value) {
                return Err(refused(value));
            }
            let named = |name: &str| parameter.is_some_and(|parameter| parameter.name == name);
            if address.name == "gdl" && named("memory") {
                at_most("memory", value, self.limits.sheet_megabytes)?;
            }
            if address.name == "gdl" && named("work") {
                at_most("work", value, self.limits.sheet_work)?;
            }
        }
        Ok(address.to_string())
    }

    /// The path of an upload.
    pub fn upload(&self, name: &str) -> Result<PathBuf, InputError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(InputError::new(format!("`{UPLOAD}{name}` is not the name of an upload")));
        }
        let path = self.folder.join(name);
        if !path.is_file() {
            return Err(InputError::new(format!("there is no upload `{UPLOAD}{name}`"))
                .with_help("`POST /api/uploads` answers the name to use"));
        }
        Ok(path)
    }
}

/// The parameters of a game or an agent; none if there is no such thing, which shows when it is opened.
fn parameters_of(name: &str) -> Vec<ParameterInfo> {
    let game = game_infos().into_iter().find(|info| info.name == name).map(|info| info.parameters);
    let agent = || agent_infos().into_iter().find(|info| info.name == name).map(|info| info.parameters);
    game.or_else(agent).unwrap_or_default()
}

fn bundled(parameter: &ParameterInfo, value: &str) -> Result<(), InputError> {
    if parameter.bundled.contains(&value) || parameter.default.as_deref() == Some(value) {
        return Ok(());
    }
    if looks_like_a_file(value) {
        return Err(refused(value));
    }
    Err(InputError::new(format!("`{value}` does not come with the program")).with_help(format!(
        "`{}` is one of {}",
        parameter.name,
        parameter.bundled.join(", ")
    )))
}

/// A slash, or a dot before anything but a digit: what no number, time or name has.
fn looks_like_a_file(value: &str) -> bool {
    let dotted = |place: usize| !value[place + 1..].starts_with(|c: char| c.is_ascii_digit());
    value.contains(['/', '\\']) || value.match_indices('.').any(|(place, _)| dotted(place))
}

fn refused(value: &str) -> InputError {
    InputError::new(format!("`{value}` names a file of this machine, which the lab does not open"))
        .with_help("upload it: `POST /api/uploads` answers the name to use")
}

fn at_most(name: &str, value: &str, most: u64) -> Result<(), InputError> {
    match value.replace('_', "").parse::<u64>() {
        Ok(number) if number > most => Err(InputError::new(format!("`{name}={value}`: the lab gives at most {most}"))),
        // What is no number is told when the game is opened.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(folder: &Path) -> Addresses {
        Addresses::new(folder.to_owned(), Limits::default())
    }

    #[test]
    fn bundled_data_and_uploads_open_and_files_do_not() {
        let folder = std::env::temp_dir().join(format!("tesuji-{}", crate::secret::new_id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("m-1.tbsmap"), "").unwrap();
        let addresses = addresses(&folder);
        for plain in
            ["tubstap", "tubstap(map=six-arms,rules=paper)", "gdl(tron-6x6)", "uct(c=0.5)", "tubstap-random(hp=6-10)"]
        {
            assert_eq!(addresses.game(plain).unwrap(), plain.to_owned());
        }
        let inside = addresses.game("tubstap(map=upload:m-1.tbsmap)").unwrap();
        assert!(inside.contains(&folder.display().to_string()), "{inside}");
        assert_eq!(addresses.shown(&inside).replace('"', ""), "tubstap(map=upload:m-1.tbsmap)");
        assert_eq!(Addresses::uploads_in("tubstap(map=upload:m-1.tbsmap)"), ["m-1.tbsmap"]);
        for (address, complaint) in [
            ("tubstap(map=/etc/passwd)", "does not open"),
            ("tubstap(/etc/passwd)", "does not open"),
            ("tubstap(map=./x.tbsmap)", "does not open"),
            ("gdl(sheet=Cargo)", "does not come with the program"),
            ("gdl(Cargo.toml)", "does not open"),
            ("tree(..)", "does not open"),
            ("tubstap(map=upload:../lab.db)", "not the name of an upload"),
            ("tubstap(map=upload:none.tbsmap)", "there is no upload"),
            ("gdl(tic-tac-toe,memory=100000)", "at most 1600"),
            ("nominate(first=uct(x=/etc/passwd))", "does not open"),
            ("process(cmd=sh)", "does not seat"),
            ("nominate(first=\"process(cmd=sh)\",second=mc)", "does not seat"),
            ("a(a(a(a(a(a(a(a(a(1)))))))))", "too deep"),
        ] {
            let error = addresses.game(address).unwrap_err().to_string();
            assert!(error.contains(complaint), "{address}: {error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn programs_are_started_only_where_that_was_allowed() {
        let limits = Limits { programs: true, ..Limits::default() };
        let allowing = Addresses::new(std::env::temp_dir(), limits);
        let player = "process(cmd=\"python3 ./examples/engine.py\")";
        let read = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(read(&allowing.agent(player).unwrap()), read(player));
        assert!(allowing.agent("outside(peer=x)").unwrap_err().to_string().contains("does not seat"));
    }
}
