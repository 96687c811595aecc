//! Who is at the door: a script with the fixed token, or a browser that redeemed a login code for a cookie.
//!
//! Secrets are kept as hashes only and compared in constant time; none of them may reach a log, an address or an
//! error. What a person may do from where is decided in [`super::guard`]; where logins are kept, in the store.

mod codes;
mod cookie;
mod routes;
mod secret;

pub use codes::CODE_SECONDS;
pub use cookie::{CookieValue, LOGIN_SECONDS};
pub use routes::{login, logout, refused, routes};

use super::clock::Clock;
use crate::model::{Code, LoginFailure, Refusal};
use axum::http::{HeaderMap, header};
use codes::Codes;
use secret::Hash;
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::watch;

/// A login that asked for nothing for so long has ended, while the server runs: it is not written down.
pub const IDLE_SECONDS: f64 = 7.0 * 24.0 * 3600.0;
const SHORTEST_TOKEN: usize = 32;
const LOOK_AGAIN: Duration = Duration::from_secs(60);
const HOW_TO_LOG_IN: &str = "You are not logged in. Open the link that Countersign printed when it started (`countersign login-link` prints a new one), or send `Authorization: Bearer` with the value of COUNTERSIGN_TOKEN.";
const WRONG_TOKEN: &str = "The Authorization header is not accepted. Send it once, as `Bearer` and the value of COUNTERSIGN_TOKEN that the server was started with.";

/// Where logins outlive the server. It keeps what it is told, in Unix seconds; how long a login counts is decided here.
pub trait LoginStore: Send + Sync {
    fn save(&self, hash: [u8; 32], at: f64) -> Result<(), Refusal>;
    /// When this login was saved, if it was and has not been forgotten.
    fn saved_at(&self, hash: [u8; 32]) -> Option<f64>;
    /// May be done later: what was forgotten while the server runs is remembered here.
    fn forget(&self, hash: [u8; 32]);
}

/// How a request proved that it comes from the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    Bearer,
    Cookie,
}

/// In the extensions of every request that is let in (of a public one only when it proved something).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    pub by: Proof,
    login: Option<Hash>,
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Viewer by {:?}", self.by)
    }
}

/// Why a login code gave no cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginError {
    Wrong,
    Used,
    Expired,
    TooMany,
    Unavailable(Refusal),
}

impl LoginError {
    pub fn failure(&self) -> LoginFailure {
        match self {
            LoginError::Wrong => LoginFailure::Wrong,
            LoginError::Used => LoginFailure::Used,
            LoginError::Expired => LoginFailure::Expired,
            LoginError::TooMany => LoginFailure::TooMany,
            LoginError::Unavailable(_) => LoginFailure::Unavailable,
        }
    }

    pub fn refusal(&self) -> Refusal {
        let sentence = self.failure().sentence();
        match self {
            LoginError::Unavailable(refusal) => refusal.clone(),
            LoginError::TooMany => Refusal::new(Code::TooMany, sentence),
            LoginError::Wrong | LoginError::Used | LoginError::Expired => {
                Refusal::new(Code::Unauthorized, sentence)
            }
        }
    }
}

/// Measured on the wall clock: the hours in which a laptop sleeps count, and so do those between two starts.
struct Login {
    began_at: f64,
    seen_at: f64,
    is_over: bool,
}

impl Login {
    fn new(began_at: f64, now: f64) -> Self {
        Self {
            began_at,
            seen_at: now,
            is_over: false,
        }
    }

    fn is_too_old(&self, now: f64) -> bool {
        now - self.began_at > LOGIN_SECONDS || now - self.seen_at > IDLE_SECONDS
    }
}

pub struct Auth {
    cookie_name: String,
    token: Option<Hash>,
    codes: Mutex<Codes>,
    /// Those seen since the start; those that are over stay, so that a store that forgets later cannot bring them
    /// back. For the same reason the lock is held over calls of the store.
    logins: Mutex<HashMap<Hash, Login>>,
    store: Arc<dyn LoginStore>,
    clock: Clock,
    forgotten: watch::Sender<()>,
}

impl Auth {
    /// The port names the cookie, because cookies do not tell ports apart. The error is a sentence for the user.
    pub fn new(
        port: u16,
        token: Option<&str>,
        store: Arc<dyn LoginStore>,
        clock: Clock,
    ) -> Result<Auth, String> {
        if let Some(token) = token {
            check_token(token)?;
        }
        Ok(Auth {
            cookie_name: format!("countersign_{port}"),
            token: token.map(secret::hash),
            codes: Mutex::default(),
            logins: Mutex::default(),
            store,
            clock,
            forgotten: watch::Sender::new(()),
        })
    }

    /// A code for one login in the next 15 minutes. It belongs after the `#` of a link: browsers do not send that part.
    pub fn new_code(&self) -> Result<String, Refusal> {
        let code = secret::random::<16>()?;
        locked(&self.codes).add(secret::hash(&code), self.clock.now().0);
        Ok(code)
    }

    pub fn redeem(&self, code: &str) -> Result<CookieValue, LoginError> {
        let now = self.clock.now().0;
        let code = secret::hash(code);
        locked(&self.codes).take(code, now)?;
        // from here the code is used, so nobody else can pass; it is given back only when no cookie came of it
        self.begin_login(now).map_err(|refusal| {
            locked(&self.codes).give_back(code);
            LoginError::Unavailable(refusal)
        })
    }

    fn begin_login(&self, now: f64) -> Result<CookieValue, Refusal> {
        let value = CookieValue::random()?;
        let mut logins = locked(&self.logins);
        self.store.save(value.hash(), now)?;
        logins.insert(value.hash(), Login::new(now, now));
        Ok(value)
    }

    /// `Ok(None)`: nothing was shown that counts. A wrong `Authorization` is an error, whatever the cookie says.
    pub fn who(&self, headers: &HeaderMap) -> Result<Option<Viewer>, Refusal> {
        let mut shown = headers.get_all(header::AUTHORIZATION).iter();
        let Some(first) = shown.next() else {
            return Ok(self.login_of(headers).map(|login| Viewer {
                by: Proof::Cookie,
                login: Some(login),
            }));
        };
        let alone = shown.next().is_none();
        let bearer = first.to_str().ok().and_then(bearer).filter(|_| alone);
        if bearer.is_some_and(|token| self.is_token(token)) {
            return Ok(Some(Viewer {
                by: Proof::Bearer,
                login: None,
            }));
        }
        Err(Refusal::new(Code::Unauthorized, WRONG_TOKEN))
    }

    /// What to tell someone of whom [`Auth::who`] knows nothing.
    pub fn not_logged_in() -> Refusal {
        Refusal::new(Code::Unauthorized, HOW_TO_LOG_IN)
    }

    /// Waits until this login is over, by logout or by age. An open socket of its must then be closed.
    pub async fn until_ended(&self, viewer: Viewer) {
        let Some(login) = viewer.login else {
            return std::future::pending().await;
        };
        let mut forgotten = self.forgotten.subscribe();
        while self.is_current(login, false) {
            tokio::select! {
                _ = forgotten.changed() => {}
                () = tokio::time::sleep(LOOK_AGAIN) => {}
            }
        }
    }

    /// Ends the login whose cookie these headers carry, if there is one.
    pub fn log_out(&self, headers: &HeaderMap) {
        if let Some(login) = self.login_of(headers) {
            self.forget(login);
        }
    }

    pub fn set_cookie(&self, value: &CookieValue, secure: bool) -> String {
        cookie::set(&self.cookie_name, value, secure)
    }

    pub fn clear_cookie(&self) -> String {
        cookie::clear(&self.cookie_name)
    }

    fn is_token(&self, shown: &str) -> bool {
        let shown = secret::hash(shown);
        self.token.is_some_and(|token| secret::same(&token, &shown))
    }

    /// Several cookies may have our name, set by another server on another port; only one that we gave counts.
    fn login_of(&self, headers: &HeaderMap) -> Option<Hash> {
        cookie::values(headers, &self.cookie_name)
            .map(|value| value.hash())
            .find(|login| self.is_current(*login, true))
    }

    fn is_current(&self, hash: Hash, is_a_visit: bool) -> bool {
        let now = self.clock.now().0;
        let mut logins = locked(&self.logins);
        let login = match logins.entry(hash) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let Some(began_at) = self.store.saved_at(hash) else {
                    return false;
                };
                unknown.insert(Login::new(began_at, now))
            }
        };
        if !login.is_over && login.is_too_old(now) {
            login.is_over = true;
            self.store.forget(hash);
        }
        if is_a_visit {
            login.seen_at = now;
        }
        !login.is_over
    }

    fn forget(&self, hash: Hash) {
        let mut logins = locked(&self.logins);
        if let Some(login) = logins.get_mut(&hash) {
            login.is_over = true;
        }
        self.store.forget(hash);
        drop(logins);
        self.forgotten.send_replace(());
    }
}

fn check_token(token: &str) -> Result<(), String> {
    if token.chars().count() < SHORTEST_TOKEN {
        return Err(format!(
            "COUNTERSIGN_TOKEN must have at least {SHORTEST_TOKEN} characters; `openssl rand -hex 32` makes a good one."
        ));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(
            "COUNTERSIGN_TOKEN may only have letters, digits and punctuation of ASCII, because it travels in a header."
                .to_owned(),
        );
    }
    Ok(())
}

fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_matches(' '))
}

/// What these locks protect is whole between any two statements, so a panic elsewhere does not spoil it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests;
