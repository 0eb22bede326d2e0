import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All tests of the client: {@code HOLDFAST_BIN=.. java -cp out Tests PROJECT}, with the folder of the whole project.
 * Ends with 1 if one fails, and leaves no process behind.
 */
public final class Tests {
    private static final long LIMIT_MILLIS = 240_000;

    interface Test {
        void run() throws Exception;
    }

    private Tests() {}

    public static void main(String[] arguments) {
        endInTime();
        Path project = Path.of(arguments[0]);
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("generated sources", () -> GeneratedTests.run(project));
        tests.put("the page", () -> page(project.resolve("clients/java")));
        tests.put("JSON", JsonTests::run);
        tests.put("lines and messages of a server that misbehaves", FakeTests::run);
        tests.put("the starter", () -> StarterTests.run(project));
        tests.put("handshake and refusals", HandshakeTests::run);
        tests.put("a host that is killed", KilledTests::run);
        tests.put("a hundred games", GamesTests::run);
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

    /** What people copy from the page is what is built here. */
    private static void page(Path client) throws IOException {
        String example = Files.readString(client.resolve("examples/Watcher.java"));
        boolean quoted = Files.readString(client.resolve("README.md")).contains("```java\n" + example + "```");
        Check.isTrue(quoted, "README.md quotes examples/Watcher.java");
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
