package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnValidate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Patch;
import dev.kopf4j.RequestHeaders;
import dev.kopf4j.View;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import dev.kopf4j.webhook.WebhookServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Webhooks in virtual time and in simulations: nobody opens a socket. */
class VirtualWebhooksTest {
    static class Sizes {
        @OnValidate("configmaps")
        void checkSize(View body) {
            if (body.getInt("data.size", 0) > 9) {
                throw new AdmissionException("too large");
            }
        }

        @OnMutate("configmaps")
        void fill(View body, Patch patch) {
            if (!body.has("data.size")) {
                patch.set("data.size", "1");
            }
        }

        @OnCreate("configmaps")
        void create() {}
    }

    /** In the cluster it listens; here nobody has to tell it apart. */
    static class WithServer extends Sizes {
        @OnStartup
        void configure(OperatorSettings settings) {
            settings.admission().server(WebhookServer.local().port(9443)).managed("sizes.example.com");
        }
    }

    private static ConfigMap map(String name, String size) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData(size.isEmpty() ? "other" : "size", size)
                .build();
    }

    private static void areAsked(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThat(client.resource(map("x", "")).create().getData()).containsEntry("size", "1");
        assertThatThrownBy(() -> client.resource(map("y", "10")).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("denied the request: too large");
        operator.awaitHandled(map("x", ""));
        assertThat(operator.calls("checkSize")).hasSizeGreaterThan(1);
    }

    @Test
    @KopfTest(value = Sizes.class, time = TestTime.VIRTUAL)
    void theyAreAskedWithoutASetting(TestedOperator operator, KubernetesClient client) {
        areAsked(operator, client);
    }

    @Test
    @KopfTest(value = WithServer.class, time = TestTime.VIRTUAL)
    void theyAreAskedWhateverServerTheOperatorChooses(TestedOperator operator, KubernetesClient client) {
        areAsked(operator, client);
    }

    @Test
    @KopfTest(value = Sizes.class, time = TestTime.VIRTUAL)
    void whoIsGoneIsNotAsked(TestedOperator operator, KubernetesClient client, TestClock clock) {
        operator.awaitIdle();
        operator.kill();
        assertThatThrownBy(() -> client.resource(map("x", "")).create())
                .hasMessageContaining("failed to call webhook")
                .hasMessageContaining("connection refused, as no operator serves");
        operator.restart();
        clock.advance(Duration.ofSeconds(5));
        assertThat(client.resource(map("x", "")).create().getData()).containsEntry("size", "1");
    }

    /** Lets those through who say who they are, as API servers do. */
    static class Introduced {
        @OnValidate("configmaps")
        void check(RequestHeaders headers) {
            if (!headers.toMap().keySet().containsAll(List.of("Accept", "Content-Length", "Content-Type", "Host"))
                    || !headers.get("User-Agent").equals(Optional.of("kube-apiserver-admission"))) {
                throw new AdmissionException("who are you? " + headers);
            }
        }

        @OnCreate("configmaps")
        void create() {}
    }

    @Test
    @KopfTest(value = Introduced.class, time = TestTime.VIRTUAL)
    void theServerSaysWhoItIs(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThat(client.resource(map("x", "1")).create()).isNotNull();
    }

    @Test
    @KopfTest(value = Introduced.class, builder = "withServer")
    void soItDoesInRealTime(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThat(client.resource(map("x", "1")).create()).isNotNull();
    }

    static void withServer(OperatorBuilder builder) {
        builder.settings(
                settings -> settings.admission().managed("auto.example.com").server(WebhookServer.auto()));
    }

    static class Chosen {
        @OnValidate(value = "configmaps", when = "isChosen")
        void check() {}

        boolean isChosen(String name) {
            return name.equals("chosen");
        }

        @OnCreate("configmaps")
        void create() {}
    }

    @Test
    @KopfTest(value = Chosen.class, time = TestTime.VIRTUAL)
    void aReviewThatAFilterAnswersNeedNotBeWaitedFor(KubernetesClient client) {
        client.resource(map("x", "1")).create();
    }

    static class Stubborn {
        @OnValidate(value = "configmaps", operations = AdmissionOperation.UPDATE)
        void checkSize(View body) {
            throw new AdmissionException("too large");
        }

        @OnDelete("configmaps")
        void delete() {}
    }

    @Test
    @KopfTest(value = Stubborn.class, time = TestTime.VIRTUAL, reraise = false)
    void anOperatorThatRefusesItsOwnChangesIsToldSo(TestedOperator operator, TestCluster cluster, TestClock clock) {
        operator.awaitIdle();
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}");
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.logs())
                .anyMatch(line -> line.toString().contains("denied the request: too large")
                        && line.toString().contains("If the webhook is the operator's own"));
    }

    static class Names {
        @OnValidate("configmaps")
        void checkName(View body) {
            if (body.has("data.size")) {
                throw new AdmissionException("there is one already", 409);
            }
        }
    }

    @Test
    @KopfTest(value = Names.class, time = TestTime.VIRTUAL)
    void aRefusalWithTheCodeOfAConflictIsTold(TestedOperator operator, TestCluster cluster) {
        operator.awaitIdle();
        assertThatThrownBy(() ->
                        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {size: \"1\"}}"))
                .hasMessageContaining("there is one already");
    }

    @Simulated(value = Sizes.class, seeds = 10)
    void nothingTooLargeGetsIn(Simulation simulation) {
        simulation
                .step("create", world -> {
                    boolean asked = world
                            .client()
                            .admissionRegistration()
                            .v1()
                            .validatingWebhookConfigurations()
                            .list()
                            .getItems()
                            .stream()
                            .anyMatch(each -> !each.getWebhooks().isEmpty());
                    if (!asked) {
                        return; // the operator has not begun yet, or has taken its webhooks back at its end
                    }
                    try {
                        int number = world.random().nextInt(1000);
                        world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: m" + number
                                + "}, data: {size: \"" + world.random().nextInt(20) + "\"}}");
                    } catch (IllegalArgumentException refused) {
                        assertThat(refused).hasMessageContaining("webhook");
                    }
                })
                .always(
                        "no size is above nine",
                        world -> assertThat(world.client().configMaps().list().getItems())
                                .filteredOn(each -> each.getMetadata().getName().startsWith("m"))
                                .allMatch(
                                        each -> Integer.parseInt(each.getData().get("size")) <= 9));
    }
}
