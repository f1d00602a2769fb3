package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;

/** What a kind does with its objects. Stateless or thread-safe. */
public interface ResourceStrategy {
    /** Fills in and derives values, before anything is checked. */
    void prepare(ObjectDraft objectDraft);

    /** What is wrong. */
    List<FieldError> validate(ObjectDraft objectDraft);

    /** What is allowed, but hardly meant. */
    default List<String> warnings(ObjectDraft objectDraft) {
        return List.of();
    }
}
