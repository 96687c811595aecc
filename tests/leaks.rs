//! Nothing stays behind when requests have been answered: ten thousand of them through a real server.
#![cfg(feature = "ssr")]

mod support;

use support::{Place, Server, allow, scripted_agent, until};

const MEGABYTE: u64 = 1024 * 1024;

/// So many are asked at once: their answers go to disk together, and the disk is not what is measured here.
const AT_ONCE: usize = 25;
const ROUNDS: usize = 400;
/// Up to here it warms up: caches, buffers, what the allocator keeps for itself.
const WARM: usize = 40;

#[tokio::test]
async fn ten_thousand_requests_leave_no_memory_behind() {
    let place = Place::new();
    let body = "
ready; hear
round=0
while [ $round -lt 400 ]; do
  for number in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do ask \"$round-$number\" \"echo $number\"; done
  for number in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do hear; done
  round=$((round + 1))
done
say done; finish; hear";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let mut warm = 0;
    for round in 0..ROUNDS {
        if round == WARM {
            warm = server.memory();
        }
        for request in socket.all_pending(&session, AT_ONCE).await {
            socket.respond(&session, &request, allow()).await;
        }
        socket
            .process(&session, "all answered", |process| {
                process["waiting_for_user"] == false
            })
            .await;
        socket.forget();
    }
    socket.state(&session, "user_turn").await;
    let end = server.memory();
    println!(
        "{} kB after {} requests, {} kB after {}",
        warm / 1024,
        WARM * AT_ONCE,
        end / 1024,
        ROUNDS * AT_ONCE
    );
    assert!(end < warm + 10 * MEGABYTE, "from {warm} to {end} bytes");
}

#[tokio::test]
async fn an_open_request_weighs_less_than_a_megabyte() {
    const OPEN: u64 = 200;
    let place = Place::new();
    let body = "ready; hear; finish; hear\nnumber=0\nwhile [ $number -lt 200 ]; do ask \"id-$number\" \"echo $number\"; number=$((number + 1)); done\nwhile :; do answered; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let before = server.memory();
    server.send(&session, "go").await;
    let requests = socket.all_pending(&session, 200).await;
    let each = server.memory().saturating_sub(before) / OPEN;
    println!("{} kB per open request", each / 1024);
    assert!(each < MEGABYTE, "{each} bytes each");

    // answered from the newest to the oldest, each reaches the agent
    for request in requests.iter().rev() {
        server.respond(&session, request, allow()).await.done();
    }
    let heard = until("all answers", async || {
        let heard = place.project_file("heard.jsonl")?;
        (heard.lines().count() == requests.len()).then_some(heard)
    })
    .await;
    assert!(
        heard
            .lines()
            .next()
            .is_some_and(|line| line.contains("\"id-199\"")),
        "in the order they were given"
    );
    no_request_is_left(&server, &session).await;
}

async fn no_request_is_left(server: &Server, session: &str) {
    let process = server.process(session).await.expect("a process");
    assert!(process.get("pending_requests").is_none(), "{process}");
}
