//! Files of pages from outside: those of a program, and those of a folder.

use std::{fs, os::unix::fs::symlink, path::PathBuf, sync::Arc};

use server::{Limits, Options, WebSources, log::MemoryLog};

use crate::support::{Port, Served, options};

fn scratch() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("holdfast-web-files-{}", std::process::id()));
    let _may_be_missing = fs::remove_dir_all(&folder);
    for (path, text) in [
        ("web/counter/draw.js", "export const from = 'the folder';"),
        ("web/counter/pieces/one.svg", "<svg/>"),
        ("web/counter/.hidden.js", "secret"),
        ("web/counter/games.log", "secret"),
        ("web/counter/Cargo.toml", "secret"),
        ("web/games.log", "secret"),
        ("web/other/draw.js", "of no rulebook"),
        ("secret.js", "secret"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    symlink(folder.join("secret.js"), folder.join("web/counter/link.js")).expect("linked");
    folder
}

#[tokio::test]
async fn files_of_a_folder_and_of_a_program() {
    let folder = scratch();
    let mut web = WebSources::default();
    web.files.push((
        "counter".into(),
        &[("draw.js", b"of the program"), ("more.css", b"i {}"), ("page.html", b"<body>Hi</body>")],
    ));
    for with_folder in [false, true] {
        web.folder = with_folder.then(|| folder.join("web"));
        let log = Arc::new(MemoryLog::new());
        let served = Served::open(Options { web: web.clone(), ..options(log, Limits::default()) }).await;
        let port = Port::of(&served).await;
        let draw = if with_folder { "export const from = 'the folder';" } else { "of the program" };
        let piece = if with_folder { Some("<svg/>") } else { None };
        let rows = [
            ("/web/counter/draw.js", Some(draw)),
            ("/web/counter/more.css", Some("i {}")),
            ("/web/counter/pieces/one.svg", piece),
            ("/web/counter/.hidden.js", None),
            ("/web/counter/link.js", None),
            ("/web/counter/games.log", None),
            ("/web/counter/Cargo.toml", None),
            ("/web/counter/../../secret.js", None),
            ("/web/counter/..%2F..%2Fsecret.js", None),
            ("/web/counter/pieces", None),
            ("/web/other/draw.js", None),
            ("/web/unknown/draw.js", None),
            ("/other", None),
            ("/unknown/page", None),
        ];
        for (path, expected) in rows {
            let answer = port.get(path).await;
            let came = (answer.status == 200).then_some(answer.body.as_str());
            assert_eq!(came, expected, "{path}: {answer:?}");
            assert!(expected.is_some() || answer.status == 404, "{path}: {answer:?}");
            assert!(answer.head.contains("content-security-policy: default-src 'none'"), "{path}: {answer:?}");
        }
        assert!(port.get("/counter/page").await.body.contains("<!doctype html>"), "a page gets its head");
    }
    fs::remove_dir_all(folder).expect("removed");
}

/// A rulebook without a drawing has the tree of values, so its pages load without an error.
#[tokio::test]
async fn every_rulebook_has_a_drawing() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    assert!(port.get("/web/counter/draw.js").await.body.contains("/web/tree.js"));
    assert_eq!(port.get("/web/counter/draw.css").await.status, 404);
    // A change is visible after a reload, and an unchanged file is not sent again.
    let tag = port.get("/web/counter/draw.js").await.header("etag").expect("a tag").to_owned();
    let again = testkit::Request::get("/web/counter/draw.js").header("If-None-Match", &tag).send(port.address).await;
    assert_eq!(again.status, 304);
}
