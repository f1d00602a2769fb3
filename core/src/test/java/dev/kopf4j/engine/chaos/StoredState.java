package dev.kopf4j.engine.chaos;

import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.progress.AnnotationsProgressStorage;
import dev.kopf4j.persistence.progress.MultiProgressStorage;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StatusProgressStorage;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads from the objects of a world what operators have stored on them. */
final class StoredState {
    static final String OWN_PREFIX = "kopf.zalando.org/";
    static final Finalizer FINALIZER = new Finalizer("kopf.zalando.org/KopfFinalizerMarker");
    static final String BASE = "kopf.zalando.org/last-handled-configuration";
    private static final MultiProgressStorage PROGRESS = MultiProgressStorage.smart(
            new AnnotationsProgressStorage(new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", false),
            new StatusProgressStorage(FieldPath.parse("status.kopf.progress"), FieldPath.parse("status.kopf.dummy")));
    private static final CauseDetector DETECTOR = new CauseDetector(
            new AnnotationsDiffBaseStorage(
                    new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), false),
            PROGRESS,
            FINALIZER,
            UnaryOperator.identity());

    private static final Pattern UID = Pattern.compile("uid-[0-9]+");

    private StoredState() {}

    static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.get("metadata");
    }

    static String name(ObjectNode object) {
        return metadata(object).path("name").asString("");
    }

    static String uid(ObjectNode object) {
        return metadata(object).path("uid").asString("");
    }

    static String version(ObjectNode object) {
        return metadata(object).path("resourceVersion").asString("");
    }

    static boolean isDeleting(ObjectNode object) {
        return metadata(object).has("deletionTimestamp");
    }

    static ArrayNode finalizers(ObjectNode object) {
        return metadata(object).path("finalizers") instanceof ArrayNode list
                ? list
                : Json.mapper().createArrayNode();
    }

    static String label(ObjectNode object, String key) {
        return metadata(object).path("labels").path(key).asString("");
    }

    /** The stored state that was handled last; null if there is none. */
    static @Nullable String base(JsonNode object) {
        JsonNode text = object.path("metadata").path("annotations").get(BASE);
        return text == null ? null : text.asString("").strip();
    }

    /** The stored progress of a handler that has come to its end. */
    static boolean isRecordedAsFinished(String handler, ObjectNode object) {
        ProgressRecord record = PROGRESS.fetch(handler, object);
        return record != null && (record.success() || record.failure());
    }

    static boolean hasProgress(ObjectNode object) {
        return ownAnnotations(object).anyMatch(key -> !key.equals(BASE));
    }

    /** The same, but for records of sub-handlers. */
    static boolean hasProgressOfHandlers(ObjectNode object) {
        return ownAnnotations(object).anyMatch(key -> !key.equals(BASE) && !key.contains("_parent."));
    }

    private static Stream<String> ownAnnotations(ObjectNode object) {
        return metadata(object)
                .path("annotations")
                .propertyStream()
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith(OWN_PREFIX));
    }

    static Change change(ObjectNode object) {
        return DETECTOR.change(object, List.of());
    }

    /** The uids that handlers have written to the object: of those for which they were called. */
    static List<String> namedUids(ObjectNode object) {
        String written = label(object, "seen") + " " + object.path("status") + " "
                + object.path("spec").path("items");
        return UID.matcher(written).results().map(MatchResult::group).toList();
    }

    /** Everything that operators leave on an object. */
    static boolean hasTrace(ObjectNode object) {
        return FINALIZER.isOn(object) || ownAnnotations(object).findAny().isPresent();
    }
}
