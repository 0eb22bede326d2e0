import holdfast.commlib.colony.ClientConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** A new game with starter bots, each with its connection. The first one starts it when all have registered. */
final class Seats {
    record Seat(Bot bot, Recorder recorder, ClientConnection<Runnable> connection) {}

    private final List<Seat> all = new ArrayList<>();

    /** The listener gets the number of events that the first player has got. */
    Seats(int port, int players, String scenario, IntConsumer count) throws IOException {
        for (int seat = 0; seat < players; seat++) {
            boolean first = seat == 0;
            Bot bot = new Bot("Player " + seat, first ? players : 0);
            Recorder recorder = first ? new Recorder(bot, count) : new Recorder(bot);
            ClientConnection<Runnable> connection = new ClientConnection<>("127.0.0.1", port, recorder.factory());
            connection.askForBoard();
            if (first) {
                connection.create(scenario);
            } else {
                connection.join(all.get(0).connection().game());
            }
            all.add(new Seat(bot, recorder, connection));
        }
    }

    List<Seat> all() {
        return all;
    }
}
