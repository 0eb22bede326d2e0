// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import java.util.List;

/** Makes a value of one's own of every command that a client sends. */
public interface CommandFactory<C> {
    C createJoin(int client, String hash);

    C createChooseTeam(int client, String id, Team team);

    C createMove(int client, String id, Direction direction);

    C createDiscover(int client, String id);

    C createPickUp(int client, String id);

    C createTest(int client, String id);

    C createPlace(int client, String id);

    C createLost(int client);

    C createFail(int client, String because);

    C createExchanged(int client, long from, long to, List<Hearsay> tiles);
}
