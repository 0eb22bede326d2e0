// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

/** Makes a value of one's own of every command that a client sends. */
public interface CommandFactory<C> {
    C createRegister(int client, String name);

    C createStartGame(int client);

    C createSelectCharacters(int client, int first, int second);

    C createMove(int client, int character, int location, Boolean fuel);

    C createAttack(int client, int character, int entrance);

    C createBarricade(int client, int character, int entrance);

    C createSearch(int client, int character);

    C createCleanWaste(int client, int character);

    C createContributeCard(int client, int card);

    C createUseCard(int client, int card, Integer character, Integer target);

    C createUseAbility(int client, int character, Integer target);

    C createEndTurn(int client);

    C createLeave(int client);

    C createVote(int client, boolean answer);

    C createWrongArguments(int client, int command, int given);
}
