// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

/** What both sides have to agree on. */
public final class Protocol {
    public static final int VERSION = 3;

    private Protocol() {}
}
