package dev.kopf4j.client.watching;

import dev.kopf4j.Resource;
import org.jspecify.annotations.Nullable;

/** What a loop watches: a resource in one namespace, or cluster-wide (null). */
record WatchScope(Resource resource, @Nullable String namespace) {
    /** The scope as logs name it: {@code pods.v1 in 'ns'}. */
    @Override
    public String toString() {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }
}
