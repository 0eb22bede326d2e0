// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.testkit.Game;
import java.util.List;

/** A game of crazyhouse in a test: {@code try (TestGame game = new TestGame("winter", 7, "Ana", "Bo")) ..}. */
public final class TestGame extends Game<TestClient> {
    public TestGame(String scenario, long seed, String... players) {
        this(new Setup(scenario, seed, null, null), players);
    }

    public TestGame(Setup setup, String... players) {
        super("crazyhouse", setup, List.of(players), TestClient::new);
    }
}
