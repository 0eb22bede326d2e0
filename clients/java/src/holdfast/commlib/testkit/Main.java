package holdfast.commlib.testkit;

import holdfast.commlib.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles a file with tests, and runs its methods with {@link GameTest}: {@code java -cp .. holdfast.commlib.testkit.Main FILE [FILTER]}. The
 * file has one public class, without a package. {@code systest run} does this for every {@code *Test.java}.
 */
public final class Main {
    private static String file = "";

    private Main() {}

    static String file() {
        return file;
    }

    public static void main(String[] arguments) throws Exception {
        Path source = Path.of(arguments[0]);
        file = source.toString();
        String filter = arguments.length > 1 ? arguments[1] : "";
        Path classes = Files.createTempDirectory("testkit");
        boolean passed;
        try {
            passed = compile(source, classes) && run(source, classes, filter);
        } finally {
            remove(classes);
        }
        System.exit(passed ? 0 : 1);
    }

    private static boolean compile(Path source, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            System.err.println("this Java has no compiler; tests need a JDK");
            return false;
        }
        String path = System.getProperty("java.class.path");
        return compiler.run(null, null, null, "-cp", path, "-d", classes.toString(), source.toString()) == 0;
    }

    private static boolean run(Path source, Path classes, String filter) throws Exception {
        String name = source.getFileName().toString().replaceFirst("\\.java$", "");
        boolean passed = true;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> type = loader.loadClass(name);
            List<Method> tests = Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(GameTest.class) && method.getName().contains(filter))
                    .sorted(Comparator.comparing(Method::getName))
                    .toList();
            for (Method test : tests) {
                test.setAccessible(true);
                passed &= run(type, test, source);
            }
        }
        return passed;
    }

    private static boolean run(Class<?> type, Method test, Path source) throws ReflectiveOperationException {
        long since = System.nanoTime();
        String verdict = "OK";
        String message = "";
        try {
            test.invoke(type.getDeclaredConstructor().newInstance());
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            verdict = cause instanceof GameFailure failure ? failure.verdict() : "FAIL";
            message = place(cause, type, source) + (cause instanceof AssertionError ? cause.getMessage() : trace(cause));
        }
        Json row = Json.object()
                .with("test", Json.of(test.getName()))
                .with("verdict", Json.of(verdict))
                .with("message", Json.of(message));
        // Seconds are no whole number.
        String text = row.toString();
        double seconds = (System.nanoTime() - since) / 1e9;
        System.out.println("systest: " + text.substring(0, text.length() - 1) + ",\"seconds\":" + seconds + "}");
        return verdict.equals("OK");
    }

    /** The line of the test that failed. */
    private static String place(Throwable cause, Class<?> type, Path source) {
        return Arrays.stream(cause.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(type.getName()))
                .findFirst()
                .map(frame -> source + ":" + frame.getLineNumber() + "\n")
                .orElse("");
    }

    private static String trace(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
