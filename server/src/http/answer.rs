//! Answers of the HTTP port: JSON and errors.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use commlib::{Reason, Refused};
use serde_json::{Value, json};

use crate::accounts::AccountError;

/// Pages load everything from this host, run only its files, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// An error as the API sends it.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// The answer for people.
    pub(super) fn into_text(self) -> Response {
        (self.status, typed("text/plain; charset=utf-8", format!("{}\n", self.message))).into_response()
    }

    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Reason::BadMessage.name(), message)
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        let status = match refused.reason {
            Reason::BadMessage | Reason::BadScenario | Reason::WrongProtocol => StatusCode::BAD_REQUEST,
            Reason::UnknownGame => StatusCode::NOT_FOUND,
            Reason::AccountRequired => StatusCode::UNAUTHORIZED,
            Reason::UnknownToken | Reason::Denied => StatusCode::FORBIDDEN,
            Reason::GameOver | Reason::Full | Reason::Replaced | Reason::NameTaken => StatusCode::CONFLICT,
            Reason::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Reason::TooFast | Reason::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Reason::TooSlow | Reason::Timeout => StatusCode::REQUEST_TIMEOUT,
            Reason::ShuttingDown | Reason::StoreFailed | Reason::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Reason::Internal | Reason::Damaged => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, code: refused.reason.name(), message: refused.message }
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::NoAccount { .. } | AccountError::Missing { .. } => {
                Self::new(StatusCode::NOT_FOUND, "not_found", error.to_string())
            }
            AccountError::Off => Self::new(StatusCode::NOT_FOUND, "no_accounts", error.to_string()),
            AccountError::WrongPassword => Self::new(StatusCode::UNAUTHORIZED, "wrong_password", error.to_string()),
            AccountError::BadName { .. }
            | AccountError::NameTaken { .. }
            | AccountError::BadPassword { .. }
            | AccountError::UnknownSecret
            | AccountError::Locked { .. }
            | AccountError::TooManyTokens { .. }
            | AccountError::Busy
            | AccountError::NoTarget { .. }
            | AccountError::Unavailable
            | AccountError::Store(_)
            | AccountError::Internal => Refused::from(error).into(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({"error": {"code": self.code, "message": self.message}});
        (self.status, json_body(&body)).into_response()
    }
}

pub(super) fn json_body(value: &Value) -> impl IntoResponse + use<> {
    typed("application/json", format!("{value}\n"))
}

/// JSON lines.
pub(super) fn lines(bytes: Vec<u8>) -> Response {
    typed("application/x-ndjson", bytes)
}

/// An answer that is not cached.
pub(super) fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], body.into()).into_response()
}

/// Adds the security headers to every answer.
pub(super) async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}
