//! A player with its team in messages. It is a struct with named fields instead of a pair, for other languages.

use alloc::{sync::Arc, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::team::Team;

#[derive(Serialize, Deserialize)]
struct Member {
    player: u32,
    team: Team,
}

impl From<(u32, Team)> for Member {
    fn from((player, team): (u32, Team)) -> Self {
        Self { player, team }
    }
}

impl From<Member> for (u32, Team) {
    fn from(Member { player, team }: Member) -> Self {
        (player, team)
    }
}

/// For `#[serde(with = "member::one")]`: an optional player.
pub(crate) mod one {
    use super::{Deserialize, Deserializer, Member, Serialize, Serializer, Team};

    pub(crate) fn serialize<S: Serializer>(one: &Option<(u32, Team)>, serializer: S) -> Result<S::Ok, S::Error> {
        one.map(Member::from).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<(u32, Team)>, D::Error> {
        Ok(Option::<Member>::deserialize(deserializer)?.map(Member::into))
    }
}

/// For `#[serde(with = "member::all")]`: a list of players.
pub(crate) mod all {
    use super::{Arc, Deserialize, Deserializer, Member, Serializer, Team, Vec};

    pub(crate) fn serialize<S: Serializer>(all: &[(u32, Team)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().copied().map(Member::from))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[(u32, Team)]>, D::Error> {
        Ok(Vec::<Member>::deserialize(deserializer)?.into_iter().map(Member::into).collect())
    }
}
