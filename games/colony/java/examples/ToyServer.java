import holdfast.commlib.Json;
import holdfast.commlib.colony.CommandFactory;
import holdfast.commlib.colony.ServerConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * A server of colony that ends where the first round would begin: an example for {@code ServerConnection}.
 *
 * <pre>java -cp out ToyServer --config winter.json --port 7700 --seed 7 --timeout 60 --edition group</pre>
 *
 * It plays the registration and the choice of characters as the rules demand (games/colony/RULES.md#protocol).
 */
public final class ToyServer implements CommandFactory<Runnable> {
    private static final int CARDS = 5;

    private final String text;
    private final int maxPlayers;
    private final Random random;
    private final List<Integer> startCards;
    private final List<Integer> unused;
    private List<Integer> offered = List.of();
    private final List<Integer> players = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private int chosen;
    private boolean started;
    private boolean over;
    private ServerConnection<Runnable> connection;

    private ToyServer(String text, long seed, String edition) {
        this.text = text;
        Json scenario = Json.read(text);
        maxPlayers = scenario.field("maxPlayers").asInt();
        unused = identifiers(scenario.field("characters"));
        random = new Random(seed);
        Map<Integer, List<Integer>> stacks = new TreeMap<>();
        List<Integer> start = List.of();
        for (Json place : scenario.field("locations").items()) {
            if (place.has("colony")) {
                start = numbers(place.field("colony").field("startCards"));
            } else {
                stacks.put(place.field("identifier").asInt(), numbers(place.field("cards")));
            }
        }
        // Everything that is shuffled before the characters, in the order of RULES.md#randomness.
        startCards = new ArrayList<>(start);
        Collections.shuffle(startCards, random);
        stacks.values().forEach(stack -> Collections.shuffle(stack, random));
        Collections.shuffle(new ArrayList<>(scenario.field("crises").items()), random);
        if (edition.equals("fate")) {
            Collections.shuffle(new ArrayList<>(scenario.field("crossroads").items()), random);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> options = new HashMap<>();
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            options.put(arguments[at], arguments[at + 1]);
        }
        String text = Files.readString(Path.of(options.get("--config")));
        long seed = Long.parseLong(options.get("--seed"));
        ToyServer game = new ToyServer(text, seed, options.getOrDefault("--edition", "group"));
        Duration timeout = Duration.ofSeconds(Long.parseLong(options.getOrDefault("--timeout", "60")));
        try (ServerConnection<Runnable> connection =
                new ServerConnection<>(Integer.parseInt(options.get("--port")), game)) {
            game.connection = connection;
            while (!game.over) {
                try {
                    connection.nextCommand(timeout).run();
                } catch (TimeoutException late) {
                    game.timeUp();
                }
            }
        }
    }

    @Override
    public Runnable createRegister(int client, String name) {
        return () -> {
            if (over || started || players.contains(client)) {
                fail(client, "It is too late to register.");
                return;
            }
            players.add(client);
            names.add(name);
            connection.sendConfig(client, text);
            if (players.size() == maxPlayers) {
                start();
            }
        };
    }

    @Override
    public Runnable createStartGame(int client) {
        return () -> {
            if (over || started || !players.contains(client)) {
                fail(client, "The game cannot be started now.");
                return;
            }
            start();
        };
    }

    @Override
    public Runnable createSelectCharacters(int client, int first, int second) {
        return () -> {
            if (!started) {
                abort();
                return;
            }
            boolean asked = chosen < players.size() && players.get(chosen) == client;
            if (!asked || first == second || !offered.contains(first) || !offered.contains(second)) {
                failPlayer(client);
                return;
            }
            choose(first, second);
        };
    }

    private void start() {
        started = true;
        players.forEach(connection::sendGameStarted);
        for (int player = 0; player < names.size(); player++) {
            for (int client : players) {
                connection.sendPlayer(client, player, names.get(player));
            }
        }
        offer();
    }

    private void offer() {
        Collections.shuffle(unused, random);
        offered = List.copyOf(unused.subList(0, 4));
        unused.subList(0, 4).clear();
        connection.sendCharacters(players.get(chosen), offered.get(0), offered.get(1), offered.get(2), offered.get(3));
    }

    private void choose(int first, int second) {
        for (int character : new int[] {Math.min(first, second), Math.max(first, second)}) {
            players.forEach(client -> connection.sendCharacterSpawned(client, chosen, character));
        }
        offered.stream().filter(one -> one != first && one != second).forEach(unused::add);
        for (int card = 0; card < CARDS; card++) {
            int drawn = startCards.remove(0);
            players.forEach(client -> connection.sendCardDrawn(client, chosen, drawn));
        }
        chosen++;
        if (chosen < players.size()) {
            offer();
        }
    }

    private void timeUp() {
        if (!started) {
            abort();
        }
    }

    private void abort() {
        over = true;
        players.forEach(connection::sendRegistrationAborted);
    }

    private void fail(int client, String why) {
        connection.sendCommandFailed(client, why);
    }

    /** A command that is refused, or ignored if the client never registered. */
    private void failPlayer(int client) {
        if (players.contains(client) && chosen < players.size()) {
            fail(client, "This cannot be done now.");
        }
    }

    /** Any other command: it ends the registration, and is refused while characters are chosen. */
    private Runnable other(int client) {
        return () -> {
            if (started) {
                failPlayer(client);
            } else {
                abort();
            }
        };
    }

    @Override
    public Runnable createMove(int client, int character, int location, Boolean fuel) {
        return other(client);
    }

    @Override
    public Runnable createAttack(int client, int character, int entrance) {
        return other(client);
    }

    @Override
    public Runnable createBarricade(int client, int character, int entrance) {
        return other(client);
    }

    @Override
    public Runnable createSearch(int client, int character) {
        return other(client);
    }

    @Override
    public Runnable createCleanWaste(int client, int character) {
        return other(client);
    }

    @Override
    public Runnable createContributeCard(int client, int card) {
        return other(client);
    }

    @Override
    public Runnable createUseCard(int client, int card, Integer character, Integer target) {
        return other(client);
    }

    @Override
    public Runnable createUseAbility(int client, int character, Integer target) {
        return other(client);
    }

    @Override
    public Runnable createEndTurn(int client) {
        return other(client);
    }

    @Override
    public Runnable createLeave(int client) {
        return other(client);
    }

    @Override
    public Runnable createVote(int client, boolean answer) {
        return other(client);
    }

    @Override
    public Runnable createWrongArguments(int client, int command, int given) {
        return other(client);
    }

    private static List<Integer> identifiers(Json things) {
        return new ArrayList<>(things.list(each -> each.field("identifier").asInt()));
    }

    private static List<Integer> numbers(Json list) {
        return new ArrayList<>(list.list(Json::asInt));
    }
}
