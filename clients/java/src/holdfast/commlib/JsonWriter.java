package holdfast.commlib;

import java.util.List;
import java.util.Map;

/** JSON without a space or a line end in it. */
final class JsonWriter {
    private JsonWriter() {}

    static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> fields) {
            String between = "{";
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.append(between);
                string((String) field.getKey(), out);
                out.append(':');
                write(field.getValue(), out);
                between = ",";
            }
            out.append(fields.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String between = "[";
            for (Object item : items) {
                out.append(between);
                write(item, out);
                between = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            string(text, out);
        } else if (value instanceof Json.Digits digits) {
            out.append(digits.text());
        } else {
            out.append(value);
        }
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", c));
            } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new JsonException("a text with half a character cannot be sent");
            } else {
                out.appendCodePoint(c);
            }
        });
        out.append('"');
    }
}
