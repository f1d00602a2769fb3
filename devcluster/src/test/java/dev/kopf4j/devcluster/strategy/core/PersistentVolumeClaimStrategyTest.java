package dev.kopf4j.devcluster.strategy.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims that nobody binds grow only where that is asked for. */
class PersistentVolumeClaimStrategyTest {
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

    @ParameterizedTest
    @CsvSource({"true, 200", "false, 422"})
    void unboundClaimsGrowOnDemand(boolean growing, int status) {
        InMemory cluster = new InMemory(options -> options.growingClaims(growing));
        cluster.send("POST", CLAIMS, """
                metadata: {name: one}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        ApiResponse response = cluster.send(
                "PATCH", CLAIMS + "/one", "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}");
        assertThat(response.status()).isEqualTo(status);
    }
}
