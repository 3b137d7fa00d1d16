//! Addresses of this machine on the network, and QR codes of addresses for phones.

use std::net::{IpAddr, Ipv4Addr};

use qrcodegen::{QrCode, QrCodeEcc};

/// The name that every machine has for itself.
const LOCAL_NAME: &str = "localhost";

/// The width of the margin around a QR code, in modules (the squares of the code).
const CODE_MARGIN: i32 = 2;

/// Returns the IPv4 addresses at which others on the network can reach this machine; only the
/// loopback address if there are none.
pub(super) fn network_addresses() -> Vec<IpAddr> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let mut found: Vec<IpAddr> =
        all.iter().filter(|i| !i.is_loopback()).map(if_addrs::Interface::ip).collect();
    found.retain(|ip| matches!(ip, IpAddr::V4(ip) if !ip.is_link_local()));
    found.sort();
    found.dedup();
    if found.is_empty() { vec![IpAddr::V4(Ipv4Addr::LOCALHOST)] } else { found }
}

/// Returns a QR code of this text for a dark terminal. Each line holds two rows of the code.
/// Returns no lines if the text is too long.
pub(super) fn qr_code(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return Vec::new() };
    let is_light = |x: i32, y: i32| !code.get_module(x, y);
    let all = -CODE_MARGIN..code.size() + CODE_MARGIN;
    let line = |y: i32| {
        let module = |x: i32| match (is_light(x, y), is_light(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        all.clone().map(module).collect()
    };
    all.clone().step_by(2).map(line).collect()
}

/// Returns a QR code of this address as SVG, with the address below it; an empty string if the
/// address is too long. `name` describes the picture to screen readers.
pub(super) fn qr_code_svg(url: &str, name: &str) -> String {
    let Ok(code) = QrCode::encode_text(url, QrCodeEcc::Medium) else { return String::new() };
    let all = 0..code.size();
    let dark = all.clone().flat_map(|y| all.clone().map(move |x| (x, y)));
    let dark = dark.filter(|(x, y)| code.get_module(*x, *y));
    let modules: String = dark.map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect();
    let corner = -2 * CODE_MARGIN;
    let side = code.size() + 4 * CODE_MARGIN;
    format!(
        "<svg viewBox=\"{corner} {corner} {side} {side}\" role=\"img\" aria-label=\"{name}\"><path d=\"{modules}\"/></svg><p>{url}</p>"
    )
}

/// Returns true if a page may be requested under this name: an IP address, `localhost`, or a name
/// that the umpire gave. An IP address is safe because no name server is involved.
pub(super) fn is_allowed_host(host: &str, names: &[String]) -> bool {
    let name = name_without_port(host);
    let own = [LOCAL_NAME].into_iter().chain(names.iter().map(String::as_str));
    name.parse::<IpAddr>().is_ok() || own.into_iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns true if this name refers to the machine that uses it: `localhost` or a loopback address.
pub(super) fn is_local_host(host: &str) -> bool {
    let name = name_without_port(host);
    name.eq_ignore_ascii_case(LOCAL_NAME)
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn name_without_port(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_own_names_are_hosts() {
        let names = ["umpire.local".to_owned()];
        for host in ["127.0.0.1:7373", "192.168.1.9:7373", "[::1]:7373", "localhost:1", "LOCALHOST"]
        {
            assert!(is_allowed_host(host, &[]), "{host}");
        }
        assert!(is_allowed_host("umpire.local:7373", &names));
        for host in
            ["", "evil.example", "evil.example:7373", "127.0.0.1.evil.example", "umpire.local"]
        {
            assert!(!is_allowed_host(host, &[]), "{host}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for host in ["127.0.0.1:7373", "127.9.9.9", "[::1]:7373", "localhost:1", "LOCALHOST"] {
            assert!(is_local_host(host), "{host}");
        }
        for host in ["", "192.168.1.9:7373", "0.0.0.0", "umpire.local", "localhost.example:80"] {
            assert!(!is_local_host(host), "{host}");
        }
    }

    #[test]
    fn codes_fit_a_terminal() {
        let code = qr_code("http://192.168.178.123:7373/side/0123456789abcdef");
        assert!(code.len() <= 20 && code.iter().all(|l| l.chars().count() <= 40), "{code:?}");
        assert!(network_addresses().iter().all(|ip| !ip.is_unspecified()));
    }
}
