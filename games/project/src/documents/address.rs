//! Addresses in the form of the schema.

/// Whether a text is an IPv4 address with a port: `192.168.0.1:2000`.
pub fn is_address(text: &str) -> bool {
    let is_part = |part: &str| {
        let digits = !part.is_empty() && part.len() <= 3 && part.bytes().all(|digit| digit.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0')) && part.parse::<u8>().is_ok()
    };
    let Some((host, port)) = text.split_once(':') else {
        return false;
    };
    let is_port = !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
    is_port && host.split('.').count() == 4 && host.split('.').all(is_part)
}
