//! From settings to a running server, and to its orderly end.

use super::agent::{AgentProgram, leftovers};
use super::assets;
use super::auth::{Auth, LoginStore};
use super::clock::Clock;
use super::command_line::Config;
use super::connections;
use super::control;
use super::guard::{self, Door, Gate};
use super::hub::{Hub, Setup};
use super::router::{self, Shared};
use super::store::{DATABASE, Store};
use super::stream::Sockets;
use crate::model::{Refusal, UnixTime};
use crate::server::system_words::plainly;
use axum::extract::Extension;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::fs::{DirBuilder, File, Permissions, TryLockError};
use std::future::Future;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Why the server did not start, or stopped. The sentence is for a person.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong use or configuration.
    #[error("{0}")]
    Configuration(String),
    #[error("{0}")]
    Other(String),
}

/// A server that listens. Dropping it stops nothing: call [`Server::serve`].
pub struct Server {
    listener: TcpListener,
    routes: axum::Router,
    pub hub: Hub,
    sockets: Sockets,
    /// With a login code that works once.
    pub link: String,
    /// Gives out further links.
    control: Pin<Box<dyn Future<Output = ()> + Send>>,
    // held until the end: one server per data directory
    _lock: File,
}

/// When everything has ended, the last frames are given this long to leave.
const LAST_FRAMES: Duration = Duration::from_millis(50);

impl Server {
    pub async fn start(config: Config, clock: Clock) -> Result<Self, Failure> {
        guard::may_listen_on(config.address, None).map_err(Failure::Configuration)?;
        allow_many_descriptors();
        let lock = take_data_directory(&config.data_directory)?;
        let ended = leftovers::end_all(&config.data_directory);
        if ended > 0 {
            tracing::warn!(
                ended,
                "agents of an earlier server still ran and were ended"
            );
        }
        let store = Store::open(&config.data_directory)
            .map_err(|error| Failure::Configuration(sentence(&error.to_string())))?;
        let listener = TcpListener::bind(config.address)
            .await
            .map_err(|error| cannot_listen(&config, &error))?;
        let bound = listener
            .local_addr()
            .map_err(|error| Failure::Other(format!("The address is not known: {error}.")))?;
        let door = Door::new(bound, &[]).map_err(Failure::Configuration)?;
        let logins: Arc<dyn LoginStore> = Arc::new(store.clone());
        let auth = Auth::new(bound.port(), config.token.as_deref(), logins, clock.clone())
            .map_err(Failure::Configuration)?;
        let auth = Arc::new(auth);
        let code = auth
            .new_code()
            .map_err(|refusal| Failure::Other(refusal.message))?;
        let setup = Setup {
            agent: AgentProgram::find(&config.agent),
            projects: config.projects,
            data_directory: config.data_directory.clone(),
            settings: config.settings,
        };
        if let Some(note) = &setup.agent.description.note {
            tracing::warn!("{note}");
        }
        let sockets = Sockets::new(setup.settings.limits.sockets);
        let hub = Hub::new(setup, store, clock);
        let shared = Shared {
            options: router::leptos_options(),
            hub: hub.clone(),
            sockets: sockets.clone(),
        };
        let gate = Gate {
            door: Arc::new(door),
            auth: auth.clone(),
            public_file: assets::is_public,
        };
        let origin = format!("http://{bound}");
        let control = Box::pin(control::serve(
            config.data_directory,
            origin.clone(),
            auth.clone(),
        ));
        let routes = guard::protect(router::routes(shared).layer(Extension(auth)), gate);
        Ok(Self {
            listener,
            routes,
            hub,
            sockets,
            link: format!("{origin}/#code={code}"),
            control,
            _lock: lock,
        })
    }

    /// Serves until `stop` is ready, then answers what is open, ends all agents and returns.
    pub async fn serve(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Failure> {
        let background = [
            tokio::spawn(self.hub.clone().keep_watch()),
            tokio::spawn(self.control),
            tokio::spawn(connections::serve(self.listener, self.routes)),
        ];
        stop.await;
        self.hub.shut_down().await;
        self.sockets.close_all();
        tokio::time::sleep(LAST_FRAMES).await;
        for task in background {
            task.abort();
        }
        Ok(())
    }
}

impl LoginStore for Store {
    fn save(&self, hash: [u8; 32], at: f64) -> Result<(), Refusal> {
        self.save_login(hash, UnixTime(at))
    }

    fn saved_at(&self, hash: [u8; 32]) -> Option<f64> {
        self.login_made_at(hash).map(|UnixTime(at)| at)
    }

    fn forget(&self, hash: [u8; 32]) {
        self.forget_login(hash);
    }
}

/// Open files, at most: agents inherit the limit, and some programs go through all of it.
const ENOUGH: u64 = 65_536;

/// Each tab and each agent needs some; the usual limit is meant for programs that wait on a fixed number of them.
fn allow_many_descriptors() {
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(ENOUGH).min(ENOUGH);
    // without any is more than that
    if limit.current.is_none_or(|current| current >= wanted) {
        return;
    }
    limit.current = Some(wanted);
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

/// Makes the directory if need be and keeps others out of it.
fn take_data_directory(directory: &Path) -> Result<File, Failure> {
    let shown = directory.display();
    let unusable = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::AlreadyExists if directory.is_file() => {
                "it is a file and not a directory".to_owned()
            }
            _ => plainly(&error),
        };
        Failure::Configuration(format!(
            "The data directory {shown} cannot be used: {why}. Name another with --data-dir."
        ))
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(unusable)?;
    keep_others_out(directory).map_err(unusable)?;
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(directory.join("lock"))
        .map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Failure::Configuration(format!(
            "Another Countersign already uses the data directory {shown}. Stop it, or name another with --data-dir."
        ))),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// What is in a data directory, and what a volume of its own has.
const OURS: [&str; 6] = [
    "lock",
    "control.sock",
    "agents",
    "demo-agent",
    "elsewhere",
    "lost+found",
];

/// One that was there before gets the rights of ours when there is nothing else in it. Of a directory with other things in it the
/// rights are not ours to change; what we put into it is for its owner alone all the same.
fn keep_others_out(directory: &Path) -> std::io::Result<()> {
    let mode = directory.metadata()?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let is_ours = |name: &str| OURS.contains(&name) || name.starts_with(DATABASE);
    let mut entries = directory.read_dir()?.flatten();
    let all_ours = entries.all(|entry| entry.file_name().to_str().is_some_and(is_ours));
    if all_ours && std::fs::set_permissions(directory, Permissions::from_mode(0o700)).is_ok() {
        return Ok(());
    }
    if mode & 0o022 != 0 {
        return Err(std::io::Error::other(
            "others may write into it (it must be for you alone, mode 0700)",
        ));
    }
    tracing::warn!(
        directory = %directory.display(),
        "others may look into the data directory: better give Countersign one of its own"
    );
    Ok(())
}

fn cannot_listen(config: &Config, error: &std::io::Error) -> Failure {
    let address = config.address;
    Failure::Configuration(match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "The address {address} is taken by another program. Stop it, or choose another with --addr (port 0 picks a free one)."
        ),
        std::io::ErrorKind::PermissionDenied => {
            format!(
                "Listening on {address} is not permitted. Choose a port above 1023 with --addr."
            )
        }
        _ => {
            format!(
                "Listening on {address} is not possible: {}. Choose another with --addr.",
                plainly(error)
            )
        }
    })
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
