package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code kopf4j why} and {@code kopf4j plan} say of children: without a call, and with {@code --children}. */
class WhyChildrenTest {
    private static final String WEBSITE = "/apis/kopf.dev/v1/namespaces/default/websites/home";
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/home";
    private static final String SERVICE = "/api/v1/namespaces/default/services/home";
    private static final String SECRET = "/api/v1/namespaces/default/secrets/home";

    /** Writes a file when anything of it is called. */
    private static final String SOURCE = """
            import dev.kopf4j.*;
            import dev.kopf4j.crd.*;
            import java.nio.file.*;

            class Websites {
                @CustomResource(group = "kopf.dev", version = "v1")
                record Website(Spec spec) {}
                record Spec(int replicas) {}

                @OnReconcile(children = {"deployments.v1.apps", "services", "secrets"})
                void children(Website website, Children children) throws java.io.IOException {
                    Files.writeString(Path.of("FOLDER/called"), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    System.out.println("a function prints");
                    children.add(\"""
                            apiVersion: apps/v1
                            kind: Deployment
                            spec:
                              replicas: ${spec.replicas}
                              selector: {matchLabels: {app: "${metadata.name}"}}
                              template:
                                metadata: {labels: {app: "${metadata.name}"}}
                                spec: {containers: [{name: nginx, image: "nginx:1"}]}
                            \""");
                    children.add(\"""
                            apiVersion: v1
                            kind: Service
                            spec: {selector: {app: "${metadata.name}"}, ports: [{port: 80}]}
                            \""");
                    children.add(\"""
                            apiVersion: v1
                            kind: Secret
                            stringData: {password: canary-7d1f}
                            \""");
                }

                @OnCreate
                void create(Website website) throws java.io.IOException {
                    Files.writeString(Path.of("FOLDER/created"), "x");
                }
            }
            """;

    @TempDir
    private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> answers = new CopyOnWriteArrayList<>();

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults()
            .requestListener((request, response) -> requests.add(request.method() + " " + request.path()))
            .requestLog(answers::add));

    private String kubeconfig = "";
    private String source = "";

    @BeforeEach
    void prepare() throws IOException {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        kubeconfig = file.toString();
        source = source("old", SOURCE);
        cluster.apply(CommandRun.of("crd", source).out());
    }

    private String source(String name, String text) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        return Files.writeString(own.resolve("Website.java"), text.replace("FOLDER", folder.toString()))
                .toString();
    }

    private void create() {
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: Website
                metadata: {name: home, namespace: default}
                spec: {replicas: 2}
                """);
    }

    /** Lets the operator make the children, and stop. */
    private void handled() throws InterruptedException, IOException {
        create();
        runUntil(() -> send("GET", SECRET, "").path("metadata").has("uid"));
        Files.delete(folder.resolve("called"));
        requests.clear();
    }

    private void runUntil(Callable<Boolean> done) throws InterruptedException {
        var loaded = new OperatorSources(List.of(Path.of(source)), List.of(), List.of())
                .load(new PrintWriter(new StringWriter()));
        try (OperatorHandle operator = Operator.builder()
                .handlers(loaded.handlers().toArray())
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start()) {
            assertThat(operator.awaitReady(Duration.ofSeconds(20))).isTrue();
            await().atMost(Duration.ofSeconds(20)).until(done);
        }
    }

    private JsonNode send(String method, String path, String body) {
        Map<String, String> headers =
                Map.of("content-type", "application/merge-patch+json", "authorization", "Bearer " + cluster.token());
        String target = method.equals("GET") ? path : path + "?fieldManager=kubectl-edit";
        ApiResponse response = cluster.handle(
                ApiRequest.of(method, target, headers, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        return JsonMapper.shared().readTree(ResponseBytes.body(response));
    }

    private CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig));
        CommandRun run = CommandRun.of(all.toArray(String[]::new));
        assertThat(run.out() + run.err()).doesNotContain("canary", "Y2FuYXJ5");
        return run;
    }

    private String why(String... more) {
        List<String> all = new ArrayList<>(List.of("why", source));
        all.addAll(List.of(more));
        CommandRun run = run(all.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(requests).isNotEmpty().allMatch(each -> each.startsWith("GET "));
        requests.clear();
        return run.out();
    }

    private String called(String object, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(object, "--children", "--consent", "call them"));
        all.addAll(List.of(more));
        String told = why(all.toArray(String[]::new));
        Files.deleteIfExists(folder.resolve("called"));
        return told;
    }

    @Test
    @Tag("Q03")
    void tellsWithoutACallWhatTheChildItselfShows() throws Exception {
        handled();
        String hint = "--children calls @OnReconcile with a copy, and tells which fields of which children differ";
        assertThat(why("deploy/home"))
                .contains("owned by Website home\n", "made by the handler 'children'", hint)
                .doesNotContain("would be applied,");
        assertThat(why("websites/home")).contains(hint);

        send("PATCH", DEPLOYMENT, "{'spec':{'replicas':5},'metadata':{'labels':{'kopf4j.dev/managed-by':null}}}");
        send("PATCH", WEBSITE, "{'metadata':{'annotations':{'kopf.zalando.org/paused':'true'}}}");
        requests.clear();
        assertThat(why("deploy/home"))
                .contains(
                        "owned by Website home, which is paused: its children are left alone",
                        "would be applied, because field metadata.labels.kopf4j.dev/managed-by is not as the operator has"
                                + " applied it",
                        "would be applied anew if these fields were said otherwise, because kubectl-edit has set them at",
                        ": spec.replicas");
        assertThat(folder.resolve("called")).doesNotExist();
        assertThat(folder.resolve("created")).exists();
    }

    @Test
    @Tag("Q03")
    void tellsByCallsWhichFieldsDiffer() throws Exception {
        handled();
        Files.delete(folder.resolve("created"));
        String rest = called("websites/home");
        assertThat(rest)
                .contains(
                        "as @OnReconcile says of a copy of websites.kopf.dev/home in 'default':",
                        "services default/home: nothing would be written",
                        "secrets default/home: nothing would be written")
                .doesNotContain("differ:", "--children calls", "a function prints");

        send("PATCH", DEPLOYMENT, "{'spec':{'replicas':5}}");
        cluster.handle(
                ApiRequest.of("DELETE", SERVICE, Map.of("authorization", "Bearer " + cluster.token()), new byte[0]));
        requests.clear();
        String differing = called("websites/home");
        assertThat(differing)
                .contains(
                        "    deployments.apps default/home: would be applied, because these fields differ:\n      spec.replicas: 5 -> 2\n",
                        "services default/home: would be created",
                        "secrets default/home: nothing would be written");
        assertThat(called("deploy/home")).contains("spec.replicas: 5 -> 2").doesNotContain("services default/home");
        JsonNode json = JsonMapper.shared().readTree(called("websites/home", "-o", "json"));
        assertThat(json.at("/children/0/object").asString()).isEqualTo("deployments.apps default/home");
        assertThat(json.at("/children/0/fate").asString()).isEqualTo("applied");
        assertThat(json.at("/children/0/fields/0").asString()).isEqualTo("spec.replicas: 5 -> 2");
        assertThat(folder.resolve("created")).as("nothing else is called").doesNotExist();
        runUntil(() -> send("GET", SERVICE, "").path("metadata").has("uid")
                && send("GET", DEPLOYMENT, "").at("/spec/replicas").asInt() == 2);
        requests.clear();
        assertThat(called("websites/home")).doesNotContain("would be created", "would be applied");
        assertThat(run("why", source, "websites/home", "--children", "--follow").err())
                .contains("leave --follow out");
    }

    @Test
    @Tag("Q03")
    void tellsWhatOthersHaveMadePausesAndFailures() throws Exception {
        create();
        cluster.apply("""
                apiVersion: v1
                kind: Service
                metadata: {name: home, namespace: default}
                spec: {ports: [{port: 80}]}
                """);
        requests.clear();
        assertThat(called("websites/home"))
                .contains(
                        "deployments.apps default/home: would be created",
                        "Service default/home: would not be written (one exists that this operator has not made");
        send("PATCH", WEBSITE, "{'metadata':{'annotations':{'kopf.zalando.org/paused':'true'}}}");
        requests.clear();
        assertThat(called("websites/home"))
                .contains("it is paused.", "it was not called")
                .doesNotContain("would be created");
        assertThat(JsonMapper.shared()
                        .readTree(called("websites/home", "-o", "json"))
                        .at("/remarks/0")
                        .asString())
                .startsWith("@OnReconcile was not called for websites");
        send("PATCH", WEBSITE, "{'metadata':{'annotations':{'kopf.zalando.org/paused':null}}}");
        requests.clear();
        source = source(
                "failing",
                SOURCE.replace("children.add(", "if (true) throw new PermanentException(\"no luck\"); children.add("));
        assertThat(called("websites/home"))
                .contains("@OnReconcile 'children' has failed for websites.kopf.dev default/home: no luck")
                .doesNotContain("would be created");
        JsonNode json = JsonMapper.shared().readTree(called("websites/home", "-o", "json"));
        assertThat(json.at("/failures/0").asString()).endsWith("home: no luck");
    }

    @Test
    @Tag("Q03")
    void tellsWhatBecomesOfWhatOthersHaveMade() throws Exception {
        create();
        String uid = send("GET", WEBSITE, "").at("/metadata/uid").asString();
        String service = "{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}]}, metadata: {namespace: default,";
        cluster.apply(service + " name: other}}");
        cluster.apply(service + " name: home, ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: home,"
                + " uid: " + uid + "}]}}");
        requests.clear();
        assertThat(why("services/home"))
                .contains(
                        "owned by Website home\n",
                        "not made by this operator, but owned by an object of its handlers of children (children):"
                                + " it becomes a child of that object if they want one of its name");
        assertThat(why("services/other"))
                .contains("not made by this operator: its handlers of children (children) leave it alone unless they"
                        + " adopt it");
        assertThat(called("websites/home")).contains("services default/home: would be applied");
    }

    @Test
    @Tag("Q03")
    void tellsThatAChildBelongsToAnotherParent() throws Exception {
        source = source("same", """
                import dev.kopf4j.*;
                import java.nio.file.*;
                import java.util.Map;

                class Sites {
                    @OnReconcile(value = "websites", children = "configmaps")
                    Object file(String name) throws java.io.IOException {
                        Files.writeString(Path.of("FOLDER/called"), name, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                        return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "f0"));
                    }
                }
                """);
        create();
        runUntil(() -> send("GET", "/api/v1/namespaces/default/configmaps/f0", "")
                .path("metadata")
                .has("uid"));
        cluster.apply("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: late, namespace: default},"
                + " spec: {replicas: 1}}");
        Files.delete(folder.resolve("called"));
        requests.clear();
        assertThat(why("websites/late", "--children", "--consent", "call them"))
                .contains("ConfigMap default/f0: would not be written (it belongs to another parent")
                .doesNotContain("not at rest");
        assertThat(folder.resolve("called"))
                .as("the other parent is left alone")
                .content()
                .doesNotContain("home");
    }

    /** The one of the other handler's kind is not asked for as long as no child says that it belongs to one. */
    @ParameterizedTest
    @CsvSource({"ReplicationController, replicationcontrollers, 1", "ServiceAccount, serviceaccounts, 0"})
    @Tag("Q03")
    void tellsWhatCanBeSaidWithoutOtherParents(String owner, String plural, int refusals) throws Exception {
        source = source("two", """
                import dev.kopf4j.*;
                import java.util.Map;

                class Two {
                    @OnReconcile(value = "websites", children = "configmaps")
                    Object file() {
                        return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "f0"));
                    }

                    @OnReconcile(value = "replicationcontrollers", children = "secrets")
                    void others(Children children) {}
                }
                """);
        create();
        cluster.apply("{apiVersion: v1, kind: %s, metadata: {name: one, namespace: default}%s}"
                .formatted(
                        owner,
                        refusals == 0
                                ? ""
                                : ", spec: {replicas: 0, selector: {a: b}, template: {metadata: {labels: {a: b}},"
                                        + " spec: {containers: [{name: c, image: i}]}}}"));
        String uid = send("GET", "/api/v1/namespaces/default/" + plural + "/one", "")
                .at("/metadata/uid")
                .asString();
        cluster.apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: theirs
                  namespace: default
                  ownerReferences: [{apiVersion: v1, kind: %s, name: one, uid: %s}]
                """.formatted(owner, uid));
        cluster.faults().add("GET /api/v1/namespaces/default/replicationcontrollers 403");
        requests.clear();
        String told = why("websites/home", "--children", "--consent", "call them");
        assertThat(told).contains("configmaps default/f0: would be created");
        assertThat(told.contains("Other parents, of replicationcontrollers.v1, cannot be read"))
                .isEqualTo(refusals > 0);
        assertThat(answers).filteredOn(each -> each.endsWith(" 403")).hasSize(refusals);
        JsonNode json = JsonMapper.shared()
                .readTree(why("websites/home", "--children", "--consent", "call them", "-o", "json"));
        assertThat(json.at("/children/0/fate").asString()).isEqualTo("created");
        assertThat(json.at("/remarks").valueStream().map(JsonNode::asString))
                .hasSize(refusals)
                .allMatch(each -> each.startsWith("Other parents, of replicationcontrollers.v1, cannot be read"));
    }

    @Test
    @Tag("Q04")
    void plansNameChildrenAndTheirFields() throws Exception {
        handled();
        send("PATCH", DEPLOYMENT, "{'spec':{'replicas':5}}");
        String next = source("new", SOURCE.replace("nginx:1", "nginx:2").replace("port: 80", "port: 81"));
        requests.clear();
        CommandRun without = run("plan", next, "--old", source, "-A", "--quiet");
        assertThat(without.out())
                .contains("Note: Whether children are as @OnReconcile says")
                .doesNotContain("nginx");
        assertThat(without.exitCode()).isEqualTo(ExitCode.OK);
        CommandRun told = run("plan", next, "--old", source, "-A", "--quiet", "--children", "--consent", "call them");
        assertThat(told.out())
                .contains(
                        "Children that would be written, with the fields that differ:",
                        "  deployments.apps default/home: would be applied, because these fields differ:",
                        "spec.template.spec.containers[0].image: \"nginx:1\" -> \"nginx:2\"",
                        "spec.replicas: 5 -> 2",
                        "spec.ports[0].port: 80 -> 81")
                .doesNotContain("Note: Whether children", "a function prints");
        assertThat(told.exitCode()).isEqualTo(ExitCode.FINDINGS);
        CommandRun same = run("plan", source, "--old", source, "-A", "--quiet", "--children", "--consent", "call them");
        assertThat(same.out())
                .contains("Children that the old version would write in the same way:", "spec.replicas: 5 -> 2");
        assertThat(same.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(requests).isNotEmpty().allMatch(each -> each.startsWith("GET "));
    }

    @Test
    @Tag("Q04")
    void plansTellWhatChildrenThemselvesShow() throws Exception {
        handled();
        send("PATCH", DEPLOYMENT, "{'metadata':{'annotations':{'kopf4j.dev/applied':null}}}");
        String next = source("new", SOURCE.replace("void children(", "void wanted("));
        assertThat(run("plan", next, "--old", source, "-A", "--quiet").out())
                .contains(
                        "Made by 'children', which the new version does not have; deleted unless another handler wants them:"
                                + " 1 object of services",
                        "Children that either version would find changed:",
                        "default/home: somebody has taken metadata.annotations.kopf4j.dev/applied");
        assertThat(folder.resolve("called")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "why FILE websites/home --children --consent, GET /api/v1/namespaces/default/services 403",
        "plan FILE -A --quiet --children --consent, GET /api/v1/services 403",
        "plan FILE -A --quiet --consent, GET /apis/kopf.dev/v1/websites 403"
    })
    void whatIsRefusedIsNotAskedForAgain(String command, String rule) {
        create();
        cluster.faults().add(rule);
        List<String> arguments =
                new ArrayList<>(List.of(command.replace("FILE", source).split(" ", -1)));
        arguments.add("call them");
        CommandRun run = run(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(answers).filteredOn(each -> each.endsWith(" 403")).hasSize(1);
    }

    @Test
    @Tag("Q03")
    void callsFunctionsWithoutANetwork() throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "--user", "--map-root-user", "--net", "true")
                        .start()
                        .waitFor()
                == 0);
        create();
        String caller = source("caller", """
                import dev.kopf4j.*;

                class Caller {
                    @OnReconcile(value = "websites", children = "configmaps")
                    void call(Children children) {
                        String reached = "the cluster";
                        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", PORT)) {
                        } catch (java.io.IOException e) {
                            reached = "nobody";
                        }
                        throw new PermanentException("reached " + reached);
                    }
                }
                """.replace("PORT", cluster.url().replaceAll(".*:", "")));
        try (ProgramProcess program = ProgramProcess.start(
                folder, "why", caller, "websites/home", "--children", "--kubeconfig", kubeconfig)) {
            assertThat(program.awaitOut("    @OnReconcile 'call' has failed")).endsWith("reached nobody");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
        assertThat(run("why", caller, "websites/home", "--children", "--consent", "call them")
                        .out())
                .contains("reached the cluster");
    }
}
