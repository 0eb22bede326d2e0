package holdfast.commlib;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import holdfast.commlib.wire.Protocol;

/**
 * The server of one game, for authors of servers. It opens a port, welcomes clients, answers their pings, and hands over their
 * commands one at a time: call {@link #nextCommand} in a loop, and send events in between. Each rulebook has a subclass
 * {@code ServerConnection} with a method for each event.
 *
 * <p>One thread calls {@code nextCommand}, the {@code send..} methods and {@code close}. Clients are numbered from 0.
 *
 * <p>{@code docs/put-your-server-under-test.md} says what a server has to answer.
 */
public abstract class Server<C> implements AutoCloseable {
    private static final int DEPTH = 32;
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final String WRONG_ARGUMENTS = "WrongArguments";

    /** The fields of a command in their order, and how many of them are needed. */
    public record CommandForm(String name, int needed, List<String> fields) {}

    private record Message(Client client, Json content) {}

    private static final class Client {
        final int number;
        final Lines lines;
        long told;
        boolean gone;

        Client(int number, Lines lines) {
            this.number = number;
            this.lines = lines;
        }

        synchronized void write(Json message) {
            if (gone) {
                return;
            }
            try {
                lines.write(message.toString());
            } catch (IOException lost) {
                gone = true;
            }
        }
    }

    private final String rulebook;
    private final ServerSocket listener = new ServerSocket();
    /** Guarded by itself. */
    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    /** Pings stand behind the commands of their client, so that a pong comes after all events of these. */
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    protected Server(String rulebook, int port) throws IOException {
        this.rulebook = rulebook;
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread accepting = new Thread(this::accept, "accept");
        accepting.setDaemon(true);
        accepting.start();
    }

    /** Calls the factory's method for a command. */
    protected abstract C command(int client, Json command);

    /** All commands, in the order of their numbers. */
    protected abstract List<CommandForm> positions();

    public int port() {
        return listener.getLocalPort();
    }

    /** The next command, as the factory makes it. */
    public C nextCommand() throws InterruptedException {
        try {
            return nextCommand(null);
        } catch (TimeoutException never) {
            throw new IllegalStateException(never);
        }
    }

    /** The next command, if one comes in this time. */
    public C nextCommand(Duration time) throws InterruptedException, TimeoutException {
        long deadline = time == null ? 0 : System.nanoTime() + time.toNanos();
        while (true) {
            // Pings and messages that are no commands give no more time.
            Message message = time == null ? inbox.take() : inbox.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (message == null) {
                throw new TimeoutException("no command in " + time);
            }
            Client client = message.client;
            if (message.content.has("ping")) {
                client.write(Json.object().with("pong", message.content.field("ping")));
                continue;
            }
            try {
                return command(client.number, named(message.content.field("command")));
            } catch (JsonException wrong) {
                client.write(refusal("bad_message", wrong.getMessage()));
            }
        }
    }

    /** Sends an event; the text is the scenario of a {@code Config}, or the words of a refusal, or null. */
    protected final void send(int client, String name, Json fields, String text) {
        Client receiver;
        synchronized (clients) {
            receiver = clients.get(client);
        }
        receiver.told++;
        receiver.write(Json.object().with("event", Json.object()
                .with("number", Json.of(receiver.told))
                .with("event", Json.object().with(name, fields))
                .with("text", text, Json::of)));
    }

    /** Ends the game: all connections are closed after everything that was sent. */
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        List<Client> all;
        synchronized (clients) {
            all = List.copyOf(clients);
        }
        for (Client client : all) {
            client.write(Json.object().with("closing", Json.object()
                    .with("reason", Json.of("game_over")).with("message", Json.of("the game is over"))));
            try {
                client.lines.end();
            } catch (IOException lost) {
                // It has gone before.
            }
        }
        waitForClients();
    }

    /** A connection that is closed with unread messages may lose what was sent. */
    private void waitForClients() {
        long deadline = System.nanoTime() + LINGER.toNanos();
        List<Thread> all;
        synchronized (threads) {
            all = List.copyOf(threads);
        }
        try {
            for (Thread thread : all) {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = listener.accept();
                Thread thread = new Thread(() -> serve(socket), "client");
                thread.setDaemon(true);
                synchronized (threads) {
                    threads.add(thread);
                }
                thread.start();
            } catch (IOException over) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (Lines lines = new Lines(socket)) {
            Client client = null;
            for (String line = lines.read(); line != null; line = lines.read()) {
                if (line.isBlank()) {
                    continue;
                }
                Json message = Json.read(line, DEPTH);
                if (client == null) {
                    client = welcome(lines, message);
                } else if (message.has("ping") || message.has("command")) {
                    inbox.add(new Message(client, message));
                } else {
                    client.write(refusal("bad_message", "this server has a single game and knows only command and ping"));
                }
            }
        } catch (IOException | JsonException gone) {
            // The client has gone, or speaks no JSON.
        }
    }

    private Client welcome(Lines lines, Json message) throws IOException {
        if (!message.has("hello")) {
            lines.write(refusal("bad_message", "the first message is a hello").toString());
            return null;
        }
        Json hello = message.field("hello");
        Json want = hello.field("want");
        if (want.isString() || !want.has("join")) {
            lines.write(refusal("unknown_game", "this server has a single game; a client can only join it").toString());
            return null;
        }
        synchronized (clients) {
            if (closed) {
                throw new IOException("the game is over");
            }
            Client client = new Client(clients.size(), lines);
            client.write(Json.object().with("welcome", Json.object()
                    .with("protocol", Json.of(Math.min(hello.field("protocol").asInt(), Protocol.VERSION)))
                    .with("game", Json.of("game"))
                    .with("client", Json.of(client.number))
                    .with("token", Json.of(UUID.randomUUID().toString().replace("-", "")))
                    .with("next", Json.of(1))
                    .with("rulebook", Json.of(rulebook))
                    .with("edition", Json.of(""))
                    .with("commands", Json.of(0))
                    .with("scenario", (String) null, Json::of)));
            clients.add(client);
            return client;
        }
    }

    /** A command by its fields, from one by position: {@code ["Move", 1, 20]}. */
    private Json named(Json command) {
        if (!command.isList()) {
            return command;
        }
        List<Json> items = command.items();
        String name = items.isEmpty() ? "" : items.get(0).asString();
        List<CommandForm> all = positions();
        for (int number = 0; number < all.size(); number++) {
            CommandForm form = all.get(number);
            int given = items.size() - 1;
            if (!form.name.equals(name)) {
                continue;
            }
            if (form.needed <= given && given <= form.fields.size()) {
                Json fields = Json.object();
                for (int at = 0; at < given; at++) {
                    fields = fields.with(form.fields.get(at), items.get(at + 1));
                }
                return Json.object().with(name, fields);
            }
            // In some rulebooks, a wrong number of arguments is a command of its own.
            return Json.object().with(WRONG_ARGUMENTS, Json.object()
                    .with("command", Json.of(number)).with("given", Json.of(given)));
        }
        throw new JsonException("there is no command " + name);
    }

    private static Json refusal(String reason, String message) {
        return Json.object().with("refused", Json.object()
                .with("reason", Json.of(reason)).with("message", Json.of(message)));
    }
}
