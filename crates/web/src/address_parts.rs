//! Addresses in the JSON of the API: as text, or as a name with arguments.
//!
//! The grammar of addresses exists once, in [`Address`]. Clients that show a form for parameters send and receive
//! [`AddressParts`], so that they need not read or write the text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_arena::{Address, InputError, ParameterInfo};
use utoipa::ToSchema;

/// A name and the arguments that differ from their defaults.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddressParts {
    /// The name of a game or an agent.
    pub name: String,
    /// Its arguments by parameter.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// An address in a request.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AddressRequest {
    /// Text such as `uct(c=0.3)`.
    Text(String),
    /// A name and arguments.
    Parts(AddressParts),
}

impl AddressRequest {
    /// The address as text. `parameters` returns the parameters of a name, or the error that nothing has this name.
    pub(crate) fn text<'a>(
        &self,
        parameters: impl FnOnce(&str) -> Result<&'a [ParameterInfo], InputError>,
    ) -> Result<String, InputError> {
        match self {
            AddressRequest::Text(text) => Ok(text.clone()),
            AddressRequest::Parts(parts) => parts.text(parameters(&parts.name)?),
        }
    }
}

impl AddressParts {
    /// The parts of an address. Arguments without a key get the key of their position; those equal to their default are
    /// left out.
    pub(crate) fn of(address: &str, parameters: &[ParameterInfo]) -> Result<AddressParts, InputError> {
        let address: Address = address.parse()?;
        let mut positions = parameters.iter();
        let mut arguments = BTreeMap::new();
        for (key, value) in address.arguments {
            let found = match &key {
                Some(key) => parameters.iter().find(|parameter| parameter.name == key),
                None => positions.next(),
            };
            let Some(parameter) = found else {
                return Err(unknown(&address.name, key.as_deref().unwrap_or(&value), parameters));
            };
            if parameter.default.as_ref() != Some(&value) {
                arguments.insert(parameter.name.to_owned(), value);
            }
        }
        Ok(AddressParts { name: address.name, arguments })
    }

    /// The shortest address with these parts, its arguments in the order of the parameters.
    pub(crate) fn text(&self, parameters: &[ParameterInfo]) -> Result<String, InputError> {
        if let Some(key) = self.arguments.keys().find(|key| parameters.iter().all(|parameter| parameter.name != **key))
        {
            return Err(unknown(&self.name, key, parameters));
        }
        let mut arguments = Vec::new();
        for parameter in parameters {
            let Some(value) = self.arguments.get(parameter.name).map(|value| value.trim()) else { continue };
            if value.contains('"') {
                return Err(InputError::new(format!("`{}`: a value cannot contain `\"`", parameter.name)));
            }
            if !value.is_empty() && parameter.default.as_deref() != Some(value) {
                arguments.push((Some(parameter.name.to_owned()), value.to_owned()));
            }
        }
        Ok(Address { name: self.name.clone(), arguments }.to_string())
    }
}

fn unknown(name: &str, key: &str, parameters: &[ParameterInfo]) -> InputError {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let takes = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
    InputError::new(format!("`{name}` has no parameter for `{key}`")).with_help(format!("`{name}` takes {takes}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_becomes_parts_and_text_again() {
        let catalogue = tesuji_standard::catalogue();
        for info in catalogue.games() {
            for example in info.examples {
                let parts = AddressParts::of(example, &info.parameters).unwrap();
                let text = parts.text(&info.parameters).unwrap();
                assert_eq!(AddressParts::of(&text, &info.parameters).unwrap(), parts, "{example}: {text}");
            }
        }
    }

    #[test]
    fn positions_get_keys_defaults_are_left_out_and_values_are_quoted() {
        let catalogue = tesuji_standard::catalogue();
        let parameters = &catalogue.game("connect-four").unwrap().parameters;
        let parts = AddressParts::of("connect-four(5, columns=7)", parameters).unwrap();
        assert_eq!(parts.arguments, BTreeMap::from([("rows".to_owned(), "5".to_owned())]));
        assert_eq!(parts.text(parameters).unwrap(), "connect-four(rows=5)");
        let agents = &catalogue.agent("nominate").unwrap().parameters;
        let nested = BTreeMap::from([("nominators".to_owned(), "mc(playouts=5) + uct".to_owned())]);
        let parts = AddressParts { name: "nominate".to_owned(), arguments: nested };
        let text = parts.text(agents).unwrap();
        assert_eq!(AddressParts::of(&text, agents).unwrap(), parts, "{text}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let catalogue = tesuji_standard::catalogue();
        let parameters = &catalogue.game("pig").unwrap().parameters;
        let parts = |key: &str, value: &str| AddressParts {
            name: "pig".to_owned(),
            arguments: BTreeMap::from([(key.to_owned(), value.to_owned())]),
        };
        assert!(parts("rows", "5").text(parameters).unwrap_err().to_string().contains("no parameter for `rows`"));
        let first = parameters[0].name;
        assert!(parts(first, "5\",x=\"").text(parameters).unwrap_err().to_string().contains("cannot contain"));
        assert!(AddressParts::of("pig(1,2,3,4,5,6)", parameters).is_err());
    }
}
