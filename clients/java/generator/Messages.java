import holdfast.commlib.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The commands and events of a rulebook: a method for each. */
final class Messages {
    private final Types types;
    private final List<Json> commands;
    private final List<Json> events;

    Messages(Types types, Json rulebook) {
        this.types = types;
        this.commands = kinds(rulebook, "command");
        this.events = kinds(rulebook, "event");
        // Clients send commands and servers send events, so both are read and written.
        for (boolean isRead : new boolean[] {false, true}) {
            commands.forEach(command -> types.reachVariant(command, isRead));
            events.forEach(event -> types.reachVariant(event, isRead));
        }
    }

    private static List<Json> kinds(Json rulebook, String which) {
        return rulebook.field("types").field(rulebook.field(which).asString()).field("enum").items();
    }

    Map<String, String> classes() {
        Source source = new Source(types.name());
        return new TreeMap<>(Map.of(
                "EventFactory", source.text(factory()),
                "EventAdapter", source.text(adapter()),
                "ClientConnection", source.text(connection()),
                "CommandFactory", source.text(commandFactory()),
                "ServerConnection", source.text(serverConnection()),
                "TestClient", source.text(testClient()),
                "TestGame", source.text(testGame())));
    }

    private String testGame() {
        return """
                /** A game of %s in a test: {@code try (TestGame game = new TestGame("winter", 7, "Ana", "Bo")) ..}. */
                public final class TestGame extends Game<TestClient> {
                    public TestGame(String scenario, long seed, String... players) {
                        this(new Setup(scenario, seed, null, null), players);
                    }

                    public TestGame(Setup setup, String... players) {
                        super("%s", setup, List.of(players), TestClient::new);
                    }
                }
                """.formatted(types.name(), types.name());
    }

    private String testClient() {
        StringBuilder out = new StringBuilder("/** A client of a game of ").append(types.name()).append(" in a test. */\n");
        out.append("public final class TestClient extends Client {\n");
        out.append("    TestClient(Game<?> game, String name) {\n        super(game, name);\n    }\n");
        for (Json command : commands) {
            List<Json> all = Types.fields(command);
            List<Json> needed = all.stream().filter(field -> !field.has("optional")).toList();
            if (needed.size() < all.size() && needed.equals(all.subList(0, needed.size()))) {
                out.append(testing("void send", "send", command, needed, false));
            }
            out.append(testing("void send", "send", command, all, false));
        }
        for (Json event : events) {
            // An event with a text has it as its first argument, in place of its fields.
            for (String kind : List.of("assert", "until")) {
                String method = "List<Json> " + kind;
                List<Json> fields = event.has("text") ? List.of() : Types.fields(event);
                out.append(testing(method, "return " + kind + "Event", event, List.of(), true));
                if (event.has("text")) {
                    out.append("\n    public ").append(method).append(name(event)).append("(String text) {\n");
                    out.append("        return ").append(kind).append("Event(\"").append(name(event));
                    out.append("\", Json.of(text));\n    }\n");
                } else if (!fields.isEmpty()) {
                    out.append(testing(method, "return " + kind + "Event", event, fields, true));
                }
            }
        }
        return out.append("}\n").toString();
    }

    private String testing(String method, String call, Json kind, List<Json> fields, boolean any) {
        List<String> arguments = new ArrayList<>(List.of("\"" + name(kind) + "\""));
        arguments.addAll(types.values(fields, any));
        return "\n" + Source.call(4, "public " + method + name(kind), types.parameters(fields, any), " {")
                + Source.call(8, call, arguments, ";") + "    }\n";
    }

    private String commandFactory() {
        StringBuilder out = new StringBuilder("/** Makes a value of one's own of every command that a client sends. */\n");
        out.append("public interface CommandFactory<C> {\n");
        String between = "";
        for (Json command : commands) {
            out.append(between).append(Source.call(4, "C create" + name(command), withClient(Types.fields(command)), ";"));
            between = "\n";
        }
        return out.append("}\n").toString();
    }

    private String serverConnection() {
        StringBuilder out = new StringBuilder("/** The server of a game of ").append(types.name());
        out.append(", for all its clients. */\n");
        out.append("""
                public final class ServerConnection<C> extends Server<C> {
                    private final CommandFactory<C> factory;

                    public ServerConnection(int port, CommandFactory<C> factory) throws IOException {
                        super("%s", port);
                        this.factory = factory;
                    }
                """.formatted(types.name()));
        for (Json event : events) {
            List<Json> fields = Types.fields(event);
            List<String> parameters = new ArrayList<>(withClient(fields));
            String text = "null";
            if (event.has("text")) {
                parameters.add("String text");
                text = "text";
            }
            out.append("\n").append(Source.call(4, "public void send" + name(event), parameters, " {"));
            out.append(Source.chain(8, "send(client, \"" + name(event) + "\", Json.object()", types.writeAll(fields),
                    ", " + text + ");"));
            out.append("    }\n");
            if (event.has("text") && fields.size() == 1 && fields.get(0).field("name").asString().equals("refusal")) {
                out.append("\n    /** Without the facts of the refusal. */\n");
                out.append("    public void send").append(name(event)).append("(int client, String text) {\n");
                out.append("        send(client, \"").append(name(event)).append("\", Json.object(), text);\n    }\n");
            }
        }
        out.append("\n    @Override\n    protected C command(int client, Json command) {\n");
        StringBuilder cases = new StringBuilder();
        for (Json command : commands) {
            List<String> arguments = new ArrayList<>(List.of("client"));
            arguments.addAll(types.readAll(Types.fields(command), "body"));
            cases.append(Source.call(12, "case \"" + name(command) + "\" -> factory.create" + name(command), arguments, ";"));
        }
        out.append("        Json body = command.body();\n        return switch (command.kind()) {\n").append(cases);
        out.append("            default -> throw command.unknown();\n        };\n    }\n");
        out.append("\n    @Override\n    protected List<CommandForm> positions() {\n        return POSITIONS;\n    }\n");
        out.append("\n    private static final List<CommandForm> POSITIONS = List.of(\n");
        List<String> rows = new ArrayList<>();
        for (Json command : commands) {
            List<String> names = new ArrayList<>();
            int needed = 0;
            for (Json field : Types.fields(command)) {
                names.add("\"" + field.field("name").asString() + "\"");
                needed = field.has("optional") ? needed : names.size();
            }
            rows.add("            new CommandForm(\"" + name(command) + "\", " + needed + ", List.of("
                    + String.join(", ", names) + "))");
        }
        return out.append(String.join(",\n", rows)).append(");\n}\n").toString();
    }

    private List<String> withClient(List<Json> fields) {
        List<String> parameters = new ArrayList<>(List.of("int client"));
        parameters.addAll(types.parameters(fields));
        return parameters;
    }

    private String factory() {
        StringBuilder out = new StringBuilder("/** Makes a value of one's own of every event. */\n");
        out.append("public interface EventFactory<E> {\n");
        String between = "";
        for (Json event : events) {
            boolean board = isOfBoard(event);
            String audience = String.join(" or ", event.field("audience").list(Messages::audience));
            out.append(between).append("    /** Told to ").append(audience).append(". */\n");
            out.append(Source.call(4, (board ? "default " : "") + "E create" + name(event), parameters(event),
                    board ? " {" : ";"));
            if (board) {
                String missing = "\"the board was asked for, and there is no create" + name(event) + "\"";
                out.append("        throw new UnsupportedOperationException(").append(missing).append(");\n    }\n");
            }
            between = "\n";
        }
        return out.append("}\n").toString();
    }

    private static String audience(Json who) {
        return switch (who.asString()) {
            case "all" -> "all players in the game";
            case "only" -> "one client";
            default -> "clients that asked for the board";
        };
    }

    private String adapter() {
        StringBuilder out = new StringBuilder();
        out.append("/** A factory for some events only; all others are {@link #other}. */\n");
        out.append("public abstract class EventAdapter<E> implements EventFactory<E> {\n");
        out.append("    /** The value of an event whose method is not overridden. */\n");
        out.append("    protected abstract E other();\n");
        for (Json event : events) {
            out.append("\n    @Override\n");
            out.append(Source.call(4, "public E create" + name(event), parameters(event), " {"));
            out.append("        return other();\n    }\n");
        }
        return out.append("}\n").toString();
    }

    private String connection() {
        StringBuilder out = new StringBuilder("/** A client of a game of ").append(types.name()).append(". */\n");
        out.append("""
                public final class ClientConnection<E> extends Connection<E> {
                    private final EventFactory<E> factory;

                    public ClientConnection(String host, int port, EventFactory<E> factory) {
                        super(host, port);
                        this.factory = factory;
                    }
                """);
        for (Json command : commands) {
            List<Json> all = Types.fields(command);
            List<Json> needed = all.stream().filter(field -> !field.has("optional")).toList();
            // With all fields, and without those that may be left out, if these are the last ones.
            if (needed.size() < all.size() && needed.equals(all.subList(0, needed.size()))) {
                out.append(sending(command, needed));
            }
            out.append(sending(command, all));
        }
        out.append("\n    @Override\n    protected E event(Json event, String text) {\n");
        out.append("        Json body = event.body();\n        return switch (event.kind()) {\n");
        for (Json event : events) {
            List<String> arguments = new ArrayList<>(types.readAll(Types.fields(event), "body"));
            if (event.has("text")) {
                arguments.add("text");
            }
            out.append(Source.call(12, "case \"" + name(event) + "\" -> factory.create" + name(event), arguments, ";"));
        }
        out.append("            default -> throw event.unknown();\n        };\n    }\n");
        return out.append("}\n").toString();
    }

    private static boolean isOfBoard(Json event) {
        return event.field("audience").list(Json::asString).equals(List.of("board"));
    }

    private String sending(Json command, List<Json> fields) {
        return "\n" + Source.call(4, "public void send" + name(command), types.parameters(fields), " {")
                + Source.chain(8, "send(\"" + name(command) + "\", Json.object()", types.writeAll(fields), ");")
                + "    }\n";
    }

    private List<String> parameters(Json event) {
        List<String> parameters = new ArrayList<>(types.parameters(Types.fields(event)));
        if (event.has("text")) {
            parameters.add("String text");
        }
        return parameters;
    }

    private static String name(Json kind) {
        return kind.field("name").asString();
    }
}
