package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventExpiryTest {
    private static final String EVENTS = "/api/v1/namespaces/default/events";
    private final InMemory cluster = new InMemory(options -> options);

    private void create(String name) {
        assertThat(cluster.send("POST", EVENTS, """
                metadata: {name: %s}
                involvedObject: {kind: ConfigMap, name: a, namespace: default}
                """.formatted(name)).status()).isEqualTo(201);
    }

    private int status(String name) {
        return cluster.send("GET", EVENTS + "/" + name, "").status();
    }

    @Test
    void anEventGoesAnHourAfterItWasWrittenLast() {
        create("once");
        cluster.time().advance(Duration.ofMinutes(10));
        create("twice");
        cluster.time().advance(Duration.ofMinutes(40));
        cluster.send("PATCH", EVENTS + "/twice", "{\"count\":2}");
        cluster.time().advance(Duration.ofMinutes(9));
        assertThat(status("once")).isEqualTo(200);
        cluster.time().advance(Duration.ofMinutes(2));
        assertThat(status("once")).isEqualTo(404);
        cluster.time().advance(Duration.ofMinutes(40));
        assertThat(status("twice")).isEqualTo(200);
        cluster.time().advance(Duration.ofMinutes(10));
        assertThat(status("twice")).isEqualTo(404);
    }
}
