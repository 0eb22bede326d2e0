// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public sealed interface Why {
    static Why read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "AllGoals" -> new AllGoals(Team.read(body.field("team")));
            case "Error" -> new Error(body.field("because").asString());
            case "NobodyCanWin" -> new NobodyCanWin();
            case "NoProgress" -> new NoProgress();
            case "TeamGone" -> new TeamGone(Team.read(body.field("team")));
            case "LobbyNotFull" -> new LobbyNotFull();
            default -> throw json.unknown();
        };
    }

    record AllGoals(Team team) implements Why {}

    record Error(String because) implements Why {}

    record NobodyCanWin() implements Why {}

    record NoProgress() implements Why {}

    record TeamGone(Team team) implements Why {}

    record LobbyNotFull() implements Why {}
}
