package holdfast.commlib;

/** The server sent something that this library does not understand. */
public final class BadMessageException extends CommException {
    private static final long serialVersionUID = 1;

    BadMessageException(String message) {
        super(message);
    }
}
