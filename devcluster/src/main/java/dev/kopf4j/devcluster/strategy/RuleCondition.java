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
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Conditions of rules: {@link RuleTable} explains them. Pure. */
final class RuleCondition {
    private static final Pattern TERM = Pattern.compile("(!?)([~#]?)([-\\w./^]+?)(\\*|(\\?|:|=~|!=|<=|>=|=|<|>)(.*))?");

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
        boolean size = parts.group(2).equals("#");
        if (parts.group(2).equals("~")) {
            return place -> !JsonEquality.same(value(place, path), value(place, "old/" + path));
        }
        if (parts.group(4) == null) {
            return place -> !isZero(value(place, path));
        }
        if (parts.group(5) == null) {
            return place -> isPresent(value(place, path));
        }
        String right = parts.group(6);
        List<String> words = Arrays.asList(right.split("\\|", -1));
        return switch (parts.group(5)) {
            case "=" ->
                place -> size
                        ? number(place, path, true) == number(place, right, right.startsWith("#"))
                        : words.contains(value(place, path).asString(""));
            case "?" -> place -> contains(value(place, path), right);
            case ":" -> place -> isOf(right, value(place, path));
            case "!=" -> place -> !words.contains(value(place, path).asString(""));
            case "=~" -> {
                Predicate<String> pattern = Pattern.compile(right).asMatchPredicate();
                yield place -> pattern.test(value(place, path).asString(""));
            }
            case "<" -> place -> number(place, path, size) < number(place, right, right.startsWith("#"));
            case ">" -> place -> number(place, path, size) > number(place, right, right.startsWith("#"));
            case "<=" -> place -> number(place, path, size) <= number(place, right, right.startsWith("#"));
            default -> place -> number(place, path, size) >= number(place, right, right.startsWith("#"));
        };
    }

    static long number(Place place, String path, boolean size) {
        if (!size && path.matches("-?[0-9]+")) {
            return Long.parseLong(path);
        }
        JsonNode value = value(place, path.replace("#", ""));
        if (size) {
            return value.size();
        }
        return value.isString() ? time(value.stringValue()) : value.longValue(0);
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
     * The value at a path from a place: {@code /} begins at the object, {@code ^} one level above, {@code old/} is
     * former, {@code /subresource} the endpoint.
     */
    static JsonNode value(Place place, String path) {
        if (path.equals("/subresource")) {
            return JsonNodeFactory.instance.stringNode(place.draft().subresource());
        }
        boolean former = path.startsWith("old/");
        String rest = former ? path.substring(4) : path;
        Place from = up(place, rest);
        rest = rest.replaceFirst("\\^+", "");
        if (rest.startsWith("/")) {
            from = from.root();
            rest = rest.substring(1);
        }
        JsonNode value = former ? from.before() : from.now();
        return rest.equals(".") || rest.isEmpty()
                ? value
                : Stream.of(rest.split("\\.", -1)).reduce(value, JsonNode::path, (one, other) -> other);
    }

    /** One level above a place for each {@code ^} at the beginning of a path. */
    static Place up(Place place, String path) {
        return path.startsWith("^") ? up(place.parent(), path.substring(1)) : place;
    }
}
