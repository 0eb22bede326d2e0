package holdfast.commlib;

import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.Refused;

/** The server closed the connection, with a reason. */
public final class ClosedException extends CommException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    ClosedException(Refused refused) {
        super(refused.message());
        this.reason = refused.reason();
    }

    /** The reason, for programs; the message has the server's words. */
    public Reason reason() {
        return reason;
    }
}
