package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.WebhookServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Two replicas in processes of their own, behind one Service, while objects are written all the time. */
@Execution(ExecutionMode.CONCURRENT)
class WebhookReplicasTest {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/hooks";
    private static final String HOOKS =
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/auto.kopf.dev";
    private static final String SECRET = "/api/v1/namespaces/default/secrets/hooks-ca";

    @TempDir
    private Path folder;

    private final int[] ports = freePorts(4);
    private final TestCluster cluster = TestCluster.start(Options.defaults()
            .webhookServices(WebhookServices.of(Map.of())
                    .with("default/hooks", ports[0], Optional.of(served(ports[1])))
                    .with("default/hooks", ports[2], Optional.of(served(ports[3])))));

    /**
     * Ports below those that systems give to clients: one of these could be taken by any connection before it is used
     * here.
     */
    private static int[] freePorts(int count) {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                ports.add(free.getLocalPort());
            } catch (IOException e) {
                System.out.println("port " + port + " is taken: " + e.getMessage());
            }
        }
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    private static URI readiness(int port) {
        return URI.create("http://127.0.0.1:" + port + "/ready");
    }

    /** What the manifests let a Service look at. */
    private static URI served(int port) {
        return URI.create(readiness(port) + "/webhooks");
    }

    @BeforeEach
    void define() {
        cluster.define();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private RunningProgram start(String name, int first, String lives) {
        Path file = TextFile.write(folder.resolve(name + ".java"), """
                import dev.kopf4j.*;
                import dev.kopf4j.webhook.*;
                import java.time.Duration;

                class Hooks {
                    @OnValidate("kopfexamples")
                    void check(Spec spec) {
                        if (spec.getString("field", "").equals("bad")) {
                            throw new AdmissionException("The field is bad.");
                        }
                    }

                    @OnStartup
                    void configure(OperatorSettings settings) {
                        settings.admission().managed("auto.kopf.dev").server(WebhookServer.local()
                                .address("127.0.0.1")
                                .port(%s)
                                .service("default", "hooks", 443)
                                .fileCheckInterval(Duration.ofMillis(300))
                                .authority(WebhookAuthority.inSecret("default", "hooks-ca")%s));
                    }
                }
                """.formatted(ports[first], lives));
        return Kopf4j.start(
                Map.of("POD_NAME", name),
                "run",
                "-A",
                "--kubeconfig",
                cluster.writeKubeconfig(folder.resolve("kubeconfig")).toString(),
                "--leader-elect",
                "--set",
                "leaderElection.leaseName=hooks",
                "--set",
                "leaderElection.leaseNamespace=default",
                "--set",
                "leaderElection.identity=" + name,
                "--readiness",
                readiness(ports[first + 1]).toString(),
                file.toString());
    }

    private static void awaitReady(RunningProgram... replicas) {
        for (RunningProgram each : replicas) {
            each.awaitLog("The operator is ready", Kopf4j.PATIENCE);
        }
    }

    private String leader() {
        return cluster.get(LEASE).at("/spec/holderIdentity").asString("");
    }

    @Test
    @Tag("J35")
    void theLeaderIsStoppedAndNoRequestIsRefused() {
        try (RunningProgram a = start("a", 0, "");
                RunningProgram b = start("b", 2, "")) {
            awaitReady(a, b);
            await("a leader").atMost(Kopf4j.PATIENCE).until(() -> !leader().isEmpty());
            RunningProgram leader = leader().startsWith("a") ? a : b;
            try (WebhookLoad load = new WebhookLoad(cluster)) {
                load.awaitMore(20);
                leader.terminate();
                assertThat(leader.awaitExit(Kopf4j.PATIENCE)).as("%s", leader).isZero();
                load.awaitMore(20);
                assertThat(load.refusals()).isEmpty();
            }
            assertThat(cluster.get(HOOKS).path("webhooks"))
                    .as("the other one serves them")
                    .hasSize(1);
        }
    }

    @Test
    @Tag("J35")
    void aReplicaThatIsKilledIsNotAskedAnyMore() {
        try (RunningProgram a = start("a", 0, "");
                RunningProgram b = start("b", 2, "")) {
            awaitReady(a, b);
            a.kill();
            await("the other one").atMost(Kopf4j.PATIENCE).until(() -> WebhookLoad.isAccepted(cluster, "first"));
            try (WebhookLoad load = new WebhookLoad(cluster)) {
                load.awaitMore(20);
                assertThat(load.refusals()).isEmpty();
            }
        }
    }

    @Test
    @Tag("J32")
    void theAuthorityRotatesUnderLoadAndNoRequestIsRefused() {
        String lives = ".validFor(Duration.ofSeconds(40)).rotatedBefore(Duration.ofSeconds(30))"
                + ".announcedFor(Duration.ofSeconds(4)).certificatesValidFor(Duration.ofSeconds(36))";
        try (RunningProgram a = start("a", 0, lives);
                RunningProgram b = start("b", 2, lives)) {
            awaitReady(a, b);
            Set<String> signers = new HashSet<>();
            Set<Integer> trusted = new HashSet<>();
            try (WebhookLoad load = new WebhookLoad(cluster)) {
                await("a rotation").atMost(Duration.ofSeconds(90)).until(() -> {
                    signers.add(cluster.get(SECRET).at("/data/tls.crt").asString(""));
                    trusted.add(trustedAuthorities());
                    return signers.size() > 1 && hasRenewed(a) && hasRenewed(b) && trusted.containsAll(Set.of(1, 2));
                });
                load.awaitMore(20);
                assertThat(load.refusals()).isEmpty();
            }
            assertThat(trusted).contains(1, 2);
        }
    }

    private static boolean hasRenewed(RunningProgram replica) {
        return replica.logged("The certificate of the webhook server is renewed.") > 0;
    }

    private int trustedAuthorities() {
        JsonNode bundle = cluster.get(HOOKS).at("/webhooks/0/clientConfig/caBundle");
        String pem = new String(Base64.getDecoder().decode(bundle.asString("")), StandardCharsets.US_ASCII);
        return pem.split("-----BEGIN", -1).length - 1;
    }
}
