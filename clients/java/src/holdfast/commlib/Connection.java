package holdfast.commlib;

import holdfast.commlib.wire.Create;
import holdfast.commlib.wire.FromClient;
import holdfast.commlib.wire.GameInfo;
import holdfast.commlib.wire.Hello;
import holdfast.commlib.wire.Protocol;
import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.ToClient;
import holdfast.commlib.wire.Told;
import holdfast.commlib.wire.Want;
import holdfast.commlib.wire.Welcome;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A client of one game of any rulebook. First call one of {@link #create}, {@link #join}, {@link #watch} and
 * {@link #resume}, then {@link #nextEvent} in a loop. Each rulebook has a subclass with its commands.
 *
 * <p>{@code nextEvent} reconnects if the connection is lost, and then returns the event after the last one.
 * Commands that the game has not taken are sent again: the server says how many it has taken.
 *
 * <p>Any thread may send commands; all other methods belong to one thread.
 */
public abstract class Connection<E> implements AutoCloseable {
    private static final int WIRE_DEPTH = 32;

    /** The number of commands to keep: more than can be lost with a connection. */
    private static final int MAX_KEPT = 1000;

    /** The reasons after which the client reconnects. */
    private static final Set<Reason> PASSING =
            EnumSet.of(Reason.SHUTTING_DOWN, Reason.STORE_UNAVAILABLE, Reason.TIMEOUT, Reason.TOO_SLOW, Reason.TOO_MANY);

    private final String host;
    private final int port;
    private Retry retry = Retry.DEFAULT;
    private boolean board;

    /** Guards the fields that threads share: the lines, the sent commands, and whether it is over. */
    private final Object sending = new Object();
    private Lines lines;
    private boolean closed;
    /** Whether commands go to the server. Otherwise they are kept until it has said how many it has taken. */
    private boolean ready;
    /** The last commands, including all that may be lost. */
    private final ArrayDeque<String> recent = new ArrayDeque<>();
    /** The number of commands that the game has taken, if none is lost. */
    private long sent;

    private Welcome welcome;
    /** The number of the last event that was returned, and of the last that came. */
    private long seen;
    private long received;
    /** The events that came while offers were asked for. */
    private final ArrayDeque<Told> waiting = new ArrayDeque<>();
    /** The number of the last request for offers. */
    private long request;
    /** Whether {@link #nextOffers} has returned something and no command was sent since. Guarded by {@code sending}. */
    private boolean offered;
    private long resumed;
    /** Set from the loss of a connection until the server answers again. */
    private Backoff backoff;
    private boolean asked;
    /** The last message, after which nothing comes. */
    private ClosedException end;

    protected Connection(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Calls the factory's method for an event. */
    protected abstract E event(Json event, String text);

    /** Sets how a lost connection is noticed and opened again. Call it before a game is entered. */
    public final void setRetry(Retry retry) {
        this.retry = retry;
    }

    /** Asks for the events of the board, too. Call it before a game is entered. */
    public final void askForBoard() {
        this.board = true;
    }

    /** The games of the server. */
    public final List<GameInfo> list() throws IOException {
        checkNotEntered();
        ToClient answer = ask(new Want.List(), null);
        if (answer instanceof ToClient.Games games) {
            return games.value();
        }
        throw unexpected(answer);
    }

    /** Creates a game of a scenario, by its name on the server or its whole text, and enters it. */
    public final Welcome create(String scenario) throws IOException {
        return create(new Create(null, scenario, null, null, null));
    }

    public final Welcome create(Create create) throws IOException {
        return enter(new Want.Create(create), null);
    }

    /** Enters the only game of a server that has one. */
    public final Welcome join() throws IOException {
        return enter(new Want.Join(null), null);
    }

    public final Welcome join(String game) throws IOException {
        return enter(new Want.Join(null), game);
    }

    /** Claims a seat in a fork. */
    public final Welcome join(String game, int seat) throws IOException {
        return enter(new Want.Join(seat), game);
    }

    /** Watches a game, from the event after {@code seen}. */
    public final Welcome watch(String game, long seen) throws IOException {
        return enter(new Want.Watch(seen), game);
    }

    /** Resumes a place of another connection, also of another program. */
    public final Welcome resume(Place place) throws IOException {
        board = place.board();
        return enter(new Want.Resume(place.token(), place.seen()), place.game());
    }

    /** The place for {@link #resume}; it changes with every event. */
    public final Place place() {
        if (entered().token() == null) {
            throw new IllegalStateException("who looks on has no place");
        }
        return new Place(welcome.game(), welcome.token(), seen, board);
    }

    public final String game() {
        return entered().game();
    }

    /** The name of the rulebook, such as colony. */
    public final String rulebook() {
        return entered().rulebook();
    }

    /** The edition of the rules. */
    public final String edition() {
        return entered().edition();
    }

    /** The scenario, for spectators; null for players, who receive it as an event. */
    public final String scenario() {
        return entered().scenario();
    }

    /** The number of the last event. */
    public final long seen() {
        return seen;
    }

    /** The number of reconnects. */
    public final long resumed() {
        return resumed;
    }

    /**
     * Waits for the next event.
     *
     * @throws RefusedException if the server refused a message; the connection stays open
     * @throws ClosedException if the server closed the connection, with {@link Reason#GAME_OVER} after the last event
     * @throws LostException if the connection is lost and cannot be opened again
     */
    public final E nextEvent() throws IOException {
        entered();
        while (waiting.isEmpty()) {
            receive();
        }
        return next(waiting.remove());
    }

    /**
     * What this client can do now, after all events so far. {@link #nextEvent} returns these events later.
     *
     * @throws RefusedException if the server refused a message; the connection stays open
     * @throws ClosedException if the server closed the connection, with {@link Reason#GAME_OVER} after the last event
     * @throws LostException if the connection is lost and cannot be opened again
     */
    public final Offers offers() throws IOException {
        entered();
        long connection = resumed;
        askOffers();
        while (true) {
            ToClient message = receive();
            boolean isAnswer = message instanceof ToClient.Offers answer && answer.value().number() == request;
            if (isAnswer && ((ToClient.Offers) message).value().after() == received) {
                return readOffers(((ToClient.Offers) message).value().offers());
            }
            // An event after the answer makes it old, and a new connection has no answer.
            if (isAnswer || connection != resumed) {
                connection = resumed;
                askOffers();
            }
        }
    }

    /**
     * Waits until this client can do something, and returns what; null once the game is over. If no command was sent since the last
     * call, it waits for the next event first. All events up to then go to {@code events}.
     */
    public final Offers nextOffers(Consumer<E> events) throws IOException {
        while (true) {
            try {
                boolean isOld;
                synchronized (sending) {
                    isOld = offered;
                    offered = false;
                }
                if (isOld) {
                    events.accept(nextEvent());
                }
                Offers offers = offers();
                passOn(events);
                synchronized (sending) {
                    offered = true;
                }
                if (!offers.choices().isEmpty()) {
                    return offers;
                }
            } catch (RefusedException late) {
                // A command that came after the end; the end itself is still to come.
                if (late.reason() != Reason.GAME_OVER) {
                    throw late;
                }
            } catch (ClosedException told) {
                if (told.reason() != Reason.GAME_OVER) {
                    throw told;
                }
                passOn(events);
                return null;
            }
        }
    }

    private void passOn(Consumer<E> events) throws IOException {
        while (!waiting.isEmpty()) {
            events.accept(next(waiting.remove()));
        }
    }

    private void askOffers() {
        request++;
        synchronized (sending) {
            if (ready) {
                try {
                    lines.write(new FromClient.Offers(request).toJson().toString());
                } catch (IOException noticedByWhatReads) {
                    hangUp();
                }
            }
        }
    }

    private static Offers readOffers(String text) throws BadMessageException {
        try {
            return Offers.read(Json.read(text));
        } catch (JsonException malformed) {
            throw new BadMessageException("offers: " + malformed.getMessage());
        }
    }

    /** The next message, on a new connection if necessary. An event is kept for {@link #nextEvent}. */
    private ToClient receive() throws IOException {
        if (end != null) {
            throw end;
        }
        while (true) {
            try {
                ToClient message = hear();
                backoff = null;
                if (message instanceof ToClient.Event told) {
                    if (told.value().number() != received + 1) {
                        throw new BadMessageException("event " + told.value().number() + " came after event " + received);
                    }
                    received++;
                    waiting.add(told.value());
                } else if (message instanceof ToClient.Refused refused) {
                    // The game does not count a command that the server refused; TOO_LARGE answers a request for offers.
                    if (refused.value().reason() != Reason.TOO_LARGE) {
                        synchronized (sending) {
                            sent--;
                        }
                    }
                    throw new RefusedException(refused.value());
                } else if (!(message instanceof ToClient.Pong || message instanceof ToClient.Offers
                        || message instanceof ToClient.Notice || message instanceof ToClient.Managed)) {
                    throw unexpected(message);
                }
                return message;
            } catch (RefusedException | BadMessageException | LostException cannotGoOn) {
                throw cannotGoOn;
            } catch (ClosedException told) {
                if (!PASSING.contains(told.reason())) {
                    end = told;
                    throw told;
                }
                comeBack(told);
            } catch (IOException lost) {
                comeBack(lost);
            }
        }
    }

    /** Closes the connection. The place in the game stays: {@link #resume} opens it again. */
    @Override
    public final void close() {
        synchronized (sending) {
            closed = true;
            hangUp();
        }
    }

    /** Sends a command of the game. If the connection is lost, it is sent again later. */
    protected final void send(String kind, Json fields) {
        sendCommand(Json.object().with(kind, fields));
    }

    final void sendCommand(Json command) {
        entered();
        String line = new FromClient.Command(command).toJson().toString();
        synchronized (sending) {
            if (closed) {
                throw new IllegalStateException("the connection was closed");
            }
            if (recent.size() == MAX_KEPT) {
                recent.removeFirst();
            }
            recent.addLast(line);
            sent++;
            offered = false;
            if (ready) {
                try {
                    lines.write(line);
                } catch (IOException noticedByWhoeverReads) {
                    hangUp();
                }
            }
        }
    }

    private Welcome entered() {
        if (welcome == null) {
            throw new IllegalStateException("no game was entered");
        }
        return welcome;
    }

    private E next(Told told) throws BadMessageException {
        try {
            E event = event(told.event(), told.text());
            seen = told.number();
            return event;
        } catch (JsonException malformed) {
            throw new BadMessageException("event " + told.number() + ": " + malformed.getMessage());
        }
    }

    /** Sends the commands that the server has not taken, and a ping, so that the server answers. */
    private void sendLost(long taken) throws IOException {
        synchronized (sending) {
            long lost = Math.max(0, sent - taken);
            if (closed || lost > recent.size()) {
                throw new LostException(closed ? "the connection was closed" : lost + " commands were lost");
            }
            while (recent.size() > lost) {
                recent.removeFirst();
            }
            sent = taken + lost;
            for (String line : recent) {
                lines.write(line);
            }
            lines.write(new FromClient.Ping(0).toJson().toString());
            ready = true;
        }
    }

    private Welcome enter(Want want, String game) throws IOException {
        checkNotEntered();
        Welcome granted = welcomed(want, game);
        seen = granted.next() - 1;
        received = seen;
        synchronized (sending) {
            sent = granted.commands();
            ready = !closed;
        }
        welcome = granted;
        return welcome;
    }

    private void checkNotEntered() {
        if (welcome != null) {
            throw new IllegalStateException("a game was entered already");
        }
    }

    /** Resumes the client's place, with retries. */
    private void comeBack(IOException why) throws IOException {
        while (true) {
            synchronized (sending) {
                hangUp();
                if (closed) {
                    throw new LostException("the connection was closed");
                }
            }
            if (backoff == null) {
                backoff = new Backoff(retry);
            }
            backoff.pause(why);
            try {
                String token = welcome.token();
                Want want = token == null ? new Want.Watch(received) : new Want.Resume(token, received);
                Welcome again = welcomed(want, welcome.game());
                if (again.next() != received + 1) {
                    throw new BadMessageException("event " + again.next() + " would come after event " + received);
                }
                resumed++;
                sendLost(again.commands());
                return;
            } catch (RefusedException refused) {
                if (!PASSING.contains(refused.reason())) {
                    throw refused;
                }
                why = refused;
            } catch (ClosedException told) {
                if (!PASSING.contains(told.reason())) {
                    throw told;
                }
                why = told;
            } catch (BadMessageException | LostException cannotGoOn) {
                throw cannotGoOn;
            } catch (IOException lost) {
                why = lost;
            }
        }
    }

    private Welcome welcomed(Want want, String game) throws IOException {
        ToClient answer = ask(want, game);
        if (answer instanceof ToClient.Welcome granted) {
            return granted.value();
        }
        throw unexpected(answer);
    }

    /** Sends a hello, on the open connection or a new one. */
    private ToClient ask(Want want, String game) throws IOException {
        boolean connected;
        synchronized (sending) {
            connected = lines != null;
        }
        // Without the lock: connecting takes long, and other threads may send.
        Lines fresh = connected ? null : new Lines(host, port, retry.silence());
        synchronized (sending) {
            if (closed) {
                if (fresh != null) {
                    fresh.close();
                }
                throw new LostException("the connection was closed");
            }
            if (fresh != null) {
                lines = fresh;
                asked = false;
            }
            lines.write(new FromClient.Hello(new Hello(Protocol.VERSION, want, game, board)).toJson().toString());
        }
        ToClient answer = hear();
        if (answer instanceof ToClient.Refused refused) {
            throw new RefusedException(refused.value());
        }
        return answer;
    }

    /** The next message, unless it is the last. */
    private ToClient hear() throws IOException {
        Lines from;
        synchronized (sending) {
            from = lines;
        }
        if (from == null) {
            throw new IOException("the connection is lost");
        }
        String line = line(from);
        if (line.startsWith("HTTP/")) {
            throw new BadMessageException(
                    host + ":" + port + " answers with HTTP: is this the port of the page, not that of the games?");
        }
        try {
            ToClient message = ToClient.read(Json.read(line, WIRE_DEPTH));
            if (message instanceof ToClient.Closing closing) {
                synchronized (sending) {
                    hangUp();
                }
                throw new ClosedException(closing.value());
            }
            return message;
        } catch (JsonException malformed) {
            throw new BadMessageException(malformed.getMessage());
        }
    }

    /** The next line that is not empty. */
    private String line(Lines from) throws IOException {
        while (true) {
            try {
                String line = from.read();
                if (line == null) {
                    throw new IOException("the server hung up");
                }
                asked = false;
                if (!line.isBlank()) {
                    return line;
                }
            } catch (SocketTimeoutException silent) {
                if (asked || welcome == null) {
                    throw new IOException("the server says nothing");
                }
                asked = true;
                synchronized (sending) {
                    from.write(new FromClient.Ping(0).toJson().toString());
                }
            }
        }
    }

    /** Only with the lock. */
    private void hangUp() {
        ready = false;
        if (lines != null) {
            try {
                lines.close();
            } catch (IOException goneAlready) {
                // The connection is being closed anyway.
            }
            lines = null;
        }
    }

    private static BadMessageException unexpected(ToClient message) {
        return new BadMessageException("the server sent a message that does not belong here: " + message);
    }
}
