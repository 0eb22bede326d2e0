import holdfast.commlib.ClosedException;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.colony.EventAdapter;
import java.io.IOException;

/** Shows a game of a host on this machine. */
public final class Watcher extends EventAdapter<String> {
    @Override
    protected String other() {
        return "something else";
    }

    @Override
    public String createMoved(int character, int location, Boolean fuel) {
        return character + " goes to " + location;
    }

    public static void main(String[] arguments) throws IOException {
        try (var connection = new ClientConnection<>("127.0.0.1", 7700, new Watcher())) {
            connection.watch(arguments[0], 0);
            while (true) {
                System.out.println(connection.nextEvent());
            }
        } catch (ClosedException closed) {
            System.out.println(closed.getMessage());
        }
    }
}
