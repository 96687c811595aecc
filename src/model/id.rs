//! Names of things. Each is its own type, so that no session id can be taken for a request id.

use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

macro_rules! uuid_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            pub fn random() -> Self {
                Self(Uuid::new_v4())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_name!(
    /// One conversation. It is the CLI's session id: we choose it and pass it to the agent.
    SessionId
);
uuid_name!(
    /// One pending request. Ours, never the agent's: two agents may use the same id at once.
    RequestId
);
uuid_name!(
    /// One message of a person. The agent ignores a message whose id it has seen, so a resend is safe.
    MessageId
);

uuid_name!(
    /// One answer of a person. Sent again under the same id it is the same answer, and is told what became of it.
    AnswerId
);

uuid_name!(
    /// One file that is kept with a session.
    AttachmentId
);

uuid_name!(
    /// One open socket: a tab of a browser, or a program.
    ClientId
);

impl ClientId {
    /// All calls that have no socket.
    pub const WITHOUT_SOCKET: Self = Self(Uuid::nil());
}

macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_name!(
    /// A project is a directory; its id is its path.
    ProjectId
);
text_name!(
    /// The agent's name for one tool call.
    ToolUseId
);
text_name!(
    /// Fingerprint of what a request shows. An answer that names another one is refused.
    Digest
);

impl ProjectId {
    /// The last part of the path: what people call the project.
    pub fn name(&self) -> &str {
        let trimmed = self.0.trim_end_matches('/');
        match trimmed.rsplit('/').next() {
            Some(name) if !name.is_empty() => name,
            _ => &self.0,
        }
    }
}

/// Seconds since 1970, with a fraction, as the wire has them. For showing; limits use a monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixTime(pub f64);

impl UnixTime {
    /// Seconds from `earlier` to here, never negative: clocks of two machines may differ.
    pub fn since(self, earlier: UnixTime) -> f64 {
        (self.0 - earlier.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_called_by_the_last_part_of_its_path() {
        assert_eq!(ProjectId::from("/home/ada/code/api").name(), "api");
        assert_eq!(ProjectId::from("/home/ada/code/api/").name(), "api");
        assert_eq!(ProjectId::from("/").name(), "/");
    }
}
