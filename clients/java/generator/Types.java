import holdfast.commlib.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.SourceVersion;

/** The named types of the wire or of a rulebook: what they are in Java, and how each is read and written. */
final class Types {
    private final String name;
    private final Json types;
    private final Set<String> read = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    /** Names that mean something else where a class is made: a variant may have the name of a type that it carries. */
    private Set<String> shadowed = Set.of();

    Types(String name, Json types) {
        this.name = name;
        this.types = types;
    }

    String name() {
        return name;
    }

    /** The type is read, or written, and so are all types in it. */
    void reach(String type, boolean isRead) {
        if (types.has(type) && (isRead ? read : written).add(type)) {
            Json described = types.field(type);
            switch (described.kind()) {
                case "same" -> reach(described.body(), isRead);
                case "struct" -> described.body().items().forEach(field -> reach(field.field("type"), isRead));
                default -> described.body().items().forEach(variant -> reachVariant(variant, isRead));
            }
        }
    }

    void reachVariant(Json variant, boolean isRead) {
        if (variant.has("value")) {
            reach(variant.field("value"), isRead);
        }
        fields(variant).forEach(field -> reach(field.field("type"), isRead));
    }

    private void reach(Json type, boolean isRead) {
        if (type.isString()) {
            reach(type.asString(), isRead);
        } else {
            String kind = type.names().iterator().next();
            reach(type.field(kind), isRead);
        }
    }

    /** The text of a class for every type that was reached and is one. */
    Map<String, String> classes() {
        Map<String, String> classes = new TreeMap<>();
        Set<String> all = new HashSet<>(read);
        all.addAll(written);
        for (String type : all) {
            Json described = types.field(type);
            String body = switch (described.kind()) {
                case "same" -> null;
                case "struct" -> struct(type, described.body().items());
                default -> isPlain(described.body()) ? words(type, described.body()) : variants(type, described.body());
            };
            if (body != null) {
                classes.put(type, new Source(name).text(body));
            }
        }
        return classes;
    }

    private static boolean isPlain(Json variants) {
        return variants.items().stream().noneMatch(variant -> variant.has("value") || variant.has("fields"));
    }

    private String struct(String type, List<Json> fields) {
        StringBuilder out = new StringBuilder(Source.call(0, "public record " + type, parameters(fields), " {"));
        if (read.contains(type)) {
            out.append("    public static ").append(type).append(" read(Json json) {\n");
            out.append(Source.call(8, "return new " + type, readAll(fields, "json"), ";")).append("    }\n");
        }
        if (written.contains(type)) {
            out.append(read.contains(type) ? "\n" : "").append("    public Json toJson() {\n");
            out.append(Source.chain(8, "return Json.object()", writeAll(fields), ";")).append("    }\n");
        }
        return out.append("}\n").toString();
    }

    private String words(String type, Json variants) {
        List<String> constants = new ArrayList<>();
        for (Json variant : variants.items()) {
            String word = variant.field("name").asString();
            constants.add("    " + word.toUpperCase(Locale.ROOT) + "(\"" + word + "\")");
        }
        StringBuilder out = new StringBuilder("public enum " + type + " {\n");
        out.append(String.join(",\n", constants)).append(";\n\n");
        out.append("    private final String word;\n\n");
        out.append("    ").append(type).append("(String word) {\n        this.word = word;\n    }\n");
        if (read.contains(type)) {
            out.append("\n    public static ").append(type).append(" read(Json json) {\n");
            out.append("        for (").append(type).append(" each : values()) {\n");
            out.append("            if (each.word.equals(json.asString())) {\n");
            out.append("                return each;\n            }\n        }\n");
            out.append("        throw json.unknown();\n    }\n");
        }
        if (written.contains(type)) {
            out.append("\n    public Json toJson() {\n        return Json.of(word);\n    }\n");
        }
        return out.append("}\n").toString();
    }

    private String variants(String type, Json variants) {
        StringBuilder records = new StringBuilder();
        StringBuilder cases = new StringBuilder();
        shadowed = new HashSet<>();
        variants.items().forEach(variant -> shadowed.add(className(variant)));
        for (Json variant : variants.items()) {
            String record = className(variant);
            String word = variant.field("name").asString();
            List<String> parameters = parameters(fields(variant));
            List<String> arguments = readAll(fields(variant), "body");
            if (variant.has("value")) {
                parameters = List.of(java(variant.field("value"), false) + " value");
                arguments = List.of(read(variant.field("value"), "body", 0));
            }
            records.append("\n");
            if (written.contains(type)) {
                records.append(Source.call(4, "record " + record, parameters, " implements " + type + " {"));
                records.append("        @Override\n        public Json toJson() {\n");
                records.append(variantWritten(variant)).append("        }\n    }\n");
            } else {
                records.append(Source.call(4, "record " + record, parameters, " implements " + type + " {}"));
            }
            cases.append(Source.call(12, "case \"" + word + "\" -> new " + record, arguments, ";"));
        }
        shadowed = Set.of();
        StringBuilder out = new StringBuilder("public sealed interface " + type + " {\n");
        if (read.contains(type)) {
            out.append("    static ").append(type).append(" read(Json json) {\n");
            if (cases.indexOf("(body") >= 0) {
                out.append("        Json body = json.body();\n");
            }
            out.append("        return switch (json.kind()) {\n").append(cases);
            out.append("            default -> throw json.unknown();\n        };\n    }\n");
        }
        if (written.contains(type)) {
            out.append(read.contains(type) ? "\n" : "").append("    Json toJson();\n");
        }
        return out.append(records).append("}\n").toString();
    }

    private String variantWritten(Json variant) {
        String word = variant.field("name").asString();
        if (variant.has("value")) {
            return Source.call(12, "return Json.object().with",
                    List.of("\"" + word + "\"", write(variant.field("value"), "value", 0)), ";");
        }
        if (variant.has("fields")) {
            return Source.chain(12, "return Json.object().with(\"" + word + "\", Json.object()",
                    writeAll(fields(variant)), ");");
        }
        return "            return Json.of(\"" + word + "\");\n";
    }

    /** How a type of this package is called. */
    private String named(String type) {
        return shadowed.contains(type) ? "holdfast.commlib." + name + "." + type : type;
    }

    static List<Json> fields(Json variant) {
        return variant.has("fields") ? variant.field("fields").items() : List.of();
    }

    private static String className(Json variant) {
        String word = variant.field("name").asString();
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    List<String> parameters(List<Json> fields) {
        return fields.stream().map(field -> java(field.field("type"), false) + " " + variable(field)).toList();
    }

    /** The parameters of a test's method; where any value may be meant, null means it. */
    List<String> parameters(List<Json> fields, boolean any) {
        return fields.stream().map(field -> java(field.field("type"), any) + " " + variable(field)).toList();
    }

    /** The values of a test's method; null stays null. */
    List<String> values(List<Json> fields, boolean any) {
        return fields.stream().map(field -> {
            Json type = field.field("type");
            boolean option = !type.isString() && type.has("option");
            String value = variable(field);
            String written = write(option ? type.field("option") : type, value, 0);
            return any || option ? value + " == null ? null : " + written : written;
        }).toList();
    }

    static String variable(Json field) {
        String word = field.field("name").asString();
        return SourceVersion.isKeyword(word) ? word + "_" : word;
    }

    List<String> readAll(List<Json> fields, String from) {
        return fields.stream().map(field -> {
            String access = field.has("optional") ? "maybe" : "field";
            return read(field.field("type"), from + "." + access + "(\"" + field.field("name").asString() + "\")", 0);
        }).toList();
    }

    List<String> writeAll(List<Json> fields) {
        return fields.stream().map(field -> {
            Json type = field.field("type");
            String with = ".with(\"" + field.field("name").asString() + "\", ";
            if (!type.isString() && type.has("option")) {
                return with + variable(field) + ", it -> " + write(type.field("option"), "it", 1) + ")";
            }
            return with + write(type, variable(field), 0) + ")";
        }).toList();
    }

    /** The type in Java; a boxed one may be null. */
    private String java(Json type, boolean boxed) {
        if (!type.isString()) {
            String kind = type.names().iterator().next();
            String inner = java(type.field(kind), true);
            return kind.equals("option") ? inner : "List<" + inner + ">";
        }
        return switch (type.asString()) {
            case "u8", "u16", "i32" -> boxed ? "Integer" : "int";
            case "u32", "u64", "i64" -> boxed ? "Long" : "long";
            case "bool" -> boxed ? "Boolean" : "boolean";
            case "string", "token" -> "String";
            case "command", "event" -> "Json";
            default -> types.field(type.asString()).has("same")
                    ? java(types.field(type.asString()).field("same"), boxed)
                    : named(type.asString());
        };
    }

    private String read(Json type, String json, int depth) {
        if (!type.isString()) {
            String kind = type.names().iterator().next();
            String item = "it" + (depth == 0 ? "" : depth);
            String inner = item + " -> " + read(type.field(kind), item, depth + 1);
            return json + switch (kind) {
                case "option" -> ".orNull(" + inner + ")";
                case "array" -> ".list(" + type.field("length").asInt() + ", " + inner + ")";
                default -> ".list(" + inner + ")";
            };
        }
        return switch (type.asString()) {
            case "u8" -> json + ".asInt(0, 255)";
            case "u16" -> json + ".asInt(0, 65535)";
            case "i32" -> json + ".asInt()";
            case "u32" -> json + ".asLong(0, 4294967295L)";
            case "u64" -> json + ".asUnsigned()";
            case "i64" -> json + ".asLong()";
            case "bool" -> json + ".asBoolean()";
            case "string", "token" -> json + ".asString()";
            case "command", "event" -> json;
            default -> types.field(type.asString()).has("same")
                    ? read(types.field(type.asString()).field("same"), json, depth)
                    : named(type.asString()) + ".read(" + json + ")";
        };
    }

    private String write(Json type, String value, int depth) {
        if (!type.isString()) {
            String kind = type.names().iterator().next();
            if (kind.equals("option")) {
                throw new IllegalArgumentException("an option that is no field cannot be written");
            }
            String item = "it" + (depth == 0 ? "" : depth);
            return "Json.list(" + value + ", " + item + " -> " + write(type.field(kind), item, depth + 1) + ")";
        }
        return switch (type.asString()) {
            case "u64" -> "Json.ofUnsigned(" + value + ")";
            case "u8", "u16", "i32", "u32", "i64", "bool", "string", "token" -> "Json.of(" + value + ")";
            case "command", "event" -> value;
            default -> types.field(type.asString()).has("same")
                    ? write(types.field(type.asString()).field("same"), value, depth)
                    : value + ".toJson()";
        };
    }
}
