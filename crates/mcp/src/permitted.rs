//! What clients may name: games and agents that stay inside this program.

use tesuji_arena::{Address, InputError, Names, ParameterInfo, Trust, looks_like_a_path};

use crate::McpOptions;

/// How deep addresses can be nested.
const DEPTH: usize = 4;

/// Refuses a game that reads files, unless that is allowed.
pub(crate) fn game(options: &McpOptions, address: &str) -> Result<(), InputError> {
    let address: Address = address.parse()?;
    arguments(options, &address, &options.catalogue.game(&address.name)?.parameters, DEPTH)
}

/// Refuses an agent that starts programs or opens connections, and one that reads files unless that is allowed.
pub(crate) fn agent(options: &McpOptions, address: &str) -> Result<(), InputError> {
    agent_inside(options, address, DEPTH)
}

fn agent_inside(options: &McpOptions, address: &str, depth: usize) -> Result<(), InputError> {
    let depth = depth.checked_sub(1).ok_or_else(|| InputError::new("the addresses are nested too deep"))?;
    let address: Address = address.parse()?;
    let info = options.catalogue.agent(&address.name)?;
    if info.trust != Trust::Contained {
        return Err(InputError::new(format!("this server does not seat `{}`", address.name))
            .with_help("it seats agents that neither start programs nor open connections"));
    }
    arguments(options, &address, &info.parameters, depth)
}

fn arguments(
    options: &McpOptions,
    address: &Address,
    parameters: &[ParameterInfo],
    depth: usize,
) -> Result<(), InputError> {
    let mut positions = parameters.iter();
    for (key, value) in &address.arguments {
        let parameter = match key {
            Some(key) => parameters.iter().find(|parameter| parameter.name == key),
            None => positions.next(),
        };
        // What is not a parameter at all is refused when the address is opened.
        match parameter.map(|parameter| parameter.names) {
            Some(Names::Data(_) | Names::File) if !options.files && looks_like_a_path(value) => {
                return Err(InputError::new(format!("`{value}` names a file of this machine"))
                    .with_help("the server opens files only when it was started with `--files`"));
            }
            Some(Names::Program) => {
                return Err(InputError::new(format!("this server does not start `{value}`")));
            }
            Some(Names::Agents) => {
                value.split('+').try_for_each(|part| agent_inside(options, part.trim(), depth))?;
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_reach_no_file_and_no_program() {
        let closed = McpOptions {
            catalogue: tesuji_standard::catalogue(),
            withhold_legal: false,
            analysis: true,
            files: false,
            seconds: 1.0,
        };
        let open = McpOptions { files: true, ..closed.clone() };
        for plain in ["tic-tac-toe", "gdl(tron-6x6)", "tubstap(map=six-arms)"] {
            assert!(game(&closed, plain).is_ok(), "{plain}");
        }
        for file in ["gdl(./x.kif)", "gdl(sheet=/etc/passwd)", "tubstap(map=../x.tbsmap)", "tree(../t)"] {
            assert!(game(&closed, file).unwrap_err().to_string().contains("names a file"), "{file}");
            assert!(game(&open, file).is_ok(), "{file}");
        }
        for outside in
            ["process(cmd=sh)", "outside(peer=x)", "llm(model=x)", "nominate(nominators=\"mc + process(cmd=sh)\")"]
        {
            assert!(agent(&open, outside).unwrap_err().to_string().contains("does not seat"), "{outside}");
        }
        assert!(agent(&closed, "uct(fuzzy=/etc/passwd)").is_err());
        assert!(agent(&closed, "uct(playouts=100)").is_ok());
    }
}
