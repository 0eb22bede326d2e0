import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The text of one Java file. */
final class Source {
    private static final int WIDTH = 120;

    private final String name;

    Source(String name) {
        this.name = name;
    }

    /** With everything that has to be above the class. */
    String text(String body) {
        TreeSet<String> imports = new TreeSet<>();
        if (body.contains("Json")) {
            imports.add("holdfast.commlib.Json");
        }
        if (body.contains(" extends Connection<")) {
            imports.add("holdfast.commlib.Connection");
        }
        if (body.contains(" extends Client {")) {
            imports.add("holdfast.commlib.testkit.Client");
        }
        if (body.contains(" extends Game<") || body.contains("(Game<?>")) {
            imports.add("holdfast.commlib.testkit.Game");
        }
        if (body.contains(" extends Server<")) {
            imports.add("holdfast.commlib.Server");
            imports.add("java.io.IOException");
        }
        if (body.matches("(?s).*[^.]\\bList(<|\\.of).*")) {
            imports.add("java.util.List");
        }
        StringBuilder out = new StringBuilder("// Made by generator/Generator.java from docs/protocol.json.\n");
        out.append("package holdfast.commlib.").append(name).append(";\n\n");
        imports.forEach(imported -> out.append("import ").append(imported).append(";\n"));
        return out.append(imports.isEmpty() ? "" : "\n").append(body).toString();
    }

    /** {@code before(a, b)after} with this indent, broken where it is too long. */
    static String call(int indent, String before, List<String> arguments, String after) {
        String space = " ".repeat(indent);
        String line = space + before + "(" + String.join(", ", arguments) + ")" + after;
        if (line.length() <= WIDTH || arguments.isEmpty()) {
            return line + "\n";
        }
        String deeper = "\n" + space + " ".repeat(8);
        return space + before + "(" + deeper + String.join("," + deeper, arguments) + ")" + after + "\n";
    }

    /** {@code before.a.b;} with this indent, broken where it is too long. */
    static String chain(int indent, String before, List<String> links, String after) {
        String space = " ".repeat(indent);
        String line = space + before + String.join("", links) + after;
        if (line.length() <= WIDTH) {
            return line + "\n";
        }
        List<String> lines = new ArrayList<>(List.of(space + before));
        links.forEach(link -> lines.add(space + " ".repeat(8) + link));
        return String.join("\n", lines) + after + "\n";
    }
}
