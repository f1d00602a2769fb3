package dev.kopf4j.devcluster.selector;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Comparisons of fields with texts, all of which must hold; {@code pkg/fields/selector.go} of apimachinery, v1.33.
 * Immutable.
 */
public record FieldSelector(List<Term> terms) {
    private static final Pattern SUPPORTED = Pattern.compile("([^=@]+)(?:=([^@]*))?(?:@(.+))?");

    /** Matches everything. */
    public static final FieldSelector ALL = new FieldSelector(List.of());

    /**
     * One comparison.
     *
     * @param absent what a missing field is compared as: the value that it has by itself
     */
    public record Term(String field, boolean equal, String value, String absent) {}

    /** True if it matches everything. */
    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** True if an object fits. */
    public boolean matches(JsonNode object) {
        return terms.stream().allMatch(term -> text(object, term).equals(term.value()) == term.equal());
    }

    private static String text(JsonNode object, Term term) {
        JsonNode found = Json.at(object, term.field().split("\\.", -1));
        if (found.isObject()) { // the source of an event is that of its component
            String component = Json.string(found, "component");
            return component.isEmpty() ? Json.string(object, "reportingComponent") : component;
        }
        return found.isValueNode() && !found.isNull() ? found.asString() : term.absent();
    }

    /**
     * Reads {@code a=b,c!=d}.
     *
     * @param supported the fields that the resource can be selected by, each as {@code NAME}, or {@code NAME=ABSENT} if
     *     a missing one is compared as that ({@code ToSelectableFields} of the kind in {@code pkg/registry} of
     *     Kubernetes, v1.33), and with {@code @PATH} at its end if the field is at another path
     * @throws ApiException 400 if the text is no selector, or names another field
     */
    public static FieldSelector parse(String text, Set<String> supported) {
        if (text.isEmpty()) {
            return ALL;
        }
        List<Term> terms = new ArrayList<>();
        for (String part : split(text)) {
            if (!part.isEmpty()) {
                terms.add(term(text, part, supported));
            }
        }
        return new FieldSelector(terms);
    }

    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int index = 0; index < text.length(); index++) {
            char letter = text.charAt(index);
            if (letter == '\\') {
                index++;
            } else if (letter == ',') {
                parts.add(text.substring(start, index));
                start = index + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static Term term(String whole, String part, Set<String> supported) {
        int equals = part.indexOf('=');
        if (equals < 0) {
            throw ApiException.badRequest("invalid selector: '" + whole + "'; can't understand '" + part + "'");
        }
        boolean not = equals > 0 && part.charAt(equals - 1) == '!';
        boolean twice = !not && part.startsWith("==", equals);
        String field = part.substring(0, not ? equals - 1 : equals);
        String value = unescape(part.substring(equals + (twice ? 2 : 1)));
        for (String known : supported) {
            Matcher words = SUPPORTED.matcher(known);
            if (words.matches() && words.group(1).equals(field)) {
                String path = words.group(3);
                String absent = words.group(2);
                return new Term(path == null ? field : path, !not, value, absent == null ? "" : absent);
            }
        }
        throw ApiException.badRequest("field label not supported: " + field);
    }

    private static String unescape(String value) {
        StringBuilder plain = new StringBuilder();
        for (int index = 0; index < value.length(); index++) {
            char letter = value.charAt(index);
            if (letter == '\\') {
                index++;
                String escaped = value.substring(index, Math.min(index + 1, value.length()));
                if (escaped.isEmpty() || "\\,=".indexOf(escaped.charAt(0)) < 0) {
                    throw ApiException.badRequest("invalid field selector: invalid escape sequence: \\" + escaped);
                }
                plain.append(escaped);
            } else if (letter == ',' || letter == '=') {
                throw ApiException.badRequest("invalid field selector: unescaped character in value: " + (int) letter);
            } else {
                plain.append(letter);
            }
        }
        return plain.toString();
    }
}
