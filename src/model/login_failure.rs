//! Why a login code gave no login, as the page and a script are told.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginFailure {
    Wrong,
    Used,
    Expired,
    TooMany,
    /// The code was right, and the login could not be stored.
    Unavailable,
}

impl LoginFailure {
    const ALL: [Self; 5] = [
        Self::Wrong,
        Self::Used,
        Self::Expired,
        Self::TooMany,
        Self::Unavailable,
    ];

    /// For `/login?error=…`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Used => "used",
            Self::Expired => "expired",
            Self::TooMany => "many",
            Self::Unavailable => "unavailable",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.word() == word)
    }

    pub fn sentence(self) -> &'static str {
        match self {
            Self::Wrong => {
                "This login code is not known. Copy the whole link that Countersign printed last."
            }
            Self::Used => {
                "This login link was already used: each works once. `countersign login-link` prints a new one."
            }
            Self::Expired => {
                "This login link is older than 15 minutes. `countersign login-link` prints a new one."
            }
            Self::TooMany => "There were too many wrong login codes. Wait a minute and try again.",
            Self::Unavailable => {
                "The code is right, but the login could not be stored. Check the disk of the data directory, then use the code again."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_word_and_a_sentence_of_its_own() {
        for (index, failure) in LoginFailure::ALL.into_iter().enumerate() {
            assert_eq!(LoginFailure::from_word(failure.word()), Some(failure));
            let others = &LoginFailure::ALL[..index];
            assert!(
                others
                    .iter()
                    .all(|other| other.sentence() != failure.sentence())
            );
        }
        assert_eq!(LoginFailure::from_word("<b>"), None);
    }
}
