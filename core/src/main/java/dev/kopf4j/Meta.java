package dev.kopf4j;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code metadata} of an object. Immutable. Made by the framework; not to be implemented. */
public interface Meta extends View {
    /** The name; empty text only for an object that has none yet. */
    String name();

    /** The namespace; empty for cluster-scoped objects. */
    Optional<String> namespace();

    /** The uid; empty text only for an object that has none yet. */
    String uid();

    /** The labels; an empty map if there are none. */
    Map<String, String> labels();

    /** The annotations; an empty map if there are none. */
    Map<String, String> annotations();

    /** The finalizers in their order; an empty list if there are none. */
    List<String> finalizers();

    /** When the object was created. */
    Optional<Instant> creationTimestamp();

    /** When the deletion was requested; empty unless it was. */
    Optional<Instant> deletionTimestamp();
}
