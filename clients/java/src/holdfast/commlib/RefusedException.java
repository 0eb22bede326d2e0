package holdfast.commlib;

import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.Refused;

/** The server does not do what it was asked for. Nothing has changed, and the connection goes on. */
public final class RefusedException extends CommException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    RefusedException(Refused refused) {
        super(refused.message());
        this.reason = refused.reason();
    }

    /** For programs; the message has the server's words. */
    public Reason reason() {
        return reason;
    }
}
