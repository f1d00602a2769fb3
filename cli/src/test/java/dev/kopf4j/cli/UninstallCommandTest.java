package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kopf4j uninstall} and {@code kopf4j doctor}, beside operators that run or do not. */
class UninstallCommandTest {
    private static final String OBJECTS = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";

    private static final String DEFINITION_PATH =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kopfexamples.kopf.dev";
    private static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: kopfexamples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {kind: KopfExample, plural: kopfexamples, singular: kopfexample}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir
    private Path folder;

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults().rbac(true));

    private final List<OperatorHandle> operators = new ArrayList<>();
    private String kubeconfig = "";
    private String source = "";

    @BeforeEach
    void prepare() throws IOException {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        kubeconfig = file.toString();
        source = Files.writeString(folder.resolve("Example.java"), """
                import dev.kopf4j.*;

                class Example {
                    @OnCreate("kopfexamples")
                    void create() {}

                    @OnDelete("kopfexamples")
                    void delete() {}

                    @OnCreate("configmaps")
                    void seen() {}
                }
                """).toString();
        cluster.apply(DEFINITION);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (OperatorHandle each : operators) {
            each.close();
        }
    }

    private OperatorHandle run() {
        OperatorHandle operator = Operator.builder()
                .onCreate("kopfexamples", "create", context -> null)
                .onDelete("kopfexamples", "delete", context -> null)
                .onCreate("configmaps", "seen", context -> null)
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start();
        operators.add(operator);
        return operator;
    }

    private void create(String name, String metadata) {
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: %s, namespace: default%s}
                spec: {a: 1}
                """.formatted(name, metadata));
    }

    private JsonNode get(String path) {
        return send("GET", path, "");
    }

    private JsonNode send(String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/json-patch+json" : "application/json";
        Map<String, String> headers = Map.of("authorization", "Bearer " + cluster.token(), "content-type", type);
        ApiResponse response =
                cluster.handle(ApiRequest.of(method, path, headers, body.getBytes(StandardCharsets.UTF_8)));
        return JsonMapper.shared().readTree(((ApiResponse.Whole) response.body()).bytes());
    }

    private JsonNode metadata(String name) {
        return get(OBJECTS + "/" + name).path("metadata");
    }

    /** Runs an operator until it has handled an object and a config map. */
    private OperatorHandle handled() {
        create("one", ", finalizers: [example.com/other]");
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: default, annotations: {mine: x}}}");
        OperatorHandle operator = run();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(metadata("one").path("finalizers").values())
                    .extracting(JsonNode::asString)
                    .containsExactly("example.com/other", FINALIZER);
            assertThat(metadata("one").path("annotations").propertyNames())
                    .contains("kopf.zalando.org/last-handled-configuration");
            assertThat(get("/api/v1/namespaces/default/configmaps/two")
                            .path("metadata")
                            .path("annotations")
                            .propertyNames())
                    .contains("kopf.zalando.org/last-handled-configuration");
        });
        return operator;
    }

    private CommandRun command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-A", "--kubeconfig", kubeconfig, source));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    @Tag("P50")
    void orphanTakesOnlyWhatIsTheOperatorsAndLeavesTheObjects() {
        handled().close();
        CommandRun rehearsed = command("uninstall", "--orphan", "--dry-run");
        assertThat(rehearsed.out())
                .contains(
                        "kopfexamples.kopf.dev default/one: finalizer and records would be removed",
                        "configmaps default/two: records would be removed");
        assertThat(metadata("one").path("finalizers")).hasSize(2);

        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("kopfexamples.kopf.dev default/one: finalizer and records removed");
        assertThat(metadata("one").path("finalizers").values())
                .extracting(JsonNode::asString)
                .containsExactly("example.com/other");
        assertThat(metadata("one").path("annotations")).isEmpty();
        assertThat(get("/api/v1/namespaces/default/configmaps/two").at("/metadata/annotations"))
                .hasToString("{\"mine\":\"x\"}");
        assertThat(command("uninstall", "--orphan").out())
                .contains("No object has a finalizer or records of this operator.");
    }

    @Test
    @Tag("P50")
    void whatIsBeingDeletedGoesWhenItsOnlyFinalizerIsTakenOff() {
        create("gone", ", finalizers: [" + FINALIZER + "]");
        send("DELETE", OBJECTS + "/gone", "");
        assertThat(metadata("gone").has("deletionTimestamp")).isTrue();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("One object in all.");
        assertThat(get(OBJECTS + "/gone").path("code").intValue()).isEqualTo(404);
    }

    @Test
    @Tag("P50")
    void orphanGoesOnWithTheOthersIfOneIsRefused() {
        createThreeHeld();
        cluster.faults().add("PATCH " + OBJECTS + "/two 403");
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(
                        "default/one: finalizer removed",
                        "default/two: finalizer not removed: ",
                        "default/three: finalizer removed",
                        "2 objects in all.");
        assertThat(run.err()).contains("one object could not be changed").doesNotContain("still runs");
        assertThat(metadata("three").path("finalizers")).isEmpty();
        assertThat(metadata("two").path("finalizers")).hasSize(1);
    }

    @ParameterizedTest
    @Tag("P51")
    @ValueSource(ints = {403, 409})
    void drainGoesOnWithTheOthersIfOneIsRefused(int code) {
        createThreeHeld();
        cluster.faults().add("DELETE " + OBJECTS + "/two " + code);
        CommandRun run = command("uninstall", "--drain", "--timeout", "3");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("default/one is being deleted", "default/three is being deleted")
                .containsOnlyOnce("default/two: not deleted: ");
        assertThat(run.err()).contains("the operator still holds 3 objects");
        assertThat(metadata("two").has("deletionTimestamp")).isFalse();
    }

    /** The operator that converted has just been stopped. The first one is stored in v1, and so is the second one. */
    private void createTwoThatNobodyConverts(String storedInTheEnd) {
        cluster.apply(DEFINITION.replace("  versions:\n", """
                  conversion:
                    strategy: Webhook
                    webhook:
                      conversionReviewVersions: [v1]
                      clientConfig: {url: "https://127.0.0.1:1/convert"}
                  versions:
                  - name: v2
                    served: true
                    storage: false
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """));
        create("one", ", finalizers: [" + FINALIZER + "]");
        create("two", ", finalizers: [" + FINALIZER + "]");
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default, finalizers: ["
                + FINALIZER + "]}}");
        if (storedInTheEnd.equals("v2")) {
            send("PATCH", DEFINITION_PATH, """
                    [{"op": "replace", "path": "/spec/versions/0/storage", "value": true},
                     {"op": "replace", "path": "/spec/versions/1/storage", "value": false}]""");
        }
    }

    @Test
    @Tag("P50")
    void orphanNeedsNobodyWhoConverts() {
        createTwoThatNobodyConverts("v1");
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("default/one: finalizer removed", "default/two: finalizer removed", "3 objects in all.");
        assertThat(metadata("one").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P50")
    void orphanGoesOnWithOtherResourcesIfNobodyConvertsTheObjectsOfOne() {
        createTwoThatNobodyConverts("v2");
        CommandRun run = command("uninstall", "--orphan", "--set", "networking.errorBackoffs=");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("configmaps default/kept: finalizer removed", "One object in all.");
        assertThat(run.err())
                .contains(
                        "cannot convert objects of these resources, and all but those told above were left alone:"
                                + " kopfexamples.v2.kopf.dev (",
                        "conversion webhook for kopf.dev/v1, Kind=KopfExample failed",
                        "kubectl replace -f -")
                .doesNotContain("cannot be asked");
    }

    @Test
    @Tag("P50")
    void resourcesThatNobodyConvertsAreToldOnceForAllNamespaces() {
        createAnotherNamespace();
        cluster.apply(
                "{apiVersion: kopf.dev/v1, kind: KopfExample, metadata: {name: three, namespace: apart, finalizers: ["
                        + FINALIZER + "]}}");
        createTwoThatNobodyConverts("v2");
        CommandRun run = CommandRun.of(
                "uninstall",
                "--orphan",
                "-n",
                "apart",
                "-n",
                "default",
                "--set",
                "networking.errorBackoffs=",
                "--kubeconfig",
                kubeconfig,
                source);
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("configmaps default/kept: finalizer removed", "One object in all.");
        assertThat(run.err()).containsOnlyOnce("kopfexamples.v2.kopf.dev (");
    }

    /** The server may be busy for a moment, which is no matter of conversions. */
    @Test
    @Tag("P50")
    void whatFailsForAMomentInAnotherNamespaceIsAskedForAgain() {
        createTwoThatNobodyConverts("v2");
        cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
        cluster.apply(
                "{apiVersion: kopf.dev/v2, kind: KopfExample, metadata: {name: four, namespace: later, finalizers: ["
                        + FINALIZER + "]}}");
        cluster.faults().add("x1 GET /apis/kopf.dev/v2/namespaces/later/kopfexamples 503");
        CommandRun run = CommandRun.of(
                "uninstall",
                "--orphan",
                "-n",
                "default",
                "-n",
                "later",
                "--set",
                "networking.errorBackoffs=",
                "--kubeconfig",
                kubeconfig,
                source);
        assertThat(run.err())
                .contains("cannot convert objects of these resources")
                .doesNotContain("cannot be asked");
        assertThat(run.out()).contains("later/four: finalizer removed");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    private void createAnotherNamespace() {
        cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: apart}}");
    }

    /** The objects are in the second one of two namespaces. */
    @ParameterizedTest
    @Tag("P52")
    @CsvSource({"apart, false", "default, true"})
    void aDoctorAsksWhoConvertsOnlyWhereItMay(String mayGetIn, boolean tells) throws IOException {
        createAnotherNamespace();
        createTwoThatNobodyConverts("v1");
        source = Files.writeString(folder.resolve("Versioned.java"), """
                import dev.kopf4j.*;

                class Versioned {
                    @OnDelete("kopfexamples.v1.kopf.dev")
                    void delete() {}
                }
                """).toString();
        usePoorAccount("[get, list]", "apiextensions.k8s.io", "customresourcedefinitions");
        for (String namespace : List.of("apart", "default")) {
            cluster.apply("""
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: Role
                    metadata: {name: poor, namespace: %1$s}
                    rules: [{apiGroups: [kopf.dev], resources: [kopfexamples], verbs: %2$s}]
                    ---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: RoleBinding
                    metadata: {name: poor, namespace: %1$s}
                    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: poor}
                    subjects: [{kind: ServiceAccount, name: poor, namespace: default}]
                    """.formatted(namespace, namespace.equals(mayGetIn) ? "[get, list]" : "[list]"));
        }
        CommandRun run = CommandRun.of(
                "doctor",
                "-n",
                "apart",
                "-n",
                "default",
                "--set",
                "networking.errorBackoffs=",
                "--kubeconfig",
                kubeconfig,
                source);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("the account in use has no right to ");
        assertThat(run.out().contains("cannot convert objects of kopfexamples.kopf.dev"))
                .as(run.out())
                .isEqualTo(tells);
    }

    @ParameterizedTest
    @Tag("P52")
    @CsvSource({"kopfexamples.v1.kopf.dev", "kopfexamples.v2.kopf.dev"})
    void aDoctorTellsThatNobodyConverts(String resource) throws IOException {
        createTwoThatNobodyConverts("v1");
        source = Files.writeString(folder.resolve("Versioned.java"), """
                import dev.kopf4j.*;

                class Versioned {
                    @OnDelete("%s")
                    void delete() {}
                }
                """.formatted(resource))
                .toString();
        CommandRun run = command("doctor", "--set", "networking.errorBackoffs=");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(
                        "the API server cannot convert objects of kopfexamples.kopf.dev: ",
                        "does the Service have ready pods");
    }

    /** The other findings would be lost, just when somebody looks for them. */
    @Test
    @Tag("P52")
    void aDoctorGoesOnIfNobodyConvertsTheChildren() throws IOException {
        createTwoThatNobodyConverts("v1");
        source = Files.writeString(folder.resolve("Parents.java"), """
                import dev.kopf4j.*;

                class Parents {
                    @OnReconcile(value = "configmaps", children = "kopfexamples.v2.kopf.dev")
                    void children() {}
                }
                """).toString();
        label("one");
        CommandRun run = command("doctor", "--set", "networking.errorBackoffs=");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("the API server cannot convert objects of kopfexamples.kopf.dev: ");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    /** As a child has it. */
    private void label(String name) {
        send("PATCH", OBJECTS + "/" + name, """
                [{"op": "add", "path": "/metadata/labels", "value": {"kopf4j.dev/managed-by": "kopf4j"}}]""");
    }

    @Test
    @Tag("P52")
    void aDoctorTellsOfManagedFieldsInAVersionThatIsGone() {
        createTwoThatNobodyConverts("v1");
        cluster.apply(DEFINITION.replace("  versions:", "  conversion: {strategy: None, webhook: null}\n  versions:"));
        assertThat(command("doctor").out()).doesNotContain("managedFields");
        cluster.importObject("""
                {"apiVersion": "kopf.dev/v1", "kind": "KopfExample", "metadata": {"name": "old", "namespace": "default",
                 "managedFields": [{"manager": "me", "operation": "Update", "apiVersion": "kopf.dev/v0", "fieldsType": "FieldsV1",
                  "fieldsV1": {"f:spec": {}}}]}}""");
        String told = "managedFields name a version that is not served any more";
        assertThat(command("doctor").out()).contains(told, "default/old");
        send("PATCH", DEFINITION_PATH, """
                [{"op": "add", "path": "/spec/versions/-", "value": {"name": "v0", "served": true, "storage": false,
                 "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}]""");
        assertThat(command("doctor").out()).doesNotContain("managedFields");
        send("PATCH", DEFINITION_PATH, """
                [{"op": "replace", "path": "/spec/versions/1/served", "value": false}]""");
        assertThat(command("doctor").out()).contains(told, "default/old");
    }

    private void createThreeHeld() {
        for (String name : List.of("one", "two", "three")) {
            create(name, ", finalizers: [" + FINALIZER + "]");
        }
    }

    @Test
    @Tag("P51")
    void drainDeletesWhatTheOperatorHoldsAndWaitsForItsHandlers() {
        OperatorHandle operator = handled();
        create("free", "");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(metadata("free").path("finalizers")).hasSize(1));
        CommandRun run = command("uninstall", "--drain", "--timeout", "30");
        assertThat(run.out())
                .contains("kopfexamples.kopf.dev default/free is being deleted", "`kopf4j uninstall --orphan`");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(get(OBJECTS + "/free").path("code").intValue()).isEqualTo(404);
        assertThat(metadata("one").path("finalizers").values())
                .as("deleted, and held by somebody else")
                .extracting(JsonNode::asString)
                .containsExactly("example.com/other");
        assertThat(get("/api/v1/namespaces/default/configmaps/two").at("/metadata/annotations"))
                .as("objects of Kubernetes' own kinds stay, and are not new to the operator")
                .hasSize(2);
        operator.close();
    }

    @Test
    @Tag("P50")
    void orphanSaysThatTheOperatorStillRuns() {
        handled();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("got them again: the operator still runs");
    }

    @Test
    @Tag("P51")
    void drainWithoutAnOperatorSaysWhatIsStillHeld() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        CommandRun run = command("uninstall", "--drain", "--timeout", "1");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .contains(
                        "after 1 s the operator still holds one object: kopfexamples.kopf.dev default/held. Is it running")
                .contains("`kopf4j uninstall --orphan` lets them go");
    }

    @Test
    @Tag("P51")
    void aVariableDoesNotMakeTheOppositeOfWhatTheCommandLineSays() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        String[] arguments = {"uninstall", "--drain", "--timeout", "1", "-A", "--kubeconfig", kubeconfig, source};
        CommandRun run = CommandRun.with(Map.of("KOPF4J_UNINSTALL_ORPHAN", "true"), arguments);
        assertThat(run.out()).contains("kopfexamples.kopf.dev default/held is being deleted");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    @Test
    @Tag("P51")
    void drainCountsWhatStillHasTheFinalizerThoughItIsNotDeleted() {
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default, finalizers: ["
                + FINALIZER + "]}}");
        CommandRun run = command("uninstall", "--drain", "--timeout", "1");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).doesNotContain("holds no object any more");
        assertThat(run.err())
                .contains("one object of Kubernetes' own kinds still has the finalizer", "`kopf4j uninstall --orphan`")
                .doesNotContain("the operator still holds");
    }

    @Test
    @Tag("P51")
    void drainDeletesWhatIsCreatedWhileItWaits() throws InterruptedException {
        create("first", ", finalizers: [" + FINALIZER + "]");
        var late = new Thread(() -> {
            await().atMost(Duration.ofSeconds(30)).until(() -> metadata("first").has("deletionTimestamp"));
            create("second", ", finalizers: [" + FINALIZER + "]");
        });
        late.start();
        CommandRun run = command("uninstall", "--drain", "--timeout", "4");
        late.join();
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("default/second is being deleted");
        assertThat(run.err()).contains("the operator still holds 2 objects, such as");
    }

    @Test
    @Tag("P50")
    void whoMayOnlyListAndPatchTriesAgainAfterAConflict() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        usePoorAccount("[list, patch]", "kopf.dev", "kopfexamples", "kopfexamples/status");
        cluster.faults().add("x1 PATCH " + OBJECTS + "/held reset-after"); // the second attempt is a conflict
        source = Files.writeString(folder.resolve("Only.java"), """
                import dev.kopf4j.*;

                class Only {
                    @OnDelete("kopfexamples")
                    void delete() {}
                }
                """).toString();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(metadata("held").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P50")
    void withoutRightsNothingIsChanged() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        usePoorAccount();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .contains("Nothing was changed, because the account in use has no right to: list, patch of configmaps"
                        + " cluster-wide; patch of kopfexamples in the API group kopf.dev cluster-wide; patch of"
                        + " kopfexamples/status in the API group kopf.dev cluster-wide.");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    /** Objects of Kubernetes' own kinds are never deleted, and events and indices leave nothing on any. */
    @Test
    @Tag("P50")
    @Tag("P51")
    void noRightsAreNeededOnWhatIsNotTouched() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        source = Files.writeString(folder.resolve("Looking.java"), """
                import dev.kopf4j.*;

                class Looking {
                    @OnDelete("kopfexamples")
                    void delete() {}

                    @OnCreate("configmaps")
                    void made() {}

                    @OnEvent("services")
                    void seen() {}

                    @OnIndex("secrets")
                    Object known() {
                        return null;
                    }
                }
                """).toString();
        grant("first", "[get]", "apiextensions.k8s.io", "customresourcedefinitions");
        grant("second", "[list]", "''", "configmaps");
        usePoorAccount("[list, patch, delete]", "kopf.dev", "kopfexamples", "kopfexamples/status");
        CommandRun drained = command("uninstall", "--drain", "--timeout", "1");
        assertThat(drained.out())
                .contains(
                        "kopfexamples.kopf.dev default/held is being deleted",
                        "services.v1: not looked at, as handlers of events and indices leave nothing, and the account in use"
                                + " has no right to: list of services cluster-wide",
                        "secrets.v1: not looked at, ");
        assertThat(drained.err())
                .contains("the operator still holds one object")
                .doesNotContain("Nothing was changed");

        CommandRun refused = command("uninstall", "--orphan");
        assertThat(refused.err()).contains("has no right to: patch of configmaps cluster-wide.");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    /** Grants the poor account more. */
    private void grant(String name, String verbs, String group, String resource) {
        cluster.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %1$s}
                rules: [{apiGroups: [%2$s], resources: [%3$s], verbs: %4$s}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{kind: ServiceAccount, name: poor, namespace: default}]
                """.formatted(name, group, resource, verbs));
    }

    /** An account that may list kopfexamples, and find out what is served. */
    private void usePoorAccount() throws IOException {
        usePoorAccount("[list]", "kopf.dev", "kopfexamples");
    }

    /** An account with these rights, and that to find out what is served. */
    private void usePoorAccount(String verbs, String group, String... resources) throws IOException {
        cluster.apply("""
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: poor, namespace: default}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: poor}
                rules: [{apiGroups: [%s], resources: [%s], verbs: %s}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: poor}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: poor}
                subjects: [{kind: ServiceAccount, name: poor, namespace: default}]
                """.formatted(group, String.join(", ", resources), verbs));
        String token = send("POST", "/api/v1/namespaces/default/serviceaccounts/poor/token", """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}""")
                .at("/status/token")
                .asString("");
        Path file = Path.of(kubeconfig);
        Files.writeString(file, Files.readString(file).replace(cluster.token(), token));
    }

    @Test
    @Tag("P52")
    void aDoctorFindsNothingWhereAllIsWell() {
        handled();
        CommandRun run = command("doctor");
        assertThat(run.out()).isEqualTo("Nothing is wrong.\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    @Tag("P52")
    void aDoctorTellsOfStuckDeletionsRecordsSizesAndRights() throws IOException {
        create("ours", ", finalizers: [" + FINALIZER + "]");
        create("theirs", ", finalizers: [example.com/other]");
        send("DELETE", OBJECTS + "/ours", "");
        send("DELETE", OBJECTS + "/theirs", "");
        create("renamed", """
                , annotations: {kopf.zalando.org/former: '{"started":"2020-01-01T00:00:00","retries":1}',
                kopf.zalando.org/create: '{"started":"2020-01-01T00:00:00","retries":12,"message":"no such user"}',
                kopf.zalando.org/create.sub: '{"started":"2020-01-01T00:00:00","retries":1}'}""");
        create("large", ", annotations: {big: " + "x".repeat(220_000) + "}");
        usePoorAccount();
        CommandRun run = command("doctor", "--patience", "0");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines())
                .contains(
                        "the account in use has no right to list, watch of configmaps cluster-wide, for @OnCreate"
                                + " 'seen'",
                        "the account in use has no right to watch of kopfexamples in the API group kopf.dev"
                                + " cluster-wide, for @OnCreate 'create', @OnDelete 'delete'",
                        "the account in use has no right to patch of kopfexamples/status in the API group kopf.dev"
                                + " cluster-wide, for @OnCreate 'create', @OnDelete 'delete'",
                        "deleted, but held by this operator's finalizer '" + FINALIZER + "' for more than 0s",
                        "deleted, but held by finalizers of others for more than 0s: 'example.com/other'",
                        "progress of a handler that this operator does not have: kopf.zalando.org/former",
                        "a handler has failed 10 times or more: kopf.zalando.org/create, lastly with: no such user",
                        "annotations take more than four fifths of the 262144 bytes that Kubernetes allows",
                        "    at: kopfexamples.kopf.dev default/ours",
                        "    at: kopfexamples.kopf.dev default/large")
                .noneMatch(line -> line.contains("create.sub"));
        assertThat(run.out()).contains("`kubectl annotate KIND NAME kopf.zalando.org/former-`");
        assertThat(metadata("ours").path("finalizers")).as("it only reads").hasSize(1);
    }

    /** As a restore from a backup leaves them: with all labels and annotations, and without owners. */
    @Test
    @Tag("P52")
    void aDoctorTellsOfChildrenThatNoObjectOwns() throws IOException {
        source = Files.writeString(folder.resolve("Parents.java"), """
                import dev.kopf4j.*;

                class Parents {
                    @OnReconcile(value = "kopfexamples", children = "configmaps")
                    String children() {
                        return "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: page-}}";
                    }
                }
                """).toString();
        String child = """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: %s
                  namespace: default
                  labels: {kopf4j.dev/managed-by: %s}
                  annotations: {kopf4j.dev/applied: '%s'}
                  ownerReferences: [%s]
                """;
        String owner = "{apiVersion: v1, kind: Node, name: some, uid: some}";
        cluster.apply(child.formatted("restored", "kopf4j", "children:0123456789abcdef", ""));
        cluster.apply(child.formatted("owned", "kopf4j", "children:0123456789abcdef", owner));
        cluster.apply(child.formatted("anothers", "another", "children:0123456789abcdef", ""));
        cluster.apply(child.formatted("released", "kopf4j", "", ""));
        CommandRun run = command("doctor");
        assertThat(run.out())
                .contains(
                        "made as a child by the handler 'children', but no object owns it",
                        "    at: configmaps default/restored\n    way out: ",
                        "`kubectl label KIND NAME kopf4j.dev/managed-by-`")
                .doesNotContain("default/owned", "default/anothers", "default/released");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    /** Somebody has put into Git what kubectl has shown. */
    @Test
    @Tag("P52")
    void aDoctorTellsOfManifestsWithRecordsOfTheOperator() {
        String told = "somebody applies a manifest with annotations that this operator writes: ";
        create("unapplied", ", annotations: {kopf.zalando.org/last-handled-configuration: '{}'}");
        create("asked", """
                , annotations: {kubectl.kubernetes.io/last-applied-configuration:
                '{"metadata":{"annotations":{"kopf.zalando.org/paused":"true","example.com/a":"b"}}}'}""");
        assertThat(command("doctor").out()).doesNotContain(told);
        create("noted", """
                , annotations: {kubectl.kubernetes.io/last-applied-configuration:
                '{"metadata":{"annotations":{"kopf.zalando.org/last-handled-configuration":"{}"}}}'}""");
        cluster.importObject("""
                {"apiVersion": "kopf.dev/v1", "kind": "KopfExample", "metadata": {"name": "owned", "namespace": "default",
                 "annotations": {"kopf.zalando.org/update": "{}"},
                 "managedFields": [{"manager": "flux", "operation": "Apply", "apiVersion": "kopf.dev/v1",
                  "fieldsType": "FieldsV1",
                  "fieldsV1": {"f:metadata": {"f:annotations": {"f:kopf.zalando.org/update": {}}}}}]}}""");
        assertThat(command("doctor").out())
                .contains(
                        told + "kopf.zalando.org/last-handled-configuration; each time",
                        "    at: kopfexamples.kopf.dev default/noted\n    way out: take them out",
                        told + "kopf.zalando.org/update; each time",
                        "    at: kopfexamples.kopf.dev default/owned\n    way out: take them out");
    }

    /** As with a prefix of Kopf's that was a domain of one's own. */
    @Test
    @Tag("P52")
    void aDoctorLetsPeopleHaveAnnotationsBelowTheirOwnPrefix() {
        String noted = """
                , annotations: {kubectl.kubernetes.io/last-applied-configuration:
                '{"metadata":{"annotations":{"example.com/team":"web","example.com/%s":"%s"}}}'}""";
        String prefix = "--set=persistence.prefix=example.com";
        create("own", noted.formatted("floor", "3"));
        assertThat(command("doctor", prefix).out()).contains("Nothing is wrong.");
        create("copied", noted.formatted("create", "{}"));
        assertThat(command("doctor", prefix).out()).contains("this operator writes: example.com/create; each time");
    }

    /** Its Role was in the namespace, and is gone. */
    @Test
    @Tag("P52")
    void aDoctorTellsOfANamespaceThatCannotGoForTheOperatorsRightsWentFirst() {
        createAnotherNamespace();
        cluster.apply(
                "{apiVersion: kopf.dev/v1, kind: KopfExample, metadata: {name: held, namespace: apart, finalizers: ["
                        + FINALIZER + "]}}");
        create("held", ", finalizers: [" + FINALIZER + "]");
        send("DELETE", OBJECTS + "/held", "");
        send("DELETE", "/api/v1/namespaces/apart", "");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(command("doctor", "--patience", "0").out())
                                .contains(
                                        "default/held",
                                        "the namespace is being deleted, and objects in it wait for this operator",
                                        "kubectl create clusterrolebinding finish",
                                        "    at: apart\n")
                                .doesNotContain("    at: default\n"));
    }

    @Test
    @Tag("P52")
    void aDoctorTellsOfResourcesAndOperatorsThatAreNotThere() throws IOException {
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    @OnEvent("nothings.v1.example.com")
                    void seen() {}
                }
                """).toString();
        CommandRun run = command("doctor", "--readiness", "http://127.0.0.1:1/ready");
        assertThat(run.out())
                .contains("the cluster serves no resource 'nothings.v1.example.com'")
                .contains("the operator does not answer at http://127.0.0.1:1/ready");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    /** Objects live on in the version that is left. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    @OnDelete("kopfexamples.v1beta1.kopf.dev") | (served are kopfexamples.v1.kopf.dev)
                    @OnDelete("kexes")                         | kexes (not served)
                    """)
    @Tag("P50")
    @Tag("P51")
    void whatCannotBeLookedAtIsNotCalledFree(String handler, String told) throws IOException {
        createThreeHeld();
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    %s
                    void gone() {}
                }
                """.formatted(handler))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err()).contains("were not looked at", told, "scanning.optionalResources");
            assertThat(run.out()).doesNotContain("No object has", "holds no object");
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        }
        assertThat(command("uninstall", "--orphan", "--set", "scanning.optionalResources=true")
                        .exitCode())
                .isEqualTo(told.contains("not served") ? ExitCode.OK : ExitCode.FAILURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@OnEvent(\"kexes\")", "@OnIndex(\"kexes\")", "@OnDelete(\"tokenreviews\")"})
    @Tag("P50")
    @Tag("P51")
    void whereNothingIsEverLeftThereIsNothingToLookAt(String handler) throws IOException {
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    %s
                    Object seen() {
                        return null;
                    }
                }
                """.formatted(handler))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(command("doctor").out()).contains("way out: ");
    }

    /** Definitions that come are noticed, and nothing was mistyped: the operator is ready without. */
    @ParameterizedTest
    @ValueSource(strings = {"category = \"nothings\"", "resourceWhen = \"isOurs\""})
    @Tag("P50")
    @Tag("P51")
    @Tag("P52")
    void aClassOfResourcesThatHasNoneYetIsNoTrouble(String selector) throws IOException {
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    @OnDelete(%s)
                    void gone() {}

                    static boolean isOurs(Resource resource) {
                        return resource.group().equals("nothings.example.com");
                    }
                }
                """.formatted(selector))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err())
                    .as("what has left the class keeps its finalizer")
                    .contains("serves none of these classes of resources of handlers: ");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(command("doctor").out()).isEqualTo("Nothing is wrong.\n");
    }

    @Test
    @Tag("P52")
    void aDoctorTellsOfNamesThatFitSeveralResources() {
        cluster.apply(DEFINITION.replace("kopf.dev", "other.dev"));
        assertThat(command("doctor").out())
                .contains("'kopfexamples' fits several resources [kopfexamples.v1.kopf.dev, kopfexamples.v1.other.dev],"
                        + " so that none of them is watched\n    way out: add the group\n")
                .doesNotContain("serves no resource");
    }

    @Test
    @Tag("P52")
    void textsOnObjectsForgeNoAdvice() {
        create("forged", """
                , annotations: {kopf.zalando.org/create: '{"started":"2020-01-01T00:00:00","retries":12,\
                "message":"no\\n    way out: run this\\u001b[2J"}'}""");
        CommandRun run = command("doctor");
        assertThat(run.out())
                .contains("lastly with: no\\n    way out: run this\\u001b[2J\n")
                .doesNotContain("\u001b");
        assertThat(run.out().lines().filter(line -> line.startsWith("    way out:")))
                .hasSize(1);
    }

    @Test
    @Tag("P52")
    void aDeletionThatNoFinalizerHoldsIsBlamedOnNobodysFinalizers() throws IOException {
        cluster.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: ending, namespace: default}
                spec: {nodeName: gone, containers: [{name: main, image: none}]}
                """);
        send("DELETE", "/api/v1/namespaces/default/pods/ending?gracePeriodSeconds=1", "");
        String pods = """
                import dev.kopf4j.*;

                class Pods {
                    @OnCreate("pods")
                    void create() {}
                }
                """;
        source = Files.writeString(folder.resolve("Pods.java"), pods).toString();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(command("doctor", "--patience", "0").out())
                                .contains("deleted, and still there after more than 0s, though no finalizer holds it")
                                .doesNotContain("finalizers of others"));
    }

    /** A readiness page. */
    private static String served(String page, Function<String, String> use) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ready", exchange -> {
            byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            return use.apply("http://127.0.0.1:" + server.getAddress().getPort() + "/ready");
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @Tag("P52")
    @CsvSource(
            delimiter = '|',
            value = {
                "{'ready':true,'paused':[],'troubles':[],'streams':[]} | Nothing is wrong.",
                "{'ready':true,'paused':['operators with a higher priority: x'],'troubles':[],'streams':[]}"
                        + " | the operator is paused, and handles nothing there: operators with a higher priority: x",
                "{'ready':false,'paused':[],'troubles':[],'streams':[]} | is not ready yet",
                "ok | is not the readiness page of an operator (HTTP 200)",
                "{} | is not the readiness page of an operator (HTTP 200)",
            })
    void aDoctorReadsTheWholePageOfTheRunningOperator(String page, String told) throws IOException {
        String out = served(
                page.replace('\'', '"'),
                address -> command("doctor", "--readiness", address).out());
        assertThat(out).contains(told);
        assertThat(out.contains("Nothing is wrong.")).isEqualTo(told.equals("Nothing is wrong."));
    }

    /** A configuration as operators leave it, whose webhook nobody answers. */
    private void leaveWebhook(String kind, String name, String webhook) {
        cluster.apply("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata: {name: %s}
                webhooks:
                - name: %s
                  sideEffects: None
                  failurePolicy: Fail
                  admissionReviewVersions: [v1]
                  timeoutSeconds: 1
                  clientConfig: {url: "https://127.0.0.1:1/check"}
                  rules:
                  - {apiGroups: [kopf.dev], apiVersions: ["*"], resources: ["kopfexamples"], operations: [UPDATE]}
                """.formatted(kind, name, webhook));
    }

    private boolean hasConfiguration(String plural, String name) {
        return get("/apis/admissionregistration.k8s.io/v1/" + plural + "/" + name)
                .has("webhooks");
    }

    @Test
    @Tag("P50")
    void orphanDeletesTheWebhooksThatWouldRefuseIt() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        leaveWebhook("ValidatingWebhookConfiguration", "auto.example.com", "check.auto.example.com");
        String setting = "--set=admission.managed=auto.example.com";
        assertThat(command("uninstall", "--orphan", "--dry-run", setting).out())
                .contains(
                        "validatingwebhookconfigurations.admissionregistration.k8s.io auto.example.com would be deleted");
        assertThat(hasConfiguration("validatingwebhookconfigurations", "auto.example.com"))
                .isTrue();

        CommandRun run = command("uninstall", "--orphan", setting);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("validatingwebhookconfigurations.admissionregistration.k8s.io auto.example.com deleted");
        assertThat(hasConfiguration("validatingwebhookconfigurations", "auto.example.com"))
                .isFalse();
        assertThat(metadata("held").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P52")
    void aDoctorTellsOfWebhooksThatNoHandlerAnswersFor() {
        leaveWebhook("ValidatingWebhookConfiguration", "auto.example.com", "check.auto.example.com");
        leaveWebhook("MutatingWebhookConfiguration", "auto.example.com", "fill.others.example.com");
        CommandRun run = command("doctor", "--set=admission.managed=auto.example.com");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(
                        "validatingwebhookconfigurations.admissionregistration.k8s.io auto.example.com has webhooks of"
                                + " handlers that this operator does not have",
                        "if nobody answers for them: check.auto.example.com",
                        "kubectl delete validatingwebhookconfigurations auto.example.com")
                .doesNotContain("fill");
        assertThat(command("doctor").out()).contains("Nothing is wrong.");
        assertThat(command("doctor", "--set=admission.managed=other.example.com")
                        .out())
                .contains("Nothing is wrong.");
    }

    /** The role of the operator names the two that are its own. */
    @Test
    @Tag("P52")
    void aDoctorTellsOfLeftWebhooksToWhoMayGetTheseAlone() throws IOException {
        leaveWebhook("ValidatingWebhookConfiguration", "auto.example.com", "check.auto.example.com");
        usePoorAccount("[list]", "kopf.dev", "kopfexamples");
        cluster.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: looking}
                rules:
                - apiGroups: [admissionregistration.k8s.io]
                  resources: [validatingwebhookconfigurations, mutatingwebhookconfigurations]
                  resourceNames: [auto.example.com]
                  verbs: [get]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: looking}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: looking}
                subjects: [{kind: ServiceAccount, name: poor, namespace: default}]
                """);
        String told = "has webhooks of handlers that this operator does not have";
        assertThat(command("doctor", "--set=admission.managed=auto.example.com").out())
                .contains(told);
        CommandRun other = command("doctor", "--set=admission.managed=other.example.com");
        assertThat(other.err()).isEmpty();
        assertThat(other.out()).doesNotContain(told);
    }

    @Test
    @Tag("P50")
    void webhooksOfOthersStay() {
        leaveWebhook("MutatingWebhookConfiguration", "auto.example.com", "fill.others.example.com");
        CommandRun run = command("uninstall", "--orphan", "--set=admission.managed=auto.example.com");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("auto.example.com stays: it has webhooks of others");
        assertThat(hasConfiguration("mutatingwebhookconfigurations", "auto.example.com"))
                .isTrue();
    }

    @Test
    @Tag("P51")
    void whereMustBeSaid() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        for (String way : List.of("--drain", "--orphan")) {
            CommandRun run = CommandRun.of("uninstall", way, "--timeout", "1", "--kubeconfig", kubeconfig, source);
            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("Neither --namespace nor --all-namespaces is given: nothing was changed");
        }
        assertThat(metadata("held").path("finalizers")).hasSize(1);
        assertThat(metadata("held").has("deletionTimestamp")).isFalse();
        CommandRun rehearsed = CommandRun.of("uninstall", "--drain", "--dry-run", "--kubeconfig", kubeconfig, source);
        assertThat(rehearsed.exitCode()).as(rehearsed.err()).isEqualTo(ExitCode.OK);
        assertThat(rehearsed.out()).contains("default/held would be deleted");
    }

    @Test
    @Tag("P50")
    void aRehearsalOfADrainNamesAllThatIsHeld() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        var _ = send("DELETE", OBJECTS + "/held", "");
        CommandRun waiting = command("uninstall", "--drain", "--dry-run");
        assertThat(waiting.exitCode()).as(waiting.err()).isEqualTo(ExitCode.OK);
        assertThat(waiting.out())
                .contains("default/held is being deleted, and would be waited for", "Nothing was changed.");
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default, finalizers: ["
                + FINALIZER + "]}}");
        CommandRun kept = command("uninstall", "--drain", "--dry-run");
        assertThat(kept.exitCode()).as("as without --dry-run").isEqualTo(ExitCode.FAILURE);
        assertThat(kept.err()).contains("one object of Kubernetes' own kinds still has the finalizer");
        assertThat(kept.out()).contains("Nothing was changed.");
    }

    @Test
    void oneOfTheWaysMustBeChosen() {
        assertThat(CommandRun.of("uninstall", source).exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("uninstall", "--drain", "--orphan", source).exitCode())
                .isEqualTo(ExitCode.USAGE);
    }
}
