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
    private static final String ACCOUNT = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: operator, namespace: default}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: operator}
            rules:
            - {apiGroups: [bench.kopf4j.dev], resources: [samples, samples/status], verbs: [list, watch, get, patch]}
            - {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [list, watch]}
            - {apiGroups: [""], resources: [namespaces], verbs: [list, watch]}
            - {apiGroups: ["", events.k8s.io], resources: [events], verbs: [create, patch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: operator}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
            subjects: [{kind: ServiceAccount, name: operator, namespace: default}]
            """;

    /** Makes the account; the answer is a line for {@link dev.kopf4j.benchmarks.load.ServerAddress#parse}. */
    String prepare() throws IOException {
        cluster.apply(ACCOUNT);
        String token = token();
        Path kubeconfig = Files.createTempFile("kopf4j-benchmark", ".kubeconfig");
        kubeconfig.toFile().deleteOnExit();
        Files.writeString(kubeconfig, cluster.kubeconfig().replace(cluster.token(), token));
        return String.join(" ", cluster.url(), cluster.token(), token, kubeconfig.toString());
    }

    private String token() {
        ApiResponse response = cluster.handle(ApiRequest.of(
                "POST",
                "/api/v1/namespaces/default/serviceaccounts/operator/token",
                Map.of("Authorization", "Bearer " + cluster.token(), "Content-Type", "application/json"),
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":86400}}"
                        .getBytes(StandardCharsets.UTF_8)));
        if (response.body() instanceof ApiResponse.Whole(byte[] bytes) && response.status() == 201) {
            return new JsonMapper().readTree(bytes).path("status").path("token").asString("");
        }
        throw new IllegalStateException("the cluster has given no token: " + response.status());
    }
}
