package holdfast.commlib;

/** The connection is lost and could not be opened again within the limit of {@link Retry}. */
public final class LostException extends CommException {
    private static final long serialVersionUID = 1;

    LostException(String message) {
        super(message);
    }

    LostException(String message, Throwable cause) {
        super(message, cause);
    }
}
