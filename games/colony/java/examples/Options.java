import java.util.HashMap;
import java.util.Map;

/** What the starter is called with. With neither a scenario nor a game it joins the only game of the server. */
record Options(String host, int port, String scenario, String game, String name, int players, int games, Long seed) {
    static final String USAGE = "java -cp out Bot --new SCENARIO [--players COUNT] [--games COUNT] [--seed SEED]"
            + " | [--game GAME]   [--connect HOST:PORT] [--name NAME]";

    private static final Map<String, String> DEFAULTS =
            Map.of("--connect", "127.0.0.1:7700", "--new", "", "--game", "", "--name", "Java", "--players", "1",
                    "--games", "1", "--seed", "");

    /** Whatever cannot be meant is an IllegalArgumentException that says so. */
    static Options read(String... arguments) {
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
            throw new IllegalArgumentException("either --new makes a game or --game joins one");
        }
        String address = given.get("--connect");
        int colon = address.lastIndexOf(':');
        int port = number(address.substring(colon + 1), 65_535, "--connect needs HOST:PORT, not " + address);
        if (colon < 1) {
            throw new IllegalArgumentException("--connect needs HOST:PORT, not " + address);
        }
        int players = number(given.get("--players"), 65_535, "--players needs a number, not " + given.get("--players"));
        int games = number(given.get("--games"), 1_000_000, "--games needs a number, not " + given.get("--games"));
        if (!given.get("--seed").matches("|-?\\d{1,18}")) {
            throw new IllegalArgumentException("--seed needs a number, not " + given.get("--seed"));
        }
        Long seed = given.get("--seed").isEmpty() ? null : Long.valueOf(given.get("--seed"));
        return new Options(address.substring(0, colon), port, given.get("--new"), given.get("--game"),
                given.get("--name"), players, games, seed);
    }

    private static int number(String text, int most, String words) {
        try {
            int number = Integer.parseInt(text);
            if (1 <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // As a number that is too large.
        }
        throw new IllegalArgumentException(words);
    }
}
