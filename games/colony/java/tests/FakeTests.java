import holdfast.commlib.BadMessageException;
import holdfast.commlib.ClosedException;
import holdfast.commlib.LostException;
import holdfast.commlib.RefusedException;
import holdfast.commlib.Retry;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.wire.Reason;
import java.time.Duration;

/** Bytes that come in any pieces, messages that must not come, and every way to lose a connection. */
final class FakeTests {
    private static final String TOKEN = "000102030405060708090a0b0c0d0e0f";
    private static final String JOIN =
            "> {\"hello\":{\"protocol\":3,\"want\":{\"join\":{}},\"game\":\"tea\",\"board\":false}}";
    private static final String WELCOME = welcome(1, 0);
    private static final String PING = "> {\"ping\":0}";
    private static final String SEARCH = "> {\"command\":{\"Search\":{\"character\":7}}}";
    private static final Retry SOON = retry(10_000, 5, 20, 5000);

    private FakeTests() {}

    static void run() throws Exception {
        pieces();
        badMessages();
        lostCommands();
        reasons();
        silence();
        giveUp();
    }

    private static Retry retry(int silence, int first, int longest, int limit) {
        return new Retry(Duration.ofMillis(silence), Duration.ofMillis(first), Duration.ofMillis(longest),
                Duration.ofMillis(limit));
    }

    private static String welcome(long next, long commands) {
        return "< {\"welcome\":{\"protocol\":3,\"game\":\"tea\",\"client\":0,\"token\":\"" + TOKEN + "\",\"next\":"
                + next + played(commands, "null");
    }

    /** How every welcome ends. */
    private static String played(long commands, String scenario) {
        return ",\"rulebook\":\"colony\",\"edition\":\"group\",\"commands\":" + commands + ",\"scenario\":" + scenario
                + "}}";
    }

    private static String resume(long seen) {
        return "> {\"hello\":{\"protocol\":3,\"want\":{\"resume\":{\"token\":\"" + TOKEN + "\",\"seen\":" + seen
                + "}},\"game\":\"tea\",\"board\":false}}";
    }

    private static String event(long number, String event) {
        return "< {\"event\":{\"number\":" + number + ",\"event\":" + event + ",\"text\":null}}";
    }

    private interface Play {
        void on(ClientConnection<Runnable> connection, Recorder recorder) throws Exception;
    }

    /** A client that has joined a game whose server follows the script. */
    private static void with(Play play, String... script) throws Exception {
        try (FakeServer server = new FakeServer(script)) {
            Recorder recorder = new Recorder(null);
            try (ClientConnection<Runnable> connection =
                    new ClientConnection<>("127.0.0.1", server.port(), recorder.factory())) {
                connection.setRetry(SOON);
                connection.join("tea");
                play.on(connection, recorder);
            }
        }
    }

    private static void pieces() throws Exception {
        with((connection, recorder) -> {
            connection.nextEvent();
            connection.nextEvent();
            Check.equal("[createPlayer[0, \u00e9], createActNownull]", recorder.events().toString(), "the events");
        }, JOIN, "# \r\n \n" + WELCOME.substring(2) + "\r\n",
                "# {\"event\":{\"number\":1,\"event\":{\"Player\":{\"player\":0,\"name\":\"\u00c3\u00a9\",",
                "# \"new\":[]}}}}\n\n\n",
                "# {\"event\":{\"text\":null,\"event\":{\"ActNow\":{}},\"number\":2}}\n");
        String start = "{\"pong\":1,\"x\":\"";
        int room = (1 << 20) - start.length() - 2;
        bad("$ has 2 fields", "< " + start + "x".repeat(room) + "\"}");
        bad("a line is longer than 1048576 bytes", "< " + start + "x".repeat(room + 1) + "\"}");
        bad("a line is not UTF-8", "# \u00ff\n");
    }

    private static void badMessages() throws Exception {
        bad("event 2 came after event 0", event(2, "{\"ActNow\":{}}"));
        bad("event 1 came after event 1", event(1, "{\"ActNow\":{}}"), event(1, "{\"ActNow\":{}}"));
        bad("event 1: $.event.event is \"Danced\", which this client does not know", event(1, "{\"Danced\":{}}"));
        bad("event 1: $.event.event.Wounded has no field \"character\"", event(1, "{\"Wounded\":{}}"));
        bad("event 1: $.event.event.Wounded.character is not a number",
                event(1, "{\"Wounded\":{\"character\":\"7\"}}"));
        bad("$.event.event.DieRolled.value is not a whole number from 0 to 255",
                event(1, "{\"DieRolled\":{\"player\":0,\"value\":256}}"));
        bad("$.event.event.FoodChanged.reason is \"STOLEN\"",
                event(1, "{\"FoodChanged\":{\"amount\":1,\"reason\":\"STOLEN\"}}"));
        bad("\"greeting\", which this client does not know", "< {\"greeting\":{}}");
        bad("does not belong here", "< {\"games\":[]}");
        bad("character 1: a value is expected here", "< hello");
        bad(" answers with HTTP: is this the port of the page", "< HTTP/1.1 400 Bad Request");
        bad("too many arrays", "< " + "[".repeat(33));
    }

    /** What a server says that is no message of this protocol ends the game with these words. */
    private static void bad(String words, String... said) throws Exception {
        String[] script = new String[said.length + 2];
        script[0] = JOIN;
        script[1] = WELCOME;
        System.arraycopy(said, 0, script, 2, said.length);
        with((connection, recorder) -> Check.fails(BadMessageException.class, words, () -> {
            while (true) {
                connection.nextEvent();
            }
        }), script);
    }

    /** A command is sent again if the game has not taken it, and only then. */
    private static void lostCommands() throws Exception {
        Play search = (connection, recorder) -> {
            connection.nextEvent();
            connection.sendSearch(7);
            connection.nextEvent();
            Check.equal(2L, connection.seen(), "the last event");
            Check.equal(1L, connection.resumed(), "how often the connection was lost");
        };
        String act = event(1, "{\"ActNow\":{}}");
        String searched = event(2, "{\"Searched\":{\"character\":7,\"location\":20}}");
        with(search, JOIN, WELCOME, act, SEARCH, "hang up", resume(1), welcome(2, 0), SEARCH, PING, searched);
        with((connection, recorder) -> {
            search.on(connection, recorder);
            connection.nextEvent();
            Check.fails(ClosedException.class, "The end.", connection::nextEvent);
        }, JOIN, WELCOME, act, SEARCH, "hang up", resume(1), welcome(2, 1), PING, searched, "< {\"pong\":0}",
                event(3, "{\"ActNow\":{}}"), "< {\"closing\":{\"reason\":\"game_over\",\"message\":\"The end.\"}}");
        // It was taken before, by another connection; and it is lost twice.
        with(search, JOIN, welcome(1, 5), act, SEARCH, "hang up", resume(1), welcome(2, 6), PING, searched);
        with((connection, recorder) -> {
            connection.nextEvent();
            connection.sendSearch(7);
            connection.nextEvent();
            Check.equal(2L, connection.resumed(), "how often the connection was lost");
        }, JOIN, welcome(1, 5), act, SEARCH, "hang up", resume(1), welcome(2, 5), SEARCH, PING, "hang up", resume(1),
                welcome(2, 5), SEARCH, PING, searched);
        // The first of three was taken.
        String second = "> {\"command\":{\"Search\":{\"character\":8}}}";
        String end = "> {\"command\":{\"EndTurn\":{}}}";
        with((connection, recorder) -> {
            connection.nextEvent();
            connection.sendSearch(7);
            connection.sendSearch(8);
            connection.sendEndTurn();
            connection.nextEvent();
        }, JOIN, WELCOME, act, SEARCH, second, end, "hang up", resume(1), welcome(2, 1), second, end, PING, searched);
        // Refused commands are in no log, and are not repeated.
        with((connection, recorder) -> {
            connection.sendRegister("Ana");
            Check.fails(RefusedException.class, "no", connection::nextEvent);
            connection.nextEvent();
        }, JOIN, WELCOME, "> {\"command\":{\"Register\":{\"name\":\"Ana\"}}}",
                "< {\"refused\":{\"reason\":\"bad_message\",\"message\":\"no\"}}", "hang up", resume(0), WELCOME, PING,
                act);
        // Half a line is no event.
        with(search, JOIN, WELCOME, act, SEARCH, "# " + searched.substring(2), "hang up", resume(1), welcome(2, 1), PING,
                searched);
        // A spectator has no token, and still continues after a reconnect.
        String watch =
                "> {\"hello\":{\"protocol\":3,\"want\":{\"watch\":{\"seen\":%d}},\"game\":\"tea\",\"board\":false}}";
        String seen = "< {\"welcome\":{\"protocol\":3,\"game\":\"tea\",\"client\":null,\"token\":null,\"next\":%d"
                + played(0, "\"two dice\"");
        try (FakeServer server = new FakeServer(watch.formatted(4), seen.formatted(5), event(5, "{\"GameStarted\":{}}"),
                "hang up", watch.formatted(5), seen.formatted(6), PING, event(6, "{\"ChildSpawned\":{}}"));
                ClientConnection<Runnable> connection =
                        new ClientConnection<>("127.0.0.1", server.port(), new Recorder(null).factory())) {
            connection.watch("tea", 4);
            Check.equal("two dice", connection.scenario(), "what the game was made from");
            connection.nextEvent();
            connection.nextEvent();
            Check.equal(6L, connection.seen(), "the last event");
            Check.fails(IllegalStateException.class, "no place", connection::place);
        }
    }

    private static void reasons() throws Exception {
        Play next = (connection, recorder) -> connection.nextEvent();
        for (String passing : new String[] {"shutting_down", "store_unavailable", "timeout", "too_slow", "too_many"}) {
            with(next, JOIN, WELCOME, "< {\"closing\":{\"reason\":\"" + passing + "\",\"message\":\"bye\"}}", "hang up",
                    resume(0), WELCOME, PING, event(1, "{\"ActNow\":{}}"));
        }
        for (Reason lasting : new Reason[] {Reason.REPLACED, Reason.GAME_OVER, Reason.TOO_FAST, Reason.INTERNAL}) {
            String reason = lasting.name().toLowerCase(java.util.Locale.ROOT);
            String said = "{\"reason\":\"" + reason + "\",\"message\":\"some words\"}}";
            with((connection, recorder) -> {
                ClosedException closed = Check.fails(ClosedException.class, "some words", connection::nextEvent);
                Check.equal(lasting, closed.reason(), "the reason");
                Check.fails(ClosedException.class, "some words", connection::nextEvent);
            }, JOIN, WELCOME, "< {\"closing\":" + said);
            with((connection, recorder) -> {
                RefusedException refused = Check.fails(RefusedException.class, "some words", connection::nextEvent);
                Check.equal(lasting, refused.reason(), "the reason");
                connection.nextEvent();
            }, JOIN, WELCOME, "< {\"refused\":" + said, event(1, "{\"ActNow\":{}}"));
        }
        // The place is gone.
        with((connection, recorder) -> Check.fails(RefusedException.class, "no such token", connection::nextEvent),
                JOIN, WELCOME, "hang up", resume(0),
                "< {\"refused\":{\"reason\":\"unknown_token\",\"message\":\"no such token\"}}");
        // A server that goes on somewhere else.
        with((connection, recorder) ->
                        Check.fails(BadMessageException.class, "event 3 would come", connection::nextEvent),
                JOIN, WELCOME, "hang up", resume(0), welcome(3, 0));
    }

    /** A server that is asked whether it is there, and one that does not answer. */
    private static void silence() throws Exception {
        try (FakeServer server = new FakeServer(JOIN, WELCOME, PING, "< {\"pong\":0}", PING,
                "> null", "hang up", resume(0), WELCOME, PING, event(1, "{\"ActNow\":{}}"));
                ClientConnection<Runnable> connection =
                        new ClientConnection<>("127.0.0.1", server.port(), new Recorder(null).factory())) {
            connection.setRetry(retry(300, 5, 20, 5000));
            connection.join("tea");
            connection.nextEvent();
            Check.equal(1L, connection.resumed(), "how often the connection was lost");
        }
    }

    private static void giveUp() throws Exception {
        String[] script = {JOIN, WELCOME, "hang up"};
        try (FakeServer server = new FakeServer(script);
                ClientConnection<Runnable> connection =
                        new ClientConnection<>("127.0.0.1", server.port(), new Recorder(null).factory())) {
            connection.setRetry(Retry.NEVER);
            connection.join("tea");
            Check.fails(LostException.class, "the server hung up", connection::nextEvent);
        }
        ClientConnection<Runnable> connection;
        try (FakeServer server = new FakeServer(script)) {
            connection = new ClientConnection<>("127.0.0.1", server.port(), new Recorder(null).factory());
            connection.setRetry(retry(10_000, 20, 40, 300));
            connection.join("tea");
        }
        long start = System.nanoTime();
        Check.fails(LostException.class, "was not to be had again", connection::nextEvent);
        long millis = (System.nanoTime() - start) / 1_000_000;
        Check.isTrue(300 <= millis && millis < 5000, "it gives up after 300 ms, not " + millis);
        connection.close();
        Check.fails(IllegalStateException.class, "closed", connection::sendEndTurn);
        Check.fails(LostException.class, "closed", connection::nextEvent);
    }
}
