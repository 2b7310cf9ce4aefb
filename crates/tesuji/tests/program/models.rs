//! `llm` over https: an endpoint on loopback with a certificate of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::started::{folder, tesuji_in, text};

/// A certificate for 127.0.0.1, signed by itself.
const REQUEST: &str = "[req]
distinguished_name = name
prompt = no
x509_extensions = extensions
[name]
CN = 127.0.0.1
[extensions]
subjectAltName = IP:127.0.0.1
basicConstraints = critical,CA:FALSE
";

/// Makes `NAME.pem` and `NAME.key`; false where there is no `openssl`.
fn certificate(folder: &Path, name: &str) -> bool {
    fs::write(folder.join("request.cnf"), REQUEST).unwrap();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-config", "request.cnf"])
        .args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")])
        .current_dir(folder)
        .output();
    made.is_ok_and(|output| output.status.success())
}

/// The scripted endpoint of the examples, with encryption.
struct Endpoint {
    process: Child,
    url: String,
}

impl Endpoint {
    fn start(folder: &Path) -> Option<Endpoint> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/language-models/endpoint.py");
        let mut process = Command::new("python3")
            .arg(script)
            .args(["--port", "0", "--bad", "0", "--certificate", "own.pem", "--private-key", "own.key"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut()?).read_line(&mut line).ok()?;
        let url = line.rsplit(' ').next()?.trim().to_owned();
        assert!(url.starts_with("https://127.0.0.1:"), "{line}");
        Some(Endpoint { process, url })
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

#[test]
fn an_endpoint_with_a_certificate_of_its_own_is_asked_over_https() {
    let folder = folder("https");
    let ready = certificate(&folder, "own") && certificate(&folder, "other");
    let Some(endpoint) = ready.then(|| Endpoint::start(&folder)).flatten() else {
        let complaint = "NO OPENSSL OR NO PYTHON3: endpoints over https were NOT tested.";
        assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{complaint}");
        // Past the test harness, which would keep it to itself.
        drop(writeln!(std::io::stderr(), "{complaint}"));
        return;
    };
    let play = |parameters: &str, store: &str| {
        let agent = format!("llm(model=scripted,url=\"{}\",retries=0{parameters})", endpoint.url);
        let played =
            tesuji_in(&folder, &["match", "tic-tac-toe", &agent, "random", "--matches", "2", "--store", store]);
        let models = tesuji_in(&folder, &["models", store, "--json"]);
        let told = text(&models.stdout);
        let conduct: serde_json::Value = serde_json::from_str(told.lines().next().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{error}: {told}{}{}", text(&models.stderr), text(&played.stderr)));
        conduct
    };
    let number = |value: &serde_json::Value, key: &str| -> u64 {
        let found = value.pointer(&format!("/models/0/{key}")).or_else(|| value.get(key));
        found.and_then(serde_json::Value::as_u64).unwrap_or_else(|| panic!("no {key} in {value}"))
    };
    let trusted = play(",certificate=own.pem", "trusted.db");
    assert!(number(&trusted, "requests") > 0, "{trusted}");
    assert_eq!((number(&trusted, "failed"), number(&trusted, "forfeited")), (0, 0), "{trusted}");
    for (parameters, store) in [("", "usual.db"), (",certificate=other.pem", "other.db")] {
        let refused = play(parameters, store);
        assert!(number(&refused, "failed") > 0 && number(&refused, "forfeited") > 0, "{parameters}: {refused}");
    }
    // The private key is no certificate.
    let agent = format!("llm(model=scripted,url=\"{}\",certificate=own.key)", endpoint.url);
    let output = tesuji_in(&folder, &["match", "tic-tac-toe", &agent, "random", "--matches", "2"]);
    assert!(!output.status.success() && text(&output.stderr).contains("no certificate"), "{}", text(&output.stderr));
}
