package holdfast.commlib.testkit;

import holdfast.commlib.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A game in a test, with its clients. It is given up when it is closed. Each rulebook has a subclass {@code TestGame}. */
public abstract class Game<C extends Client> implements AutoCloseable {
    /** What is played: a built-in scenario, a path beside the test, or the text; edition and timeout (seconds) may be null. */
    public record Setup(String scenario, long seed, String edition, Integer timeout) {}

    private final Broker broker = new Broker();
    private final Map<String, C> clients = new LinkedHashMap<>();
    private final String scenario;

    protected Game(String rulebook, Setup setup, List<String> players, BiFunction<Game<C>, String, C> client) {
        try {
            scenario = broker.ask("start", Json.object()
                            .with("rulebook", Json.of(rulebook))
                            .with("scenario", Json.of(setup.scenario()))
                            .with("seed", Json.of(setup.seed()))
                            .with("edition", setup.edition(), Json::of)
                            .with("timeout", setup.timeout(), Json::of)
                            .with("players", Json.list(players, Json::of))
                            .with("file", Json.of(Main.file())))
                    .asString();
        } catch (AssertionError failed) {
            broker.close();
            throw failed;
        }
        players.forEach(name -> clients.put(name, client.apply(this, name)));
    }

    final Broker broker() {
        return broker;
    }

    public final C client(String name) {
        return clients.get(name);
    }

    /** The text of the scenario. */
    public final String scenario() {
        return scenario;
    }

    /** All clients send nothing until the time of a player is up. */
    public final void silence() {
        broker.ask("silence", Json.nothing());
    }

    /** The game is over, no client receives more, and the server has ended with exit code 0. */
    public final void assertEnded() {
        clients.values().forEach(Client::assertNothingMore);
        broker.ask("ended", Json.nothing());
    }

    @Override
    public final void close() {
        broker.close();
    }
}
