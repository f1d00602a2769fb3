package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the console shows is what the cluster has, what the handlers have done, and what the operator itself tells of
 * its state; and nothing that is secret.
 */
class ConsoleOnDevClusterTest {
    private static final String EXAMPLES = "/apis/kopf.dev/v1/kopfexamples";
    private static final Map<String, Integer> MODES = Map.of("fine", 40, "retry", 5, "broken", 4, "slow", 3);
    private static final JsonMapper JSON = new JsonMapper();

    /** Of each kind of secret: nothing that begins so may be seen. */
    private static final String CANARY = "canary-7f3a";

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch slow = new CountDownLatch(1);
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    private TestCluster cluster;
    private OperatorHandle operator;
    private Supplier<OperatorState> state = () -> OperatorState.STARTING;
    private String address;

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.start(Options.defaults());
        cluster.cluster().apply("""
                apiVersion: v1
                kind: Secret
                metadata: {name: secret}
                stringData: {password: canary-7f3a-secret}
                """);
        MODES.forEach((mode, count) -> {
            for (int number = 0; number < count; number++) {
                cluster.cluster().apply("""
                        apiVersion: kopf.dev/v1
                        kind: KopfExample
                        metadata: {name: %s-%s}
                        spec: {mode: %s, password: canary-7f3a-spec}
                        """.formatted(mode, number, mode));
            }
        });
        Path kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
        int port = freePort();
        address = "http://127.0.0.1:" + port;
        operator = Operator.builder()
                .kubeconfig(kubeconfig)
                .clusterwide()
                .onCreate(
                        "kopfexamples",
                        "make",
                        context -> handled(context.spec().requireString("mode")))
                .onTimer("kopfexamples", "check", timer -> timer.interval(Duration.ofHours(1)), context -> null)
                .onIndex(
                        "kopfexamples",
                        "modes",
                        context -> Map.of(context.spec().requireString("mode"), context.name()))
                .onEvent("secrets", "look", context -> {
                    throw new IllegalStateException(CANARY + "-message");
                })
                .metricsListener(new Counts())
                .settings(settings -> settings.console().port(port))
                .settings(settings -> settings.posting().enabled(false))
                .build()
                .start();
        assertThat(operator.awaitReady(Kopf4j.PATIENCE)).isTrue();
    }

    @AfterEach
    void stop() {
        slow.countDown();
        operator.close();
        cluster.close();
        client.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    private Object handled(String mode) throws InterruptedException {
        switch (mode) {
            case "retry" -> throw new TemporaryException("no database yet", Duration.ofHours(1));
            case "broken" -> throw new PermanentException("no such mode");
            case "slow" -> slow.await();
            default -> {}
        }
        return mode;
    }

    /** What the operator's public API tells of its work. */
    private final class Counts implements MetricsListener {
        @Override
        public void observe(Supplier<OperatorState> observed) {
            state = observed;
        }

        @Override
        public void handlerEnded(HandlerCall call) {
            count(outcomes, call.handler() + " " + call.outcome().name().toLowerCase(java.util.Locale.ROOT));
        }

        @Override
        public void requestEnded(String verb, int status, Duration took) {
            count(requests, verb + " " + status);
        }

        private static void count(Map<String, AtomicInteger> counts, String key) {
            counts.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
        }
    }

    private String text(String path) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError("no answer to " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private JsonNode json(String path) {
        return JSON.readTree(text(path));
    }

    private static JsonNode named(JsonNode array, String key, String value) {
        return array.values().stream()
                .filter(each -> each.path(key).asString("").equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing has " + key + " " + value + " in " + array));
    }

    private static JsonNode examples(JsonNode snapshot) {
        return named(snapshot.path("kinds"), "resource", "kopfexamples.v1.kopf.dev");
    }

    private Map<String, String> uidsInCluster() {
        Map<String, String> uids = new TreeMap<>();
        JsonNode list = cluster.get(EXAMPLES);
        list.path("items")
                .values()
                .forEach(each -> uids.put(
                        each.path("metadata").path("name").asString(""),
                        each.path("metadata").path("uid").asString("")));
        return uids;
    }

    /** All creations have been handled as far as they can be, and the console has seen it. */
    private JsonNode settled() {
        await().atMost(Kopf4j.PATIENCE).untilAsserted(() -> {
            JsonNode kind = examples(json("/snapshot"));
            assertThat(kind.path("objects").asInt()).isEqualTo(52);
            assertThat(kind.path("resting").asInt()).isEqualTo(44);
            assertThat(kind.path("waiting").asInt()).isEqualTo(5);
            assertThat(kind.path("working").asInt()).isEqualTo(3);
            assertThat(kind.path("failing").asInt()).isEqualTo(9);
            assertThat(kind.path("queued").asInt()).isZero();
        });
        return json("/snapshot");
    }

    @Test
    void showsWhatTheClusterAndTheOperatorHave() {
        JsonNode snapshot = settled();
        Map<String, String> shown = new TreeMap<>();
        Map<String, String> states = new HashMap<>();
        snapshot.path("objects").values().forEach(each -> {
            if (each.path("kind").asString("").equals("KopfExample")) {
                shown.put(each.path("name").asString(""), each.path("uid").asString(""));
                states.put(each.path("name").asString(""), each.path("state").asString(""));
            }
        });
        assertThat(shown).isEqualTo(uidsInCluster());
        Map<String, String> expected =
                Map.of("fine", "resting", "retry", "retrying", "broken", "failed", "slow", "working");
        assertThat(states)
                .allSatisfy((name, told) ->
                        assertThat(told).as(name).isEqualTo(expected.get(name.substring(0, name.indexOf('-')))));

        OperatorState known = state.get();
        assertThat(snapshot.path("operator").path("ready").asBoolean())
                .isEqualTo(known.isWell(new OperatorSettings().watching().inactivityTimeout()));
        assertThat(snapshot.path("streams").values())
                .hasSameSizeAs(known.streams())
                .allSatisfy(each -> assertThat(each.path("listed").asBoolean()).isTrue());
        assertThat(named(snapshot.path("indices"), "id", "modes").path("keys").asInt())
                .isEqualTo(4);
        assertThat(named(snapshot.path("indices"), "id", "modes").path("values").asInt())
                .isEqualTo(52);
        assertThat(snapshot.path("settings").values().stream()
                        .map(each -> each.path("name").asString("")))
                .containsExactlyInAnyOrder("posting.enabled", "peering.clusterwide", "console.port");
        await().atMost(Kopf4j.PATIENCE).untilAsserted(() -> {
            JsonNode now = json("/snapshot");
            Map<String, Integer> calls = new TreeMap<>();
            now.path("handlers")
                    .values()
                    .forEach(each -> each.path("calls")
                            .properties()
                            .forEach(call -> calls.put(
                                    each.path("id").asString("") + " " + call.getKey(),
                                    call.getValue().asInt())));
            assertThat(calls).isEqualTo(numbers(outcomes));
            Map<String, Integer> sent = new TreeMap<>();
            now.path("requests")
                    .properties()
                    .forEach(each -> sent.put(each.getKey(), each.getValue().asInt()));
            assertThat(sent).isEqualTo(numbers(requests));
        });
    }

    private static Map<String, Integer> numbers(Map<String, AtomicInteger> counts) {
        Map<String, Integer> numbers = new TreeMap<>();
        counts.forEach((key, count) -> numbers.put(key, count.get()));
        return numbers;
    }

    @Test
    void findsObjectsByNameKindAndState() {
        settled();
        assertThat(json("/snapshot?q=RETRY").path("matching").asInt()).isEqualTo(5);
        assertThat(json("/snapshot?state=failing&kind=kopfexamples.v1.kopf.dev")
                        .path("matching")
                        .asInt())
                .isEqualTo(9);
        assertThat(json("/snapshot?state=failed&q=broken-1").path("matching").asInt())
                .isEqualTo(1);
        assertThat(json("/snapshot?state=waiting&kind=kopfexamples.v1.kopf.dev")
                        .path("matching")
                        .asInt())
                .as("those that wait for another attempt, as they are counted")
                .isEqualTo(5);
        assertThat(json("/snapshot?kind=secrets.v1").path("matching").asInt()).isEqualTo(1);
        assertThat(json("/snapshot?q=nothing").path("matching").asInt()).isZero();
    }

    @Test
    void tellsOfOneObjectWhatItsHandlersWouldDoAndWhenAndWhatHasHappened() {
        settled();
        Map<String, String> uids = uidsInCluster();
        JsonNode retried = json("/object?uid=" + uids.get("retry-0"));
        JsonNode make = named(retried.path("handlers"), "id", "make");
        assertThat(make.path("verdict").asString("")).isEqualTo("waits");
        assertThat(make.path("attempt").asInt()).isEqualTo(2);
        assertThat(make.path("words").asString("")).contains("no database yet");
        JsonNode stored = cluster.get("/apis/kopf.dev/v1/namespaces/default/kopfexamples/retry-0")
                .path("metadata")
                .path("annotations")
                .path("kopf.zalando.org/make");
        assertThat(JSON.readTree(stored.asString("")).path("delayed").asString(""))
                .startsWith(make.path("next").asString("").substring(0, 19));
        assertThat(named(retried.path("memory").path("running"), "id", "check")
                        .path("state")
                        .asString(""))
                .isEqualTo("waiting");
        assertThat(retried.path("troubles").get(0).path("outcome").asString("")).isEqualTo("temporary");

        JsonNode broken = json("/object?uid=" + uids.get("broken-0"));
        assertThat(named(broken.path("handlers"), "id", "make").path("verdict").asString(""))
                .isEqualTo("failed");
        assertThat(json("/object?uid=" + uids.get("slow-0"))
                        .path("memory")
                        .path("busy")
                        .asBoolean())
                .isTrue();
        assertThat(text("/events?uid=" + uids.get("broken-0")).lines())
                .anyMatch(line -> line.startsWith("data: ") && line.contains("\"outcome\":\"permanent\""))
                .allMatch(line -> !line.startsWith("data: {") || line.contains(String.valueOf(uids.get("broken-0"))));
    }

    @Test
    void followsWhatChanges() {
        settled();
        Map<String, String> before = uidsInCluster();
        for (String name : List.of("retry-0", "broken-0", "fine-0")) {
            cluster.delete("/apis/kopf.dev/v1/namespaces/default/kopfexamples/" + name);
        }
        slow.countDown();
        await().atMost(Kopf4j.PATIENCE).untilAsserted(() -> {
            JsonNode kind = examples(json("/snapshot"));
            assertThat(kind.path("objects").asInt())
                    .isEqualTo(uidsInCluster().size())
                    .isEqualTo(49);
            assertThat(kind.path("failing").asInt()).isEqualTo(7);
            assertThat(kind.path("working").asInt()).isZero();
        });
        assertThat(json("/snapshot?q=" + "retry-0").path("matching").asInt()).isZero();
        assertThat(before).containsKey("retry-0");
    }

    @Test
    void nothingSecretIsShown() {
        settled();
        StringBuilder all = new StringBuilder(text("/snapshot")).append(text("/events"));
        json("/snapshot").path("objects").values().forEach(each -> {
            String uid = URLEncoder.encode(each.path("uid").asString(""), StandardCharsets.UTF_8);
            all.append(text("/object?uid=" + uid)).append(text("/events?uid=" + uid));
        });
        assertThat(all.toString()).contains("\"kind\":\"Secret\"", "no database yet");
        assertThat(all.toString()).doesNotContain(CANARY, cluster.cluster().token());
    }

    /** On a phone, on a desk, in the dark: no error, no other host, nothing too wide, nothing that axe finds. */
    @Test
    void isFitForPeopleInABrowser() throws Exception {
        Path site = Path.of("").toAbsolutePath().resolveSibling("site");
        assumeTrue(
                Files.exists(site.resolve("node_modules/puppeteer-core")),
                "the console is not looked at in a browser: site/build installs what that needs");
        JsonNode snapshot = settled();
        String failed =
                named(snapshot.path("objects"), "name", "broken-0").path("uid").asString("");
        Process browser = new ProcessBuilder(
                        "node",
                        "browse.mjs",
                        "--screens",
                        "target/screens",
                        "--wait",
                        "main h1",
                        address + "/",
                        address + "/#/object/" + failed)
                .directory(site.toFile())
                .redirectErrorStream(true)
                .start();
        String told = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = browser.waitFor();
        assumeTrue(code != 3, told);
        assertThat(code).as(told).isZero();
    }
}
