package holdfast.commlib;

/**
 * A client's place in a game, for {@link Connection#resume}. A process that has the token is that client.
 *
 * @param seen the number of the last event that was received
 * @param board whether the events of the board were asked for; they change the numbers
 */
public record Place(String game, String token, long seen, boolean board) {}
