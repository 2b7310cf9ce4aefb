//! Access control: every request passes through it first.
//!
//! Bound to this machine, the lab answers requests that name this machine as their host, so that no page from elsewhere
//! can reach it under a name of its own. Bound elsewhere, every request needs the token. In both cases a page of
//! another origin is refused.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::secret;

/// The cookie that holds the token.
const COOKIE_NAME: &str = "tesuji-token";

/// Only scripts of the page itself; boards and reports have inline styles.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; frame-src 'self' blob:; frame-ancestors 'self'; \
                      base-uri 'none'";

/// What requests need.
pub(crate) struct Guard {
    /// The token, when the lab is bound to more than this machine.
    pub token: Option<String>,
}

/// Admits or refuses a request.
pub(crate) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.admit(&request) {
        Admission::Granted => next.run(request).await,
        Admission::SetCookie(response) => *response,
        Admission::Refused(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

enum Admission {
    Granted,
    /// The address has the token: the answer stores it in a cookie and redirects to the address without it.
    SetCookie(Box<Response>),
    Refused(ApiError),
}

impl Guard {
    fn admit(&self, request: &Request) -> Admission {
        let headers = request.headers();
        let host = text(headers, HOST.as_str()).unwrap_or_default();
        if let Some(origin) = text(headers, ORIGIN.as_str()) {
            let origin_host = origin.split_once("://").map_or("", |(_, host)| host);
            if !origin_host.eq_ignore_ascii_case(host) {
                return Admission::Refused(ApiError::forbidden(
                    "this lab refuses requests from pages of other origins",
                ));
            }
        }
        // Browsers say where a request comes from. Another site may link to the page, and nothing else.
        let site = text(headers, "sec-fetch-site").unwrap_or("none");
        let link = text(headers, "sec-fetch-mode") == Some("navigate")
            && request.method() == Method::GET
            && !is_api(request.uri().path());
        if !matches!(site, "none" | "same-origin") && !link {
            return Admission::Refused(ApiError::forbidden("this lab refuses requests from pages of other sites"));
        }
        let Some(token) = &self.token else {
            if names_this_machine(host) {
                return Admission::Granted;
            }
            return Admission::Refused(ApiError::forbidden(format!(
                "this lab answers to localhost and loopback addresses only, not to `{host}`"
            )));
        };
        let bearer = text(headers, AUTHORIZATION.as_str()).and_then(|value| value.strip_prefix("Bearer "));
        let cookie = text(headers, COOKIE.as_str()).and_then(cookie_token);
        if [bearer, cookie].into_iter().flatten().any(|given| secret::equal(given.trim(), token)) {
            return Admission::Granted;
        }
        let query = request.uri().query().unwrap_or_default();
        let given = query.split('&').find_map(|pair| pair.strip_prefix("token="));
        if given.is_some_and(|given| secret::equal(given, token)) {
            let path = request.uri().path();
            if request.method() == Method::GET && !is_api(path) {
                return Admission::SetCookie(Box::new(set_cookie(path, token)));
            }
            return Admission::Granted;
        }
        Admission::Refused(
            ApiError::new(StatusCode::UNAUTHORIZED, "this lab needs its token")
                .with_help("open the address that the lab printed, or send `Authorization: Bearer TOKEN`"),
        )
    }
}

/// Is this a path of the API?
fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn cookie_token(cookies: &str) -> Option<&str> {
    cookies.split(';').find_map(|cookie| cookie.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='))
}

fn set_cookie(path: &str, token: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    // A path that begins with two slashes would lead to another host.
    let path = format!("/{}", path.trim_start_matches('/'));
    let values = HeaderValue::from_str(&cookie).ok().zip(HeaderValue::from_str(&path).ok());
    if let Some((cookie, path)) = values {
        response.headers_mut().insert(SET_COOKIE, cookie);
        response.headers_mut().insert(LOCATION, path);
    }
    response
}

fn names_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn admitted(token: Option<&str>, uri: &str, headers: &[(&str, &str)]) -> &'static str {
        let guard = Guard { token: token.map(str::to_owned) };
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match guard.admit(&request.body(Body::empty()).unwrap()) {
            Admission::Granted => "granted",
            Admission::SetCookie(_) => "set_cookie",
            Admission::Refused(_) => "refused",
        }
    }

    #[test]
    fn on_this_machine_only_its_own_names_are_answered() {
        for host in ["127.0.0.1:8000", "127.0.0.2:80", "localhost", "[::1]:80", "LOCALHOST:1"] {
            assert_eq!(admitted(None, "/api", &[("host", host)]), "granted", "{host}");
        }
        for host in ["evil.example", "10.0.0.1:80", "127.0.0.1.evil.example", "", "localhost.evil:80"] {
            assert_eq!(admitted(None, "/api", &[("host", host)]), "refused", "{host}");
        }
        assert_eq!(admitted(None, "/", &[("host", "localhost:1"), ("origin", "http://localhost:1")]), "granted");
        assert_eq!(admitted(None, "/", &[("host", "localhost:1"), ("origin", "http://evil.example")]), "refused");
        assert_eq!(admitted(None, "/", &[("host", "localhost:1"), ("origin", "null")]), "refused");
    }

    #[test]
    fn other_sites_may_link_to_the_page_and_nothing_else() {
        let fetched = |site, mode, path| {
            admitted(None, path, &[("host", "localhost:1"), ("sec-fetch-site", site), ("sec-fetch-mode", mode)])
        };
        for site in ["cross-site", "same-site"] {
            assert_eq!(fetched(site, "no-cors", "/api/matches"), "refused");
            assert_eq!(fetched(site, "cors", "/match.js"), "refused");
            assert_eq!(fetched(site, "navigate", "/api/matches"), "refused");
            assert_eq!(fetched(site, "navigate", "/"), "granted");
        }
        assert_eq!(fetched("same-origin", "cors", "/api/matches"), "granted");
        assert_eq!(fetched("none", "navigate", "/api/matches"), "granted");
    }

    #[test]
    fn the_policy_names_no_host_but_the_own() {
        assert!(!POLICY.contains("ws:") && !POLICY.contains("wss:") && POLICY.contains("form-action 'self'"));
    }

    #[test]
    fn elsewhere_the_token_is_needed() {
        let host = ("host", "lab.example:8000");
        assert_eq!(admitted(Some("t0"), "/api", &[host]), "refused");
        assert_eq!(admitted(Some("t0"), "/api?token=t1", &[host]), "refused");
        assert_eq!(admitted(Some("t0"), "/api?step=1&token=t0", &[host]), "granted");
        assert_eq!(admitted(Some("t0"), "/?token=t0", &[host]), "set_cookie");
        assert_eq!(admitted(Some("t0"), "/api", &[host, ("authorization", "Bearer t0")]), "granted");
        assert_eq!(admitted(Some("t0"), "/api", &[host, ("cookie", "a=b; tesuji-token=t0")]), "granted");
        assert_eq!(admitted(Some("t0"), "/api", &[host, ("cookie", "tesuji-token=")]), "refused");
    }
}
