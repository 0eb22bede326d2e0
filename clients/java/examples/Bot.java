import holdfast.commlib.Json;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.colony.EventAdapter;
import holdfast.commlib.colony.Refusal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * A player to start from. It chooses the two best searchers, plays all its food, sends one of its survivors out to
 * search, and ends its turn. An event becomes something to do: {@code connection.nextEvent().run()}.
 */
public final class Bot extends EventAdapter<Runnable> {
    private final String name;
    /** How many players to wait for before the game is started; 0 leaves that to somebody else. */
    private final int players;
    private ClientConnection<Runnable> connection;

    // What the scenario says.
    private final Set<Integer> foodCards = new HashSet<>();
    private final List<Integer> locations = new ArrayList<>();
    /** The die that a character needs to search. */
    private final Map<Integer, Integer> searchDie = new HashMap<>();

    // What was told.
    private int registered;
    private int me = -1;
    private final Set<Integer> chosen = new HashSet<>();
    private final List<Integer> survivors = new ArrayList<>();
    private final List<Integer> hand = new ArrayList<>();
    private final Set<Integer> outside = new HashSet<>();
    private int dice;
    private Boolean won;
    private boolean over;

    /** What is left to try in this turn; null before it. Everything is tried once, so a refusal is no problem. */
    private Queue<Runnable> plan;

    public Bot(String name, int players) {
        this.name = name;
        this.players = players;
    }

    /** Plays to the end, in a game that was entered with the board. Null if it ended without a winner or a loser. */
    public Boolean play(ClientConnection<Runnable> connection) throws IOException {
        this.connection = connection;
        connection.sendRegister(name);
        while (!over) {
            connection.nextEvent().run();
        }
        return won;
    }

    private void act() {
        if (plan == null) {
            plan = makePlan();
        }
        if (plan.isEmpty()) {
            connection.sendEndTurn();
        } else {
            plan.remove().run();
        }
    }

    private Queue<Runnable> makePlan() {
        Queue<Runnable> plan = new ArrayDeque<>();
        for (int card : hand) {
            if (foodCards.contains(card)) {
                plan.add(() -> connection.sendUseCard(card));
            }
        }
        int scout = survivors.stream().min(Comparator.comparing(searchDie::get)).orElseThrow();
        if (!outside.contains(scout) && !locations.isEmpty()) {
            int location = locations.get(Math.floorMod(scout, locations.size()));
            plan.add(() -> connection.sendMove(scout, location));
        }
        for (int die = 0; die < dice; die++) {
            plan.add(() -> connection.sendSearch(scout));
        }
        return plan;
    }

    /** Most events change nothing for this bot. */
    @Override
    protected Runnable other() {
        return () -> {};
    }

    @Override
    public Runnable createConfig(String scenario) {
        return () -> {
            Json config = Json.read(scenario);
            for (Json card : config.field("cards").items()) {
                if (card.has("food")) {
                    foodCards.add(card.field("food").field("identifier").asInt());
                }
            }
            for (Json location : config.field("locations").items()) {
                if (!location.has("colony")) {
                    locations.add(location.field("identifier").asInt());
                }
            }
            for (Json character : config.field("characters").items()) {
                searchDie.put(character.field("identifier").asInt(), character.field("search").asInt());
            }
            startIfAllAreThere();
        };
    }

    @Override
    public Runnable createRegistered(int player, String name) {
        return () -> {
            registered++;
            startIfAllAreThere();
        };
    }

    /** The bot itself is there when it has the scenario. */
    private void startIfAllAreThere() {
        if (registered == players && !searchDie.isEmpty()) {
            connection.sendStartGame();
        }
    }

    @Override
    public Runnable createCharacters(int c0, int c1, int c2, int c3) {
        return () -> {
            List<Integer> offered = new ArrayList<>(List.of(c0, c1, c2, c3));
            offered.sort(Comparator.comparing(searchDie::get));
            chosen.addAll(offered.subList(0, 2));
            connection.sendSelectCharacters(offered.get(0), offered.get(1));
        };
    }

    @Override
    public Runnable createCharacterSpawned(int player, int character) {
        return () -> {
            if (chosen.contains(character)) {
                me = player;
            }
            if (player == me) {
                survivors.add(character);
            }
        };
    }

    @Override
    public Runnable createNextRound(long round) {
        return () -> {
            dice = 0;
            plan = null;
        };
    }

    @Override
    public Runnable createDieRolled(int player, int value) {
        return () -> dice += player == me ? 1 : 0;
    }

    @Override
    public Runnable createCardDrawn(int player, int card) {
        return () -> {
            if (player == me) {
                hand.add(card);
            }
        };
    }

    @Override
    public Runnable createCardUsed(int card, Integer character, Integer target) {
        return () -> hand.remove((Integer) card);
    }

    @Override
    public Runnable createMoved(int character, int location, Boolean fuel) {
        return () -> outside.add(character);
    }

    @Override
    public Runnable createSurvivorKilled(int character) {
        return () -> died(character);
    }

    @Override
    public Runnable createBitten(Integer character) {
        return () -> died(character);
    }

    /** Whoever loses the last survivor loses the hand, too. */
    private void died(Integer character) {
        if (survivors.remove(character) && survivors.isEmpty()) {
            hand.clear();
        }
    }

    @Override
    public Runnable createActNow() {
        return this::act;
    }

    @Override
    public Runnable createVoteNow() {
        return () -> connection.sendVote(true);
    }

    @Override
    public Runnable createCommandFailed(Refusal refusal, String words) {
        return () -> System.out.println(name + " is refused: " + words);
    }

    @Override
    public Runnable createLeft(int player) {
        return () -> over |= player == me;
    }

    @Override
    public Runnable createRegistrationAborted() {
        return () -> over = true;
    }

    @Override
    public Runnable createGameEnd(boolean win) {
        return () -> {
            won = win;
            over = true;
        };
    }

    public static void main(String[] arguments) {
        Map<String, String> options = new HashMap<>(
                Map.of("--connect", "127.0.0.1:7700", "--new", "winter", "--name", "Ana", "--players", "1"));
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        String address = options.get("--connect");
        int colon = address.lastIndexOf(':');
        String game = options.get("--game");
        Bot bot = new Bot(options.get("--name"), game == null ? Integer.parseInt(options.get("--players")) : 0);
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        try (ClientConnection<Runnable> connection = new ClientConnection<>(host, port, bot)) {
            connection.askForBoard();
            if (game == null) {
                connection.create(options.get("--new"));
            } else {
                connection.join(game);
            }
            System.out.println("game " + connection.game());
            Boolean won = bot.play(connection);
            System.out.println(won == null ? "there was no end" : won ? "won" : "lost");
        } catch (IOException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }
}
