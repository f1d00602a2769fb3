package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.devcluster.DevCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Goal: processes that share the objects handle each change of each object exactly once, whoever of them is suspended,
 * killed, stopped or started. Method: three processes, real HTTP; all objects are changed after each of these.
 *
 * <p>{@code e2e/shards --kubeconfig FILE} runs it on a cluster that exists, with 5,000 objects.
 */
@Timeout(1200)
class ShardedProcessesTest {
    private static final int OBJECTS = Integer.getInteger("kopf4j.objects", 60);
    private static final String CLUSTER = System.getProperty("kopf4j.test.cluster", "");
    private static final String NAMESPACE = "sharded-processes";
    private static final ResourceDefinitionContext EXAMPLES = new ResourceDefinitionContext.Builder()
            .withGroup("kopf.dev")
            .withVersion("v1")
            .withPlural("kopfexamples")
            .withKind("KopfExample")
            .withNamespaced(true)
            .build();

    /** Beside the time that so many changes take. */
    private static final Duration PATIENCE = Kopf4j.PATIENCE.plus(Duration.ofMillis(20L * OBJECTS));

    @TempDir
    private Path folder;

    private @Nullable DevCluster devCluster;
    private @Nullable KubernetesClient opened;
    private final Map<String, RunningProgram> replicas = new HashMap<>();

    @AfterEach
    void end() {
        for (RunningProgram each : replicas.values()) {
            each.close();
        }
        if (opened != null) {
            opened.namespaces().withName(NAMESPACE).delete();
            opened.close();
        }
        if (devCluster != null) {
            devCluster.close();
        }
    }

    private KubernetesClient client() {
        return Objects.requireNonNull(opened);
    }

    private Path openCluster() {
        Path file = CLUSTER.isEmpty() ? folder.resolve("kubeconfig") : Path.of(CLUSTER);
        if (CLUSTER.isEmpty()) {
            devCluster = DevCluster.start();
            devCluster.writeKubeconfig(file);
        }
        opened = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(file.toFile()))
                .build();
        client().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        String definition = TestCluster.manifest("examples/01-minimal/crd.yaml");
        client().load(new ByteArrayInputStream(definition.getBytes(StandardCharsets.UTF_8)))
                .serverSideApply();
        return file;
    }

    private void start(String name, Path kubeconfig) {
        replicas.put(
                name,
                Kopf4j.start(
                        Map.of(LoggedHandlers.FILE, folder.resolve("calls").toString(), "HOSTNAME", name),
                        "run",
                        "-n",
                        NAMESPACE,
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--standalone",
                        "--shards",
                        "16",
                        "--set",
                        "leaderElection.leaseNamespace=" + NAMESPACE,
                        "--set",
                        "leaderElection.leaseDuration=6s",
                        "--set",
                        "leaderElection.renewDeadline=4s",
                        "--set",
                        "leaderElection.retryPeriod=500ms",
                        "-m",
                        ShardedHandlers.class.getName(),
                        LoggedHandlers.folder().toString()));
    }

    private RunningProgram replica(String name) {
        return Objects.requireNonNull(replicas.get(name));
    }

    /** Waits until each shard has the holder that it is to have, and these replicas are all holders. */
    private void awaitShared(String... names) {
        awaitTrue("shared by " + Set.of(names), () -> holders().equals(Set.of(names)));
    }

    private void awaitTrue(String what, Callable<Boolean> condition) {
        try {
            await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + " was not seen: " + holders() + " " + replicas, e);
        }
    }

    private Set<String> holders() {
        Lease group =
                client().leases().inNamespace(NAMESPACE).withName("kopf4j").get();
        if (group == null) {
            return Set.of();
        }
        var assignment = JsonMapper.shared()
                .readTree(group.getMetadata().getAnnotations().getOrDefault("kopf4j.dev/shard-assignment", "{}"));
        if (!assignment.path("holders").equals(assignment.path("wanted"))) {
            return Set.of();
        }
        Set<String> found = new TreeSet<>();
        for (String id : assignment.path("holders").propertyNames()) {
            Lease member = client().leases()
                    .inNamespace(NAMESPACE)
                    .withName("kopf4j-" + id)
                    .get();
            found.add(
                    member == null
                            ? id
                            : String.valueOf(member.getSpec().getHolderIdentity())
                                    .replaceAll("_.*", ""));
        }
        return found;
    }

    private void change(int round) {
        IntStream.range(0, OBJECTS)
                .parallel()
                .forEach(i -> client().genericKubernetesResources(EXAMPLES)
                        .inNamespace(NAMESPACE)
                        .withName("x" + i)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"round\":" + round + "}}"));
    }

    private void create() {
        IntStream.range(0, OBJECTS).parallel().forEach(i -> {
            GenericKubernetesResource object = new GenericKubernetesResource();
            object.setApiVersion("kopf.dev/v1");
            object.setKind("KopfExample");
            object.setMetadata(new ObjectMetaBuilder().withName("x" + i).build());
            object.setAdditionalProperty("spec", Map.of("round", 0));
            client().genericKubernetesResources(EXAMPLES)
                    .inNamespace(NAMESPACE)
                    .resource(object)
                    .create();
        });
    }

    /** Each object has been handled in this round, once, by these replicas together. */
    private void awaitHandled(String call, String... by) throws IOException {
        awaitTrue(call, () -> calls(call).size() >= OBJECTS);
        awaitRecorded();
        List<String> calls = calls(call);
        assertThat(calls.stream().map(line -> line.split(" ", -1)[1]))
                .as(call)
                .doesNotHaveDuplicates()
                .hasSize(OBJECTS);
        Set<String> pids = new TreeSet<>();
        for (String name : by) {
            pids.add(Long.toString(replica(name).pid()));
        }
        assertThat(calls.stream().map(line -> line.substring(line.lastIndexOf(' ') + 1)))
                .as(call)
                .isSubsetOf(pids);
    }

    private List<String> calls(String call) throws IOException {
        Path file = folder.resolve("calls");
        List<String> found = new ArrayList<>();
        if (Files.exists(file)) {
            String[] parts = call.split(" ", -1);
            for (String line : Files.readAllLines(file)) {
                boolean matches = line.startsWith(parts[0] + " ")
                        && (parts.length == 1 || line.split(" ", -1)[2].equals(parts[1]));
                if (matches) {
                    found.add(line);
                }
            }
        }
        return found;
    }

    private void awaitRecorded() {
        awaitTrue(
                "what was handled is recorded",
                () -> client().genericKubernetesResources(EXAMPLES).inNamespace(NAMESPACE).list().getItems().stream()
                        .allMatch(object -> {
                            Object round = ((Map<?, ?>)
                                            object.getAdditionalProperties().get("spec"))
                                    .get("round");
                            Map<String, String> annotations =
                                    object.getMetadata().getAnnotations();
                            return annotations != null
                                    && annotations
                                            .getOrDefault("kopf.zalando.org/last-handled-configuration", "")
                                            .contains("\"round\":" + round + "}");
                        }));
    }

    @Test
    void eachChangeIsHandledExactlyOnce() throws Exception {
        Path kubeconfig = openCluster();
        start("one", kubeconfig);
        start("two", kubeconfig);
        start("three", kubeconfig);
        awaitShared("one", "two", "three");
        create();
        awaitHandled("created", "one", "two", "three");

        replica("two").signal("STOP");
        change(1);
        awaitHandled("updated 1", "one", "three");
        replica("two").signal("CONT");
        awaitShared("one", "two", "three");
        assertThat(replica("two").errors()).contains("Leaving the group of");
        change(2);
        awaitHandled("updated 2", "one", "two", "three");

        replica("three").kill();
        change(3);
        awaitHandled("updated 3", "one", "two");

        start("four", kubeconfig);
        awaitShared("one", "two", "four");
        replica("one").terminate();
        change(4);
        assertThat(replica("one").awaitExit(PATIENCE)).isZero();
        awaitHandled("updated 4", "one", "two", "four");
        change(5);
        awaitHandled("updated 5", "two", "four");
    }
}
