// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

/** Makes a value of one's own of every command that a client sends. */
public interface CommandFactory<C> {
    C createJoin(int client, String name, Side side);

    C createMove(int client, String text);

    C createOfferDraw(int client);

    C createAcceptDraw(int client);

    C createDeclineDraw(int client);

    C createResign(int client, String because);

    C createAbort(int client);

    C createAskTakeback(int client);

    C createAllowTakeback(int client);

    C createRefuseTakeback(int client);

    C createClaim(int client);
}
