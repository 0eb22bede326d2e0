//! Passwords: argon2id, in blocking work, a few at a time.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use super::AccountError;
use crate::world::World;

/// The fewest characters and the most bytes of a password.
const FEWEST: usize = 8;
const MOST: usize = 256;

/// Memory in KiB, passes and lanes: what OWASP recommends for argon2id.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The bytes of a hash.
const HASH: usize = 32;

/// How many passwords are checked at the same time. Each takes a core for some milliseconds, and 19 MiB.
const AT_ONCE: usize = 2;

/// How many wait. Further ones are refused, so that a flood takes neither memory nor time without limit.
const MOST_WAITING: usize = 32;

/// Hashes and checks passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    world: Arc<dyn World>,
    permits: Semaphore,
    waiting: AtomicUsize,
    /// The hash of a random password, for names without an account.
    decoy: OnceLock<String>,
}

/// One who waits; counted until it is dropped.
struct Queued<'p>(&'p AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Passwords {
    pub(crate) fn new(world: Arc<dyn World>) -> Self {
        Self { world, permits: Semaphore::new(AT_ONCE), waiting: AtomicUsize::new(0), decoy: OnceLock::new() }
    }

    /// The hash of a new password, with its parameters and salt.
    ///
    /// # Errors
    /// If the password is too short or too long, or too many are being hashed.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, AccountError> {
        if password.chars().count() < FEWEST || password.len() > MOST {
            return Err(AccountError::BadPassword { fewest: FEWEST, most: MOST });
        }
        let salt: [u8; 16] = self.world.random_bytes().map_err(|_| AccountError::Internal)?;
        let password = password.to_owned();
        self.work(move || hashed(&password, &salt)).await?
    }

    /// Whether the password has this hash. Without a hash it takes the same time and is false.
    ///
    /// # Errors
    /// If too many are being checked.
    pub(crate) async fn check(&self, password: &str, hash: Option<String>) -> Result<bool, AccountError> {
        let is_real = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.decoy().await?,
        };
        // A longer password than any can be is not hashed in full.
        let password: String = password.chars().take(MOST + 1).collect();
        let is_same = self.work(move || is_hash_of(&hash, &password)).await?;
        Ok(is_same && is_real)
    }

    async fn decoy(&self) -> Result<String, AccountError> {
        if let Some(decoy) = self.decoy.get() {
            return Ok(decoy.clone());
        }
        let bytes: [u8; 32] = self.world.random_bytes().map_err(|_| AccountError::Internal)?;
        let (password, salt) = bytes.split_at(16);
        let (password, salt) = (format!("{password:?}"), salt.to_vec());
        let made = self.work(move || hashed(&password, &salt)).await??;
        Ok(self.decoy.get_or_init(|| made).clone())
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AccountError> {
        let before = self.waiting.fetch_add(1, Ordering::AcqRel);
        let _queued = Queued(&self.waiting);
        if before >= MOST_WAITING {
            return Err(AccountError::Busy);
        }
        let _permit = self.permits.acquire().await.map_err(|_| AccountError::Busy)?;
        self.world.blocking(work).await.map_err(|_| AccountError::Internal)
    }
}

/// The hash with its parameters: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`, the last two in hexadecimal digits.
fn hashed(password: &str, salt: &[u8]) -> Result<String, AccountError> {
    let hash = derived(password, salt, (MEMORY, PASSES, LANES)).ok_or(AccountError::Internal)?;
    Ok(format!("$argon2id$v=19$m={MEMORY},t={PASSES},p={LANES}${}${}", hex(salt), hex(&hash)))
}

/// Whether a password has this hash, with the parameters of the hash.
fn is_hash_of(hash: &str, password: &str) -> bool {
    let again = || {
        let (parameters, rest) = hash.strip_prefix("$argon2id$v=19$")?.split_once('$')?;
        let (salt, stored) = rest.split_once('$')?;
        let mut values =
            parameters.split(',').zip(["m=", "t=", "p="]).map(|(part, name)| part.strip_prefix(name)?.parse().ok());
        let costs = (values.next()??, values.next()??, values.next()??);
        let derived = derived(password, &bytes(salt)?, costs)?;
        // Hashes are compared in constant time.
        Some(blake3::hash(&bytes(stored)?) == blake3::hash(&derived))
    };
    again().unwrap_or(false)
}

/// The hash itself, for these costs: memory in KiB, passes, lanes.
fn derived(password: &str, salt: &[u8], (memory, passes, lanes): (u32, u32, u32)) -> Option<[u8; HASH]> {
    let params = Params::new(memory, passes, lanes, Some(HASH)).ok()?;
    let (mut hash, mut blocks) = ([0; HASH], vec![Block::default(); params.block_count()]);
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut hash, &mut blocks).ok()?;
    Some(hash)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::RealWorld;

    /// "password" with the salt "somesalt".
    const REFERENCE: &str = "$argon2id$v=19$m=65536,t=2,p=1$736f6d6573616c74$09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7";

    #[tokio::test]
    async fn a_password_is_checked_against_its_hash() {
        let passwords = Passwords::new(Arc::new(RealWorld));
        let hash = passwords.hash("correct horse").await.expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(passwords.hash("correct horse").await.expect("a hash"), hash, "each has its own salt");
        for (given, hash, expected) in [
            ("correct horse", Some(hash.clone()), true),
            ("correct horsf", Some(hash.clone()), false),
            ("", Some(hash.clone()), false),
            ("correct horse", None, false),
            ("correct horse", Some("no hash".into()), false),
            ("correct horse", Some(hash.replace("m=19456", "m=19455")), false),
            ("correct horse", Some(format!("{hash}0")), false),
            // With other costs, from the tests of the reference implementation.
            ("password", Some(REFERENCE.into()), true),
            ("passwore", Some(REFERENCE.into()), false),
        ] {
            assert_eq!(passwords.check(given, hash).await.expect("an answer"), expected, "{given}");
        }
        for bad in ["1234567".into(), "x".repeat(257)] {
            assert!(matches!(passwords.hash(&bad).await, Err(AccountError::BadPassword { .. })));
        }
    }

    #[tokio::test]
    async fn a_flood_is_refused() {
        let passwords = Arc::new(Passwords::new(Arc::new(RealWorld)));
        let _all = passwords.permits.acquire_many(AT_ONCE as u32).await.expect("permits");
        let wait = || {
            let passwords = passwords.clone();
            tokio::spawn(async move { passwords.hash("correct horse").await })
        };
        let waiting: Vec<_> = (0..MOST_WAITING).map(|_| wait()).collect();
        while passwords.waiting.load(Ordering::Acquire) < MOST_WAITING {
            tokio::task::yield_now().await;
        }
        assert!(matches!(wait().await.expect("an answer"), Err(AccountError::Busy)));
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
