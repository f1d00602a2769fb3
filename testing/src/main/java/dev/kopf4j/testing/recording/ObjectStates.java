package dev.kopf4j.testing.recording;

import dev.kopf4j.Resource;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** How far an operator is with the objects that it has seen. Guarded by its owner. */
public final class ObjectStates {
    private final Platform platform;
    private final Set<WatchedResource> watched = new LinkedHashSet<>();
    private final Map<String, ObjectState> states = new LinkedHashMap<>();
    private long changes;

    ObjectStates(Platform platform) {
        this.platform = platform;
    }

    void watched(WatchedResource resource) {
        watched.add(resource);
    }

    void forget() {
        watched.clear();
        states.clear();
    }

    void change(Resource resource, ObjectReference object, UnaryOperator<ObjectState> change) {
        changes++;
        states.compute(key(resource, object), (key, state) -> {
            ObjectState before = state == null ? ObjectState.unseen(resource, object) : state;
            return change.apply(before);
        });
    }

    private static String key(Resource resource, ObjectReference object) {
        return resource + " " + Objects.requireNonNullElse(object.uid(), object.toString());
    }

    /** What the operator watches. */
    public List<WatchedResource> watched() {
        return List.copyOf(watched);
    }

    /** Grows with all that the operator hears and does. */
    public long changes() {
        return changes;
    }

    /** True if nothing is processed, and nothing waits to be processed now. */
    public boolean isAtRest() {
        return states.values().stream().noneMatch(state -> state.isAtWork(platform));
    }

    /**
     * True if the operator has seen an object in this version.
     *
     * @param object which one; without a uid, all that have, or had, its namespace and name
     * @param version the version; empty if the object does not exist any more
     */
    public boolean hasSeen(Resource resource, ObjectReference object, Optional<String> version) {
        return version.isEmpty()
                ? of(resource, object).allMatch(ObjectState::gone)
                : of(resource, object).anyMatch(state -> state.hasSeen(version.get()));
    }

    /** The objects of a resource that the operator believes to exist. */
    public List<ObjectReference> existing(Resource resource) {
        return states.values().stream()
                .filter(state -> !state.gone() && state.resource().equals(resource))
                .map(ObjectState::reference)
                .toList();
    }

    /**
     * True if nothing is left to do for an object, now or later.
     *
     * @param object which one; without a uid, all that have, or had, its namespace and name
     */
    public boolean isDone(Resource resource, ObjectReference object) {
        return of(resource, object)
                .allMatch(
                        state -> !state.busy() && (state.gone() || state.next().isNever()));
    }

    /** True if the operator has heard of an object since its start, be it gone by now. */
    public boolean knows(Resource resource, ObjectReference object) {
        return of(resource, object).findAny().isPresent();
    }

    private Stream<ObjectState> of(Resource resource, ObjectReference object) {
        return object.uid() == null
                ? states.values().stream()
                        .filter(state -> state.resource().equals(resource) && state.hasPlaceOf(object))
                : Stream.ofNullable(states.get(key(resource, object)));
    }

    /** True if the operator is going to look at an object by itself, for a retry, between now and then. */
    public boolean isRetryDueBefore(Deadline then) {
        return states.values().stream()
                .anyMatch(state -> !state.gone()
                        && !state.next().hasPassed(platform)
                        && state.next().compareTo(then) < 0);
    }

    /**
     * What is left to do, in words.
     *
     * @param retried the uids of the objects of which a handler has asked for another attempt
     */
    Stream<String> pending(Set<String> retried) {
        return states.values().stream()
                .filter(state -> state.busy() || (!state.gone() && !state.next().isNever()))
                .map(state -> state.reference().describe()
                        + (state.busy()
                                ? " is being processed"
                                : " waits " + until(state.next())
                                        + (retried.contains(state.reference().uid()) ? ", for a retry" : "")));
    }

    private String until(Deadline next) {
        Duration left = Duration.ofNanos(next.nanos() - platform.nanos());
        return "for " + left.toMillis() / 1000.0 + " s until its next cycle";
    }
}
