//! Pages of other sites cannot use the port. Programs can, by whatever name they call the host.

use testkit::Request;

use crate::support::Served;

const MOZILLA: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";

/// Creates a game with a request that has these headers, and returns the status. `PORT` is the port.
async fn create(served: &Served, method: &str, headers: &[(&str, &str)]) -> u16 {
    let number = served.address.port().to_string();
    let request = headers.iter().fold(Request::new(method, "/games"), |request, (name, value)| {
        request.header(name, &value.replace("PORT", &number))
    });
    let reply = served.send(request).await;
    assert_eq!(reply.body.contains("uniqueGameID"), reply.status == 200, "{headers:?}: {}", reply.body);
    reply.status
}

#[tokio::test]
async fn who_may_create_games() {
    let served = Served::new().await;
    for method in ["GET", "POST"] {
        for (headers, expected) in [
            // Programs: Java, curl, the players of this project.
            (&[][..], 200),
            (&[("Host", "swe1.example:18235"), ("User-Agent", "Java-http-client/17.0.9")], 200),
            (
                &[
                    ("Host", "host.docker.internal"),
                    ("User-Agent", "ReactorNetty/1.1.14"),
                    ("Accept", "application/xml"),
                ],
                200,
            ),
            (&[("Host", "evil.test"), ("User-Agent", "curl/8.14.1"), ("Accept", "*/*")], 200),
            // A person who types the address, or follows a link.
            (&[("Host", "localhost:PORT"), ("User-Agent", MOZILLA), ("Accept-Language", "de")], 200),
            (&[("Host", "127.0.0.1:PORT"), ("User-Agent", MOZILLA), ("Sec-Fetch-Site", "none")], 200),
            (&[("Host", "localhost:PORT"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "document")], 200),
            // A page whose name was made to resolve to this machine.
            (&[("Host", "evil.test:PORT"), ("User-Agent", MOZILLA)], 421),
            (&[("Host", "evil.test:PORT"), ("User-Agent", "Java"), ("Accept-Language", "")], 421),
            (&[("Host", "evil.test:PORT"), ("Origin", "http://evil.test:PORT")], 421),
            (&[("Host", "evil.test:PORT"), ("Sec-Fetch-Site", "same-origin")], 421),
            // A page of another site that uses the address.
            (&[("Host", "localhost:PORT"), ("Origin", "http://evil.test")], 403),
            (&[("Host", "localhost:PORT"), ("Origin", "null")], 403),
            (&[("Host", "localhost:PORT"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "image")], 403),
        ] {
            assert_eq!(create(&served, method, headers).await, expected, "{method} {headers:?}");
        }
    }
}
