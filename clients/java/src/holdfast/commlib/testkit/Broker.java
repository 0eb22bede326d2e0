package holdfast.commlib.testkit;

import holdfast.commlib.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A process that plays the games of a test. {@code SYSTEST_BROKER} is its command as a JSON list, {@code systest broker} by default. */
final class Broker implements AutoCloseable {
    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    Broker() {
        String command = System.getenv().getOrDefault("SYSTEST_BROKER", "[\"systest\",\"broker\"]");
        List<String> words = Json.read(command).list(Json::asString);
        try {
            process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
        requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    Json ask(String request, Json content) {
        String line;
        try {
            requests.write(Json.object().with(request, content) + "\n");
            requests.flush();
            line = answers.readLine();
        } catch (IOException lost) {
            line = null;
        }
        if (line == null) {
            throw new GameFailure("SERVER_FAIL", "the broker has ended");
        }
        Json answer = Json.read(line);
        if (answer.has("failure")) {
            Json failure = answer.field("failure");
            String verdict = failure.field("verdict").asString();
            String message = failure.field("message").asString();
            throw verdict.equals("FAIL") ? new AssertionError(message) : new GameFailure(verdict, message);
        }
        return answer.field("ok");
    }

    @Override
    public void close() {
        try {
            requests.close();
            process.waitFor();
        } catch (IOException gone) {
            process.destroy();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            process.destroy();
        }
    }
}
