//! The pages of crazyhouse.

use testkit::Response;

use crate::support::Served;

#[tokio::test]
async fn pages_run_nothing_that_is_not_theirs() {
    let served = Served::new().await;
    for path in [
        "/crazyhouse",
        "/crazyhouse/play/any",
        "/crazyhouse/board",
        "/crazyhouse/analysis",
        "/crazyhouse/analysis/any",
        "/web/crazyhouse/draw.js",
    ] {
        let Response { status, head, body } = served.get(path).await;
        assert_eq!(status, 200, "{path}: {head}");
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        if !path.starts_with("/web") {
            assert!(!body.contains("<script>") && !body.contains(" style=") && !body.contains(" onclick="), "{path}");
        }
    }
    for path in ["/crazyhouse/rules", "/crazyhouse/..%2Findex", "/crazyhouse/play/a/b"] {
        assert_eq!(served.get(path).await.status, 404, "{path}");
    }
}

/// Every file that a page or a script names is served, whether it belongs to the game or to all games.
#[tokio::test]
async fn what_the_pages_name_is_there() {
    let served = Served::new().await;
    let mut named = 0;
    let mut waiting: Vec<String> =
        ["index", "play", "board", "analysis"].map(|page| format!("/web/crazyhouse/{page}.html")).into();
    waiting.push("/web/crazyhouse/draw.js".into());
    let mut seen: Vec<String> = Vec::new();
    while let Some(path) = waiting.pop() {
        if seen.contains(&path) {
            continue;
        }
        let Response { status, body, .. } = served.get(&path).await;
        assert_eq!(status, 200, "{path}");
        // Attributes of a served page may have no quotes.
        let words = body.split(['"', '=', '>', ' ']);
        for word in words.filter(|word| word.ends_with(".js") || word.ends_with(".css") || word.ends_with(".svg")) {
            if let Some(address) = resolve(&path, word) {
                named += 1;
                waiting.push(address);
            }
        }
        seen.push(path);
    }
    assert!(named > 40, "{named} names: {seen:?}");
    let told = served.get("/api/v1/scenarios").await.json();
    assert_eq!(told["pages"]["crazyhouse"], "/crazyhouse");
}

/// Resolves a path in a file: an absolute path, or one relative to the file or its folder.
fn resolve(from: &str, path: &str) -> Option<String> {
    let (folder, _) = from.rsplit_once('/')?;
    match path.split_once('/') {
        Some(("", _)) => Some(path.into()),
        Some((".", rest)) => Some(format!("{folder}/{rest}")),
        Some(("..", rest)) => Some(format!("{}/{rest}", folder.rsplit_once('/')?.0)),
        // `new URL("board.css", import.meta.url)`
        None => Some(format!("{folder}/{path}")),
        Some(_) => None,
    }
}
