package holdfast.commlib;

import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.Refused;

/** The server refused a message. Nothing has changed, and the connection stays open. */
public final class RefusedException extends CommException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    RefusedException(Refused refused) {
        super(refused.message());
        this.reason = refused.reason();
    }

    /** The reason, for programs; the message has the server's words. */
    public Reason reason() {
        return reason;
    }
}
