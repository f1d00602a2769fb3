package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A cluster with what operators have left, and the commands that look after it. Each test has its own. */
abstract class MaintainedCluster {
    static final String OBJECTS = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";

    static final String DEFINITION_PATH =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kopfexamples.kopf.dev";
    static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";
    static final String DEFINITION = """
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
    Path folder;

    @AutoClose
    final DevCluster cluster = DevCluster.start(Options.defaults().rbac(true));

    private final List<OperatorHandle> operators = new ArrayList<>();
    String kubeconfig = "";
    String source = "";

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

    private OperatorHandle operate() {
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

    void create(String name, String metadata) {
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: %s, namespace: default%s}
                spec: {a: 1}
                """.formatted(name, metadata));
    }

    JsonNode get(String path) {
        return send("GET", path, "");
    }

    JsonNode send(String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/json-patch+json" : "application/json";
        Map<String, String> headers = Map.of("authorization", "Bearer " + cluster.token(), "content-type", type);
        ApiResponse response =
                cluster.handle(ApiRequest.of(method, path, headers, body.getBytes(StandardCharsets.UTF_8)));
        return JsonMapper.shared().readTree(((ApiResponse.Whole) response.body()).bytes());
    }

    JsonNode metadata(String name) {
        return get(OBJECTS + "/" + name).path("metadata");
    }

    /** Runs an operator until it has handled an object and a config map. */
    OperatorHandle handled() {
        create("one", ", finalizers: [example.com/other]");
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: default, annotations: {mine: x}}}");
        OperatorHandle operator = operate();
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

    CommandRun command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-A", "--kubeconfig", kubeconfig, source));
        return run(all.toArray(String[]::new));
    }

    /** Runs a command with all that it needs. */
    CommandRun run(String... arguments) {
        return CommandRun.of(arguments);
    }

    /** The operator that converted has just been stopped. The first one is stored in v1, and so is the second one. */
    void createTwoThatNobodyConverts(String storedInTheEnd) {
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

    void createAnotherNamespace() {
        cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: apart}}");
    }

    /** An account that may list kopfexamples, and find out what is served. */
    void usePoorAccount() throws IOException {
        usePoorAccount("[list]", "kopf.dev", "kopfexamples");
    }

    /** An account with these rights, and that to find out what is served. */
    void usePoorAccount(String verbs, String group, String... resources) throws IOException {
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

    /** A configuration as operators leave it, whose webhook nobody answers. */
    void leaveWebhook(String kind, String name, String webhook) {
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
}
