//! Keeps pages of other sites away.
//!
//! Such a page has two ways to reach a host on the user's machine. It can send requests to the address of the host; then the
//! browser adds the site of the page. Or it can let its own name resolve to this address (DNS rebinding); then the browser thinks
//! that the page belongs to the host, and only the name in the request tells the difference.
//!
//! The operator can allow the pages of some origins to use the API. They are told so by CORS headers.

use std::{error::Error, fmt, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use commlib::Reason;

use super::{
    Visitor,
    answer::{ApiError, guarded},
};
use crate::{
    host_name::{HostName, is_address, is_this_machine},
    web_origin::WebOrigin,
};

/// The paths that pages of other sites may be allowed to use.
const API: &str = "/api/";

/// How long a browser may remember that it may send requests, in seconds.
const PREFLIGHT_AGE: &str = "600";

/// The longest part of a name that an answer repeats.
const LONGEST_REPEATED: usize = 100;

/// Which requests a port answers.
#[derive(Clone, Debug)]
pub(super) struct Origins {
    /// Whether the port is on loopback: only this machine, or a proxy, can reach it.
    pub(super) on_loopback: bool,
    /// Further names of the host.
    pub(super) names: Arc<[HostName]>,
    /// Origins of other sites whose pages may use the API.
    pub(super) allowed: Arc<[WebOrigin]>,
    /// Whether only browsers must name the host correctly.
    pub(super) any_name_for_programs: bool,
}

/// Why a request gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WrongOrigin {
    /// The request is for another host.
    OtherHost {
        /// The name in the request.
        name: String,
    },
    /// The request comes from a page of another site.
    OtherSite,
    /// The request names no host, or several.
    NotOneHost,
}

impl fmt::Display for WrongOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherHost { name } => {
                write!(
                    f,
                    "This host does not answer for the name {name:?}. Use localhost or 127.0.0.1, or start the host with --host-name."
                )
            }
            Self::NotOneHost => f.write_str("A request needs exactly one Host header."),
            Self::OtherSite => f.write_str("Pages of other sites get nothing here and cannot change anything."),
        }
    }
}

impl Error for WrongOrigin {}

impl From<WrongOrigin> for ApiError {
    fn from(wrong: WrongOrigin) -> Self {
        let (status, code) = match wrong {
            WrongOrigin::OtherHost { .. } => (StatusCode::MISDIRECTED_REQUEST, "other_host"),
            WrongOrigin::OtherSite => (StatusCode::FORBIDDEN, "foreign_page"),
            WrongOrigin::NotOneHost => (StatusCode::BAD_REQUEST, "bad_message"),
        };
        Self::new(status, code, wrong.to_string())
    }
}

impl Origins {
    /// The origin of the page, if it is one of another site that may use the API.
    fn check(&self, path: &str, headers: &HeaderMap) -> Result<Option<HeaderValue>, WrongOrigin> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(WrongOrigin::NotOneHost) };
        if !self.any_name_for_programs || is_from_browser(headers) {
            self.check_host(host)?;
        }
        if !self.is_from_other_site(headers) {
            return Ok(None);
        }
        self.allowed_origin(path, headers).map(Some).ok_or(WrongOrigin::OtherSite)
    }

    fn allowed_origin(&self, path: &str, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let (Some(origin), None) = (origins.next(), origins.next()) else { return None };
        let text = origin.to_str().ok()?;
        (path.starts_with(API) && self.allowed.iter().any(|allowed| allowed.is(text))).then(|| origin.clone())
    }

    fn check_host(&self, host: &HeaderValue) -> Result<(), WrongOrigin> {
        let is_right = host.to_str().is_ok_and(|host| {
            let is_known = is_this_machine(host) || self.names.iter().any(|name| name.names(host));
            // A page cannot make an address point elsewhere.
            let is_open = !self.on_loopback && (self.names.is_empty() || is_address(host));
            is_known || is_open
        });
        if is_right {
            return Ok(());
        }
        let name = String::from_utf8_lossy(host.as_bytes()).chars().take(LONGEST_REPEATED).collect();
        Err(WrongOrigin::OtherHost { name })
    }

    fn is_from_other_site(&self, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text("host").unwrap_or_default();
        let is_own = |origin: &str| {
            let authority = origin.split_once("://").map_or("", |(_, authority)| authority);
            let is_same = !host.is_empty() && authority.eq_ignore_ascii_case(host);
            is_same || self.names.iter().any(|name| name.names(authority))
        };
        match text("origin") {
            Some(origin) => !is_own(origin),
            // Images, scripts and frames of a page have no origin. Following a link from another site is allowed.
            None => match text("sec-fetch-site") {
                None | Some("same-origin" | "none") => false,
                Some(_) => text("sec-fetch-dest") != Some("document"),
            },
        }
    }
}

/// Whether a browser has sent a request. A page can change some of these headers, but it cannot leave them out.
fn is_from_browser(headers: &HeaderMap) -> bool {
    let is_mozilla = |agent: &HeaderValue| agent.as_bytes().starts_with(b"Mozilla/");
    [header::ORIGIN, header::ACCEPT_LANGUAGE].iter().any(|name| headers.contains_key(name))
        || headers.contains_key("sec-fetch-site")
        || headers.get(header::USER_AGENT).is_some_and(is_mozilla)
}

/// Answers requests of other sites, and passes all others on.
pub(super) async fn keep_out(State(origins): State<Origins>, mut request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with(API);
    let refused = |error: ApiError| guarded(if is_api { error.into_response() } else { error.into_text() });
    if request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.two_lengths.are_found()) {
        let words = "A request has either Content-Length or Transfer-Encoding, not both.";
        let error = ApiError::new(StatusCode::BAD_REQUEST, Reason::BadMessage.name(), words);
        return ([(header::CONNECTION, "close")], refused(error).await).into_response();
    }
    match origins.check(request.uri().path(), request.headers()) {
        Ok(None) => next.run(request).await,
        Ok(Some(origin)) => {
            // A page of another origin may be of the same site, and then the browser sends the cookies of this host's pages.
            request.headers_mut().remove(header::COOKIE);
            shared_with(origin, answer_allowed(request, next).await)
        }
        Err(wrong) => refused(wrong.into()).await,
    }
}

/// Answers a page of another site that may use the API. Before some requests, a browser asks whether it may send them.
async fn answer_allowed(request: Request, next: Next) -> Response {
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if !is_preflight {
        return next.run(request).await;
    }
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type"),
        (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_AGE),
    ];
    guarded((StatusCode::NO_CONTENT, headers).into_response()).await
}

/// Lets a page of this origin read an answer. Cookies are for the host's own pages, so it allows no credentials.
fn shared_with(origin: HeaderValue, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("location"));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}
