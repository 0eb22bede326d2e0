import holdfast.commlib.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Writes the classes of all messages from docs/protocol.json: {@code java -cp out Generator PROJECT}. */
public final class Generator {
    private static final String BASE = "src/holdfast/commlib/";
    private static final String WIRE = "clients/java/" + BASE + "wire/";

    private Generator() {}

    public static void main(String[] arguments) throws IOException {
        Path project = Path.of(arguments[0]);
        String description = Files.readString(project.resolve("docs/protocol.json"));
        for (Map.Entry<String, String> file : files(description).entrySet()) {
            Path path = project.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }

    /** Every file that is made from a description, by its path in the project. */
    static Map<String, String> files(String description) {
        Json protocol = Json.read(description);
        Map<String, String> files = new TreeMap<>();
        Types wire = new Types("wire", protocol.field("types"));
        wire.reach(protocol.field("to_client").asString(), true);
        wire.reach(protocol.field("from_client").asString(), false);
        wire.classes().forEach((name, text) -> files.put(WIRE + name + ".java", text));
        files.put(WIRE + "Protocol.java", new Source("wire").text("""
                /** What both sides have to agree on. */
                public final class Protocol {
                    public static final int VERSION = %d;

                    private Protocol() {}
                }
                """.formatted(protocol.field("protocol").asInt())));

        Json rulebooks = protocol.field("rulebooks");
        for (String name : rulebooks.names()) {
            Json rulebook = rulebooks.field(name);
            Types types = new Types(name, rulebook.field("types"));
            Messages messages = new Messages(types, rulebook);
            String folder = "games/" + name + "/java/" + BASE + name + "/";
            types.classes().forEach((type, text) -> files.put(folder + type + ".java", text));
            messages.classes().forEach((type, text) -> files.put(folder + type + ".java", text));
        }
        return files;
    }
}
