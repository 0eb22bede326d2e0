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

    Json toJson();

    record AllGoals(Team team) implements Why {
        @Override
        public Json toJson() {
            return Json.object().with("AllGoals", Json.object().with("team", team.toJson()));
        }
    }

    record Error(String because) implements Why {
        @Override
        public Json toJson() {
            return Json.object().with("Error", Json.object().with("because", Json.of(because)));
        }
    }

    record NobodyCanWin() implements Why {
        @Override
        public Json toJson() {
            return Json.of("NobodyCanWin");
        }
    }

    record NoProgress() implements Why {
        @Override
        public Json toJson() {
            return Json.of("NoProgress");
        }
    }

    record TeamGone(Team team) implements Why {
        @Override
        public Json toJson() {
            return Json.object().with("TeamGone", Json.object().with("team", team.toJson()));
        }
    }

    record LobbyNotFull() implements Why {
        @Override
        public Json toJson() {
            return Json.of("LobbyNotFull");
        }
    }
}
