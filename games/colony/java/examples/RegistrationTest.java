import holdfast.commlib.Json;
import holdfast.commlib.colony.TestClient;
import holdfast.commlib.colony.TestGame;
import holdfast.commlib.testkit.Game.Setup;
import holdfast.commlib.testkit.GameTest;
import java.util.List;

/**
 * Tests of a server's registration, in Java: an example of the test kit.
 *
 * <pre>CLASSPATH=out systest run games/colony/java/examples/RegistrationTest.java --server ".."</pre>
 */
public final class RegistrationTest {
    @GameTest
    void aStrangerCannotStart() {
        try (TestGame game = new TestGame("first-night", 7, "Ana", "Bo")) {
            game.client("Bo").sendStartGame();
            game.client("Bo").assertCommandFailed();
            game.client("Ana").assertNothingMore();
        }
    }

    /** What came is used: each pair of the four characters that are offered. */
    @GameTest
    void everyOfferCanBeChosen() {
        for (int first = 0; first < 4; first++) {
            for (int second = 0; second < first; second++) {
                try (TestGame game = new TestGame(new Setup("first-night", 7, "group", null), "Ana")) {
                    TestClient ana = game.client("Ana");
                    ana.sendRegister("Ana");
                    ana.assertConfig(game.scenario());
                    ana.sendStartGame();
                    ana.assertGameStarted();
                    ana.assertPlayer(0, "Ana");
                    List<Json> offered = ana.assertCharacters();
                    int one = offered.get(first).asInt();
                    int two = offered.get(second).asInt();
                    ana.sendSelectCharacters(one, two);
                    ana.assertCharacterSpawned(0, Math.min(one, two));
                    ana.assertCharacterSpawned(null, Math.max(one, two));
                }
            }
        }
    }

    @GameTest
    void aDeadlineEndsTheRegistration() {
        try (TestGame game = new TestGame(new Setup("first-night", 7, "group", 1), "Ana")) {
            TestClient ana = game.client("Ana");
            ana.sendRegister("Ana");
            ana.assertConfig();
            game.silence();
            ana.assertRegistrationAborted();
            game.assertEnded();
        }
    }
}
