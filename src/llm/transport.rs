//! HTTP as far as calls of models need it. The real thing is `reqwest`; tests of time use one in memory, since a paused clock
//! runs ahead of a real socket.

use std::fs;
use std::path::PathBuf;
use std::sync::{Once, OnceLock};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};

use crate::engine::ports::PortError;

use super::key::ApiKey;

/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(10);

/// A connection that was idle for longer may be dead without anyone knowing.
const POOLED: Duration = Duration::from_secs(30);

/// Sends requests.
pub(super) trait Transport: Send + Sync {
    /// Sends one request and gives the head of the response. Dropping the future, or the response, closes the connection.
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>>;
}

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    /// Header, what stands before the key, and the key.
    pub(super) key: Option<(&'static str, &'static str, ApiKey)>,
    /// A body is posted; without one, something is fetched.
    pub(super) body: Option<Vec<u8>>,
}

/// A response whose body is still to come.
pub(super) struct Response {
    pub(super) status: u16,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: BoxStream<'static, Result<Vec<u8>, NetError>>,
}

impl Response {
    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no response, or no more of it.
#[derive(Clone, Debug)]
pub(super) struct NetError {
    /// What is wrong, from the outside in.
    pub(super) message: String,
    /// What to do next.
    pub(super) hint: &'static str,
}

/// The real network: one client for everything, so that proxies and certificates are the same for all.
pub(super) struct Http(reqwest::Client);

impl Http {
    /// Makes the client. Certificates are the system's (on Unix those of `SSL_CERT_FILE` where it is set) and those of a PEM
    /// text; proxies are the system's and those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    pub(super) fn new(authorities: Option<&[u8]>) -> Result<Self, PortError> {
        static RING: Once = Once::new();
        RING.call_once(|| {
            // Fails only where one was chosen before, which then serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("mop/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .pool_idle_timeout(POOLED)
            .tcp_keepalive(POOLED)
            // A redirect would carry the key to another host.
            .redirect(reqwest::redirect::Policy::none());
        if let Some(pem) = authorities {
            let bad = |error: reqwest::Error| {
                PortError::new(format!("the certificates cannot be used: {}", chain(&error)))
                    .hint("give a file with certificates in PEM form")
            };
            builder = builder.tls_certs_merge(reqwest::Certificate::from_pem_bundle(pem).map_err(bad)?);
        }
        let client = builder
            .build()
            .map_err(|error| PortError::new(format!("no HTTP client can be made: {}", chain(&error))))?;
        Ok(Self(client))
    }
}

/// The real network, opened with the first request: certificates are read for those who ask a model, and for nobody else.
pub(super) struct Lazy {
    authorities: Option<PathBuf>,
    http: OnceLock<Result<Http, String>>,
}

impl Lazy {
    pub(super) fn new(authorities: Option<PathBuf>) -> Self {
        Self { authorities, http: OnceLock::new() }
    }

    fn open(&self) -> Result<Http, String> {
        let read = |path: &PathBuf| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let pem = self.authorities.as_ref().map(read).transpose()?;
        Http::new(pem.as_deref()).map_err(|error| error.message)
    }
}

impl Transport for Lazy {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>> {
        match self.http.get_or_init(|| self.open()) {
            Ok(http) => http.send(request),
            Err(message) => {
                let error = NetError { message: message.clone(), hint: "see `ca` in config.toml" };
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }
}

impl Transport for Http {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>> {
        Box::pin(async move {
            let mut builder = match request.body {
                Some(body) => self.0.post(&request.url).header("content-type", "application/json").body(body),
                None => self.0.get(&request.url),
            };
            for (name, value) in request.headers {
                builder = builder.header(name, value);
            }
            if let Some((name, before, key)) = request.key {
                let value = reqwest::header::HeaderValue::from_str(&key.header(before)).map(|mut value| {
                    value.set_sensitive(true);
                    value
                });
                match value {
                    Ok(value) => builder = builder.header(name, value),
                    Err(_) => {
                        let message = "the key has characters that no header can carry".to_owned();
                        return Err(NetError { message, hint: "set the key again" });
                    }
                }
            }
            let response = builder.send().await.map_err(NetError::from)?;
            let status = response.status().as_u16();
            let text = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            };
            let headers = response.headers().iter().map(text).collect();
            let body = stream::unfold(Some(response), |response| async move {
                let mut response = response?;
                match response.chunk().await {
                    Ok(Some(bytes)) => Some((Ok(Vec::from(bytes)), Some(response))),
                    Ok(None) => None,
                    Err(error) => Some((Err(NetError::from(error)), None)),
                }
            });
            Ok(Response { status, headers, body: body.boxed() })
        })
    }
}

impl From<reqwest::Error> for NetError {
    fn from(error: reqwest::Error) -> Self {
        let message = chain(&error.without_url());
        let hint = if message.contains("certificate") || message.contains("Issuer") {
            "if a proxy has a certificate of its own, set SSL_CERT_FILE or `ca` to its file"
        } else if message.contains("proxy") {
            "see HTTPS_PROXY and NO_PROXY"
        } else {
            "see that the server runs and that the address is right"
        };
        Self { message, hint }
    }
}

/// An error with what caused it: the outermost words alone never say what is wrong.
fn chain(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut inner = error.source();
    while let Some(error) = inner {
        let more = error.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        inner = error.source();
    }
    words
}
