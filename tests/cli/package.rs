//! The packages for machines: a Debian package and a tarball, made of the program of this test.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use testkit::{Need, Request, has};

use crate::PATIENCE;

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of a test. Dropping it deletes it.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn said(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_package_is_installed_and_serves() {
    if !has(&[Need::Program("dpkg-deb"), Need::Program("strip"), Need::Program("systemd-analyze")]) {
        return;
    }
    let folder = Folder(std::env::temp_dir().join(format!("holdfast-package-{}", std::process::id())));
    let script = Path::new(PROJECT).join("packaging/build.sh");
    let mut build = Command::new(script);
    build.env("PACKAGE_COMPRESSION", "-Zgzip -z1").env("PACKAGE_LEVEL", "-1");
    // Any program does in place of the one with all mutants, which takes long to build.
    let program = env!("CARGO_BIN_EXE_holdfast");
    let made = said(build.arg(program).arg(&folder.0).arg(program));
    let [package, tarball, suite] = made.lines().collect::<Vec<_>>()[..] else { panic!("three packages: {made}") };
    let [package, tarball, suite] = [package, tarball, suite].map(|name| folder.0.join(name));

    let fields = said(Command::new("dpkg-deb").arg("-f").arg(&package));
    assert!(fields.contains("Package: holdfast\n") && fields.contains("Depends: libc6"), "{fields}");
    let control = folder.0.join("control");
    said(Command::new("dpkg-deb").arg("-e").arg(&package).arg(&control));
    let conffiles = fs::read_to_string(control.join("conffiles")).expect("the file");
    assert_eq!(conffiles, "/etc/holdfast/host.toml\n");
    for script in ["postinst", "prerm", "postrm"] {
        said(Command::new("sh").arg("-n").arg(control.join(script)));
    }

    let root = folder.0.join("root");
    said(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&root));
    let program = root.join("usr/bin/holdfast");
    let version = said(Command::new(&program).arg("--version"));
    assert!(version.starts_with("holdfast "), "{version}");
    for file in ["usr/share/man/man1/holdfast-host.1.gz", "usr/share/bash-completion/completions/holdfast"] {
        assert!(fs::metadata(root.join(file)).is_ok_and(|file| file.len() > 1000), "{file}");
    }
    for file in ["alerts.yml", "dashboard.json", "copyright", "security.md"] {
        assert!(root.join("usr/share/doc/holdfast").join(file).exists(), "{file}");
    }
    check_unit(&root);
    serves(&program, &root.join("etc/holdfast/host.toml"), &folder.0);

    let list = said(Command::new("tar").arg("-tzf").arg(&tarball));
    for file in ["/bin/holdfast\n", "/etc/host.toml\n", "/systemd/holdfast.service\n", "/Containerfile\n"] {
        assert!(list.contains(file), "{file} {list}");
    }
    let list = said(Command::new("tar").arg("-tzf").arg(&suite));
    for file in ["/bin/systest\n", "/docs/mutants.md\n", "/RULES.md\n", ".script\n"] {
        assert!(list.contains(file), "{file} {list}");
    }
}

/// The unit as systemd reads it. It names the program where the package puts it.
fn check_unit(root: &Path) {
    let unit = root.join("lib/systemd/system/holdfast.service");
    let text = fs::read_to_string(&unit).expect("the unit");
    assert!(text.contains("\nExecStart=/usr/bin/holdfast host --config /etc/holdfast/host.toml\n"), "{text}");
    // The program is not installed here, so the check gets its place in the unpacked package.
    fs::write(&unit, text.replace("/usr/bin/holdfast", &root.join("usr/bin/holdfast").display().to_string()))
        .expect("written");
    let checked = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unit).output().expect("it starts");
    let words = String::from_utf8_lossy(&checked.stderr).into_owned();
    // Other units of the machine are none of our business.
    let ours: Vec<&str> = words.lines().filter(|line| line.contains("holdfast")).collect();
    assert!(ours.is_empty(), "{words}");
}

/// A host with the packaged configuration answers. Only what would touch this machine is elsewhere.
fn serves(program: &Path, configuration: &Path, folder: &Path) {
    let store = folder.join("games.db");
    let mut host = Command::new(program)
        .args(["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--config"])
        .arg(configuration)
        .env("HOLDFAST_STORE", &store)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(host.stdout.take().expect("it is piped")).lines();
    let address = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("http on http://")?.parse().ok());
    let health = address.map(|address| Request::get("/health").send_blocking(address));
    // SIGHUP asks for the certificate again; a host without one goes on.
    let pid = host.id().to_string();
    said(Command::new("kill").args(["-HUP", &pid]));
    let again = address.map(|address| Request::get("/health").send_blocking(address));
    said(Command::new("kill").args(["-TERM", &pid]));
    let ended = host.wait().expect("it ends");
    assert_eq!(health.map(|health| health.status), Some(200), "within {PATIENCE:?}");
    assert_eq!(again.map(|health| health.status), Some(200));
    assert!(ended.success() && store.exists(), "{ended}");
}

/// The alerts and the dashboard ask for metrics that the documents explain.
#[test]
fn alerts_and_dashboard_name_metrics_that_exist() {
    let read = |name: &str| fs::read_to_string(Path::new(PROJECT).join(name)).expect("a file");
    let documents = read("docs/operations.md");
    let dashboard: serde_json::Value = serde_json::from_str(&read("packaging/dashboard.json")).expect("JSON");
    let asked = format!("{}{dashboard}", read("packaging/alerts.yml"));
    let names: Vec<&str> = asked
        .split(|char: char| !(char.is_ascii_lowercase() || char == '_'))
        .filter(|word| word.starts_with("holdfast_"))
        .map(|word| word.strip_suffix("_bucket").unwrap_or(word))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(documents.contains(&format!("| `{name}` |")), "docs/operations.md has no {name}");
    }
}
