//! Which Hosts and Origins are ours.

use super::*;
use axum::http::{HeaderName, HeaderValue};

fn door(bound: &str, extra: &[&str]) -> Door {
    let extra: Vec<String> = extra.iter().map(ToString::to_string).collect();
    Door::new(bound.parse().unwrap(), &extra).unwrap()
}

fn lines(name: HeaderName, values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        let value = HeaderValue::from_str(value).unwrap();
        headers.append(name.clone(), value);
    }
    headers
}

fn hosts(door: &Door, values: &[&str]) -> bool {
    let headers = lines(header::HOST, values);
    door.host_allowed(&headers, &Uri::from_static("/")).is_ok()
}

fn origins(door: &Door, values: &[&str]) -> bool {
    door.origin_allowed(&lines(header::ORIGIN, values)).is_ok()
}

#[test]
fn our_own_names_with_our_port_are_hosts() {
    let door = door("127.0.0.1:3400", &[]);
    for host in [
        "127.0.0.1:3400",
        "localhost:3400",
        "LocalHost:3400",
        "[::1]:3400",
    ] {
        assert!(hosts(&door, &[host]), "{host}");
    }
}

#[test]
fn any_other_host_is_refused() {
    let door = door("127.0.0.1:3400", &[]);
    for host in [
        "",
        "evil.example",
        "evil.example:3400",
        "localhost",
        "127.0.0.1",
        "localhost:80",
        "localhost:3401",
        "localhost:34000",
        "localhost:03400",
        "localhost:3400.",
        "localhost.:3400",
        "localhost.evil.example:3400",
        "evil.localhost:3400",
        "xlocalhost:3400",
        "localhost:3400@evil.example",
        "evil@localhost:3400",
        "localhost:3400, evil.example",
        "localhost:3400/",
        "http://localhost:3400",
        "127.0.0.2:3400",
        "127.1:3400",
        "2130706433:3400",
        "0.0.0.0:3400",
        "0177.0.0.1:3400",
        "::1:3400",
        "[::]:3400",
        "[0:0:0:0:0:0:0:1]:3400",
        "[::ffff:127.0.0.1]:3400",
        "null",
    ] {
        assert!(!hosts(&door, &[host]), "{host:?}");
    }
}

#[test]
fn there_is_exactly_one_host() {
    let door = door("127.0.0.1:3400", &[]);
    assert!(!hosts(&door, &[]));
    assert!(!hosts(&door, &["localhost:3400", "localhost:3400"]));
    assert!(!hosts(&door, &["localhost:3400", "evil.example"]));
}

#[test]
fn an_authority_in_the_request_line_counts_too() {
    let door = door("127.0.0.1:3400", &[]);
    let ours = lines(header::HOST, &["localhost:3400"]);
    let none = HeaderMap::new();
    let foreign = lines(header::HOST, &["evil.example:3400"]);
    let local = Uri::from_static("http://localhost:3400/");
    let evil = Uri::from_static("http://evil.example:3400/");
    let user = Uri::from_static("http://localhost:3400@evil.example/");
    assert!(door.host_allowed(&none, &local).is_ok());
    assert!(door.host_allowed(&ours, &local).is_ok());
    assert!(door.host_allowed(&foreign, &local).is_err());
    assert!(door.host_allowed(&ours, &evil).is_err());
    assert!(door.host_allowed(&none, &evil).is_err());
    assert!(door.host_allowed(&ours, &user).is_err());
}

#[test]
fn the_port_may_be_left_out_only_where_it_is_the_usual_one() {
    let door = door("127.0.0.1:80", &[]);
    assert!(hosts(&door, &["localhost"]) && hosts(&door, &["localhost:80"]));
    assert!(origins(&door, &["http://localhost"]));
    assert!(!origins(&door, &["http://localhost:80"])); // no browser writes it
    assert!(!origins(&door, &["https://localhost"]));
}

#[test]
fn only_our_exact_origin_is_ours() {
    let door = door("127.0.0.1:3400", &[]);
    for origin in [
        "http://127.0.0.1:3400",
        "http://localhost:3400",
        "http://[::1]:3400",
    ] {
        assert!(origins(&door, &[origin]), "{origin}");
        assert!(!origins(&door, &[origin, origin]), "{origin} twice");
    }
    for origin in [
        "",
        "null",
        "*",
        "http://evil.example",
        "http://evil.example:3400",
        "http://127.0.0.1",
        "http://127.0.0.1:3401",
        "http://127.0.0.1:34000",
        "http://127.0.0.1:80",
        "https://127.0.0.1:3400",
        "ws://127.0.0.1:3400",
        "127.0.0.1:3400",
        "//127.0.0.1:3400",
        "http://127.0.0.1:3400.evil.example",
        "http://127.0.0.1.evil.example:3400",
        "http://127.0.0.1:3400@evil.example",
        "http://evil.example#http://127.0.0.1:3400",
        "http://localhost.evil.example:3400",
        "http://evil-localhost:3400",
        "http://localhost.:3400",
        "http://localhost:3400.",
        "http://localhost:3400/",
        "http://LOCALHOST:3400",
        "HTTP://localhost:3400",
        "http://localhost:3400, http://evil.example",
        "http://0.0.0.0:3400",
    ] {
        assert!(!origins(&door, &[origin]), "{origin:?}");
    }
    assert!(!origins(&door, &[]));
}

#[test]
fn the_address_we_listen_on_is_ours_but_the_unspecified_one_is_not() {
    let network = door("192.168.7.5:3400", &[]);
    assert!(hosts(&network, &["192.168.7.5:3400"]));
    assert!(origins(&network, &["http://192.168.7.5:3400"]));
    assert!(hosts(&door("[fd00::7]:3400", &[]), &["[fd00::7]:3400"]));
    assert!(hosts(&door("127.0.0.2:3400", &[]), &["127.0.0.2:3400"]));
    assert!(!hosts(&door("0.0.0.0:3400", &[]), &["0.0.0.0:3400"]));
    assert!(!hosts(&door("[::]:3400", &[]), &["[::]:3400"]));
}

#[test]
fn configured_names_are_ours_as_they_are_written() {
    let extra = ["Box.lan", "tunnel.example:8443", "https://safe.example"];
    let door = door("127.0.0.1:3400", &extra);
    for host in [
        "box.lan:3400",
        "tunnel.example:8443",
        "safe.example",
        "safe.example:443",
    ] {
        assert!(hosts(&door, &[host]), "{host}");
    }
    for host in [
        "box.lan",
        "box.lan:80",
        "tunnel.example:3400",
        "safe.example:3400",
        "safe.example:80",
        "safe.example.",
    ] {
        assert!(!hosts(&door, &[host]), "{host}");
    }
    for origin in [
        "http://box.lan:3400",
        "http://tunnel.example:8443",
        "https://safe.example",
    ] {
        assert!(origins(&door, &[origin]), "{origin}");
    }
    for origin in [
        "https://box.lan:3400",
        "http://safe.example",
        "https://safe.example:443",
        "https://localhost:3400",
    ] {
        assert!(!origins(&door, &[origin]), "{origin}");
    }
}

#[test]
fn a_configured_name_that_is_none_is_an_error_in_one_sentence() {
    for entry in [
        "",
        "*",
        "*.example.org",
        ".example.org",
        "example.org.",
        "a b",
        "a/b",
        "https://a/",
        "ftp://a",
        "user@a",
        "a:",
        "a:0",
        "a:+80",
        "a:99999",
        "0.0.0.0",
        "[::]",
        "[0:0::1]",
        "::1",
        "[::1",
    ] {
        let bound = "127.0.0.1:3400".parse().unwrap();
        let error = Door::new(bound, &[entry.to_owned()]).expect_err(entry);
        assert!(error.starts_with(&format!("`{entry}` is not a host")));
    }
}

#[test]
fn other_machines_reach_us_only_through_a_named_proxy_with_tls() {
    let listen = |address: &str, proxy| may_listen_on(address.parse().unwrap(), proxy);
    let proxy = Some("https://sessions.example.org");
    for address in [
        "127.0.0.1:3400",
        "127.0.0.1:0",
        "127.8.9.1:3400",
        "[::1]:3400",
    ] {
        assert_eq!(listen(address, None), Ok(()), "{address}");
        assert_eq!(listen(address, proxy), Ok(()), "{address}");
    }
    for address in [
        "0.0.0.0:3400",
        "[::]:3400",
        "192.168.7.5:3400",
        "[fe80::1]:3400",
    ] {
        let error = listen(address, None).expect_err(address);
        assert!(error.contains(address) && error.ends_with('.') && !error.contains('\n'));
        assert_eq!(listen(address, proxy), Ok(()), "{address}");
        for wrong in ["", "http://sessions.example.org", "sessions.example.org"] {
            assert!(listen(address, Some(wrong)).is_err(), "{wrong}");
        }
    }
    assert_eq!(listen("[::ffff:127.0.0.1]:3400", None), Ok(()));
}
