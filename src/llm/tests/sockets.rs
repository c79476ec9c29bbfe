//! Over real sockets: what only a real client can show. Nothing here sleeps; limits are short instead.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::engine::ports::{Fault, Provider, ProviderError, Reply};
use crate::llm::discover::{discover, preselected};
use crate::llm::endpoint::EndpointSettings;
use crate::llm::fleet::{Fleet, Patient};
use crate::llm::key::{ApiKey, Keys};
use crate::llm::wire::Format;
use crate::llm::{FleetSettings, Patience};

use super::{CANARY, Then, end, event, free, question, settings};

pub(super) const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    (listener, url)
}

/// Reads a request to its end.
pub(super) async fn request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let mut block = [0; 4096];
        let read = socket.read(&mut block).await.unwrap();
        bytes.extend_from_slice(&block[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return text.into_owned();
        }
    }
}

fn at(url: &str, patient: Patient) -> Fleet {
    let mut settings: FleetSettings = settings(&["a"]);
    settings.endpoints[0].url = url.to_owned();
    settings.patient = patient;
    Fleet::new(settings, free(), Arc::new(Then))
}

pub(super) fn once() -> Patient {
    let patience = Patience { first: Duration::from_secs(5), idle: Duration::from_secs(5) };
    Patient { tries: 1, patience, ..Patient::default() }
}

async fn ask(fleet: &Fleet) -> Result<Reply, ProviderError> {
    timeout(Duration::from_secs(20), fleet.ask(&question(), &|_| {})).await.unwrap()
}

/// A server that answers one request with these pieces, each in a packet of its own, and then closes.
fn serve(listener: TcpListener, pieces: Vec<Vec<u8>>) -> JoinHandle<String> {
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        let request = request(&mut socket).await;
        for piece in pieces {
            if socket.write_all(&piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        request
    })
}

#[tokio::test]
async fn a_stream_in_single_bytes_is_read() {
    let (listener, url) = listener().await;
    let whole = format!("{HEAD}{}{}{}", event("é"), event("√2 "), end());
    let server = serve(listener, whole.bytes().map(|byte| vec![byte]).collect());
    let reply = ask(&at(&url, once())).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.tokens.total()), ("é√2 ", 15));
    let request = server.await.unwrap();
    assert!(request.starts_with("POST /v1/chat/completions "), "{request}");
    assert!(request.contains(&format!("authorization: Bearer {CANARY}")), "the key goes to its server");
}

#[tokio::test]
async fn a_connection_that_is_lost_in_the_middle_is_cut_off() {
    let (listener, url) = listener().await;
    // It promised more than it sends.
    let head = HEAD.replace("connection: close", "content-length: 5000");
    serve(listener, vec![format!("{head}{}", event("so far")).into_bytes()]);
    let error = ask(&at(&url, once())).await.unwrap_err();
    assert_eq!((error.fault, error.partial.unwrap().text.as_str()), (Fault::CutOff, "so far"));
}

#[tokio::test]
async fn a_stall_is_cut_after_the_idle_limit() {
    let (listener, url) = listener().await;
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        request(&mut socket).await;
        socket.write_all(format!("{HEAD}{}", event("so far")).as_bytes()).await.unwrap();
        // Ends when the client closes.
        socket.read(&mut [0; 16]).await
    });
    let patience = Patience { first: Duration::from_secs(5), idle: Duration::from_millis(100) };
    let error = ask(&at(&url, Patient { patience, ..once() })).await.unwrap_err();
    assert_eq!((error.fault, error.partial.unwrap().text.as_str()), (Fault::Stalled, "so far"));
    assert_eq!(server.await.unwrap().unwrap(), 0);
}

#[tokio::test]
async fn calling_off_closes_the_connection_of_a_silent_and_of_a_fast_server() {
    for fast in [false, true] {
        let (listener, url) = listener().await;
        let (began, mut begun) = tokio::sync::mpsc::channel(1);
        let server = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            request(&mut socket).await;
            socket.write_all(format!("{HEAD}{}", event("so far")).as_bytes()).await.unwrap();
            let mut number = 0;
            // Neither ends before the client closes.
            while fast && socket.write_all(event(&number.to_string()).as_bytes()).await.is_ok() {
                number += 1;
            }
            matches!(socket.read(&mut [0; 16]).await, Ok(0) | Err(_))
        });
        let fleet = at(&url, once());
        let see = move |piece: crate::engine::ports::Piece<'_>| {
            if matches!(piece, crate::engine::ports::Piece::Text(_)) {
                let _ = began.try_send(());
            }
        };
        {
            let question = question();
            let asking = fleet.ask(&question, &see);
            tokio::select! {
                result = asking => panic!("it ended by itself: {result:?}"),
                _ = begun.recv() => {}
            }
        }
        assert!(timeout(Duration::from_secs(20), server).await.unwrap().unwrap(), "fast: {fast}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let (listener, url) = listener().await;
    drop(listener);
    let error = ask(&at(&url, once())).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unreachable);
    assert!(error.message.contains("refused") && error.hint.is_some(), "{error:?}");
    assert!(!format!("{error:?}").contains("canary"));
}

#[tokio::test]
async fn what_answers_with_other_than_tls_is_unreachable_and_not_trusted() {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        socket.write_all(HEAD.as_bytes()).await
    });
    let error = ask(&at(&url.replace("http://", "https://"), once())).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unreachable, "{error:?}");
}

#[tokio::test]
async fn servers_are_found_and_what_is_silent_is_not_preselected() {
    let (there, url) = listener().await;
    let list = r#"{"data":[{"id":"qwen"}]}"#;
    let body = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{list}", list.len());
    serve(there, vec![body.into_bytes()]);
    let (silent, silent_url) = listener().await;
    let (html, html_url) = listener().await;
    serve(html, vec![b"HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n<html>".to_vec()]);
    let endpoint = |name: &str, url: &str| {
        let mut endpoint = EndpointSettings::new(name, Format::OpenAi, url);
        endpoint.key = ApiKey::new(CANARY);
        endpoint
    };
    let all = [endpoint("silent", &silent_url), endpoint("html", &html_url), endpoint("there", &url)];
    // A variable that points to nowhere keeps the test from finding what runs on this machine.
    let env: &dyn Fn(&str) -> Option<String> = &|name| (name == "OLLAMA_HOST").then(|| silent_url.clone());
    let began = Instant::now();
    let found = discover(&all, &Keys::default(), env, None).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "all at once: {:?}", began.elapsed());
    assert!(found[0].models.as_ref().unwrap_err().why.contains("1500 ms"), "{:?}", found[0]);
    assert!(found[1].models.as_ref().unwrap_err().why.contains("404"), "{:?}", found[1]);
    assert_eq!(found[2].models, Ok(vec!["qwen".to_owned()]));
    let named: Vec<_> = found.iter().filter(|it| it.named).cloned().collect();
    assert_eq!(preselected(&named).map(|(it, model)| (it.name.as_str(), model)), Some(("there", "qwen")));
    assert!(!format!("{found:?}").contains("canary"));
    drop(silent);
}
