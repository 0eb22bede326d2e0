// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.testkit.Game;
import java.util.List;

/** A game of colony in a test: {@code try (TestGame game = new TestGame("winter", 7, "Ana", "Bo")) ..}. */
public final class TestGame extends Game<TestClient> {
    public TestGame(String scenario, long seed, String... players) {
        this(new Setup(scenario, seed, null, null), players);
    }

    public TestGame(Setup setup, String... players) {
        super("colony", setup, List.of(players), TestClient::new);
    }
}
