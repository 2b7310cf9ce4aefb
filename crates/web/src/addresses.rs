//! Checks addresses in requests: they can name bundled data and uploads, but no file or program of the machine.
//!
//! In the API an uploaded file is `upload:NAME`. Inside the lab that is a path in its folder. The path never appears in
//! an answer.

use std::path::{Path, PathBuf};

use tesuji_arena::{Address, Budget, Catalogue, InputError, Names, ParameterInfo, Trust, looks_like_a_path};

use crate::address_parts::{AddressParts, AddressRequest};
use crate::limits::Limits;

/// The prefix of the name of an upload.
pub(crate) const UPLOAD: &str = "upload:";

/// How deep addresses can be nested.
const DEPTH: usize = 8;

/// Turns addresses of the API into those that open things here, and back.
pub(crate) struct Addresses {
    catalogue: Catalogue,
    folder: PathBuf,
    limits: Limits,
}

impl Addresses {
    /// Addresses of this catalogue; uploads lie in `folder`.
    pub(crate) fn new(catalogue: Catalogue, folder: PathBuf, limits: Limits) -> Addresses {
        Addresses { catalogue, folder, limits }
    }

    /// Where uploads lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Does the lab allow agents with this declaration? Programs only if `Limits::programs` is set.
    pub(crate) fn seats(&self, trust: Trust) -> bool {
        match trust {
            Trust::Contained => true,
            Trust::StartsPrograms | Trust::Network => self.limits.programs,
            Trust::Outside => false,
        }
    }

    /// The text of a game's address in a request.
    pub(crate) fn game_text(&self, request: &AddressRequest) -> Result<String, InputError> {
        request.text(|name| Ok(self.catalogue.game(name)?.parameters.as_slice()))
    }

    /// The text of an agent's address in a request.
    pub(crate) fn agent_text(&self, request: &AddressRequest) -> Result<String, InputError> {
        request.text(|name| Ok(self.catalogue.agent(name)?.parameters.as_slice()))
    }

    /// A game's address as a name and arguments.
    pub(crate) fn game_parts(&self, address: &str) -> Result<AddressParts, InputError> {
        let name = address.parse::<Address>()?.name;
        AddressParts::of(address, &self.catalogue.game(&name)?.parameters)
    }

    /// The address that opens a game here.
    pub(crate) fn game(&self, address: &str) -> Result<String, InputError> {
        let mut address: Address = address.parse()?;
        let parameters = &self.catalogue.game(&address.name)?.parameters;
        self.check_arguments(&mut address, parameters, DEPTH)?;
        if address.name == "gdl" {
            self.bound_sheet(&mut address, parameters)?;
        }
        Ok(address.to_string())
    }

    /// The address that builds an agent here.
    pub(crate) fn agent(&self, address: &str) -> Result<String, InputError> {
        self.agent_inside(address, DEPTH)
    }

    fn agent_inside(&self, address: &str, depth: usize) -> Result<String, InputError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(InputError::new("the addresses are nested too deep"));
        };
        let mut address: Address = address.parse()?;
        let info = self.catalogue.agent(&address.name)?;
        if !self.seats(info.trust) {
            return Err(InputError::new(format!("the lab does not seat `{}`", address.name)).with_help(
                "it starts programs and asks servers only when it was started with `tesuji lab --programs`",
            ));
        }
        self.check_arguments(&mut address, &info.parameters, depth)?;
        Ok(address.to_string())
    }

    /// Refuses arguments that reach files or programs, and replaces uploads by their paths.
    fn check_arguments(
        &self,
        address: &mut Address,
        parameters: &[ParameterInfo],
        depth: usize,
    ) -> Result<(), InputError> {
        let Address { name, arguments } = address;
        let mut positions = parameters.iter();
        for (key, value) in arguments {
            let parameter = match key {
                Some(key) => parameters.iter().find(|parameter| parameter.name == key),
                None => positions.next(),
            };
            let Some(parameter) = parameter else {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let key = key.as_deref().unwrap_or(value);
                return Err(InputError::new(format!("`{name}` has no parameter for `{key}`"))
                    .with_help(format!("`{name}` takes {}", names.join(", "))));
            };
            // Agents name their own budgets by these parameters.
            if ["playouts", "nodes", "time"].contains(&parameter.name) {
                check_budget(&format!("{}={value}", parameter.name), &self.limits)?;
            }
            let upload = value.strip_prefix(UPLOAD).map(str::to_owned);
            match (parameter.names, upload) {
                (Names::Value, _) => {}
                (Names::Data(_) | Names::File, Some(upload)) => *value = self.upload(&upload)?.display().to_string(),
                (Names::Data(_), None) => bundled(parameter, value)?,
                (Names::File, None) if looks_like_a_path(value) => return Err(refused(value)),
                (Names::File, None) => {}
                (Names::Program, _) if self.limits.programs => {}
                (Names::Program, _) => {
                    return Err(InputError::new(format!("the lab does not start `{value}`"))
                        .with_help("it starts programs only when it was started with `tesuji lab --programs`"));
                }
                (Names::Agents, _) => {
                    let parts = value.split('+').map(|part| self.agent_inside(part.trim(), depth));
                    *value = parts.collect::<Result<Vec<_>, _>>()?.join(" + ");
                }
            }
        }
        Ok(())
    }

    /// Checks the limits of grounding a rule sheet against those of the lab.
    fn bound_sheet(&self, address: &mut Address, parameters: &[ParameterInfo]) -> Result<(), InputError> {
        let folder = self.folder.display().to_string();
        let uploaded = address.arguments.iter().any(|(_, value)| value.starts_with(&folder));
        let (most_memory, most_work) = match uploaded {
            true => (self.limits.upload_megabytes, self.limits.upload_work),
            false => (self.limits.sheet_megabytes, self.limits.sheet_work),
        };
        let (mut memory, mut work) = (false, false);
        let mut positions = parameters.iter().map(|parameter| parameter.name);
        for (key, value) in &address.arguments {
            match key.as_deref().or_else(|| positions.next()) {
                Some("memory") => (memory, _) = (true, at_most("memory", value, most_memory)?),
                Some("work") => (work, _) = (true, at_most("work", value, most_work)?),
                _ => {}
            }
        }
        // Uploads have limits of their own, below the catalogue's defaults.
        for (key, given, most) in [("memory", memory, most_memory), ("work", work, most_work)] {
            if uploaded && !given {
                address.arguments.push((Some(key.to_owned()), most.to_string()));
            }
        }
        Ok(())
    }

    /// A text for showing: paths of uploads become what the API calls them.
    pub(crate) fn shown(&self, text: &str) -> String {
        let mut folder = self.folder.display().to_string();
        folder.push(std::path::MAIN_SEPARATOR);
        text.replace(&folder, UPLOAD)
    }

    /// The names of the uploads that an address of the API names.
    pub(crate) fn uploads_in(address: &str) -> Vec<String> {
        let Ok(address) = address.parse::<Address>() else { return Vec::new() };
        let values = address.arguments.iter().filter_map(|(_, value)| value.strip_prefix(UPLOAD));
        values.map(str::to_owned).collect()
    }

    /// The path of an upload.
    pub(crate) fn upload(&self, name: &str) -> Result<PathBuf, InputError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(InputError::new(format!("`{UPLOAD}{name}` is not the name of an upload")));
        }
        let path = self.folder.join(name);
        if !path.is_file() {
            return Err(InputError::new(format!("there is no upload `{UPLOAD}{name}`"))
                .with_help("`POST /api/uploads` returns the name to use"));
        }
        Ok(path)
    }
}

fn bundled(parameter: &ParameterInfo, value: &str) -> Result<(), InputError> {
    if parameter.bundled.contains(&value) || parameter.default.as_deref() == Some(value) {
        return Ok(());
    }
    if looks_like_a_path(value) {
        return Err(refused(value));
    }
    Err(InputError::new(format!("`{value}` does not come with the program")).with_help(format!(
        "`{}` is one of {}",
        parameter.name,
        parameter.bundled.join(", ")
    )))
}

fn refused(value: &str) -> InputError {
    InputError::new(format!("`{value}` names a file of this machine, which the lab does not open"))
        .with_help("upload it: `POST /api/uploads` returns the name to use")
}

/// Refuses a budget beyond the limits. A text that is not a budget is refused when the agent is built.
pub(crate) fn check_budget(budget: &str, limits: &Limits) -> Result<(), InputError> {
    let Ok(parsed) = budget.parse::<Budget>() else { return Ok(()) };
    let too_much = parsed.playouts.is_some_and(|playouts| playouts > limits.playouts)
        || parsed.nodes.is_some_and(|nodes| nodes > limits.nodes)
        || parsed.time.is_some_and(|time| time.as_secs_f64() > limits.seconds);
    if !too_much {
        return Ok(());
    }
    Err(InputError::new(format!("the budget `{budget}` is beyond the limits of this lab")).with_help(format!(
        "a decision has at most {} playouts, {} nodes and {} seconds",
        limits.playouts, limits.nodes, limits.seconds
    )))
}

fn at_most(name: &str, value: &str, most: u64) -> Result<(), InputError> {
    match value.replace('_', "").parse::<u64>() {
        Ok(number) if number > most => Err(InputError::new(format!("`{name}={value}`: the lab allows at most {most}"))),
        // A text that is not a number is refused when the game is opened.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(folder: &Path) -> Addresses {
        Addresses::new(tesuji_standard::catalogue(), folder.to_owned(), Limits::default())
    }

    #[test]
    fn bundled_data_and_uploads_open_and_files_do_not() {
        let folder = std::env::temp_dir().join(format!("tesuji-{}", crate::secret::new_id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("m-1.tbsmap"), "").unwrap();
        let addresses = addresses(&folder);
        for plain in
            ["tubstap", "tubstap(map=six-arms,rules=paper)", "gdl(tron-6x6)", "pig(50)", "tubstap-random(hp=6-10)"]
        {
            assert_eq!(addresses.game(plain).unwrap(), plain.to_owned());
        }
        assert_eq!(addresses.agent("uct(c=0.5)").unwrap(), "uct(c=0.5)");
        std::fs::write(folder.join("s-1.kif"), "").unwrap();
        let sheet = addresses.game("gdl(upload:s-1.kif)").unwrap();
        assert!(sheet.contains("memory=400") && sheet.contains("work=200"), "{sheet}");
        assert!(addresses.game("gdl(upload:s-1.kif,work=201)").unwrap_err().to_string().contains("at most 200"));
        let inside = addresses.game("tubstap(map=upload:m-1.tbsmap)").unwrap();
        assert!(inside.contains(&folder.display().to_string()), "{inside}");
        assert_eq!(addresses.shown(&inside).replace('"', ""), "tubstap(map=upload:m-1.tbsmap)");
        assert_eq!(Addresses::uploads_in("tubstap(map=upload:m-1.tbsmap)"), ["m-1.tbsmap"]);
        for (address, complaint) in [
            ("tubstap(map=/etc/passwd)", "does not open"),
            ("tubstap(/etc/passwd)", "does not open"),
            ("tubstap(rules=paper,/etc/passwd)", "does not open"),
            ("tubstap(map=./x.tbsmap)", "does not open"),
            ("gdl(sheet=Cargo)", "does not come with the program"),
            ("gdl(Cargo.toml)", "does not open"),
            ("tree(..)", "does not open"),
            ("tubstap(map=upload:../lab.db)", "not the name of an upload"),
            ("tubstap(map=upload:none.tbsmap)", "there is no upload"),
            ("gdl(tic-tac-toe,memory=100000)", "at most 1600"),
            ("tic-tac-toe(x=/etc/passwd)", "has no parameter"),
            ("uct", "there is no game"),
        ] {
            let error = addresses.game(address).unwrap_err().to_string();
            assert!(error.contains(complaint), "{address}: {error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn agents_that_reach_files_and_programs_are_refused() {
        let addresses = addresses(&std::env::temp_dir());
        let mut nested = "mc".to_owned();
        for _ in 0..DEPTH {
            nested = format!("nominate(nominators=\"{}\")", nested.replace('"', ""));
        }
        for (address, complaint) in [
            ("uct(fuzzy=/etc/passwd)", "does not open"),
            ("uct(fuzzy=notes.1)", "does not open"),
            ("uct(x=/etc/passwd)", "has no parameter"),
            ("nominate(nominators=mc + uct(fuzzy=notes.1))", "does not open"),
            ("process(cmd=sh)", "does not seat"),
            ("nominate(nominators=\"mc + process(cmd=sh)\")", "does not seat"),
            ("llm(model=x)", "does not seat"),
            ("outside(peer=x)", "does not seat"),
            ("uct(playouts=100000000000)", "beyond the limits"),
            ("uct(time=1000min)", "beyond the limits"),
            ("nominate(nominators=mc + uct(nodes=100_000_000_000))", "beyond the limits"),
            (nested.as_str(), "too deep"),
        ] {
            let error = addresses.agent(address).unwrap_err().to_string();
            assert!(error.contains(complaint), "{address}: {error}");
        }
        assert!(addresses.agent("uct(fuzzy=stand-in-440)").is_ok());
        assert_eq!(addresses.agent("nominate(nominators=mc+random)").unwrap(), "nominate(nominators=\"mc + random\")");
    }

    #[test]
    fn every_example_of_the_catalogue_opens_through_the_lab() {
        let addresses = addresses(&std::env::temp_dir());
        let catalogue = tesuji_standard::catalogue();
        for example in catalogue.games().iter().flat_map(|info| info.examples) {
            let inside = addresses.game(example).unwrap_or_else(|error| panic!("{example}: {error}"));
            assert_eq!(inside.parse::<Address>().unwrap(), example.parse().unwrap());
        }
    }

    #[test]
    fn programs_are_started_only_where_that_was_allowed() {
        let limits = Limits { programs: true, ..Limits::default() };
        let allowing = Addresses::new(tesuji_standard::catalogue(), std::env::temp_dir(), limits);
        let player = "process(cmd=\"python3 ./examples/engine.py\")";
        let read = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(read(&allowing.agent(player).unwrap()), read(player));
        assert!(allowing.agent("outside(peer=x)").unwrap_err().to_string().contains("does not seat"));
    }
}
