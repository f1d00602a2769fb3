package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnResume;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.RecordedCall;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects that somebody has made to stop an operator: a server accepts them, and they come in each list and watch. */
@KopfTest(value = HostileObjectsTest.Handlers.class, apply = HostileObjectsTest.DEFINITION, timeout = "60s")
class HostileObjectsTest {
    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: hostiles.guarantees.kopf4j.dev}
            spec:
              group: guarantees.kopf4j.dev
              names: {kind: Hostile, plural: hostiles, singular: hostile}
              scope: Namespaced
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    /** What all objects are handled by. */
    static final class Handlers {
        @OnCreate("hostiles")
        void create() {}

        @OnResume("hostiles")
        void resume() {}

        @OnDelete("hostiles")
        void delete() {}
    }

    private static String levels(int number) {
        return "{\"a\":".repeat(number) + "1" + "}".repeat(number);
    }

    /** Past the client's own reader, which has limits, too. */
    private static void create(KubernetesClient client, TestCluster cluster, String name, String spec) {
        String path = "/apis/guarantees.kopf4j.dev/v1/namespaces/" + cluster.namespace() + "/hostiles";
        client.raw(
                path,
                "POST",
                "{\"apiVersion\":\"guarantees.kopf4j.dev/v1\",\"kind\":\"Hostile\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":" + spec + "}");
    }

    @Test
    @Tag("B09")
    void anObjectWithHugeKeysAndManyLevelsStopsNoOtherOneNorItself(
            KubernetesClient client, TestCluster cluster, TestedOperator operator) {
        create(client, cluster, "before", "{}");
        create(client, cluster, "key", "{\"" + "k".repeat(60_000) + "\":1}");
        create(client, cluster, "levels", levels(900));
        create(client, cluster, "text", "{\"a\":\"" + "x".repeat(100_000) + "\"}");
        create(client, cluster, "after", "{}");
        operator.awaitCalls("create", 5);
        operator.awaitIdle();
        operator.restart();
        operator.awaitCalls("resume", 5);
        create(client, cluster, "later", "{}");
        operator.awaitCalls("create", 6);
        client.raw("/apis/guarantees.kopf4j.dev/v1/namespaces/" + cluster.namespace() + "/hostiles", "DELETE", null);
        operator.awaitCalls("delete", 6);
        assertThat(operator.calls()).allMatch(RecordedCall::succeeded);
    }

    /** Ten thousand levels are more than the stack of a thread has room for, unless the JVM is told so by -Xss8m. */
    @Test
    @KopfTest(
            value = HostileObjectsTest.Handlers.class,
            apply = HostileObjectsTest.DEFINITION,
            timeout = "60s",
            reraise = false)
    void anObjectThatIsNestedTooDeeplyIsToldAndStopsNoOtherOne(
            KubernetesClient client, TestCluster cluster, TestedOperator operator) {
        create(client, cluster, "before", "{}");
        create(client, cluster, "deepest", levels(9_900));
        create(client, cluster, "after", "{}");
        operator.awaitCalls("create", 2);
        operator.restart();
        create(client, cluster, "later", "{}");
        operator.awaitCalls("create", 3);
        operator.awaitEvent("Unreadable");
        assertThat(operator.logs().stream().filter(line -> line.message().contains("cannot be read")))
                .hasSizeBetween(1, 2);
    }
}
