package dev.kopf4j.persistence.diffbase;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.JsonLimits;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit;
import dev.kopf4j.persistence.conventions.EssencePruner;
import dev.kopf4j.persistence.conventions.PythonJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the diff-base in an annotation, as a JSON text that ends with a line break. The default storage.
 *
 * <p>Immutable.
 */
public final class AnnotationsDiffBaseStorage implements DiffBasePersistence {
    private final AnnotationRecords records;
    private final String key;
    private final EssenceBuilder essences;
    private final boolean compressed;
    private final UnreadableStateListener broken;

    /**
     * Makes a storage with these names and this record key; changes of the ignored fields do not count.
     *
     * @param compressed true to write compressed essences, which Kopf cannot read; both forms are read
     */
    public AnnotationsDiffBaseStorage(
            AnnotationKeys keys, String key, Collection<FieldPath> ignoredFields, boolean compressed) {
        this(keys, key, ignoredFields, compressed, UnreadableStateListener.LOGGED);
    }

    AnnotationsDiffBaseStorage(
            AnnotationKeys keys,
            String key,
            Collection<FieldPath> ignoredFields,
            boolean compressed,
            UnreadableStateListener broken) {
        this.records = new AnnotationRecords(keys, broken);
        this.key = key;
        this.essences = new EssenceBuilder(ignoredFields);
        this.compressed = compressed;
        this.broken = broken;
    }

    @Override
    public @Nullable ObjectNode fetch(ObjectNode body) {
        return records.read(key, body, (json, annotation) -> essence(json, annotation, body));
    }

    @Override
    public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
        List<String> own = records.names(key, body);
        return EssencePruner.withoutAnnotations(essences.build(body, extraFields), own::contains);
    }

    @Override
    public boolean purge(ObjectNode body, ObjectNode patch) {
        records.purge(key, body, patch);
        return true;
    }

    @Override
    public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        // The line break makes `kubectl get -o yaml` show the text in a block of its own, as it does kubectl's own
        // annotation.
        ObjectNode stored = compressed ? CompressedEssence.pack(essence) : essence;
        records.write(key, PythonJson.line(stored), body, patch);
    }

    @Override
    public @Nullable String whyNotStorable(ObjectNode body, ObjectNode essence) {
        if (!compressed && AnnotationSizeLimit.hasAmpleRoom(body, records.names(key, body), essence)) {
            return null;
        }
        String unreadable = compressed ? CompressedEssence.whyNotReadable(Json.bytes(essence)) : null;
        if (unreadable != null) {
            return "K4-021: The last handled state of "
                    + ObjectReference.of(body).describe() + " cannot be compressed: " + unreadable
                    + ". Leave out what no handler needs by ignoredFields.";
        }
        ObjectNode patch = Json.object();
        store(body, patch, essence);
        return AnnotationSizeLimit.problem(body, patch, essence);
    }

    @Override
    public long unpackedBytes(ObjectNode body) {
        JsonNode annotations = body.path("metadata").path("annotations");
        long most = 0;
        for (String name : records.names(key, body)) {
            most = Math.max(
                    most, CompressedEssence.treeBytes(annotations.path(name).asString("")));
        }
        return most;
    }

    /** Compares the texts: the stored one need not be read. */
    @Override
    public boolean holds(ObjectNode body, ObjectNode essence) {
        JsonNode stored = compressed ? null : records.preferred(key, body).resolve(body);
        return stored != null && stored.isString() && PythonJson.isLine(stored.stringValue(), essence);
    }

    /** Looks at the preferred annotation, because that one is read. */
    @Override
    public boolean hasStored(ObjectNode patch, ObjectNode body) {
        FieldPath annotation = records.preferred(key, body);
        JsonNode stored = annotation.resolve(patch);
        return stored != null && stored.equals(annotation.resolve(body));
    }

    private @Nullable ObjectNode essence(JsonNode json, String annotation, ObjectNode body) {
        try {
            JsonNode unpacked = json instanceof ObjectNode stored && CompressedEssence.isPacked(stored)
                    ? CompressedEssence.unpack(stored)
                    : json;
            if (unpacked instanceof ObjectNode essence) {
                return essence;
            }
            broken.foundUnreadable(body, "annotation " + annotation, "expected a JSON object");
        } catch (JsonConversionException e) {
            broken.foundUnreadable(body, "annotation " + annotation, String.valueOf(e.getMessage()));
        }
        return null;
    }

    /**
     * Packs the essences of large objects into less text: {@code {"kopf4j-gzip":"<base64>"}}. That is still a JSON
     * object: an operator that does not know the form takes it for another state, not for garbage. Pure.
     */
    private static final class CompressedEssence {
        private static final String KEY = "kopf4j-gzip";

        /** API servers take as much of a client at most, and an essence is a part of an object. */
        private static final int BYTES_MAX = 3 * 1024 * 1024;

        /** Objects that fit into etcd take less, unless they are little else than brackets. */
        private static final int TREE_BYTES_MAX = 32 * 1024 * 1024;

        /** How texts begin that may be packed: the key may be spelt with escapes. */
        private static final Pattern BEGIN = Pattern.compile("\\s*+\\{\\s*+\"[k\\\\]");

        private CompressedEssence() {}

        static ObjectNode pack(ObjectNode essence) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(Json.bytes(essence));
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory has failed", e);
            }
            return Json.object().put(KEY, Base64.getEncoder().encodeToString(packed.toByteArray()));
        }

        static boolean isPacked(ObjectNode stored) {
            return stored.size() == 1 && stored.path(KEY).isString();
        }

        /**
         * Why no essence of this text is read, as whoever may change an object could fill the memory; null if it is.
         */
        static @Nullable String whyNotReadable(byte[] text) {
            if (text.length > BYTES_MAX) {
                return "more than " + BYTES_MAX + " bytes are packed in it";
            }
            return JsonLimits.treeBytes(text) > TREE_BYTES_MAX
                    ? "what is packed in it would take more than " + TREE_BYTES_MAX + " bytes of memory"
                    : null;
        }

        /**
         * The essence.
         *
         * @throws JsonConversionException if it cannot be unpacked
         */
        static JsonNode unpack(ObjectNode stored) {
            return Json.parse(text(stored));
        }

        /** About how many bytes of memory the tree takes that is packed in an annotation; 0 if none can be read. */
        static long treeBytes(String annotation) {
            if (!BEGIN.matcher(annotation).lookingAt()) {
                return 0;
            }
            try {
                return Json.parse(annotation) instanceof ObjectNode stored && isPacked(stored)
                        ? JsonLimits.treeBytes(text(stored))
                        : 0;
            } catch (JsonConversionException e) {
                return 0;
            }
        }

        private static byte[] text(ObjectNode stored) {
            try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(
                    Base64.getDecoder().decode(stored.path(KEY).stringValue().getBytes(US_ASCII))))) {
                byte[] text = gzip.readNBytes(BYTES_MAX + 1);
                String problem = whyNotReadable(text);
                if (problem != null) {
                    throw new JsonConversionException(problem, null);
                }
                return text;
            } catch (IOException | IllegalArgumentException e) {
                throw new JsonConversionException("it cannot be unpacked: " + e.getMessage(), e);
            }
        }
    }
}
