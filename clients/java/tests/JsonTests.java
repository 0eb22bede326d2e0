import holdfast.commlib.Json;
import holdfast.commlib.JsonException;
import java.util.List;

/** What the reader takes and what not, both sides of every bound. */
final class JsonTests {
    private JsonTests() {}

    static void run() throws Exception {
        texts();
        mistakes();
        depth();
        numbers();
        access();
        writing();
    }

    private static void texts() {
        check("null", "null");
        check(" \t\r\n[ true , false ] ", "[true,false]");
        check("{}", "{}");
        check("{ \"b\" : [ ] , \"a\" : { } }", "{\"b\":[],\"a\":{}}");
        check("\"\"", "\"\"");
        check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\"");
        check("\"\\u00e9\\uD83D\\ude00\"", "\"é\uD83D\uDE00\"");
        check("\"é\uD83D\uDE00\u007f\u2028\"", "\"é\uD83D\uDE00\u007f\u2028\"");
        for (String number : List.of("0", "-0", "7", "-12", "0.5", "1e3", "1E+3", "1.25e-7", "123456789012345678901")) {
            check(number, number);
        }
    }

    private static void check(String text, String written) {
        Check.equal(written, Json.read(text).toString(), text);
        Check.equal(written, Json.read(written).toString(), written);
    }

    private static void mistakes() throws Exception {
        refuse("", "character 1: the text ends too early");
        refuse("  ", "character 3: the text ends too early");
        refuse("nul", "character 1: a value is expected here");
        refuse("True", "character 1: a value is expected here");
        refuse("\0", "character 1: a value is expected here");
        refuse("null null", "character 6: nothing is expected here any more");
        refuse("{} ,", "character 4: nothing is expected here any more");
        refuse("[1,]", "character 4: a value is expected here");
        refuse("[1 2]", "character 4: ']' is expected here");
        refuse("[1", "character 3: the text ends too early");
        refuse("{\"a\":1,}", "character 8: '\"' is expected here");
        refuse("{\"a\" 1}", "character 6: ':' is expected here");
        refuse("{a:1}", "character 2: '\"' is expected here");
        refuse("{'a':1}", "character 2: '\"' is expected here");
        refuse("{\"a\":1,\"a\":1}", "character 8: the name \"a\" is there twice");
        refuse("{\"a\":1,\"\\u0061\":1}", "the name \"a\" is there twice");
        refuse("\"abc", "the text ends too early");
        refuse("\"a\\", "the text ends too early");
        refuse("\"\\x\"", "there is no escape \\x");
        refuse("\"\\u12g4\"", "four hex digits are expected");
        refuse("\"\\u\uFF11234\"", "four hex digits are expected");
        refuse("\"a\nb\"", "character 3: a control character in a string has to be escaped");
        refuse("\"\\ud83d\"", "half a character");
        refuse("\"\\ude00\"", "half a character");
        refuse("\"\\ud83dx\"", "half a character");
        refuse("\"\\ud83d\\n\"", "half a character");
        refuse("\"\\ud83d\\ud83d\"", "half a character");
        refuse("\"\uD83D\"", "half a character");
        for (String number : List.of("-", "+1", ".5", "1.", "1.e3", "1e", "1e+", "--1", "NaN", "Infinity", "0x10")) {
            refuse(number, "character ");
        }
        refuse("01", "character 2: nothing is expected here any more");
        refuse("// no\n1", "character 1: a value is expected here");
    }

    private static void refuse(String text, String words) throws Exception {
        Check.fails(JsonException.class, words, () -> Json.read(text));
    }

    private static void depth() throws Exception {
        Json.read("[".repeat(64) + "]".repeat(64));
        refuse("[".repeat(65) + "]".repeat(65), "too many arrays and objects inside each other");
        refuse("{\"a\":".repeat(1_000_000), "too many arrays and objects inside each other");
        Json.read("{\"a\":".repeat(32) + "1" + "}".repeat(32), 32);
        Check.fails(JsonException.class, "too many", () -> Json.read("[".repeat(33) + "]".repeat(33), 32));
        Json.read("[" + "[],".repeat(1000) + "[]]", 2);
    }

    private static void numbers() throws Exception {
        Check.equal(2147483647, Json.read("2147483647").asInt(), "the largest int");
        Check.equal(-2147483648, Json.read("-2147483648").asInt(), "the smallest int");
        Check.fails(JsonException.class, "$ is not a whole number", () -> Json.read("2147483648").asInt());
        Check.fails(JsonException.class, "$ is not a whole number", () -> Json.read("1.5").asInt());
        Check.fails(JsonException.class, "$ is not a whole number", () -> Json.read("1e0").asInt());
        Check.equal(-10, Json.read("-10.00").asInt(), "a fraction of zeros");
        Check.fails(JsonException.class, "$ is not a whole number", () -> Json.read("1.01").asInt());
        Check.equal(255, Json.read("255").asInt(0, 255), "the largest u8");
        Check.fails(JsonException.class, "from 0 to 255", () -> Json.read("256").asInt(0, 255));
        Check.fails(JsonException.class, "from 0 to 255", () -> Json.read("-1").asInt(0, 255));
        Check.equal(Long.MIN_VALUE, Json.read("-9223372036854775808").asLong(), "the smallest long");
        Check.fails(JsonException.class, "whole number", () -> Json.read("9223372036854775808").asLong());
        Check.equal(-1L, Json.read("18446744073709551615").asUnsigned(), "the largest u64");
        Check.fails(JsonException.class, "to 18446744073709551615",
                () -> Json.read("18446744073709551616").asUnsigned());
        Check.fails(JsonException.class, "whole number", () -> Json.read("-1").asUnsigned());
        Check.fails(JsonException.class, "whole number", () -> Json.read("9".repeat(100_000)).asLong());
        Check.equal(0.25, Json.read("2.5e-1").asDouble(), "a double");
    }

    private static void access() throws Exception {
        Json json = Json.read("{\"a\":{\"b\":[1,\"x\"]},\"c\":null}");
        Check.equal("x", json.field("a").field("b").items().get(1).asString(), "a string in an array");
        Check.equal(null, json.maybe("c").orNull(Json::asInt), "null");
        Check.equal(null, json.maybe("d").orNull(Json::asInt), "nothing");
        Check.equal("b", json.field("a").kind(), "the only name");
        Check.equal("Ability", Json.read("\"Ability\"").kind(), "a name alone");
        Json list = json.field("a").field("b");
        Check.fails(JsonException.class, "$.a.b[1] is not a number", () -> list.list(Json::asInt));
        Check.fails(JsonException.class, "$.a has no field \"c\"", () -> json.field("a").field("c"));
        Check.fails(JsonException.class, "$.a.b is not an object", () -> list.field("c"));
        Check.fails(JsonException.class, "$ has 2 fields, not one", () -> json.kind());
        Check.fails(JsonException.class, "$.a.b has 2 items, not 6", () -> list.list(6, it -> it));
        Check.fails(JsonException.class, "$.c is neither true nor false", () -> json.field("c").asBoolean());
    }

    private static void writing() throws Exception {
        Json json = Json.object().with("name", Json.of("Ana \"the\nsmith\"")).with("seed", Json.of(-7))
                .with("timeout", Json.ofUnsigned(-1)).with("board", Json.of(true))
                .with("seat", (Integer) null, Json::of).with("eyes", Json.list(List.of(6, 1), Json::of));
        Check.equal("{\"name\":\"Ana \\\"the\\u000asmith\\\"\",\"seed\":-7,\"timeout\":18446744073709551615,"
                + "\"board\":true,\"eyes\":[6,1]}", json.toString(), "what is written");
        Check.fails(JsonException.class, "half a character", () -> Json.of("\uD83D").toString());
    }
}
