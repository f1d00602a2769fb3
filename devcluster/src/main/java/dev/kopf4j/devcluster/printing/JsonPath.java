package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The simple JSON paths of printer columns and selectable fields. Immutable. */
public final class JsonPath {
    private static final Pattern FILTER =
            Pattern.compile("\\?\\(\\s*@((?:\\.[\\w-]+)+)\\s*(==|!=)\\s*(\"[^\"]*\"|'[^']*'|[\\w.-]+)\\s*\\)");
    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    private sealed interface Step {
        record Field(String name) implements Step {}

        record Index(int index) implements Step {}

        record All() implements Step {}

        record Where(List<String> path, boolean equal, String value) implements Step {}

        record Deep(String name) implements Step {}
    }

    /** Reads {@code .a.b[0]['c'][?(@.d=="e")]}; IllegalArgumentException if the path is malformed. */
    public static JsonPath parse(String path) {
        List<Step> steps = new ArrayList<>();
        String text = path.startsWith("{") && path.endsWith("}") ? path.substring(1, path.length() - 1) : path;
        int index = text.startsWith("$") ? 1 : 0;
        while (index < text.length()) {
            if (text.charAt(index) == '[') {
                int end = closing(text, index);
                steps.add(bracket(text.substring(index + 1, end).strip()));
                index = end + 1;
            } else {
                boolean deep = text.startsWith("..", index);
                int start = text.charAt(index) == '.' ? index + (deep ? 2 : 1) : index;
                int end = start;
                StringBuilder name = new StringBuilder();
                while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
                    if (text.charAt(end) == '\\' && end + 1 < text.length()) {
                        end++;
                    }
                    name.append(text.charAt(end++));
                }
                if (!name.isEmpty()) {
                    steps.add(named(name.toString(), deep));
                }
                index = Math.max(end, index + 1);
            }
        }
        return new JsonPath(steps);
    }

    private static Step named(String name, boolean deep) {
        return deep ? new Step.Deep(name) : name.equals("*") ? new Step.All() : new Step.Field(name);
    }

    private static int closing(String text, int open) {
        int depth = 0;
        char quote = 0;
        for (int index = open; index < text.length(); index++) {
            char letter = text.charAt(index);
            if (quote != 0) {
                quote = letter == quote ? 0 : quote;
            } else if (letter == '"' || letter == '\'') {
                quote = letter;
            } else if (letter == '[') {
                depth++;
            } else if (letter == ']' && --depth == 0) {
                return index;
            }
        }
        throw new IllegalArgumentException("unterminated bracket in JSON path " + text);
    }

    private static Step bracket(String inside) {
        Matcher filter = FILTER.matcher(inside);
        if (filter.matches()) {
            List<String> path = List.of(filter.group(1).substring(1).split("\\.", -1));
            String value = filter.group(3);
            boolean quoted = value.startsWith("\"") || value.startsWith("'");
            return new Step.Where(
                    path, filter.group(2).equals("=="), quoted ? value.substring(1, value.length() - 1) : value);
        }
        if (inside.equals("*")) {
            return new Step.All();
        }
        if (inside.matches("-?\\d{1,9}")) {
            return new Step.Index(Integer.parseInt(inside));
        }
        if (inside.length() > 1 && (inside.startsWith("'") || inside.startsWith("\""))) {
            return new Step.Field(inside.substring(1, inside.length() - 1));
        }
        throw new IllegalArgumentException("unknown expression in a JSON path: [" + inside + "]");
    }

    /** All values that the path reaches. */
    public List<JsonNode> find(JsonNode root) {
        List<JsonNode> found = List.of(root);
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            found.forEach(node -> reach(node, step, next));
            found = next;
        }
        return found;
    }

    private static void reach(JsonNode node, Step step, List<JsonNode> into) {
        switch (step) {
            case Step.Field(String name) -> add(node.get(name), into);
            case Step.Index(int index) -> add(node.get(index < 0 ? node.size() + index : index), into);
            case Step.All() -> node.forEach(into::add);
            case Step.Where where ->
                node.valueStream().filter(each -> holds(each, where)).forEach(into::add);
            case Step.Deep(String name) -> into.addAll(node.findValues(name));
        }
    }

    private static void add(@org.jspecify.annotations.Nullable JsonNode node, List<JsonNode> into) {
        if (node != null) {
            into.add(node);
        }
    }

    private static boolean holds(JsonNode element, Step.Where where) {
        JsonNode value = Json.at(element, where.path().toArray(String[]::new));
        return !value.isMissingNode() && value.asString().equals(where.value()) == where.equal();
    }
}
