//! Every connection from outside: taken, given to the routes, and ended when it says nothing. A stranger must not hold one for
//! ever by sending half a request, or none.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower_http::timeout::RequestBodyTimeoutLayer;

/// For the head of a request, and for the next one to begin.
const HEAD_WITHIN: Duration = Duration::from_secs(30);
/// From one piece of a body to the next.
const PIECE_WITHIN: Duration = Duration::from_secs(30);
/// When there is no room for another connection, as when all descriptors are in use.
const REST: Duration = Duration::from_millis(500);

/// Never ends by itself.
pub async fn serve(listener: TcpListener, routes: Router) {
    let routes = routes.layer(RequestBodyTimeoutLayer::new(PIECE_WITHIN));
    loop {
        match listener.accept().await {
            Ok((connection, _)) => drop(tokio::spawn(converse(connection, routes.clone()))),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

async fn converse(connection: TcpStream, routes: Router) {
    // several small frames follow each other: none may wait until the one before it is acknowledged
    let _ = connection.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .serve_connection(TokioIo::new(connection), TowerToHyperService::new(routes))
        .with_upgrades()
        .await;
    if let Err(error) = served {
        tracing::trace!(%error, "a connection broke off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn listening() -> std::net::SocketAddr {
        let routes = Router::new()
            .route("/", get(|| async { "well" }))
            .route("/body", post(|body: String| async move { body }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(serve(listener, routes));
        address
    }

    /// All that is said to someone who sends this and then nothing more.
    async fn heard_after(sent: &str) -> String {
        let mut connection = TcpStream::connect(listening().await).await.expect("open");
        connection.write_all(sent.as_bytes()).await.expect("sent");
        let mut heard = String::new();
        // ends only when the server ends it
        let _ = connection.read_to_string(&mut heard).await;
        heard
    }

    // the clock is ours: it goes on as soon as nothing else happens
    #[tokio::test(start_paused = true)]
    async fn who_sends_nothing_or_half_a_request_is_not_kept() {
        assert_eq!(heard_after("").await, "");
        assert_eq!(heard_after("GET / HTTP/1.1\r\nHost: a").await, "");
        let half = "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf";
        assert!(heard_after(half).await.starts_with("HTTP/1.1 4"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_is_answered_and_the_connection_is_let_go_when_no_other_comes() {
        let heard = heard_after("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(
            heard.starts_with("HTTP/1.1 200 OK") && heard.ends_with("well"),
            "{heard}"
        );
    }
}
