package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.ApiTimes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How the deletion of an object begins, and what holds it: {@code BeforeDelete} in {@code pkg/registry/rest/delete.go}
 * of the apiserver library, v1.33. Stateless.
 */
public interface DeletionStrategy {
    /** Objects go at once, or when their last finalizer is removed. */
    DeletionStrategy USUAL = new DeletionStrategy() {};

    /**
     * The grace period of an object in seconds.
     *
     * @param wanted the period that the client asks for
     */
    default long graceSeconds(ObjectNode object, Optional<Long> wanted) {
        return 0;
    }

    /** Why clients may never delete an object of this name; empty if they may. */
    default String refusal(String name) {
        return "";
    }

    /** Marks an object as being deleted. */
    default void begin(ObjectNode object, Instant now, Optional<Long> wanted) {
        Instant begin = now.truncatedTo(ChronoUnit.SECONDS);
        Instant end = ApiTimes.later(begin, graceSeconds(object, wanted));
        long seconds = ChronoUnit.SECONDS.between(begin, end);
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("deletionTimestamp", end.toString()).put("deletionGracePeriodSeconds", seconds);
        if (metadata.path("generation").longValue(0) > 0) {
            metadata.put("generation", metadata.get("generation").longValue() + 1);
        }
    }

    /** Shortens the grace period if a later request asks for a shorter one; true if it does. */
    default boolean shorten(ObjectNode object, Optional<Long> wanted) {
        ObjectNode metadata = Json.child(object, "metadata");
        long former = metadata.path("deletionGracePeriodSeconds").longValue(0);
        if (former == 0 || wanted.isEmpty()) {
            return false;
        }
        long seconds = graceSeconds(object, wanted);
        if (seconds >= former) {
            return false;
        }
        Instant end = Instant.parse(Json.string(metadata, "deletionTimestamp")).minusSeconds(former - seconds);
        metadata.put("deletionTimestamp", end.toString()).put("deletionGracePeriodSeconds", seconds);
        return true;
    }

    /**
     * Whether an object is first marked as being deleted even if it can go at once, which watches see: kinds with a
     * grace period ({@code updateForGracefulDeletionAndFinalizers} in {@code pkg/registry/generic/registry/store.go}).
     */
    default boolean marksBeforeRemoval() {
        return false;
    }

    /** Whether an object is being deleted and can be removed: it has no finalizer, and no grace period. */
    default boolean released(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").longValue(0) == 0;
    }

    /** The object that DELETE answers with after the removal: as it was before. */
    default ObjectNode shownWhenGone(ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        if (metadata.path("generation").longValue(0) > 1) {
            metadata.put("generation", metadata.get("generation").longValue() - 1);
        }
        return object;
    }
}
