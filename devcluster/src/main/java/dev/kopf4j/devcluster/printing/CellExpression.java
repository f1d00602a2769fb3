package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the values of {@code columns.txt}, whose head tells the notation. Pure. */
final class CellExpression {
    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)");
    private static final Pattern PLACE = Pattern.compile("\\{([^}]*)}");
    private static final Pattern LITERAL = Pattern.compile("\\d+|true|false");

    /** What a function makes of all that its paths reach; an empty text is an absent value. */
    private static final Map<String, BiFunction<List<JsonNode>, Instant, Object>> FUNCTIONS = Map.of(
            "count", (found, now) -> found.size(),
            "age",
                    (found, now) -> found.isEmpty()
                            ? ""
                            : HumanDuration.of(found.getFirst().asString(), now),
            "list", (found, now) -> CellFunctions.joined(found.stream(), ", "),
            "few",
                    (found, now) -> CellFunctions.few(
                            found.stream().map(JsonNode::asString).toList()),
            "labels", (found, now) -> found.isEmpty() ? "" : labels(found.getFirst()),
            "selector",
                    (found, now) -> found.isEmpty()
                            ? ""
                            : LabelSelector.of(found.getFirst()).toText(),
            "modes", (found, now) -> CellFunctions.accessModes(found.stream()),
            "addresses", (found, now) -> CellFunctions.addresses(found.stream()));

    private CellExpression() {}

    /** The value of a cell for an object at a time; empty if what it names is absent, or an empty text. */
    @FunctionalInterface
    interface Value {
        Optional<JsonNode> of(JsonNode object, Instant now);
    }

    /** Reads an expression; IllegalArgumentException if it is malformed. */
    static Value parse(String text) {
        int otherwise = text.indexOf(" else ", text.lastIndexOf('}') + 1);
        if (otherwise < 0) {
            return value(text);
        }
        Value first = value(text.substring(0, otherwise));
        Value second = parse(text.substring(otherwise + " else ".length()));
        return (object, now) -> first.of(object, now).or(() -> second.of(object, now));
    }

    private static Value value(String text) {
        Matcher call = CALL.matcher(text);
        if (text.startsWith("@")) {
            return CellFunctions.named(text.substring(1));
        } else if (text.contains("{")) {
            return template(text);
        } else if (text.startsWith(".")) {
            return path(text);
        } else if (call.matches() && call.group(1).equals("word")) {
            return word(call.group(2).split(" ", -1));
        } else if (call.matches()) {
            return call(call.group(1), call.group(2));
        }
        JsonNode literal = LITERAL.matcher(text).matches() ? Json.parse(text) : node(text.equals("\"\"") ? "" : text);
        return (object, now) -> Optional.of(literal);
    }

    private static Value path(String text) {
        JsonPath path = JsonPath.parse(text);
        boolean many = text.contains("[*]");
        return (object, now) -> {
            List<JsonNode> found = present(path.find(object));
            return many
                    ? given(CellFunctions.joined(found.stream(), ","))
                    : found.stream().findFirst();
        };
    }

    private static Value call(String name, String paths) {
        BiFunction<List<JsonNode>, Instant, Object> function = FUNCTIONS.get(name);
        if (function == null) {
            throw new IllegalArgumentException("no function " + name + " of paths");
        }
        List<JsonPath> parsed =
                Arrays.stream(paths.split(" ", -1)).map(JsonPath::parse).toList();
        return (object, now) -> {
            List<JsonNode> found = new ArrayList<>();
            parsed.forEach(path -> found.addAll(path.find(object)));
            return given(function.apply(present(found), now));
        };
    }

    /** {@code PATH TEXT=WORD ...}: the word for the first value, or for any with an asterisk. */
    private static Value word(String[] arguments) {
        JsonPath path = JsonPath.parse(arguments[0]);
        return (object, now) -> present(path.find(object)).stream()
                .findFirst()
                .flatMap(found -> Stream.of(found.asString("") + "=", "*=")
                        .flatMap(key -> Arrays.stream(arguments)
                                .skip(1)
                                .filter(word -> word.startsWith(key))
                                .map(word -> node(word.substring(key.length()).replace('_', ' '))))
                        .findFirst());
    }

    private static Value template(String text) {
        Map<String, Value> places = PLACE.matcher(text)
                .results()
                .map(place -> place.group(1))
                .distinct()
                .collect(Collectors.toUnmodifiableMap(place -> place, CellExpression::parse));
        return (object, now) -> {
            boolean[] any = {false};
            String words = PLACE.matcher(text).replaceAll(place -> {
                Optional<JsonNode> found =
                        Objects.requireNonNull(places.get(place.group(1))).of(object, now);
                any[0] |= found.isPresent();
                return Matcher.quoteReplacement(found.map(JsonNode::asString).orElse(""));
            });
            return any[0] ? given(words) : Optional.empty();
        };
    }

    /** A text or number as a value; empty for an empty text. */
    static Optional<JsonNode> given(Object value) {
        return value.equals("") ? Optional.empty() : Optional.of(node(value));
    }

    private static JsonNode node(Object value) {
        return value instanceof Integer number
                ? JsonNodeFactory.instance.numberNode(number)
                : JsonNodeFactory.instance.stringNode(value.toString());
    }

    private static List<JsonNode> present(List<JsonNode> found) {
        return found.stream()
                .filter(each -> !each.isNull()
                        && !(each.isString() && each.stringValue().isEmpty()))
                .toList();
    }

    private static String labels(JsonNode labels) {
        return labels.propertyStream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString())
                .sorted()
                .collect(Collectors.joining(","));
    }
}
