package dev.kopf4j.devcluster.printing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The JSON paths of printer columns, as {@code util/jsonpath} of client-go reads them, v0.33: fields, wildcards, deep
 * search, slices, unions and filters. Immutable.
 */
public final class JsonPath {
    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    private sealed interface Step {
        record Field(String name) implements Step {}

        record All() implements Step {}

        /** The containers below a value, and itself. */
        record Deep() implements Step {}

        /** Elements of a list; a bound that is not given is that of the list. */
        record Slice(
                @Nullable Integer from,
                @Nullable Integer until,
                @Nullable Integer step) implements Step {}

        record Union(List<JsonPath> paths) implements Step {}

        record Where(JsonPath left, String operator, JsonPath right) implements Step {}

        record Constant(JsonNode value) implements Step {}

        /** A word that means nothing. */
        record Unknown() implements Step {}
    }

    /** Reads {@code .a.b[0]['c'][?(@.d=="e")]}; IllegalArgumentException if the path is malformed. */
    public static JsonPath parse(String path) {
        boolean braces = path.startsWith("{") && path.endsWith("}");
        return new Parser(braces ? path.substring(1, path.length() - 1) : path).parse();
    }

    /** All values that the path reaches; none if it cannot be followed, as where it slices what is no list. */
    public List<JsonNode> find(JsonNode root) {
        List<JsonNode> found = walk(List.of(root));
        return found == null ? List.of() : found;
    }

    /** The same from several values; null if the path cannot be followed. */
    private @Nullable List<JsonNode> walk(List<JsonNode> from) {
        List<JsonNode> found = from;
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            if (!reach(found, step, next)) {
                return null;
            }
            found = next;
        }
        return found;
    }

    private static boolean reach(List<JsonNode> found, Step step, List<JsonNode> into) {
        return switch (step) {
            case Step.Field(String name) -> {
                found.stream().filter(node -> node.has(name)).forEach(node -> into.add(node.get(name)));
                yield true;
            }
            case Step.All() -> {
                found.forEach(node -> node.forEach(into::add));
                yield true;
            }
            case Step.Deep() -> {
                found.forEach(node -> addContainers(node, into));
                yield true;
            }
            case Step.Constant(JsonNode value) -> {
                found.forEach(node -> into.add(value));
                yield true;
            }
            case Step.Slice slice ->
                found.stream().filter(node -> !node.isNull()).allMatch(node -> slice(node, slice, into));
            case Step.Union(List<JsonPath> paths) ->
                paths.stream().allMatch(path -> {
                    List<JsonNode> part = path.walk(found);
                    into.addAll(part == null ? List.of() : part);
                    return part != null;
                });
            case Step.Where where -> found.stream().allMatch(node -> filter(node, where, into));
            case Step.Unknown() -> false;
        };
    }

    private static void addContainers(JsonNode node, List<JsonNode> into) {
        if (!node.isEmpty()) {
            into.add(node);
            node.forEach(below -> addContainers(below, into));
        }
    }

    private static boolean slice(JsonNode list, Step.Slice slice, List<JsonNode> into) {
        int size = list.size();
        int from = slice.from() == null ? 0 : slice.from();
        int until = slice.until() == null ? size : slice.until();
        int start = from < 0 ? from + size : from;
        int end = until < 0 ? until + size : until;
        int step = slice.step() == null ? 1 : slice.step();
        if (list.isArray() && start == end) {
            return true;
        }
        if (!list.isArray() || start < 0 || start > end || end > size || step <= 0) {
            return false;
        }
        for (int index = start; index < end; index += step) {
            into.add(list.get(index));
        }
        return true;
    }

    private static boolean filter(JsonNode list, Step.Where where, List<JsonNode> into) {
        for (JsonNode element : list) {
            Boolean holds = list.isArray() ? holds(element, where) : null;
            if (holds == null) {
                return false;
            }
            if (holds) {
                into.add(element);
            }
        }
        return list.isArray();
    }

    /** Whether an element passes a filter; null if that cannot be told. */
    private static @Nullable Boolean holds(JsonNode element, Step.Where where) {
        List<JsonNode> left = where.left().walk(List.of(element));
        if (where.operator().isEmpty()) {
            return left == null || !left.isEmpty();
        }
        List<JsonNode> right = where.right().walk(List.of(element));
        if (left == null || right == null || left.size() > 1 || right.size() > 1) {
            return null;
        }
        if (left.isEmpty() || right.isEmpty()) {
            return false;
        }
        return holds(left.getFirst(), where.operator(), right.getFirst());
    }

    private static @Nullable Boolean holds(JsonNode left, String operator, JsonNode right) {
        boolean numbers = left.isNumber() && right.isNumber() && left.isIntegralNumber() == right.isIntegralNumber();
        boolean flags = left.isBoolean() && right.isBoolean();
        if (!numbers && !flags && !(left.isString() && right.isString())) {
            return null;
        }
        int order = numbers
                ? left.decimalValue().compareTo(right.decimalValue())
                : left.asString().compareTo(right.asString());
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> flags ? null : order < 0;
            case "<=" -> flags ? null : order <= 0;
            case ">" -> flags ? null : order > 0;
            case ">=" -> flags ? null : order >= 0;
            default -> null;
        };
    }

    /** Reads one path, once. */
    private static final class Parser {
        private static final Pattern KEY = Pattern.compile("'([^']*)'");
        private static final Pattern SLICE = Pattern.compile("(-?\\d{0,9})(:-?\\d{0,9})?(:-?\\d{0,9})?");
        private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)");
        private static final Pattern NUMBER = Pattern.compile("[+-]?[\\d.]*");
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
        private final String text;
        private final List<Step> steps = new ArrayList<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        private static JsonPath of(String text) {
            return new Parser(text).parse();
        }

        private IllegalArgumentException malformed(String why) {
            return new IllegalArgumentException(why + " in JSON path " + text);
        }

        JsonPath parse() {
            while (at < text.length()) {
                if (text.startsWith("[?(", at)) {
                    filter();
                } else if (text.startsWith("..", at)) {
                    deep();
                } else {
                    step(text.charAt(at));
                }
            }
            return new JsonPath(steps);
        }

        private void step(char letter) {
            switch (letter) {
                case ' ', '@', '$' -> at++;
                case '[' -> bracket();
                case '"', '\'' -> steps.add(new Step.Constant(NODES.stringNode(quoted(letter))));
                case '.' -> {
                    at++;
                    field();
                }
                default -> {
                    if (letter == '+' || letter == '-' || Character.isDigit(letter)) {
                        number();
                    } else if (isWord(letter)) {
                        word();
                    } else {
                        throw malformed("unrecognized character '" + letter + "'");
                    }
                }
            }
        }

        private static boolean isWord(char letter) {
            return letter == '_' || Character.isLetterOrDigit(letter);
        }

        private static boolean endsName(char letter) {
            return " \t\r\n.,[]$@{}".indexOf(letter) >= 0;
        }

        private void deep() {
            if (!steps.isEmpty() && steps.getLast() instanceof Step.Deep) {
                throw malformed("invalid multiple recursive descent");
            }
            at += 2;
            steps.add(new Step.Deep());
            if (at < text.length() && isWord(text.charAt(at))) {
                field();
            }
        }

        private void field() {
            StringBuilder name = new StringBuilder();
            while (at < text.length() && !endsName(text.charAt(at))) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            steps.add(name.toString().equals("*") ? new Step.All() : new Step.Field(name.toString()));
        }

        private void word() {
            int start = at;
            while (at < text.length() && !endsName(text.charAt(at))) {
                at++;
            }
            String word = text.substring(start, at);
            boolean truth = word.equals("true");
            steps.add(truth || word.equals("false") ? new Step.Constant(NODES.booleanNode(truth)) : new Step.Unknown());
        }

        private void number() {
            Matcher number = NUMBER.matcher(text).region(at, text.length());
            String found = number.lookingAt() ? number.group() : "";
            at += found.length();
            if (found.matches("[+-]?\\d{1,18}")) {
                steps.add(new Step.Constant(NODES.numberNode(Long.parseLong(found))));
            } else if (found.matches("[+-]?(\\d+\\.\\d*|\\.\\d+)")) {
                steps.add(new Step.Constant(NODES.numberNode(Double.parseDouble(found))));
            } else {
                throw malformed("cannot parse number " + found);
            }
        }

        private String quoted(char quote) {
            StringBuilder content = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char letter = text.charAt(at);
                if (letter == quote) {
                    at++;
                    return content.toString();
                }
                if (letter == '\\' && at + 1 < text.length()) {
                    letter = text.charAt(++at);
                }
                content.append(letter);
            }
            throw malformed("unterminated quoted string");
        }

        private void bracket() {
            int end = text.indexOf(']', at);
            if (end < 0) {
                throw malformed("unterminated array");
            }
            String inside = text.substring(at + 1, end);
            at = end + 1;
            String[] parts = inside.split(",", -1);
            Matcher key = KEY.matcher(inside);
            Matcher slice = SLICE.matcher(inside.equals("*") ? ":" : inside);
            if (parts.length > 1) {
                steps.add(new Step.Union(Arrays.stream(parts)
                        .map(part -> of("[" + part.strip() + "]"))
                        .toList()));
            } else if (key.matches()) {
                steps.addAll(of("." + key.group(1)).steps);
            } else if (slice.matches()) {
                steps.add(slice(slice));
            } else {
                throw malformed("invalid array index " + inside);
            }
        }

        private static Step slice(Matcher slice) {
            Integer from = bound(slice.group(1));
            Integer step = slice.group(3) == null ? null : bound(slice.group(3).substring(1));
            if (slice.group(2) != null) {
                return new Step.Slice(from, bound(slice.group(2).substring(1)), step);
            }
            int index = from == null ? 0 : from;
            return new Step.Slice(index, index == -1 ? null : Integer.valueOf(index + 1), step);
        }

        private static @Nullable Integer bound(String number) {
            return number.isEmpty() || number.equals("-") ? null : Integer.valueOf(number);
        }

        private void filter() {
            int start = at + 3;
            int end = endOfFilter(start);
            at = end + 2;
            Matcher comparison = COMPARISON.matcher(text.substring(start, end));
            steps.add(
                    comparison.matches()
                            ? new Step.Where(of(comparison.group(1)), comparison.group(2), of(comparison.group(3)))
                            : new Step.Where(of(text.substring(start, end)), "", new JsonPath(List.of())));
        }

        /** Where the bracket closes that is in no quotes. */
        private int endOfFilter(int start) {
            char quote = 0;
            for (int index = start; index < text.length(); index++) {
                char letter = text.charAt(index);
                if (quote != 0) {
                    quote = letter == quote && text.charAt(index - 1) != '\\' ? 0 : quote;
                } else if (letter == '"' || letter == '\'') {
                    quote = letter;
                } else if (letter == ')') {
                    if (!text.startsWith(")]", index)) {
                        throw malformed("unclosed array");
                    }
                    return index;
                }
            }
            throw malformed("unterminated filter");
        }
    }
}
