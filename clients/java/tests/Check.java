import java.util.Objects;

/** What tests say. */
final class Check {
    private Check() {}

    static void equal(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + ": expected " + expected + ", not " + actual);
        }
    }

    static void isTrue(boolean truth, String what) {
        if (!truth) {
            throw new AssertionError(what);
        }
    }

    /** The exception that has to come, with these words in it. */
    static <X extends Exception> X fails(Class<X> kind, String words, Tests.Test test) throws Exception {
        try {
            test.run();
        } catch (Exception failure) {
            if (!kind.isInstance(failure)) {
                throw failure;
            }
            String message = String.valueOf(failure.getMessage());
            isTrue(message.contains(words), "\"" + message + "\" does not say \"" + words + "\"");
            return kind.cast(failure);
        }
        throw new AssertionError("no " + kind.getSimpleName() + " that says " + words);
    }
}
