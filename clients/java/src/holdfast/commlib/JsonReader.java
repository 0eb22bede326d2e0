package holdfast.commlib;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as RFC 8259 has it, one value and nothing after it; an object that has a name twice is refused. */
final class JsonReader {
    private final String text;
    private int at;
    /** How many more arrays and objects may be opened. */
    private int depth;

    JsonReader(String text, int depth) {
        this.text = text;
        this.depth = depth;
    }

    Object read() {
        Object value = value();
        skipSpace();
        if (at < text.length()) {
            throw wrong("nothing is expected here any more");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        open();
        Map<String, Object> fields = new LinkedHashMap<>();
        skipSpace();
        if (!take('}')) {
            do {
                skipSpace();
                int start = at;
                String name = string();
                skipSpace();
                expect(':');
                if (fields.containsKey(name)) {
                    at = start;
                    throw wrong("the name \"" + name + "\" is there twice");
                }
                fields.put(name, value());
                skipSpace();
            } while (take(','));
            expect('}');
        }
        depth++;
        return fields;
    }

    private List<Object> array() {
        open();
        List<Object> items = new ArrayList<>();
        skipSpace();
        if (!take(']')) {
            do {
                items.add(value());
                skipSpace();
            } while (take(','));
            expect(']');
        }
        depth++;
        return items;
    }

    private void open() {
        if (depth == 0) {
            throw wrong("too many arrays and objects inside each other");
        }
        depth--;
        at++;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (!take('"')) {
            int start = at;
            char c = next();
            if (c < ' ') {
                at = start;
                throw wrong("a control character in a string has to be escaped");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        // A pair is one code point; what is left of the surrogates has lost its other half.
        if (out.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw wrong("half a character");
        }
        return out.toString();
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("there is no escape \\" + c);
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = next();
            // Not Character.digit alone: it also takes digits of other scripts.
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw wrong("four hex digits are expected");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value is expected here");
        }
        at += word.length();
        return value;
    }

    private Json.Digits number() {
        int start = at;
        take('-');
        if (!take('0')) {
            digits();
        }
        if (take('.')) {
            digits();
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            digits();
        }
        return new Json.Digits(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == start) {
            throw wrong(peek() == 0 && at >= text.length() ? "the text ends too early" : "a value is expected here");
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The next character, which stays; 0 at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char next() {
        if (at >= text.length()) {
            throw wrong("the text ends too early");
        }
        return text.charAt(at++);
    }

    private boolean take(char c) {
        boolean taken = at < text.length() && text.charAt(at) == c;
        if (taken) {
            at++;
        }
        return taken;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw wrong(at < text.length() ? "'" + c + "' is expected here" : "the text ends too early");
        }
    }

    private JsonException wrong(String what) {
        return new JsonException("character " + (at + 1) + ": " + what);
    }
}
