package dev.kopf4j.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.cluster.GeneratedDefinitions;
import dev.kopf4j.cli.cluster.GivenDefinitions;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.plan.ChildrenForecast.Fate;
import dev.kopf4j.cli.plan.ChildrenForecast.OfChild;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.types.CustomResourceDefinitions;
import dev.kopf4j.virtual.ResponseBytes;
import dev.kopf4j.virtual.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: a plan says what an upgrade does. Method: each of the edits below is made to an example; the old version has
 * handled the objects, and stands still; the plan is made, with and without a trial; then the new version is deployed
 * in that cluster, over sockets and in real time. What the plan has said is compared with what happens.
 */
class UpgradePredictionTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final int AT_A_TIME = 4;
    private static final Duration TRIAL = Duration.ofMinutes(10);

    /** Real time: as long as the slowest start of a timer here. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    @TempDir
    private Path folder;

    /**
     * An edit of an example.
     *
     * @param name what it is
     * @param file the example
     * @param meanwhile what is applied while no operator runs, as YAML; empty for nothing
     * @param replacements pairs of texts in the source
     */
    private record Edit(String name, String file, String meanwhile, List<String> replacements) {
        Edit(String name, String file, String meanwhile, String... replacements) {
            this(name, file, meanwhile, List.of(replacements));
        }

        String changed(String source) {
            String text = source;
            for (int i = 0; i < replacements.size(); i += 2) {
                assertThat(text).as(name).contains(replacements.get(i));
                text = text.replace(replacements.get(i), replacements.get(i + 1));
            }
            return text;
        }
    }

    private static final String LATE = """
            apiVersion: kopf.dev/v1
            kind: KopfExample
            metadata: {name: late, namespace: default}
            spec: {field: value}
            """;

    private static final String CHANGED = """
            apiVersion: kopf.dev/v1
            kind: KopfExample
            metadata: {name: kopf-example-1, namespace: default}
            spec: {field: changed}
            """;

    private static final String MINIMAL = "01-minimal/Example.java";
    private static final String HANDLERS = "05-handlers/Example.java";
    private static final String FILTERS = "11-filtering-handlers/Example.java";
    private static final String TIMERS = "15-timers/Example.java";
    private static final String CHILDREN = "20-children/Example.java";
    private static final String TYPES = "19-types/Websites.java";

    private static final List<Edit> EDITS = List.of(
            new Edit("id: a creation handler, all is handled", MINIMAL, "", "createFn", "greet"),
            new Edit("id: a creation handler, one object is new", MINIMAL, LATE, "createFn", "greet"),
            new Edit(
                    "kind: what was called at creation is called at resuming, too",
                    MINIMAL,
                    "",
                    "@OnCreate(\"kopfexamples\")",
                    "@OnCreate(\"kopfexamples\") @OnResume(\"kopfexamples\")"),
            new Edit(
                    "kind: no deletion handler any more",
                    HANDLERS,
                    "",
                    "@OnDelete(\"kopfexamples\")",
                    "@OnCreate(\"kopfexamples\")"),
            new Edit(
                    "field: another one, nothing has changed",
                    HANDLERS,
                    "",
                    "field = \"spec.field\"",
                    "field = \"spec.items\""),
            new Edit(
                    "field: another one, the former has changed",
                    HANDLERS,
                    CHANGED,
                    "field = \"spec.field\"",
                    "field = \"spec.items\""),
            new Edit(
                    "filter: of an update handler, the object has changed",
                    HANDLERS,
                    CHANGED,
                    "@OnUpdate(\"kopfexamples\")",
                    "@OnUpdate(value = \"kopfexamples\", labels = \"some=other\")"),
            new Edit("id: a resuming handler", HANDLERS, "", "void resumeFn2", "void resumedAgain"),
            new Edit(
                    "filter: in code",
                    HANDLERS,
                    "",
                    "@OnResume(\"kopfexamples\") // combined: called once for each object and run of the operator\n    void appearFn(",
                    "@OnResume(value = \"kopfexamples\", when = \"never\") // combined\n    void appearFn(",
                    "    @OnDelete(\"kopfexamples\") // holds",
                    "    boolean never(String name) { return name.isEmpty(); }\n\n    @OnDelete(\"kopfexamples\") // holds"),
            new Edit(
                    "filter: by labels, of resuming handlers",
                    FILTERS,
                    "",
                    "@OnCreate(value = \"kopfexamples\", labels = \"somelabel=somevalue\")",
                    "@OnResume(value = \"kopfexamples\", labels = \"somelabel=othervalue\")",
                    "@OnCreate(value = \"kopfexamples\", field = \"spec.field\", fieldValue = \"value\")",
                    "@OnResume(value = \"kopfexamples\", field = \"spec.field\", fieldValue = \"value\")"),
            new Edit(
                    "filter: of a daemon",
                    FILTERS,
                    "",
                    "@OnDaemon(value = \"kopfexamples\", field = \"spec.field\", fieldValue = \"value\")",
                    "@OnDaemon(value = \"kopfexamples\", field = \"spec.field\", fieldValue = \"other\")"),
            new Edit(
                    "filter: old and new value of a change",
                    FILTERS,
                    CHANGED,
                    "newValue = \"changed\"",
                    "newValue = \"unchanged\""),
            new Edit(
                    "filter: of a timer",
                    TIMERS,
                    "",
                    "@OnTimer(value = \"kopfexamples\", interval = \"3s\")",
                    "@OnTimer(value = \"kopfexamples\", interval = \"3s\", labels = \"some=other\")"),
            new Edit(
                    "id: a timer that stores a result",
                    TIMERS,
                    "",
                    "Map<String, Object> settled(",
                    "Map<String, Object> checked("),
            new Edit("children: a field of one", CHILDREN, "", "containerPort: 80", "containerPort: 8080"),
            new Edit(
                    "children: one more",
                    CHILDREN,
                    "",
                    "        children.add(\"\"\"\n                apiVersion: v1\n                kind: Service",
                    "        children.add(\"\"\"\n                apiVersion: v1\n                kind: ConfigMap\n                metadata: {name: \"${metadata.name}-more\"}\n                data: {a: b}\n                \"\"\");\n        children.add(\"\"\"\n                apiVersion: v1\n                kind: Service"),
            new Edit(
                    "children: one fewer",
                    CHILDREN,
                    "",
                    "        children.add(\"\"\"\n                apiVersion: v1\n                kind: Service\n                spec: {selector: {website: \"${metadata.name}\"}, ports: [{port: 80}]}\n                \"\"\");\n",
                    ""),
            new Edit(
                    "definition: a default for a new field",
                    TYPES,
                    "",
                    "@Nullable Theme theme)",
                    "@Nullable Theme theme, @Schema(defaultValue = \"blue\") String color)",
                    "     * @param replicas",
                    "     * @param color the color\n     * @param replicas"),
            new Edit(
                    "definition: another default, which objects have not stored",
                    TYPES,
                    "",
                    "defaultValue = \"1\", minimum = 0",
                    "defaultValue = \"2\", minimum = 0"),
            new Edit(
                    "code: what an update handler writes, at resuming",
                    TYPES,
                    "",
                    "@OnUpdate\n",
                    "@OnUpdate\n    @OnResume\n",
                    ".example.com\"",
                    ".example.org\""),
            new Edit(
                    "settings: by a start-up handler",
                    MINIMAL,
                    "",
                    "class Example {",
                    "class Example {\n    @OnStartup\n    void settings(OperatorSettings settings) { settings.persistence().prefix(\"example.com\"); }\n\n"));

    /** What was right: predicted and done; too much: predicted only; missed: done only. */
    private static final class Score {
        private int right;
        private final Set<String> tooMuch = new TreeSet<>();
        private final Set<String> missed = new TreeSet<>();

        void count(String edit, Set<String> predicted, Set<String> done) {
            predicted.forEach(each -> {
                if (done.contains(each)) {
                    right++;
                } else {
                    tooMuch.add(edit + ": " + each);
                }
            });
            done.stream().filter(each -> !predicted.contains(each)).forEach(each -> missed.add(edit + ": " + each));
        }

        private double of(int others) {
            return right == 0 ? 0 : (double) right / (right + others);
        }

        /** As the page shows it: with precision and recall. */
        String row(String title) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %.2f | %.2f |",
                    title,
                    right,
                    tooMuch.size(),
                    missed.size(),
                    of(tooMuch.size()),
                    of(missed.size()));
        }

        String misses() {
            return "\ntoo much: " + tooMuch + "\nmissed: " + missed;
        }
    }

    @Test
    @Tag("Q06")
    void saysWhatUpgradesDo() throws Exception {
        Score forecast = new Score();
        Score calls = new Score();
        Score children = new Score();
        Score writes = new Score();
        List<String> table = new ArrayList<>();
        List<Happened> all = live();
        for (int i = 0; i < EDITS.size(); i++) {
            Edit edit = EDITS.get(i);
            Happened happened = all.get(i);
            forecast.count(edit.name(), happened.forecast, happened.called);
            calls.count(edit.name(), happened.tried, happened.called);
            children.count(edit.name(), happened.wouldBring, happened.brought);
            writes.count(edit.name(), happened.wouldWrite, happened.written);
            table.add("%-60s %3s calls, %3s writes"
                    .formatted(edit.name(), happened.called.size(), happened.written.size()));
        }
        List<String> rows = List.of(
                forecast.row("calls, without `--run`"),
                children.row("writes of children by field, with `--children`"),
                calls.row("calls, with `--run`"),
                writes.row("writes by object and field, with `--run`"));
        String story = String.join("\n", table) + "\n" + String.join("\n", rows) + forecast.misses() + children.misses()
                + calls.misses() + writes.misses();
        assertThat(Files.readString(Path.of("..", "docs", "upgrading.md")))
                .as(story)
                .contains("makes " + EDITS.size() + " edits", String.join("\n", rows));
        assertThat(forecast.missed)
                .as("what the page names: settings that start-up handlers change")
                .allMatch(each -> each.startsWith("settings: "));
    }

    /** Each in a cluster of its own, several at a time: they mostly wait. */
    private List<Happened> live() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            List<Callable<Happened>> tasks = new ArrayList<>();
            EDITS.forEach(edit -> tasks.add(() -> live(edit)));
            List<Happened> all = new ArrayList<>();
            for (Future<Happened> each : threads.invokeAll(tasks)) {
                all.add(each.get());
            }
            return all;
        }
    }

    /** What was said, and what was done. */
    private static final class Happened {
        private final Set<String> forecast = new TreeSet<>();
        private final Set<String> tried = new TreeSet<>();
        private final Set<String> wouldWrite = new TreeSet<>();
        private final Set<String> wouldBring = new TreeSet<>();
        private final Set<String> called = new TreeSet<>();
        private final Set<String> brought = new TreeSet<>();
        private final Set<String> written = new TreeSet<>();
    }

    private Happened live(Edit edit) throws Exception {
        WrittenObjects written = new WrittenObjects();
        WrittenObjects brought = WrittenObjects.ofChildren("kopf4j");
        Path example = EXAMPLES.resolve(edit.file());
        String source = Files.readString(example);
        int number = EDITS.indexOf(edit);
        try (DevCluster cluster = DevCluster.start(Options.defaults().requestListener((request, response) -> {
            synchronized (written) {
                written.heard(request, response);
                brought.heard(request, response);
            }
        }))) {
            Path kubeconfig = folder.resolve("kubeconfig-" + number);
            cluster.writeKubeconfig(kubeconfig);
            Version old = version(number + "-old", example, source, kubeconfig);
            Version next = version(number + "-new", example, edit.changed(source), kubeconfig);
            deploy(cluster, old.definitions());
            cluster.applyKnown(ManifestFiles.beside(example, null).documents());
            run(old, Set.of());
            if (!edit.meanwhile().isEmpty()) {
                cluster.apply(edit.meanwhile());
            }
            Happened happened = new Happened();
            ClusterCopy copy = ClusterCopy.read(List.of(old, next), new SystemPlatform());
            forecast(next, copy, happened);
            trial(next, copy, happened);
            ChildrenForecast.of(next, copy, new SystemPlatform().now(), TRIAL)
                    .children()
                    .forEach((name, child) -> child(name, child, happened.wouldBring));
            deploy(cluster, next.definitions());
            synchronized (written) {
                written.begin();
                brought.begin();
            }
            happened.called.addAll(run(next, happened.forecast));
            Map<Place, String> paths;
            Map<Place, String> children;
            synchronized (written) {
                paths = written.paths();
                children = brought.paths();
            }
            children.forEach((place, path) -> child(
                    place.toString(),
                    ChildrenForecast.compare(place, copy.find(place), get(cluster, path)),
                    happened.brought));
            paths.forEach((place, path) -> fields(place, copy.find(place), get(cluster, path), happened.written));
            return happened;
        }
    }

    private Version version(String name, Path example, String source, Path kubeconfig) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path file = Files.writeString(own.resolve(example.getFileName()), source);
        StringWriter messages = new StringWriter();
        LoadedClasses loaded = new OperatorSources(List.of(file), List.of(), List.of()).load(new PrintWriter(messages));
        Map<String, Map<String, Object>> definitions =
                new LinkedHashMap<>(GivenDefinitions.of(ManifestFiles.beside(example, null)));
        GeneratedDefinitions.of(loaded)
                .forEach(each -> definitions.put(
                        Json.fromJava(each).path("metadata").path("name").asString(""), each));
        Object[] handlers = loaded.handlers().toArray();
        return new Version(
                name,
                () -> Operator.builder()
                        .handlers(handlers)
                        .kubeconfig(kubeconfig)
                        .clusterwide(),
                List.copyOf(definitions.values()));
    }

    private static void deploy(DevCluster cluster, List<Map<String, Object>> definitions) {
        definitions.forEach(each -> cluster.apply(CustomResourceDefinitions.yaml(List.of(each))));
    }

    private static void forecast(Version next, ClusterCopy copy, Happened happened) throws InterruptedException {
        SimulatedPlatform world = new SimulatedPlatform(1, new SystemPlatform().now());
        SimulatedCluster cluster = copy.in(world, Options.defaults());
        Trial.applied(cluster, next.definitions());
        Map<Place, Forecast> forecasts = Forecast.of(
                next.survey(cluster.environment(
                        world.machine("plan"),
                        UnaryOperator.identity(),
                        cluster.network(),
                        cluster.adminToken(),
                        OperatorTrace.NONE)),
                world.now(),
                Set.of());
        forecasts.forEach((place, forecast) -> forecast.handlers().stream()
                .filter(each -> each.call() == Forecast.Call.NOW || each.call() == Forecast.Call.START)
                .forEach(each -> happened.forecast.add(called(each.kind(), each.id(), place))));
    }

    private static String called(HandlerKind kind, String id, Place place) {
        return kind.annotation() + " " + id + " " + place;
    }

    private static void trial(Version next, ClusterCopy copy, Happened happened) throws InterruptedException {
        Trial trial = new Trial(next, copy, new SystemPlatform().now(), TRIAL);
        trial.apply(next.definitions());
        try {
            trial.run();
            trial.calls().forEach(each -> happened.tried.add(called(each.kind(), each.handler(), each.place())));
            trial.written()
                    .forEach((place, object) ->
                            fields(place, copy.find(place), object.orElse(null), happened.wouldWrite));
        } catch (OperatorException e) {
            happened.tried.add("refused: " + e.getMessage());
        } finally {
            trial.end();
        }
    }

    private static void child(String name, @Nullable OfChild child, Set<String> all) {
        if (child != null && child.fate() != Fate.KEPT) {
            all.add(name + " " + child.fate());
            child.fields().forEach(each -> all.add(name + " " + each));
        }
    }

    private static void fields(
            Place place, @Nullable ObjectNode before, @Nullable ObjectNode after, Set<String> fields) {
        Differences.byFields(Differences.between(before, after)).forEach(each -> fields.add(place + " " + each));
    }

    private static @Nullable ObjectNode get(DevCluster cluster, String path) {
        ApiResponse response = cluster.handle(ApiRequest.of("GET", path, Map.of(), new byte[0]));
        return response.status() == 200 ? Json.parseObject(ResponseBytes.body(response)) : null;
    }

    /** Lets a version run until it is at rest, and it has made these calls; returns all that it has made. */
    private static Set<String> run(Version version, Set<String> expected) throws Exception {
        SharedWatch watch = new SharedWatch();
        OperatorPlan plan = version.plan();
        SystemPlatform platform = new SystemPlatform();
        OperatorHandle handle = OperatorAssembly.assemble(
                        plan, new OperatorEnvironment(platform, ClusterAccess.of(plan, platform), watch))
                .start();
        try {
            assertThat(handle.awaitReady(Duration.ofSeconds(20))).isTrue();
            try {
                await().pollInterval(Duration.ofMillis(50))
                        .atMost(PATIENCE)
                        .until(() -> watch.calls().containsAll(expected));
            } catch (ConditionTimeoutException e) {
                // It counts as too much.
            }
            await().pollInterval(Duration.ofMillis(100))
                    .during(Duration.ofMillis(700))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> watch.isAtRest(platform.after(Duration.ofMillis(1))));
            return watch.calls();
        } finally {
            handle.close();
        }
    }

    /** A watch that many threads tell. */
    private static final class SharedWatch implements OperatorTrace {
        private final RestWatch watch = new RestWatch();

        synchronized Set<String> calls() {
            Set<String> calls = new TreeSet<>();
            watch.calls().forEach(each -> calls.add(called(each.kind(), each.handler(), each.place())));
            return calls;
        }

        synchronized boolean isAtRest(Deadline until) {
            return watch.isAtRest(until);
        }

        @Override
        public synchronized void happened(OperatorStep step) {
            watch.happened(step);
        }
    }

    /** Who calls nothing but functions of children would tell that nobody takes the steps back. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"metadata": {"annotations": {"a/undo-step.x": "", "a/x": ""}}} | {"metadata": {"annotations": {"a/x": ""}}}
            {"metadata": {"annotations": {"a/undo-step.x": ""}}}            | {"metadata": {}}
            {"metadata": {}}                                                | {"metadata": {}}
            """)
    void objectsForgetStepsWhereOnlyFunctionsOfChildrenAreCalled(String body, String seen) {
        assertThat(ClusterCopy.withoutSteps((ObjectNode) Json.parse(body))).isEqualTo(Json.parse(seen));
    }
}
