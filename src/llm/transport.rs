//! HTTP as far as calls of models need it. The real thing is `reqwest`; tests of time use one in memory, since a paused clock
//! runs ahead of a real socket.

use std::fs;
use std::path::PathBuf;
use std::sync::{Once, OnceLock};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};

use crate::engine::ports::PortError;

use super::certificate;
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
    /// Whether a server may have got the request, and bills it.
    pub(super) sent: bool,
}

/// The real network: one client for everything, so that proxies and certificates are the same for all; and one without proxies
/// for servers on this machine, which no proxy elsewhere could reach.
pub(super) struct Http {
    far: reqwest::Client,
    near: reqwest::Client,
}

impl Http {
    /// Makes the client. Certificates are the system's (on Unix those of `SSL_CERT_FILE` where it is set) and those of a PEM
    /// text; proxies are the system's and those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    pub(super) fn new(authorities: Option<&[u8]>) -> Result<Self, PortError> {
        static RING: Once = Once::new();
        RING.call_once(|| {
            // Fails only where one was chosen before, which then serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let builder = || {
            reqwest::Client::builder()
                .user_agent(concat!("mop/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(CONNECT)
                .pool_idle_timeout(POOLED)
                .tcp_keepalive(POOLED)
                // A redirect would carry the key to another host.
                .redirect(reqwest::redirect::Policy::none())
        };
        let own = match authorities {
            None => Vec::new(),
            Some(pem) => {
                let own = reqwest::Certificate::from_pem_bundle(pem).map_err(|error| chain(&error));
                let own = own.and_then(|own| if own.is_empty() { Err("it holds none".to_owned()) } else { Ok(own) });
                own.map_err(|why| {
                    PortError::new(format!("the certificates cannot be used: {why}"))
                        .hint("give a file with certificates in PEM form")
                })?
            }
        };
        let make = |builder: reqwest::ClientBuilder| {
            let builder = if own.is_empty() { builder } else { builder.tls_certs_merge(own.clone()) };
            let cannot = |error| PortError::new(format!("no HTTP client can be made: {}", chain(&error)));
            builder.build().map_err(cannot)
        };
        Ok(Self { far: make(builder())?, near: make(builder().no_proxy())? })
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
                let error = NetError { message: message.clone(), hint: "see `ca` in config.toml", sent: false };
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }
}

impl Transport for Http {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>> {
        Box::pin(async move {
            let client = if on_this_machine(&request.url) { &self.near } else { &self.far };
            let mut builder = match request.body {
                Some(body) => client.post(&request.url).header("content-type", "application/json").body(body),
                None => client.get(&request.url),
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
                        return Err(NetError { message, hint: "set the key again", sent: false });
                    }
                }
            }
            let response = match builder.send().await {
                Ok(response) => response,
                Err(error) => {
                    let mut error = NetError::from(error);
                    if error.message.contains(UNTRUSTED) {
                        error.message = format!("{}{}", error.message, whose(&request.url).await);
                    }
                    return Err(error);
                }
            };
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

/// Words of the TLS library for a certificate that it does not trust.
const UNTRUSTED: &str = "invalid peer certificate";

/// Host and issuer of a certificate that is not trusted, as the end of a message. Asks once more, on the same way as everyone and
/// whatever the certificate is, but without key and question.
async fn whose(url: &str) -> String {
    let Ok(mut url) = reqwest::Url::parse(url) else { return String::new() };
    url.set_path("/");
    url.set_query(None);
    let host = url.host_str().unwrap_or_default().to_owned();
    let client = reqwest::Client::builder().connect_timeout(CONNECT).timeout(CONNECT).tls_info(true);
    let client = client.tls_danger_accept_invalid_certs(true).redirect(reqwest::redirect::Policy::none());
    let client = if on_this_machine(url.as_str()) { client.no_proxy() } else { client };
    let response = match client.build() {
        Ok(client) => client.head(url).send().await.ok(),
        Err(_) => None,
    };
    let info = response.and_then(|response| response.extensions().get::<reqwest::tls::TlsInfo>().cloned());
    let issuer = info.and_then(|info| certificate::issuer(info.peer_certificate()?));
    match issuer {
        Some(issuer) => format!(" (the certificate of {host} is issued by `{issuer}`)"),
        None => format!(" (the certificate of {host})"),
    }
}

fn on_this_machine(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    match url.host_str().unwrap_or_default().trim_matches(['[', ']']) {
        "localhost" => true,
        host => host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

impl From<reqwest::Error> for NetError {
    fn from(error: reqwest::Error) -> Self {
        let sent = !error.is_connect() && !error.is_builder();
        let message = chain(&error.without_url());
        let hint = if message.contains(UNTRUSTED) {
            "if you trust it, set `ca` in config.toml (or SSL_CERT_FILE) to a file with the issuer's certificate"
        } else if message.contains("proxy") {
            "see HTTPS_PROXY and NO_PROXY"
        } else {
            "see that the server runs and that the address is right"
        };
        Self { message, hint, sent }
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
