package holdfast.commlib;

import java.time.Duration;

/**
 * How a lost connection is noticed and made again: at once, then after a pause that doubles from the first to the
 * longest, until the limit is over without a word from the server.
 *
 * @param silence after so long the server is asked whether it is there; after as long again it is not
 */
public record Retry(Duration silence, Duration first, Duration longest, Duration limit) {
    public static final Retry DEFAULT =
            new Retry(Duration.ofSeconds(20), Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(60));

    /** A lost connection is an exception at once. */
    public static final Retry NEVER = new Retry(DEFAULT.silence, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
