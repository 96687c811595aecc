//! Logins and tokens: who is let in, and for how long.

use super::*;
use axum::http::HeaderValue;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const DAY: u64 = 24 * 3600;

/// Logins that live as long as the test, with a disk that can fail.
#[derive(Default)]
pub(crate) struct Memory {
    saved: Mutex<HashMap<Hash, f64>>,
    is_broken: AtomicBool,
    lookups: AtomicU64,
}

impl Memory {
    fn works(&self) -> Result<(), Refusal> {
        if self.is_broken.load(Ordering::SeqCst) {
            return Err(Refusal::new(Code::StoreUnavailable, "The disk is full."));
        }
        Ok(())
    }
}

impl LoginStore for Memory {
    fn save(&self, hash: [u8; 32], at: f64) -> Result<(), Refusal> {
        self.works()?;
        locked(&self.saved).insert(hash, at);
        Ok(())
    }
    fn saved_at(&self, hash: [u8; 32]) -> Option<f64> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        locked(&self.saved).get(&hash).copied()
    }
    fn forget(&self, hash: [u8; 32]) {
        if self.works().is_ok() {
            locked(&self.saved).remove(&hash);
        }
    }
}

struct Scene {
    store: Arc<Memory>,
    clock: Clock,
    auth: Auth,
}

impl Scene {
    fn new() -> Self {
        let (store, clock) = (Arc::default(), Clock::driven());
        let auth = start(&store, &clock);
        Self { store, clock, auth }
    }
    fn restart(&mut self) {
        self.auth = start(&self.store, &self.clock);
    }
    fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
    fn log_in(&self) -> CookieValue {
        let code = self.auth.new_code().unwrap();
        self.auth.redeem(&code).unwrap()
    }
    fn knows(&self, value: &CookieValue) -> bool {
        self.auth.who(&with_cookie(value)).unwrap().is_some()
    }
}

fn start(store: &Arc<Memory>, clock: &Clock) -> Auth {
    Auth::new(3400, Some(TOKEN), store.clone(), clock.clone()).unwrap()
}

fn with_cookie(value: &CookieValue) -> HeaderMap {
    let line = format!("countersign_3400={}", value.as_str());
    HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&line).unwrap())])
}

fn with_authorization(lines: &[&str]) -> HeaderMap {
    let pair = |line: &&str| (header::AUTHORIZATION, HeaderValue::from_str(line).unwrap());
    lines.iter().map(pair).collect()
}

#[test]
fn a_code_becomes_a_login_once() {
    let scene = Scene::new();
    let code = scene.auth.new_code().unwrap();
    assert_eq!(code.len(), 32, "128 bits");
    let value = scene.auth.redeem(&code).unwrap();
    assert!(scene.knows(&value));
    assert_eq!(scene.auth.redeem(&code).unwrap_err(), LoginError::Used);
    assert_eq!(scene.auth.redeem("").unwrap_err(), LoginError::Wrong);
    assert_ne!(code, value.as_str());
}

#[test]
fn a_code_lasts_fifteen_minutes() {
    let scene = Scene::new();
    let code = scene.auth.new_code().unwrap();
    scene.pass(901);
    assert_eq!(scene.auth.redeem(&code).unwrap_err(), LoginError::Expired);
}

#[test]
fn guessing_is_stopped() {
    let scene = Scene::new();
    let code = scene.auth.new_code().unwrap();
    for _ in 0..10 {
        assert_eq!(scene.auth.redeem("guess").unwrap_err(), LoginError::Wrong);
    }
    assert_eq!(scene.auth.redeem(&code).unwrap_err(), LoginError::TooMany);
    scene.pass(60);
    assert!(scene.auth.redeem(&code).is_ok());
}

#[test]
fn many_at_once_with_one_code_get_one_login() {
    let scene = Scene::new();
    let code = scene.auth.new_code().unwrap();
    let logins = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| scene.auth.redeem(&code).is_ok()))
            .collect();
        let outcomes = tries.into_iter().map(|one| one.join().unwrap());
        outcomes.filter(|is_in| *is_in).count()
    });
    assert_eq!(logins, 1);
}

#[test]
fn a_code_is_not_lost_when_the_login_cannot_be_saved() {
    let scene = Scene::new();
    let code = scene.auth.new_code().unwrap();
    scene.store.is_broken.store(true, Ordering::SeqCst);
    let error = scene.auth.redeem(&code).unwrap_err();
    assert_eq!(error.refusal().code, Code::StoreUnavailable);
    scene.store.is_broken.store(false, Ordering::SeqCst);
    assert!(scene.auth.redeem(&code).is_ok());
}

#[test]
fn a_login_outlives_the_server_and_is_stored_as_a_hash() {
    let mut scene = Scene::new();
    let value = scene.log_in();
    scene.restart();
    assert!(scene.knows(&value));
    assert!(scene.knows(&value));
    assert_eq!(scene.store.lookups.load(Ordering::SeqCst), 1, "then cached");
    let stored: Vec<Hash> = locked(&scene.store.saved).keys().copied().collect();
    assert_eq!(stored, [secret::hash(value.as_str())]);
}

#[test]
fn a_login_ends_after_thirty_days_also_on_the_server() {
    let mut scene = Scene::new();
    let value = scene.log_in();
    for _ in 0..30 {
        scene.pass(DAY);
        assert!(scene.knows(&value));
    }
    scene.pass(1);
    assert!(!scene.knows(&value));
    scene.restart();
    assert!(!scene.knows(&value));
    assert!(locked(&scene.store.saved).is_empty());
}

#[test]
fn an_unused_login_ends_after_a_week() {
    let scene = Scene::new();
    let value = scene.log_in();
    scene.pass(7 * DAY);
    assert!(scene.knows(&value));
    scene.pass(7 * DAY + 1);
    assert!(!scene.knows(&value));
}

#[test]
fn logout_ends_this_login_and_no_other() {
    let mut scene = Scene::new();
    let (mine, other) = (scene.log_in(), scene.log_in());
    scene.auth.log_out(&with_cookie(&mine));
    assert!(!scene.knows(&mine) && scene.knows(&other));
    scene.restart();
    assert!(!scene.knows(&mine) && scene.knows(&other));
    scene.auth.log_out(&HeaderMap::new());
    assert!(scene.knows(&other));
}

#[test]
fn a_logout_counts_at_once_even_if_the_store_is_late() {
    let scene = Scene::new();
    let value = scene.log_in();
    scene.store.is_broken.store(true, Ordering::SeqCst);
    scene.auth.log_out(&with_cookie(&value));
    assert!(!scene.knows(&value));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_the_end_of_a_login_hears_of_it() {
    let scene = Scene::new();
    let (mine, other) = (scene.log_in(), scene.log_in());
    let viewer = |value| scene.auth.who(&with_cookie(value)).unwrap().unwrap();
    let waits = |viewer| tokio::time::timeout(LOOK_AGAIN * 3, scene.auth.until_ended(viewer));
    let (mine_viewer, other_viewer) = (viewer(&mine), viewer(&other));
    assert!(waits(mine_viewer).await.is_err(), "still logged in");

    let (ended, ()) = tokio::join!(waits(mine_viewer), async {
        scene.auth.log_out(&with_cookie(&mine));
    });
    assert!(ended.is_ok());
    assert!(waits(other_viewer).await.is_err());
    scene.pass(31 * DAY);
    assert!(waits(other_viewer).await.is_ok());

    let bearer = scene
        .auth
        .who(&with_authorization(&[&format!("Bearer {TOKEN}")]));
    assert!(waits(bearer.unwrap().unwrap()).await.is_err());
}

#[test]
fn the_token_opens_and_anything_like_it_does_not() {
    let scene = Scene::new();
    let who = |lines: &[&str]| scene.auth.who(&with_authorization(lines));
    let right = format!("Bearer {TOKEN}");
    let viewer = who(&[&right]).unwrap().unwrap();
    assert_eq!(viewer.by, Proof::Bearer);
    assert!(who(&[&format!("bearer {TOKEN}")]).is_ok());
    for wrong in [
        "",
        "Bearer",
        "Bearer ",
        TOKEN,
        &format!("Basic {TOKEN}"),
        &format!("Bearer {TOKEN}0"),
        &format!("Bearer {}", &TOKEN[1..]),
        &format!("Bearer {}", TOKEN.to_uppercase()),
        &format!("Bearer {TOKEN}, Bearer {TOKEN}"),
    ] {
        assert_eq!(who(&[wrong]).unwrap_err().code, Code::Unauthorized);
    }
    assert!(who(&[&right, &right]).is_err());
    assert_eq!(scene.auth.who(&HeaderMap::new()), Ok(None));
}

#[test]
fn a_wrong_bearer_is_not_saved_by_a_cookie() {
    let scene = Scene::new();
    let mut headers = with_cookie(&scene.log_in());
    headers.extend(with_authorization(&["Bearer wrong"]));
    assert_eq!(
        scene.auth.who(&headers).unwrap_err().code,
        Code::Unauthorized
    );
}

#[test]
fn without_a_configured_token_no_bearer_opens() {
    let auth = Auth::new(1, None, Arc::new(Memory::default()), Clock::real()).unwrap();
    for shown in ["Bearer ", "Bearer x", &format!("Bearer {TOKEN}")] {
        assert!(auth.who(&with_authorization(&[shown])).is_err());
    }
}

#[test]
fn a_weak_token_is_a_configuration_error_that_does_not_repeat_it() {
    for weak in ["", "short-token", &TOKEN[1..], &format!("{TOKEN} ä")] {
        let made = Auth::new(1, Some(weak), Arc::new(Memory::default()), Clock::real());
        let error = made.err().expect(weak);
        assert!(error.starts_with("COUNTERSIGN_TOKEN") && error.ends_with('.'));
        assert!(weak.is_empty() || !error.contains(weak));
    }
}

#[test]
fn another_servers_cookie_of_our_name_does_not_lock_us_out() {
    let scene = Scene::new();
    let value = scene.log_in();
    let foreign = "f".repeat(64);
    let line = format!(
        "countersign_3400={foreign}; countersign_3400={}",
        value.as_str()
    );
    let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&line).unwrap())]);
    let viewer = scene.auth.who(&headers).unwrap().unwrap();
    assert_eq!(viewer.by, Proof::Cookie);
    assert_eq!(format!("{viewer:?}"), "Viewer by Cookie");
}
