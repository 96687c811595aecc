//! The login cookie: its value, how it is set, how it is read.

use super::secret::{self, Hash};
use crate::model::Refusal;
use axum::http::{HeaderMap, header};

/// A login ends after so long, whatever the browser keeps.
pub const LOGIN_SECONDS: f64 = 30.0 * 24.0 * 3600.0;
const VALUE_BYTES: usize = 32;
/// More cookies of one name than this nobody sends by accident.
const MOST_VALUES: usize = 8;

/// The secret that a browser keeps. It has no `Debug` that shows it, and the server keeps only its hash.
pub struct CookieValue(String);

impl CookieValue {
    pub(super) fn random() -> Result<Self, Refusal> {
        secret::random::<VALUE_BYTES>().map(Self)
    }

    pub(super) fn hash(&self) -> Hash {
        secret::hash(&self.0)
    }

    /// Only for the `Set-Cookie` header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whatever else stands in a cookie is not worth a question to the store.
    fn read(text: &str) -> Option<Self> {
        let is_ours = text.len() == 2 * VALUE_BYTES
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_ours.then(|| Self(text.to_owned()))
    }
}

impl std::fmt::Debug for CookieValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CookieValue(…)")
    }
}

pub fn set(name: &str, value: &CookieValue, secure: bool) -> String {
    let value = value.as_str();
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LOGIN_SECONDS:.0}{secure}")
}

pub fn clear(name: &str) -> String {
    format!("{name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
}

/// The cookies of exactly this name that could be ours, over all `Cookie` lines.
pub fn values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = CookieValue> + 'a {
    let lines = headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(move |(its_name, _)| *its_name == name)
        .filter_map(|(_, value)| CookieValue::read(value))
        .take(MOST_VALUES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    const OURS: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn found(lines: &[String]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            let line = HeaderValue::from_str(line).unwrap();
            headers.append(header::COOKIE, line);
        }
        values(&headers, "countersign_3400")
            .map(|value| value.0)
            .collect()
    }

    #[test]
    fn a_cookie_is_not_for_scripts_other_sites_or_ever() {
        let value = CookieValue::random().unwrap();
        let secret = value.as_str();
        assert_eq!(secret.len(), 64);
        let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000";
        let expected = format!("countersign_3400={secret}; {attributes}");
        assert_eq!(set("countersign_3400", &value, false), expected);
        let expected = format!("{expected}; Secure");
        assert_eq!(set("countersign_3400", &value, true), expected);
        assert!(clear("countersign_3400").contains("Max-Age=0"));
        assert!(!format!("{value:?}").contains(secret));
    }

    #[test]
    fn our_cookie_is_found_among_others() {
        let ours = format!("countersign_3400={OURS}");
        assert_eq!(found(std::slice::from_ref(&ours)), [OURS]);
        assert_eq!(found(&[format!("a=b; {ours};c=d")]), [OURS]);
        assert_eq!(found(&["a=b".to_owned(), ours.clone()]), [OURS]);
        assert_eq!(found(&[format!("{ours}; {ours}")]).len(), 2);
        assert_eq!(found(&vec![ours; 100]).len(), MOST_VALUES);
    }

    #[test]
    fn what_only_looks_like_our_cookie_is_not() {
        for line in [
            format!("countersign_34000={OURS}"),
            format!("xcountersign_3400={OURS}"),
            format!("Countersign_3400={OURS}"),
            format!("countersign_3400={OURS}0"),
            format!("countersign_3400=\"{OURS}\""),
            format!("countersign_3400={}", OURS.to_uppercase()),
            "countersign_3400=".to_owned(),
            "countersign_3400".to_owned(),
        ] {
            assert!(found(std::slice::from_ref(&line)).is_empty(), "{line}");
        }
    }
}
