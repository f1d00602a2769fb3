package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeProtectionControllerTest {
    private static final String CLAIM = "/api/v1/namespaces/default/persistentvolumeclaims/a";
    private static final String POD = """
            metadata: {name: p}
            spec: {containers: [{name: c, image: x}], volumes: [{name: v, persistentVolumeClaim: {claimName: a}}]%s}
            """;
    private static final Duration LONG = Duration.ofSeconds(10);
    private final InMemory cluster = new InMemory(options -> options);

    @BeforeEach
    void claim() {
        assertThat(cluster.send("POST", CLAIM.replace("claims/a", "claims"), """
                                metadata: {name: a}
                                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                                """)
                        .status())
                .isEqualTo(201);
    }

    private int status(String path) {
        return cluster.send("GET", path, "").status();
    }

    @Test
    void letsAClaimGoThatNobodyUsesAfterAWhile() {
        cluster.send("DELETE", CLAIM, "");
        assertThat(status(CLAIM)).isEqualTo(200);
        cluster.time().advance(LONG);
        assertThat(status(CLAIM)).isEqualTo(404);
    }

    @Test
    void holdsAClaimUntilThePodThatUsesItIsGone() {
        String pods = "/api/v1/namespaces/default/pods";
        cluster.send("POST", pods, POD.formatted(", nodeName: 'n'"));
        cluster.send("PATCH", pods + "/p/status", "{\"status\":{\"phase\":\"Succeeded\"}}");
        cluster.send("DELETE", CLAIM, "");
        cluster.time().advance(LONG);
        assertThat(status(CLAIM)).as("used by a pod that has ended").isEqualTo(200);
        cluster.send("DELETE", pods + "/p?gracePeriodSeconds=0", "");
        cluster.time().advance(LONG);
        assertThat(status(CLAIM)).isEqualTo(404);
    }

    @Test
    void letsAClaimGoWhosePodHasNoNode() {
        cluster.send("POST", "/api/v1/namespaces/default/pods", POD.formatted(""));
        cluster.send("DELETE", CLAIM, "");
        cluster.time().advance(LONG);
        assertThat(status(CLAIM)).isEqualTo(404);
    }

    @Test
    void letsANamespaceWithAClaimGo() {
        cluster.send("POST", "/api/v1/namespaces", "metadata: {name: 'n'}");
        cluster.send("POST", "/api/v1/namespaces/n/persistentvolumeclaims", """
                metadata: {name: a}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        cluster.send("DELETE", "/api/v1/namespaces/n", "");
        assertThat(status("/api/v1/namespaces/n")).isEqualTo(200);
        cluster.time().advance(LONG);
        assertThat(status("/api/v1/namespaces/n")).isEqualTo(404);
    }
}
