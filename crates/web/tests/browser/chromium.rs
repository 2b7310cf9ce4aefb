//! Chromium driven over its DevTools protocol: just what the browser tests need.
//!
//! One browser serves all tests that run at the same time; each tab lives in a context of its own and shares nothing
//! with others. Nothing sleeps: [`Tab::wait`] asks the page itself to tell when something has come true.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// What the browser answers when a question was for a page that was left meanwhile.
const LEFT: [&str; 4] =
    ["context was destroyed", "Cannot find context", "target navigated or closed", "Promise was collected"];

/// How long a page may take to fulfil a condition: far beyond what it needs, so that only faults meet it.
const PATIENCE_MILLISECONDS: u32 = 30_000;

/// Where browsers are found besides the search path.
const ELSEWHERE: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "/snap/bin/chromium",
];

/// A running browser; it ends with the last test that uses it.
pub(crate) struct Browser {
    process: Child,
    profile: tempfile::TempDir,
    address: String,
}

/// The browser in use by the tests that are running.
static CURRENT: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// The program to run: `CHROME`, or a usual name on the search path or elsewhere.
fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROME").filter(|name| !name.is_empty()) {
        return Some(named.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
    let path = env::var_os("PATH").unwrap_or_default();
    let found = names.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    found.chain(ELSEWHERE.iter().map(PathBuf::from)).find(|program| program.is_file())
}

/// The browser, started if no test has it running. Without a browser the tests say so; where `CI` is set they fail.
pub(crate) fn browser() -> Option<Arc<Browser>> {
    let mut current = CURRENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(running) = current.upgrade() {
        return Some(running);
    }
    let Some(program) = find() else {
        let complaint = "NO BROWSER: the page was NOT tested. Install Chromium (Debian: apt-get install chromium) or \
                         name a program in the variable CHROME.";
        assert!(env::var_os("CI").is_none_or(|value| value.is_empty()), "{complaint}");
        eprintln!("\n*** {complaint}\n");
        return None;
    };
    let started = Arc::new(Browser::start(&program));
    *current = Arc::downgrade(&started);
    Some(started)
}

impl Browser {
    fn start(program: &Path) -> Browser {
        let profile = tempfile::tempdir().expect("a folder for the browser's profile");
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--no-default-browser-check", "--disable-extensions", "--disable-background-networking"])
            .args(["--disable-component-update", "--hide-scrollbars", "--force-device-scale-factor=1", "--lang=en"])
            .args(["--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"])
            .args(["--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        let mut told = BufReader::new(process.stderr.take().expect("the browser's messages"));
        let (mut line, mut all) = (String::new(), String::new());
        let address = loop {
            line.clear();
            if told.read_line(&mut line).unwrap_or(0) == 0 {
                panic!("{} ended before it could be driven:\n{all}", program.display());
            }
            if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                break address.to_owned();
            }
            all.push_str(&line);
        };
        // What the browser says later is read, lest it wait for a full pipe, and dropped.
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        Browser { process, profile, address }
    }

    /// A new tab of that size that shows `address`.
    pub(crate) fn open(self: &Arc<Browser>, address: &str, (width, height): (u32, u32)) -> Tab {
        let mut all = Connection::new(&self.address);
        let context = all.call("Target.createBrowserContext", json!({}));
        let target = all.call(
            "Target.createTarget",
            json!({"url": "about:blank", "browserContextId": context["browserContextId"]}),
        );
        let target = target["targetId"].as_str().expect("a target").to_owned();
        let host = self.address.split("/devtools/").next().expect("the browser's host");
        let connection = Connection::new(&format!("{host}/devtools/page/{target}"));
        let mut tab = Tab { connection, width, _browser: Arc::clone(self) };
        tab.call("Page.enable", json!({}));
        tab.call("Runtime.enable", json!({}));
        tab.size(width, height);
        tab.call("Page.navigate", json!({"url": address}));
        tab.wait("document.documentElement.dataset.ready");
        tab
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let mut ended = Connection::open(&self.address);
        if let Ok(connection) = &mut ended {
            connection.send("Browser.close", json!({}));
        }
        if ended.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(self.profile.path());
    }
}

/// A WebSocket of the browser.
struct Connection {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
    /// Faults of the page that were told between answers.
    faults: Vec<String>,
}

impl Connection {
    fn open(address: &str) -> Result<Connection, tungstenite::Error> {
        let (socket, _) = tungstenite::connect(address)?;
        Ok(Connection { socket, number: 0, faults: Vec::new() })
    }

    fn new(address: &str) -> Connection {
        Connection::open(address).unwrap_or_else(|error| panic!("{address}: {error}"))
    }

    fn send(&mut self, method: &str, parameters: Value) {
        self.number += 1;
        let message = json!({"id": self.number, "method": method, "params": parameters}).to_string();
        self.socket.send(Message::text(message)).unwrap_or_else(|error| panic!("{method}: {error}"));
    }

    /// Sends a command and reads to its answer; events between are looked at for faults.
    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.send(method, parameters);
        loop {
            let message = self.socket.read().unwrap_or_else(|error| panic!("{method}: {error}"));
            let Message::Text(text) = message else { continue };
            let mut value: Value = serde_json::from_str(&text).expect("the browser speaks JSON");
            if value["id"] == self.number {
                return match value.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(value["result"].take()),
                };
            }
            match value["method"].as_str() {
                Some("Runtime.exceptionThrown") => self.faults.push(value["params"]["exceptionDetails"].to_string()),
                Some("Runtime.consoleAPICalled") if value["params"]["type"] == "error" => {
                    self.faults.push(value["params"]["args"].to_string());
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }
}

/// A tab.
pub(crate) struct Tab {
    connection: Connection,
    width: u32,
    _browser: Arc<Browser>,
}

impl Tab {
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.connection.call(method, parameters)
    }

    /// Makes the window that large; small ones are phones with touch.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        self.width = width;
        let phone = width < 600;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": phone}));
    }

    /// The system's wish, such as `("prefers-color-scheme", "dark")`.
    pub(crate) fn prefer(&mut self, feature: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", json!({"features": [{"name": feature, "value": value}]}));
    }

    /// The value of an expression; a promise is waited for.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        match self.try_evaluate(expression) {
            Ok(value) => value,
            Err(error) => self.fail(&format!("{expression}\n{error}")),
        }
    }

    fn try_evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.connection.ask("Runtime.evaluate", parameters)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(details["exception"]["description"].as_str().unwrap_or("an exception").to_owned()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Waits until an expression is true in the page, and returns its value. It is asked again after every change of
    /// the document.
    pub(crate) fn wait(&mut self, expression: &str) -> Value {
        let script = format!(
            "new Promise((resolve, reject) => {{
               const ask = () => {{ try {{ return {expression}; }} catch {{ return null; }} }};
               const changes = new MutationObserver(look);
               const late = setTimeout(() => {{ changes.disconnect(); reject(new Error('never came true')); }},
                 {PATIENCE_MILLISECONDS});
               function look() {{
                 const value = ask();
                 if (!value) return;
                 changes.disconnect();
                 clearTimeout(late);
                 resolve(value instanceof Node ? true : value);
               }}
               changes.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
               look();
             }})"
        );
        loop {
            match self.try_evaluate(&script) {
                Ok(value) => return value,
                // The page was left for another one; the question goes to that one.
                Err(error) if LEFT.iter().any(|words| error.contains(words)) => {}
                Err(error) => self.fail(&format!("{expression}\n{error}")),
            }
        }
    }

    /// Waits for an element and clicks it (or taps it, on a phone) in its middle, as a person would.
    pub(crate) fn click(&mut self, selector: &str) {
        let quoted = json!(selector).to_string();
        self.wait(&format!("(e => e && !e.disabled)(document.querySelector({quoted}))"));
        let place = self.evaluate(&format!(
            "(() => {{
               const element = document.querySelector({quoted});
               element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
               const box = element.getBoundingClientRect();
               const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
               const top = document.elementFromPoint(x, y);
               const reached = top && (element.contains(top) || top.contains(element));
               const covered = reached ? null : top ? top.outerHTML.slice(0, 200) : 'nothing';
               return {{ x, y, phone: innerWidth < 600, covered }};
             }})()"
        ));
        if let Some(covered) = place["covered"].as_str() {
            self.fail(&format!("{selector} is covered by {covered}"));
        }
        let (x, y) = (place["x"].clone(), place["y"].clone());
        if place["phone"] == true {
            self.call("Input.dispatchTouchEvent", json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}));
            self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
            return;
        }
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key, by its name in key events.
    pub(crate) fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => Some("\r"),
            _ if key.chars().count() == 1 => Some(key),
            _ => None,
        };
        let mut event = json!({"type": "rawKeyDown", "key": key});
        if let Some(text) = text {
            event["type"] = json!("keyDown");
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
    }

    /// Sets a field to a text, or a select to an option, and tells the page.
    pub(crate) fn fill(&mut self, selector: &str, text: &str) {
        let (quoted, text) = (json!(selector).to_string(), json!(text).to_string());
        self.wait(&format!("document.querySelector({quoted})"));
        self.evaluate(&format!(
            "(() => {{
               const element = document.querySelector({quoted});
               element.value = {text};
               if (element.value !== {text}) throw new Error('there is no such option');
               element.dispatchEvent(new Event('input', {{ bubbles: true }}));
               element.dispatchEvent(new Event('change', {{ bubbles: true }}));
             }})()"
        ));
    }

    /// Gives a file to a file field.
    pub(crate) fn choose_file(&mut self, selector: &str, file: &Path) {
        let document = self.call("DOM.getDocument", json!({}));
        let root = document["root"]["nodeId"].clone();
        let node = self.call("DOM.querySelector", json!({"nodeId": root, "selector": selector}));
        // The browser takes no path that goes up.
        let file = file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let files = json!([file.to_str().expect("a path in UTF-8")]);
        self.call("DOM.setFileInputFiles", json!({"files": files, "nodeId": node["nodeId"]}));
    }

    /// Goes to another address within the page.
    pub(crate) fn go(&mut self, hash: &str) {
        self.evaluate(&format!("location.hash = {}", json!(hash)));
    }

    /// The megabytes that the page's objects take, after a collection of garbage.
    pub(crate) fn heap(&mut self) -> f64 {
        self.call("HeapProfiler.collectGarbage", json!({}));
        self.call("Runtime.getHeapUsage", json!({}))["usedSize"].as_f64().unwrap_or(0.0) / 1e6
    }

    /// Loads the page anew.
    pub(crate) fn reload(&mut self) {
        self.evaluate("delete document.documentElement.dataset.ready");
        self.call("Page.reload", json!({}));
        self.wait("document.documentElement.dataset.ready");
    }

    /// Loads the page of a match anew. Its parts move until the position is there, so that a click before would miss.
    pub(crate) fn reload_match(&mut self) {
        self.reload();
        self.wait(
            "document.querySelector('#status')?.dataset.step && document.querySelector('#seats').childElementCount",
        );
    }

    /// The text of the first element that matches.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let quoted = json!(selector).to_string();
        let text = self.evaluate(&format!("document.querySelector({quoted})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Writes what is seen, or the whole page, to `target/screenshots/NAME.png`.
    pub(crate) fn screenshot(&mut self, name: &str, whole: bool) {
        let mut parameters = json!({"format": "png", "captureBeyondViewport": whole});
        if whole {
            parameters["clip"] = self.evaluate(
                "({ x: 0, y: 0, scale: 1, width: document.documentElement.clientWidth, \
                 height: document.documentElement.scrollHeight })",
            );
        }
        let picture = self.call("Page.captureScreenshot", parameters);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        fs::create_dir_all(&folder).expect("a folder for screenshots");
        let bytes = BASE64_STANDARD.decode(picture["data"].as_str().expect("a picture")).expect("a picture in base 64");
        fs::write(folder.join(format!("{name}.png")), bytes).expect("a screenshot");
    }

    /// Controls without a name for those who do not see the page.
    pub(crate) fn unnamed_controls(&mut self) -> Vec<String> {
        const ROLES: [&str; 10] = [
            "button",
            "link",
            "textbox",
            "searchbox",
            "combobox",
            "slider",
            "spinbutton",
            "tab",
            "checkbox",
            "listbox",
        ];
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let unnamed = tree["nodes"].as_array().into_iter().flatten().filter(|node| {
            let role = node["role"]["value"].as_str().unwrap_or_default();
            let name = node["name"]["value"].as_str().unwrap_or_default();
            node["ignored"] != true && ROLES.contains(&role) && name.trim().is_empty()
        });
        unnamed.map(|node| format!("{} {}", node["role"]["value"], node["properties"])).collect()
    }

    /// Fails the test if the page had a fault, or is wider than the window.
    pub(crate) fn finish(mut self) {
        let wide = self.evaluate("document.documentElement.scrollWidth").as_u64();
        assert!(wide <= Some(self.width.into()), "the page is {wide:?} wide in a window of {}", self.width);
        assert!(self.connection.faults.is_empty(), "faults in the page:\n{}", self.connection.faults.join("\n"));
    }

    fn fail(&mut self, complaint: &str) -> ! {
        let faults = self.connection.faults.join("\n");
        let status = self.try_evaluate("document.body.innerText.slice(0, 1500)").unwrap_or_default();
        let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
        self.screenshot(&format!("failure-{test}"), true);
        panic!("{complaint}\nfaults of the page: {faults}\nit says:\n{}", status.as_str().unwrap_or_default());
    }
}
