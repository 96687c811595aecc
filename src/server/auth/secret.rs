//! Random values, their hashes and their comparison. The only file that makes a secret.

use crate::model::{Code, Refusal};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What is kept of a secret. The secrets are random and long, so a plain hash is enough.
pub type Hash = [u8; 32];

/// `BYTES` random bytes of the operating system, as lower-case hexadecimal.
pub fn random<const BYTES: usize>() -> Result<String, Refusal> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        let message = format!("The system gave no random numbers ({error}); try again.");
        Refusal::new(Code::Internal, message)
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Takes the same time wherever the two differ.
pub fn same(left: &Hash, right: &Hash) -> bool {
    left.ct_eq(right).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_their_full_length_and_never_repeat() {
        let first = random::<32>().unwrap();
        let second = random::<32>().unwrap();
        assert_eq!((first.len(), second.len()), (64, 64));
        assert_ne!(first, second);
        assert!(first.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn only_the_same_secret_has_the_same_hash() {
        assert!(same(&hash("a"), &hash("a")));
        assert!(!same(&hash("a"), &hash("A")));
        assert!(!same(&hash(""), &hash("a")));
    }
}
