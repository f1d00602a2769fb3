package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import java.time.Instant;
import java.util.Set;

/** Resources and times that the tests of the client share. */
public final class ClientExamples {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    public static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of("kex"), Set.of()),
            Set.of("status"),
            true,
            true,
            Set.of("list", "watch", "patch"));
    public static final Resource PODS = new Resource(
            "",
            "v1",
            new Resource.Names("pods", "Pod", "pod", Set.of(), Set.of()),
            Set.of("status"),
            true,
            true,
            Set.of("list"));

    private ClientExamples() {}
}
