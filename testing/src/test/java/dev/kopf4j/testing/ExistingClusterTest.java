package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.devcluster.DevCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same test runs against a cluster that exists. */
@Tag("L49")
class ExistingClusterTest {
    private static volatile String seenNamespace = "";

    @Disabled("run by the test below")
    @KopfTest(KopfTestTest.Greeter.class)
    static class Inner {
        @Test
        void greets(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            seenNamespace = cluster.namespace();
            cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}");
            var created = client.configMaps().withName("x").get();
            operator.awaitHandled(created);
            operator.awaitEvent("Greeted");
            assertThat(operator.calls("greet"))
                    .singleElement()
                    .satisfies(call -> assertThat(call.object()).isEqualTo(cluster.namespace() + "/x"));
        }
    }

    static class Cleaning {
        @OnDelete("configmaps")
        void clean() {}
    }

    /** Its object has the operator's finalizer. */
    @Disabled("run by the test below")
    @KopfTest(Cleaning.class)
    static class WithFinalizer {
        @Test
        void leavesAnObject(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            seenNamespace = cluster.namespace();
            cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}");
            var created =
                    operator.awaitHandled(client.configMaps().withName("x").get());
            assertThat(created.getMetadata().getFinalizers()).hasSize(1);
        }
    }

    @Disabled("run by the test below")
    @KopfTest(builder = "everything")
    static class Clusterwide {
        static OperatorBuilder everything() {
            return Operator.builder().clusterwide().handlers(new Cleaning());
        }

        @Test
        void handlesEverything() {}
    }

    @Disabled("run by the test below")
    @KopfTest(value = Cleaning.class, serviceAccount = "default/operator")
    static class WithServiceAccount {
        @Test
        void showsNothing() {}
    }

    @CustomResource(group = "kopf.dev", version = "v2")
    record Cake(CakeSpec spec) {}

    record CakeSpec(String taste) {}

    static class Bakery {
        @OnCreate
        void bake(Cake cake) {}
    }

    @Disabled("run by the test below")
    @KopfTest(Bakery.class)
    static class WithDefinition {
        @Test
        void needsItsOwnVersion() {}
    }

    private static final String OTHER_DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: cakes.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {plural: cakes, singular: cake, kind: Cake}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @Test
    void whatOthersHaveInTheClusterIsLeftAlone(@TempDir Path folder) {
        Path kubeconfig = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.writeKubeconfig(kubeconfig);
            cluster.apply(OTHER_DEFINITION);
            System.setProperty("kopf4j.test.cluster", kubeconfig.toString());
            try (KubernetesClient admin = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                    .build()) {
                assertThat(FailingTests.report(WithFinalizer.class)).isEmpty();
                assertThat(admin.namespaces().withName(seenNamespace).get()).isNull();
                assertThat(FailingTests.report(Clusterwide.class)).contains("it would handle the objects of others");
                assertThat(FailingTests.report(WithServiceAccount.class)).contains("the test would show nothing");
                assertThat(FailingTests.report(WithDefinition.class))
                        .contains("the cluster has a definition cakes.kopf.dev that differs");
                assertThat(admin.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName("cakes.kopf.dev")
                                .get()
                                .getSpec()
                                .getVersions())
                        .extracting(version -> version.getName())
                        .containsExactly("v1");
            } finally {
                System.clearProperty("kopf4j.test.cluster");
            }
        }
    }

    @Test
    void inANamespaceOfItsOwnWhichIsDeleted(@TempDir Path folder) {
        Path kubeconfig = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.writeKubeconfig(kubeconfig);
            System.setProperty("kopf4j.test.cluster", kubeconfig.toString());
            try {
                assertThat(FailingTests.report(Inner.class)).isEmpty();
            } finally {
                System.clearProperty("kopf4j.test.cluster");
            }
            assertThat(seenNamespace).startsWith("kopf4j-test-");
        }
    }
}
