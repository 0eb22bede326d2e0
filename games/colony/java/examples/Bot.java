import holdfast.commlib.Json;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.colony.EventAdapter;
import holdfast.commlib.colony.Refusal;
import holdfast.commlib.wire.Create;
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
import java.util.function.BooleanSupplier;

/**
 * A player to start from. It chooses the two best searchers, plays all its food, sends one of its survivors out to
 * search, builds barricades with the dice that are left, and ends its turn. An event becomes something to do:
 * {@code connection.nextEvent().run()}.
 */
public final class Bot extends EventAdapter<Runnable> {
    private final String name;
    /** How many players to wait for before starting the game; 0: another player starts it. */
    private final int players;
    private ClientConnection<Runnable> connection;

    // What the scenario says.
    private int room;
    private final Set<Integer> foodCards = new HashSet<>();
    private final Set<Integer> stuffCards = new HashSet<>();
    private final List<Integer> locations = new ArrayList<>();
    /** The die that a character needs to search. */
    private final Map<Integer, Integer> searchDie = new HashMap<>();

    // What was told.
    private int registered;
    private int me = -1;
    /** Which pairs of the offered characters were not tried yet, the best first. */
    private final Queue<List<Integer>> choices = new ArrayDeque<>();
    private final Set<Integer> chosen = new HashSet<>();
    private final List<Integer> survivors = new ArrayList<>();
    private final List<Integer> hand = new ArrayList<>();
    private final Places places = new Places();
    /** Those that are left, from the lowest. */
    private final List<Integer> dice = new ArrayList<>();
    private Boolean won;
    private boolean over;
    /** Why the bot cannot go on. */
    private String problem;

    /**
     * What is left to try in this turn; null before it. Each says whether it sent a command, and is tried once, so a
     * refusal is no problem.
     */
    private Queue<BooleanSupplier> plan;

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
        if (problem != null) {
            throw new IOException(problem);
        }
        return won;
    }

    private void giveUp(String problem) {
        this.problem = problem;
        over = true;
    }

    private void act() {
        if (plan == null) {
            plan = makePlan();
        }
        while (!plan.isEmpty()) {
            if (plan.remove().getAsBoolean()) {
                return;
            }
        }
        connection.sendEndTurn();
    }

    /** What to do in this turn. Change this! */
    private Queue<BooleanSupplier> makePlan() {
        Queue<BooleanSupplier> plan = new ArrayDeque<>();
        for (int card : hand) {
            if (foodCards.contains(card)) {
                plan.add(() -> {
                    connection.sendUseCard(card);
                    return true;
                });
            }
        }
        int scout = survivors.stream().min(Comparator.comparing(searchDie::get)).orElseThrow();
        plan.add(() -> goOut(scout));
        for (int die = 0; die < dice.size(); die++) {
            plan.add(() -> search(scout));
        }
        for (int die = 0; die < dice.size(); die++) {
            plan.add(this::barricade);
        }
        return plan;
    }

    private boolean goOut(int scout) {
        if (!places.isInColony(scout) || locations.isEmpty()) {
            return false;
        }
        connection.sendMove(scout, locations.get(Math.floorMod(scout, locations.size())));
        return true;
    }

    private boolean search(int scout) {
        boolean canSearch = survivors.contains(scout) && !places.isInColony(scout);
        if (!canSearch || dice.stream().noneMatch(die -> die >= searchDie.get(scout))) {
            return false;
        }
        connection.sendSearch(scout);
        return true;
    }

    /** Any die will do. */
    private boolean barricade() {
        for (int survivor : survivors) {
            int entrance = places.freeEntrance(survivor);
            if (entrance >= 0 && !dice.isEmpty()) {
                connection.sendBarricade(survivor, entrance);
                return true;
            }
        }
        return false;
    }

    /** Most events change nothing for this bot. */
    @Override
    protected Runnable other() {
        return () -> {};
    }

    @Override
    public Runnable createConfig(String scenario) {
        return () -> {
            // Some editors begin a file with a byte order mark.
            Json config = Json.read(scenario.startsWith("\uFEFF") ? scenario.substring(1) : scenario);
            places.begin(config);
            room = config.field("maxPlayers").asInt();
            for (Json card : config.field("cards").items()) {
                if (card.has("food")) {
                    foodCards.add(card.field("food").field("identifier").asInt());
                } else if (card.has("stuff")) {
                    stuffCards.add(card.field("stuff").field("identifier").asInt());
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

    /** The bot itself is there when it has the scenario. Without room for more a game starts by itself. */
    private void startIfAllAreThere() {
        if (searchDie.isEmpty()) {
            return;
        }
        if (players > room) {
            giveUp("the scenario has room for " + room + " players, not for " + players);
        } else if (registered == players && players < room) {
            connection.sendStartGame();
        }
    }

    @Override
    public Runnable createCharacters(int c0, int c1, int c2, int c3) {
        return () -> {
            List<Integer> offered = new ArrayList<>(List.of(c0, c1, c2, c3));
            offered.sort(Comparator.comparing(searchDie::get));
            for (int second = 1; second < offered.size(); second++) {
                for (int first = 0; first < second; first++) {
                    choices.add(List.of(offered.get(first), offered.get(second)));
                }
            }
            choose();
        };
    }

    private void choose() {
        if (choices.isEmpty()) {
            giveUp("none of the choices was taken");
            return;
        }
        List<Integer> choice = choices.remove();
        chosen.clear();
        chosen.addAll(choice);
        connection.sendSelectCharacters(choice.get(0), choice.get(1));
    }

    @Override
    public Runnable createCharacterSpawned(int player, int character) {
        return () -> {
            places.spawned(character);
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
            dice.clear();
            plan = null;
        };
    }

    @Override
    public Runnable createDieRolled(int player, int value) {
        return () -> {
            if (player == me) {
                dice.add(value);
                dice.sort(Comparator.naturalOrder());
            }
        };
    }

    @Override
    public Runnable createDieSpent(int player, int value) {
        return () -> {
            if (player == me) {
                dice.remove((Integer) value);
            }
        };
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
        return () -> {
            places.cardUsed(card, character, target);
            // The lowest die is rolled again.
            if (hand.remove((Integer) card) && stuffCards.contains(card) && !dice.isEmpty()) {
                dice.remove(0);
            }
        };
    }

    @Override
    public Runnable createContributed(int player, int card) {
        return () -> hand.remove((Integer) card);
    }

    @Override
    public Runnable createAbilityUsed(int character, Integer target) {
        return () -> places.abilityUsed(character, target);
    }

    @Override
    public Runnable createMoved(int character, int location, Boolean fuel) {
        return () -> places.moved(character, location);
    }

    @Override
    public Runnable createZombieSpawned(int location, int entrance) {
        return () -> places.changed(location, entrance, 1);
    }

    @Override
    public Runnable createZombieKilled(int character, int location, int entrance) {
        return () -> places.changed(location, entrance, -1);
    }

    @Override
    public Runnable createBarricaded(int character, int location, int entrance) {
        return () -> places.changed(location, entrance, 1);
    }

    @Override
    public Runnable createBarricadeDestroyed(int location, int entrance) {
        return () -> places.changed(location, entrance, -1);
    }

    @Override
    public Runnable createSurvivorKilled(int character) {
        return () -> died(character);
    }

    @Override
    public Runnable createBitten(Integer character) {
        return () -> died(character);
    }

    /** A player who loses its last survivor loses its hand, too. */
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

    /** After a refusal {@code ActNow} and {@code VoteNow} come again, and {@code Characters} does not. */
    @Override
    public Runnable createCommandFailed(Refusal refusal, String words) {
        return () -> {
            System.out.println(name + " is refused: " + words);
            if (searchDie.isEmpty()) {
                giveUp(name + " cannot take part: " + words);
            } else if (refusal instanceof Refusal.NotOffered || refusal instanceof Refusal.SameCharacterTwice) {
                choose();
            }
        };
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
        Options options;
        try {
            options = Options.read(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n" + Options.USAGE);
            System.exit(2);
            return;
        }
        try {
            for (int number = 0; number < (options.scenario().isEmpty() ? 1 : options.games()); number++) {
                playGame(options, options.seed() == null ? null : options.seed() + number);
            }
        } catch (IOException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }

    private static void playGame(Options options, Long seed) throws IOException {
        boolean makes = !options.scenario().isEmpty();
        Bot bot = new Bot(options.name(), makes ? options.players() : 0);
        try (ClientConnection<Runnable> connection = new ClientConnection<>(options.host(), options.port(), bot)) {
            connection.askForBoard();
            if (makes) {
                connection.create(new Create(null, options.scenario(), null, seed, null));
            } else if (options.game().isEmpty()) {
                connection.join();
            } else {
                connection.join(options.game());
            }
            System.out.println(options.name() + " plays " + connection.game());
            Boolean won = bot.play(connection);
            System.out.println(won == null ? "there was no end" : won ? "won" : "lost");
        }
    }
}
