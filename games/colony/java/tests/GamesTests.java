import holdfast.commlib.ClosedException;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Whole games by the starter's strategy, all scenarios, some alone and some together, several at a time. */
final class GamesTests {
    private static final int GAMES = 100;
    private static final int AT_A_TIME = 8;
    private static final String[] SCENARIOS = {"first-night", "winter", "crossroads"};

    private final AtomicInteger events = new AtomicInteger();
    private final AtomicInteger won = new AtomicInteger();

    private GamesTests() {}

    static void run() throws Exception {
        new GamesTests().play();
    }

    private void play() throws Exception {
        ExecutorService tables = Executors.newFixedThreadPool(AT_A_TIME);
        ExecutorService players = Executors.newCachedThreadPool();
        try (HostProcess host = new HostProcess()) {
            List<Future<Void>> games = new ArrayList<>();
            for (int game = 0; game < GAMES; game++) {
                String scenario = SCENARIOS[game % SCENARIOS.length];
                int seats = 1 + game % 2;
                games.add(tables.submit(() -> game(host, scenario, seats, players)));
            }
            for (Future<Void> game : games) {
                game.get();
            }
        } finally {
            tables.shutdownNow();
            players.shutdownNow();
        }
        System.out.printf("        %d games to their end, %d of them won, %d events%n", GAMES, won.get(), events.get());
    }

    private Void game(HostProcess host, String scenario, int seats, ExecutorService players) throws Exception {
        List<Future<Boolean>> ends = new ArrayList<>();
        for (Seats.Seat seat : new Seats(host.port(), seats, scenario, count -> {}).all()) {
            ends.add(players.submit((Callable<Boolean>) () -> toTheEnd(seat)));
        }
        for (Future<Boolean> end : ends) {
            end.get();
        }
        won.addAndGet(Boolean.TRUE.equals(ends.get(0).get()) ? 1 : 0);
        return null;
    }

    private Boolean toTheEnd(Seats.Seat seat) throws Exception {
        try (ClientConnection<Runnable> connection = seat.connection()) {
            Boolean end = seat.bot().play(connection);
            ClosedException closed = Check.fails(ClosedException.class, "", () -> {
                while (true) {
                    connection.nextEvent();
                }
            });
            Check.equal(Reason.GAME_OVER, closed.reason(), closed.getMessage());
            Check.equal((long) seat.recorder().events().size(), connection.seen(), "an event for every number");
            Check.equal(0L, connection.resumed(), "how often the connection was lost");
            for (String event : seat.recorder().events()) {
                boolean wrong = event.matches("createCommandFailed\\[(NoFreePlace|NoDie|NoSuchEntrance).*");
                Check.isTrue(!wrong, "the bot knows its dice and the entrances: " + event);
            }
            events.addAndGet(seat.recorder().events().size());
            return end;
        }
    }
}
