package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.testing.assertion.KopfAssertions;
import dev.kopf4j.testing.environment.TestClients;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same test runs against a cluster that exists, and leaves alone there what is not its own. */
@Tag("L49")
class ExistingClusterTest {
    private static final String PARKS = "parks.example.com";
    private static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";
    private static final String ROLE = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: operator}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: [list, watch, patch]}
            """;
    private static volatile String seenNamespace = "";

    private DevCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start(@TempDir Path folder) {
        Path kubeconfig = folder.resolve("kubeconfig");
        cluster = DevCluster.start();
        cluster.writeKubeconfig(kubeconfig);
        client = TestClients.open(cluster.url(), cluster.token(), Optional.empty());
        System.setProperty("kopf4j.test.cluster", kubeconfig.toString());
    }

    @AfterEach
    void stop() {
        System.clearProperty("kopf4j.test.cluster");
        client.close();
        cluster.close();
    }

    static class Parks {
        @CustomResource(group = "example.com", version = "v1")
        record Park(ParkSpec spec) {}

        record ParkSpec(int trees) {}

        @OnCreate
        String plant(Park park) {
            return park.spec().trees() + " trees";
        }
    }

    /** Puts its finalizer on each config map that it sees. */
    static class Keeper {
        @OnCreate("configmaps")
        void create() {}

        @OnDelete("configmaps")
        void delete() {}
    }

    /** Does not let go what it has put its finalizer on. */
    static class Holder {
        @OnDelete("configmaps")
        void delete() {
            throw new TemporaryException("not yet", Duration.ofHours(1));
        }
    }

    static class Nodes {
        @OnEvent("nodes")
        void seen() {}
    }

    static class Admission {
        @OnValidate("configmaps")
        void check() {}
    }

    @Disabled("run by the tests below")
    static class Inner {
        @Test
        @KopfTest(KopfTestTest.Greeter.class)
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

        @Test
        @KopfTest(value = KopfTestTest.Greeter.class, timeout = "half a minute")
        void waitsForNoDuration() {}

        @Test
        @KopfTest(Parks.class)
        void plants(TestedOperator operator, TestCluster cluster) {
            seenNamespace = cluster.namespace();
            cluster.apply("""
                    apiVersion: example.com/v1
                    kind: Park
                    metadata: {name: x}
                    spec: {trees: 3}
                    """);
            assertThat(operator.awaitHandled(Parks.Park.class, "x").spec().trees())
                    .isEqualTo(3);
        }

        private static void keep(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            seenNamespace = cluster.namespace();
            operator.awaitHandled(client.resource(configMap("mine")).create());
            assertThat(client.configMaps().withName("mine").require().getFinalizers())
                    .containsExactly(FINALIZER);
            operator.awaitIdle();
        }

        @Test
        @KopfTest(builder = "everywhere")
        void keepsEverywhere(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            keep(operator, client, cluster);
        }

        @Test
        @KopfTest(builder = "elsewhere")
        void keepsElsewhere(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            keep(operator, client, cluster);
        }

        static OperatorBuilder everywhere() {
            return Operator.builder().clusterwide().handlers(Keeper.class);
        }

        static OperatorBuilder elsewhere() {
            return Operator.builder().namespaces("default").handlers(Keeper.class);
        }

        @Test
        @KopfTest(Keeper.class)
        void endsItsOperatorBefore(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            keep(operator, client, cluster);
            operator.close();
        }

        @Test
        @KopfTest(value = Holder.class, timeout = "5s")
        void neverLetsGo(TestedOperator operator, KubernetesClient client, TestCluster cluster) {
            keep(operator, client, cluster);
        }

        @Test
        @KopfTest(Nodes.class)
        void watchesNodes(TestedOperator operator) {
            operator.awaitIdle();
        }

        @Test
        @KopfTest(Admission.class)
        void hasWebhooks(TestedOperator operator) {
            operator.awaitIdle();
        }

        @Test
        @KopfTest(value = Keeper.class, serviceAccount = "default/operator")
        void logsIn(TestedOperator operator) {
            operator.awaitIdle();
        }

        @Test
        @KopfTest(Keeper.class)
        @DevClusterOptions(faults = "x2 PATCH ** 503")
        void hasFaults(TestedOperator operator) {
            operator.awaitIdle();
        }

        @Test
        @KopfTest(Keeper.class)
        void asksForRights(TestedOperator operator) {
            KopfAssertions.assertThat(operator).hasUsedOnlyRightsOf(ROLE);
        }

        @Test
        @KopfTest(Keeper.class)
        void asksForWrites(TestedOperator operator) {
            KopfAssertions.assertThat(operator).hasWrittenNothing();
        }

        @Test
        @KopfTest(Keeper.class)
        void asksForStates(TestedOperator operator) {
            assertThat(operator.snapshots("ConfigMap", "x")).isEmpty();
        }

        @Test
        @KopfTest(
                value = Keeper.class,
                apply = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs, namespace: default}\n")
        void appliesElsewhere(TestedOperator operator) {
            operator.awaitIdle();
        }

        @Test
        @KopfTest(value = Keeper.class, apply = "apiVersion: v1\nkind: Namespace\nmetadata: {name: theirs}\n")
        void appliesToTheCluster(TestedOperator operator) {
            operator.awaitIdle();
        }
    }

    private static String report(String test) {
        return FailingTests.report(Inner.class, test);
    }

    @Test
    void nothingIsMadeForATestThatIsRefused() {
        assertThat(report("waitsForNoDuration")).contains("half a minute").doesNotContain("Suppressed");
        assertThat(client.namespaces().list().getItems())
                .extracting(each -> each.getMetadata().getName())
                .noneMatch(name -> name.startsWith("kopf4j-test-"));
    }

    private void assertThatNamespaceGoes() {
        assertThat(seenNamespace).startsWith("kopf4j-test-");
        client.namespaces().withName(seenNamespace).waitUntilCondition(each -> each == null, 20, TimeUnit.SECONDS);
    }

    @Test
    void inANamespaceOfItsOwnWhichIsDeleted() {
        assertThat(report("greets")).isEmpty();
        assertThatNamespaceGoes();
    }

    @Test
    void aDefinitionThatIsMissingIsMadeAndStays() {
        assertThat(report("plants")).isEmpty();
        assertThatNamespaceGoes();
        CustomResourceDefinition made = definition();
        assertThat(made.getMetadata().getLabels()).containsKey("kopf4j.dev/made-by-test");
        assertThat(report("plants")).isEmpty();
        assertThat(definition().getMetadata().getResourceVersion())
                .isEqualTo(made.getMetadata().getResourceVersion());
    }

    @Test
    void aDefinitionThatDiffersIsLeftAlone() {
        cluster.apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: parks.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: parks, singular: park, kind: Park}
                  versions:
                  - name: v1
                    served: true
                    storage: false
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                  - name: v2
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                ---
                {apiVersion: example.com/v2, kind: Park, metadata: {name: theirs}, spec: {lakes: 3}}
                """);
        String before = definition().getMetadata().getResourceVersion();
        assertThat(report("plants"))
                .contains("the definition parks.example.com on the cluster is not the one that this test needs")
                .contains("v2: the version is no longer served")
                .contains("Apply the test's definition yourself, or run the test on another cluster");
        assertThat(definition().getMetadata().getResourceVersion()).isEqualTo(before);
        assertThat(definition().getSpec().getVersions())
                .extracting(CustomResourceDefinitionVersion::getName)
                .containsExactly("v1", "v2");
    }

    private CustomResourceDefinition definition() {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(PARKS)
                .require();
    }

    @ParameterizedTest
    @ValueSource(strings = {"keepsEverywhere", "keepsElsewhere", "endsItsOperatorBefore", "neverLetsGo"})
    void objectsOfOthersAreNotHandledAndItsOwnDoNotStay(String test) {
        client.resource(configMap("theirs")).create();
        assertThat(report(test)).isEmpty();
        ConfigMap theirs = client.configMaps().withName("theirs").require();
        assertThat(theirs.getFinalizers()).isEmpty();
        assertThat(theirs.getMetadata().getAnnotations()).isNullOrEmpty();
        assertThatNamespaceGoes();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            watchesNodes | cluster-scoped resources, which are in no namespace of a test (nodes.v1), are handled
            hasWebhooks | webhooks and conversions, which concern the whole cluster, are tested
            logsIn | operators log in as a service account
            hasFaults | faults are injected
            asksForRights | requests, and the states that they leave, are recorded
            asksForWrites | requests, and the states that they leave, are recorded
            asksForStates | requests, and the states that they leave, are recorded
            appliesElsewhere | ConfigMap theirs, which is to be in the namespace 'default' and not in the test's own
            appliesToTheCluster | Namespace theirs, which is in no namespace, is applied
            """)
    void whatItCannotDoIsRefused(String test, String words) {
        assertThat(report(test))
                .contains(words)
                .contains("by the dev cluster only, and this test runs on a cluster that exists");
    }
}
