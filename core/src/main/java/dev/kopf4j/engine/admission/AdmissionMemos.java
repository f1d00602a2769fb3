package dev.kopf4j.engine.admission;

import dev.kopf4j.Resource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the memos of objects that the operator watches. Thread-safe. */
@FunctionalInterface
public interface AdmissionMemos {
    /**
     * The memo of an object; empty if the operator does not know it.
     *
     * @param namespace its namespace; null if it is cluster-scoped
     */
    Optional<Supplier<Object>> find(Resource resource, @Nullable String namespace, String uid);
}
