package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.engine.OperatorRun.ToldEngine;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ToldEngine}: what the console asks. */
class OperatorRunTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));

    @Test
    @SuppressWarnings("NullAway") // nothing else of the operator is asked
    void aServerThatDoesNotAnswerIsToldWhileThePageStillWaits() {
        ScriptedTransport frozen = new ScriptedTransport(platform)
                .silentAt("/apis/coordination.k8s.io/v1/namespaces/ns/leases?limit=1&fieldSelector=metadata.name%3Dx");
        KubernetesApi api = new KubernetesApi(platform, frozen, NetworkSettings.DEFAULTS);
        List<String> told = new ArrayList<>();
        platform.spawn("reading", () -> {
            try {
                new ToldEngine(null, api, null).read(WellKnownResources.LEASES, "ns", "x");
            } catch (ClientException e) {
                told.add(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofSeconds(6));
        assertThat(told).singleElement().asString().contains("leases.v1.coordination.k8s.io", "no answer in time");
    }
}
