package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.virtual.ResponseBytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Goal: who operates an operator needs no rights beyond those that are generated for it. Method: the account of the
 * generated manifests, in a cluster that obeys roles, obeys pauses and retries, and runs the commands.
 */
class OperationRightsTest {
    private static final String OBJECT = "/apis/kopf.dev/v1/namespaces/default/websites/home";
    private static final String SOURCE = """
            import dev.kopf4j.*;
            import dev.kopf4j.crd.*;
            import java.util.Map;

            class Websites {
                @CustomResource(group = "kopf.dev", version = "v1")
                record Website(Spec spec) {}
                record Spec(String text) {}

                @OnCreate void create(Website website) {}

                @OnReconcile(children = "configmaps", condition = "")
                Object page(Website website) {
                    return Map.of("apiVersion", "v1", "kind", "ConfigMap", "data", Map.of("text", website.spec().text()));
                }
            }
            """;

    @TempDir
    private Path folder;

    private final List<String> refused = new CopyOnWriteArrayList<>();

    @AutoClose
    private final DevCluster cluster =
            DevCluster.start(Options.defaults().rbac(true).requestListener((request, response) -> {
                if (response.status() == 403) {
                    refused.add(request.method() + " " + request.path());
                }
            }));

    private String source = "";
    private String admin = "";

    @BeforeEach
    void prepare() throws IOException {
        source = Files.writeString(folder.resolve("Websites.java"), SOURCE).toString();
        Path file = folder.resolve("admin");
        cluster.writeKubeconfig(file);
        admin = file.toString();
    }

    private List<String> manifests(String... more) {
        List<String> all = new ArrayList<>(
                List.of("manifests", "--name", "sites", "--operator-namespace", "default", "--standalone", source));
        all.addAll(List.of(more));
        CommandRun run = CommandRun.of(all.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Arrays.asList(run.out().split("(?m)^---\n", -1));
    }

    private static List<String> withoutDeployment(List<String> manifests) {
        return manifests.stream()
                .filter(each -> !each.contains("kind: Deployment"))
                .toList();
    }

    /** A kubeconfig of the account. */
    private Path account() throws IOException {
        JsonNode answer = send(
                "POST",
                "/api/v1/namespaces/default/serviceaccounts/sites/token",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}");
        String token = answer.at("/status/token").asString();
        return Files.writeString(
                folder.resolve("account"), Files.readString(Path.of(admin)).replace(cluster.token(), token));
    }

    private JsonNode send(String method, String path, String body) {
        Map<String, String> headers =
                Map.of("content-type", "application/json", "authorization", "Bearer " + cluster.token());
        ApiResponse response =
                cluster.handle(ApiRequest.of(method, path, headers, body.getBytes(StandardCharsets.UTF_8)));
        return JsonMapper.shared().readTree(ResponseBytes.body(response));
    }

    private static String run(String kubeconfig, String... arguments) {
        return run(Map.of(), kubeconfig, arguments);
    }

    private static String run(Map<String, String> environment, String kubeconfig, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig));
        CommandRun run = CommandRun.with(environment, all.toArray(String[]::new));
        assertThat(run.exitCode()).as(all + "\n" + run.out() + run.err()).isEqualTo(ExitCode.OK);
        return run.out();
    }

    @Test
    @Tag("Q01")
    @Tag("Q02")
    @Tag("Q03")
    @Tag("Q04")
    void thoseOfTheManifestsSuffice() throws Exception {
        assertThat(withoutDeployment(manifests("--set", "execution.pauseAndRetry=false")))
                .as("rights and all else, but for the setting itself")
                .isEqualTo(withoutDeployment(manifests()));
        cluster.apply(String.join("---\n", withoutDeployment(manifests())));
        cluster.apply("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: home, namespace: default},"
                + " spec: {text: hello}}");
        String account = account().toString();
        obeys(account);
        assertThat(refused).isEmpty();

        assertThat(run(account, "why", source, "websites/home", "-n", "default", "--rights"))
                .contains("@OnCreate 'create': wrong cause")
                .doesNotContain("has no right");
        assertThat(run(
                        account,
                        "why",
                        source,
                        "websites/home",
                        "-n",
                        "default",
                        "--children",
                        "--consent",
                        "call them"))
                .contains("configmaps default/home: nothing would be written");
        asksBeforeUpgrades(account);

        cluster.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: other, namespace: default}}");
        send("DELETE", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/default-sites", "");
        cluster.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: [{apiGroups: [kopf.dev], resources: [websites], verbs: [get, list, watch]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
                subjects: [{kind: ServiceAccount, name: sites, namespace: default}]
                """);
        assertThat(run(account, "why", source, "websites/home", "-n", "default", "--rights"))
                .contains("@OnCreate 'create': the account in use has no right to patch");
        assertThat(run(account, "why", source, "websites/home", "-n", "default"))
                .contains("@OnCreate 'create': wrong cause");
        String events = Files.writeString(folder.resolve("Events.java"), """
                import dev.kopf4j.*;

                class Events {
                    @OnEvent("websites") void seen() {}
                }
                """).toString();
        assertThat(run(account, "why", events, "websites/home", "-n", "default", "--rights"))
                .contains("@OnEvent 'seen': may run")
                .doesNotContain("has no right");
    }

    /** An operator with that account does what people ask for. */
    private void obeys(String account) throws Exception {
        var loaded = new OperatorSources(List.of(Path.of(source)), List.of(), List.of())
                .load(new PrintWriter(new StringWriter()));
        try (OperatorHandle operator = Operator.builder()
                .handlers(loaded.handlers().toArray())
                .kubeconfig(Path.of(account))
                .settings(settings -> settings.peering().standalone(true))
                .clusterwide()
                .build()
                .start()) {
            assertThat(operator.awaitReady(Duration.ofSeconds(20))).isTrue();
            for (String[] command : List.of(
                    new String[] {"pause", "websites/home", "-n", "default", "--wait"},
                    new String[] {"resume", "websites/home", "-n", "default", "--wait"},
                    new String[] {"retry", "websites/home", "-n", "default", "--wait", "--handler", "create"})) {
                assertThat(run(admin, command)).contains("Acknowledged: ");
            }
            assertThat(run(account, "pause", "websites/home", "-n", "default", "--wait"))
                    .as("by the account itself, which may list and patch")
                    .contains("Acknowledged: ");
            assertThat(run(admin, "resume", "websites/home", "-n", "default", "--wait"))
                    .contains("Acknowledged: ");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> send("GET", "/api/v1/namespaces/default/configmaps/home", "")
                            .path("metadata")
                            .has("uid"));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> send("GET", OBJECT, "")
                            .at("/metadata/annotations")
                            .toString()
                            .contains("last-handled"));
        }
    }

    /** The job of the chart has arguments that the command takes, and an account that may do what they ask for. */
    private void asksBeforeUpgrades(String account) throws IOException {
        for (List<String> options : List.of(
                List.of("-A"),
                List.of(
                        "-n",
                        "default",
                        "--leader-elect",
                        "--set",
                        "execution.max-workers=3",
                        "--log-format",
                        "json"))) {
            Path chart = folder.resolve("chart-" + options.size());
            List<String> more = new ArrayList<>(List.of("--helm", chart.toString()));
            more.addAll(options);
            var _ = manifests(more.toArray(String[]::new));
            String job = Files.readString(chart.resolve("templates/plan.yaml"));
            String container = job.substring(job.indexOf("args:"), job.indexOf("resources:"));
            List<String> arguments = new ArrayList<>();
            Map<String, String> environment = new HashMap<>();
            for (String line :
                    container.substring(0, container.indexOf("env:")).lines().toList()) {
                if (line.strip().startsWith("- ")) {
                    arguments.add(line.strip().substring(2).replace("\"", "").replace("/app/operator.jar", source));
                }
            }
            for (MatchResult each : Pattern.compile("- name: (KOPF4J_\\w+)\\s+value: \"?([^\"\\n]*)")
                    .matcher(container)
                    .results()
                    .toList()) {
                environment.put(each.group(1), each.group(2));
            }
            assertThat(arguments).startsWith("plan").contains(source, "--changes-are-fine");
            assertThat(environment).isNotEmpty();
            assertThat(run(environment, account, arguments.toArray(String[]::new)))
                    .contains("Plan for", "@OnReconcile 'page' for 1 object", "Nothing would change.");
            arguments.remove("--changes-are-fine"); // plan.failOnChanges
            assertThat(run(environment, account, arguments.toArray(String[]::new)))
                    .contains("Nothing would change.");
        }
    }
}
