package holdfast.commlib.testkit;

import holdfast.commlib.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A client of a game in a test. Each rulebook has a subclass {@code TestClient} with a method for each command and event. */
public abstract class Client {
    private static final int RECENT = 6;
    private static final int LONGEST = 100;

    private final Broker broker;
    private final String name;
    private final List<Json> received = new ArrayList<>();
    private String sent = "";

    protected Client(Game<?> game, String name) {
        this.broker = game.broker();
        this.name = name;
    }

    public final String name() {
        return name;
    }

    /** Sends a command by its name, also a malformed one. All events that it causes are there when this returns. */
    public final void send(String command, Json... arguments) {
        List<Json> call = call(command, arguments);
        // Optional arguments at the end are left out.
        while (call.get(call.size() - 1) == null) {
            call.remove(call.size() - 1);
        }
        Json list = Json.list(call, each -> each == null ? Json.nothing() : each);
        sent = name + ": " + shown(list.items());
        broker.ask("send", Json.object().with("client", Json.of(name)).with("command", list));
    }

    /** The next event, such as {@code ["Moved", 1, 20]}, or null. */
    public final Json nextEvent() {
        Json event = broker.ask("next", Json.of(name));
        if (!event.isList()) {
            return null;
        }
        received.add(event);
        return event;
    }

    /** All events that have come and were not looked at: for tests of any order. */
    public final List<Json> events() {
        List<Json> events = new ArrayList<>();
        for (Json event = nextEvent(); event != null; event = nextEvent()) {
            events.add(event);
        }
        return events;
    }

    public final void assertNothingMore() {
        Json event = nextEvent();
        if (event != null) {
            throw new AssertionError(difference("nothing more", event));
        }
    }

    /** The next event, which must be this one. Arguments that are null or missing match any value. Returns its arguments. */
    protected final List<Json> assertEvent(String event, Json... expected) {
        return expect(event, expected, false);
    }

    /** Skips events up to this one, which must come. */
    protected final List<Json> untilEvent(String event, Json... expected) {
        return expect(event, expected, true);
    }

    private List<Json> expect(String event, Json[] expected, boolean until) {
        while (true) {
            Json came = nextEvent();
            if (came != null && fits(event, expected, came.items())) {
                return came.items().subList(1, came.items().size());
            }
            if (came == null || !until) {
                throw new AssertionError(difference(shown(call(event, expected)), came));
            }
        }
    }

    private static boolean fits(String event, Json[] expected, List<Json> came) {
        if (!came.get(0).asString().equals(event)) {
            return false;
        }
        for (int at = 0; at < expected.length; at++) {
            String value = at + 1 < came.size() ? came.get(at + 1).toString() : "null";
            if (expected[at] != null && !expected[at].toString().equals(value)) {
                return false;
            }
        }
        return true;
    }

    private static List<Json> call(String name, Json[] arguments) {
        List<Json> call = new ArrayList<>(List.of(Json.of(name)));
        call.addAll(Arrays.asList(arguments));
        return call;
    }

    private String difference(String expected, Json came) {
        List<Json> before = came == null ? received : received.subList(0, received.size() - 1);
        List<String> lines = new ArrayList<>();
        lines.add(name + " received something else");
        lines.add("  expected: " + expected);
        lines.add("  came:     " + (came == null ? "nothing" : shown(came.items())));
        lines.add("  " + name + (before.isEmpty() ? " received nothing before" : " received before:"));
        before.subList(Math.max(0, before.size() - RECENT), before.size())
                .forEach(event -> lines.add("      " + shown(event.items())));
        if (!sent.isEmpty()) {
            lines.add("  after " + sent);
        }
        return String.join("\n", lines);
    }

    private static String shown(List<Json> call) {
        List<String> words = new ArrayList<>(List.of(call.get(0).asString()));
        call.subList(1, call.size()).forEach(value -> words.add(value == null ? "_" : value.toString()));
        String text = String.join(" ", words);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + " ..";
    }
}
