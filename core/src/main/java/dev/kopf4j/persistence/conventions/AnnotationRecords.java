package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ObjectReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Keeps JSON texts in annotations: each record under the newer and the older name, and with the marker of a Kopf-like
 * operator. Thread-safe.
 */
public final class AnnotationRecords {
    /** There are few handlers, but sub-handlers may have any ids. */
    private static final int REMEMBERED_MAX = 1000;

    /** Whoever may change an object may name sub-handlers in its records, with ids of any length. */
    private static final int REMEMBERED_KEY_LENGTH_MAX = 200;

    private final AnnotationKeys keys;
    private final UnreadableStateListener broken;
    private final Map<String, Places> remembered = new ConcurrentHashMap<>();

    /**
     * The places of a record, the preferred one first.
     *
     * @param names the names of the annotations
     * @param fields the paths of the annotations
     */
    private record Places(List<String> names, List<FieldPath> fields) {
        Places(List<String> names) {
            this(names, names.stream().map(AnnotationKeys::field).toList());
        }
    }

    public AnnotationRecords(AnnotationKeys keys, UnreadableStateListener broken) {
        this.keys = keys;
        this.broken = broken;
    }

    public AnnotationKeys keys() {
        return keys;
    }

    /**
     * Returns the first record that exists and can be read; the decoder gets its JSON and the name of its annotation.
     */
    public <T> @Nullable T read(String key, ObjectNode body, BiFunction<JsonNode, String, @Nullable T> decoder) {
        Places places = places(key, body);
        for (int i = 0; i < places.names().size(); i++) {
            String annotation = places.names().get(i);
            JsonNode json = parse(annotation, places.fields().get(i), body);
            T decoded = json == null || json.isNull() ? null : decoder.apply(json, annotation);
            if (decoded != null) {
                return decoded;
            }
        }
        return null;
    }

    public void write(String key, String text, ObjectNode body, ObjectNode patch) {
        for (FieldPath field : places(key, body).fields()) {
            field.ensure(patch, StringNode.valueOf(text));
        }
        OperatorMarker.store(keys.prefix(), body, patch);
    }

    public void purge(String key, ObjectNode body, ObjectNode patch) {
        for (FieldPath field : places(key, body).fields()) {
            purge(field, body, patch);
        }
    }

    public void touch(String key, ObjectNode body, ObjectNode patch, @Nullable String value) {
        for (FieldPath field : places(key, body).fields()) {
            if (touch(field, body, patch, value)) {
                OperatorMarker.store(keys.prefix(), body, patch);
            }
        }
    }

    /** Deletes a field: sets it to null in the patch if the object has it, or else takes it out of the patch. */
    public static void purge(FieldPath field, ObjectNode body, ObjectNode patch) {
        if (field.isPresentIn(body)) {
            field.ensure(patch, NullNode.getInstance());
        } else if (field.isPresentIn(patch)) {
            field.remove(patch);
        }
    }

    /** Patches the field if the object has another value; returns whether it did. */
    public static boolean touch(FieldPath field, ObjectNode body, ObjectNode patch, @Nullable String value) {
        JsonNode present = field.resolve(body);
        if (Objects.equals(value, present == null ? null : present.asString(""))) {
            return false;
        }
        field.ensure(patch, value == null ? NullNode.getInstance() : StringNode.valueOf(value));
        return true;
    }

    /** Returns the path of the preferred record. */
    public FieldPath preferred(String key, ObjectNode body) {
        return places(key, body).fields().getFirst();
    }

    /** Returns the annotations of a key. */
    public List<String> names(String key, ObjectNode body) {
        return places(key, body).names();
    }

    private Places places(String key, ObjectNode body) {
        String marked = AnnotationKeys.marked(key, body);
        Places known = remembered.get(marked);
        if (known != null) {
            return known;
        }
        Places made = new Places(keys.keys(key, body));
        if (marked.length() <= REMEMBERED_KEY_LENGTH_MAX) {
            if (remembered.size() >= REMEMBERED_MAX) {
                // Those that are in use come back at once, and those that somebody has made up do not.
                remembered.clear();
            }
            remembered.put(marked, made);
        }
        return made;
    }

    private @Nullable JsonNode parse(String annotation, FieldPath field, ObjectNode body) {
        JsonNode text = field.resolve(body);
        if (text == null) {
            return null;
        }
        try {
            return Json.parse(text.asString(""));
        } catch (JsonConversionException e) {
            broken.foundUnreadable(body, "annotation " + annotation, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /**
     * Marks the annotations of Kopf-like operators for each other. If each of two operators took the other's
     * annotations for a change of the object, both would react for ever. Pure.
     */
    public static final class OperatorMarker {
        private static final String NAME = "kopf-managed";
        private static final String KNOWN_DOMAIN = AnnotationKeys.DEFAULT_PREFIX;

        private OperatorMarker() {}

        /** Returns all prefixes that belong to such operators, found by the marker or by Kopf's domain. */
        public static Set<String> markedPrefixes(JsonNode annotations) {
            Set<String> prefixes = new HashSet<>();
            String last = "";
            for (String annotation : annotations.propertyNames()) {
                int slash = annotation.indexOf('/');
                boolean known = slash > 0 && slash == last.length() && annotation.startsWith(last);
                if (slash >= 0 && !known && isMarked(annotation, slash)) {
                    last = annotation.substring(0, slash);
                    prefixes.add(last);
                }
            }
            return prefixes;
        }

        /**
         * Adds the marker to the patch, once. Kopf's own prefix needs none. Kopf spares all that begin with
         * {@code kopf.}, which nobody knows then: so two operators would nest the state of each other without end.
         */
        public static void store(String prefix, JsonNode body, ObjectNode patch) {
            if (prefix.equals(KNOWN_DOMAIN)) {
                return;
            }
            FieldPath field = AnnotationKeys.field(prefix + "/" + NAME);
            if (!field.isPresentIn(body) && !field.isPresentIn(patch)) {
                field.ensure(patch, StringNode.valueOf("yes"));
            }
        }

        /** Looks at the annotation in its place: this is asked for each of them in each state. */
        private static boolean isMarked(String annotation, int slash) {
            int domain = slash - KNOWN_DOMAIN.length();
            boolean known = annotation.startsWith(KNOWN_DOMAIN, domain)
                    && (domain == 0 || annotation.charAt(domain - 1) == '.');
            return known || (annotation.length() == slash + 1 + NAME.length() && annotation.endsWith(NAME));
        }
    }

    /** Is told of stored state that cannot be read, most likely because somebody edited it. Thread-safe. */
    public interface UnreadableStateListener {
        /** Writes a warning to the log. */
        UnreadableStateListener LOGGED = (body, place, problem) -> {
            String object = ObjectReference.of(body).describe();
            LoggerFactory.getLogger("kopf4j.objects")
                    .atWarn()
                    .addKeyValue("object", object)
                    .log("Stored state in {} of {} cannot be read, and is ignored: {}", place, object, problem);
        };

        /**
         * State cannot be read.
         *
         * @param body the object
         * @param place the annotation or field
         * @param problem what is wrong
         */
        void foundUnreadable(JsonNode body, String place, String problem);
    }
}
