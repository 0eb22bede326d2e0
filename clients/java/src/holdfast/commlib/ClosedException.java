package holdfast.commlib;

import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.Refused;

/** The server has closed the connection, and said why. */
public final class ClosedException extends CommException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    ClosedException(Refused refused) {
        super(refused.message());
        this.reason = refused.reason();
    }

    /** For programs; the message has the server's words. */
    public Reason reason() {
        return reason;
    }
}
