//! A browser: Chromium, driven by chromedriver over the WebDriver protocol. Every test starts its own, in about a second.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::Ipv4Addr,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{Request, Response};

use crate::{Scratch, show};

/// The longest wait for a page, with room for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

const ARGUMENTS: [&str; 12] = [
    "--headless=new",
    // With a pipe, the browser ends whenever its driver ends.
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--force-color-profile=srgb",
];

/// Keys that are not characters, as the WebDriver protocol encodes them.
pub(crate) mod key {
    pub(crate) const TAB: char = '\u{E004}';
    pub(crate) const ENTER: char = '\u{E007}';
    pub(crate) const SHIFT: char = '\u{E008}';
    pub(crate) const ESCAPE: char = '\u{E00C}';
    pub(crate) const PAGE_UP: char = '\u{E00E}';
    pub(crate) const PAGE_DOWN: char = '\u{E00F}';
    pub(crate) const END: char = '\u{E010}';
    pub(crate) const HOME: char = '\u{E011}';
    pub(crate) const LEFT: char = '\u{E012}';
    pub(crate) const UP: char = '\u{E013}';
    pub(crate) const RIGHT: char = '\u{E014}';
    pub(crate) const DOWN: char = '\u{E015}';
}

/// A browser with one window.
#[derive(Debug)]
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _folder: Scratch,
}

/// How often chromedriver is started before a test fails.
const DRIVERS: usize = 5;

/// Starts chromedriver on a free port, which it tells. It takes a port of IPv4, and ends if another program has the same port of IPv6.
fn start_driver(folder: &Scratch) -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .env("TMPDIR", folder.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver starts");
    let mut lines = BufReader::new(driver.stdout.take().expect("it is piped")).lines();
    let port = lines.find_map(|line| line.ok()?.split_once("successfully on port ")?.1.strip_suffix('.')?.parse().ok());
    if port.is_none() {
        driver.wait().expect("it has ended");
    }
    Some((driver, port?))
}

impl Browser {
    /// Starts a browser; `None` if none is installed. In a full test run one must be installed.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// As [`start`](Self::start), with additional arguments.
    pub(crate) fn start_with(more: &[&str]) -> Option<Self> {
        let is_there = |program: &&str| Command::new(program).arg("--version").output().is_ok();
        if let Some(missing) = ["chromedriver", "chromium"].iter().find(|program| !is_there(program)) {
            assert!(std::env::var_os("HOLDFAST_CI").is_none(), "no {missing} here, and HOLDFAST_CI asks for it");
            show(&format!("skipped: no {missing} here, the pages were not tested"));
            return None;
        }
        let folder = Scratch::new("browser");
        let mut started = (0..DRIVERS).filter_map(|_| start_driver(&folder));
        let (driver, port) = started.next().expect("a chromedriver that tells its port");
        let mut browser = Self { driver, port, session: String::new(), _folder: folder };
        let arguments = ARGUMENTS.map(ToOwned::to_owned).into_iter().chain([
            "--window-size=1400,1000".to_owned(),
            format!("--user-data-dir={}", browser._folder.path("profile").display()),
        ]);
        let arguments = arguments.chain(more.iter().map(ToString::to_string));
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments.collect::<Vec<_>>()},
        }}});
        let started = browser.ask("POST", "/session", &capabilities);
        browser.session = started["sessionId"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
        Some(browser)
    }

    pub(crate) fn open(&self, address: &str) {
        self.post("url", &json!({"url": address}));
    }

    pub(crate) fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    pub(crate) fn address(&self) -> String {
        self.get("url").as_str().expect("an address").to_owned()
    }

    /// Runs a function body with `arguments`. Returns its value.
    pub(crate) fn script(&self, body: &str, arguments: Value) -> Value {
        self.post("execute/sync", &json!({"script": body, "args": arguments}))
    }

    /// As [`script`](Self::script), for a body that returns a promise.
    pub(crate) fn promise(&self, body: &str, arguments: Value) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async (...arguments) => {{ {body} }})(...arguments).then(done);"
        );
        self.post("execute/async", &json!({"script": script, "args": arguments}))
    }

    /// The host of the page is about to end. A busy page may notice late that its connection is lost, and shows until then that it
    /// is connected; so it is marked, and [`reconnects`](Self::reconnects) waits for the next connection.
    pub(crate) fn will_lose_connection(&self) {
        self.script("document.body.dataset.connected = 'before'", json!([]));
    }

    /// Waits until the page is connected again.
    #[track_caller]
    pub(crate) fn reconnects(&self) {
        self.until("document.body.dataset.connected === 'true'");
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.script(&format!("return Boolean({expression})"), json!([])) != json!(true) {
            assert!(
                Instant::now() < deadline,
                "never came true at {}: {expression}\n{}\n{:#?}",
                self.address(),
                self.script("return document.body.innerText", json!([])).as_str().unwrap_or_default(),
                self.console()
            );
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// An attribute of the body, once the page has finished loading.
    #[track_caller]
    pub(crate) fn shown(&self, attribute: &str) -> String {
        self.until("document.body.dataset.ready === 'true'");
        let value = self.script("return document.body.dataset[arguments[0]]", json!([attribute]));
        value.as_str().unwrap_or_else(|| panic!("no data-{attribute}")).to_owned()
    }

    /// The step that the page shows.
    #[track_caller]
    pub(crate) fn step(&self) -> u64 {
        self.shown("step").parse().expect("a number")
    }

    /// Waits until the page shows this step.
    #[track_caller]
    pub(crate) fn shows(&self, step: u64) {
        self.until(&format!("document.body.dataset.step === '{step}' && document.body.dataset.ready === 'true'"));
    }

    /// The visible text of an element.
    #[track_caller]
    pub(crate) fn text(&self, css: &str) -> String {
        let text = self.at(css, "GET", "text", &Value::Null);
        text.as_str().expect("text").to_owned()
    }

    /// Clicks in the middle of an element. The mouse must be able to reach it there.
    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        self.at(css, "POST", "click", &json!({}));
    }

    /// Drags from the middle of an element to the middle of another, with a `mouse` or by `touch`.
    #[track_caller]
    pub(crate) fn drag(&self, pointer: &str, from: &str, to: &str) {
        let at = |css| json!({"element-6066-11e4-a52e-4f735466cecf": self.find(css)});
        let go =
            |css, duration| json!({"type": "pointerMove", "duration": duration, "origin": at(css), "x": 0, "y": 0});
        let press = json!({"type": "pointerDown", "button": 0});
        let release = json!({"type": "pointerUp", "button": 0});
        let actions = [go(from, 0), press, go(to, 60), release];
        let parameters = json!({"pointerType": pointer});
        let id = format!("a {pointer}");
        self.post(
            "actions",
            &json!({"actions": [{"type": "pointer", "id": id, "parameters": parameters, "actions": actions}]}),
        );
    }

    /// Touches the middle of an element, which must not be covered there.
    #[track_caller]
    pub(crate) fn tap(&self, css: &str) {
        self.find(css);
        let at = self.script(
            "const one = document.querySelector(arguments[0]);
             one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
             const { x, y, width, height } = one.getBoundingClientRect();
             const [left, top] = [Math.round(x + width / 2), Math.round(y + height / 2)];
             const hit = document.elementFromPoint(left, top);
             return one.contains(hit) ? { left, top } : hit?.outerHTML.slice(0, 300)",
            json!([css]),
        );
        assert!(at.is_object(), "{css} is covered by {at}");
        let go = json!({"type": "pointerMove", "duration": 0, "x": at["left"], "y": at["top"]});
        let press = json!({"type": "pointerDown", "button": 0});
        let release = json!({"type": "pointerUp", "button": 0});
        let parameters = json!({"pointerType": "touch"});
        let finger =
            json!({"type": "pointer", "id": "a finger", "parameters": parameters, "actions": [go, press, release]});
        self.post("actions", &json!({"actions": [finger]}));
    }

    /// Types into an element. For a file input, the text is the path of a file.
    #[track_caller]
    pub(crate) fn type_into(&self, css: &str, text: &str) {
        self.at(css, "POST", "value", &json!({"text": text}));
    }

    /// Presses keys one after another, in the focused element.
    pub(crate) fn press(&self, keys: &[char]) {
        let strokes = keys.iter().flat_map(|&key| [down(key), up(key)]);
        self.strike(strokes.collect());
    }

    /// Presses a key while another is held.
    pub(crate) fn press_with(&self, held: char, key: char) {
        self.strike(vec![down(held), down(key), up(key), up(held)]);
    }

    fn strike(&self, strokes: Vec<Value>) {
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    /// The console messages of the page and of the browser since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({"type": "browser"}));
        let line = |entry: &Value| format!("{}: {}", entry["level"].as_str()?, entry["message"].as_str()?).into();
        entries.as_array().into_iter().flatten().filter_map(line).collect()
    }

    /// Checks that the console has no errors, no warnings, and no violations of the page's policy.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        assert_eq!(self.console(), Vec::<String>::new(), "at {}", self.address());
    }

    /// Sends a command of the Chrome DevTools protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Emulates a system that prefers these colours: `light` or `dark`.
    pub(crate) fn prefer(&self, colours: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": colours}]);
        self.devtools("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Emulates a screen of this size.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Saves a picture of the page to the folder `HOLDFAST_SCREENSHOTS`, if that is set.
    pub(crate) fn screenshot(&self, name: &str) {
        let Some(folder) = std::env::var_os("HOLDFAST_SCREENSHOTS") else { return };
        let picture = self.get("screenshot");
        let folder = std::path::Path::new(&folder);
        fs::create_dir_all(folder).expect("a folder can be made");
        fs::write(folder.join(format!("{name}.png")), base64(picture.as_str().expect("a picture"))).expect("written");
    }

    /// Sends a request for the first element that matches. Tries again if the page has replaced the element.
    #[track_caller]
    fn at(&self, css: &str, method: &str, what: &str, body: &Value) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let path = format!("/session/{}/element/{}/{what}", self.session, self.find(css));
            let answer = self.exchange(method, &path, body).unwrap_or_else(|error| panic!("{path}: {error}"));
            let value = answer.json()["value"].take();
            let is_gone = value["error"] == json!("stale element reference");
            if !is_gone || Instant::now() > deadline {
                assert_eq!(answer.status, 200, "{method} {what} of {css} {body}: {value}");
                return value;
            }
        }
    }

    /// Waits for the first element that matches. Returns its identifier.
    #[track_caller]
    fn find(&self, css: &str) -> String {
        self.until(&format!("document.querySelector({})", json!(css)));
        let found = self.post("element", &json!({"using": "css selector", "value": css}));
        let id = found.as_object().and_then(|found| found.values().next()?.as_str());
        id.unwrap_or_else(|| panic!("{css}: {found}")).to_owned()
    }

    fn get(&self, what: &str) -> Value {
        self.ask("GET", &format!("/session/{}/{what}", self.session), &Value::Null)
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}/{what}", self.session), body)
    }

    /// Sends a request to the driver and returns its answer. Panics if the request fails.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.exchange(method, path, body).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(answer.status, 200, "{method} {path} {body}: {answer:?}");
        answer.json()["value"].take()
    }

    fn exchange(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Response> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        Request::new(method, path).body(body).try_send_blocking((Ipv4Addr::LOCALHOST, self.port).into())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ends_with_the_driver = self.exchange("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ended_already = self.driver.kill();
        let _ended_already = self.driver.wait();
    }
}

fn down(key: char) -> Value {
    json!({"type": "keyDown", "value": key})
}

fn up(key: char) -> Value {
    json!({"type": "keyUp", "value": key})
}

/// Decodes base 64.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().map_while(|byte| LETTERS.iter().position(|letter| *letter == byte)) {
        bits = (bits << 6 | letter as u32) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xFF) as u8);
        }
    }
    bytes
}
