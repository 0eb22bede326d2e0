//! The membership of hosts on a PostgreSQL database.

use serde_json::json;

use super::{
    Addresses, Answering, Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member, Membership,
    MembershipError, Owner, PeerHost, SharedText, Sighting,
};
use crate::log::{
    GameKey, HandedOver, HostRow, OwnedRow, OwnerRow, PostgresLog, Reading, Registering, Registration, StoreError,
};

impl PostgresLog {
    /// Asks as a registered host. If the host is dead, finds out why.
    fn ask<'a, T: Send + 'a>(
        &'a self,
        question: impl FnOnce(Registration) -> Reading<'a, T> + Send + 'a,
    ) -> Answering<'a, T> {
        Box::pin(async move {
            let registration = self.registration().ok_or(MembershipError::NotRegistered)?;
            match question(registration.clone()).await {
                Err(StoreError::Fenced { .. }) => {
                    let Registration { incarnation, name, .. } = registration.clone();
                    Err(match self.replaced_by(registration).await? {
                        Some(by) => MembershipError::Replaced { name, by: Incarnation(by) },
                        None => MembershipError::Buried { incarnation: Incarnation(incarnation) },
                    })
                }
                answer => Ok(answer?),
            }
        })
    }
}

impl Membership for PostgresLog {
    fn register(&self, host: HostInfo) -> Answering<'_, Incarnation> {
        let HostInfo { name, addresses, version, rules } = host;
        let Addresses { client, http, cluster } = addresses;
        let host = Registering {
            name,
            client_address: client,
            http_address: http,
            cluster_address: cluster,
            version,
            rules: json!(rules).to_string(),
        };
        Box::pin(async move { Ok(Incarnation(self.register_host(host).await?)) })
    }

    fn beat(&self, state: HostState) -> Answering<'_, Vec<Member>> {
        self.ask(move |_| {
            let rows = self.raise_beat(state.draining, state.games.cast_signed());
            Box::pin(async move { Ok(members(rows.await?)) })
        })
    }

    fn members(&self) -> Answering<'_, Vec<Member>> {
        Box::pin(async move { Ok(members(self.host_rows().await?)) })
    }

    fn bury(&self, seen: Sighting) -> Answering<'_, bool> {
        self.ask(move |_| self.bury_host(seen.incarnation.0, seen.beat.cast_signed()))
    }

    fn claim(&self, which: Claim, limit: usize) -> Answering<'_, Vec<Claimed>> {
        self.ask(move |registration| {
            let names = match which {
                Claim::Any => None,
                Claim::Named(names) => Some(names),
            };
            let rules: Vec<super::FoldedRules> = serde_json::from_str(&registration.rules).unwrap_or_default();
            let folded = rules
                .into_iter()
                .flat_map(|rules| rules.versions.into_iter().map(move |version| (rules.rulebook.clone(), version)));
            let claimed = self.claim_rows(folded.collect(), names, limit);
            Box::pin(async move { Ok(claimed.await?.into_iter().map(claimed_game).collect()) })
        })
    }

    fn owned(&self) -> Answering<'_, Vec<Claimed>> {
        self.ask(move |_| {
            let owned = self.owned_rows();
            Box::pin(async move { Ok(owned.await?.into_iter().map(claimed_game).collect()) })
        })
    }

    fn hand_over(&self, games: Vec<HandOver>) -> Answering<'_, ()> {
        let given = |HandOver { key, elapsed_ms }| HandedOver { key, elapsed_ms: elapsed_ms.cast_signed() };
        self.ask(move |_| self.give_up(games.into_iter().map(given).collect()))
    }

    fn publish(&self, players: Vec<(GameKey, Vec<String>)>) -> Answering<'_, ()> {
        self.ask(move |_| self.publish_players(players))
    }

    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>> {
        Box::pin(async move {
            let me = self.registration().map(|registration| registration.incarnation);
            let Some(OwnerRow { game, owner }) = self.find_owner(game).await? else { return Ok(None) };
            Ok(Some(match owner {
                None => Owner::Free,
                Some((incarnation, _)) if Some(incarnation) == me => Owner::ThisHost(claimed_game(game)),
                Some((incarnation, host)) => {
                    let HostInfo { name, addresses, .. } = info(host);
                    Owner::Host(PeerHost { name, incarnation: Incarnation(incarnation), addresses })
                }
            }))
        })
    }

    fn open_games(&self, limit: usize) -> Answering<'_, Vec<ListedGame>> {
        Box::pin(async move {
            let rows = self.open_rows(limit).await?;
            let listed = rows.into_iter().map(|[name, rulebook, edition, players]| ListedGame {
                name: name.unwrap_or_default(),
                rulebook: rulebook.unwrap_or_default(),
                edition: edition.unwrap_or_default(),
                players: players.and_then(|players| serde_json::from_str(&players).ok()).unwrap_or_default(),
            });
            Ok(listed.collect())
        })
    }

    fn shared_text(&self, name: String) -> Answering<'_, SharedText> {
        Box::pin(async move {
            let (version, text) = self.text_row(name).await?;
            Ok(SharedText { version: version.cast_unsigned(), text })
        })
    }

    fn replace_text(&self, name: String, version: u64, text: String) -> Answering<'_, bool> {
        self.ask(move |_| self.replace_text_row(name, version.cast_signed(), text))
    }

    fn leave(&self) -> Answering<'_, ()> {
        self.ask(move |_| self.unregister())
    }
}

/// The rows of hosts that live or still own games.
fn members(rows: Vec<HostRow>) -> Vec<Member> {
    let of_interest = rows.into_iter().filter(|row| row.alive || row.games > 0);
    let member = |HostRow { incarnation, host, alive, beat, draining, games }| Member {
        incarnation: Incarnation(incarnation),
        info: info(host),
        beat: beat.cast_unsigned(),
        alive,
        state: HostState { draining, games: games.cast_unsigned() },
    };
    of_interest.map(member).collect()
}

fn info(host: Registering) -> HostInfo {
    let Registering { name, client_address, http_address, cluster_address, version, rules } = host;
    HostInfo {
        name,
        addresses: Addresses { client: client_address, http: http_address, cluster: cluster_address },
        version,
        // A later program may write rules that this one does not read. It claims no games for that host.
        rules: serde_json::from_str(&rules).unwrap_or_default(),
    }
}

fn claimed_game(OwnedRow { key, name, elapsed_ms }: OwnedRow) -> Claimed {
    Claimed { key, name, elapsed_ms: elapsed_ms.map(i64::cast_unsigned) }
}
