import holdfast.commlib.Json;
import holdfast.commlib.colony.ClientConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the starter makes of its arguments, and of a game that does not go as it should. */
final class StarterTests {
    private static final String JOIN =
            "> {\"hello\":{\"protocol\":3,\"want\":{\"join\":{}},\"game\":\"tea\",\"board\":true}}";
    private static final String WELCOME = "< {\"welcome\":{\"protocol\":3,\"game\":\"tea\",\"client\":0,"
            + "\"token\":\"000102030405060708090a0b0c0d0e0f\",\"next\":1,\"rulebook\":\"colony\",\"edition\":\"group\","
            + "\"commands\":0,\"scenario\":null}}";
    private static final String REGISTER = "> {\"command\":{\"Register\":{\"name\":\"Ana\"}}}";

    private StarterTests() {}

    static void run(Path project) throws Exception {
        options();
        String config = config(project);
        refusedRegistration();
        room(config);
        refusedChoices(config);
    }

    private static void options() throws Exception {
        Options made = Options.read("--new", "winter", "--players", "3", "--name", "Ana", "--connect", "[::1]:7",
                "--games", "4", "--seed", "-5");
        Check.equal(new Options("[::1]", 7, "winter", "", "Ana", 3, 4, -5L), made, "games to make");
        Options joined = Options.read("--game", "tea");
        Check.equal(new Options("127.0.0.1", 7700, "", "tea", "Java", 1, 1, null), joined, "a game to join");
        Check.equal(new Options("127.0.0.1", 7, "", "", "Java", 1, 1, null), Options.read("--connect", "127.0.0.1:7"), "the only game");
        wrong("either --new makes a game or --game joins one", "--new", "winter", "--game", "tea");
        wrong("there is no option --join", "--join", "tea");
        wrong("--new needs a value", "--new");
        wrong("--new needs a value", "--new", "--name", "Ana");
        wrong("--connect needs HOST:PORT, not 127.0.0.1", "--new", "winter", "--connect", "127.0.0.1");
        wrong("--connect needs HOST:PORT, not 7700", "--new", "winter", "--connect", "7700");
        wrong("--connect needs HOST:PORT, not :7700", "--new", "winter", "--connect", ":7700");
        wrong("--connect needs HOST:PORT, not a:65536", "--new", "winter", "--connect", "a:65536");
        wrong("--players needs a number, not x", "--new", "winter", "--players", "x");
        wrong("--players needs a number, not 0", "--new", "winter", "--players", "0");
        wrong("--games needs a number, not 0", "--new", "winter", "--games", "0");
        wrong("--seed needs a number, not x", "--new", "winter", "--seed", "x");
    }

    private static void wrong(String words, String... arguments) throws Exception {
        Check.fails(IllegalArgumentException.class, words, () -> Options.read(arguments));
    }

    private static void refusedRegistration() throws Exception {
        String problem = "Ana cannot take part: The game has started.";
        with(0, problem, event(1, "{\"CommandFailed\":{\"refusal\":{\"AlreadyStarted\":{}}}}", "The game has started."));
    }

    private static void room(String config) throws Exception {
        String registered = event(1, "{\"Registered\":{\"player\":0,\"name\":\"Ana\"}}", null);
        with(6, "the scenario has room for 5 players, not for 6", registered, config);
        String aborted = event(3, "{\"RegistrationAborted\":{}}", null);
        with(5, null, registered, config, aborted);
        with(1, null, registered, config, "> {\"command\":{\"StartGame\":{}}}", aborted);
    }

    /** Another pair after each refusal of one, and none after the refusal of something else. */
    private static void refusedChoices(String config) throws Exception {
        String registered = event(1, "{\"Registered\":{\"player\":0,\"name\":\"Ana\"}}", null);
        String offer = event(3, "{\"Characters\":{\"c0\":1,\"c1\":2,\"c2\":6,\"c3\":7}}", null);
        String late = event(4, "{\"CommandFailed\":{\"refusal\":{\"AlreadyStarted\":{}}}}", "late");
        // They need dice of 3, 2, 5 and 4 to search.
        with(0, "none of the choices was taken", registered, config, offer, choice(2, 1), late,
                refusal(5), choice(2, 7), refusal(6), choice(1, 7), refusal(7), choice(2, 6), refusal(8), choice(1, 6),
                refusal(9), choice(7, 6), refusal(10));
    }

    private static String choice(int first, int second) {
        return "> {\"command\":{\"SelectCharacters\":{\"first\":" + first + ",\"second\":" + second + "}}}";
    }

    private static String refusal(int number) {
        return event(number, "{\"CommandFailed\":{\"refusal\":{\"SameCharacterTwice\":{\"character\":1}}}}", "no");
    }

    /** The starter waits for so many players, and ends with this problem or without one. */
    private static void with(int players, String problem, String... said) throws Exception {
        String[] script = new String[said.length + 3];
        script[0] = JOIN;
        script[1] = WELCOME;
        script[2] = REGISTER;
        System.arraycopy(said, 0, script, 3, said.length);
        Bot bot = new Bot("Ana", players);
        try (FakeServer server = new FakeServer(script);
                ClientConnection<Runnable> connection = new ClientConnection<>("127.0.0.1", server.port(), bot)) {
            connection.askForBoard();
            connection.join("tea");
            if (problem == null) {
                Check.equal(null, bot.play(connection), "how it ended");
            } else {
                IOException failure = Check.fails(IOException.class, problem, () -> bot.play(connection));
                Check.equal(problem, failure.getMessage(), "why it ended");
            }
        }
    }

    private static String event(long number, String event, String text) {
        String words = text == null ? "null" : Json.of(text).toString();
        return "< {\"event\":{\"number\":" + number + ",\"event\":" + event + ",\"text\":" + words + "}}";
    }

    private static String config(Path project) throws IOException {
        return event(2, "{\"Config\":{}}", Files.readString(project.resolve("games/colony/scenarios/winter.json")));
    }
}
