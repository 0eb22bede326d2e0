import holdfast.commlib.AnyConnection;
import holdfast.commlib.BadMessageException;
import holdfast.commlib.Choice;
import holdfast.commlib.Json;
import holdfast.commlib.Offers;
import holdfast.commlib.wire.Create;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/** Offers, and games of any rulebook that are played by them. */
final class OfferTests {
    /** A scenario of each rulebook that is played with offers. */
    private static final Map<String, String> SCENARIOS = Map.of("crazyhouse", "standard", "colony", "first-night");

    private static final String OFFERS = """
            {"title": "Your turn.", "offers": [
            {"label": "Never", "command": {"Never": {}}, "impossible": "It is late."},
            {"label": "Bet", "title": "Which?", "offers": [{"label": "coins",
              "command": {"Bet": {"coins": 1, "name": "x", "why": "?"}}, "arguments": [
                {"field": "coins", "label": "Coins", "range": {"least": 3, "most": 4}},
                {"field": "name", "label": "Name", "text": {"least": 1, "most": 5, "name": true}},
                {"field": "why", "label": "Why", "free": {"about": "anything"}}]}]},
            {"label": "Peek", "command": "Peek", "uncertain": true},
            {"label": "Give up", "aside": true, "title": "Sure?", "offers": [{"label": "Yes", "command": {"Resign": {}}}]}]}
            """.replace("\n", "");
    private static final String JOIN =
            "> {\"hello\":{\"protocol\":3,\"want\":{\"join\":{}},\"game\":\"tea\",\"board\":false}}";
    private static final String OVER = "< {\"closing\":{\"reason\":\"game_over\",\"message\":\"The game is over.\"}}";

    private OfferTests() {}

    static void choices() throws Exception {
        Offers offers = asked(OFFERS);
        List<Choice> choices = offers.choices();
        Check.equal(List.of(List.of("Bet", "coins"), List.of("Peek")), choices.stream().map(Choice::labels).toList(), "labels");
        Check.equal(3, offers.allChoices().size(), "with what stands beside");
        Check.isTrue(choices.get(1).uncertain(), "Peek is uncertain");
        Json filled = choices.get(0).fill(Map.of("coins", Json.of(4), "name", Json.of("Bo")));
        Check.equal("{\"Bet\":{\"coins\":4,\"name\":\"Bo\",\"why\":\"?\"}}", filled.toString(), "a filled command");
        Check.equal("\"Peek\"", choices.get(1).fill(Map.of()).toString(), "without arguments");
        List<Map<String, Json>> wrong = List.of(
                Map.of("coins", Json.of(2)), Map.of("coins", Json.of(5)), Map.of("coins", Json.of("3")),
                Map.of("name", Json.of("")), Map.of("name", Json.of("Johann")), Map.of("name", Json.of(3)));
        for (Map<String, Json> values : wrong) {
            Check.fails(IllegalArgumentException.class, "is not allowed", () -> choices.get(0).fill(values));
        }
        Check.fails(IllegalArgumentException.class, "no argument", () -> choices.get(0).fill(Map.of("x", Json.of(1))));

        TreeSet<String> drawn = new TreeSet<>();
        Random random = new Random(1);
        for (int i = 0; i < 60; i++) {
            drawn.add(offers.randomCommand("Bo", random).toString());
        }
        String bet = "{\"Bet\":{\"coins\":%d,\"name\":\"Bo\",\"why\":\"?\"}}";
        Check.equal(new TreeSet<>(List.of("\"Peek\"", bet.formatted(3), bet.formatted(4))), drawn, "random commands");
        Check.equal(null, asked("{\"title\": \"\", \"offers\": []}").randomCommand("Bo", random), "nothing to do");
        for (String bad : List.of("", "[]", "{}", "{\"title\": \"\", \"offers\": [{}]}")) {
            Check.fails(BadMessageException.class, "", () -> asked(bad));
        }
    }

    /** What a client makes of this answer. */
    private static Offers asked(String offers) throws Exception {
        try (FakeServer server = new FakeServer(JOIN, welcome(1), "> {\"offers\":1}", answer(1, 0, offers));
                AnyConnection connection = new AnyConnection("127.0.0.1", server.port())) {
            connection.join("tea");
            return connection.offers();
        }
    }

    /** Events come before, behind and instead of an answer, and the connection is lost. */
    static void turns() throws Exception {
        String resume = "> {\"hello\":{\"protocol\":3,\"want\":{\"resume\":{\"token\":\"000102030405060708090a0b0c0d0e0f\","
                + "\"seen\":2}},\"game\":\"tea\",\"board\":false}}";
        try (FakeServer server = new FakeServer(JOIN, welcome(1), "> {\"offers\":1}", event(1), answer(1, 0, OFFERS),
                        "> {\"offers\":2}", answer(2, 1, OFFERS), event(2), "> {\"offers\":3}", "hang up",
                        resume, welcome(3), "> {\"ping\":0}", "< {\"pong\":0}", "> {\"offers\":4}", answer(4, 2, OFFERS),
                        "> {\"command\":{\"Say\":{}}}", "> {\"offers\":5}",
                        "< {\"refused\":{\"reason\":\"game_over\",\"message\":\"late\"}}", "> {\"offers\":6}", event(3), OVER);
                AnyConnection connection = new AnyConnection("127.0.0.1", server.port())) {
            connection.join("tea");
            List<String> heard = new ArrayList<>();
            for (int turn = 0; turn < 2; turn++) {
                Check.equal("Your turn.", connection.nextOffers(it -> heard.add(it.text())).title(), "a turn");
            }
            Check.equal(List.of("words 1", "words 2"), heard, "the events");
            connection.send(Json.read("{\"Say\":{}}"));
            Check.equal(null, connection.nextOffers(it -> heard.add(it.text())), "the end");
            Check.equal(List.of("words 1", "words 2", "words 3"), heard, "all events");
        }
        // Events that came before an answer are still returned, and a place that is saved before them has them to come.
        try (FakeServer server = new FakeServer(JOIN, welcome(1), "> {\"offers\":1}", event(1), answer(1, 1, OFFERS));
                AnyConnection connection = new AnyConnection("127.0.0.1", server.port())) {
            connection.join("tea");
            connection.offers();
            Check.equal(0L, connection.place().seen(), "before it is returned");
            Check.equal("words 1", connection.nextEvent().text(), "the event");
            Check.equal(1L, connection.place().seen(), "after it was returned");
        }
    }

    private static String welcome(long next) {
        return "< {\"welcome\":{\"protocol\":3,\"game\":\"tea\",\"client\":0,"
                + "\"token\":\"000102030405060708090a0b0c0d0e0f\",\"next\":" + next + ",\"rulebook\":\"table\","
                + "\"edition\":\"loud\",\"commands\":0,\"scenario\":null}}";
    }

    private static String event(long number) {
        return "< {\"event\":{\"number\":" + number + ",\"event\":{\"Said\":{}},\"text\":\"words " + number + "\"}}";
    }

    private static String answer(long number, long after, String offers) {
        return "< {\"offers\":{\"number\":" + number + ",\"after\":" + after + ",\"offers\":" + Json.of(offers) + "}}";
    }

    static void starter() throws Exception {
        Check.equal("7", OfferBot.read("--new", "x", "--seed", "7").get("--seed"), "an option");
        Check.equal("", OfferBot.read("--name", "Ana").get("--game"), "the only game");
        wrong("either --new creates games or --game joins one", "--new", "x", "--game", "y");
        wrong("there is no option --fast", "--fast", "1");
        wrong("--new needs a value", "--new");
        wrong("--games needs --new", "--game", "x", "--games", "2");
        wrong("--count needs a number from 1 on, not 0", "--new", "x", "--count", "0");
        wrong("--seed needs a number, not many", "--new", "x", "--seed", "many");
        wrong("--connect needs HOST:PORT, not here", "--new", "x", "--connect", "here");
    }

    private static void wrong(String words, String... arguments) throws Exception {
        Check.fails(IllegalArgumentException.class, words, () -> OfferBot.read(arguments));
    }

    /** Two clients on a real host, which is killed in the middle. */
    static void games(Path project) throws Exception {
        Path folder = Files.createTempDirectory("holdfast-java-offers");
        int played = 0;
        for (Map.Entry<String, String> each : SCENARIOS.entrySet()) {
            if (!Files.isDirectory(project.resolve("games").resolve(each.getKey()))) {
                continue;
            }
            played++;
            try (HostProcess host = HostProcess.withLog(folder.resolve(each.getKey() + ".log"));
                    AnyConnection ana = new AnyConnection("127.0.0.1", host.port());
                    AnyConnection bo = new AnyConnection("127.0.0.1", host.port())) {
                ana.create(new Create(each.getKey(), each.getValue(), null, 11L, null));
                bo.join(ana.game());
                AtomicReference<Exception> failure = new AtomicReference<>();
                Thread other = new Thread(() -> {
                    try {
                        OfferBot.play(bo, "Bo", new Random(2));
                    } catch (IOException failed) {
                        failure.set(failed);
                    }
                });
                other.start();
                Random random = new Random(1);
                List<AnyConnection.Event> events = new ArrayList<>();
                Offers offers;
                for (int turn = 1; (offers = ana.nextOffers(events::add)) != null; turn++) {
                    ana.send(offers.randomCommand("Ana", random));
                    if (turn == 3) {
                        host.kill();
                        host.restart();
                    }
                }
                other.join();
                if (failure.get() != null) {
                    throw failure.get();
                }
                Check.equal((long) events.size(), ana.seen(), "events of " + each.getKey());
                Check.equal(1L, ana.resumed(), "connections of " + each.getKey());
            }
        }
        Check.isTrue(played > 0, "there are rulebooks to play");
    }
}
