package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import java.util.Collection;

/** Hears what the cluster serves. Called by one task at a time. */
@FunctionalInterface
public interface ResourceListener {
    /**
     * The cluster serves these now, as far as is known.
     *
     * @throws InterruptedException if the operator stops
     */
    void found(Collection<Resource> resources) throws InterruptedException;
}
