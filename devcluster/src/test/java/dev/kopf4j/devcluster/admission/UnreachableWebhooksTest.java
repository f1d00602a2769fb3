package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.DevCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Webhooks that cannot be called, or answer badly, over sockets. Tests {@link HttpWebhookCaller}. */
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

    /** Answers each connection by a head, and then by a body of the test. */
    private static void answers(ServerSocket server, Body body) {
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket connection = server.accept();
                    Thread.ofVirtual().start(() -> {
                        try (connection) {
                            OutputStream out = connection.getOutputStream();
                            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                            out.flush();
                            body.write(out);
                        } catch (IOException | InterruptedException e) {
                            // the caller has hung up
                        }
                    });
                }
            } catch (IOException e) {
                // the test has ended
            }
        });
    }

    private interface Body {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    private static byte[] call(HttpWebhookCaller caller, ServerSocket server, String name, Duration timeout)
            throws IOException {
        String url = "http://127.0.0.1:" + server.getLocalPort() + "/check";
        return caller.call(url, Optional.of(name), "", new byte[0], timeout);
    }

    @Test
    @Timeout(60)
    void whoStopsAmidTheAnswerIsGivenUpInTime() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        try (HttpWebhookCaller caller = new HttpWebhookCaller();
                ServerSocket server = listening()) {
            answers(server, out -> over.await());
            assertThatThrownBy(() -> call(caller, server, "a", Duration.ofMillis(200)))
                    .hasMessageEndingWith("/check\": context deadline exceeded");
            over.countDown();
        }
    }

    @Test
    void anAnswerWithoutEndIsNotKept() throws IOException {
        byte[] part = new byte[1024 * 1024];
        try (HttpWebhookCaller caller = new HttpWebhookCaller();
                ServerSocket server = listening()) {
            answers(server, out -> {
                for (int written = 0; written < 64; written++) {
                    out.write(part);
                }
            });
            assertThatThrownBy(() -> call(caller, server, "a", Duration.ofSeconds(30)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void callsGoOnWhileManyOtherWebhooksAreCalled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (HttpWebhookCaller caller = new HttpWebhookCaller();
                ServerSocket slow = listening();
                ServerSocket server = listening()) {
            answers(slow, out -> {
                begun.countDown();
                over.await();
                out.write('x');
            });
            answers(server, out -> out.write('y'));
            FutureTask<byte[]> first = new FutureTask<>(() -> call(caller, slow, "slow", Duration.ofSeconds(30)));
            Thread.ofVirtual().start(first);
            begun.await();
            for (int other = 0; other < 70; other++) {
                assertThat(call(caller, server, "other-" + other, Duration.ofSeconds(30)))
                        .containsExactly('y');
            }
            over.countDown();
            assertThat(first.get()).containsExactly('x');
        }
    }
}
