package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples that have no test of their own: each does what its README says. */
@Timeout(90)
@Tag("L70")
class OtherExamplesTest {
    @Test
    void callsAllHandlersOfChanges() {
        try (RunningProgram operator = start("05-handlers");
                KubernetesClient client = Kopf4j.client(operator)) {
            operator.awaitLog("Creation is processed: 3 succeeded; 0 failed.", Kopf4j.PATIENCE);
            assertThat(operator.errors())
                    .contains(
                            "APPEARED, reason CREATE",
                            "CREATED with the field value",
                            "FIELD changed from null to value")
                    .doesNotContain("RESUMED");
            change(client);
            operator.awaitLog("UPDATED CHANGE of spec.field from value to changed", Kopf4j.PATIENCE);
            operator.awaitLog("FIELD changed from value to changed", Kopf4j.PATIENCE);
            object(client).delete();
            operator.awaitLog("DELETED", Kopf4j.PATIENCE);
            await().atMost(Kopf4j.PATIENCE).until(() -> object(client).get() == null);
        }
    }

    @Test
    void postsEventsForPeople() {
        try (RunningProgram operator = start("04-k8s-events");
                KubernetesClient client = Kopf4j.client(operator)) {
            awaitReasons(client, "Created", "Unfinished", "MyReason", "IllegalStateException");
            patch(client, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
            awaitReasons(client, "Updated");
        }
    }

    private static void awaitReasons(KubernetesClient client, String... reasons) {
        await().atMost(Kopf4j.PATIENCE)
                .untilAsserted(() -> assertThat(client.v1()
                                .events()
                                .inNamespace("default")
                                .list()
                                .getItems())
                        .extracting(Event::getReason)
                        .contains(reasons));
    }

    @Test
    void seesRawEvents() {
        try (RunningProgram operator = start("08-events");
                KubernetesClient client = Kopf4j.client(operator)) {
            operator.awaitLog("Event received: (listed)", Kopf4j.PATIENCE);
            operator.awaitLog("Oops!", Kopf4j.PATIENCE);
            change(client);
            operator.awaitLog("Event received: MODIFIED", Kopf4j.PATIENCE);
            object(client).delete();
            operator.awaitLog("Event received: DELETED", Kopf4j.PATIENCE);
        }
    }

    @Test
    void knowsPodsByTheirNodes() {
        try (RunningProgram operator = start("16-indexing");
                KubernetesClient client = Kopf4j.client(operator)) {
            operator.awaitLog("Creation is processed: 1 succeeded; 0 failed.", Kopf4j.PATIENCE);
            patch(client, "{\"spec\":{\"node\":\"node-b\"}}");
            operator.awaitLog("Pod[namespace=default, name=web-2] runs [example.com/web:2]", Kopf4j.PATIENCE);
            client.pods()
                    .inNamespace("default")
                    .withName("web-1")
                    .withGracePeriod(0) // there is no kubelet that would end it in time
                    .delete();
            await().atMost(Kopf4j.PATIENCE)
                    .until(() -> client.pods()
                                    .inNamespace("default")
                                    .withName("web-1")
                                    .get()
                            == null);
            patch(client, "{\"spec\":{\"node\":\"node-a\"}}");
            await().atMost(Kopf4j.PATIENCE).until(() -> report(client).contains("pods=[]"));
        }
    }

    private static String report(KubernetesClient client) {
        Object report = object(client).get().get("status", "report");
        return String.valueOf(report);
    }

    private static RunningProgram start(String example) {
        return Kopf4j.start("run", "--devcluster", "examples/" + example + "/Example.java");
    }

    private static void change(KubernetesClient client) {
        patch(client, "{\"spec\":{\"field\":\"changed\"}}");
    }

    private static void patch(KubernetesClient client, String body) {
        object(client).patch(PatchContext.of(PatchType.JSON_MERGE), body);
    }

    private static Resource<GenericKubernetesResource> object(KubernetesClient client) {
        return client.genericKubernetesResources("kopf.dev/v1", "KopfExample")
                .inNamespace("default")
                .withName("kopf-example-1");
    }
}
