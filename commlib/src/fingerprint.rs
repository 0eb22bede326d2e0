//! Fingerprints of certificates, by which clients recognise a server.

use std::{error::Error, fmt, str::FromStr};

/// The SHA-256 of a certificate (DER). `openssl x509 -noout -fingerprint -sha256` prints it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFingerprint;

impl fmt::Display for NoFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fingerprint (SHA-256) has 64 hexadecimal digits, with or without colons")
    }
}

impl Error for NoFingerprint {}

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Self, NoFingerprint> {
        let digits: Option<Vec<u32>> = text.chars().filter(|&char| char != ':').map(|char| char.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() == 64).ok_or(NoFingerprint)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair.iter().fold(0, |byte, &digit| byte << 4 | digit as u8);
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_have_two_spellings() {
        let plain = "00ff".repeat(16);
        let openssl = vec!["00:FF"; 16].join(":");
        let parsed: Fingerprint = plain.parse().expect("a fingerprint");
        assert_eq!(openssl.parse(), Ok(parsed));
        assert_eq!(parsed.to_string(), plain);
        assert_eq!(parsed.0[..3], [0, 255, 0]);
        for wrong in ["", "00", &plain[1..], &format!("{plain}0"), &plain.replace('f', "g"), &plain.replace('f', "é")]
        {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(NoFingerprint), "{wrong}");
        }
    }
}
