package holdfast.commlib;

import java.time.Duration;

/**
 * The policy for reconnecting: at once, then after a pause that doubles from the first to the longest, until the limit is
 * over without an answer of the server.
 *
 * @param silence the time without messages before a ping; after as long again the connection counts as lost
 */
public record Retry(Duration silence, Duration first, Duration longest, Duration limit) {
    public static final Retry DEFAULT =
            new Retry(Duration.ofSeconds(20), Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(60));

    /** Never reconnects: a lost connection is an exception at once. */
    public static final Retry NEVER = new Retry(DEFAULT.silence, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
