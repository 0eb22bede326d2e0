package holdfast.commlib;

import java.io.IOException;

/** Why a connection does not go on as one would like. */
public abstract class CommException extends IOException {
    private static final long serialVersionUID = 1;

    CommException(String message) {
        super(message);
    }

    CommException(String message, Throwable cause) {
        super(message, cause);
    }
}
