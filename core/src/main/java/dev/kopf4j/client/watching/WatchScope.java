package dev.kopf4j.client.watching;

import dev.kopf4j.Resource;
import org.jspecify.annotations.Nullable;

/** A resource in one namespace, or everywhere (null). */
record WatchScope(Resource resource, @Nullable String namespace) {
    /** As logs name it: {@code pods.v1 in 'ns'}. */
    @Override
    public String toString() {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }
}
