package holdfast.commlib;

/** A client of a game of any rulebook: commands and events are JSON. {@link #nextOffers} says what it can do. */
public final class AnyConnection extends Connection<AnyConnection.Event> {
    /** An event, and its words for people if the server sends them; otherwise null. */
    public record Event(Json event, String text) {}

    public AnyConnection(String host, int port) {
        super(host, port);
    }

    @Override
    protected Event event(Json event, String text) {
        return new Event(event, text);
    }

    /** Sends a command, such as one of {@link Offers}. If the connection is lost, it is sent again later. */
    public void send(Json command) {
        sendCommand(command);
    }
}
