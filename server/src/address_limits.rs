//! Limits for each address, so that one address cannot take what belongs to all.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use commlib::{Reason, Refused};
use tokio::time::Instant;

use crate::{
    client_address::{ClientAddress, Network},
    sync::lock,
};

/// How much of a host one address may use: an IPv4 address, or an IPv6 prefix of 64 bits. Rates allow one minute's worth at
/// once.
#[derive(Clone, Copy, Debug)]
pub struct AddressLimits {
    /// The maximum number of HTTP connections. Further ones are answered with 429.
    pub http_connections: usize,
    /// The maximum number of HTTP connections that watch live games or play.
    pub watchers: usize,
    /// The maximum number of seats that bots of the host play in games that clients of this address created or asked them to.
    pub bots: usize,
    /// Games that clients may create in a minute.
    pub games_per_minute: u32,
    /// Hellos in a minute. Further ones wait for a while, and are then refused.
    pub hellos_per_minute: u32,
    /// Wrong admin tokens in a minute. Then none is checked for a while.
    pub wrong_tokens_per_minute: u32,
    /// Failed sign-ins in a minute. Then no password is checked for a while.
    pub failed_sign_ins_per_minute: u32,
    /// Accounts that may be registered in a minute.
    pub accounts_per_minute: u32,
    /// Whether these limits hold for loopback addresses, too.
    pub loopback: bool,
}

impl Default for AddressLimits {
    /// Enough for a class of students behind one address.
    fn default() -> Self {
        Self {
            http_connections: 400,
            watchers: 200,
            bots: 64,
            games_per_minute: 120,
            hellos_per_minute: 1200,
            wrong_tokens_per_minute: 10,
            failed_sign_ins_per_minute: 10,
            accounts_per_minute: 30,
            loopback: false,
        }
    }
}

impl AddressLimits {
    /// No limits, for a server whose clients are known.
    pub fn none() -> Self {
        Self {
            http_connections: usize::MAX,
            watchers: usize::MAX,
            bots: usize::MAX,
            games_per_minute: u32::MAX,
            hellos_per_minute: u32::MAX,
            wrong_tokens_per_minute: u32::MAX,
            failed_sign_ins_per_minute: u32::MAX,
            accounts_per_minute: u32::MAX,
            loopback: false,
        }
    }
}

/// The longest that a hello waits because of other hellos of its address.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// With more addresses than this, those that used nothing lately are forgotten.
const REMEMBERED: usize = 10_000;

/// The time between two such looks at all addresses.
const FORGET_EVERY: Duration = Duration::from_secs(1);

/// Further addresses share one rate, so that a network of many addresses cannot fill the memory.
const MOST_REMEMBERED: usize = 65_536;

/// What each address uses.
#[derive(Debug)]
pub(crate) struct Addresses {
    limits: AddressLimits,
    trusted: Vec<Network>,
    http_connections: Arc<UseByAddress>,
    watchers: Arc<UseByAddress>,
    bots: Arc<UseByAddress>,
    creating: RateByAddress,
    hellos: RateByAddress,
    wrong_tokens: RateByAddress,
    failed_sign_ins: RateByAddress,
    registering: RateByAddress,
    /// Failed sign-ins for each name, from all addresses.
    failed_for_name: RateBy<NameKey>,
}

/// A name whose sign-ins are counted: a part of its hash, so that names take no more memory than addresses.
type NameKey = [u8; 16];

/// Failed sign-ins for one name in a minute.
const FAILED_FOR_NAME: u32 = 20;

fn name_key(name: &str) -> NameKey {
    let hash = blake3::hash(name.as_bytes());
    std::array::from_fn(|at| hash.as_bytes()[at])
}

impl Addresses {
    pub(crate) fn new(limits: AddressLimits, trusted: Vec<Network>) -> Self {
        Self {
            http_connections: Arc::default(),
            watchers: Arc::default(),
            bots: Arc::default(),
            creating: RateByAddress::new(limits.games_per_minute),
            hellos: RateByAddress::new(limits.hellos_per_minute),
            wrong_tokens: RateByAddress::new(limits.wrong_tokens_per_minute),
            failed_sign_ins: RateByAddress::new(limits.failed_sign_ins_per_minute),
            registering: RateByAddress::new(limits.accounts_per_minute),
            failed_for_name: RateBy::new(FAILED_FOR_NAME),
            limits,
            trusted,
        }
    }

    /// The proxies whose `X-Forwarded-For` is believed.
    pub(crate) fn trusted(&self) -> &[Network] {
        &self.trusted
    }

    /// Whether an address is that of a trusted proxy. Such an address stands for many clients, so it has no limits.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(address))
    }

    /// The address to count, if it has limits.
    fn limited(&self, address: IpAddr) -> Option<ClientAddress> {
        let is_spared = self.is_proxy(address) || (address.to_canonical().is_loopback() && !self.limits.loopback);
        (!is_spared).then(|| address.into())
    }

    /// Takes an HTTP connection until the result is dropped; `None` if the address has too many.
    pub(crate) fn http_connection(&self, address: IpAddr) -> Option<Used> {
        self.http_connections.take(self.limited(address), 1, self.limits.http_connections)
    }

    /// Takes a place to watch or play until the result is dropped; `None` if the address has too many.
    pub(crate) fn watcher(&self, address: IpAddr) -> Option<Used> {
        self.watchers.take(self.limited(address), 1, self.limits.watchers)
    }

    /// Takes seats for bots until the result is dropped.
    ///
    /// # Errors
    /// If bots play too many seats for this address.
    pub(crate) fn bots(&self, address: Option<IpAddr>, seats: usize) -> Result<Used, Refused> {
        let limited = address.and_then(|address| self.limited(address));
        self.bots.take(limited, seats, self.limits.bots).ok_or_else(|| {
            let words = format!("Bots play {} seats for your address already; try again later.", self.limits.bots);
            Refused::new(Reason::TooMany, words)
        })
    }

    /// Counts a game that a client creates.
    ///
    /// # Errors
    /// If the address creates too many.
    pub(crate) fn create(&self, address: IpAddr) -> Result<(), Refused> {
        let Some(limited) = self.limited(address) else { return Ok(()) };
        self.creating.take(limited).map_err(|wait| {
            let words = format!(
                "Your address may create {} games a minute; try again in {} s.",
                self.limits.games_per_minute,
                seconds(wait)
            );
            Refused::new(Reason::TooMany, words)
        })
    }

    /// Counts a hello, and returns how long it has to wait.
    ///
    /// # Errors
    /// If it would have to wait too long.
    pub(crate) fn hello(&self, address: IpAddr) -> Result<Duration, Refused> {
        let Some(limited) = self.limited(address) else { return Ok(Duration::ZERO) };
        self.hellos.reserve(limited, LONGEST_WAIT).map_err(|wait| {
            let most = self.limits.hellos_per_minute;
            let words = format!("Your address may send {most} hellos a minute; try again in {} s.", seconds(wait));
            Refused::new(Reason::TooFast, words)
        })
    }

    /// Whether a token of this address is checked. If not, returns how long it has to wait.
    pub(crate) fn may_try_token(&self, address: IpAddr) -> Result<(), Duration> {
        self.limited(address).map_or(Ok(()), |limited| self.wrong_tokens.look(limited))
    }

    /// Whether a password of this address for this name is checked. If not, returns how long it has to wait.
    pub(crate) fn may_sign_in(&self, address: IpAddr, name: &str) -> Result<(), Duration> {
        self.limited(address).map_or(Ok(()), |limited| self.failed_sign_ins.look(limited))?;
        self.failed_for_name.look(name_key(name))
    }

    /// Counts a failed sign-in.
    pub(crate) fn failed_sign_in(&self, address: IpAddr, name: &str) {
        if let Some(limited) = self.limited(address) {
            let _may_be_the_last = self.failed_sign_ins.take(limited);
        }
        let _may_be_the_last = self.failed_for_name.take(name_key(name));
    }

    /// Counts an account that is registered; if it may not be, returns how long to wait.
    pub(crate) fn register(&self, address: IpAddr) -> Result<(), Duration> {
        self.limited(address).map_or(Ok(()), |limited| self.registering.take(limited))
    }

    /// Counts a wrong token.
    pub(crate) fn wrong_token(&self, address: IpAddr) {
        if let Some(limited) = self.limited(address) {
            let _may_be_the_last = self.wrong_tokens.take(limited);
        }
    }
}

/// Whole seconds, rounded up.
pub(crate) fn seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX)
}

/// What is in use at the moment, by address.
#[derive(Debug, Default)]
struct UseByAddress(Mutex<HashMap<ClientAddress, usize>>);

/// Something that an address uses; counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Used(Option<(Arc<UseByAddress>, ClientAddress, usize)>);

impl Used {
    /// Nothing, of no address.
    pub(crate) fn nothing() -> Self {
        Self(None)
    }
}

impl UseByAddress {
    fn take(self: &Arc<Self>, address: Option<ClientAddress>, count: usize, most: usize) -> Option<Used> {
        let Some(address) = address.filter(|_| count > 0) else { return Some(Used::nothing()) };
        let mut used = lock(&self.0);
        let here = used.get(&address).copied().unwrap_or_default();
        if here.saturating_add(count) > most {
            return None;
        }
        used.insert(address, here + count);
        Some(Used(Some((self.clone(), address, count))))
    }
}

impl Drop for Used {
    fn drop(&mut self) {
        let Some((by_address, address, count)) = &self.0 else { return };
        let mut used = lock(&by_address.0);
        if let Some(here) = used.get_mut(address) {
            *here -= count;
            if *here == 0 {
                used.remove(address);
            }
        }
    }
}

/// Token buckets by address. Each holds one minute's worth.
type RateByAddress = RateBy<ClientAddress>;

/// Token buckets by key.
#[derive(Debug)]
struct RateBy<K> {
    per_minute: f64,
    buckets: Mutex<Buckets<K>>,
}

#[derive(Debug)]
struct Buckets<K> {
    /// Addresses that are not remembered share the bucket without an address.
    by_address: HashMap<Option<K>, AddressBucket>,
    /// When full buckets were last forgotten. All of them are looked through, so this happens seldom.
    forgotten: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct AddressBucket {
    /// Negative for what was promised to those who wait.
    tokens: f64,
    since: Instant,
}

impl<K: Copy + Eq + Hash> RateBy<K> {
    fn new(per_minute: u32) -> Self {
        Self {
            per_minute: f64::from(per_minute.max(1)),
            buckets: Mutex::new(Buckets { by_address: HashMap::new(), forgotten: None }),
        }
    }

    /// Takes a token, or returns how long to wait for one.
    fn take(&self, address: K) -> Result<(), Duration> {
        self.reserve(address, Duration::ZERO).map(drop)
    }

    /// Takes a token, now or from those to come. Returns how long to wait for it, which is an error if it is too long; then no
    /// token is taken.
    fn reserve(&self, address: K, longest: Duration) -> Result<Duration, Duration> {
        self.with(address, |bucket, per_second| {
            let wait = Duration::try_from_secs_f64((1.0 - bucket.tokens) / per_second).unwrap_or_default();
            if wait > longest {
                return Err(wait);
            }
            bucket.tokens -= 1.0;
            Ok(wait)
        })
    }

    /// Whether there is a token, without taking it.
    fn look(&self, address: K) -> Result<(), Duration> {
        self.with(address, |bucket, per_second| {
            let wait = Duration::try_from_secs_f64((1.0 - bucket.tokens) / per_second).unwrap_or_default();
            if wait.is_zero() { Ok(()) } else { Err(wait) }
        })
    }

    fn with<T>(&self, address: K, use_bucket: impl FnOnce(&mut AddressBucket, f64) -> T) -> T {
        let (now, most, per_second) = (Instant::now(), self.per_minute, self.per_minute / 60.0);
        let filled =
            |bucket: &AddressBucket| (bucket.tokens + (now - bucket.since).as_secs_f64() * per_second).min(most);
        let mut buckets = lock(&self.buckets);
        let Buckets { by_address, forgotten } = &mut *buckets;
        if by_address.len() >= REMEMBERED && forgotten.is_none_or(|last| now - last >= FORGET_EVERY) {
            by_address.retain(|_, bucket| filled(bucket) < most);
            *forgotten = Some(now);
        }
        let is_known = by_address.len() < MOST_REMEMBERED || by_address.contains_key(&Some(address));
        let key = is_known.then_some(address);
        let bucket = by_address.entry(key).or_insert(AddressBucket { tokens: most, since: now });
        (bucket.tokens, bucket.since) = (filled(bucket), now);
        use_bucket(bucket, per_second)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn ip(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    fn addresses(limits: AddressLimits) -> Addresses {
        Addresses::new(limits, vec!["10.0.0.0/8".parse().expect("a network")])
    }

    #[test]
    fn uses_are_counted_until_they_end() {
        let addresses = addresses(AddressLimits { bots: 3, http_connections: 1, ..AddressLimits::default() });
        let first = addresses.bots(Some(ip(1)), 2).expect("two seats");
        let refused = addresses.bots(Some(ip(1)), 2).expect_err("four seats");
        assert_eq!(refused.message, "Bots play 3 seats for your address already; try again later.");
        let _third = addresses.bots(Some(ip(1)), 1).expect("three seats");
        let _other = addresses.bots(Some(ip(2)), 3).expect("another address");
        assert!(addresses.bots(Some(ip(1)), 0).is_ok(), "a game without bots");
        assert!(addresses.bots(None, 99).is_ok(), "a game that no client of this process made");
        drop(first);
        assert!(addresses.bots(Some(ip(1)), 2).is_ok());

        let spared: [IpAddr; 3] =
            [Ipv4Addr::LOCALHOST.into(), Ipv4Addr::new(127, 9, 9, 9).into(), Ipv4Addr::new(10, 1, 2, 3).into()];
        for address in spared {
            let _held: Vec<_> = (0..9).map(|_| addresses.http_connection(address).expect("no limit")).collect();
        }
        let _held = addresses.http_connection(ip(1)).expect("one");
        assert!(addresses.http_connection(ip(1)).is_none());
        let strict = Addresses::new(AddressLimits { watchers: 1, loopback: true, ..AddressLimits::default() }, vec![]);
        let _held = strict.watcher(spared[0]).expect("one");
        assert!(strict.watcher(spared[0]).is_none(), "loopback counts if it is asked for");
        assert!(strict.watcher(spared[1]).is_some(), "as several addresses");
    }

    #[tokio::test(start_paused = true)]
    async fn rates_fill_again() {
        let addresses =
            addresses(AddressLimits { games_per_minute: 2, hellos_per_minute: 60, ..AddressLimits::default() });
        let create = |last| addresses.create(ip(last)).map_err(|refused| refused.message);
        assert_eq!((create(1), create(1)), (Ok(()), Ok(())), "a minute's worth at once");
        let late = "Your address may create 2 games a minute; try again in 30 s.";
        assert_eq!(create(1), Err(late.into()));
        assert_eq!(create(2), Ok(()), "another address");
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!((create(1), create(1)), (Ok(()), Err(late.into())));

        for _ in 0..60 {
            assert_eq!(addresses.hello(ip(1)), Ok(Duration::ZERO));
        }
        for wait in 1..=5 {
            assert_eq!(addresses.hello(ip(1)), Ok(Duration::from_secs(wait)), "hellos wait in turn");
        }
        assert!(addresses.hello(ip(1)).is_err());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(addresses.hello(ip(1)), Ok(Duration::from_secs(5)), "a refused one promised nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_tokens_are_counted_and_right_ones_are_not() {
        let addresses = addresses(AddressLimits { wrong_tokens_per_minute: 2, ..AddressLimits::default() });
        for _ in 0..9 {
            assert_eq!(addresses.may_try_token(ip(1)), Ok(()));
        }
        addresses.wrong_token(ip(1));
        addresses.wrong_token(ip(1));
        assert_eq!(addresses.may_try_token(ip(1)), Err(Duration::from_secs(30)));
        assert_eq!(addresses.may_try_token(ip(2)), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn many_addresses_do_not_fill_the_memory() {
        let rate = RateByAddress::new(1);
        let address = |number: u32| ClientAddress::from(IpAddr::from(Ipv4Addr::from_bits(number)));
        for number in 0..MOST_REMEMBERED as u32 {
            assert_eq!(rate.take(address(number)), Ok(()));
        }
        assert_eq!(rate.take(address(u32::MAX)), Ok(()), "the shared rate");
        assert!(rate.take(address(u32::MAX - 1)).is_err(), "of all others");
        assert_eq!(lock(&rate.buckets).by_address.len(), MOST_REMEMBERED + 1);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(rate.take(address(u32::MAX)), Ok(()));
        assert_eq!(lock(&rate.buckets).by_address.len(), 1, "those that used nothing lately are forgotten");
    }
}
