//! Our own addresses: which Host and Origin are ours, and where we may listen at all.
//!
//! Every allowed value is spelled out at the start and compared as a whole. Nothing that came in is parsed, so
//! there are no prefixes, suffixes or odd spellings to be clever with.

use crate::model::{Code, Refusal};
use axum::http::{HeaderMap, Uri, header};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

const FOREIGN_HOST: &str = "This server does not answer under this name. Open the address that Countersign printed when it started.";
const FOREIGN_ORIGIN: &str =
    "This request comes from a page that is not Countersign's own, and was not done.";
const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;

/// The addresses under which we are reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    /// `host:port`; also `host` where the port is the scheme's own.
    hosts: Vec<String>,
    /// `scheme://host:port` as a browser writes it: lower case, without the scheme's own port.
    origins: Vec<String>,
}

impl Door {
    /// `bound` is the address that the listener got. An extra host is `name` (on our port), `name:port`, or the whole
    /// origin `https://name` of a proxy that passes Host on. The error is a sentence for the user.
    pub fn new(bound: SocketAddr, extra_hosts: &[String]) -> Result<Door, String> {
        let mut door = Door {
            hosts: Vec::new(),
            origins: Vec::new(),
        };
        let loopback = [
            "localhost".to_owned(),
            Ipv4Addr::LOCALHOST.to_string(),
            format!("[{}]", Ipv6Addr::LOCALHOST),
        ];
        for host in loopback {
            door.add("http", &host, bound.port());
        }
        // the unspecified address is where we listen, never where we are: pages misuse it to reach this machine
        match bound.ip().to_canonical() {
            address if address.is_unspecified() => {}
            IpAddr::V4(address) => door.add("http", &address.to_string(), bound.port()),
            IpAddr::V6(address) => door.add("http", &format!("[{address}]"), bound.port()),
        }
        for entry in extra_hosts {
            let (scheme, host, port) = read_host(entry, bound.port())?;
            door.add(scheme, &host, port);
        }
        Ok(door)
    }

    fn add(&mut self, scheme: &str, host: &str, port: u16) {
        let with_port = format!("{host}:{port}");
        let origin = if port == own_port(scheme) {
            self.hosts.push(host.to_owned());
            format!("{scheme}://{host}")
        } else {
            format!("{scheme}://{with_port}")
        };
        self.hosts.push(with_port);
        self.origins.push(origin);
    }

    /// Exactly one Host, and it is ours. An authority in the request line (HTTP/2, or an absolute address) must be
    /// ours too, and then may stand alone.
    pub fn host_allowed(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let refusal = || Refusal::new(Code::Forbidden, FOREIGN_HOST);
        let authority = uri.authority().map(|authority| authority.as_str());
        let mut stated = headers.get_all(header::HOST).iter();
        let host = stated.next().map(|value| value.as_bytes());
        if stated.next().is_some() || (host.is_none() && authority.is_none()) {
            return Err(refusal());
        }
        let given = [host, authority.map(str::as_bytes)];
        let mut given = given.into_iter().flatten();
        if given.all(|name| self.is_our_host(name)) {
            Ok(())
        } else {
            Err(refusal())
        }
    }

    /// Exactly one Origin, present, and byte for byte one of ours.
    pub fn origin_allowed(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut stated = headers.get_all(header::ORIGIN).iter();
        let is_ours = |given: &[u8]| self.origins.iter().any(|origin| origin.as_bytes() == given);
        let first = stated.next().is_some_and(|value| is_ours(value.as_bytes()));
        if first && stated.next().is_none() {
            Ok(())
        } else {
            Err(Refusal::new(Code::Forbidden, FOREIGN_ORIGIN))
        }
    }

    fn is_our_host(&self, given: &[u8]) -> bool {
        let mut hosts = self.hosts.iter();
        hosts.any(|host| host.as_bytes().eq_ignore_ascii_case(given))
    }
}

/// Other machines may reach us only through a proxy that speaks TLS and that the user has named by the origin it
/// serves, such as `https://sessions.example.org`. The error is a sentence for the user.
pub fn may_listen_on(address: SocketAddr, behind_proxy: Option<&str>) -> Result<(), String> {
    if let Some(proxy) = behind_proxy {
        return match read_host(proxy, address.port())? {
            ("https", _, _) => Ok(()),
            _ => Err(format!(
                "The proxy `{proxy}` must be named by the https:// address it serves, because without TLS others can read the login on its way."
            )),
        };
    }
    if address.ip().to_canonical().is_loopback() {
        return Ok(());
    }
    Err(format!(
        "Countersign does not listen on {address}, because whoever reaches it from another machine could read the login on its way and then run commands as you. Use 127.0.0.1, and an SSH tunnel from elsewhere."
    ))
}

fn own_port(scheme: &str) -> u16 {
    if scheme == "https" {
        HTTPS_PORT
    } else {
        HTTP_PORT
    }
}

/// `name`, `name:port` or a whole origin, to scheme, host and port.
fn read_host(entry: &str, our_port: u16) -> Result<(&'static str, String, u16), String> {
    let wrong = || {
        format!(
            "`{entry}` is not a host: write a name such as box.example.org, with a port if it is another, or https://box.example.org for a proxy."
        )
    };
    let entry = entry.to_ascii_lowercase();
    let (scheme, rest, usual_port) = if let Some(rest) = entry.strip_prefix("https://") {
        ("https", rest, HTTPS_PORT)
    } else if let Some(rest) = entry.strip_prefix("http://") {
        ("http", rest, HTTP_PORT)
    } else {
        ("http", entry.as_str(), our_port)
    };
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
            let number = port.parse().ok().filter(|number| is_number && *number != 0);
            (host, number.ok_or_else(wrong)?)
        }
        _ => (rest, usual_port),
    };
    if is_host(host) {
        Ok((scheme, host.to_owned(), port))
    } else {
        Err(wrong())
    }
}

fn is_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        // only as browsers write it, since it is compared as text
        let address = inner.strip_suffix(']').map(str::parse::<Ipv6Addr>);
        return matches!(address, Some(Ok(address)) if format!("[{address}]") == host && !address.is_unspecified());
    }
    let is_label = |label: &str| {
        let mut bytes = label.bytes();
        !label.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    host.split('.').all(is_label) && host.parse() != Ok(Ipv4Addr::UNSPECIFIED)
}

#[cfg(test)]
mod tests;
