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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kopf4j plan}: what an upgrade would do, and that the cluster does not notice. */
class PlanCommandTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "20-children", "Example.java");
    private static final Path PAGE = Path.of("..", "docs", "upgrading.md");
    private static final String WEBSITES = "/apis/kopf.dev/v1/namespaces/default/websites";
    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata: {name: key, namespace: default}
            stringData: {password: canary-7d1f}
            """;

    @TempDir
    private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults()
            .requestListener((request, response) -> requests.add(request.method() + " " + request.path())));

    private String kubeconfig = "";
    private String old = "";

    @BeforeEach
    void prepare() throws IOException {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        kubeconfig = file.toString();
        old = source("old", Files.readString(EXAMPLE));
    }

    private String source(String name, String text) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        return Files.writeString(own.resolve("Website.java"), text).toString();
    }

    /** The edit that the page shows: pairs of texts in its second and following blocks of Java. */
    private static String edited(String text) throws IOException {
        String changed = text;
        Matcher blocks = Pattern.compile("(?s)```diff\n(.*?)```").matcher(Files.readString(PAGE));
        assertThat(blocks.find()).isTrue();
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : (blocks.group(1) + "@@\n").lines().toList()) {
            if (line.startsWith("@@")) {
                if (!before.isEmpty()) {
                    assertThat(changed).contains(before);
                    changed = changed.replace(before, after);
                }
                before.setLength(0);
                after.setLength(0);
            } else {
                String content = line.substring(1) + "\n";
                if (!line.startsWith("+")) {
                    before.append(content);
                }
                if (!line.startsWith("-")) {
                    after.append(content);
                }
            }
        }
        assertThat(changed).isNotEqualTo(text);
        return changed;
    }

    /** Lets a version handle websites, and stop. */
    private void handledBy(String source, String... names) throws InterruptedException {
        var loaded = new OperatorSources(List.of(Path.of(source)), List.of(), List.of())
                .load(new PrintWriter(new StringWriter()));
        assertThat(CommandRun.of("crd", source).exitCode()).isZero();
        cluster.apply(CommandRun.of("crd", source).out());
        for (String name : names) {
            cluster.apply("""
                    apiVersion: kopf.dev/v1
                    kind: Website
                    metadata: {name: %s, namespace: default}
                    spec: {html: "<h1>Hello</h1>", replicas: 2}
                    """.formatted(name));
        }
        try (OperatorHandle operator = Operator.builder()
                .handlers(loaded.handlers().toArray())
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start()) {
            assertThat(operator.awaitReady(Duration.ofSeconds(20))).isTrue();
            for (String name : names) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> get("/api/v1/namespaces/default/services/" + name)
                                .path("metadata")
                                .has("uid"));
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> get(WEBSITES + "/" + name).path("status").has("conditions"));
            }
        }
    }

    private JsonNode get(String path) {
        ApiResponse response = cluster.handle(ApiRequest.of("GET", path, Map.of(), new byte[0]));
        return JsonMapper.shared().readTree(ResponseBytes.body(response));
    }

    private CommandRun plan(String... arguments) {
        List<String> all = new ArrayList<>(List.of("plan", "--kubeconfig", kubeconfig, "--all-namespaces", "--quiet"));
        all.addAll(List.of(arguments));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private String shown(CommandRun run) {
        return run.out()
                .replace(folder + "/", "")
                .replaceAll("children:\\p{XDigit}{16}", "children:[...]") // of uids, too
                .strip();
    }

    @Test
    @Tag("Q04")
    void tellsWhatIsNotServedAndEndsWithAFailure() throws Exception {
        handledBy(old, "home");
        String next = source("new", """
                import dev.kopf4j.*;

                class Website {
                    @OnCreate("websites.v7.kopf.dev") void old7() {}

                    @OnEvent("nothings") void none() {}
                }
                """);
        CommandRun run = plan(next);
        assertThat(run.out())
                .contains("Not looked at, so that nothing is known of their objects: websites.v7.kopf.dev (served are"
                        + " websites.v1.kopf.dev), nothings (not served). Let")
                .endsWith("Nothing would change of what was looked at.\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(plan(next, "--changes-are-fine").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(plan(next, "--run", "--consent", "call them").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(plan(next, "--set", "scanning.optionalResources=true").out())
                .contains("objects: websites.v7.kopf.dev (served are websites.v1.kopf.dev). Let");
    }

    @Test
    @Tag("Q04")
    void tellsHandlersOfVersionsThatAreNotWatched() throws Exception {
        cluster.apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {kind: Box, plural: boxes}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                """);
        String both = source("both", """
                import dev.kopf4j.*;

                class Boxes {
                    @OnCreate("boxes.v1.kopf.dev") void make() {}

                    @OnUpdate("boxes.v1beta1.kopf.dev") void change() {}
                }
                """);
        assertThat(plan(both).out())
                .contains("Note: boxes.v1.kopf.dev is watched, and so no other version of it, but handlers are for"
                        + " v1beta1: not called are 'change': let all handlers")
                .doesNotContain("Not looked at");
    }

    @Test
    @Tag("Q04")
    void definitionsThatComeAreServedThen() throws Exception {
        CommandRun run = plan(old);
        assertThat(run.out()).doesNotContain("Not looked at");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    @Tag("Q04")
    @Tag("Q05")
    void printsWhatThePageSays() throws Exception {
        handledBy(old, "home", "shop");
        String next = source("new", edited(Files.readString(EXAMPLE)));
        CommandRun forecast = plan(next, "--old", old);
        CommandRun children = plan(next, "--old", old, "--children", "--consent", "call them");
        CommandRun tried = plan(next, "--old", old, "--run", "--consent", "call them", "--objects", "9");
        assertThat(Files.readString(PAGE))
                .contains(
                        "```text\n" + shown(forecast) + "\n```",
                        "```text\n"
                                + shown(children).substring(shown(children).indexOf("Children that would"))
                                + "\n```",
                        "```text\n" + shown(tried) + "\n```");
        assertThat(forecast.exitCode()).as(forecast.err()).isEqualTo(ExitCode.FINDINGS);
        assertThat(tried.exitCode()).isEqualTo(ExitCode.FINDINGS);
        assertThat(plan(next, "--old", old, "--changes-are-fine").exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    @Tag("Q04")
    void planIsEmptyForTheSameSourceAtRest() throws Exception {
        handledBy(old, "home");
        for (CommandRun run : List.of(
                plan(source("same", Files.readString(EXAMPLE)), "--old", old),
                plan(old, "--old", old, "--run", "--consent", "call them"))) {
            assertThat(run.out()).contains("@OnReconcile 'children'").endsWith("Nothing would change.\n");
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(plan(old).out()).contains("As at each start:").endsWith("Nothing would change.\n");
    }

    @Test
    @Tag("Q04")
    void onlyReadsAndChangesNothing() throws Exception {
        handledBy(old, "home");
        Map<String, String> before = versions();
        requests.clear();
        String next = source("new", edited(Files.readString(EXAMPLE)));
        assertThat(plan(next, "--old", old, "--run", "--consent", "call them").exitCode())
                .isEqualTo(ExitCode.FINDINGS);
        assertThat(requests).isNotEmpty().allMatch(each -> each.startsWith("GET "));
        assertThat(versions()).isEqualTo(before).isNotEmpty();
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (String path : List.of(
                WEBSITES,
                "/api/v1/configmaps",
                "/api/v1/services",
                "/api/v1/namespaces",
                "/api/v1/events",
                "/apis/apps/v1/deployments",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")) {
            get(path)
                    .path("items")
                    .forEach(each -> versions.put(
                            path + " " + each.path("metadata").path("name").asString(""),
                            each.path("metadata").path("resourceVersion").asString("")));
        }
        return versions;
    }

    @Test
    @Tag("Q04")
    void readsSecretsOnlyIfAHandlerWatchesThemAndNeverPrintsThem() throws Exception {
        cluster.apply(SECRET);
        String watching = source("watching", """
                import dev.kopf4j.*;

                class Keys {
                    @OnUpdate("secrets")
                    void changed(Body body, Patch patch) { patch.annotation("seen", "yes"); }

                    @OnResume("secrets")
                    void resumed(Patch patch) { patch.set("data.other", "Y2FuYXJ5LTdkMWY="); }

                    @OnCreate("secrets")
                    void created(Patch patch) { patch.annotation("made", "yes"); }
                }
                """);
        String children = source("children", """
                import dev.kopf4j.*;

                class Keys {
                    @OnReconcile(value = "configmaps", children = "secrets")
                    void keep(Children children) {}
                }
                """);
        requests.clear();
        CommandRun whole = plan(watching, "--run", "--consent", "call them", "--objects", "50");
        assertThat(whole.out())
                .contains("secrets default/key", "(not shown)")
                .doesNotContain("canary-7d1f", "Y2FuYXJ5LTdkMWY");
        assertThat(whole.err()).doesNotContain("canary-7d1f", "Y2FuYXJ5LTdkMWY");
        CommandRun partly = plan(children);
        assertThat(partly.out()).contains("nothing but their metadata is read");
        requests.clear();
        assertThat(plan(old).out()).contains("Plan for");
        assertThat(requests).noneMatch(each -> each.contains("/secrets"));
    }

    @Test
    void tellsMistakesByAnotherCodeThanChanges() {
        assertThat(plan("nowhere.java").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(plan(old, "--old", "nowhere.java").err()).contains("nowhere.java");
        assertThat(plan("--unknown", old).exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(plan(old, "--run", "--consent", "yes").err()).contains("call them");
    }

    @Test
    void endsWithTheCodeOfChangesOnlyIfThereIsAPlan() throws IOException {
        String dependency = source("dependency", "//DEPS nonsense\nclass Website {}\n");
        String beside = source("beside", Files.readString(EXAMPLE));
        Files.writeString(Path.of(beside).resolveSibling("broken.yaml"), "a: [");
        for (CommandRun run : List.of(
                plan("--set", "watching.nonsense=1", old),
                plan("-m", "no.such.Class", old),
                plan(beside),
                plan(dependency))) {
            assertThat(run.out()).doesNotContain("Plan for");
            assertThat(run.exitCode()).as(run.err()).isNotIn(ExitCode.OK, ExitCode.FINDINGS);
        }
    }

    @Test
    @Tag("Q04")
    void childrenThatTheServerRefusesAreAChange() throws Exception {
        String before = source("before", """
                import dev.kopf4j.*;

                class Parents {
                    @OnReconcile(value = "configmaps", children = "services", labels = "parent")
                    void keep(Children children) {
                        children.add("{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}]}}");
                    }
                }
                """);
        String after = source("after", Files.readString(Path.of(before)).replace("port: 80", "port: 0"));
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default, labels: {parent: x}}}");
        for (String how : List.of("--children", "--run")) {
            CommandRun worse = plan(after, "--old", before, how, "--consent", "call them");
            assertThat(worse.out())
                    .contains(
                            how.equals("--run")
                                    ? "Tried: children that the new version could not write:"
                                    : "Children that could not be written:")
                    .contains("Service")
                    .endsWith("Something would change.\n");
            assertThat(worse.exitCode()).as(worse.err()).isEqualTo(ExitCode.FINDINGS);
            CommandRun same = plan(after, "--old", after, how, "--consent", "call them");
            assertThat(same.out()).doesNotContain("could not");
        }
    }

    /** Its peers are not in the copy: a version that waited for them would write nothing there. */
    @Test
    @Tag("Q04")
    void changesAreToldOfOperatorsWithAMandatoryPeering() throws Exception {
        String before = source("before", """
                import dev.kopf4j.*;

                class Parents {
                    @OnStartup void prepare(OperatorSettings settings) {}

                    @OnReconcile(value = "configmaps", children = "services", labels = "parent")
                    void keep(Children children) {
                        children.add("{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}]}}");
                    }
                }
                """);
        String after = source(
                "after",
                Files.readString(Path.of(before)).replace("kind: Service,", "kind: Service, metadata: {name: other},"));
        String inCode = source(
                "inCode",
                Files.readString(Path.of(after))
                        .replace("settings) {}", "settings) { settings.peering().name(\"p1\").mandatory(true); }"));
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default, labels: {parent: x}}}");
        for (String how : List.of("--children", "--run")) {
            for (List<String> given : List.of(
                    List.of(after, "--peering", "p1"),
                    List.of(after, "--set", "peering.mandatory=true"),
                    List.of(inCode))) {
                List<String> all = new ArrayList<>(given);
                all.addAll(List.of("--old", before, how, "--consent", "call them"));
                CommandRun run = plan(all.toArray(String[]::new));
                assertThat(run.out())
                        .as("%s", all)
                        .contains("services default/other")
                        .endsWith("Something would change.\n");
                assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
            }
        }
    }

    /** It is that of the operator that really runs on this machine. */
    @Test
    void trialsWriteNothingIntoTheFolderOfTheRecord() throws Exception {
        String source = source("made", """
                import dev.kopf4j.*;

                class Made {
                    @OnCreate("configmaps") void made(Patch patch) { patch.annotation("made", "yes"); }
                }
                """);
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}}");
        Path record = folder.resolve("record");
        CommandRun run = plan(source, "--run", "--consent", "call them", "--set", "recorder.folder=" + record);
        assertThat(run.out()).as(run.err()).contains("Tried: ", "configmaps default/one");
        assertThat(record).doesNotExist();
    }

    @Test
    @Tag("Q04")
    @Tag("Q05")
    void secretsThatAreChildrenAreToldAsApplied() throws Exception {
        String source = source("before", """
                import dev.kopf4j.*;

                class Parents {
                    @OnReconcile(value = "configmaps", children = {"secrets", "services"}, labels = "parent")
                    void keep(Children children) {
                        Child secret = children.add("{apiVersion: v1, kind: Secret, stringData: {text: '1'}}");
                        children.add("{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}]}}").after(secret);
                    }
                }
                """);
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default, labels: {parent: x}}}");
        try (OperatorHandle operator = Operator.builder()
                .handlers(new OperatorSources(List.of(Path.of(source)), List.of(), List.of())
                        .load(new PrintWriter(new StringWriter()))
                        .handlers()
                        .toArray())
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start()) {
            assertThat(operator.awaitReady(Duration.ofSeconds(20))).isTrue();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> get("/api/v1/namespaces/default/services/one")
                            .path("metadata")
                            .has("uid"));
        }
        String after = source(
                "after", Files.readString(Path.of(source)).replace("'1'", "'2'").replace("port: 80", "port: 81"));
        for (String how : List.of("--children", "--run")) {
            CommandRun plan = plan(after, "--old", source, how, "--consent", "call them");
            assertThat(plan.out())
                    .contains("secrets default/one", "services default/one")
                    .doesNotContain("could not");
        }
    }

    @Test
    @Tag("Q05")
    void callsNothingWithoutConsent() throws Exception {
        cluster.apply(CommandRun.of("crd", old).out());
        InputStream in = System.in;
        System.setIn(new ByteArrayInputStream("no\n".getBytes(StandardCharsets.UTF_8)));
        try {
            CommandRun run = plan(old, "--run");
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err()).contains("Type \"call them\" to go on", "Nothing was called");
        } finally {
            System.setIn(in);
        }
    }

    @Test
    @Tag("Q04")
    void tellsRightsBreakingChangesCallsAndRecordsThatStay() throws Exception {
        String before = source("before", """
                import dev.kopf4j.*;
                import dev.kopf4j.crd.*;

                class Shops {
                    @CustomResource(group = "kopf.dev", version = "v1")
                    record Shop(ShopSpec spec) {}
                    record ShopSpec(String name, int size) {}

                    @OnCreate void open(Shop shop) {}
                    @OnDelete void close(Shop shop) {}
                }
                """);
        String after = source("after", """
                import dev.kopf4j.*;
                import dev.kopf4j.crd.*;

                class Shops {
                    @CustomResource(group = "kopf.dev", version = "v1")
                    record Shop(ShopSpec spec) {}
                    record ShopSpec(String name, String size) {}

                    @OnCreate(labels = "open=yes") void opened(Shop shop) {}
                    @OnResume(when = "isBig") void big(Shop shop) {}
                    @OnEvent("pods") void pod() {}
                    boolean isBig(Shop shop) { return true; }
                }
                """);
        cluster.apply(CommandRun.of("crd", before).out());
        for (String labels : List.of("yes", "no")) {
            cluster.apply("""
                    apiVersion: kopf.dev/v1
                    kind: Shop
                    metadata:
                      name: "%s"
                      namespace: default
                      labels: {open: "%s"}
                      finalizers: [kopf.zalando.org/KopfFinalizerMarker]
                      annotations:
                        kopf.zalando.org/open: '{"started": "2026-01-01T00:00:00", "retries": 1}'
                        kopf.zalando.org/undo-step.open.rent: '{"id": "open/rent", "name": "rent", "result": "r-1"}'
                    spec: {name: a, size: 1}
                    """.formatted(labels, labels));
        }
        CommandRun run = plan(after, "--old", before);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
        assertThat(run.out().lines().map(String::strip))
                .contains(
                        "list, watch of pods cluster-wide, for @OnEvent 'pod'",
                        "@OnCreate 'opened' for 1 object of shops.kopf.dev",
                        "default/yes: create",
                        "@OnCreate 'open' for 2 objects of shops.kopf.dev",
                        "The finalizer would be removed from 2 objects of shops.kopf.dev",
                        "Nobody would take back what steps have made for 2 objects of shops.kopf.dev",
                        "default/yes: open/rent",
                        "The record of 'open' would stay, and nobody would read it, on 2 objects of shops.kopf.dev")
                .anyMatch(line -> line.startsWith("shops.kopf.dev: breaking: v1 spec.size"))
                .noneMatch(line -> line.contains("Objects remember steps"));
        assertThat(plan(before, "--old", before).out())
                .contains("Note: Objects remember steps that are to be taken back")
                .contains("lets deletions wait: open/rent.");
    }

    private static final String PAGES = """
            import dev.kopf4j.*;
            import dev.kopf4j.crd.*;

            class Pages {
                @CustomResource(group = "kopf.dev", version = "v1")
                record Page(PageSpec spec) {}
                record PageSpec(String text) {}
                HANDLERS
            }
            """;

    private String pages(String name, String... handlers) throws IOException {
        return source(name, PAGES.replace("HANDLERS", String.join("\n    ", handlers)));
    }

    private void page(String metadata) throws IOException {
        cluster.apply(CommandRun.of("crd", pages("definition")).out());
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: Page
                metadata: {name: home, namespace: default, finalizers: [kopf.zalando.org/KopfFinalizerMarker]%s}
                spec: {text: a}
                """.formatted(metadata));
    }

    @Test
    @Tag("Q04")
    void tellsOfFinalizersThatNobodyWouldTakeOff() throws Exception {
        page("");
        String gone = pages("before", "@OnDelete void gone(Page page) {}", "@OnEvent void seen(Page page) {}");
        String seen = pages("seen", "@OnEvent void seen(Page page) {}");
        String none = pages("none", "@OnCreate(\"configmaps\") void made() {}");
        String optional = pages("optional", "@OnDelete(optional = true) void gone(Page page) {}");
        for (String after : List.of(seen, none)) {
            CommandRun run = plan(after, "--old", gone);
            assertThat(run.out())
                    .contains(
                            "Finalizers that would not be taken off:\n  Cannot be deleted any more: 1 object of pages",
                            "Note: To have finalizers taken off",
                            "Something would change.")
                    .doesNotContain("would be removed");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
        }
        assertThat(plan(optional, "--old", gone).out()).contains("The finalizer would be removed from 1 object");
        assertThat(plan(gone, "--old", seen).out()).doesNotContain("The finalizer", "would not be taken off");
        CommandRun alone = plan(seen);
        assertThat(alone.out()).contains("Finalizers that would not be taken off:", "Nothing would change.");
        assertThat(alone.exitCode()).isEqualTo(ExitCode.OK);
    }

    /** A step is in doubt, and the old version has no such handler. */
    @Test
    @Tag("Q04")
    void whatWaitsForSomebodyToAskWouldNotBeCalled() throws Exception {
        page(", annotations: {kopf.zalando.org/made: '{\"started\": \"2026-01-01T00:00:00\", \"purpose\": \"create\","
                + " \"delayed\": \"2160-01-01T00:00:00\", \"retries\": 1}'}");
        String made = pages("made", "@OnCreate void made(Page page) {}", "@OnEvent void seen(Page page) {}");
        String seen = pages("seen", "@OnEvent void seen(Page page) {}");
        assertThat(plan(made, "--old", seen).out())
                .doesNotContain("@OnCreate 'made' for 1 object", "Handlers that would be called:");
    }

    /** Those that the versions bring themselves are told as definitions. */
    @Test
    @Tag("Q05")
    void tellsDefinitionsThatHandlersWrite() throws Exception {
        page("");
        String writes = pages("writes", """
                @OnEvent void seen(Page page, io.fabric8.kubernetes.client.KubernetesClient client) {
                        client.resource(""\"
                                apiVersion: apiextensions.k8s.io/v1
                                kind: CustomResourceDefinition
                                metadata: {name: others.kopf.dev}
                                spec:
                                  group: kopf.dev
                                  scope: Cluster
                                  names: {kind: Other, plural: others}
                                  versions:
                                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                                ""\").createOr(existing -> existing.update());
                    }
                """);
        assertThat(plan(writes, "--run", "--consent", "call them").out())
                .contains("customresourcedefinitions.apiextensions.k8s.io others.kopf.dev (new)")
                .doesNotContain("pages.kopf.dev (new)");
    }

    @Test
    @Tag("Q04")
    void tellsOfHandlersThatLowerLimitsMakeAnEndOf() throws Exception {
        page(", annotations: {kopf.zalando.org/made: '{\"started\": \"2026-01-01T00:00:00\", \"purpose\": \"create\","
                + " \"delayed\": \"2060-01-01T00:00:00\", \"retries\": 4}'}");
        String any = pages("any", "@OnCreate void made(Page page) {}");
        String two = pages("two", "@OnCreate(retries = 2) void made(Page page) {}");
        for (CommandRun run : List.of(plan(two, "--old", any), plan(two))) {
            assertThat(run.out())
                    .contains(
                            "Handlers that would fail for good, without a call:\n  @OnCreate 'made' for 1 object of pages",
                            "default/home: at 2060-01-01T00:00:00.000000+00:00: Handler 'made' has exceeded 4 retries.")
                    .doesNotContain("by the old version, too");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
        }
        assertThat(plan(two, "--old", two).out()).doesNotContain("would fail for good");
        assertThat(plan(any, "--old", two).out()).contains("Handlers that would be called:", "attempt 5 at 2060");
    }

    @Test
    @Tag("Q04")
    void tellsOfChildrenThatNobodyWouldDelete() throws Exception {
        page("");
        String uid = get("/apis/kopf.dev/v1/namespaces/default/pages/home")
                .path("metadata")
                .path("uid")
                .asString("");
        cluster.apply("""
                apiVersion: v1
                kind: Service
                metadata:
                  name: home
                  namespace: default
                  labels: {kopf4j.dev/managed-by: kopf4j}
                  annotations: {kopf4j.dev/applied: "files:0123456789abcdef"}
                  ownerReferences: [{apiVersion: kopf.dev/v1, kind: Page, name: home, uid: %s, controller: true}]
                spec: {ports: [{port: 80}]}
                """.formatted(uid));
        String both = pages(
                "both",
                "@OnReconcile(children = {\"configmaps\", \"services\"}) Object files(Page page) { return null; }");
        String one = pages("one", "@OnReconcile(children = \"configmaps\") Object files(Page page) { return null; }");
        String none = pages("none", "@OnUpdate void changed(Page page) {}");
        String other = pages(
                "other",
                "@OnReconcile(children = {\"configmaps\", \"services\"}) Object others(Page page) { return null; }");
        for (String after : List.of(one, none)) {
            CommandRun run = plan(after, "--old", both);
            assertThat(run.out())
                    .contains(
                            "Children that nobody would delete:",
                            "Would stay, as the new version does not look at them: 1 object of services",
                            "Note: To have such children deleted")
                    .doesNotContain("Children without a handler");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
        }
        assertThat(plan(other, "--old", both).out())
                .contains("Children without a handler:")
                .doesNotContain("nobody would delete");
        assertThat(plan(both, "--old", both).out()).doesNotContain("nobody would delete");
    }

    @Test
    @Tag("Q05")
    void cutsOffTheNetworkWhereThatIsPossible() throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "--user", "--map-root-user", "--net", "true")
                        .start()
                        .waitFor()
                == 0);
        cluster.apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: one, namespace: default}
                """);
        String caller = source("caller", """
                import dev.kopf4j.*;

                class Caller {
                    @OnCreate("configmaps")
                    void call(Patch patch) {
                        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", PORT)) {
                            patch.annotation("example.com/reached", "the cluster");
                        } catch (java.io.IOException e) {
                            patch.annotation("example.com/reached", "nobody");
                        }
                        System.out.println("a handler prints");
                    }
                }
                """.replace("PORT", cluster.url().replaceAll(".*:", "")));
        requests.clear();
        try (ProgramProcess program =
                ProgramProcess.start(folder, "plan", "--kubeconfig", kubeconfig, "-A", caller, "--run")) {
            program.awaitErr("a handler prints");
            assertThat(program.awaitOut("      metadata.annotations")).contains("nobody");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.FINDINGS);
        }
        assertThat(plan(caller, "--run", "--consent", "call them").out()).contains("the cluster");
        assertThat(requests).isNotEmpty().allMatch(each -> each.startsWith("GET "));
    }
}
