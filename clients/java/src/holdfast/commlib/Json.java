package holdfast.commlib;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A value of JSON. It is read strictly and within bounds, and asked for by name and type; what is asked for and not
 * there is a {@link JsonException} that says where.
 */
public final class Json {
    /** As deep as a scenario may be. */
    public static final int MAX_DEPTH = 64;

    private static final Json NULL = new Json(null, null, null);

    /** A Map, a List, a String, a Digits, a Boolean or null. */
    private final Object value;
    private final Json parent;
    /** The name or the index in the parent. */
    private final Object step;

    private Json(Object value, Json parent, Object step) {
        this.value = value;
        this.parent = parent;
        this.step = step;
    }

    /** A number as it was written: it loses nothing, and costs nothing until it is looked at. */
    record Digits(String text) {}

    public static Json read(String text) {
        return read(text, MAX_DEPTH);
    }

    /** Takes at most so many arrays and objects inside each other. */
    public static Json read(String text, int depth) {
        return new Json(new JsonReader(text, depth).read(), null, null);
    }

    public static Json of(String text) {
        return new Json(text, null, null);
    }

    public static Json of(boolean truth) {
        return new Json(truth, null, null);
    }

    public static Json of(long number) {
        return new Json(new Digits(Long.toString(number)), null, null);
    }

    /** A number of 64 bits without a sign: -1 is the largest. */
    public static Json ofUnsigned(long number) {
        return new Json(new Digits(Long.toUnsignedString(number)), null, null);
    }

    public static Json nothing() {
        return NULL;
    }

    public static Json object() {
        return new Json(new LinkedHashMap<String, Object>(), null, null);
    }

    public static <T> Json list(List<T> items, Function<T, Json> write) {
        List<Object> list = new ArrayList<>();
        items.forEach(item -> list.add(write.apply(item).value));
        return new Json(list, null, null);
    }

    /** This object with one more field. */
    public Json with(String name, Json field) {
        Map<String, Object> fields = new LinkedHashMap<>(fields());
        fields.put(name, field.value);
        return new Json(fields, null, null);
    }

    /** This object with one more field, or without it if it is Java's null. */
    public <T> Json with(String name, T field, Function<T, Json> write) {
        return field == null ? this : with(name, write.apply(field));
    }

    /** The field of this name, which has to be there. */
    public Json field(String name) {
        if (!fields().containsKey(name)) {
            throw wrong("has no field \"" + name + "\"");
        }
        return new Json(fields().get(name), this, name);
    }

    /** The field of this name; one that is not there is JSON's null. */
    public Json maybe(String name) {
        return new Json(fields().get(name), this, name);
    }

    public boolean has(String name) {
        return fields().containsKey(name);
    }

    public Set<String> names() {
        return fields().keySet();
    }

    /** The name of a variant: the only field of an object, or a string. */
    public String kind() {
        if (value instanceof String name) {
            return name;
        }
        if (fields().size() != 1) {
            throw wrong("has " + fields().size() + " fields, not one");
        }
        return fields().keySet().iterator().next();
    }

    /** What a variant has beside its name. */
    public Json body() {
        return value instanceof String ? NULL : field(kind());
    }

    public boolean isList() {
        return value instanceof List;
    }

    public boolean isString() {
        return value instanceof String;
    }

    /** Whether it is a whole number of at most 18 digits. */
    public boolean isWhole() {
        return value instanceof Digits digits && digits.text.matches("-?\\d{1,18}");
    }

    public String asString() {
        if (value instanceof String text) {
            return text;
        }
        throw wrong("is not a string");
    }

    public boolean asBoolean() {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw wrong("is neither true nor false");
    }

    public int asInt() {
        return asInt(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public int asInt(int least, int most) {
        return (int) asLong(least, most);
    }

    public long asLong() {
        return asLong(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** A whole number. Scenarios may write 10 as 10.0. */
    public long asLong(long least, long most) {
        try {
            long number = Long.parseLong(digits().replaceFirst("\\.0+$", ""));
            if (least <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException tooLargeOrNotWhole) {
            // Said below.
        }
        throw wrong("is not a whole number from " + least + " to " + most);
    }

    /** A number of 64 bits without a sign: the largest is -1. */
    public long asUnsigned() {
        try {
            return Long.parseUnsignedLong(digits());
        } catch (NumberFormatException tooLargeOrNotWhole) {
            throw wrong("is not a whole number from 0 to " + Long.toUnsignedString(-1));
        }
    }

    public double asDouble() {
        return Double.parseDouble(digits());
    }

    /** Java's null for JSON's. */
    public <T> T orNull(Function<Json, T> read) {
        return value == null ? null : read.apply(this);
    }

    public List<Json> items() {
        if (!(value instanceof List<?> list)) {
            throw wrong("is not an array");
        }
        List<Json> items = new ArrayList<>();
        list.forEach(item -> items.add(new Json(item, this, items.size())));
        return items;
    }

    public <T> List<T> list(Function<Json, T> read) {
        return items().stream().map(read).toList();
    }

    public <T> List<T> list(int length, Function<Json, T> read) {
        List<T> list = list(read);
        if (list.size() != length) {
            throw wrong("has " + list.size() + " items, not " + length);
        }
        return list;
    }

    /** For a reader that does not know this variant. */
    public JsonException unknown() {
        return wrong("is \"" + kind() + "\", which this client does not know");
    }

    /** In one line. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        JsonWriter.write(value, out);
        return out.toString();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> fields() {
        if (value instanceof Map<?, ?>) {
            return (Map<String, Object>) value;
        }
        throw wrong("is not an object");
    }

    private String digits() {
        if (value instanceof Digits digits) {
            return digits.text;
        }
        throw wrong("is not a number");
    }

    private JsonException wrong(String what) {
        return new JsonException(path() + " " + what);
    }

    private String path() {
        if (parent == null) {
            return "$";
        }
        return parent.path() + (step instanceof Integer ? "[" + step + "]" : "." + step);
    }
}
