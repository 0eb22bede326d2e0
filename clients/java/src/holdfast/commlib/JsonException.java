package holdfast.commlib;

/** A text that is not JSON, or JSON that is not what was asked for. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JsonException(String message) {
        super(message);
    }
}
