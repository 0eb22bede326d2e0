import holdfast.commlib.AnyConnection;
import holdfast.commlib.Json;
import holdfast.commlib.Offers;
import holdfast.commlib.wire.Create;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A bot to start from, for every game: {@code java -cp out OfferBot --rulebook crazyhouse --new standard --count 2}. */
public final class OfferBot {
    private static final String USAGE = "java -cp out OfferBot --new SCENARIO [--rulebook NAME] [--games COUNT] | [--game ID]"
            + "   [--connect HOST:PORT] [--name NAME] [--count BOTS] [--seed SEED]";
    private static final Map<String, String> DEFAULTS = Map.of(
            "--connect", "127.0.0.1:7700", "--rulebook", "", "--new", "", "--game", "", "--name", "Java",
            "--count", "1", "--games", "1", "--seed", "");

    private OfferBot() {}

    /** What to do now, of {@code offers.choices()}; null waits. Change this! */
    static Json decide(Offers offers, String name, Random random) {
        return offers.randomCommand(name, random);
    }

    /** Plays one seat to the end of the game. Returns the last event. */
    static AnyConnection.Event play(AnyConnection connection, String name, Random random) throws IOException {
        List<AnyConnection.Event> last = new ArrayList<>();
        Offers offers;
        while ((offers = connection.nextOffers(event -> {
            last.clear();
            last.add(event);
        })) != null) {
            Json command = decide(offers, name, random);
            if (command != null) {
                connection.send(command);
            }
        }
        return last.isEmpty() ? null : last.get(0);
    }

    public static void main(String[] arguments) {
        try {
            Map<String, String> given = read(arguments);
            for (int game = 0; game < number(given, "--games"); game++) {
                playGame(given, given.get("--seed").isEmpty() ? null : Long.parseLong(given.get("--seed")) + game);
            }
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n" + USAGE);
            System.exit(2);
        } catch (IOException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }

    /** Enters or creates a game, takes all seats that this program plays, and plays them at the same time. */
    private static void playGame(Map<String, String> given, Long seed) throws IOException {
        String address = given.get("--connect");
        int colon = address.lastIndexOf(':');
        int count = number(given, "--count");
        String game = given.get("--game");
        List<CompletableFuture<AnyConnection.Event>> playing = new ArrayList<>();
        for (int seat = 1; seat <= count; seat++) {
            AnyConnection connection =
                    new AnyConnection(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            if (game.isEmpty() && given.get("--new").isEmpty()) {
                connection.join();
                game = connection.game();
            } else if (game.isEmpty()) {
                String rulebook = given.get("--rulebook").isEmpty() ? null : given.get("--rulebook");
                connection.create(new Create(rulebook, given.get("--new"), null, seed, null));
                game = connection.game();
            } else {
                connection.join(game);
            }
            String name = count == 1 ? given.get("--name") : given.get("--name") + " " + seat;
            System.out.println(name + " plays " + game);
            Random random = seed == null ? new Random() : new Random(31 * seed + seat);
            playing.add(CompletableFuture.supplyAsync(
                    () -> {
                        try (connection) {
                            return play(connection, name, random);
                        } catch (IOException failed) {
                            throw new CompletionException(failed);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        for (CompletableFuture<AnyConnection.Event> seat : playing) {
            try {
                AnyConnection.Event last = seat.join();
                if (last != null && seat == playing.get(0)) {
                    System.out.println("the last event: " + (last.text() == null ? last.event() : last.text()));
                }
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
            }
        }
    }

    /** The options. Whatever cannot be meant is an IllegalArgumentException that says so. */
    static Map<String, String> read(String... arguments) {
        Map<String, String> given = new HashMap<>(DEFAULTS);
        for (int i = 0; i < arguments.length; i += 2) {
            if (!DEFAULTS.containsKey(arguments[i])) {
                throw new IllegalArgumentException("there is no option " + arguments[i]);
            }
            if (i + 1 == arguments.length || arguments[i + 1].isEmpty() || arguments[i + 1].startsWith("--")) {
                throw new IllegalArgumentException(arguments[i] + " needs a value");
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        if (!given.get("--new").isEmpty() && !given.get("--game").isEmpty()) {
            throw new IllegalArgumentException("either --new creates games or --game joins one");
        }
        if (!given.get("--connect").matches(".+:\\d{1,5}")) {
            throw new IllegalArgumentException("--connect needs HOST:PORT, not " + given.get("--connect"));
        }
        if (!given.get("--seed").matches("|-?\\d{1,18}")) {
            throw new IllegalArgumentException("--seed needs a number, not " + given.get("--seed"));
        }
        number(given, "--count");
        if (number(given, "--games") > 1 && given.get("--new").isEmpty()) {
            throw new IllegalArgumentException("--games needs --new");
        }
        return given;
    }

    private static int number(Map<String, String> given, String option) {
        if (!given.get(option).matches("[1-9]\\d{0,5}")) {
            throw new IllegalArgumentException(option + " needs a number from 1 on, not " + given.get(option));
        }
        return Integer.parseInt(given.get(option));
    }
}
