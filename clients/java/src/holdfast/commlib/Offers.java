package holdfast.commlib;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a client of any game can do now, as the server tells it; docs/protocol.md describes it.
 *
 * @param title a question, or what the game waits for
 * @param allChoices all commands that the rules may take now, in order, with those that stand beside the play
 */
public record Offers(String title, List<Choice> allChoices) {
    static Offers read(Json json) {
        List<Choice> found = new ArrayList<>();
        collect(json, List.of(), false, found);
        return new Offers(json.field("title").asString(), List.copyOf(found));
    }

    private static void collect(Json question, List<String> before, boolean isAside, List<Choice> found) {
        for (Json offer : question.field("offers").items()) {
            List<String> labels = new ArrayList<>(before);
            labels.add(offer.field("label").asString());
            boolean aside = isAside || flag(offer, "aside");
            if (offer.has("offers")) {
                collect(offer, labels, aside, found);
            } else if (!offer.has("impossible")) {
                List<Choice.Argument> arguments = offer.has("arguments")
                        ? offer.field("arguments").list(it -> Choice.Argument.read(it))
                        : List.of();
                found.add(new Choice(
                        List.copyOf(labels), offer.field("command"), arguments, aside, flag(offer, "uncertain")));
            }
        }
    }

    static boolean flag(Json json, String name) {
        return json.has(name) && json.field(name).asBoolean();
    }

    /** All commands of the play that the rules may take now. */
    public List<Choice> choices() {
        return allChoices.stream().filter(choice -> !choice.aside()).toList();
    }

    /** A random choice with random arguments; null if there is nothing to do. */
    public Json randomCommand(String name, Random random) {
        List<Choice> choices = choices();
        return choices.isEmpty() ? null : choices.get(random.nextInt(choices.size())).fillRandomly(name, random);
    }
}
