package holdfast.commlib;

import java.time.Duration;

/**
 * How a lost connection is made again: at once, then after a pause that doubles from the first to the longest, until
 * the limit is over without a word from the server.
 */
public record Retry(Duration first, Duration longest, Duration limit) {
    public static final Retry DEFAULT = new Retry(Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(60));

    /** A lost connection is an exception at once. */
    public static final Retry NEVER = new Retry(Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
