package dev.kopf4j.e2e.endurance.judgement;

import dev.kopf4j.e2e.endurance.cluster.Trials;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the cluster has shown of one object, from the first sight to the last. Guarded by {@link Histories}. */
final class ObjectHistory {
    private static final String PREFIX = "kopf.zalando.org/";
    private static final String HANDLED = PREFIX + "last-handled-configuration";

    /**
     * Something that an operator has stored on the object.
     *
     * @param version the version of the object with it
     * @param millis when it was seen
     */
    record Moment(long version, long millis) {
        /** When nothing comes any more. */
        static final Moment END = new Moment(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** The object counted as handled in the state with this value. */
    record Handled(long value, Moment moment) {}

    private final String name;
    private final List<Handled> handled = new ArrayList<>();
    private final Map<String, List<Moment>> successes = new HashMap<>();
    private Set<String> successful = Set.of();
    private Optional<Moment> gone = Optional.empty();
    private boolean finalizer;
    private JsonNode newest;

    ObjectHistory(JsonNode object) {
        this.name = object.at("/metadata/namespace").asString("") + "/"
                + object.at("/metadata/name").asString("");
        this.newest = object;
    }

    void see(JsonNode object, long millis) {
        Moment moment = new Moment(object.at("/metadata/resourceVersion").asLong(0), millis);
        newest = object;
        finalizer |= !object.at("/metadata/finalizers").isEmpty();
        Set<String> now = new HashSet<>();
        for (Map.Entry<String, JsonNode> annotation :
                object.at("/metadata/annotations").properties()) {
            if (annotation.getKey().equals(HANDLED)) {
                seeHandled(read(annotation.getValue()), moment);
            } else if (annotation.getKey().startsWith(PREFIX)
                    && read(annotation.getValue()).path("success").asBoolean(false)) {
                now.add(annotation.getKey().substring(PREFIX.length()));
            }
        }
        for (String handler : now) {
            if (!successful.contains(handler)) {
                successes.computeIfAbsent(handler, key -> new ArrayList<>()).add(moment);
            }
        }
        successful = now;
    }

    private void seeHandled(JsonNode essence, Moment moment) {
        long value = Trials.value(essence);
        if (handled.isEmpty() || handled.getLast().value() != value) {
            handled.add(new Handled(value, moment));
        }
    }

    private static JsonNode read(JsonNode text) {
        return JsonMapper.shared().readTree(text.asString("{}"));
    }

    void seeGone(long version, long millis) {
        if (gone.isEmpty()) {
            gone = Optional.of(new Moment(version, millis));
        }
    }

    String name() {
        return name;
    }

    /** The states in which it counted as handled, oldest first. */
    List<Handled> handled() {
        return handled;
    }

    /** When successes of a handler were recorded, oldest first. */
    List<Moment> successes(String handler) {
        return successes.getOrDefault(handler, List.of());
    }

    Optional<Moment> gone() {
        return gone;
    }

    boolean exists() {
        return gone.isEmpty();
    }

    /** The value that the handler {@code first} has returned, as the newest state tells it; 0 for none. */
    long result() {
        return newest.at("/status/first/value").asLong(0);
    }

    /** Whether an operator had to be asked for its deletion at any time. */
    boolean hadFinalizer() {
        return finalizer;
    }

    boolean isDeleting() {
        return Trials.isDeleting(newest);
    }

    long value() {
        return Trials.value(newest);
    }

    /** Whether nothing is left to be done: all is handled, and no progress is stored. */
    boolean isSettled() {
        return gone.isPresent() || (!isDeleting() && isHandled() && !hasProgress());
    }

    private boolean isHandled() {
        return !handled.isEmpty() && handled.getLast().value() == value();
    }

    private boolean hasProgress() {
        return newest.at("/metadata/annotations").propertyNames().stream()
                .anyMatch(key -> key.startsWith(PREFIX) && !key.equals(HANDLED));
    }
}
