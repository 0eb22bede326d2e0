package holdfast.commlib;

import java.io.IOException;

/** Any error of a connection. */
public abstract class CommException extends IOException {
    private static final long serialVersionUID = 1;

    CommException(String message) {
        super(message);
    }

    CommException(String message, Throwable cause) {
        super(message, cause);
    }
}
