package dev.kopf4j.cli.maintenance;

import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit;
import dev.kopf4j.text.DurationText;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks for what may be wrong with an object. Pure.
 *
 * @param traces what the operator leaves on objects
 * @param interventions what people ask of objects
 * @param handlers the records that its handlers may have
 * @param now the time
 * @param patience how long a deletion may take
 */
record ObjectExamination(
        OperatorTraces traces, Interventions interventions, KnownRecords handlers, Instant now, Duration patience) {
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String LAST_HANDLED = "last-handled-configuration";
    private static final int MANY_ATTEMPTS = 10;
    private static final int MESSAGE_MAX = 500;

    List<Symptom> of(ObjectNode body) {
        List<Symptom> symptoms = new ArrayList<>();
        deletion(body).ifPresent(symptoms::add);
        pause(body).ifPresent(symptoms::add);
        manifest(body).ifPresent(symptoms::add);
        if (AnnotationSizeLimit.isNearlyReached(body)) {
            symptoms.add(new Symptom(
                    "annotations take more than four fifths of the " + AnnotationSizeLimit.BYTES_MAX
                            + " bytes that Kubernetes allows",
                    "leave fields out of the last handled state (DiffBaseStorage.annotations().ignoring(...)), or compress"
                            + " it (withCompression())"));
        }
        for (String annotation : traces.annotations(body)) {
            record(body, annotation)
                    .flatMap(each -> ofRecord(body, annotation, each))
                    .ifPresent(symptoms::add);
        }
        return symptoms;
    }

    /**
     * Managed fields in a version that the definition does not serve any more, though it did when they were written.
     *
     * @param versions those that it serves
     * @see <a href="https://github.com/kubernetes/kubernetes/issues/111937">what the API server makes of them</a>
     */
    static Optional<Symptom> ofManagedFields(ObjectNode body, String group, Set<String> versions) {
        boolean gone = body.path("metadata")
                .path("managedFields")
                .valueStream()
                .map(fields -> fields.path("apiVersion").asString(""))
                .anyMatch(written ->
                        written.startsWith(group + "/") && !versions.contains(written.substring(group.length() + 1)));
        return gone
                ? Optional.of(new Symptom(
                        "managedFields name a version that is not served any more: once the definition does not have it,"
                                + " the API server refuses each server-side apply of the object",
                        "let it forget who owns which field: `kubectl patch KIND NAME --type=merge -p"
                                + " '{\"metadata\":{\"managedFields\":[{}]}}'`"))
                : Optional.empty();
    }

    /**
     * A child that an operator has made, and that no object owns. Its generated name came from the uid of its parent,
     * which is written nowhere else on it: whose it was cannot be told.
     */
    static Optional<Symptom> ofChild(ObjectNode body) {
        String handler = LiveChild.Applied.of(body).handler();
        return handler.isEmpty()
                        || !body.path("metadata").path("ownerReferences").isEmpty()
                ? Optional.empty()
                : Optional.of(new Symptom(
                        "made as a child by the handler '" + handler
                                + "', but no object owns it, as after a restore from a backup or `--cascade=orphan`: nobody"
                                + " changes it, or deletes it with its parent",
                        "the operator takes it back if a handler still asks for a child of its name. Not so after"
                                + " generateName, which gives other names to the children of a restored parent: move what it"
                                + " holds into the new child, then delete it; or, if it is to stay by itself: `kubectl label"
                                + " KIND NAME " + ChildMarks.MANAGED_BY + "-`"));
    }

    private Optional<Symptom> deletion(ObjectNode body) {
        if (!isStuck(body.path("metadata").path("deletionTimestamp").asString(""))) {
            return Optional.empty();
        }
        if (traces.hold(body)) {
            return Optional.of(new Symptom(
                    "deleted, but held by this operator's finalizer '"
                            + traces.finalizer().name() + "' for more than " + DurationText.format(patience),
                    "is the operator running, and do its deletion handlers and daemons end? `kopf4j why` tells which"
                            + " does not; one that waits for a step in doubt goes on by `kopf4j retry`. Does a webhook, maybe its own, or the schema refuse that the finalizer is taken off (K4-020"
                            + " in the log)? Without the operator: `kopf4j uninstall --orphan`"));
        }
        List<String> others = body.path("metadata")
                .path("finalizers")
                .valueStream()
                .map(each -> "'" + each.asString("") + "'")
                .toList();
        if (others.isEmpty()) {
            return Optional.of(new Symptom(
                    "deleted, and still there after more than " + DurationText.format(patience)
                            + ", though no finalizer holds it",
                    "whoever ends it has not said so to the API server: for a pod, see whether the kubelet of its node"
                            + " answers"));
        }
        return Optional.of(new Symptom(
                "deleted, but held by finalizers of others for more than " + DurationText.format(patience) + ": "
                        + String.join(", ", others),
                "look after whoever puts them there"));
    }

    private Optional<Symptom> pause(ObjectNode body) {
        boolean paused = interventions.pause(body) != Interventions.Pause.NONE;
        String since = interventions.pausedSince(body);
        if (!paused || !(since.isEmpty() || isStuck(since))) {
            return Optional.empty();
        }
        return Optional.of(new Symptom(
                "paused by an annotation for "
                        + (since.isEmpty() ? "an unknown time" : "more than " + DurationText.format(patience)),
                "if nobody repairs it any more: `kopf4j resume OBJECT`"));
    }

    /**
     * Records of the operator in a manifest that somebody applies: by `kubectl apply`, which notes it in an annotation,
     * or by server-side apply, of which the managed fields tell. People may have annotations of their own below the
     * prefix, if it is a domain of theirs.
     */
    private Optional<Symptom> manifest(ObjectNode body) {
        JsonNode metadata = body.path("metadata");
        JsonNode annotations = metadata.path("annotations");
        Map<String, JsonNode> applied = new TreeMap<>();
        json(annotations.path(LAST_APPLIED))
                .at("/metadata/annotations")
                .propertyStream()
                .forEach(noted -> applied.put(noted.getKey(), noted.getValue()));
        metadata.path("managedFields")
                .valueStream()
                .filter(fields -> fields.path("operation").asString("").equals("Apply"))
                .flatMap(fields -> fields.at("/fieldsV1/f:metadata/f:annotations").propertyNames().stream())
                .map(field -> field.replaceFirst("^f:", ""))
                .forEach(annotation -> applied.putIfAbsent(annotation, annotations.path(annotation)));
        List<String> own = applied.entrySet().stream()
                .filter(each -> isState(each.getKey(), each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return own.isEmpty()
                ? Optional.empty()
                : Optional.of(new Symptom(
                        "somebody applies a manifest with annotations that this operator writes: "
                                + TextShortener.middle(String.join(", ", own), MESSAGE_MAX)
                                + "; each time, earlier records come back, and changes are handled again and again, or never",
                        "take them out of the manifest, which `kubectl get -o yaml` has written them into"));
    }

    /** True if the operator keeps its state there: records are JSON, the last handled state may be compressed. */
    private boolean isState(String annotation, JsonNode text) {
        return traces.locations().includes(annotation)
                && !interventions.isAsked(annotation)
                && (annotation.endsWith("/" + LAST_HANDLED)
                        || interventions.isAnswered(annotation)
                        || text.asString("").startsWith("{"));
    }

    private static JsonNode json(JsonNode text) {
        try {
            return Json.parse(text.asString("").getBytes(StandardCharsets.UTF_8));
        } catch (JsonConversionException e) {
            return Json.object(); // nobody has noted anything that can be read
        }
    }

    /** True if the object should have gone, and this operator's finalizer holds it. */
    boolean isHeldTooLong(ObjectNode body) {
        return traces.hold(body)
                && isStuck(body.path("metadata").path("deletionTimestamp").asString(""));
    }

    private boolean isStuck(String deleted) {
        if (deleted.isEmpty()) {
            return false;
        }
        try {
            return KubernetesTimestamps.parse(deleted).plus(patience).isBefore(now);
        } catch (DateTimeException e) {
            return false; // the server writes no such times
        }
    }

    /**
     * The record of a handler in an annotation; empty if the annotation is something else, as the last handled state.
     */
    private static Optional<JsonNode> record(ObjectNode body, String annotation) {
        String text = body.path("metadata").path("annotations").path(annotation).asString("");
        try {
            JsonNode json = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            return json.has("retries") || json.has("started") ? Optional.of(json) : Optional.empty();
        } catch (JsonConversionException e) {
            return Optional.empty();
        }
    }

    private Optional<Symptom> ofRecord(ObjectNode body, String annotation, JsonNode record) {
        if (!handlers.include(annotation, body)) {
            return Optional.of(new Symptom(
                    "progress of a handler that this operator does not have: " + annotation,
                    "was the handler renamed or removed while it was at work? If it is not another operator's, take it off:"
                            + " `kubectl annotate KIND NAME " + annotation + "-`; it does no harm"));
        }
        boolean ended = record.path("success").asBoolean(false)
                || record.path("failure").asBoolean(false);
        if (!ended && record.path("retries").asInt(0) >= MANY_ATTEMPTS) {
            return Optional.of(new Symptom(
                    "a handler has failed " + MANY_ATTEMPTS + " times or more: " + annotation + ", lastly with: "
                            + TextShortener.middle(record.path("message").asString("(no message)"), MESSAGE_MAX),
                    "look at the operator's log for these objects; limit attempts by retries= or timeout="));
        }
        return Optional.empty();
    }

    /**
     * Something that may be wrong with many objects. Immutable.
     *
     * @param problem what
     * @param wayOut what to do about it
     */
    record Symptom(String problem, String wayOut) {}

    /**
     * The annotations in which the handlers of an operator, and their sub-handlers, keep their progress. Immutable.
     *
     * @param prefixes the prefixes of annotations in use
     * @param ids the ids of the handlers
     */
    record KnownRecords(Set<String> prefixes, List<String> ids) {
        /** The characters of a long name that are there before its hash, in all versions. */
        private static final int CERTAIN = 20;

        KnownRecords {
            prefixes = Set.copyOf(prefixes);
            ids = List.copyOf(ids);
        }

        /**
         * True if the annotation may be a handler's. Sub-handlers are known when they run only: those of a handler all
         * count.
         */
        boolean include(String annotation, ObjectNode body) {
            return prefixes.stream()
                    .map(AnnotationKeys::new)
                    .filter(keys -> keys.owns(annotation))
                    .anyMatch(keys -> ids.stream().anyMatch(id -> belongsTo(keys, id, annotation, body)));
        }

        private static boolean belongsTo(AnnotationKeys keys, String id, String annotation, ObjectNode body) {
            return keys.keys(id, body).contains(annotation)
                    || keys.keys(id + "/", body).stream().anyMatch(annotation::startsWith)
                    || (id.length() > CERTAIN
                            && annotation.startsWith(
                                    keys.keys(id.substring(0, CERTAIN), body).getFirst()));
        }
    }
}
