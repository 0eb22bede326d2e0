import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The committed sources are those that docs/protocol.json gives now. */
final class GeneratedTests {
    private static final String HINT = " is not what docs/protocol.json gives: run the Generator, as README.md has it";

    private GeneratedTests() {}

    static void run(Path project) throws IOException {
        String description = Files.readString(project.resolve("docs/protocol.json"));
        Map<String, String> expected = Generator.files(description);
        Map<String, String> committed = committed(project, expected);
        Check.equal(expected.keySet(), committed.keySet(), "the generated files");
        expected.forEach((path, text) -> Check.isTrue(text.equals(committed.get(path)), path + HINT));

        changes(description, "\"name\":\"too_slow\"", "\"name\":\"too_lazy\"", "wire/Reason.java");
        changes(description, "{\"name\":\"token\",\"type\":\"token\"}", "{\"name\":\"key\",\"type\":\"token\"}",
                "wire/Want.java");
        changes(description, "\"protocol\": 3", "\"protocol\": 4", "wire/Protocol.java");
    }

    /** What is there in the folders that have generated files only. */
    private static Map<String, String> committed(Path project, Map<String, String> expected) throws IOException {
        TreeSet<Path> folders = new TreeSet<>();
        expected.keySet().forEach(path -> folders.add(project.resolve(path).getParent()));
        Map<String, String> files = new TreeMap<>();
        for (Path folder : folders) {
            try (Stream<Path> paths = Files.list(folder)) {
                for (Path path : paths.toList()) {
                    files.put(project.relativize(path).toString(), Files.readString(path));
                }
            }
        }
        return files;
    }

    /** What is said otherwise in the description changes a file, which is named by its end. */
    static void changes(String description, String before, String after, String path) {
        Check.isTrue(description.contains(before), before + " is in the description");
        String now = file(description, path);
        String then = file(description.replace(before, after), path);
        Check.isTrue(!now.equals(then), after + " changes " + path);
    }

    private static String file(String description, String path) {
        Map<String, String> files = Generator.files(description);
        String found = files.keySet().stream().filter(file -> file.endsWith("/" + path)).findFirst().orElseThrow();
        return files.get(found);
    }
}
