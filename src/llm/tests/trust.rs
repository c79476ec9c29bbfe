//! Certificates: one of an authority in `ca` is trusted; another is not, and the error says whose it is.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::engine::ports::{Fault, Provider};
use crate::llm::fleet::Fleet;

use super::sockets::{HEAD, once};
use super::{Then, end, event, free, question, settings};

/// A server whose certificate an authority of this name signed; its address, and the authority's certificate.
async fn server(authority: &str) -> (String, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, authority);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let own = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&own, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let private = PrivateKeyDer::try_from(own.serialize_der()).unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], private).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        let acceptor = TlsAcceptor::from(Arc::new(config));
        while let Ok((socket, _)) = listener.accept().await {
            let Ok(mut socket) = acceptor.accept(socket).await else { continue };
            let mut block = [0; 64 << 10];
            let _ = socket.read(&mut block).await;
            let _ = socket.write_all(format!("{HEAD}{}{}", event("4"), end()).as_bytes()).await;
            let _ = socket.shutdown().await;
        }
    });
    (url, pem)
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_and_any_other_is_named() {
    let (url, pem) = server("Test Authority 7").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    std::fs::write(&path, pem).unwrap();
    let fleet = |ca: Option<&std::path::Path>| {
        let mut settings = settings(&["a"]);
        settings.endpoints[0].url = url.clone();
        settings.authorities = ca.map(ToOwned::to_owned);
        settings.patient = once();
        Fleet::new(settings, free(), Arc::new(Then))
    };
    assert_eq!(fleet(Some(&path)).ask(&question(), &|_| {}).await.unwrap().text, "4");

    let error = fleet(None).ask(&question(), &|_| {}).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unreachable);
    let told = error.told();
    for words in ["localhost", "`Test Authority 7`", "`ca` in config.toml"] {
        assert!(told.contains(words), "{told}");
    }
    assert_eq!(error.tokens.total(), 0, "nothing was asked");

    std::fs::write(&path, "no certificate").unwrap();
    let error = fleet(Some(&path)).ask(&question(), &|_| {}).await.unwrap_err();
    assert!(error.message.contains("certificates cannot be used") && error.hint.is_some(), "{error:?}");
}
