package dev.kopf4j.devcluster.kind;

import dev.kopf4j.devcluster.status.Cause;
import java.util.List;

/** What a kind does with its objects. Stateless or thread-safe. */
public interface KindRules {
    /** Fills in and derives values, before anything is checked. */
    void prepare(Draft draft);

    /** What is wrong. */
    List<Cause> check(Draft draft);

    /** What is allowed, but hardly meant. */
    default List<String> warnings(Draft draft) {
        return List.of();
    }
}
