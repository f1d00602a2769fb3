package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.DevCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Webhooks that cannot be called, over sockets. Tests {@link HttpWebhookCaller}. */
class UnreachableWebhooksTest {
    private static void asks(DevCluster cluster, int port) {
        cluster.apply("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: checks}
                webhooks:
                - name: check.example.com
                  rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
                  clientConfig: {url: "https://127.0.0.1:%s/check"}
                  sideEffects: None
                  admissionReviewVersions: [v1]
                """.formatted(port));
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: default}}");
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void areToldWithAddressAndCause() throws IOException {
        ServerSocket gone = listening();
        gone.close();
        try (DevCluster cluster = DevCluster.start()) {
            assertThatThrownBy(() -> asks(cluster, gone.getLocalPort()))
                    .hasMessageContaining("failed calling webhook \"check.example.com\": failed to call webhook: Post"
                            + " \"https://127.0.0.1:" + gone.getLocalPort()
                            + "/check?timeout=10s\": dial tcp: connection refused");
        }
    }

    @Test
    void whoHangsUpIsToldAsSuch() throws IOException {
        try (DevCluster cluster = DevCluster.start();
                ServerSocket server = listening()) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        server.accept().close();
                    }
                } catch (IOException e) {
                    // the test has ended
                }
            });
            assertThatThrownBy(() -> asks(cluster, server.getLocalPort()))
                    .hasMessageContaining("failed to call webhook: Post \"https://127.0.0.1:" + server.getLocalPort()
                            + "/check?timeout=10s\": ")
                    .hasMessageNotContainingAny(": null", "dial tcp");
        }
    }
}
