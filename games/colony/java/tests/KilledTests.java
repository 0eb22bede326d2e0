import holdfast.commlib.ClosedException;
import holdfast.commlib.Place;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.wire.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A host that is killed with -9 and started again on its log, again and again, under games of the starter's bots. */
final class KilledTests {
    private static final int GAMES = 4;
    private static final int PLAYERS = 2;
    /** The host is killed whenever the first players of all games have heard so many more events. */
    private static final int EVENTS = 60;

    private KilledTests() {}

    static void run() throws Exception {
        Path folder = Files.createTempDirectory("holdfast-java");
        try (HostProcess host = HostProcess.withLog(folder.resolve("games.log"))) {
            play(host);
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** What one client was told, and how often it had to come back. */
    private record Told(Place place, List<String> events, long resumed) {}

    private static void play(HostProcess host) throws Exception {
        Semaphore due = new Semaphore(0);
        AtomicInteger heard = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Told>> players = new ArrayList<>();
        for (int game = 0; game < GAMES; game++) {
            Seats seats = new Seats(host.port(), PLAYERS, "crossroads", count -> {
                if (heard.incrementAndGet() % EVENTS == 0) {
                    due.release();
                }
            });
            for (Seats.Seat seat : seats.all()) {
                players.add(threads.submit((Callable<Told>) () -> {
                    try (ClientConnection<Runnable> connection = seat.connection()) {
                        seat.bot().play(connection);
                        return new Told(connection.place(), seat.recorder().events(), connection.resumed());
                    }
                }));
            }
        }
        int kills = 0;
        while (!players.stream().allMatch(Future::isDone)) {
            if (due.tryAcquire(50, TimeUnit.MILLISECONDS)) {
                host.kill();
                due.drainPermits();
                host.restart();
                kills++;
            }
        }
        threads.shutdown();
        int events = 0;
        long resumed = 0;
        for (Future<Told> player : players) {
            Told told = player.get();
            events += told.events().size();
            resumed += told.resumed();
            Check.equal((long) told.events().size(), told.place().seen(), "an event for every number");
            // Every turn ends with a command, and the bot says nothing when it is not asked.
            for (String event : told.events()) {
                Check.isTrue(!event.startsWith("createCommandFailed[NotYourTurn"), "no command is taken twice: " + event);
            }
            Check.equal(told.events(), toldAgain(host, told.place()), "what was told, and what the log says was told");
        }
        Check.isTrue(kills >= 3 && resumed >= kills, kills + " kills, and connections resumed " + resumed + " times");
        System.out.printf(
                "        %d games, %d kills, %d resumed connections, %d events%n", GAMES, kills, resumed, events);
    }

    /** The same place from its beginning, out of the log. */
    private static List<String> toldAgain(HostProcess host, Place place) throws Exception {
        Recorder recorder = new Recorder(null);
        try (ClientConnection<Runnable> connection =
                new ClientConnection<>("127.0.0.1", host.port(), recorder.factory())) {
            connection.resume(new Place(place.game(), place.token(), 0, place.board()));
            while (true) {
                connection.nextEvent();
            }
        } catch (ClosedException closed) {
            Check.equal(Reason.GAME_OVER, closed.reason(), closed.getMessage());
            return recorder.events();
        }
    }
}
