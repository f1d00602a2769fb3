package dev.kopf4j.engine.intervention;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.text.KubernetesTimestamps;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The handlers of an object that have failed for good, or of whose sub-handlers some have, and the state that each of
 * them should have handled. Their progress is removed when the change counts as handled; this stays until they succeed.
 * Immutable.
 */
public final class FailedHandlers {
    private static final int SINCE_CHARACTERS_MAX = 16 * 1024;
    private static final int TEXT_CHARACTERS_MAX = 64 * 1024;
    /** How many sub-handlers a message names. */
    private static final int NAMED_MAX = 10;

    private static final String SINCE = "since";
    private static final String SUB_HANDLERS = "subHandlers";
    private static final String MESSAGE = "message";
    private static final List<String> DISPENSABLE = List.of(SINCE, SUB_HANDLERS, MESSAGE);

    /** As JSON texts: they are kept as long as their objects, and trees would take about twenty times the memory. */
    private final Map<String, String> entries;

    /** What has become of a sub-handler. */
    public enum Part {
        /** It has failed for good. */
        FAILED,
        /** It has succeeded, but not all that it has called. */
        CALLING,
        /** It has succeeded, and all that it has called. */
        DONE
    }

    /** None. */
    public static final FailedHandlers NONE = new FailedHandlers(Map.of());

    private FailedHandlers(Map<String, String> entries) {
        this.entries = entries;
    }

    /**
     * What the annotation says; none if it says nothing that can be read. Whoever may change the object may have
     * written it: what is longer than it would be written is left out.
     */
    static FailedHandlers parse(String text, Consumer<String> problem) {
        Map<String, String> entries = new LinkedHashMap<>();
        if (text.length() > TEXT_CHARACTERS_MAX) {
            problem.accept("it is longer than " + TEXT_CHARACTERS_MAX + " characters");
        } else if (!text.isEmpty()) {
            try {
                Json.parse(text).forEachEntry((id, entry) -> {
                    if (entry instanceof ObjectNode object) {
                        if (isTooLong(object.path(SINCE))) {
                            object.remove(SINCE);
                        }
                        entries.put(id, Json.text(object));
                    }
                });
            } catch (JsonConversionException e) {
                problem.accept(String.valueOf(e.getMessage()));
            }
        }
        return new FailedHandlers(entries);
    }

    private static boolean isTooLong(JsonNode since) {
        return Json.text(since).length() > SINCE_CHARACTERS_MAX;
    }

    private @Nullable ObjectNode entry(String id) {
        String text = entries.get(id);
        return text == null ? null : (ObjectNode) Json.parse(text);
    }

    /** True if there are none. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Their ids. */
    public Set<String> ids() {
        return Set.copyOf(entries.keySet());
    }

    /** The word of the reason for which it was called; empty if it is not among them. */
    public String reason(String id) {
        return field(id, "reason");
    }

    /** The last error; empty if it is not known. */
    public String message(String id) {
        return field(id, MESSAGE);
    }

    /** When it has failed, as text; empty if it is not known. */
    public String stopped(String id) {
        return field(id, "stopped");
    }

    private String field(String id, String name) {
        ObjectNode entry = entry(id);
        return entry == null ? "" : entry.path(name).asString("");
    }

    /**
     * The state of the object before the change that it has failed with; empty if there was none, or it was too long.
     */
    public Optional<ObjectNode> since(String id) {
        ObjectNode entry = entry(id);
        return entry != null && entry.get(SINCE) instanceof ObjectNode since ? Optional.of(since) : Optional.empty();
    }

    /**
     * With another one, or with what is new of a known one: what is to be handled since its first failure stays.
     *
     * @param record how it has ended
     * @param since the state before the change; null if there was none
     */
    public FailedHandlers with(String id, ProgressRecord record, @Nullable ObjectNode since) {
        return with(id, entry(id, record, since));
    }

    private FailedHandlers with(String id, ObjectNode entry) {
        Map<String, String> more = new LinkedHashMap<>(entries);
        more.put(id, Json.text(entry));
        return new FailedHandlers(more);
    }

    private ObjectNode entry(String id, ProgressRecord record, @Nullable ObjectNode since) {
        ObjectNode entry = Json.object();
        entry.put("reason", record.purpose());
        if (record.stopped() != null) {
            entry.put("stopped", KubernetesTimestamps.format(record.stopped()));
        }
        entry.put("retries", record.retries());
        entry.put(MESSAGE, record.message());
        ObjectNode first = since(id).orElse(since);
        if (first != null && !isTooLong(first)) {
            entry.set(SINCE, first);
        }
        return entry;
    }

    /** The same for a handler that has succeeded, while some of its sub-handlers have failed. */
    public FailedHandlers with(
            String id, ProgressRecord record, @Nullable ObjectNode since, Map<String, ProgressRecord> below) {
        Set<String> failed = new LinkedHashSet<>();
        below.forEach((part, ended) -> {
            if (ended.failure()) {
                failed.add(part);
            }
        });
        ObjectNode entry = entry(id, record, since);
        String named = failed.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        int more = failed.size() - NAMED_MAX;
        entry.put(MESSAGE, "sub-handlers have failed: " + named + (more > 0 ? " and " + more + " more" : ""));
        ObjectNode parts = entry.putObject(SUB_HANDLERS);
        below.forEach((part, ended) -> {
            boolean calling = ended.subrefs().stream().anyMatch(failed::contains);
            Part became = failed.contains(part) ? Part.FAILED : calling ? Part.CALLING : Part.DONE;
            parts.put(part, became.name().toLowerCase(Locale.ROOT));
        });
        return with(id, entry);
    }

    /** The sub-handlers of a handler that has succeeded while some of them have failed; empty for any other one. */
    public Map<String, Part> subHandlers(String id) {
        Map<String, Part> parts = new LinkedHashMap<>();
        ObjectNode entry = entry(id);
        if (entry != null) {
            entry.path(SUB_HANDLERS).forEachEntry((part, word) -> {
                for (Part each : Part.values()) {
                    if (each.name().equalsIgnoreCase(word.asString(""))) {
                        parts.put(part, each);
                    }
                }
            });
        }
        return parts;
    }

    /** Together with others; those of this one count. */
    public FailedHandlers and(FailedHandlers others) {
        Map<String, String> all = new LinkedHashMap<>(others.entries);
        all.putAll(entries);
        return new FailedHandlers(all);
    }

    /** Without those that have succeeded, or do not exist any more. */
    public FailedHandlers without(Collection<String> ids) {
        Map<String, String> fewer = new LinkedHashMap<>(entries);
        fewer.keySet().removeAll(ids);
        return new FailedHandlers(fewer);
    }

    /**
     * As it stands in the annotation: without the states, the sub-handlers, the errors, if they are too long together.
     */
    String text() {
        ObjectNode all = Json.object();
        entries.forEach((id, entry) -> all.set(id, Json.parse(entry)));
        String text = Json.text(all);
        for (String field : DISPENSABLE) {
            if (text.length() > TEXT_CHARACTERS_MAX) {
                all.forEach(entry -> ((ObjectNode) entry).remove(field));
                text = Json.text(all);
            }
        }
        return text;
    }
}
