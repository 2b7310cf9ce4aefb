//! An OpenAI-compatible chat endpoint: one request for each answer.

use std::net::IpAddr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use tesuji_core::{InputError, Source, cancel};
use ureq::http::Uri;

use crate::conversation::{Asked, Asker, Message, Trouble};

/// The largest response that is read. An answer of the longest length that counts fits many times.
const MOST_BYTES: u64 = 1 << 20;
/// How often a wait looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long an endpoint that is too busy is left alone; doubled each time.
const BUSY: Duration = Duration::from_millis(500);

/// A chat endpoint of a user's own.
#[derive(Clone)]
pub(crate) struct Endpoint {
    agent: ureq::Agent,
    url: String,
    model: String,
    key: Option<String>,
    temperature: Option<f64>,
    tokens: u64,
    patience: Duration,
    /// When the time of the current decision is over.
    deadline: Option<Instant>,
    /// How often in a row the endpoint was too busy.
    busy: u32,
}

/// What an endpoint is made of.
pub(crate) struct EndpointPlan {
    pub url: String,
    pub model: String,
    /// Whether it may be on another machine.
    pub remote: bool,
    /// The key, from the environment.
    pub key: Option<String>,
    /// The only certificate that an endpoint with encryption may have or be signed by; `None` for the usual
    /// authorities.
    pub certificate: Option<Source>,
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub tokens: u64,
    /// The longest wait for an answer.
    pub patience: Duration,
}

impl Endpoint {
    /// Refuses addresses that are none, other machines unless they are allowed, and keys that would be sent openly.
    pub(crate) fn new(plan: EndpointPlan) -> Result<Endpoint, InputError> {
        let EndpointPlan { url, model, remote, key, certificate, temperature, tokens, patience } = plan;
        let wrong = |what: String| InputError::new(what).with_help("such as `url=http://127.0.0.1:8080/v1`");
        let uri: Uri = url.parse().map_err(|error| wrong(format!("`{url}` is not an address: {error}")))?;
        let (Some(scheme), Some(host), Some(authority)) = (uri.scheme_str(), uri.host(), uri.authority()) else {
            return Err(wrong(format!("`{url}` is not the address of an endpoint")));
        };
        if authority.as_str().contains('@') {
            return Err(InputError::new("the address of an endpoint has no name and password")
                .with_help("the key is read from an environment variable, whose name `key=` gives"));
        }
        let local = is_loopback(host);
        if !local && !remote {
            return Err(InputError::new(format!("`{host}` is another machine"))
                .with_help("`remote=true` allows it: rules, positions and moves are sent there"));
        }
        match scheme {
            "http" if local || key.is_none() => {}
            "http" => {
                return Err(InputError::new(format!("the key would be sent to `{host}` without encryption"))
                    .with_help("use an address with `https`"));
            }
            "https" if cfg!(feature = "https") => {}
            "https" => {
                return Err(InputError::new("this program was built without encryption")
                    .with_help("build it with `cargo build --release --features https`"));
            }
            other => return Err(wrong(format!("`{other}` is not http or https"))),
        }
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // A redirection could lead to another machine.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(patience))
            .user_agent(concat!("tesuji/", env!("CARGO_PKG_VERSION")));
        let config = if local { config.proxy(None) } else { config };
        let config = match certificate {
            Some(file) => trusting(config, &file)?,
            None => config,
        };
        let url = format!("{}/chat/completions", url.trim_end_matches('/'));
        let agent = config.build().new_agent();
        Ok(Endpoint { agent, url, model, key, temperature, tokens, patience, deadline: None, busy: 0 })
    }

    /// A decision begins: its answers must be there within this time.
    pub(crate) fn start(&mut self, time: Option<Duration>) {
        self.deadline = time.map(|time| Instant::now() + time);
        self.busy = 0;
    }

    /// One request, on the calling thread.
    fn request(&self, body: &serde_json::Value, timeout: Duration) -> Result<Completion, Trouble> {
        let mut request = self.agent.post(&self.url).config().timeout_global(Some(timeout)).build();
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = request.send_json(body).map_err(|error| self.trouble(&error, timeout))?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(MOST_BYTES).read_to_string();
        let text = text.map_err(|error| self.trouble(&error, timeout))?;
        if status != 200 {
            return Err(Trouble::new(format!("status {status}: {}", self.shown(&text))));
        }
        let told: Told = serde_json::from_str(&text)
            .map_err(|_| Trouble::new(format!("no chat completion: {}", self.shown(&text))))?;
        let choice = told.choices.into_iter().next().ok_or_else(|| Trouble::new("a completion without choices"))?;
        let usage = told.usage.unwrap_or_default();
        Ok(Completion {
            answer: self.without_key(&choice.message.content.unwrap_or_default()),
            input_tokens: usage.prompt_tokens,
            output_tokens: usage.completion_tokens,
            finish: choice.finish_reason,
        })
    }

    fn trouble(&self, error: &ureq::Error, timeout: Duration) -> Trouble {
        Trouble::new(match error {
            ureq::Error::Timeout(_) => format!("no answer within {timeout:?}"),
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                format!("nothing answers at {} (connection refused)", self.url)
            }
            ureq::Error::BodyExceedsLimit(_) => format!("more than {MOST_BYTES} bytes"),
            error => self.shown(&error.to_string()),
        })
    }

    /// The beginning of a text of the endpoint, harmless to print.
    fn shown(&self, text: &str) -> String {
        self.without_key(text).chars().take(200).flat_map(char::escape_debug).collect()
    }

    /// A text of the endpoint without the key, should it be there: texts are stored.
    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(key, "[key]"),
            None => text.to_owned(),
        }
    }

    /// Leaves an endpoint alone that is too busy, before it is asked again.
    fn wait(&mut self) {
        let until = Instant::now() + BUSY * 2u32.pow(self.busy.min(6));
        let until = self.deadline.map_or(until, |deadline| until.min(deadline));
        self.busy += 1;
        while Instant::now() < until && !cancel::requested() {
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Asker for Endpoint {
    fn ask(&mut self, messages: &[Message<'_>]) -> Asked {
        let begun = Instant::now();
        let late = || Trouble::last("the time for the decision is over");
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(begun));
        if left.is_some_and(|left| left.is_zero()) {
            return Asked::failed(late(), 0.0);
        }
        let timeout = left.unwrap_or(self.patience).min(self.patience);
        let mut body = json!({"model": self.model, "messages": messages, "max_tokens": self.tokens, "stream": false});
        if let Some(temperature) = self.temperature {
            body["temperature"] = json!(temperature);
        }
        // The request has a thread of its own, because the wait for it may be cancelled.
        let (send, receive) = mpsc::channel();
        let endpoint = self.clone();
        std::thread::spawn(move || drop(send.send(endpoint.request(&body, timeout))));
        let completion = loop {
            match receive.recv_timeout(LOOK_EVERY) {
                Ok(completion) => break completion,
                Err(_) if cancel::requested() => break Err(Trouble::last("interrupted")),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break Err(Trouble::new("the request broke off")),
            }
        };
        let busy = completion.as_ref().is_err_and(|trouble| {
            ["status 429", "status 503"].iter().any(|status| trouble.to_string().starts_with(status))
        });
        let seconds = begun.elapsed().as_secs_f64();
        if busy {
            self.wait();
        }
        match completion {
            Ok(Completion { answer, input_tokens, output_tokens, finish }) => {
                Asked { answer: Ok(answer), seconds, input_tokens, output_tokens, finish }
            }
            Err(trouble) => Asked::failed(trouble, seconds),
        }
    }
}

type Config = ureq::config::ConfigBuilder<ureq::typestate::AgentScope>;

/// Trusts one certificate and no other.
#[cfg(feature = "https")]
fn trusting(config: Config, file: &Source) -> Result<Config, InputError> {
    use ureq::tls::{Certificate, RootCerts, TlsConfig};
    let certificate = Certificate::from_pem(file.text().as_bytes()).map_err(|error| {
        InputError::new(format!("{}: no certificate: {error}", file.name()))
            .with_help("a certificate in PEM form begins with `-----BEGIN CERTIFICATE-----`")
    })?;
    Ok(config.tls_config(TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[certificate])).build()))
}

/// Without encryption there is nothing to trust.
#[cfg(not(feature = "https"))]
fn trusting(config: Config, _: &Source) -> Result<Config, InputError> {
    Ok(config)
}

/// An answer of an endpoint.
struct Completion {
    answer: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    finish: Option<String>,
}

/// The parts of a response that are read. Everything else is ignored.
#[derive(Deserialize)]
struct Told {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Content,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    content: Option<String>,
}

#[derive(Deserialize, Default)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(url: &str, remote: bool, key: Option<&str>) -> Result<Endpoint, String> {
        let plan = EndpointPlan {
            url: url.to_owned(),
            model: "m".to_owned(),
            remote,
            key: key.map(str::to_owned),
            certificate: None,
            temperature: None,
            tokens: 100,
            patience: Duration::from_secs(1),
        };
        Endpoint::new(plan).map_err(|error| error.to_string())
    }

    #[test]
    fn other_machines_are_asked_only_when_that_is_allowed() {
        for local in ["http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:80/v1/", "http://127.9.9.9"] {
            assert!(built(local, false, Some("k")).is_ok(), "{local}");
        }
        for other in ["http://127.0.0.1.example.org/v1", "http://10.0.0.1/v1", "http://localhost.example.org"] {
            assert!(built(other, false, None).err().unwrap().contains("another machine"), "{other}");
            assert!(built(other, true, None).is_ok(), "{other}");
            assert!(built(other, true, Some("k")).err().unwrap().contains("without encryption"), "{other}");
        }
        assert!(built("http://me:secret@127.0.0.1/v1", false, None).err().unwrap().contains("name and password"));
        assert!(built("ftp://127.0.0.1/", false, None).err().unwrap().contains("not http"));
        assert!(built("127.0.0.1", false, None).is_err());
        assert_eq!(built("https://example.org/v1", true, Some("k")).is_ok(), cfg!(feature = "https"));
    }

    #[test]
    fn the_key_is_never_shown() {
        let endpoint = built("http://127.0.0.1/v1", false, Some("s3cret")).unwrap();
        assert_eq!(endpoint.shown("wrong key s3cret\n"), "wrong key [key]\\n");
        assert_eq!(endpoint.url, "http://127.0.0.1/v1/chat/completions");
    }

    #[test]
    fn a_refused_connection_names_the_address() {
        let endpoint = built("http://127.0.0.1:1/v1", false, None).unwrap();
        let refused = ureq::Error::Io(std::io::ErrorKind::ConnectionRefused.into());
        let trouble = endpoint.trouble(&refused, Duration::from_secs(1)).to_string();
        assert_eq!(trouble, "nothing answers at http://127.0.0.1:1/v1/chat/completions (connection refused)");
    }
}
