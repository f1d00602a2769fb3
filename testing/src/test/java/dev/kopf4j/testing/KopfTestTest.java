package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.testing.assertion.KopfAssertions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("N01")
@Tag("L49")
@Tag("K09")
@KopfTest(KopfTestTest.Greeter.class)
class KopfTestTest {
    static class Greeter {
        @OnCreate("configmaps")
        String greet(String name, String namespace, int retry, KubernetesClient client) {
            if (name.equals("late") && retry == 0) {
                throw new TemporaryException("not yet", Duration.ofMillis(50));
            }
            System.out.println("hello " + name);
            Kopf.info("Greeted", "Hello, " + name + ".");
            client.configMaps()
                    .inNamespace(namespace)
                    .withName(name)
                    .edit(map -> new ConfigMapBuilder(map)
                            .addToData("greeting", "Hello, " + name)
                            .build());
            return "greeted";
        }

        @OnDelete("configmaps")
        void leave() {}
    }

    static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void waitsUntilAnObjectIsHandled(TestedOperator operator, KubernetesClient client) {
        ConfigMap created = client.resource(configMap("x")).create();
        operator.awaitHandled(created);
        assertThat(client.resource(created).get().getData()).containsEntry("greeting", "Hello, x");
        assertThat(operator.calls("greet")).hasSize(1);
    }

    @Test
    void waitsForRetriesAndDeletions(TestedOperator operator, KubernetesClient client) {
        ConfigMap created = client.resource(configMap("late")).create();
        operator.awaitHandled(created);
        assertThat(operator.calls("greet")).hasSize(2);
        client.resource(created).delete();
        operator.awaitHandled(created);
        assertThat(client.resource(created).get()).isNull();
        assertThat(operator.calls("leave")).hasSize(1);
        operator.awaitIdle();
    }

    @Test
    void waitsForKubernetesEvents(TestedOperator operator, KubernetesClient client, DevCluster cluster) {
        cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}");
        assertThat(operator.awaitEvent("Greeted").getMessage()).isEqualTo("Hello, x.");
        assertThat(operator.output()).contains("hello x\n");
    }

    static class Reader {
        @OnCreate("configmaps")
        void read(String name, String namespace, KubernetesClient client) {
            client.configMaps().inNamespace(namespace).withName(name).get();
            client.secrets()
                    .inNamespace(namespace)
                    .resource(new SecretBuilder()
                            .withNewMetadata()
                            .withGenerateName("child-")
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    @Test
    @KopfTest(value = Reader.class, time = TestTime.VIRTUAL)
    void historiesHaveWhatHandlersReadAndTheNamesOfWhatTheyCreate(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        String child =
                client.secrets().list().getItems().getFirst().getMetadata().getName();
        assertThat(operator.history())
                .anySatisfy(line -> assertThat(line)
                        .contains("GET /api/v1/namespaces/default/configmaps/x")
                        .endsWith(" 200"))
                .anySatisfy(line -> assertThat(line)
                        .contains("POST /api/v1/namespaces/default/secrets")
                        .endsWith(" 201 " + child));
    }

    static class Orders {
        @OnCreate("configmaps")
        void order(String name, String namespace, String uid, KubernetesClient client) {
            client.events()
                    .v1()
                    .events()
                    .resource(new EventBuilder()
                            .withNewMetadata()
                            .withName("order")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withReason("Ordered")
                            .withNote("a server")
                            .withAction("Order")
                            .withType("Normal")
                            .withReportingController("example.com/orders")
                            .withReportingInstance("orders-0")
                            .withEventTime(new MicroTime("2026-01-01T00:00:00.000000Z"))
                            .withNewRegarding()
                            .withApiVersion("v1")
                            .withKind("ConfigMap")
                            .withName(name)
                            .withNamespace(namespace)
                            .withUid(uid)
                            .endRegarding()
                            .build())
                    .create();
        }
    }

    private static void waitsForAnOrder(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        Event event = operator.awaitEvent(
                "about x", each -> each.getInvolvedObject().getName().equals("x"));
        assertThat(event.getReason()).isEqualTo("Ordered");
        assertThat(event.getMessage()).isEqualTo("a server");
        assertThat(event.getReportingComponent()).isEqualTo("example.com/orders");
        KopfAssertions.assertThat(operator).hasCalled("order").once().succeeded();
    }

    @Test
    @KopfTest(Orders.class)
    void waitsForEventsOfTheNewerApi(TestedOperator operator, KubernetesClient client) {
        waitsForAnOrder(operator, client);
    }

    @Test
    @KopfTest(value = Orders.class, time = TestTime.VIRTUAL)
    void waitsForEventsOfTheNewerApiInVirtualTime(TestedOperator operator, KubernetesClient client) {
        waitsForAnOrder(operator, client);
    }

    static class Comparing {
        @OnEvent("configmaps")
        void compare(String name, KubernetesClient client) {
            client.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .dryRun()
                    .create();
        }
    }

    @Test
    @KopfTest(value = Comparing.class, time = TestTime.VIRTUAL)
    void aDryRunIsNoWriteAndLeavesNoState(TestedOperator operator, KubernetesClient client) {
        client.resource(configMap("x")).create();
        operator.awaitCalls("compare", 1);
        assertThat(operator.snapshots("ConfigMap", "x")).hasSize(1);
        assertThat(operator.snapshots("Secret", "x")).isEmpty();
        assertThat(operator.history()).anyMatch(line -> line.contains("/secrets (dry run) 201"));
        KopfAssertions.assertThat(operator).hasWrittenNothing();
    }
}
