import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tests of colony's classes and starter, and of the client with games of colony. */
public final class ColonyTests {
    private ColonyTests() {}

    /** Each by what it is about. */
    public static Map<String, Tests.Test> all(Path project) {
        Map<String, Tests.Test> tests = new LinkedHashMap<>();
        tests.put("sources of colony", () -> sources(project));
        tests.put("the page", () -> page(project.resolve("games/colony/java")));
        tests.put("lines and messages of a server that misbehaves", FakeTests::run);
        tests.put("the starter", () -> StarterTests.run(project));
        tests.put("handshake and refusals", HandshakeTests::run);
        tests.put("a host that is killed", KilledTests::run);
        tests.put("a hundred games", GamesTests::run);
        return tests;
    }

    /** A change of the description is a change of a class. */
    private static void sources(Path project) throws IOException {
        String description = Files.readString(project.resolve("docs/protocol.json"));
        GeneratedTests.changes(description, "\"name\":\"Search\",\"fields\":[{\"name\":\"character\"",
                "\"name\":\"Search\",\"fields\":[{\"name\":\"who\"", "colony/ClientConnection.java");
        GeneratedTests.changes(description, "{\"name\":\"win\",\"type\":\"bool\"}",
                "{\"name\":\"win\",\"type\":\"u8\"}", "colony/EventFactory.java");
        GeneratedTests.changes(description, "\"audience\":[\"only\"],\"text\":true}", "\"audience\":[\"only\"]}",
                "colony/EventFactory.java");
    }

    /** What people copy from the page is what is built here. */
    private static void page(Path client) throws IOException {
        String example = Files.readString(client.resolve("examples/Watcher.java"));
        boolean quoted = Files.readString(client.resolve("README.md")).contains("```java\n" + example + "```");
        Check.isTrue(quoted, "README.md quotes examples/Watcher.java");
    }
}
