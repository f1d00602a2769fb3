package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

/**
 * {@code kopf4j why}, and {@code pause}, {@code resume} and {@code retry} beside an operator that runs: each situation
 * with the words that are printed.
 */
class WhyCommandTest {
    private static final String OBJECTS = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";
    private static final String PREFIX = "kopf.zalando.org/";
    private static final String LATER = "2060-01-01T00:00:00.000000Z";
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: kopfexamples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {kind: KopfExample, plural: kopfexamples, singular: kopfexample, shortNames: [kex]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir
    private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults().requestLog(requests::add));

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
                    @OnCreate(value = "kex", retries = 3)
                    void create() {}

                    @OnUpdate("kex")
                    void update() {}

                    @OnUpdate(value = "kex", labels = "size=big")
                    void grow() {}

                    @OnField(value = "kex", field = "spec.a")
                    void field() {}

                    @OnResume("kex")
                    void resume() {}

                    @OnDelete("kex")
                    void delete() {}

                    @OnTimer(value = "kex", interval = "60s")
                    void tick() {}

                    @OnCreate("secrets")
                    void secret() {}
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

    private void create(String metadata) {
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: x, namespace: default%s}
                spec: {a: 1}
                """.formatted(metadata));
    }

    private JsonNode send(String method, String path, String body) {
        Map<String, String> headers = Map.of(
                "authorization",
                "Bearer " + cluster.token(),
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
        byte[] sent = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        ApiResponse response = cluster.handle(ApiRequest.of(method, path, headers, sent));
        return JsonMapper.shared().readTree(((ApiResponse.Whole) response.body()).bytes());
    }

    private void annotate(String name, String value) {
        send(
                "PATCH",
                OBJECTS + "/x",
                JsonMapper.shared()
                        .createObjectNode()
                        .set(
                                "metadata",
                                JsonMapper.shared()
                                        .createObjectNode()
                                        .set(
                                                "annotations",
                                                JsonMapper.shared()
                                                        .createObjectNode()
                                                        .put(PREFIX + name, value.replace('\'', '"'))))
                        .toString());
    }

    private CommandRun run(String command, String... arguments) {
        String[] all = Stream.concat(
                        Stream.concat(Stream.of(command), Arrays.stream(arguments)),
                        Stream.of("--kubeconfig", kubeconfig))
                .toArray(String[]::new);
        return CommandRun.of(all);
    }

    private String why(String... more) {
        CommandRun run =
                run("why", Stream.concat(Stream.of(source), Arrays.stream(more)).toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return run.out();
    }

    private void handled() {
        annotate("last-handled-configuration", "{'spec':{'a':1}}\n");
    }

    @Test
    @Tag("Q03")
    void tellsOfANewObject() {
        create("");
        assertThat(why("kex/x"))
                .contains(
                        "kopfexamples.kopf.dev/x in 'default': it was not handled before: its creation is to be handled.",
                        "the operator's finalizer is missing, and is added first",
                        "@OnCreate 'create': would run now (create)",
                        "@OnField 'field/spec.a': would run now (create)",
                        "@OnUpdate 'update': wrong cause: the object was not handled before: that is its creation, and"
                                + " @OnUpdate is not for that",
                        "@OnTimer 'tick': may run, depending on memory: it runs beside the object");
        assertThat(why("kex/x", "create").lines().filter(line -> line.contains("@On")))
                .containsExactly("  @OnCreate 'create': would run now (create)");
        assertThat(why("kex/x", "nobody")).contains("no handler for it has the id 'nobody'; there are: create, update");
    }

    @Test
    @Tag("Q03")
    void tellsOfRecordsAndFilters() {
        create("");
        annotate(
                "create",
                "{'started':'2020-01-01T00:00:00Z','delayed':'2060-01-01T00:00:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'no disk'}");
        annotate(
                "field.spec.a",
                "{'started':'2020-01-01T00:00:00Z','stopped':'2020-01-01T00:01:00Z','purpose':'create','retries':1,"
                        + "'success':true,'failure':false}");
        assertThat(why("kex/x"))
                .contains(
                        "@OnCreate 'create': waits until 2060-01-01T00:00:00Z",
                        "attempt 2 of 3: no disk",
                        "@OnField 'field/spec.a': done at 2020-01-01T00:01:00Z");
        annotate(
                "create",
                "{'started':'2020-01-01T00:00:00Z','stopped':'2020-01-01T00:01:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':true,'message':'no disk'}");
        assertThat(why("kex/x")).contains("@OnCreate 'create': failed for good at 2020-01-01T00:01:00", "no disk");
    }

    @Test
    @Tag("Q03")
    void tellsOfHandlersForAVersionThatTheServerDoesNotPrefer() throws IOException {
        String versions = DEFINITION.substring(DEFINITION.indexOf("  - name: v1"));
        cluster.apply(DEFINITION + versions.replace("name: v1", "name: v2").replace("storage: true", "storage: false"));
        create("");
        source = Files.writeString(folder.resolve("Older.java"), """
                import dev.kopf4j.*;

                class Older {
                    @OnCreate("kopfexamples.v1.kopf.dev")
                    void create() {}
                }
                """).toString();
        assertThat(why("kex/x"))
                .contains("@OnCreate 'create': would run now (create)")
                .doesNotContain("no handler");
    }

    @Test
    @Tag("Q03")
    void tellsOfHandlersForAVersionThatIsNotServed() throws IOException {
        create("");
        source = Files.writeString(folder.resolve("Older.java"), """
                import dev.kopf4j.*;

                class Older {
                    @OnCreate("kopfexamples.v1beta1.kopf.dev")
                    void create() {}
                }
                """).toString();
        assertThat(why("kex/x"))
                .contains("they are for kopfexamples.v1beta1.kopf.dev, which the cluster does not serve");
    }

    @Test
    @Tag("Q03")
    void textsOnTheObjectCommandNoTerminal() {
        create("");
        annotate(
                "create",
                "{'started':'2020-01-01T00:00:00Z','delayed':'2060-01-01T00:00:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'no\\ndisk\\u001b[2J'}");
        assertThat(why("kex/x")).contains("attempt 2 of 3: no\\ndisk\\u001b[2J").doesNotContain("\u001b");
        assertThat(JsonMapper.shared()
                        .readTree(why("kex/x", "create", "-o", "json"))
                        .at("/handlers/0/words")
                        .asString(""))
                .endsWith("attempt 2 of 3: no\ndisk\u001b[2J");
    }

    @Test
    @Tag("Q03")
    void tellsOfUpdatesAndOfObjectsAtRest() {
        create("");
        handled();
        assertThat(why("kex/x"))
                .contains(
                        "it was handled as it is: nothing that matters has changed since.",
                        "@OnUpdate 'update': wrong cause: nothing that matters has changed since the object was handled",
                        "@OnResume 'resume': may run, depending on memory: it is called once after each start");
        send("PATCH", OBJECTS + "/x", "{'spec':{'b':2},'metadata':{'labels':{'size':'small'}}}");
        assertThat(why("kex/x"))
                .contains(
                        "it has changed since it was handled:",
                        "spec.b from nothing to 2",
                        "@OnUpdate 'update': would run now (update)",
                        "@OnUpdate 'grow': the filter on the label, size=big, does not match: it is \"small\"",
                        "@OnField 'field/spec.a': spec.a has not changed: it is 1");
    }

    @Test
    @Tag("Q03")
    void tellsOfPausesDeletionsAndScopes() {
        create(", finalizers: [example.com/other]");
        annotate("paused", "true");
        assertThat(why("kex/x")).contains("it is paused.", "@OnCreate 'create': paused by an annotation");
        annotate("paused", "all");
        assertThat(why("kex/x")).contains("it is paused, its deletion, too.");
        annotate("paused", "false");
        assertThat(why("kex/x", "--watched", "other"))
                .contains("@OnCreate 'create': not watched: the operator watches", "and the object is in 'default'");
        send("DELETE", OBJECTS + "/x", "");
        assertThat(why("kex/x"))
                .contains("@OnDelete 'delete': finalizers of others hold the deletion: example.com/other");
    }

    @Test
    @Tag("Q03")
    void tellsOfWhatIsNotThereAndOfWhatNobodyWatches() {
        assertThat(why("kex/gone")).contains("does not exist (any more): no handler is called for it.");
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}, data: {a: b}}");
        assertThat(why("configmaps/c")).contains("no handler of this operator is for configmaps.");
        assertThat(run("why", source, "nothings/x").err()).contains("The cluster serves no resource 'nothings'");
        assertThat(run("why", source, "kex").err()).contains("names no object: write KIND/NAME");
        assertThat(run("why", "kex/x").err())
                .contains("Missing required parameter: 'KIND/NAME'")
                .contains("Write `kopf4j why FILE KIND/NAME [HANDLER]`.");
    }

    @Test
    @Tag("Q03")
    void tellsOfHandlersForAllVersions() throws IOException {
        cluster.apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.ex.dev}
                spec:
                  group: ex.dev
                  scope: Namespaced
                  names: {kind: Widget, plural: widgets, singular: widget}
                  versions:
                  - {name: v1, served: true, storage: true, schema: &any {openAPIV3Schema: {type: object}}}
                  - {name: v2, served: true, storage: false, schema: *any}
                """);
        cluster.apply("{apiVersion: ex.dev/v1, kind: Widget, metadata: {name: w, namespace: default}}");
        String file = Files.writeString(folder.resolve("Versions.java"), """
                import dev.kopf4j.*;

                class Versions {
                    @OnCreate("widgets.v1.ex.dev") void old1() {}

                    @OnEvent("widgets.v2.ex.dev") void new2() {}
                }
                """).toString();
        for (String name : List.of("widget/w", "widgets.v1.ex.dev/w")) {
            assertThat(run("why", file, name).out())
                    .contains(
                            "widgets.ex.dev/w in 'default', as v1: it was not handled before: its creation is to be",
                            "@OnCreate 'old1': would run now (create)",
                            "widgets.ex.dev/w in 'default', as v2: no handler of this operator is for changes of it.",
                            "@OnEvent 'new2': may run");
        }
        String both = Files.writeString(folder.resolve("Both.java"), """
                import dev.kopf4j.*;

                class Both {
                    @OnCreate("widgets.v1.ex.dev") void old1() {}

                    @OnCreate("widgets.v2.ex.dev") void new2() {}
                }
                """).toString();
        assertThat(run("why", both, "widgets.v1.ex.dev/w").out())
                .contains(
                        "widgets.ex.dev/w in 'default', as v1: this operator does not watch it.",
                        "@OnCreate 'old1': not watched: the operator watches widgets in the version v2 alone (K4-030)");
        assertThat(run("doctor", "-A", both).out())
                .contains("widgets.v2.ex.dev is watched, and so no other version of it, but handlers are for v1: not"
                        + " called are 'old1'");
        assertThat(run("why", file, "widget/w", "old1").out())
                .contains("@OnCreate 'old1': would run now (create)")
                .doesNotContain("no handler for it", "new2");
        assertThat(run("why", file, "widget/w", "none").out())
                .contains("no handler for it has the id 'none'; there are: new2, old1");
        JsonNode json = JsonMapper.shared()
                .readTree(run("why", file, "widget/w", "-o", "json").out());
        assertThat(json.path("handlers")
                        .valueStream()
                        .map(each ->
                                each.at("/version").asString() + each.at("/id").asString()))
                .containsExactly("v2new2", "v1old1");
    }

    @ParameterizedTest
    @Tag("Q03")
    @CsvSource({"v1beta1 v1, v1", "v9 v10, v10"})
    void tellsFirstOfTheVersionThatAServerWouldPrefer(String handled, String first) throws IOException {
        String versions = DEFINITION.substring(DEFINITION.indexOf("  - name: v1"));
        StringBuilder definition = new StringBuilder(DEFINITION);
        for (String version : List.of("v1beta1", "v9", "v10", "v11")) {
            definition.append(
                    versions.replace("name: v1", "name: " + version).replace("storage: true", "storage: false"));
        }
        cluster.apply(definition.toString());
        create("");
        StringBuilder handlers = new StringBuilder("import dev.kopf4j.*;\n\nclass Versions {\n");
        for (String version : handled.split(" ", -1)) {
            handlers.append("    @OnCreate(\"kopfexamples.%s.kopf.dev\") void in%s() {}\n".formatted(version, version));
        }
        source = Files.writeString(folder.resolve("Versions.java"), handlers + "}\n")
                .toString();
        assertThat(why("kex/x").lines().filter(line -> line.startsWith("kopfexamples")))
                .hasSize(2)
                .first()
                .asString()
                .contains(", as " + first + ": ");
    }

    @Test
    @Tag("Q03")
    void tellsOfTheOtherVersionsIfOneCannotBeRead() throws IOException {
        String versions = DEFINITION.substring(DEFINITION.indexOf("  - name: v1"));
        cluster.apply(DEFINITION + versions.replace("name: v1", "name: v2").replace("storage: true", "storage: false"));
        create("");
        cluster.faults().add("GET " + OBJECTS.replace("v1", "v2") + " 500");
        source = Files.writeString(folder.resolve("Versions.java"), """
                import dev.kopf4j.*;

                class Versions {
                    @OnCreate("kopfexamples.v1.kopf.dev") void old1() {}

                    @OnEvent("kopfexamples.v2.kopf.dev") void new2() {}
                }
                """).toString();
        assertThat(why("kopfexamples.v1.kopf.dev/x"))
                .contains(
                        "@OnCreate 'old1': would run now (create)",
                        "kopfexamples.kopf.dev/x in 'default', as v2: cannot be read: ")
                .doesNotContain("new2");
        assertThat(why("kopfexamples.v1.kopf.dev/x", "new2"))
                .contains("as v2: cannot be read: ")
                .doesNotContain("no handler for it has the id");
        JsonNode json = JsonMapper.shared().readTree(why("kopfexamples.v1.kopf.dev/x", "-o", "json"));
        assertThat(json.at("/handlers/0/id").asString()).isEqualTo("old1");
        assertThat(json.at("/unread/0/version").asString()).isEqualTo("v2");
        assertThat(run("why", source, "kopfexamples.v2.kopf.dev/x", "--set", "networking.errorBackoffs=")
                        .exitCode())
                .isEqualTo(ExitCode.FAILURE);
    }

    @Test
    @Tag("Q03")
    void tellsProgramsByWordsThatDoNotChange() {
        JsonNode absent = JsonMapper.shared().readTree(why("kex/x", "-o", "json"));
        assertThat(absent.path("exists").asBoolean()).isFalse();
        assertThat(absent.path("state").asString()).isEqualTo("absent");
        assertThat(absent.has("uid")).isFalse();
        create("");
        JsonNode json = JsonMapper.shared().readTree(why("kex/x", "-o", "json"));
        assertThat(List.of("resource", "group", "version", "kind", "namespace", "name"))
                .extracting(field -> json.path(field).asString())
                .containsExactly("kopfexamples", "kopf.dev", "v1", "KopfExample", "default", "x");
        assertThat(json.path("uid").asString()).hasSize(36);
        assertThat(json.path("state").asString()).isEqualTo("created");
        assertThat(json.path("stateWords").asString())
                .isEqualTo("it was not handled before: its creation is to be handled.");
        assertThat(json.path("finalizer").asString()).isEqualTo("add");
        assertThat(json.path("finalizerWords").asString()).contains("is missing, and is added first");
        JsonNode unconcerned = JsonMapper.shared().readTree(why("namespaces/default", "-o", "json"));
        assertThat(unconcerned.path("state").asString()).isEqualTo("no-handler");
        assertThat(unconcerned.path("stateWords").asString()).contains("no handler of this operator is for namespaces");
        assertThat(unconcerned.has("namespace")).isFalse();
        assertThat(unconcerned.path("group").asString()).isEmpty();
    }

    @Test
    @Tag("Q03")
    void tellsProgramsAndHidesSecrets() {
        create("");
        JsonNode json = JsonMapper.shared().readTree(why("kex/x", "-o", "json"));
        assertThat(json.at("/reason").asString()).isEqualTo("create");
        assertThat(json.at("/handlers/0/id").asString()).isEqualTo("create");
        assertThat(json.at("/handlers/0/verdict").asString()).isEqualTo("would-run");
        cluster.apply("{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: default}, stringData: {a: hush}}");
        assertThat(why("secrets/s")).contains("would run now").doesNotContain("hush", "aHVzaA");
    }

    /** A member of a group of replicas, which has renewed its lease at that time. */
    private void member(String id, String renewed) {
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: kopf4j-%s, namespace: default, labels: {kopf4j.dev/shards: kopf4j}}
                spec: {holderIdentity: pod-%s, leaseDurationSeconds: 15, renewTime: '%s'}
                """.formatted(id, id, renewed));
    }

    private void assign(String assignment) {
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata:
                  name: kopf4j
                  namespace: default
                  labels: {kopf4j.dev/shards: kopf4j}
                  annotations: {kopf4j.dev/shard-assignment: '%s'}
                spec: {holderIdentity: shards of kopf4j, leaseDurationSeconds: 45, renewTime: '%s'}
                """.formatted(assignment, LATER));
    }

    @Test
    @Tag("Q03")
    void tellsWhichReplicaHasTheObject() {
        create("");
        assertThat(why("kex/x", "--set", "sharding.shards=1"))
                .contains("is in one of 1 shards, which nobody has: there is no lease 'default/kopf4j'");
        member("a", LATER);
        assign("{'count':1,'epoch':1,'holders':{'a':'0'},'wanted':{'a':'0'}}".replace('\'', '"'));
        assertThat(why("kex/x", "--set", "sharding.shards=1"))
                .contains("  is in shard 0 of 1, which 'pod-a' has")
                .doesNotContain("it goes to");
        assertThat(why("kex/x")).doesNotContain("shard");
        member("b", LATER);
        assign("{'count':1,'epoch':2,'holders':{'a':'0'},'wanted':{'b':'0'}}".replace('\'', '"'));
        assertThat(why("kex/x", "--set", "sharding.shards=1"))
                .contains("which 'pod-a' has; it goes to 'pod-b' when no work for its objects goes on");
        assign("{'count':1,'epoch':3,'holders':{},'wanted':{'b':'0'}}".replace('\'', '"'));
        assertThat(why("kex/x", "--set", "sharding.shards=1"))
                .contains("which nobody has at this moment; it goes to 'pod-b'");
    }

    @Test
    @Tag("Q03")
    void whyAndDoctorTellWhichReplicaLeadsAndIfNoneDoes() {
        create("");
        String election = "leaderElection.enabled=true";
        String absent = "no replica acts: there is no lease 'default/kopf4j'";
        assertThat(why("kex/x", "--set", election)).contains("  " + absent);
        assertThat(run("doctor", source, "-A", "--set", election).out()).contains(absent);
        lead("pod-a", LATER);
        assertThat(why("kex/x", "--set", election))
                .contains("  the replica 'pod-a' acts: it holds the lease 'default/kopf4j'");
        assertThat(run("doctor", source, "-A", "--set", election).out()).contains("Nothing is wrong.");
        assertThat(why("kex/x")).doesNotContain("lease");
        lead("", LATER);
        assertThat(run("doctor", source, "-A", "--set", election).out())
                .contains("no replica acts: nobody holds the lease 'default/kopf4j'");
        lead("pod-a", "2020-01-01T00:00:00.000000Z");
        String silent = "no replica acts: 'pod-a' holds the lease 'default/kopf4j', and gave its last sign of life at"
                + " 2020-01-01T00:00:00Z";
        assertThat(why("kex/x", "--set", election)).contains("  " + silent);
        assertThat(run("doctor", source, "-A", "--set", election).out()).contains(silent);
    }

    private void lead(String holder, String renewed) {
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: kopf4j, namespace: default}
                spec: {holderIdentity: '%s', leaseDurationSeconds: 15, renewTime: '%s'}
                """.formatted(holder, renewed));
    }

    /** Whoever asks may look at some namespaces only, and may not know what others work at. */
    @ParameterizedTest
    @Tag("Q03")
    @CsvSource(delimiter = '|', textBlock = """
            {"namespaces":["a"],"prefix":"kopf.zalando.org","kinds":["kopfexamples.kopf.dev","pods"]} | Nothing is wrong.
            {"namespaces":[],"prefix":"kopf.zalando.org","kinds":[]}                                  | Nothing is wrong.
            whatever                                                                                  | Nothing is wrong.
            {"namespaces":[],"prefix":"kopf.zalando.org","kinds":["pods"]}                            | this operator handles kopfexamples.kopf.dev, secrets, and 'pod-a' pods
            {"namespaces":[],"prefix":"example.com","kinds":["kopfexamples.kopf.dev"]}                | this operator has the prefix kopf.zalando.org (persistence.prefix), and 'pod-a' example.com
            """)
    void doctorTellsOfAnotherOperatorThatLeads(String purpose, String told) {
        create("");
        lead("pod-a", LATER);
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: kopf4j, namespace: default, annotations: {kopf4j.dev/purpose: '%s'}}
                spec: {holderIdentity: pod-a, leaseDurationSeconds: 15, renewTime: '%s'}
                """.formatted(purpose, LATER));
        String out = run("doctor", source, "-A", "--leader-elect").out();
        assertThat(out).contains(told);
        assertThat(out.contains("another operator has the lease 'default/kopf4j', so that this one does not act"))
                .isEqualTo(!told.startsWith("Nothing"));
        assertThat(run("doctor", source, "-A", "--leader-elect", "--set", "operator.name=kex")
                        .out())
                .contains("there is no lease 'default/kex'");
    }

    @Test
    @Tag("Q03")
    void doctorExaminesTheShards() {
        assertThat(run("doctor", source, "-A", "--set", "sharding.shards=4").out())
                .contains("no replica has any of the 4 shards: there is no lease 'default/kopf4j'");
        member("a", LATER);
        member("b", LATER);
        assign("{'count':4,'epoch':1,'holders':{'a':'0-1','b':'2-3'},'wanted':{'a':'0-1','b':'2-3'}}"
                .replace('\'', '"'));
        CommandRun well = run("doctor", source, "-A", "--set", "sharding.shards=4");
        assertThat(well.out()).contains("Nothing is wrong.");
        assertThat(run("doctor", source, "-A", "--set", "sharding.shards=8").out())
                .contains("has 4 shards, and the setting sharding.shards is 8");
        member("b", "2020-01-01T00:00:00.000000Z");
        assign("{'count':4,'epoch':2,'holders':{'a':'0','b':'2','gone':'3'},'wanted':{'a':'0-1','b':'2-3'}}"
                .replace('\'', '"'));
        assertThat(run("doctor", source, "-A", "--set", "sharding.shards=4").out())
                .contains(
                        "nobody acts on the shards 2: 'pod-b' has them, and gave its last sign of life at"
                                + " 2020-01-01T00:00:00Z",
                        "nobody acts on the shards 3: 'gone' (which has no lease) has them, and its lease is gone",
                        "nobody has the shards 1 at this moment",
                        "the shards 3 go from 'gone' (which has no lease) to 'pod-b'");
    }

    @Test
    @Tag("Q03")
    void aReplicaTellsThatAnotherOneHasTheObject() throws IOException, InterruptedException {
        create("");
        member("a", LATER);
        assign("{'count':2,'epoch':1,'holders':{'a':'0-1'},'wanted':{'a':'0-1'}}".replace('\'', '"'));
        String readiness = "http://127.0.0.1:" + freePort() + "/ready";
        OperatorHandle operator = Operator.builder()
                .onCreate("kopfexamples", "create", context -> null)
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .readiness(readiness)
                .settings(each -> each.sharding().shards(2))
                .build()
                .start();
        operators.add(operator);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(why("kex/x", "--readiness", readiness))
                        .contains("the running operator does not know the object: it is in shard")
                        .contains("of 2, and this replica has none"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private void runOperator() {
        operators.add(Operator.builder()
                .onCreate("kopfexamples", "create", context -> null)
                .onUpdate("kopfexamples", "update", context -> null)
                .onDelete("kopfexamples", "delete", context -> null)
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start());
    }

    private @Nullable String annotation(String name) {
        return send("GET", OBJECTS + "/x", "")
                .path("metadata")
                .path("annotations")
                .path(PREFIX + name)
                .asString("");
    }

    @Test
    @Tag("Q01")
    @Tag("Q02")
    void commandsPauseResumeAndRetryAndWaitForTheAnswer() {
        create(", labels: {app: a}");
        CommandRun unanswered = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "1");
        assertThat(unanswered.exitCode()).as(unanswered.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(unanswered.out()).contains("Paused: kopfexamples.kopf.dev/x", "Not acknowledged in time");
        runOperator();
        CommandRun paused = run("pause", "kex", "-l", "app=a", "-n", "default", "--deletion", "--wait");
        assertThat(paused.exitCode()).as(paused.out() + paused.err()).isEqualTo(ExitCode.OK);
        assertThat(annotation("pause-acknowledged")).isEqualTo("all");
        assertThat(annotation("last-handled-configuration")).isEmpty();
        CommandRun examined = run("doctor", source, "--patience", "0", "-A");
        assertThat(examined.out()).contains("paused by an annotation for more than", "kopfexamples.kopf.dev default/x");
        CommandRun resumed = run("resume", "kex/x", "-n", "default", "--wait");
        assertThat(resumed.out()).contains("Resumed: ", "Acknowledged: ");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(annotation("last-handled-configuration")).isNotEmpty());
        CommandRun retried = run("retry", "kex/x", "-n", "default", "--token", "t1", "--handler", "update", "--wait");
        assertThat(retried.exitCode()).as(retried.out() + retried.err()).isEqualTo(ExitCode.OK);
        assertThat(annotation("retry-acknowledged")).isEqualTo("t1");
        assertThat(run("retry", "kex/x", "-n", "default", "--handler", "nosuch", "--wait")
                        .out())
                .contains("An operator without a handler 'nosuch' acknowledges it, too: its log says what was called.");
        assertThat(run("pause", "kex/none", "-n", "default").err()).contains("does not exist");
    }

    @Test
    @Tag("Q01")
    @Tag("Q02")
    void waitsForWhatWasAskedOnly() {
        create("");
        assertThat(run("resume", "kex/x", "-n", "default", "--wait").out())
                .contains("Nothing to wait for (no operator had acknowledged a pause): kopfexamples.kopf.dev/x");
        annotate("retry", "open"); // nobody follows it
        annotate("paused", "true");
        annotate("pause-acknowledged", "true");
        CommandRun paused = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "60");
        assertThat(paused.out()).contains("Acknowledged: ");
        assertThat(paused.exitCode()).isEqualTo(ExitCode.OK);
        CommandRun retried = run("retry", "kex/x", "-n", "default", "--wait", "--timeout", "60");
        assertThat(retried.out()).contains("Paused, the retry follows after `kopf4j resume`: kopfexamples.kopf.dev/x");
        assertThat(retried.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    @Tag("Q01")
    void whatIsDeletedMeanwhileIsNotAcknowledged() throws InterruptedException {
        create("");
        var deleting = new Thread(() -> {
            await().atMost(Duration.ofSeconds(20)).until(() -> !"".equals(annotation("paused")));
            send("DELETE", OBJECTS + "/x", "");
        });
        deleting.start();
        CommandRun paused = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "20");
        deleting.join();
        assertThat(paused.out()).contains("Not acknowledged (it is gone): ");
        assertThat(paused.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    @Tag("Q01")
    void goesOnWithTheOthersIfOneIsRefused() {
        create(", labels: {app: a}");
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: 'y', namespace: default, labels: {app: a}}
                """);
        cluster.faults().add("PATCH " + OBJECTS + "/x 403");
        CommandRun paused = run("pause", "kex", "-l", "app=a", "-n", "default");
        assertThat(paused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(paused.err()).contains("Not asked: kopfexamples.kopf.dev/x");
        assertThat(paused.out()).contains("Paused: kopfexamples.kopf.dev/y");
        CommandRun named = run("resume", "kex/none", "kex/y", "-n", "default");
        assertThat(named.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(named.err()).contains("kopfexamples.kopf.dev/none", "does not exist");
        assertThat(named.out()).contains("Resumed: kopfexamples.kopf.dev/y");
    }

    @ParameterizedTest
    @Tag("Q01")
    @Tag("Q03")
    @CsvSource({
        "pause kex -l app=a -n default, GET LIST 403, 1",
        "retry kex -l app=a -A, GET /apis/kopf.dev/v1/kopfexamples 403, 1",
        "resume kex/x -n default, GET LIST** 403, 1",
        "pause kex/x -n default --wait --timeout 300, WATCH LIST 403, 1",
        "why FILE kex/x -n default, GET LIST** 403, 1",
        "why FILE kex/x -n default --follow, GET LIST 403, 1",
        "why FILE kex/x -n default --watched team-*, GET /api/v1/namespaces 403, 0",
    })
    void whatIsRefusedIsNotAskedForAgain(String command, String rule, int exitCode) {
        create(", labels: {app: a}");
        cluster.faults().add(rule.replace("LIST", OBJECTS));
        requests.clear();
        String[] words = command.replace("FILE", source).split(" ", -1);
        CommandRun run = run(words[0], Arrays.copyOfRange(words, 1, words.length));
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        assertThat(requests)
                .filteredOn(each -> each.endsWith(" 403"))
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("Q01")
    void aPauseOfWhatIsBeingDeletedIsNotWaitedFor() {
        create(", finalizers: [example.com/other]");
        send("DELETE", OBJECTS + "/x", "");
        CommandRun paused = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "60");
        assertThat(paused.out()).contains("it is being deleted, and its deletion goes on: --deletion holds that");
        assertThat(paused.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    @Tag("Q01")
    void choosesByLabelsInAllNamespaces() {
        cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: other}}");
        create(", labels: {app: a}");
        cluster.apply("""
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: 'y', namespace: other, labels: {app: a}}
                """);
        CommandRun paused = run("pause", "kex", "-l", "app=a", "-A");
        assertThat(paused.out())
                .contains("Paused: kopfexamples.kopf.dev/x in 'default'", "Paused: kopfexamples.kopf.dev/y in 'other'");
        assertThat(run("resume", "kex", "-l", "app=a", "-A").out())
                .contains(
                        "Resumed: kopfexamples.kopf.dev/x in 'default'", "Resumed: kopfexamples.kopf.dev/y in 'other'");
        CommandRun nobody = run("retry", "kex", "-l", "app=none", "-A", "--wait");
        assertThat(nobody.out()).contains("No object has these labels.");
        assertThat(nobody.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @ParameterizedTest
    @Tag("Q01")
    @CsvSource({
        "resume kex/x -A, --all-namespaces goes with --selector",
        "pause kex/x -A, --all-namespaces goes with --selector",
        "retry kex -l a=b -A -n default, Either --namespace or --all-namespaces",
        "resume kex/x -i somebody, --id and --peering are about a peering",
        "resume kex/x -P default, --id and --peering are about a peering",
        "resume -P default -l app=a, --selector chooses among objects of a kind",
        "resume -l app=a, --selector chooses among objects of a kind",
    })
    void refusesOptionsThatSayNothingOfTheObjects(String command, String told) {
        create("");
        String[] words = command.split(" ", -1);
        CommandRun refused = run(words[0], Arrays.copyOfRange(words, 1, words.length));
        assertThat(refused.err()).contains(told);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @Tag("Q01")
    @Tag("Q03")
    @CsvSource({
        "pause kex/x/status",
        "resume kex/x/status",
        "retry kex/x/status",
        "why FILE kex/x/status",
        "pause kex/default/x"
    })
    void aNameHasNoSlash(String command) {
        create("");
        String[] words = command.replace("FILE", source).split(" ", -1);
        CommandRun refused = run(words[0], Arrays.copyOfRange(words, 1, words.length));
        assertThat(refused.err()).contains("names no object: write KIND/NAME", "the namespace by -n");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    @Tag("Q03")
    void tellsOfAnOperatorOfSeveralFilesInAFolder() throws IOException {
        create("");
        Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    @OnCreate("kex")
                    void other() {}
                }
                """);
        source = folder.toString();
        assertThat(why("kex/x"))
                .contains("@OnCreate 'create': would run now (create)", "@OnCreate 'other': would run now (create)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\tb", "{a", " a"})
    void refusesTokensThatWouldBeReadOtherwise(String token) {
        create("");
        CommandRun refused = run("retry", "kex/x", "-n", "default", "--token", token);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("is no token");
        assertThat(annotation("retry")).isEmpty();
    }

    @Test
    @Tag("Q01")
    void goesOnWaitingWhenTheServerEndsTheWatch() throws InterruptedException {
        create("");
        cluster.faults().add("x1 WATCH " + OBJECTS + " gone 0s");
        var operator = new Thread(() -> {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> requests.stream().anyMatch(WhyCommandTest::isWatch)); // it has ended
            annotate("pause-acknowledged", "true");
        });
        operator.start();
        CommandRun paused = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "20");
        operator.join();
        assertThat(paused.exitCode()).as(paused.out() + paused.err()).isEqualTo(ExitCode.OK);
    }

    private static boolean isWatch(String request) {
        return request.contains(OBJECTS) && request.contains("watch");
    }

    @Test
    @Tag("Q01")
    void theAnswerToAnEarlierPauseIsNoneToTheNextOne() {
        create("");
        annotate("paused", "true");
        annotate("pause-acknowledged", "true"); // by an operator that stands still now
        assertThat(run("pause", "kex/x", "-n", "default", "--wait").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run("resume", "kex/x", "-n", "default").exitCode()).isEqualTo(ExitCode.OK);
        CommandRun again = run("pause", "kex/x", "-n", "default", "--wait", "--timeout", "1");
        assertThat(again.out()).contains("Not acknowledged in time");
        assertThat(again.exitCode()).isEqualTo(ExitCode.FAILURE);
        runOperator();
        assertThat(run("pause", "kex/x", "-n", "default", "--wait").out()).contains("Acknowledged: ");
    }

    @Test
    @Tag("Q03")
    void tellsWhatOnlyTheRunningOperatorRemembers() throws IOException, InterruptedException {
        create("");
        String readiness = "http://127.0.0.1:" + freePort() + "/ready";
        assertThat(why("kex/x", "--readiness", readiness)).contains("the running operator does not answer at");
        OperatorHandle operator = Operator.builder()
                .onCreate("kopfexamples", "create", context -> null)
                .onTimer("kopfexamples", "tick", options -> options.interval(Duration.ofHours(1)), context -> null)
                .onTimer("kopfexamples", "broken", options -> options.interval(Duration.ofHours(1)), context -> {
                    throw new TemporaryException("no disk", Duration.ofHours(1));
                })
                .onDaemon("kopfexamples", "ended", context -> null)
                .readiness(readiness)
                .kubeconfig(Path.of(kubeconfig))
                .clusterwide()
                .build()
                .start();
        operators.add(operator);
        assertThat(operator.awaitReady(Duration.ofSeconds(20))).isTrue();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(why("kex/x", "--readiness", readiness))
                        .contains(
                                "the running operator has called its resuming handlers since the start",
                                "the running operator: timer 'tick' is waiting, next call at 2",
                                "the running operator: timer 'broken' is waiting, next call at 2",
                                ", attempt 2: no disk",
                                "the running operator: 'ended' has ended for good"));
        JsonNode json = JsonMapper.shared().readTree(why("kex/x", "-o", "json", "--readiness", readiness));
        assertThat(json.at("/memory/running").size()).isEqualTo(2);
        cluster.apply("{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: default}, stringData: {a: b}}");
        assertThat(why("secrets/s", "--readiness", readiness))
                .contains("the running operator does not know the object");
    }
}
