import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A server that follows a script: {@code < line} is sent and {@code > line} has to come, as in docs/protocol.md.
 * {@code #} sends characters as bytes, one by one; {@code > null} waits until the client has hung up; {@code hang up}
 * ends a connection, and the next line is about the next one.
 */
final class FakeServer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final Thread thread;
    private volatile Throwable problem;

    FakeServer(String... script) throws IOException {
        thread = new Thread(() -> {
            try {
                follow(List.of(script));
            } catch (IOException | AssertionError failure) {
                problem = failure;
            }
        });
        listener.setSoTimeout(PATIENCE_MILLIS);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The script was followed to its end, and the client had nothing else to say. */
    @Override
    public void close() throws Exception {
        thread.join();
        listener.close();
        if (problem != null) {
            throw new AssertionError("the client does not follow the script", problem);
        }
    }

    private void follow(List<String> script) throws IOException {
        int next = 0;
        while (next < script.size()) {
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.setTcpNoDelay(true);
                BufferedReader from = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                boolean open = true;
                while (open && next < script.size()) {
                    String step = script.get(next++);
                    open = !step.equals("hang up");
                    if (open) {
                        step(step, from, socket.getOutputStream());
                    }
                }
                if (open) {
                    Check.equal(null, from.readLine(), "after the script");
                }
            }
        }
    }

    private static void step(String step, BufferedReader from, OutputStream to) throws IOException {
        String rest = step.substring(2);
        switch (step.charAt(0)) {
            case '<' -> to.write((rest + "\n").getBytes(StandardCharsets.UTF_8));
            case '>' -> Check.equal(rest, String.valueOf(from.readLine()), "what the client sends");
            default -> {
                for (byte each : rest.getBytes(StandardCharsets.ISO_8859_1)) {
                    to.write(each);
                }
            }
        }
    }
}
