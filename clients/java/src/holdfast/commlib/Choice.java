package holdfast.commlib;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A command that may be sent.
 *
 * @param labels the labels of the questions that lead to it, and its own
 * @param command the command, with examples of its arguments
 * @param aside whether it stands beside the play: it starts, interrupts or gives up the game
 * @param uncertain whether it depends on facts that are hidden from this client
 */
public record Choice(List<String> labels, Json command, List<Argument> arguments, boolean aside, boolean uncertain) {
    /** A field of the command that the client fills in. */
    public sealed interface Argument {
        String field();

        /** What a person reads. */
        String label();

        boolean allows(Json value);

        /** A whole number in these bounds. */
        record Range(String field, String label, long least, long most) implements Argument {
            @Override
            public boolean allows(Json value) {
                return value.isWhole() && least <= value.asLong() && value.asLong() <= most;
            }
        }

        /** A text with so many characters; {@code name} asks for the name of the player. */
        record Text(String field, String label, int least, int most, boolean name) implements Argument {
            @Override
            public boolean allows(Json value) {
                if (!value.isString()) {
                    return false;
                }
                int length = value.asString().codePointCount(0, value.asString().length());
                return least <= length && length <= most;
            }
        }

        /** Any value that the game takes. */
        record Free(String field, String label, String about) implements Argument {
            @Override
            public boolean allows(Json value) {
                return true;
            }
        }

        static Argument read(Json json) {
            String field = json.field("field").asString();
            String label = json.field("label").asString();
            if (json.has("range")) {
                Json range = json.field("range");
                return new Range(field, label, range.field("least").asLong(), range.field("most").asLong());
            }
            if (json.has("text")) {
                Json text = json.field("text");
                return new Text(
                        field, label, text.field("least").asInt(), text.field("most").asInt(), Offers.flag(text, "name"));
            }
            return new Free(field, label, json.field("free").field("about").asString());
        }
    }

    /** The command with these values of its arguments, by their fields; the others keep the example. */
    public Json fill(Map<String, Json> values) {
        if (values.isEmpty()) {
            return command;
        }
        Json fields = command.body();
        for (Map.Entry<String, Json> value : values.entrySet()) {
            Argument argument = arguments.stream()
                    .filter(each -> each.field().equals(value.getKey()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the command has no argument " + value.getKey()));
            if (!argument.allows(value.getValue())) {
                throw new IllegalArgumentException(argument.label() + ": " + value.getValue() + " is not allowed");
            }
            fields = fields.with(value.getKey(), value.getValue());
        }
        return Json.object().with(command.kind(), fields);
    }

    /** The command with random numbers, and with this name of the player. */
    public Json fillRandomly(String name, Random random) {
        Map<String, Json> values = new LinkedHashMap<>();
        for (Argument argument : arguments) {
            if (argument instanceof Argument.Range range) {
                long drawn = range.least() == range.most()
                        ? range.least()
                        : random.nextLong(range.least(), Math.addExact(range.most(), 1));
                values.put(range.field(), Json.of(drawn));
            } else if (argument instanceof Argument.Text text && text.name()) {
                values.put(text.field(), Json.of(name));
            }
        }
        return fill(values);
    }
}
