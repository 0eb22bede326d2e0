//! Another browser: Firefox, over Marionette, the protocol that it has built in. Only long test runs start it.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{Need, has};

use crate::{Scratch, driver::PATIENCE, port::Port};

/// A Firefox with one window.
#[derive(Debug)]
pub(crate) struct Firefox {
    process: Child,
    stream: TcpStream,
    sent: u64,
    _folder: Scratch,
}

impl Firefox {
    /// Starts a browser; `None` in a short test run, or if none is installed.
    pub(crate) fn start() -> Option<Self> {
        if std::env::var_os("HOLDFAST_LONG").is_none() || !has(&[Need::Program("firefox-esr")]) {
            return None;
        }
        let folder = Scratch::new("firefox");
        let port = Port::reserve();
        let number = port.address().port();
        let settings = format!(
            "user_pref(\"marionette.port\", {number});\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n"
        );
        fs::write(folder.path("user.js"), settings).expect("written");
        drop(port);
        let process = Command::new("firefox-esr")
            .args(["--headless", "--marionette", "--no-remote", "--width=1400", "--height=1000", "--profile"])
            .arg(folder.path(""))
            .env("HOME", folder.path(""))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Firefox starts");
        let deadline = Instant::now() + PATIENCE;
        let stream = loop {
            if let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, number)) {
                break stream;
            }
            assert!(Instant::now() < deadline, "Firefox does not listen");
            std::thread::sleep(Duration::from_millis(50));
        };
        let mut browser = Self { process, stream, sent: 0, _folder: folder };
        let greeting = browser.receive();
        assert_eq!(greeting["marionetteProtocol"], json!(3), "{greeting}");
        browser.call("WebDriver:NewSession", &json!({"capabilities": {}}));
        Some(browser)
    }

    pub(crate) fn open(&mut self, address: &str) {
        self.call("WebDriver:Navigate", &json!({"url": address}));
    }

    /// Runs a function body with `arguments`. Returns its value.
    pub(crate) fn script(&mut self, body: &str, arguments: Value) -> Value {
        self.call("WebDriver:ExecuteScript", &json!({"script": body, "args": arguments}))
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.script(&format!("return Boolean(document.body && ({expression}))"), json!([])) != json!(true) {
            if Instant::now() > deadline {
                let page = self.script("return location.href + '\\n' + document.body.innerText", json!([]));
                panic!("never came true: {expression}\n{}", page.as_str().unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Clicks in the middle of an element. The mouse must be able to reach it there.
    #[track_caller]
    pub(crate) fn click(&mut self, css: &str) {
        let id = self.find(css);
        self.call("WebDriver:ElementClick", &json!({"id": id}));
    }

    /// Types into an element.
    #[track_caller]
    pub(crate) fn type_into(&mut self, css: &str, text: &str) {
        let id = self.find(css);
        self.call("WebDriver:ElementSendKeys", &json!({"id": id, "text": text}));
    }

    /// Waits for the first element that matches. Returns its identifier.
    #[track_caller]
    fn find(&mut self, css: &str) -> String {
        self.until(&format!("document.querySelector({})", json!(css)));
        let found = self.call("WebDriver:FindElement", &json!({"using": "css selector", "value": css}));
        let id = found.as_object().and_then(|found| found.values().next()?.as_str());
        id.unwrap_or_else(|| panic!("{css}: {found}")).to_owned()
    }

    /// Sends a command and returns its value.
    #[track_caller]
    fn call(&mut self, command: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let message = json!([0, self.sent, command, parameters]).to_string();
        write!(self.stream, "{}:{message}", message.len()).expect("sent");
        let mut answer = self.receive();
        assert_eq!(answer[2], Value::Null, "{command} {parameters}");
        let answer = answer[3].take();
        answer.get("value").cloned().unwrap_or(answer)
    }

    /// A message has its length in front.
    fn receive(&mut self) -> Value {
        let (mut length, mut byte) = (0, [0]);
        loop {
            self.stream.read_exact(&mut byte).expect("a message");
            match byte[0] {
                b':' => break,
                digit => length = length * 10 + usize::from(digit - b'0'),
            }
        }
        let mut message = vec![0; length];
        self.stream.read_exact(&mut message).expect("a message");
        serde_json::from_slice(&message).expect("JSON")
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}
