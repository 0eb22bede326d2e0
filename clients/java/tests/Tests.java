import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All tests of the client and of what games add to it: {@code HOLDFAST_BIN=.. java -cp out Tests PROJECT}, with the folder of the whole project.
 * Ends with 1 if one fails, and leaves no process behind.
 */
public final class Tests {
    private static final long LIMIT_MILLIS = 900_000;

    interface Test {
        void run() throws Exception;
    }

    private Tests() {}

    public static void main(String[] arguments) throws Exception {
        endInTime();
        Path project = Path.of(arguments[0]);
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("generated sources", () -> GeneratedTests.run(project));
        tests.put("JSON", JsonTests::run);
        tests.put("choices of offers", OfferTests::choices);
        tests.put("turns by offers", OfferTests::turns);
        tests.put("the starter for any game", OfferTests::starter);
        tests.put("games of any rulebook", () -> OfferTests.games(project));
        tests.putAll(ofGames(project));
        boolean failed = false;
        for (Map.Entry<String, Test> test : tests.entrySet()) {
            long start = System.nanoTime();
            try {
                test.getValue().run();
                System.out.printf("ok      %6d ms  %s%n", (System.nanoTime() - start) / 1_000_000, test.getKey());
            } catch (Exception | AssertionError failure) {
                failed = true;
                System.out.println("FAILED  " + test.getKey());
                failure.printStackTrace(System.out);
            }
        }
        System.exit(failed ? 1 : 0);
    }

    /** Those of each game with a folder java/tests, by the class that is named after it. */
    @SuppressWarnings("unchecked")
    private static Map<String, Test> ofGames(Path project) throws IOException, ReflectiveOperationException {
        Map<String, Test> tests = new LinkedHashMap<>();
        try (Stream<Path> games = Files.list(project.resolve("games"))) {
            for (Path game : games.filter(folder -> Files.isDirectory(folder.resolve("java/tests"))).sorted().toList()) {
                String name = game.getFileName().toString();
                String type = Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Tests";
                tests.putAll((Map<String, Test>) Class.forName(type).getMethod("all", Path.class).invoke(null, project));
            }
        }
        return tests;
    }

    /** A test that hangs is a test that fails, and says where. */
    private static void endInTime() {
        Thread watch = new Thread(() -> {
            try {
                Thread.sleep(LIMIT_MILLIS);
            } catch (InterruptedException nobodyDoes) {
                return;
            }
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                System.out.println(thread);
                for (StackTraceElement frame : stack) {
                    System.out.println("    " + frame);
                }
            });
            System.out.println("FAILED  not done after " + LIMIT_MILLIS + " ms");
            System.exit(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
