package holdfast.commlib.testkit;

/** The server crashed, hangs, or does not speak the protocol: no difference in the rules. */
public final class GameFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    private final String verdict;

    GameFailure(String verdict, String message) {
        super(message);
        this.verdict = verdict;
    }

    /** The verdict of {@code systest}, such as {@code TIME_OUT}. */
    public String verdict() {
        return verdict;
    }
}
