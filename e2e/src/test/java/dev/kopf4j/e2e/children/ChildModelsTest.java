package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.DEPLOYMENTS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.VolumeResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Goal: children may be fabric8's models. Method: a dev cluster in simulated time. */
class ChildModelsTest {
    private static final String CORE = "/api/v1/namespaces/default/";

    private final ChildrenScenario scenario = new ChildrenScenario();

    @AfterEach
    void close() {
        scenario.close();
    }

    private OperatorBuilder models(OperatorBuilder operator) {
        return operator.onReconcile(
                "websites",
                "models",
                options -> options.children(
                        "deployments.v1.apps", "services", "secrets", "configmaps", "persistentvolumeclaims"),
                ChildModelsTest::models);
    }

    private static List<HasMetadata> models(HandlerContext context) {
        return List.of(
                deployment(context.name(), context.spec().getInt("replicas", 1)),
                new ServiceBuilder()
                        .withNewSpec()
                        .withSelector(Map.of("app", context.name()))
                        .addNewPort()
                        .withPort(80)
                        .withTargetPort(new IntOrString("http"))
                        .endPort()
                        .endSpec()
                        .build(),
                new SecretBuilder().withStringData(Map.of("key", "value")).build(),
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withLabels(Map.of("app", context.name()))
                        .endMetadata()
                        .withData(Map.of("text", context.spec().getString("text", "")))
                        .build(),
                new PersistentVolumeClaimBuilder()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .withRequests(Map.of("storage", new Quantity("1024Mi")))
                        .endResources()
                        .endSpec()
                        .build(),
                new GenericKubernetesResourceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withNewMetadata()
                        .withName(context.name() + "-generic")
                        .endMetadata()
                        .withAdditionalProperties(Map.of("data", Map.of("n", "1")))
                        .build());
    }

    private static Deployment deployment(String name, int replicas) {
        Map<String, String> labels = Map.of("app", name);
        return new DeploymentBuilder()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("nginx")
                .addNewPort()
                .withName("http")
                .withContainerPort(80)
                .endPort()
                .withNewReadinessProbe()
                .withNewHttpGet()
                .withPath("/")
                .withPort(new IntOrString(80))
                .endHttpGet()
                .endReadinessProbe()
                .withNewResources()
                .withLimits(Map.of("cpu", new Quantity("1000m"), "memory", new Quantity("0.5Gi")))
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    @Tag("M38")
    @Tag("M28")
    void areCreatedAndNothingDiffersAtRestOrAfterARestart() {
        scenario.start(this::models);
        scenario.website("home", "{replicas: 2, text: hello}");
        scenario.rest();
        JsonNode container = scenario.get(DEPLOYMENTS + "/home").at("/spec/template/spec/containers/0");
        assertThat(container.at("/readinessProbe/periodSeconds").asInt())
                .as("a default of the server")
                .isEqualTo(10);
        assertThat(container.at("/resources/limits/cpu").asString())
                .as("as the server writes 1000m")
                .isEqualTo("1");
        assertThat(scenario.get(CORE + "services/home")
                        .at("/spec/ports/0/targetPort")
                        .asString())
                .isEqualTo("http");
        assertThat(scenario.get(CORE + "secrets/home").at("/data/key").asString())
                .isEqualTo("dmFsdWU=");
        assertThat(scenario.get(CONFIG_MAPS + "/home-generic").at("/data/n").asString())
                .isEqualTo("1");
        scenario.changes();
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.changes()).as("requests at rest").isEmpty();
        scenario.stop();
        scenario.start(this::models).pass(Duration.ofMinutes(1));
        assertThat(scenario.changes()).as("requests after a restart").isEmpty();
    }

    private OperatorBuilder modelsInMaps(OperatorBuilder operator) {
        return operator.onReconcile(
                "websites",
                "models",
                options -> options.children("services", "persistentvolumeclaims"),
                context -> List.of(
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Service",
                                "spec",
                                Map.of("ports", List.of(Map.of("port", 80, "targetPort", new IntOrString(8080))))),
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "PersistentVolumeClaim",
                                "spec",
                                Map.of(
                                        "accessModes",
                                        List.of("ReadWriteOnce"),
                                        "resources",
                                        new VolumeResourceRequirementsBuilder()
                                                .addToRequests("storage", new Quantity("5Gi"))
                                                .build()))));
    }

    @Test
    @Tag("M38")
    void mayBePartsOfMaps() {
        scenario.start(this::modelsInMaps);
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.get(CORE + "services/home")
                        .at("/spec/ports/0/targetPort")
                        .asInt())
                .isEqualTo(8080);
        assertThat(scenario.get(CORE + "persistentvolumeclaims/home")
                        .at("/spec/resources/requests/storage")
                        .asString())
                .isEqualTo("5Gi");
    }

    @Test
    @Tag("M38")
    void followTheParentAndLeaveAloneWhatTheModelDoesNotSet() {
        scenario.start(this::models);
        scenario.website("home", "{replicas: 2, text: hello}");
        scenario.rest();
        scenario.edit(
                DEPLOYMENTS + "/home", "{spec: {replicas: 5, paused: true, template: {spec: {hostNetwork: true}}}}");
        scenario.rest();
        JsonNode repaired = scenario.get(DEPLOYMENTS + "/home").path("spec");
        assertThat(repaired.path("replicas").asInt()).isEqualTo(2);
        assertThat(repaired.path("paused").asBoolean()).isTrue();
        assertThat(repaired.at("/template/spec/hostNetwork").asBoolean()).isTrue();
        scenario.edit(WEBSITES + "/home", "{spec: {replicas: 3, text: bye}}");
        scenario.rest();
        assertThat(scenario.get(DEPLOYMENTS + "/home").at("/spec/replicas").asInt())
                .isEqualTo(3);
        assertThat(scenario.get(CONFIG_MAPS + "/home").at("/data/text").asString())
                .isEqualTo("bye");
    }
}
