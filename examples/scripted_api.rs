//! The scripted Messages API as a program, for the browser tests: prints its address and serves until it is ended.
//! `POST /release/NAME` lets a `[[hold NAME]]` go on; `GET /asked` shows what the model was asked.

#[path = "../tests/support/messages_api/mod.rs"]
mod messages_api;

use messages_api::MessagesApi;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let (api, serving) = MessagesApi::on(listener);
    println!("The scripted API is ready at {}", api.url());
    serving.await;
}
