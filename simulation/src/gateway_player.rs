//! A player of a game with its own gateway: it calls the game's handle, as the gateway does, and checks every answer.

use std::{sync::Arc, time::Duration};

use commlib::{Reason, Refused};
use engine::{Audience, CommId, Emission};
use server::{Adapter, Committed, EventOf, GameHandle};
use tokio::time::{sleep, timeout};

use crate::{bot::Bot, coverage::Covered, ledger::encode, observer::Check, player::Player, site::Site};

/// How long a gateway waits for an answer.
const ANSWER: Duration = Duration::from_secs(8);

/// The handle of a bot's game.
type HandleOf<B> = GameHandle<<<B as Bot>::Game as Adapter>::Rules>;

/// Plays one game after another.
pub(crate) async fn play<B: Bot>(mut player: Player) {
    for round in 0.. {
        let game = begin::<B>(&mut player, round).await;
        let mut seat = Seat::<B> { bot: B::new(player.number), player, game, client: None };
        seat.play().await;
        player = seat.player;
        let pause = player.random.millis(100..=1500);
        sleep(pause).await;
    }
}

/// Creates the game of a round, or waits for it.
async fn begin<B: Bot>(player: &mut Player, round: usize) -> String {
    loop {
        if let Some(game) = player.table.game(round) {
            return game;
        }
        if player.number == 0
            && let Some(game) = create::<B>(player).await
        {
            player.table.created(round, &game);
            return game;
        }
        let pause = player.random.millis(50..=300);
        sleep(pause).await;
    }
}

async fn create<B: Bot>(player: &mut Player) -> Option<String> {
    let host = player.site.host()?;
    let create = B::create(&mut player.random);
    let made = timeout(ANSWER, async {
        let game = host.create_later(create).await.ok()?;
        let handle: HandleOf<B> = host.handle(&game)?;
        handle.stored().await.ok().map(|()| game)
    });
    let game = made.await.ok().flatten()?;
    if player.site.ledger.look(&game, |_| ()).is_none() {
        player.site.observer.fail(Check::Create, || format!("game {game} is reported as stored and is not"));
    }
    Some(game)
}

/// The place of a player in one game.
struct Seat<B: Bot> {
    player: Player,
    game: String,
    bot: B,
    client: Option<CommId>,
}

impl<B: Bot> Seat<B> {
    async fn play(&mut self) {
        loop {
            let pause = self.player.random.millis(40..=900);
            sleep(pause).await;
            self.player.handle.doing(format!("client {:?} acts in {}", self.client, self.game));
            let Some(host) = self.player.site.host() else { continue };
            let found: Option<HandleOf<B>> = host.handle(&self.game);
            let Some(handle) = found else {
                if self.player.site.disk.has_ended(&self.game) {
                    return self.check_end();
                }
                continue;
            };
            let sent_ms = self.player.site.observer.now_ms();
            match timeout(ANSWER, self.turn(&handle)).await {
                Ok(Ok(())) => self.player.handle.answered(sent_ms),
                Ok(Err(refused)) if refused.reason == Reason::GameOver => return self.check_end(),
                Ok(Err(_)) | Err(_) => {}
            }
        }
    }

    async fn turn(&mut self, handle: &HandleOf<B>) -> Result<(), Refused> {
        let Some(client) = self.client else {
            let client = handle.join().await?;
            if !self.player.site.claim(&self.game, client) {
                let game = &self.game;
                self.player.site.observer.fail(Check::Resume, || format!("game {game} has two clients {client}"));
            }
            if self.player.number == 0 {
                follow::<B>(handle, &self.player.site, &self.game).await?;
            }
            self.client = Some(client);
            return Ok(());
        };
        let Some(command) = self.bot.act(&mut self.player.random) else {
            return handle.stored().await;
        };
        let committed = handle.submit(client, command).await?;
        let Committed { sequence, emissions, .. } = &committed;
        check_stored::<B>(&self.player.site, &self.game, *sequence, emissions);
        for emission in emissions.iter() {
            if let Emission::Event { audience, event } = emission
                && [Audience::Only(client), Audience::All, Audience::Board].contains(audience)
            {
                self.bot.hear("", event, None);
            }
        }
        Ok(())
    }

    /// A game that is over is over in the log.
    fn check_end(&self) {
        let (site, game) = (&self.player.site, &self.game);
        if site.ledger.look(game, |book| book.is_over()) != Some(true) {
            site.observer.fail(Check::End, || format!("game {game} is told to be over, and the log does not have it"));
        }
        self.player.handle.answered(site.observer.now_ms());
    }
}

/// Follows all entries of a game, as a gateway does: none is skipped, none repeated.
async fn follow<B: Bot>(handle: &HandleOf<B>, site: &Arc<Site>, game: &str) -> Result<(), Refused> {
    let mut entries = handle.follow(|durable| (durable.sequence, durable.emissions.clone())).await?;
    let (site, game) = (site.clone(), game.to_owned());
    let Ok((present, _)) = entries.try_recv() else {
        site.observer.fail(Check::Numbering, || format!("game {game}: a follower does not hear of the present state"));
        return Ok(());
    };
    tokio::spawn(async move {
        let mut last = present;
        while let Some((sequence, emissions)) = entries.recv().await {
            if sequence != last + 1 {
                site.observer.fail(Check::Numbering, || format!("game {game}: entry {sequence} follows {last}"));
            }
            check_stored::<B>(&site, &game, sequence, &emissions);
            last = sequence;
        }
        site.observer.cover(Covered::Followed);
    });
    Ok(())
}

fn check_stored<B: Bot>(site: &Site, game: &str, sequence: u64, emissions: &[Emission<EventOf<B::Game>>]) {
    let told = encode(&emissions);
    site.observer.bytes(&told);
    let is_same = site.ledger.look(game, |book| book.emissions(sequence).map(|stored| stored == told)).flatten();
    match is_same {
        Some(true) => {}
        Some(false) => site.observer.fail(Check::OneVersion, || format!("game {game}: another entry {sequence}")),
        None => {
            site.observer
                .fail(Check::HeardIsStored, || format!("game {game}: entry {sequence} is told and not stored"));
        }
    }
}
