package dev.kopf4j.engine.intervention;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.OperatorMarker;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit;
import dev.kopf4j.persistence.conventions.EssencePruner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what people ask of an object by its annotations, and acknowledges it on the object. Immutable, thread-safe.
 *
 * <p>The annotations stand below the prefix of the operator's progress, which no operator takes for a change of the
 * object. If the progress is stored in several places, so are they: each of them is obeyed, and all are written. A
 * handler whose id is {@code paused} or {@code retry} keeps its progress under the same name: a JSON object is its
 * record, and asks for nothing.
 */
public final class Interventions {
    private static final String PAUSED = "paused";
    private static final String PAUSE_ACKNOWLEDGED = "pause-acknowledged";
    private static final String RETRY = "retry";
    private static final String RETRY_ACKNOWLEDGED = "retry-acknowledged";
    private static final String FAILED = "failed-handlers";
    private static final String SEEN = "retry-seen";
    private static final List<String> NAMES =
            List.of(PAUSED, PAUSE_ACKNOWLEDGED, RETRY, RETRY_ACKNOWLEDGED, FAILED, SEEN);
    private static final int SEEN_BYTES_MAX = 64 * 1024;

    /** Users may have had an annotation of this name, for something else, below a prefix that is their own domain. */
    private static final Set<String> NOT_PAUSED = Set.of("", "false", "no", "off", "0");

    private final boolean obeyed;
    private final boolean remembering;
    private final List<Places> ofAll;
    private final List<Places> ofReplicaSets;
    private final Set<String> names;

    /**
     * Those below a prefix.
     *
     * @param obeyed false if the operator does not look at them
     * @param remembering true if failed handlers are remembered on the object
     */
    public Interventions(boolean obeyed, boolean remembering, String prefix) {
        this(obeyed, remembering, List.of(prefix));
    }

    private Interventions(boolean obeyed, boolean remembering, List<String> prefixes) {
        this.obeyed = obeyed;
        this.remembering = remembering;
        this.ofAll = prefixes.stream().map(prefix -> Places.below(prefix, "")).toList();
        // A Deployment's annotations are copied to its ReplicaSets, which nobody has paused.
        this.ofReplicaSets =
                prefixes.stream().map(prefix -> Places.below(prefix, "-ofDRS")).toList();
        this.names = Stream.concat(ofAll.stream(), ofReplicaSets.stream())
                .flatMap(places -> places.fields().values().stream())
                .map(place -> place.keys().getLast())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** As the settings say. */
    public static Interventions of(OperatorSettings settings) {
        List<String> prefixes = prefixes(
                settings.persistence().progressStorage(), settings.persistence().prefix());
        return new Interventions(
                settings.execution().pauseAndRetry(), settings.persistence().failures(), prefixes);
    }

    /**
     * Those of the places of progress, the preferred one first. A place without annotations has the other one if it is
     * preferred, or if none has annotations: otherwise those of another operator may stand there.
     */
    private static List<String> prefixes(ProgressStorage storage, String otherwise) {
        List<ProgressStorage> places = places(storage).toList();
        List<String> found = new ArrayList<>();
        for (ProgressStorage place : places) {
            if (place instanceof ProgressStorage.Annotations annotations) {
                found.add(Objects.requireNonNullElse(annotations.prefix(), otherwise));
            }
        }
        if (found.isEmpty() || !(places.getFirst() instanceof ProgressStorage.Annotations)) {
            found.addFirst(otherwise);
        }
        return found.stream().distinct().toList();
    }

    private static Stream<ProgressStorage> places(ProgressStorage storage) {
        return switch (storage) {
            case ProgressStorage.Smart smart -> Stream.of(smart.annotations());
            case ProgressStorage.Multi multi -> multi.storages().stream().flatMap(Interventions::places);
            case ProgressStorage.Annotations _, ProgressStorage.Status _, ProgressStorage.Custom _ ->
                Stream.of(storage);
        };
    }

    /** True if it is for people to write that annotation, and not for the operator. */
    public boolean isAsked(String annotation) {
        return isOne(annotation, PAUSED, RETRY);
    }

    /** True if the operator writes that annotation, whatever its value is. */
    public boolean isAnswered(String annotation) {
        return isOne(annotation, PAUSE_ACKNOWLEDGED, RETRY_ACKNOWLEDGED, FAILED, SEEN);
    }

    private boolean isOne(String annotation, String... names) {
        return Stream.concat(ofAll.stream(), ofReplicaSets.stream())
                .flatMap(places -> Stream.of(names).map(places::at))
                .anyMatch(place -> place.keys().getLast().equals(annotation));
    }

    /** The annotations below one prefix, by their names. */
    private record Places(String prefix, Map<String, FieldPath> fields) {
        static Places below(String prefix, String mark) {
            return new Places(
                    prefix,
                    NAMES.stream()
                            .collect(Collectors.toMap(
                                    name -> name,
                                    name -> FieldPath.of("metadata", "annotations", prefix + "/" + name + mark))));
        }

        FieldPath at(String name) {
            return Objects.requireNonNull(fields.get(name));
        }
    }

    /** What is paused of an object. */
    public enum Pause {
        /** Nothing. */
        NONE,
        /** Its handlers, timers, daemons and children; but not its deletion. */
        HANDLERS,
        /** Its deletion, too. */
        ALL;

        /** True if nothing may begin for the object. */
        public boolean holds(ObjectNode body) {
            return this == ALL || (this == HANDLERS && !DeletionState.isRequested(body));
        }

        private String word() {
            return this == ALL ? "all" : "true";
        }
    }

    /**
     * That handlers be called again.
     *
     * @param token identifies the request: each is followed once
     * @param handler the id of the one that is meant, {@code *} for all of them; empty for those that wait or have
     *     failed
     */
    public record RetryRequest(String token, String handler) {
        static @Nullable RetryRequest parse(String text) {
            String stripped = text.strip();
            if (stripped.isEmpty() || isRecord(stripped)) {
                return null;
            }
            int space = stripped.indexOf(' ');
            return space < 0
                    ? new RetryRequest(stripped, "")
                    : new RetryRequest(
                            stripped.substring(0, space),
                            stripped.substring(space).strip());
        }

        /** True if the text can be a token: another one would be read as no request, or as one for a handler. */
        public static boolean isToken(String text) {
            return !text.isEmpty() && !isRecord(text) && text.chars().noneMatch(Character::isWhitespace);
        }

        /** True if only those are meant that wait for another attempt, or have failed for good. */
        public boolean isForUnsuccessful() {
            return handler.isEmpty();
        }

        /** True if that handler is asked for, whether it has succeeded or not. */
        public boolean names(String id) {
            return handler.equals("*") || handler.equals(id);
        }
    }

    private static boolean isRecord(String text) {
        return text.startsWith("{");
    }

    /** True if the operator obeys. */
    public boolean areObeyed() {
        return obeyed;
    }

    /** The prefixes of the annotations, the preferred one first. */
    public List<String> prefixes() {
        return ofAll.stream().map(Places::prefix).toList();
    }

    /** An essence without them: where nothing else is stored below their prefix, they would count as a change. */
    public ObjectNode clear(ObjectNode essence) {
        return obeyed ? EssencePruner.withoutAnnotations(essence, names::contains) : essence;
    }

    /**
     * What is paused of the object. Any value pauses it but those that say no in words; {@code all} holds its deletion,
     * too.
     */
    public Pause pause(ObjectNode body) {
        Pause strongest = Pause.NONE;
        for (Places place : places(body)) {
            Pause pause = pause(place, body);
            strongest = pause.compareTo(strongest) > 0 ? pause : strongest;
        }
        return strongest;
    }

    private Pause pause(Places place, ObjectNode body) {
        String text = obeyed ? text(place.at(PAUSED), body).strip().toLowerCase(Locale.ROOT) : "";
        if (NOT_PAUSED.contains(text) || isRecord(text)) {
            return Pause.NONE;
        }
        return text.equals("all") ? Pause.ALL : Pause.HANDLERS;
    }

    /** Since when the annotation is as it is, by the server's record of who manages fields; empty if it has none. */
    public String pausedSince(ObjectNode body) {
        Pause pause = pause(body);
        String key = "f:"
                + places(body).stream()
                        .filter(place -> pause(place, body) == pause)
                        .map(place -> place.at(PAUSED).keys().getLast())
                        .findFirst()
                        .orElse("");
        JsonNode managed = body.path("metadata").path("managedFields");
        for (JsonNode entry : managed.values()) {
            if (entry.path("fieldsV1").path("f:metadata").path("f:annotations").has(key)) {
                return entry.path("time").asString("");
            }
        }
        return "";
    }

    /**
     * Adds to the patch that somebody asks for the pause, or for its end. An acknowledgement of an earlier pause goes
     * with it: whoever waits for an answer gets that to this question, also if the end of the earlier one was not
     * acknowledged yet.
     */
    public void ask(Pause pause, ObjectNode body, ObjectNode patch) {
        boolean changed = false;
        for (Places place : places(body)) {
            changed |=
                    AnnotationRecords.touch(place.at(PAUSED), body, patch, pause == Pause.NONE ? null : pause.word());
        }
        if (changed && pause != Pause.NONE) {
            places(body).forEach(place -> AnnotationRecords.purge(place.at(PAUSE_ACKNOWLEDGED), body, patch));
        }
    }

    /** Adds to the patch that somebody asks for handlers to be called again. */
    public void ask(RetryRequest request, ObjectNode body, ObjectNode patch) {
        String text = request.isForUnsuccessful() ? request.token() : request.token() + " " + request.handler();
        places(body).forEach(place -> AnnotationRecords.touch(place.at(RETRY), body, patch, text));
    }

    /** What the operator has acknowledged on the object; where the places differ, what is still to be acknowledged. */
    public Pause acknowledgedPause(ObjectNode body) {
        Pause pause = pause(body);
        for (Places place : places(body)) {
            Pause acknowledged = acknowledgedPause(place, body);
            if (acknowledged != pause) {
                return acknowledged;
            }
        }
        return pause;
    }

    private Pause acknowledgedPause(Places place, ObjectNode body) {
        return switch (obeyed ? text(place.at(PAUSE_ACKNOWLEDGED), body) : "") {
            case "" -> Pause.NONE;
            case "all" -> Pause.ALL;
            default -> Pause.HANDLERS;
        };
    }

    /** Adds to the patch that the operator obeys the pause, or the end of it. */
    public void acknowledge(Pause pause, ObjectNode body, ObjectNode patch) {
        write(PAUSE_ACKNOWLEDGED, pause == Pause.NONE ? null : pause.word(), body, patch);
    }

    /** What is asked for, and was not followed yet; null for nothing. */
    public @Nullable RetryRequest retry(ObjectNode body) {
        for (Places place : obeyed ? places(body) : List.<Places>of()) {
            RetryRequest found = RetryRequest.parse(text(place.at(RETRY), body));
            if (found != null && !found.token().equals(text(place.at(RETRY_ACKNOWLEDGED), body))) {
                return found;
            }
        }
        return null;
    }

    /**
     * Adds to the patch how far the request is followed: it stays open.
     *
     * @param reason the word of the last reason for which handlers are called again
     */
    public void acknowledgePart(RetryRequest request, String reason, ObjectNode body, ObjectNode patch) {
        acknowledge(request, request.token() + " " + reason, body, patch);
    }

    /** The word of the last reason for which the request was followed; empty for none. */
    public String followedPart(RetryRequest request, ObjectNode body) {
        String begin = request.token() + " ";
        return places(body).stream()
                .map(place -> text(place.at(RETRY_ACKNOWLEDGED), body))
                .filter(text -> text.startsWith(begin))
                .map(text -> text.substring(begin.length()))
                .findFirst()
                .orElse("");
    }

    /** What the object says of the last retry that was followed; blank if there was none. */
    public String followedRetry(ObjectNode body) {
        return places(body).stream()
                .map(place -> text(place.at(RETRY_ACKNOWLEDGED), body))
                .collect(Collectors.joining("\n"));
    }

    /** Adds to the patch that the request is followed: it is not followed again. */
    public void acknowledge(RetryRequest request, ObjectNode body, ObjectNode patch) {
        acknowledge(request, request.token(), body, patch);
    }

    /** Only where it is asked for: the answer to another request may stand in another place. */
    private void acknowledge(RetryRequest request, String text, ObjectNode body, ObjectNode patch) {
        for (Places place : places(body)) {
            if (request.equals(RetryRequest.parse(text(place.at(RETRY), body)))) {
                AnnotationRecords.touch(place.at(RETRY_ACKNOWLEDGED), body, patch, text);
                OperatorMarker.store(place.prefix, body, patch);
            }
        }
    }

    /**
     * True if the pause is another one than in an earlier state, or a retry is asked for that was not asked for then.
     */
    public boolean asksAnew(ObjectNode before, ObjectNode body) {
        RetryRequest asked = retry(body);
        return pause(body) != pause(before) || (asked != null && !asked.equals(retry(before)));
    }

    /** True if nobody asks for anything that was not acknowledged. */
    public boolean areAcknowledged(ObjectNode body) {
        return pause(body) == acknowledgedPause(body) && retry(body) == null;
    }

    /** The handlers that have failed for good with earlier changes. */
    public FailedHandlers failures(ObjectNode body) {
        FailedHandlers all = FailedHandlers.NONE;
        for (Places place : places(body)) {
            all = all.and(FailedHandlers.parse(
                    text(place.at(FAILED), body), problem -> tellUnreadable(place.at(FAILED), body, problem)));
        }
        return all;
    }

    /** True if the object remembers any handler that has failed for good. */
    public boolean hasFailures(ObjectNode body) {
        return isAnywhere(FAILED, body);
    }

    /** Adds to the patch which handlers have failed for good, if the object is to remember them. */
    public void store(FailedHandlers failures, ObjectNode body, ObjectNode patch) {
        if (!remembering && !hasFailures(body)) {
            return;
        }
        write(FAILED, failures.isEmpty() ? null : failures.text(), body, patch);
    }

    /**
     * Adds to the patch what is known of handlers that a retry does not call, so that it outlives the process; what is
     * too long, or leaves no room for other annotations, does not.
     *
     * @param seen null for nothing
     * @return true if it is stored
     */
    public boolean storeSeen(@Nullable ObjectNode seen, ObjectNode body, ObjectNode patch) {
        byte[] text = seen == null ? new byte[0] : Json.bytes(seen);
        boolean stored = text.length > 0 && text.length <= SEEN_BYTES_MAX;
        if (stored) {
            write(SEEN, new String(text, UTF_8), body, patch);
            stored = !AnnotationSizeLimit.isNearlyReached(body, patch);
        }
        if (!stored) {
            places(body).forEach(place -> AnnotationRecords.purge(place.at(SEEN), body, patch));
        }
        return stored;
    }

    /** The object as it is after {@link #storeSeen} of nothing. */
    public ObjectNode withoutSeen(ObjectNode body) {
        if (!isAnywhere(SEEN, body)) {
            return body;
        }
        ObjectNode without = body.deepCopy();
        places(body).forEach(place -> place.at(SEEN).remove(without));
        return without;
    }

    /** What is stored of handlers that a retry does not call; null for nothing, or for more than would be stored. */
    public @Nullable ObjectNode seen(ObjectNode body) {
        for (Places place : obeyed ? places(body) : List.<Places>of()) {
            ObjectNode seen = seen(place, body);
            if (seen != null) {
                return seen;
            }
        }
        return null;
    }

    private boolean isAnywhere(String name, ObjectNode body) {
        for (Places place : places(body)) {
            if (place.at(name).isPresentIn(body)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable ObjectNode seen(Places place, ObjectNode body) {
        String text = text(place.at(SEEN), body);
        if (text.length() > SEEN_BYTES_MAX) {
            tellUnreadable(place.at(SEEN), body, "it is longer than " + SEEN_BYTES_MAX + " characters");
            return null;
        }
        try {
            return !text.isEmpty() && Json.parse(text) instanceof ObjectNode seen ? seen : null;
        } catch (JsonConversionException e) {
            tellUnreadable(place.at(SEEN), body, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static void tellUnreadable(FieldPath annotation, ObjectNode body, String problem) {
        UnreadableStateListener.LOGGED.foundUnreadable(
                body, "annotation " + annotation.keys().getLast(), problem);
    }

    private void write(String name, @Nullable String text, ObjectNode body, ObjectNode patch) {
        for (Places place : places(body)) {
            AnnotationRecords.touch(place.at(name), body, patch, text);
            OperatorMarker.store(place.prefix, body, patch);
        }
    }

    private List<Places> places(ObjectNode body) {
        return AnnotationKeys.marked("", body).isEmpty() ? ofAll : ofReplicaSets;
    }

    private static String text(FieldPath annotation, ObjectNode body) {
        JsonNode found = annotation.resolve(body);
        return found == null ? "" : found.asString("");
    }
}
