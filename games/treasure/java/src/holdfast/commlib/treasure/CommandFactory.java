// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import java.util.List;

/** Makes a value of one's own of every command that a client sends. */
public interface CommandFactory<C> {
    C createRegister(int client, String id, String first_name, String last_name, String account);

    C createSendHalf(int client, List<Field> fields, Coding coding);

    C createMove(int client, Direction direction);

    C createUpdate(int client, int x, int y, int wanted_x, int wanted_y, int turns);

    C createGarbled(int client, String problem);

    C createRemove(int client);
}
