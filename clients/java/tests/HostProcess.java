import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The real host as a process of its own, which never outlives the tests. */
final class HostProcess implements AutoCloseable {
    private final List<String> command;
    private final int port;
    private Process process;
    private Thread atTheEnd;

    /** On a port that the system picks, with these further arguments. */
    HostProcess(String... arguments) throws IOException {
        this(0, arguments);
    }

    private HostProcess(int wanted, String... arguments) throws IOException {
        command = new ArrayList<>(List.of(
                System.getenv("HOLDFAST_BIN"), "host", "--listen", "127.0.0.1:" + wanted, "--http", "off"));
        command.addAll(List.of(arguments));
        port = start();
    }

    /** One that can be started again on the same port and the same log. */
    static HostProcess withLog(Path log) throws IOException {
        // Not a port that the system picks: while the host is down, it may give it to a client that wants to connect.
        int start = 22_000 + (int) (ProcessHandle.current().pid() % 2000);
        int free = IntStream.range(start, start + 500).filter(HostProcess::isFree).findFirst().orElseThrow();
        return new HostProcess(free, "--log", log.toString());
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** With -9: nothing runs any more in the process. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        Runtime.getRuntime().removeShutdownHook(atTheEnd);
    }

    void restart() throws IOException {
        Check.equal(port, start(), "the port of a host that was started again");
    }

    /** Asked to end, it ends well. */
    @Override
    public void close() throws InterruptedException {
        if (process.isAlive()) {
            process.destroy();
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
            Check.equal(0, code, "the exit code of the host");
        }
    }

    private int start() throws IOException {
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Process started = process;
        atTheEnd = new Thread(started::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        BufferedReader said = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("listening on ")) {
                return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
            }
        }
        throw new IOException("the host does not listen");
    }
}
