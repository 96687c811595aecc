//! A small door for the same user on the same machine: `countersign login-link` asks the running server for a new
//! login link. It is a socket file in the data directory, which nobody else may enter.

use super::auth::Auth;
use std::fs::Permissions;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixListener;

/// After an attempt that failed.
const REST: Duration = Duration::from_millis(500);

fn socket_file(data_directory: &Path) -> PathBuf {
    data_directory.join("control.sock")
}

/// Answers every connection with a fresh link. `origin` is `http://HOST:PORT`.
pub async fn serve(data_directory: PathBuf, origin: String, auth: Arc<Auth>) {
    let file = socket_file(&data_directory);
    // we hold the lock of this directory: whatever is there was left by a server that is gone
    let _ = std::fs::remove_file(&file);
    let listener = match UnixListener::bind(&file) {
        Ok(listener) => listener,
        Err(error) => return tracing::warn!(%error, "login links cannot be asked for"),
    };
    // the directory keeps others out; this does so, too, should its rights be changed
    let _ = std::fs::set_permissions(&file, Permissions::from_mode(0o600));
    loop {
        let Ok((mut stream, _)) = listener.accept().await else {
            // no descriptor is free: perhaps the next moment
            tokio::time::sleep(REST).await;
            continue;
        };
        let same_user = rustix::process::geteuid().as_raw();
        if stream.peer_cred().is_ok_and(|peer| peer.uid() == same_user)
            && let Ok(code) = auth.new_code()
        {
            let _ = stream
                .write_all(format!("{origin}/#code={code}\n").as_bytes())
                .await;
        }
    }
}

/// A new link from the running server. The error is a sentence.
pub fn ask_for_link(data_directory: &Path) -> Result<String, String> {
    let mut link = String::new();
    std::os::unix::net::UnixStream::connect(socket_file(data_directory))
        .and_then(|mut stream| stream.read_to_string(&mut link))
        .map_err(|_| {
            format!(
                "No Countersign runs on the data directory {}. Start it, or name its directory with --data-dir.",
                data_directory.display()
            )
        })?;
    match link.trim() {
        "" => Err("The server gave no link. Try again.".to_owned()),
        link => Ok(link.to_owned()),
    }
}
