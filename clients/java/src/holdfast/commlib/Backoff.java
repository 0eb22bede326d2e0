package holdfast.commlib;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/** The pauses between the attempts to reconnect, until the server answers. */
final class Backoff {
    private final Retry retry;
    private final long since = System.nanoTime();
    private long pause = -1;

    Backoff(Retry retry) {
        this.retry = retry;
    }

    /** Waits until the next attempt; the first is due at once. */
    void pause(IOException why) throws IOException {
        long left = retry.limit().toNanos() - (System.nanoTime() - since);
        if (left <= 0) {
            throw new LostException("the connection is lost, and was not to be had again: " + why.getMessage(), why);
        }
        if (pause < 0) {
            pause = Math.max(1, retry.first().toNanos());
            return;
        }
        // Jitter: clients must not reconnect all at the same moment.
        long random = ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
        pause = Math.min(2 * pause, Math.max(1, retry.longest().toNanos()));
        try {
            Thread.sleep(1 + Math.min(random, left) / 1_000_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the connection was lost");
        }
    }
}
