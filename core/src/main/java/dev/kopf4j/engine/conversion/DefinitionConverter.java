package dev.kopf4j.engine.conversion;

import dev.kopf4j.View;
import dev.kopf4j.engine.conversion.DefinitionConverter.ConversionFailure;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.text.TextShortener;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts the objects of one definition from version to version. Thread-safe. */
final class DefinitionConverter {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.conversion");

    /** Keys of maps are fields, too, and there may be any number of them. */
    private static final int TOLD_MAX = 100;

    private static final int TOLD_LENGTH_MAX = 300;

    private final String definition;
    private final ConversionPaths paths;
    private final List<String> prefixes;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * A converter.
     *
     * @param definition the name of the definition
     * @param functions the functions of that definition
     * @param prefixes of the framework's own annotations
     */
    DefinitionConverter(String definition, List<ConversionFunction> functions, List<String> prefixes) {
        this.definition = definition;
        this.paths = ConversionPaths.of(functions);
        this.prefixes = List.copyOf(prefixes);
    }

    String group() {
        return definition.substring(definition.indexOf('.') + 1);
    }

    /**
     * The object in another version; the object itself if it is in that version.
     *
     * @param object stays as it is
     * @param version the version without its group
     */
    ObjectNode convert(ObjectNode object, String version) throws ConversionFailure, InterruptedException {
        String from = version(object);
        List<ConversionPaths.Step> way = paths.find(from, version)
                .orElseThrow(() -> new ConversionFailure(
                        "there is no conversion from " + from + " to " + version + "; the operator has " + paths));
        ObjectNode current = object;
        for (ConversionPaths.Step step : way) {
            current = converted(current, step);
        }
        return current;
    }

    private String version(ObjectNode object) throws ConversionFailure {
        String apiVersion = object.path("apiVersion").asString("");
        if (!apiVersion.startsWith(group() + "/")) {
            throw new ConversionFailure("apiVersion: '" + apiVersion + "' is none of " + definition);
        }
        return apiVersion.substring(group().length() + 1);
    }

    private ObjectNode converted(ObjectNode object, ConversionPaths.Step step)
            throws ConversionFailure, InterruptedException {
        BodyView body = new BodyView(object);
        ObjectNode next = object.deepCopy();
        for (ConversionFunction function : step.functions()) {
            PartConversion conversion = new PartConversion(function, path -> tellLost(function, path));
            if (function.part() == ConversionFunction.Part.BODY) {
                next = conversion.convert(body, object, body);
                restoreIdentity(object, next, step);
            } else if (object.hasNonNull(function.part().key())) {
                String key = function.part().key();
                next.set(key, conversion.convert(stanza(body, function.part()), mapping(object, key), body));
            }
        }
        next.put("apiVersion", group() + "/" + step.to());
        return next;
    }

    private static View stanza(BodyView body, ConversionFunction.Part part) {
        return part == ConversionFunction.Part.SPEC ? body.spec() : body.status();
    }

    private static ObjectNode mapping(ObjectNode object, String key) throws ConversionFailure {
        if (object.get(key) instanceof ObjectNode mapping) {
            return mapping;
        }
        throw new ConversionFailure(key + ": it is no mapping");
    }

    /** What nobody may change: which object it is. */
    private void restoreIdentity(ObjectNode original, ObjectNode converted, ConversionPaths.Step step)
            throws ConversionFailure {
        String apiVersion = converted.path("apiVersion").asString("");
        List<String> possible = List.of("", group() + "/" + step.from(), group() + "/" + step.to());
        if (!possible.contains(apiVersion)) {
            throw new ConversionFailure(
                    "apiVersion: it has become '" + apiVersion + "', but the conversion is one to " + step.to());
        }
        JsonNode kind = original.path("kind");
        if (!converted.hasNonNull("kind")) {
            converted.set("kind", kind);
        } else if (!converted.get("kind").equals(kind)) {
            throw new ConversionFailure("kind: it was '" + kind.asString("") + "' and has become '"
                    + converted.get("kind").asString("") + "', but a conversion may not change it");
        }
        ConvertedMetadata.restore(original, converted, prefixes);
    }

    /** Each loss is told once, as objects are converted again and again. Keys of maps may have any length. */
    private void tellLost(ConversionFunction function, String lost) {
        String path = TextShortener.middle(lost, TOLD_LENGTH_MAX);
        if (told.size() < TOLD_MAX && told.add(function.from() + ">" + function.to() + ":" + path)) {
            log.warn(
                    "The field {} is lost: {} does not know it, and what {} has returned has no place for it.",
                    path,
                    function.code().type().getTypeName(),
                    function);
        }
    }

    /** Why an object cannot be converted, as the client is told; the object itself is named by whoever knows it. */
    static final class ConversionFailure extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        ConversionFailure(String message) {
            this(message, null);
        }

        /** The same with what the user's code has thrown. */
        ConversionFailure(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * What a conversion may change of an object's metadata: labels and annotations, and nothing else. Whatever is
     * missing is restored; what differs is refused, where the API server says nothing. The framework's own annotations
     * stay in any case: without them handlers would be called again.
     *
     * @see <a
     *     href="https://github.com/kubernetes/kubernetes/blob/v1.33.0/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go">validateConvertedObject
     *     and restoreObjectMeta</a>
     * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/">syntax of labels</a>
     */
    static final class ConvertedMetadata {
        /** What children are known by. */
        private static final List<String> OWN = List.of("kopf4j.dev/");

        private static final List<String> IDENTITY = List.of("name", "namespace", "uid");

        /** The server's own account of who has written what: nobody means to change it. */
        private static final String MANAGED_FIELDS = "managedFields";

        private static final String WORD = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
        private static final Pattern KEY = Pattern.compile(
                "((?=.{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?" + WORD);
        private static final Pattern LABEL_VALUE = Pattern.compile("(" + WORD + ")?");
        private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

        private ConvertedMetadata() {}

        /**
         * Gives a converted object the metadata that it is to have.
         *
         * @param original the object before
         * @param converted the object after; changed
         * @param prefixes of the framework's own annotations
         * @throws ConversionFailure if the conversion has changed what it may not
         */
        static void restore(ObjectNode original, ObjectNode converted, List<String> prefixes) throws ConversionFailure {
            JsonNode given = converted.get("metadata");
            if (!(original.get("metadata") instanceof ObjectNode before)) {
                return;
            }
            if (given == null || given.isNull()) {
                converted.set("metadata", before.deepCopy());
                return;
            }
            if (!(given instanceof ObjectNode after)) {
                throw new ConversionFailure("metadata: it must be a mapping");
            }
            for (String field : IDENTITY) {
                if (before.hasNonNull(field) && !after.hasNonNull(field)) {
                    throw refusal(field, "it has been removed");
                }
            }
            for (Map.Entry<String, JsonNode> field : after.properties()) {
                if (!isFree(field.getKey())) {
                    checkSame(field.getKey(), before.get(field.getKey()), field.getValue());
                }
            }
            ObjectNode restored = before.deepCopy();
            take("labels", before, after, restored, OWN);
            List<String> kept = new ArrayList<>(OWN);
            prefixes.forEach(prefix -> kept.add(prefix + "/"));
            take("annotations", before, after, restored, kept);
            converted.set("metadata", restored);
        }

        private static boolean isFree(String field) {
            return field.equals("labels") || field.equals("annotations") || field.equals(MANAGED_FIELDS);
        }

        private static void checkSame(String field, @Nullable JsonNode before, JsonNode after)
                throws ConversionFailure {
            boolean nothing = before == null && after.isContainer() && after.isEmpty();
            if (!nothing && !JsonEquality.equal(before, after)) {
                throw refusal(
                        field,
                        after.isValueNode()
                                ? "it was " + shown(before) + " and has become " + shown(after)
                                : "it has been changed");
            }
        }

        private static String shown(@Nullable JsonNode value) {
            return value == null ? "absent" : "'" + value.asString("") + "'";
        }

        private static ConversionFailure refusal(String field, String what) {
            return new ConversionFailure("metadata." + field + ": " + what
                    + ", but of the metadata, a conversion may change labels and annotations" + " only");
        }

        /**
         * Takes what a conversion has made of labels or annotations: the API server looks at them again if they have
         * changed. If they are left out, they stay: the API server would take them all off, without a word.
         *
         * @param field {@code labels} or {@code annotations}
         * @param before the metadata before
         * @param after the metadata after
         * @param taken gets them
         * @param kept the beginnings of keys that stay in any case
         */
        private static void take(String field, ObjectNode before, ObjectNode after, ObjectNode taken, List<String> kept)
                throws ConversionFailure {
            if (!after.has(field)) {
                return;
            }
            ObjectNode made = made(field, after.get(field));
            if (before.get(field) instanceof ObjectNode old) {
                old.properties().stream()
                        .filter(entry -> kept.stream().anyMatch(entry.getKey()::startsWith))
                        .forEach(entry -> made.set(entry.getKey(), entry.getValue()));
            }
            if (!JsonEquality.equal(made, before.get(field))) {
                checkSyntax(field, made);
            }
            taken.remove(field);
            if (!made.isEmpty()) {
                taken.set(field, made);
            }
        }

        private static ObjectNode made(String field, @Nullable JsonNode given) throws ConversionFailure {
            if (given == null || given.isNull()) {
                return Json.object();
            }
            if (given instanceof ObjectNode object) {
                return object.deepCopy();
            }
            throw new ConversionFailure("metadata." + field + ": they must be a mapping of text to text");
        }

        private static void checkSyntax(String field, ObjectNode made) throws ConversionFailure {
            int bytes = 0;
            boolean labels = field.equals("labels");
            for (Map.Entry<String, JsonNode> entry : made.properties()) {
                String key = entry.getKey();
                String at = "metadata." + field + "[" + key + "]: ";
                if (!entry.getValue().isString()) {
                    throw new ConversionFailure(at + "the value must be text");
                }
                String value = entry.getValue().asString("");
                if (!KEY.matcher(labels ? key : key.toLowerCase(Locale.ROOT)).matches()) {
                    throw new ConversionFailure(
                            at + "the API server does not take such a key; see the syntax of labels");
                }
                if (labels && !LABEL_VALUE.matcher(value).matches()) {
                    throw new ConversionFailure(at + "the API server does not take the value '" + value
                            + "'; labels have at most 63 letters, digits, '-', '_' and '.'");
                }
                bytes += key.getBytes(StandardCharsets.UTF_8).length + value.getBytes(StandardCharsets.UTF_8).length;
            }
            if (!labels && bytes > ANNOTATIONS_BYTES_MAX) {
                throw new ConversionFailure("metadata.annotations: they have " + bytes + " bytes; the API server takes "
                        + ANNOTATIONS_BYTES_MAX);
            }
        }
    }
}
