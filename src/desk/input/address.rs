//! Whether a text is the address of a page: `http://` or `https://`, and a host.

pub fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let is_web = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    let is_one_word = !text.contains(|character: char| {
        character.is_whitespace() || character.is_control() || character == '\\'
    });
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // what stands before an @ is a name, not a host
    let authority = authority.rsplit('@').next().unwrap_or_default();
    is_web && is_one_word && is_host_with_port(authority)
}

fn is_host_with_port(authority: &str) -> bool {
    if let Some(rest) = authority.strip_prefix('[') {
        return rest.split_once(']').is_some_and(|(address, port)| {
            address.parse::<core::net::Ipv6Addr>().is_ok()
                && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        });
    }
    match authority.split_once(':') {
        Some((host, port)) => is_host(host) && is_port(port),
        None => is_host(authority),
    }
}

/// Also one with letters of other alphabets: the agent turns those into what a name server knows.
fn is_host(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    !host.is_empty()
        && host.split('.').all(|label| {
            !label.is_empty()
                && label
                    .chars()
                    .all(|character| character.is_alphanumeric() || "-_".contains(character))
        })
}

fn is_port(port: &str) -> bool {
    port.is_empty() || port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_scheme_and_a_host() {
        for address in [
            "https://example.org",
            "http://example.org/a?b=c#d",
            "HTTPS://Example.org:8443/",
            "https://ada@example.org/",
            "http://localhost:3000",
            "http://192.168.0.1/x",
            "http://[::1]:8080/",
            "https://bücher.example/",
            "https://example.org./a@b",
        ] {
            assert!(is_web_address(address), "{address}");
        }
    }

    #[test]
    fn files_and_nonsense_are_no_pages() {
        for address in [
            "",
            "example.org",
            "file:///etc/passwd",
            "ftp://example.org",
            "javascript:alert(1)",
            "http://",
            "https:///path",
            "https://?q",
            "https://ada@/x",
            "https://exa mple.org",
            "https://example.org/a b",
            "https://example.org\\x",
            "https://example..org",
            "https://example.org:port",
            "https://example.org:99999",
            "http://[nonsense]/",
            " https://example.org",
            "https://example.org\n",
        ] {
            assert!(!is_web_address(address), "{address:?}");
        }
    }
}
