//! What the integration tests stand on: the real binary on a free port with real children, a client that is not ours
//! for HTTP and for the socket, and agents written as a few lines of shell.
//!
//! Everything waits for a condition, never for a time; only a failing test waits as long as [`PATIENCE`].
// each test program uses its own part of this
#![allow(dead_code, unused_imports)]

mod claude;
mod in_process;
pub mod messages_api;
mod place;
mod script;
mod server;
mod socket;

pub use claude::{Claude, program};
pub use in_process::{Indoors, settings};
pub use place::Place;
pub use script::{ASKS_ONCE, demo_agent, scripted_agent};
pub use server::{Reply, Server, Start, allow, deny, is_a_sentence, read};
pub use socket::Socket;

use std::time::Duration;

/// Far more than anything here takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// For scripts; long enough to be accepted.
pub const TOKEN: &str = "a-fixed-token-for-the-tests-0123456789";

/// Looks again and again until there is something to see.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let mut often = tokio::time::interval(Duration::from_millis(5));
    let watch = async {
        loop {
            often.tick().await;
            if let Some(found) = look().await {
                return found;
            }
        }
    };
    match tokio::time::timeout(PATIENCE, watch).await {
        Ok(found) => found,
        Err(_) => panic!("{what}: it did not happen"),
    }
}
