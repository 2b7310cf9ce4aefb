//! Every way to log in to a server, with a whole experiment behind it; wrong logins are named, secrets stay hidden.

use std::fs;
use std::path::Path;
use std::process::Command;

use nkeys::KeyPair;
use serde_json::{Value, json};

use super::{Process, Server, alone, collected, collector, said, soon, tesuji_at, worker};
use crate::started::{complaint, folder, printed};

const EXPERIMENT: &str = "title = \"login\"\ngames = [\"tic-tac-toe\"]\nagents = [\"mc\", \"random\"]\nseed = 3\n\
                          pairs = 6\nbudget = { playouts = 5 }\n";

/// Plays an experiment with a collector and a worker that log in by these options.
fn plays(folder: &Path, server: &Server, login: &[&str], secret: &str) {
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let expected = alone(folder, "e.toml");
    let one = worker(folder, server, "w", login);
    soon("the worker has logged in", || said(folder, "w").contains("playouts/s") || ended_badly(folder));
    // What `ps` prints is in this file.
    let listed = fs::read(format!("/proc/{}/cmdline", one.0.id())).unwrap();
    let listed = String::from_utf8_lossy(&listed).into_owned();
    assert!(listed.contains("work") && !listed.contains(secret), "{listed}");
    let process = Process::start(&mut collector(folder, server, "e.toml", login));
    assert_eq!(collected(folder, "e.toml", process), expected);
    drop(one);
}

fn ended_badly(folder: &Path) -> bool {
    let said = said(folder, "w");
    assert!(!said.contains("error"), "{said}");
    false
}

fn status(folder: &Path, server: &Server, login: &[&str]) -> std::process::Output {
    tesuji_at(folder, &[&["queue", "status", &server.url()], login].concat())
}

/// The path of a file, as another folder names it.
fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

#[test]
fn users_and_tokens_log_in_and_passwords_stay_hidden() {
    let folder = folder("cluster-users");
    fs::write(folder.join("users.conf"), "authorization { users: [ { user: ann, password: \"s3cret\" } ] }\n").unwrap();
    let config = path(&folder, "users.conf");
    let Some(locked) = Server::with(&folder, "127.0.0.1", &["--jetstream", "--config", &config]) else { return };
    let words = complaint(&status(&folder, &locked, &[]));
    assert!(words.contains("refuses this login") && words.contains("--password-file"), "{words}");
    fs::write(folder.join("wrong"), "guess\n").unwrap();
    fs::write(folder.join("right"), "s3cret\n").unwrap();
    fs::write(folder.join("empty"), "\n").unwrap();
    let by = |file: &str| status(&folder, &locked, &["--user", "ann", "--password-file", file]);
    assert!(complaint(&by("wrong")).contains("refuses this login"));
    assert!(complaint(&by("empty")).contains("expected a password"));
    assert!(complaint(&by("absent")).contains("absent"));
    assert!(complaint(&status(&folder, &locked, &["--user", "ann"])).contains("a user needs a password"));
    assert!(complaint(&status(&folder, &locked, &["--password-file", "right"])).contains("a password needs a user"));
    // A collector or a worker with a wrong password ends at once, with the same words.
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let url = locked.url();
    let login = ["--user", "ann", "--password-file", "wrong"];
    for command in [&["work", url.as_str()][..], &["run", "e.toml", "--store", "x.db", "--queue", url.as_str()]] {
        let words = complaint(&tesuji_at(&folder, &[command, &login[..]].concat()));
        assert!(words.contains("refuses this login") && !words.contains("guess"), "{words}");
    }
    plays(&folder, &locked, &["--user", "ann", "--password-file", &path(&folder, "right")], "s3cret");
    let mut by_environment = crate::started::command(&["queue", "status", &url]);
    by_environment.env("TESUJI_QUEUE_USER", "ann").env("TESUJI_QUEUE_PASSWORD", "s3cret");
    assert!(printed(&by_environment.output().unwrap()).contains("login"));
    drop(locked);

    let folder = crate::started::folder("cluster-token");
    fs::write(folder.join("token.conf"), "authorization { token: \"t0ken\" }\n").unwrap();
    let config = path(&folder, "token.conf");
    let Some(locked) = Server::with(&folder, "127.0.0.1", &["--jetstream", "--config", &config]) else { return };
    fs::write(folder.join("wrong"), "t1ken\n").unwrap();
    fs::write(folder.join("right"), "t0ken\n").unwrap();
    assert!(complaint(&status(&folder, &locked, &["--token-file", "wrong"])).contains("refuses this login"));
    plays(&folder, &locked, &["--token-file", &path(&folder, "right")], "t0ken");
    let mut by_environment = crate::started::command(&["queue", "status", &locked.url()]);
    by_environment.env("TESUJI_QUEUE_TOKEN", "t0ken");
    assert!(by_environment.output().unwrap().status.success());
}

#[test]
fn no_option_takes_a_secret_itself() {
    for command in [&["work"][..], &["run"], &["queue", "status"], &["queue", "purge"]] {
        let help = printed(&crate::started::tesuji(&[command, &["--help"]].concat()));
        assert!(help.contains("--password-file <FILE>") && help.contains("--token-file <FILE>"), "{help}");
        assert!(!help.contains("--password <") && !help.contains("--token <"), "{help}");
    }
}

/// A JSON web token as NATS reads it.
fn web_token(issuer: &KeyPair, subject: &KeyPair, claims: Value) -> String {
    let claims = json!({
        "jti": subject.public_key(), "iat": 1, "iss": issuer.public_key(), "sub": subject.public_key(),
        "name": "test", "nats": claims,
    });
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let signed = format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
    let signature = base64(&issuer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}

/// Base64 for addresses, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        text.extend((0..=group.len()).map(|place| char::from(LETTERS[(bits >> (18 - 6 * place)) as usize & 63])));
    }
    text
}

fn credentials(account: &KeyPair) -> String {
    let user = KeyPair::new_user();
    let claims = json!({ "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 });
    let token = web_token(account, &user, claims);
    let seed = user.seed().unwrap();
    format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

#[test]
fn credentials_files_log_in() {
    let folder = folder("cluster-credentials");
    let (operator, account, system, foreign) =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_account());
    let limits = |storage: i64| {
        json!({
            "type": "account", "version": 2, "default_permissions": { "pub": {}, "sub": {} },
            "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
                "leaf": -1, "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage,
            },
        })
    };
    let own = web_token(&operator, &operator, json!({ "type": "operator", "version": 2 }));
    let accounts = [(&account, limits(-1)), (&system, limits(0))]
        .map(|(pair, claims)| format!("  {}: {}\n", pair.public_key(), web_token(&operator, pair, claims)));
    let config = format!(
        "operator: {own}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}}}\n",
        system.public_key(),
        accounts.concat()
    );
    fs::write(folder.join("operator.conf"), config).unwrap();
    let config = path(&folder, "operator.conf");
    let Some(server) = Server::with(&folder, "127.0.0.1", &["--jetstream", "--config", &config]) else { return };
    fs::write(folder.join("right.creds"), credentials(&account)).unwrap();
    fs::write(folder.join("foreign.creds"), credentials(&foreign)).unwrap();
    fs::write(folder.join("broken.creds"), "hello\n").unwrap();
    let by = |file: &str| complaint(&status(&folder, &server, &["--credentials", file]));
    assert!(complaint(&status(&folder, &server, &[])).contains("refuses this login"));
    assert!(by("foreign.creds").contains("refuses this login"), "{}", by("foreign.creds"));
    for file in ["broken.creds", "absent.creds"] {
        assert!(by(file).contains("cannot read the credentials") && by(file).contains(file), "{}", by(file));
    }
    plays(&folder, &server, &["--credentials", &path(&folder, "right.creds")], "SEED");
}

/// Makes an authority and certificates that it signed; `false` where there is no `openssl`.
fn certificates(folder: &Path, authority: &str, names: &[&str]) -> bool {
    let make = |line: &str| {
        let made = Command::new("openssl").args(line.split(' ')).current_dir(folder).output();
        made.is_ok_and(|output| output.status.success())
    };
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let root = format!("req -x509 {key} -days 2 -subj /CN={authority} -keyout {authority}.key -out {authority}.pem");
    make(&root)
        && names.iter().all(|name| {
            make(&format!("req {key} -subj /CN=127.0.0.1 -keyout {name}.key -out {name}.csr"))
                && make(&format!(
                    "x509 -req -in {name}.csr -CA {authority}.pem -CAkey {authority}.key -CAcreateserial -days 2 \
                     -extfile names -out {name}.pem"
                ))
        })
}

#[test]
fn tls_needs_the_right_certificates_on_both_sides() {
    let folder = folder("cluster-tls");
    if !(certificates(&folder, "ca", &["server", "client"]) && certificates(&folder, "other", &["stranger"])) {
        eprintln!("not tried: there is no usable `openssl` here");
        return;
    }
    let file = |name: &str| path(&folder, name);
    let (certificate, key, authority) = (file("server.pem"), file("server.key"), file("ca.pem"));
    let options = ["--jetstream", "--tls", "--tlscert", &certificate, "--tlskey", &key];
    let Some(server) = Server::with(&folder, "127.0.0.1", &options) else { return };
    let words = |server: &Server, login: &[&str]| complaint(&status(&folder, server, login));
    for (login, file) in [(&[][..], "--tls-ca"), (&["--tls"], "--tls-ca"), (&["--tls-ca", "other.pem"], "--tls-ca")] {
        let said = words(&server, login);
        assert!(said.contains("certificate") && said.contains(file), "{login:?}: {said}");
    }
    assert!(words(&server, &["--tls-ca", "absent.pem"]).contains("absent.pem"));
    fs::write(folder.join("broken.pem"), "hello\n").unwrap();
    assert!(words(&server, &["--tls-ca", "broken.pem"]).contains("broken.pem"));
    assert!(printed(&status(&folder, &server, &["--tls", "--tls-ca", "ca.pem"])).contains("no experiment"));
    drop(server);
    // A server that wants to see certificates of clients.
    let more = [&options[..], &["--tlsverify", "--tlscacert", &authority]].concat();
    let Some(strict) = Server::with(&folder, "127.0.0.1", &more) else { return };
    let without = words(&strict, &["--tls-ca", "ca.pem"]);
    assert!(without.contains("--tls-cert"), "{without}");
    let stranger = ["--tls-ca", "ca.pem", "--tls-cert", "stranger.pem", "--tls-key", "stranger.key"];
    assert!(words(&strict, &stranger).contains("--tls-cert"), "{}", words(&strict, &stranger));
    let missing = ["--tls-ca", "ca.pem", "--tls-cert", "client.pem", "--tls-key", "absent.key"];
    assert!(words(&strict, &missing).contains("absent.key"), "{}", words(&strict, &missing));
    let (own, own_key) = (file("client.pem"), file("client.key"));
    plays(&folder, &strict, &["--tls-ca", &authority, "--tls-cert", &own, "--tls-key", &own_key], "BEGIN");
    // A server without encryption is not used when encryption is wanted.
    drop(strict);
    let Some(plain) = Server::new(&folder) else { return };
    let said = words(&plain, &["--tls", "--tls-ca", "ca.pem"]);
    assert!(said.contains("--tls"), "{said}");
}
