package dev.kopf4j.client.watching;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.Narrowing;
import org.jspecify.annotations.Nullable;

/** What a loop watches: a resource, or a part of it, in one namespace, or cluster-wide (null). */
record WatchScope(Resource resource, @Nullable String namespace, Narrowing narrowing) {
    WatchScope(Resource resource, @Nullable String namespace) {
        this(resource, namespace, Narrowing.NONE);
    }

    /** The scope as logs name it: {@code pods.v1 in 'ns'}. */
    @Override
    public String toString() {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }
}
