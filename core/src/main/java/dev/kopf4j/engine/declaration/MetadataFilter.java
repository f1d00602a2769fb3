package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A condition on one label or annotation. Immutable. */
public sealed interface MetadataFilter {
    /** The key of the label or annotation. */
    String key();

    /**
     * True if the labels or annotations satisfy the condition.
     *
     * @param context what callbacks may ask for; made only if they are called
     */
    boolean matches(Map<String, String> content, Supplier<HandlerContext> context);

    /** The condition in Kubernetes' selector syntax; in words if it is a test in code. */
    default String toSelector() {
        return switch (this) {
            case Present present -> present.key();
            case Absent absent -> "!" + absent.key();
            case In in
            when in.values().size() == 1 ->
                in.key() + "=" + in.values().iterator().next();
            case In in -> in.key() + " in " + list(in.values());
            case NotIn not
            when not.values().size() == 1 ->
                not.key() + "!=" + not.values().iterator().next();
            case NotIn not -> not.key() + " notin " + list(not.values());
            case Callback callback -> callback.key() + " as a test in code says";
        };
    }

    private static String list(Set<String> values) {
        return values.stream().sorted().collect(Collectors.joining(",", "(", ")"));
    }

    /**
     * Reads Kubernetes' selector syntax: {@code =}, {@code ==}, {@code !=}, {@code in (..)}, {@code notin (..)},
     * {@code key}, {@code !key}, joined by commas.
     *
     * @throws HandlerDeclarationException if it is malformed, with the position
     * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/">labels and selectors</a>
     */
    static List<MetadataFilter> parseSelector(String selector) {
        return new LabelSelectorParser(selector).parse();
    }

    /**
     * Reads {@code key=value}, {@code key} or {@code !key}; everything behind the first {@code =} is the value.
     *
     * @throws HandlerDeclarationException if no annotation can have the key
     */
    static MetadataFilter parseAnnotation(String filter) {
        int equals = filter.indexOf('=');
        String key = equals < 0 ? filter : filter.substring(0, equals);
        if (key.isBlank() || key.equals("!")) {
            throw new HandlerDeclarationException("annotation filter '" + filter
                    + "' has no key; write \"key=value\", \"key\" for present, or \"!key\" for absent");
        }
        boolean absent = equals < 0 && key.startsWith("!");
        String name = absent ? key.substring(1) : key;
        if (!isKey(name)) {
            throw new HandlerDeclarationException("annotation filter '" + filter + "': no annotation can have the key '"
                    + name + "'. Annotations have no selectors as labels have: write a filter for each of them, as in"
                    + " annotations(\"key=value\", \"!other\"), or a test in code");
        }
        if (equals >= 0) {
            return new In(name, Set.of(filter.substring(equals + 1)));
        }
        return absent ? new Absent(name) : new Present(name);
    }

    /**
     * True if labels and annotations can have the key: a name of up to 63 characters, behind an optional prefix.
     *
     * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/">annotations</a>
     */
    static boolean isKey(String key) {
        return KeySyntax.PATTERN.matcher(key).matches();
    }

    /** What keys look like. */
    final class KeySyntax {
        private static final Pattern PATTERN =
                Pattern.compile("(?:(?=.{1,253}/)[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?/)?"
                        + "(?=.{1,63}$)[A-Za-z0-9](?:[-._A-Za-z0-9]*[A-Za-z0-9])?");

        private KeySyntax() {}
    }

    /**
     * It is there.
     *
     * @param key the key
     */
    record Present(String key) implements MetadataFilter {
        @Override
        public boolean matches(Map<String, String> content, Supplier<HandlerContext> context) {
            return content.containsKey(key);
        }
    }

    /**
     * It is not there.
     *
     * @param key the key
     */
    record Absent(String key) implements MetadataFilter {
        @Override
        public boolean matches(Map<String, String> content, Supplier<HandlerContext> context) {
            return !content.containsKey(key);
        }
    }

    /**
     * It is there with one of these values.
     *
     * @param key the key
     * @param values the values
     */
    record In(String key, Set<String> values) implements MetadataFilter {
        /** One of these values. */
        public In {
            values = Set.copyOf(values);
        }

        @Override
        public boolean matches(Map<String, String> content, Supplier<HandlerContext> context) {
            String value = content.get(key);
            return value != null && values.contains(value);
        }
    }

    /**
     * It has none of these values, or is not there.
     *
     * @param key the key
     * @param values the values
     */
    record NotIn(String key, Set<String> values) implements MetadataFilter {
        /** None of these values. */
        public NotIn {
            values = Set.copyOf(values);
        }

        @Override
        public boolean matches(Map<String, String> content, Supplier<HandlerContext> context) {
            String value = content.get(key);
            return value == null || !values.contains(value);
        }
    }

    /**
     * Its value passes a test.
     *
     * @param key the key
     * @param test called with the value, null if it is not there, and the context of the handler
     */
    record Callback(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test)
            implements MetadataFilter {
        @Override
        public boolean matches(Map<String, String> content, Supplier<HandlerContext> context) {
            return test.test(content.get(key), context.get());
        }
    }
}
