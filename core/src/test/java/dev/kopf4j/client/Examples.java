package dev.kopf4j.client;

import dev.kopf4j.Resource;
import java.time.Instant;
import java.util.Set;

/** Resources and times that the tests of this package share. */
final class Examples {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            "kopfexamples",
            "KopfExample",
            "kopfexample",
            Set.of("kex"),
            Set.of(),
            Set.of("status"),
            true,
            true,
            Set.of("list", "watch", "patch"));
    static final Resource PODS = new Resource(
            "", "v1", "pods", "Pod", "pod", Set.of(), Set.of(), Set.of("status"), true, true, Set.of("list"));

    private Examples() {}
}
