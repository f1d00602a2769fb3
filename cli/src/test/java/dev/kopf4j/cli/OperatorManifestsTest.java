package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.image.StagedImage;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.devcluster.DevCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code kopf4j manifests}. */
class OperatorManifestsTest {
    private static final String OPERATOR = """
            import dev.kopf4j.*;
            import dev.kopf4j.crd.CustomResource;
            import dev.kopf4j.rbac.PolicyRule;

            @PolicyRule(resources = {"pods", "pods/log"}, verbs = "get")
            class WebsiteOperator {
                @CustomResource(group = "example.com", version = "v1")
                record Website(WebsiteSpec spec, WebsiteStatus status) {}
                record WebsiteSpec(String html) {}
                record WebsiteStatus(String url) {}

                @OnReconcile(children = "deployments.v1.apps")
                @PolicyRule(apiGroups = "metrics.k8s.io", resources = "nodes", verbs = "list", clusterwide = true)
                @PolicyRule(resources = "secrets", verbs = "get", resourceNames = "key", namespace = PolicyRule.OWN)
                void children(Website website) {}
            }
            """;

    private static final String VALIDATING = """
            import dev.kopf4j.*;

            class WebsiteOperator {
                @OnValidate("pods")
                void check() {}
            }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        write("WebsiteOperator.java", OPERATOR);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("manifests"));
        arguments.addAll(List.of(options));
        arguments.add(folder.resolve("WebsiteOperator.java").toString());
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private List<JsonNode> objects(String... options) throws IOException {
        CommandRun run = run(options);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        Path printed = Files.writeString(
                Files.createDirectories(folder.resolve("printed")).resolve("all.yaml"), run.out());
        return ManifestFiles.read(List.of(printed)).objects();
    }

    private static JsonNode find(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asString().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    /** The rules of all roles, as {@code ClusterRole: list,watch pods} and {@code Role ns: get secrets [key]}. */
    private static List<String> rules(List<JsonNode> objects) {
        List<String> rules = new ArrayList<>();
        for (JsonNode role : objects) {
            String namespace = role.at("/metadata/namespace").asString("");
            for (JsonNode rule : role.path("rules")) {
                String group = rule.at("/apiGroups/0").asString();
                for (JsonNode resource : rule.path("resources")) {
                    rules.add(
                            (role.path("kind").asString() + " " + namespace).strip() + ": " + texts(rule, "verbs") + " "
                                    + resource.asString() + (group.isEmpty() ? "" : "." + group)
                                    + (rule.has("resourceNames") ? " [" + texts(rule, "resourceNames") + "]" : ""));
                }
            }
        }
        return rules;
    }

    private static String texts(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::asString).collect(Collectors.joining(","));
    }

    @Test
    @Tag("O01")
    void printsAllObjectsOfAnOperatorWhichAClusterTakes() throws IOException {
        assertThat(objects().stream()
                        .map(object -> object.path("kind").asString() + " "
                                + object.at("/metadata/name").asString()))
                .containsExactly(
                        "CustomResourceDefinition websites.example.com",
                        "Namespace website-operator",
                        "ServiceAccount website-operator",
                        "ClusterRole website-operator",
                        "ClusterRoleBinding website-operator",
                        "Role website-operator-own",
                        "RoleBinding website-operator-own",
                        "Deployment website-operator");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(run().out());
        }
    }

    @Test
    @Tag("O06")
    void theRightsAreThoseOfHandlersFrameworkAndDeclaredRules() throws IOException {
        assertThat(rules(objects()))
                .containsExactlyInAnyOrder(
                        "ClusterRole: list,watch,patch websites.example.com",
                        "ClusterRole: patch websites/status.example.com",
                        "ClusterRole: update websites/finalizers.example.com",
                        "ClusterRole: list,watch,create,patch,delete deployments.apps",
                        "ClusterRole: create,patch events",
                        "ClusterRole: list,watch customresourcedefinitions.apiextensions.k8s.io",
                        "ClusterRole: list,watch clusterkopfpeerings.kopf.dev",
                        "ClusterRole: patch clusterkopfpeerings.kopf.dev [default]",
                        "ClusterRole: get pods",
                        "ClusterRole: get pods/log",
                        "ClusterRole: list nodes.metrics.k8s.io",
                        "Role website-operator: get secrets [key]");
        assertThat(run().out()).contains("# list, watch of deployments in apps: @OnReconcile 'children'\n");
    }

    @Test
    @Tag("O06")
    void anOperatorOfNamespacesHasARoleInEachOfThem() throws IOException {
        assertThat(rules(objects("-n", "one", "-n", "two", "--set", "peering.standalone=true")))
                .contains(
                        "Role one: list,watch,patch websites.example.com",
                        "Role two: list,watch,patch websites.example.com",
                        "Role two: create,patch events",
                        "Role one: get pods")
                .filteredOn(rule -> rule.startsWith("ClusterRole"))
                .containsExactlyInAnyOrder(
                        "ClusterRole: list,watch customresourcedefinitions.apiextensions.k8s.io",
                        "ClusterRole: list nodes.metrics.k8s.io");
    }

    @Test
    @Tag("O06")
    void theRoleInANamespaceSaysThatItGoesBeforeTheObjects() throws IOException {
        String comment = "# Who deletes the namespace deletes this Role before the objects, ";
        assertThat(run("-n", "one").out()).containsOnlyOnce(comment).contains("`kubectl delete KIND --all -n one`");
        assertThat(run("-A").out()).doesNotContain(comment);
    }

    @Test
    @Tag("O06")
    void patternsOfNamespacesNeedTheClusterAndItsNamespaces() throws IOException {
        assertThat(rules(objects("-n", "web-*")))
                .contains(
                        "ClusterRole: list,watch namespaces",
                        "ClusterRole: list,watch,patch websites.example.com",
                        "ClusterRole: list,watch kopfpeerings.kopf.dev");
    }

    @ParameterizedTest
    @Tag("O06")
    @CsvSource(textBlock = """
            --standalone                               | peering | false
            --set=posting.enabled=false                | events  | false
            --set=scanning.disabled=true               | customresourcedefinitions | false
            --leader-elect                             | Role website-operator: create leases | true
            --leader-elect                             | Role website-operator: get,update leases.coordination.k8s.io [website-operator] | true
            --shards=64                                | Role website-operator: get,list,watch,create,update,delete leases | true
            --operator-namespace=ops                   | Role ops: get secrets [key] | true
            """, delimiter = '|')
    void settingsDecideOnRights(String option, String right, boolean needed) throws IOException {
        String all = String.join("\n", rules(objects(option)));
        assertThat(all.contains(right)).as(all).isEqualTo(needed);
    }

    @Test
    @Tag("O06")
    void whatIsNotDefinedIsNamedAsTheHandlersNameIt() throws IOException {
        write("WebsiteOperator.java", """
                import dev.kopf4j.*;

                class WebsiteOperator {
                    @OnEvent("certificates.v1.cert-manager.io")
                    void seen() {}

                    @OnEvent("issuers.v1.cert-manager.io")
                    void patched(Patch patch) {}

                    @OnIndex("*")
                    String all(String name) { return name; }
                }
                """);
        assertThat(rules(objects()))
                .contains(
                        "ClusterRole: list,watch certificates.cert-manager.io",
                        "ClusterRole: list,watch,patch issuers.cert-manager.io");
        assertThat(run().out())
                .contains("# No definition of 'certificates.v1.cert-manager.io' is known")
                .contains("# Which resources '*' selects depends on the cluster");
    }

    @Test
    @Tag("O01")
    @Tag("O06")
    void webhooksHaveAServiceAndTheRightsForTheirConfigurations() throws IOException {
        write("WebsiteOperator.java", VALIDATING);
        List<JsonNode> objects = objects("--set", "admission.managed=auto.example.com");
        assertThat(rules(objects))
                .contains(
                        "ClusterRole: create validatingwebhookconfigurations.admissionregistration.k8s.io",
                        "ClusterRole: get,patch validatingwebhookconfigurations.admissionregistration.k8s.io"
                                + " [auto.example.com]");
        assertThat(find(objects, "Deployment")
                        .at("/spec/template/spec/containers/0/args")
                        .toString())
                .contains("--set=admission.server=service:$(POD_NAMESPACE)/website-operator-webhooks:443:9443");
        JsonNode service = find(objects, "Service");
        assertThat(service.at("/metadata/name").asString()).isEqualTo("website-operator-webhooks");
        JsonNode deployment = find(objects, "Deployment");
        assertThat(service.at("/spec/selector")).isEqualTo(deployment.at("/spec/template/metadata/labels"));
        assertThat(deployment
                        .at("/spec/template/spec/containers/0/readinessProbe/httpGet/path")
                        .asString())
                .as("objects are listed when the Service has a pod that converts them, not before")
                .isEqualTo("/ready/webhooks");
        assertThat(deployment.at("/spec/template/spec/containers/0/ports/1").toString())
                .contains("webhooks", "9443");
    }

    /** The API server trusts the certificates of one authority: those of all pods have to be of the same one. */
    @ParameterizedTest
    @Tag("O06")
    @CsvSource({"--leader-elect,default", "--shards=8,ops"})
    void severalPodsWithWebhooksShareAnAuthority(String option, String namespace) throws IOException {
        write("WebsiteOperator.java", VALIDATING);
        List<JsonNode> objects = objects(option, "--operator-namespace", namespace);
        assertThat(find(objects, "Deployment")
                        .at("/spec/template/spec/containers/0/args")
                        .toString())
                .contains("--set=admission.server=service:$(POD_NAMESPACE)"
                        + "/website-operator-webhooks:443:9443,authority=website-operator-webhooks-ca\"");
        assertThat(rules(objects))
                .contains(
                        "Role " + namespace + ": create secrets",
                        "Role " + namespace + ": get,update secrets [website-operator-webhooks-ca]");
        assertThat(rules(objects()).toString()).doesNotContain("secrets");
        assertThat(run(option).out())
                .contains(".authority(WebhookAuthority.inSecret(\"website-operator\","
                        + " \"website-operator-webhooks-ca\"))");
        assertThat(rules(objects("--set=admission.server=service:a/b,authority=c")))
                .as("an authority that somebody has chosen")
                .contains("Role a: create secrets", "Role a: get,update secrets [c]");
        Path chart = folder.resolve("chart");
        assertThat(run(option, "--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(chart.resolve("templates/deployment.yaml"))
                .content()
                .contains("service:$(POD_NAMESPACE)/{{ .Release.Name }}-webhooks:443:9443"
                        + ",authority={{ .Release.Name }}-webhooks-ca");
        assertThat(chart.resolve("templates/rbac.yaml")).content().contains("{{ .Release.Name }}-webhooks-ca");
    }

    /** The API server is told what the setting says: another Service would lead nowhere. */
    @ParameterizedTest
    @Tag("O01")
    @CsvSource({
        "service:ops/hooks, hooks, 443, 9443, service:$(POD_NAMESPACE)/hooks:443:9443",
        "service:ops/ops:444:8443, ops, 444, 8443, service:$(POD_NAMESPACE)/ops:444:8443",
        "'service:ops/ops:443:8443,authority=own', ops, 443, 8443, 'service:$(POD_NAMESPACE)/ops:443:8443,authority=own'"
    })
    void theServiceIsTheOneThatSomebodyHasNamed(String setting, String name, int port, int listening, String told)
            throws IOException {
        write("WebsiteOperator.java", VALIDATING);
        List<JsonNode> objects = objects("--name", "ops", "--set", "admission.server=" + setting);
        JsonNode service = find(objects, "Service");
        assertThat(service.at("/metadata/name").asString()).isEqualTo(name);
        assertThat(service.at("/spec/ports").toString())
                .isEqualTo("[{\"name\":\"webhooks\",\"port\":" + port + ",\"targetPort\":\"webhooks\"}]");
        JsonNode container = find(objects, "Deployment").at("/spec/template/spec/containers/0");
        assertThat(container.path("ports").toString())
                .contains("{\"name\":\"webhooks\",\"containerPort\":" + listening + "}");
        assertThat(container.path("args").toString()).contains("\"--set=admission.server=" + told + "\"");
        assertThat(container.path("env").toString())
                .as("it is told once, for the namespace in which the pod is")
                .doesNotContain("ADMISSION_SERVER")
                .contains("{\"name\":\"POD_NAMESPACE\",\"valueFrom\":{\"fieldRef\":"
                        + "{\"fieldPath\":\"metadata.namespace\"}}}");
        assertThat(rules(objects).stream().filter(rule -> rule.contains("secrets")))
                .containsExactlyElementsOf(
                        setting.contains("own")
                                ? List.of("Role ops: create secrets", "Role ops: get,update secrets [own]")
                                : List.of());
    }

    @ParameterizedTest
    @Tag("O01")
    @CsvSource({"service:other/ops:443:8443", "local"})
    void noServiceIsPrintedThatLeadsNowhere(String setting) throws IOException {
        write("WebsiteOperator.java", VALIDATING);
        List<JsonNode> objects = objects("--name", "ops", "--set", "admission.server=" + setting);
        assertThat(objects).noneMatch(object -> object.path("kind").asString().equals("Service"));
        assertThat(find(objects, "Deployment")
                        .at("/spec/template/spec/containers/0/env")
                        .toString())
                .contains("KOPF4J_SETTINGS_ADMISSION_SERVER\",\"value\":\"" + setting);
        assertThat(run("--name", "ops", "--set", "admission.server=" + setting).out())
                .contains("# No Service is printed, as admission.server names none in 'ops'");
        assertThat(run("--name", "ops").out()).doesNotContain("# No Service");
        assertThat(run("--name", "ops", "--set", "admission.server=service:ops/ops:443:0")
                        .err())
                .contains("any free port of the pod, to which no Service can lead");
    }

    @Test
    @Tag("O01")
    void aNameHasRoomForTheServiceOfWebhooks() throws IOException {
        String longest = "n".repeat(54);
        assertThat(run("--name", longest + "n").exitCode()).isEqualTo(ExitCode.OK);
        write("WebsiteOperator.java", VALIDATING);
        assertThat(run("--name", longest).exitCode()).isEqualTo(ExitCode.OK);
        CommandRun tooLong = run("--name", longest + "n");
        assertThat(tooLong.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(tooLong.err()).contains("too long for an operator with webhooks", "--name");
    }

    @Test
    @Tag("O01")
    void operatorsOfOneNameInTwoNamespacesHaveRolesOfTheirOwn() throws IOException {
        Set<String> first = clusterNames(objects("--operator-namespace", "one"));
        assertThat(first)
                .containsExactly("ClusterRole one-website-operator", "ClusterRoleBinding one-website-operator");
        assertThat(clusterNames(objects("--operator-namespace", "two"))).doesNotContainAnyElementsOf(first);
        Path base = folder.resolve("base");
        assertThat(run("--operator-namespace", "one", "--kustomize", base.toString())
                        .exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(clusterNames(
                        ManifestFiles.read(List.of(base.resolve("rbac.yaml"))).objects()))
                .isEqualTo(first);
    }

    private static Set<String> clusterNames(List<JsonNode> objects) {
        return objects.stream()
                .filter(object -> object.path("kind").asString().startsWith("ClusterRole"))
                .map(object -> object.path("kind").asString() + " "
                        + object.at("/metadata/name").asString())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** In a namespace of others, their pods would be refused by what it enforces. */
    @ParameterizedTest
    @Tag("O02")
    @CsvSource({
        "--operator-namespace=ops, false",
        "--operator-namespace=default, false",
        "--operator-namespace=website-operator, true",
        "--name=default, false",
        "--name=kube-system, false"
    })
    void onlyTheNamespaceOfTheOperatorItselfIsMade(String option, boolean made) throws IOException {
        assertThat(objects(option).stream()
                        .anyMatch(object -> object.path("kind").asString().equals("Namespace")))
                .isEqualTo(made);
        Path base = folder.resolve("base");
        assertThat(run(option, "--kustomize", base.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(base.resolve("namespace.yaml").toFile().exists()).isEqualTo(made);
        assertThat(Files.readString(base.resolve("kustomization.yaml")).contains("namespace.yaml"))
                .isEqualTo(made);
    }

    /** Values are written once: what was told later would be lost in them. */
    @Test
    @Tag("O04")
    void aChartThatIsMadeAnewHasTheSettingsOfTheCommand() throws IOException {
        Path chart = folder.resolve("chart");
        assertThat(run("--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(chart.resolve("templates/deployment.yaml")).content().contains("fail \"replicas above 1");
        String values = Files.readString(chart.resolve("values.yaml"));
        assertThat(values).contains("env: []").doesNotContain("POD_ID", "KOPF4J_SETTINGS");
        assertThat(run("--leader-elect", "--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(chart.resolve("values.yaml")).content().isEqualTo(values);
        assertThat(chart.resolve("templates/deployment.yaml"))
                .content()
                .doesNotContain("fail \"replicas above 1")
                .contains(
                        "POD_ID",
                        "name: KOPF4J_SETTINGS_LEADER_ELECTION_ENABLED",
                        "name: KOPF4J_SETTINGS_LEADER_ELECTION_LEASE_NAME",
                        "{{- range .Values.env }}");
    }

    @Test
    @Tag("O04")
    void theJobOfThePlanEndsAndObeysTheValuesToo() throws IOException {
        Path chart = folder.resolve("chart");
        assertThat(run("--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(chart.resolve("templates/plan.yaml"))
                .content()
                .contains(
                        "activeDeadlineSeconds: {{ (.Values.plan).activeDeadlineSeconds | default 600 | int64 }}\n",
                        "{{- range .Values.env }}",
                        "{{- toYaml .Values.resources",
                        "{{- toYaml .Values.nodeSelector",
                        "{{- toYaml .Values.tolerations",
                        "{{- toYaml .Values.affinity");
    }

    /** What the roles cannot have, and what nobody does, would be found out in the cluster. */
    @Test
    @Tag("O06")
    void itSaysWhatHandlersDoNotDeclareAndThatNobodyManagesWebhooks() throws IOException {
        write("WebsiteOperator.java", """
                import dev.kopf4j.*;
                import dev.kopf4j.rbac.PolicyRule;
                import io.fabric8.kubernetes.client.KubernetesClient;

                class WebsiteOperator {
                    @OnValidate("pods")
                    void check() {}

                    @OnCreate("pods")
                    void undeclared(KubernetesClient client) {}

                    @OnUpdate("pods")
                    @PolicyRule(resources = "nodes", verbs = "get", clusterwide = true)
                    void declared(KubernetesClient client) {}
                }
                """);
        assertThat(run().out())
                .contains("# WebsiteOperator.undeclared takes a KubernetesClient, and declares no @PolicyRule")
                .doesNotContain("# WebsiteOperator.declared takes")
                .contains("# Nobody writes the configuration of the webhooks")
                .contains("admission.managed");
        assertThat(run("--set", "admission.managed=auto.example.com").out()).doesNotContain("# Nobody writes");
    }

    @Test
    @Tag("O06")
    void itSaysThatNobodyWritesConversions() throws IOException {
        write("WebsiteOperator.java", """
                import dev.kopf4j.*;

                class WebsiteOperator {
                    @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
                    Spec up(Spec spec) {
                        return spec;
                    }
                }
                """);
        assertThat(rules(objects()))
                .contains("ClusterRole: get customresourcedefinitions.apiextensions.k8s.io [widgets.example.com]");
        assertThat(run().out()).contains("# Nobody writes spec.conversion", "admission.managedConversions=true");
        String[] managed = {"--set", "admission.managedConversions=true"};
        assertThat(run(managed).out())
                .doesNotContain("# Nobody writes")
                .as("with the definition first, objects would be stored unconverted meanwhile")
                .contains(
                        "# If a definition gets a version that this operator is the first to convert, apply all else");
        assertThat(rules(objects(managed)))
                .contains(
                        "ClusterRole: get,patch customresourcedefinitions.apiextensions.k8s.io [widgets.example.com]");
        write("WebsiteOperator.java", VALIDATING);
        assertThat(run().out()).doesNotContain("spec.conversion");
    }

    /** Whoever replaces a definition, and does not merge into it, would take away what the operator has written. */
    @Test
    @Tag("O06")
    void definitionsSayWhoConvertsTheirObjectsWhereTheServiceIsKnown() throws IOException {
        write("WebsiteOperator.java", """
                import dev.kopf4j.*;

                class WebsiteOperator {
                    @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
                    Spec up(Spec spec) {
                        return spec;
                    }

                    @OnConvert(value = "widgets.example.com", from = "v2", to = "v1")
                    Spec down(Spec spec) {
                        return spec;
                    }
                }
                """);
        String version = """
                  - {name: %s, served: true, storage: %s, schema: {openAPIV3Schema: {type: object}}}
                """;
        String definition = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {kind: Widget, plural: widgets, singular: widget}
                  versions:
                """;
        write("widgets.yaml", definition + version.formatted("v1", true) + version.formatted("v2", false));
        String managed = "--set=admission.managedConversions=true";
        String kind = "CustomResourceDefinition";
        assertThat(find(objects(), kind).at("/spec/conversion").isMissingNode()).isTrue();
        JsonNode printed = find(objects(managed, "--operator-namespace=web"), kind);
        assertThat(printed.at("/spec/conversion").toString())
                .isEqualTo(
                        "{\"strategy\":\"Webhook\",\"webhook\":{\"clientConfig\":{\"service\":{\"namespace\":\"web\","
                                + "\"name\":\"website-operator-webhooks\",\"path\":\"/convert/widgets.example.com\",\"port\":443}},"
                                + "\"conversionReviewVersions\":[\"v1\"]}}");
        run(
                managed,
                "--helm",
                folder.resolve("chart").toString(),
                "--kustomize",
                folder.resolve("base").toString());
        assertThat(folder.resolve("base/crds.yaml")).content().contains("website-operator-webhooks");
        assertThat(folder.resolve("chart/crds/crds.yaml"))
                .as("only a release knows its namespace")
                .content()
                .doesNotContain("conversion:");
        write("widgets.yaml", definition + version.formatted("v1", true));
        assertThat(find(objects(managed), kind).at("/spec/conversion").isMissingNode())
                .as("nothing to convert")
                .isTrue();
    }

    @Test
    @Tag("O02")
    void theDeploymentHasProbesAndResourcesAndHardlyAnyPrivileges() throws IOException {
        JsonNode pod = find(objects("--image", "registry.example.com/web:1", "-A", "--priority=5"), "Deployment")
                .at("/spec/template/spec");
        JsonNode container = pod.at("/containers/0");
        assertThat(pod.at("/securityContext").toString())
                .isEqualTo("{\"runAsNonRoot\":true,\"seccompProfile\":{\"type\":\"RuntimeDefault\"}}");
        assertThat(container.at("/securityContext").toString())
                .isEqualTo("{\"allowPrivilegeEscalation\":false,\"readOnlyRootFilesystem\":true,"
                        + "\"capabilities\":{\"drop\":[\"ALL\"]}}");
        assertThat(container.path("image").asString()).isEqualTo("registry.example.com/web:1");
        for (String probe : List.of("startupProbe", "livenessProbe")) {
            assertThat(container.at("/" + probe + "/httpGet/path").asString()).isEqualTo("/healthz");
        }
        assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/ready");
        assertThat(container.at("/resources/limits/memory").asString()).isEqualTo("256Mi");
        assertThat(container.path("env").toString())
                .contains("{\"name\":\"KOPF4J_SETTINGS_PEERING_PRIORITY\",\"value\":\"5\"}")
                .contains("POD_ID");
        String[] arguments = container
                .path("args")
                .valueStream()
                .map(argument -> argument.asString().replace("json", "full")) // JSON would go to the log
                .toArray(String[]::new);
        assertThat(arguments).contains("--all-namespaces");
        assertThat(CommandRun.of(arguments).err())
                .as("the command line takes the arguments, but there is no such file here")
                .contains("Cannot read the file /app/operator.jar");
    }

    /** The root file system is read-only. */
    @ParameterizedTest
    @Tag("O02")
    @CsvSource(textBlock = """
            /var/lib/operator/record | /tmp /var/lib/operator/record | tmp record | false
            /tmp/record              | /tmp                          | tmp        | false
            /tmp/                    | /tmp                          | tmp        | false
            record                   | /tmp                          | tmp        | true
            /app/                    | /tmp                          | tmp        | true
            /                        | /tmp                          | tmp        | true
            none                     | /tmp                          | tmp        | false
            """, delimiter = '|')
    void theFolderOfTheRecordCanBeWritten(String setting, String mounted, String volumes, boolean told)
            throws IOException {
        String[] options = {"--set", "recorder.folder=" + setting};
        JsonNode pod = find(objects(options), "Deployment").at("/spec/template/spec");
        assertThat(pod.at("/containers/0/volumeMounts")
                        .valueStream()
                        .map(mount -> mount.path("mountPath").asString()))
                .containsExactly(mounted.split(" "));
        assertThat(pod.path("volumes").toString())
                .isEqualTo(Stream.of(volumes.split(" "))
                        .map(name -> "{\"name\":\"" + name + "\",\"emptyDir\":{}}")
                        .collect(Collectors.joining(",", "[", "]")));
        assertThat(run(options).out().contains("# No volume is printed for recorder.folder"))
                .isEqualTo(told);
    }

    @Test
    @Tag("O09")
    void theDeploymentStartsWhatTheImageOfTheSameFilesHas() throws Exception {
        Path source = folder.resolve("WebsiteOperator.java");
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        try (var jar = new JarOutputStream(Files.newOutputStream(libraries.resolve("a.jar")))) {
            jar.finish();
        }
        StagedImage image = new StagedImage(folder.resolve("image"));
        List<String> inImage =
                image.addOperator(new OperatorSources(List.of(source), List.of("WebsiteOperator"), List.of(libraries))
                        .files(new PrintWriter(Writer.nullWriter())));
        List<String> arguments = find(
                        objects("--classpath", libraries.toString(), "-m", "WebsiteOperator"), "Deployment")
                .at("/spec/template/spec/containers/0/args")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        assertThat(arguments).startsWith("run").endsWith(inImage.toArray(String[]::new));
        assertThat(inImage).startsWith("/app/operator.jar").contains("--classpath", "-m");
        assertThat(image.at("/app/operator.jar")).isRegularFile();
    }

    @Test
    @Tag("O01")
    void theNameIsThatOfTheFileOrTheProject() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("web-operator/src/main/java"));
        Files.copy(folder.resolve("WebsiteOperator.java"), sources.resolve("WebsiteOperator.java"));
        assertThat(CommandRun.of("manifests", sources.toString()).out())
                .contains("image: \"example.com/web-operator:latest\"");
    }

    /** Two operators must not stand by for each other, and all commands know the children. */
    @ParameterizedTest
    @Tag("O01")
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                | none  | none             | none
            --leader-elect                                    | none  | website-operator | none
            --name=ops --leader-elect                         | none  | ops              | none
            --leader-elect --set=operator.name=sites          | sites | none             | none
            --set=children.fieldManager=sites                 | none  | none             | sites
            --leader-elect --set=leaderElection.leaseName=old | none  | old              | none
            """)
    void aDeployedOperatorHasALeaseOfItsOwn(String options, String name, String lease, String manager)
            throws IOException {
        String env = find(objects(options.isEmpty() ? new String[0] : options.split(" ", -1)), "Deployment")
                .at("/spec/template/spec/containers/0/env")
                .toString();
        Map.of("OPERATOR_NAME", name, "LEADER_ELECTION_LEASE_NAME", lease, "CHILDREN_FIELD_MANAGER", manager)
                .forEach((variable, value) -> {
                    String start = "{\"name\":\"KOPF4J_SETTINGS_" + variable + "\"";
                    if (value.equals("none")) {
                        assertThat(env).doesNotContain(start);
                    } else {
                        assertThat(env).contains(start + ",\"value\":\"" + value + "\"}");
                    }
                });
    }

    @ParameterizedTest
    @Tag("O02")
    @CsvSource({
        "'', '--image is empty, perhaps as a variable of the shell is'",
        "' ', '--image is empty'",
        "a b, '--image \"a b\" has blanks'",
        "'a ', '--image \"a \" has blanks'",
    })
    void refusesAnImageThatIsNone(String image, String problem) {
        CommandRun run = run("--image", image);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(problem);
    }

    @Test
    @Tag("O02")
    void severalPodsNeedALeader() throws IOException {
        assertThat(run("--replicas", "2").err()).contains("--replicas 2 needs --leader-elect or --shards");
        assertThat(run("--helm", "").err()).contains("is empty, perhaps as a variable of the shell is");
        assertThat(find(objects("--replicas", "0"), "Deployment")
                        .at("/spec/replicas")
                        .asInt(1))
                .isZero();
        assertThat(run("--shards", "64", "--leader-elect").err()).contains("exclude each other");
        assertThat(run("--shards", "0").err()).contains("--shards 0 is less than one");
        assertThat(find(objects("--shards", "64", "--replicas", "3"), "Deployment")
                        .at("/spec/replicas")
                        .asInt())
                .isEqualTo(3);
        JsonNode spec = find(objects("--leader-elect"), "Deployment").path("spec");
        assertThat(spec.path("replicas").asInt()).isEqualTo(2);
        assertThat(spec.at("/strategy/type").asString()).isEqualTo("RollingUpdate");
        assertThat(spec.at("/template/spec/topologySpreadConstraints/0/labelSelector"))
                .isEqualTo(spec.path("selector"));
        JsonNode budget = find(objects("--leader-elect"), "PodDisruptionBudget").path("spec");
        assertThat(budget.path("maxUnavailable").asInt()).isEqualTo(1);
        assertThat(budget.path("unhealthyPodEvictionPolicy").asString())
                .as("nodes with replicas that are not ready can be emptied")
                .isEqualTo("AlwaysAllow");
        assertThat(budget.path("selector")).isEqualTo(spec.path("selector"));
        assertThat(spec.at("/template/metadata/annotations").toString())
                .isEqualTo("{\"prometheus.io/scrape\":\"true\",\"prometheus.io/port\":\"8080\","
                        + "\"prometheus.io/path\":\"/metrics\"}");
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(run("--leader-elect").out());
        }
        assertThat(find(objects(), "Deployment").at("/spec/strategy/type").asString())
                .isEqualTo("Recreate");
        assertThat(run("--name", "No_Name").err()).contains("'No_Name' is no name in Kubernetes");
    }

    @Test
    @Tag("O03")
    void aBaseOfKustomizeNamesItsFilesAndIsMadeAnew() throws IOException {
        Path base = folder.resolve("base");
        assertThat(run("--kustomize", base.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(names(base))
                .containsExactly("crds.yaml", "deployment.yaml", "kustomization.yaml", "namespace.yaml", "rbac.yaml");
        assertThat(base.resolve("kustomization.yaml"))
                .content()
                .contains("kind: Kustomization", "- crds.yaml\n", "- deployment.yaml\n");
        write("WebsiteOperator.java", "class WebsiteOperator { @dev.kopf4j.OnEvent(\"pods\") void seen() {} }");
        assertThat(run("--kustomize", base.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(names(base))
                .as("there are no types any more")
                .containsExactly("deployment.yaml", "kustomization.yaml", "namespace.yaml", "rbac.yaml");
    }

    /** Who deletes a definition deletes all its objects. */
    @Test
    @Tag("O03")
    void toolsAreToldToKeepDefinitionsInEachFormOfTheOutput() throws IOException {
        String[] kept = {
            "helm.sh/resource-policy: keep",
            "argocd.argoproj.io/sync-options: \"Prune=false,Delete=false\"",
            "kustomize.toolkit.fluxcd.io/prune: disabled"
        };
        assertThat(run().out()).contains(kept);
        Path base = folder.resolve("base");
        assertThat(run("--kustomize", base.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(base.resolve("crds.yaml")).content().contains(kept);
        Path chart = folder.resolve("chart");
        assertThat(run("--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(chart.resolve("crds/crds.yaml")).content().contains(kept);
        for (String file : List.of("rbac.yaml", "deployment.yaml")) {
            assertThat(base.resolve(file)).content().doesNotContain("resource-policy", "sync-options", "/prune");
        }
    }

    @Test
    @Tag("O03")
    void whatADefinitionTellsToolsItselfStays() throws IOException {
        write("own.yaml", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: shops.example.com
                  annotations: {argocd.argoproj.io/sync-options: ServerSideApply=true, example.com/team: web}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: shops, kind: Shop}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object}}
                """);
        write("WebsiteOperator.java", "class WebsiteOperator { @dev.kopf4j.OnEvent(\"shops\") void seen() {} }");
        assertThat(find(objects(), "CustomResourceDefinition")
                        .at("/metadata/annotations")
                        .toString())
                .isEqualTo("{\"argocd.argoproj.io/sync-options\":\"ServerSideApply=true\","
                        + "\"example.com/team\":\"web\",\"helm.sh/resource-policy\":\"keep\","
                        + "\"kustomize.toolkit.fluxcd.io/prune\":\"disabled\"}");
    }

    /** Kustomize moves all that is in a namespace, also the roles of those that the operator serves. */
    @Test
    @Tag("O03")
    void aBaseWithRolesInOtherNamespacesSaysThatNoOverlayMaySetOne() {
        String base = folder.resolve("base").toString();
        assertThat(run("-n", "team-b", "-n", "team-a", "--kustomize", base).err())
                .contains("Let no overlay of this base set a namespace", "the roles in team-a, team-b away");
        assertThat(run("-A", "--kustomize", base).err()).isEmpty();
        assertThat(run("-n", "team-a").out()).doesNotContain("overlay");
    }

    @Test
    @Tag("O03")
    void filesOfPeopleAreNotOverwrittenAndNothingIsHalfDone() throws IOException {
        Path base = Files.createDirectories(folder.resolve("base"));
        Files.writeString(base.resolve("rbac.yaml"), "mine: true\n");
        CommandRun run = run("--kustomize", base.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("rbac.yaml was not made by `kopf4j manifests`");
        assertThat(names(base)).containsExactly("rbac.yaml");
        assertThat(base.resolve("rbac.yaml")).content().isEqualTo("mine: true\n");
    }

    /** As on a full disk, there is no way to write the last ones. */
    @Test
    @Tag("O03")
    void aChartThatCannotBeWrittenStaysAsItWas() throws IOException {
        Path chart = folder.resolve("chart");
        assertThat(run("--helm", chart.toString()).exitCode()).isEqualTo(ExitCode.OK);
        for (Path file : List.of(chart.resolve("values.yaml"), chart.resolve("templates"))) {
            Files.move(file, folder.resolve(file.getFileName()));
        }
        Files.writeString(chart.resolve("templates"), "in the way");
        write("WebsiteOperator.java", "class WebsiteOperator { @dev.kopf4j.OnEvent(\"pods\") void seen() {} }");
        CommandRun run = run("--helm", chart.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Cannot write into the folder " + chart);
        assertThat(names(chart)).containsExactly("Chart.yaml", "crds", "templates");
        assertThat(names(chart.resolve("crds"))).containsExactly("crds.yaml");
    }

    /** The file may have been begun on a full disk; who has linked it wants it elsewhere. */
    @Test
    @Tag("O03")
    void emptyFilesAreWrittenAndLinksStay() throws IOException {
        Path base = Files.createDirectories(folder.resolve("base"));
        Path shared = Files.createFile(folder.resolve("shared.yaml"));
        Files.createSymbolicLink(base.resolve("rbac.yaml"), shared);
        assertThat(run("--kustomize", base.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(base.resolve("rbac.yaml")).isSymbolicLink();
        assertThat(shared).content().contains("kind: ClusterRole");
    }

    /** Whoever may write into the device's folder would replace it for the whole machine. */
    @Test
    @Tag("O03")
    void linksToDevicesAreLeftAlone() throws IOException {
        Path base = Files.createDirectories(folder.resolve("base"));
        Files.createSymbolicLink(base.resolve("rbac.yaml"), Path.of("/dev/null"));
        CommandRun run = run("--kustomize", base.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("rbac.yaml was not made by");
        assertThat(names(base)).containsExactly("rbac.yaml");
    }

    @Test
    @Tag("O03")
    void withoutAFileThereAreNoManifests() {
        CommandRun run = CommandRun.of("manifests");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("name a source file");
    }

    @Test
    @Tag("O03")
    void filesOfOtherOperatorsStay() throws IOException {
        Path all = folder.resolve("all");
        for (String other : List.of("other", "another")) {
            assertThat(run("--kustomize", all.resolve(other).toString(), "--name", other)
                            .exitCode())
                    .isEqualTo(ExitCode.OK);
        }
        assertThat(run("--kustomize", all.toString(), "--name", "mine").exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(names(all.resolve("other"))).hasSize(5);
        assertThat(run("--helm", all.toString(), "--name", "chart").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(names(all)).contains("kustomization.yaml", "Chart.yaml");
        assertThat(all.resolve("rbac.yaml"))
                .content()
                .startsWith("# Made by `kopf4j manifests --kustomize` for 'mine', which makes it anew");

        CommandRun run = run("--kustomize", all.resolve("other").toString(), "--name", "another");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("was not made by `kopf4j manifests` for this operator");
        assertThat(names(all.resolve("other"))).hasSize(5);
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
