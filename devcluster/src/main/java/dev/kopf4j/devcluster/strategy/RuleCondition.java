package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Conditions of rules: {@link RuleTable} explains them. Pure. */
final class RuleCondition {
    private static final Pattern TERM =
            Pattern.compile("(!?)([~#]?)((?:[-\\w./^@]|\\[]|\\{[^}]*})+?)(\\*|(\\?|:|=~|==|!=|<=|>=|=|<|>)(.*))?");

    private static final Pattern VALUE = Pattern.compile("\\{((?:[\\w./^@]|\\{[^}]*})+)}");

    /** What is written. */
    private static final Map<String, Predicate<Place>> WRITTEN = Map.of(
            "new", place -> place.draft().isNew(),
            "update", place -> !place.draft().isNew(),
            "status", place -> place.draft().isStatus(),
            "!status", place -> !place.draft().isStatus());

    private RuleCondition() {}

    /** Reads terms that hold together, or in alternatives. */
    static Predicate<Place> of(String text) {
        Predicate<Place> any = place -> false;
        for (String alternative : text.split(" or ", -1)) {
            Predicate<Place> all = place -> true;
            for (String term : alternative.strip().split(" +", -1)) {
                all = all.and(term(term));
            }
            any = any.or(all);
        }
        return any;
    }

    private static Predicate<Place> term(String term) {
        Predicate<Place> written = WRITTEN.get(term);
        if (written != null) {
            return written;
        }
        Matcher parts = TERM.matcher(term);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no condition: " + term);
        }
        Predicate<Place> predicate = predicate(parts);
        return parts.group(1).isEmpty() ? predicate : predicate.negate();
    }

    private static Predicate<Place> predicate(Matcher parts) {
        String path = parts.group(3);
        Function<Place, JsonNode> value = value(path);
        if (parts.group(2).equals("~")) {
            Function<Place, JsonNode> former = value("old/" + path);
            return place -> !JsonEquality.same(value.apply(place), former.apply(place));
        }
        if (parts.group(4) == null) {
            return place -> !isZero(value.apply(place));
        }
        if (parts.group(5) == null) {
            return place -> isPresent(value.apply(place));
        }
        boolean size = parts.group(2).equals("#");
        String right = parts.group(6);
        List<String> words = Arrays.asList(right.split("\\|", -1));
        return switch (parts.group(5)) {
            case "=" ->
                size ? compared(path, true, right, (one, other) -> one == other) : any(path, place -> words::contains);
            case "?" -> {
                Function<Place, String> what = text(right);
                yield place -> contains(value.apply(place), what.apply(place));
            }
            case ":" -> place -> isOf(right, value.apply(place));
            case "!=" -> any(path, place -> words::contains).negate();
            case "==" -> {
                Function<Place, String> other = text(right);
                yield any(path, place -> other.apply(place)::equals);
            }
            case "=~" -> {
                Predicate<String> pattern = Pattern.compile(right).asMatchPredicate();
                yield any(path, place -> pattern);
            }
            case "<" -> compared(path, size, right, (one, other) -> one < other);
            case ">" -> compared(path, size, right, (one, other) -> one > other);
            case "<=" -> compared(path, size, right, (one, other) -> one <= other);
            default -> compared(path, size, right, (one, other) -> one >= other);
        };
    }

    /** Whether a text fits, or one of those that elements of a list have in a field: {@code LIST[].FIELD}. */
    private static Predicate<Place> any(String path, Function<Place, Predicate<String>> fitting) {
        int end = path.indexOf("[]");
        Function<Place, JsonNode> found = value(end < 0 ? path : path.substring(0, end));
        if (end < 0) {
            return place -> fitting.apply(place).test(found.apply(place).asString(""));
        }
        String field = path.substring(end + 3);
        return place -> {
            Predicate<String> fits = fitting.apply(place);
            return found.apply(place)
                    .valueStream()
                    .anyMatch(each -> fits.test(each.path(field).asString("")));
        };
    }

    /** Reads a text, in which paths in braces stand for the values there. */
    static Function<Place, String> text(String form) {
        Function<Place, String> text = place -> "";
        Matcher paths = VALUE.matcher(form);
        int end = 0;
        while (paths.find()) {
            Function<Place, String> before = text;
            String between = form.substring(end, paths.start());
            Function<Place, JsonNode> value = value(paths.group(1));
            text = place -> before.apply(place) + between + value.apply(place).asString("");
            end = paths.end();
        }
        if (end == 0) {
            return place -> form;
        }
        Function<Place, String> before = text;
        String rest = form.substring(end);
        return place -> before.apply(place) + rest;
    }

    /** How two numbers have to be to each other. */
    @FunctionalInterface
    private interface Comparison {
        boolean holds(long one, long other);
    }

    private static Predicate<Place> compared(String path, boolean size, String right, Comparison comparison) {
        ToLongFunction<Place> one = number(path, size);
        ToLongFunction<Place> other = number(right, right.startsWith("#"));
        return place -> comparison.holds(one.applyAsLong(place), other.applyAsLong(place));
    }

    /** Reads a number, or a path to one, to a time, or to what has a size. */
    static ToLongFunction<Place> number(String path, boolean size) {
        if (!size && path.matches("-?[0-9]+")) {
            long constant = Long.parseLong(path);
            return place -> constant;
        }
        Function<Place, JsonNode> found = value(path.replace("#", ""));
        if (size) {
            return place -> found.apply(place).size();
        }
        return place -> {
            JsonNode value = found.apply(place);
            return value.isString() ? time(value.stringValue()) : value.longValue(0);
        };
    }

    private static long time(String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException e) {
            return 0; // a text that is no time is compared as what is missing
        }
    }

    /** Whether a map has a key, a list of texts a text, a list of conditions a true one of a type. */
    private static boolean contains(JsonNode value, String what) {
        return value.isObject()
                ? value.has(what)
                : value.valueStream()
                        .anyMatch(each -> each.isObject()
                                ? Json.string(each, "type").equals(what)
                                        && Json.string(each, "status").equals("True")
                                : each.asString("").equals(what));
    }

    private static boolean isOf(String form, JsonNode value) {
        return switch (form) {
            case "number" -> value.isNumber();
            case "string" -> value.isString();
            case "object" -> value.isObject();
            case "selector" -> LabelSelectorValidation.check(value, "", new FieldChecks());
            case "dual" ->
                value.valueStream()
                                .map(range -> range.asString().contains(":"))
                                .distinct()
                                .count()
                        == value.size();
            case "certificate" -> pem(value.asString("")).contains("-----BEGIN CERTIFICATE-----");
            default -> throw new IllegalArgumentException("no form " + form);
        };
    }

    private static String pem(String encoded) {
        try {
            return new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return ""; // the decoder has refused what is not base64
        }
    }

    private static boolean isPresent(JsonNode value) {
        return !value.isMissingNode() && !value.isNull();
    }

    /** Whether a value is none, or the one that fields have by themselves: 0, false, an empty text or list. */
    static boolean isZero(JsonNode value) {
        return !isPresent(value)
                || (value.isArray() && value.isEmpty())
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isBoolean() && !value.booleanValue())
                || (value.isNumber() && value.decimalValue().signum() == 0);
    }

    /**
     * Reads a path, and finds the value there from a place on: {@code /} begins at the object, {@code ^} one level
     * above, {@code old/} is former, {@code /subresource} the endpoint.
     */
    static Function<Place, JsonNode> value(String path) {
        if (path.equals("/subresource")) {
            return place -> JsonNodeFactory.instance.stringNode(place.draft().subresource());
        }
        boolean former = path.startsWith("old/");
        String relative = former ? path.substring(4) : path;
        String below = relative.replaceFirst("\\^+", "");
        String above = relative.substring(0, relative.length() - below.length());
        boolean absolute = below.startsWith("/");
        String rest = absolute ? below.substring(1) : below;
        if (rest.equals("@")) {
            return place -> JsonNodeFactory.instance.stringNode(up(place, above).name());
        }
        List<String> fields = RuleTable.steps(rest).stream()
                .map(step -> step.startsWith("{") ? step.substring(1, step.length() - 1) : step)
                .toList();
        return place -> {
            Place from = absolute ? place.root() : up(place, above);
            JsonNode value = former ? from.before() : from.now();
            for (String field : fields) {
                value = value.path(field);
            }
            return value;
        };
    }

    /** One level above a place for each {@code ^} at the beginning of a path. */
    static Place up(Place place, String path) {
        return path.startsWith("^") ? up(place.parent(), path.substring(1)) : place;
    }
}
