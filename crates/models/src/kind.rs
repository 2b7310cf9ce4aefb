//! The kind `llm`.

use tesuji_core::laws::Complete;
use tesuji_core::{Arguments, Features, InputError, Parameter};
use tesuji_play::{Agent, AgentKind, Trust, parse_time};

use crate::agent::LlmAgent;
use crate::endpoint::{Endpoint, EndpointPlan};
use crate::{Conversation, Settings};

/// The environment variable that keys are read from unless told otherwise.
const KEY: &str = "TESUJI_LLM_KEY";

/// The kind `llm`.
pub struct LlmKind;

impl AgentKind for LlmKind {
    const NAME: &'static str = "llm";
    const SUMMARY: &'static str =
        "A language model behind an OpenAI-compatible chat endpoint; answers are read strictly";
    const HANDLES: Features = Features::OPEN;
    const TRUST: Trust = Trust::Network;
    const SEARCHES: bool = false;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("model", "the name of the model at its endpoint"),
        Parameter::new("url", "http://127.0.0.1:8080/v1", "the endpoint: `/chat/completions` is added"),
        Parameter::new("remote", "false", "whether the endpoint may be on another machine: true or false"),
        Parameter::new("key", KEY, "the environment variable that has the key, if the endpoint wants one"),
        Parameter::new(
            "certificate",
            "",
            "for https: a file with the certificate to trust (PEM); nothing for the usual ones",
        )
        .file(),
        Parameter::new("legal", "true", "whether prompts list the legal actions: true or false"),
        Parameter::new("history", "all", "how many earlier steps prompts list: all, or a number"),
        Parameter::new("scramble", "", "a seed by which names of pieces and moves are scrambled; nothing for none"),
        Parameter::new("retries", "2", "how often it is asked again after an answer that is not a move: 0 to 20"),
        Parameter::new("temperature", "", "the temperature, 0 to 2; nothing for the endpoint's own"),
        Parameter::new("tokens", "1024", "the longest answer, in tokens"),
        Parameter::new("patience", "120s", "how long it may take to answer one request"),
    ];

    fn build<G: Complete>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let (settings, endpoint) = read(arguments)?;
        Ok(Box::new(LlmAgent::new(Conversation::new(settings), endpoint)))
    }
}

fn read(arguments: &Arguments) -> Result<(Settings, Endpoint), InputError> {
    let history = arguments.text("history").parse();
    let scramble = match arguments.text("scramble") {
        "" => None,
        _ => Some(arguments.integer("scramble", 0..=u64::MAX)?),
    };
    let temperature = match arguments.text("temperature") {
        "" => None,
        _ => Some(arguments.number("temperature", 0.0..=2.0)?),
    };
    let settings = Settings {
        model: arguments.text("model").to_owned(),
        url: arguments.text("url").to_owned(),
        legal: arguments.flag("legal")?,
        history: history.map_err(|expected| arguments.wrong("history", expected))?,
        scramble,
        retries: arguments.integer("retries", 0..=20)? as u32,
    };
    let variable = arguments.text("key");
    let key = std::env::var(variable).ok().filter(|key| !key.is_empty());
    if key.is_none() && variable != KEY {
        return Err(InputError::new(format!("the environment variable `{variable}` is not set"))
            .with_help("keys are read from the environment only; `key` names the variable, not the key"));
    }
    let certificate = match arguments.text("certificate") {
        "" => None,
        _ => Some(arguments.file("certificate")?),
    };
    let endpoint = Endpoint::new(EndpointPlan {
        url: settings.url.clone(),
        model: settings.model.clone(),
        remote: arguments.flag("remote")?,
        key,
        certificate,
        temperature,
        tokens: arguments.integer("tokens", 1..=1_000_000)?,
        patience: parse_time(arguments.text("patience"))
            .ok_or_else(|| arguments.wrong("patience", "a time such as 30s or 2min"))?,
    })?;
    Ok((settings, endpoint))
}
