package dev.kopf4j.benchmarks.process;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The account of a measured program on a cluster where RBAC decides, with the rights that it needs and its token.
 *
 * @param cluster with TLS and RBAC
 */
record SecuredCluster(DevCluster cluster) {
    /** Makes the account; the answer is a line for {@link dev.kopf4j.benchmarks.load.ServerAddress#parse}. */
    String prepare() throws IOException {
        cluster.apply(OperatorAccount.MANIFESTS);
        String token = token();
        Path kubeconfig = Files.createTempFile("kopf4j-benchmark", ".kubeconfig");
        kubeconfig.toFile().deleteOnExit();
        Files.writeString(kubeconfig, cluster.kubeconfig().replace(cluster.token(), token));
        return String.join(" ", cluster.url(), cluster.token(), token, kubeconfig.toString());
    }

    private String token() {
        ApiResponse response = cluster.handle(ApiRequest.of(
                "POST",
                "/api/v1/namespaces/default/serviceaccounts/" + OperatorAccount.NAME + "/token",
                Map.of("Authorization", "Bearer " + cluster.token(), "Content-Type", "application/json"),
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":86400}}"
                        .getBytes(StandardCharsets.UTF_8)));
        if (response.body() instanceof ApiResponse.Whole(byte[] bytes) && response.status() == 201) {
            return new JsonMapper().readTree(bytes).path("status").path("token").asString("");
        }
        throw new IllegalStateException("the cluster has given no token: " + response.status());
    }
}
