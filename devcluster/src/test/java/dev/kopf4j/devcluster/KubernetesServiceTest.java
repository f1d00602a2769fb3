package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The Service of the API server itself, and where it leads. Tests {@link ClusterBootstrap}. */
class KubernetesServiceTest {
    private static final String SERVICE = "/api/v1/namespaces/default/services/kubernetes";
    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";
    private static final String SLICE = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";

    @Test
    void itLeadsToThePortOfTheServerAlsoAfterAStartWithAnother(@TempDir Path folder) {
        int first;
        String uid;
        try (DevCluster cluster = DevCluster.start(Options.defaults().data(folder))) {
            first = port(cluster);
            check(cluster, first);
            uid = get(cluster, SERVICE).at("/metadata/uid").asString();
        }
        try (DevCluster held = DevCluster.start(Options.defaults().port(first));
                DevCluster again = DevCluster.start(Options.defaults().data(folder))) {
            assertThat(port(held)).isEqualTo(first);
            assertThat(port(again)).isNotEqualTo(first);
            check(again, port(again));
            assertThat(get(again, SERVICE).at("/metadata/uid").asString()).isEqualTo(uid);
        }
    }

    private static void check(DevCluster cluster, int port) {
        JsonNode service = get(cluster, SERVICE);
        assertThat(service.at("/spec/clusterIP").asString()).isEqualTo("10.96.0.1");
        assertThat(service.at("/spec/ports/0/port").asInt()).isEqualTo(443);
        assertThat(service.at("/spec/ports/0/targetPort").asInt()).isEqualTo(port);
        assertThat(service.at("/metadata/labels/component").asString()).isEqualTo("apiserver");
        assertThat(get(cluster, ENDPOINTS).at("/subsets/0/addresses/0/ip").asString())
                .isEqualTo("127.0.0.1");
        assertThat(get(cluster, ENDPOINTS).at("/subsets/0/ports/0/port").asInt())
                .isEqualTo(port);
        JsonNode slice = get(cluster, SLICE);
        assertThat(slice.at("/metadata/labels/kubernetes.io~1service-name").asString())
                .isEqualTo("kubernetes");
        assertThat(slice.at("/endpoints/0/addresses/0").asString()).isEqualTo("127.0.0.1");
        assertThat(slice.at("/ports/0/port").asInt()).isEqualTo(port);
    }

    private static int port(DevCluster cluster) {
        return Integer.parseInt(cluster.url().substring(cluster.url().lastIndexOf(':') + 1));
    }

    private static JsonNode get(DevCluster cluster, String path) {
        ApiResponse response = cluster.handle(
                ApiRequest.of("GET", path, Map.of("authorization", "Bearer " + cluster.token()), new byte[0]));
        return Json.parse(((ApiResponse.Whole) response.body()).bytes());
    }
}
