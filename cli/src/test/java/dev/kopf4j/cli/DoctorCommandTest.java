package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kopf4j doctor}, beside operators that run or do not. */
class DoctorCommandTest extends MaintainedCluster {
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
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
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
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
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
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
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
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
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
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
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

    @Test
    @Tag("P52")
    void aDoctorTellsOfWebhooksThatNoHandlerAnswersFor() {
        leaveWebhook("ValidatingWebhookConfiguration", "auto.example.com", "check.auto.example.com");
        leaveWebhook("MutatingWebhookConfiguration", "auto.example.com", "fill.others.example.com");
        CommandRun run = command("doctor", "--set=admission.managed=auto.example.com");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
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

    /** The operator would follow an old request again after each sync. */
    @ParameterizedTest
    @ValueSource(strings = {"retry-acknowledged", "pause-acknowledged", "failed-handlers", "retry-seen"})
    @Tag("P52")
    void aDoctorTellsOfManifestsWithAnswersOfTheOperator(String name) {
        create("answered", """
                , annotations: {kubectl.kubernetes.io/last-applied-configuration:
                '{"metadata":{"annotations":{"kopf.zalando.org/%s":"1"}}}'}""".formatted(name));
        assertThat(command("doctor").out()).contains("this operator writes: kopf.zalando.org/" + name + "; each time");
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
}
