package dev.kopf4j.engine.orchestration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorState;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which objects are handled while resources and namespaces come and go, and while permissions are missing. Tests
 * {@link Orchestrator} and {@link ResourceStream}.
 */
class OrchestratorTest {
    private static final String DEFINITION =
            "{'spec':{'group':'kopf.dev','names':{'plural':'kopfexamples','kind':'KopfExample'},"
                    + "'versions':[{'name':'v1','served':true}]},"
                    + "'status':{'conditions':[{'type':'Established','status':'True'}]}}";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private SimulatedPlatform machine = world;
    private final TinyCluster cluster = new TinyCluster();
    private final List<String> calls = new ArrayList<>();

    private void start(UnaryOperator<OperatorBuilder> options) {
        machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> options.apply(builder)
                        .onCreate("kopfexamples", "cre", context -> calls.add("+" + context.name()))
                        .onDelete("kopfexamples", "del", context -> calls.add("-" + context.name())));
        pass(5);
    }

    private void pass(long seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void serve() {
        cluster.serving("kopf.dev", "kopfexamples", "KopfExample", true);
    }

    private void define() {
        serve();
        cluster.put("customresourcedefinitions", null, "kopfexamples.kopf.dev", DEFINITION);
        pass(5);
    }

    private void create(String namespace, String name) {
        cluster.put("kopfexamples", namespace, name, "{'spec':{}}");
        pass(3);
    }

    private void requestDeletion(String namespace, String name) {
        cluster.patch("kopfexamples", namespace, name, "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'}}");
        pass(3);
    }

    private static boolean isForExamples(TinyCluster.Request request) {
        return request.path().contains("/kopfexamples");
    }

    private void forbid(String part) {
        answer(part, TinyCluster.status(403, "Forbidden", "not allowed"));
    }

    private void answer(String part, TransportResponse answer) {
        answer(path -> path.contains(part), answer);
    }

    private void answer(Predicate<String> paths, TransportResponse answer) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                return paths.test(transportRequest.path()) ? answer : null;
            }
        });
    }

    @Test
    @Tag("A18")
    void resourcesAreHandledAsLongAsTheirDefinitionIsThere() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "a");
        assertThat(calls).containsExactly("+a");
        cluster.stopServing("kopfexamples");
        cluster.delete("customresourcedefinitions", null, "kopfexamples.kopf.dev");
        cluster.endWatches();
        pass(5);
        int before = cluster.requests().size();
        pass(600);
        assertThat(calls).containsExactly("+a");
        assertThat(cluster.requests().subList(0, before)).anyMatch(OrchestratorTest::isForExamples);
        assertThat(cluster.requests().subList(before, cluster.requests().size()))
                .noneMatch(OrchestratorTest::isForExamples);
    }

    /** No definition tells of an aggregated API, nor of what a newer server brings. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatComesWithoutADefinitionIsFoundUnlessNothingIsToBeLookedFor(boolean disabled) {
        start(builder -> told(
                builder.clusterwide().settings(settings -> settings.scanning().disabled(disabled))));
        pass(600);
        assertReadiness(
                503, disabled ? "is not asked again, as scanning.disabled is set" : "the cluster does not serve");
        serve();
        pass(600);
        create("ns", "a");
        assertThat(calls).isEqualTo(disabled ? List.of() : List.of("+a"));
    }

    @Test
    void whatIsOptionalIsLookedForMoreSeldom() {
        start(builder ->
                builder.clusterwide().settings(settings -> settings.scanning().optionalResources(true)));
        pass(4000);
        serve();
        create("ns", "a");
        pass(600);
        assertThat(calls).isEmpty();
        pass(1800);
        assertThat(calls).containsExactly("+a");
    }

    /** A resource without short names may come years after the start. */
    @Test
    @Tag("A18")
    void aTestOfResourcesThatFailsLeavesOutThatResourceAlone() {
        start(builder -> builder.clusterwide()
                .onEvent(
                        ResourceSelector.matching(resource -> {
                            if (resource.plural().equals("evils")) {
                                throw new NoSuchElementException("it has no short name");
                            }
                            return false;
                        }),
                        "all",
                        context -> null));
        cluster.serving("kopf.dev", "evils", "Evil", true);
        cluster.put("customresourcedefinitions", null, "evils.kopf.dev", DEFINITION.replace("kopfexamples", "evils"));
        pass(5);
        define();
        create("ns", "a");
        assertThat(calls).containsExactly("+a");
    }

    @Test
    @Tag("A18")
    void definitionsThatAreDeletedAndCreatedAgainAreFollowedWithoutARestart() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "a");
        cluster.delete("kopfexamples", "ns", "a");
        cluster.delete("customresourcedefinitions", null, "kopfexamples.kopf.dev");
        cluster.stopServing("kopfexamples");
        cluster.endWatches();
        pass(60);
        define();
        create("ns", "b");
        assertThat(calls).containsExactly("+a", "+b");
    }

    /** As when the API server starts again: it publishes definitions only when it has read them. */
    @Test
    @Tag("A18")
    void aResourceThatIsMissingForAMomentThoughItsDefinitionIsThereIsNotResumed() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "old");
        machine.kill();
        start(builder ->
                builder.clusterwide().onResume("kopfexamples", "res", context -> calls.add("=" + context.name())));
        create("ns", "a");
        cluster.stopServing("kopfexamples");
        cluster.endWatches();
        pass(10);
        serve();
        pass(60);
        create("ns", "b");
        assertThat(calls).containsExactly("+old", "=old", "+a", "+b");
    }

    /** As when one of several API servers behind a load balancer has just started. */
    @Test
    @Tag("A18")
    @Tag("A20")
    void aResourceThatIsMissingForAMomentIsNotResumedThoughNobodyMayReadItsDefinition() {
        serve();
        cluster.put("kopfexamples", "ns", "old", "{'spec':{}}");
        forbid("customresourcedefinitions");
        start(builder -> builder.clusterwide()
                .onResume("kopfexamples", "res", context -> calls.add("=" + context.name()))
                .onDaemon("kopfexamples", "dae", context -> {
                    calls.add("daemon " + context.name());
                    context.stopped().await();
                    calls.add("end of " + context.name());
                    return null;
                }));
        create("ns", "a");
        List<String> before = List.copyOf(calls);
        assertThat(before).contains("+old", "daemon old", "daemon a");
        cluster.stopServing("kopfexamples");
        cluster.endWatches();
        pass(10);
        serve();
        pass(60);
        assertThat(calls).isEqualTo(before);
    }

    /** The whole of discovery is looked at, as a handler is for what is not there. */
    @Test
    @Tag("A18")
    void theStatusIsWrittenAsItsDefinitionWantsThoughOneAnswerOfDiscoveryIsFromBefore() {
        serve();
        AtomicBoolean isBehind = new AtomicBoolean();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                if (!transportRequest.path().equals("/apis/kopf.dev/v1")) {
                    return null;
                }
                String subresource = isBehind.getAndSet(false) ? "" : ",{'name':'kopfexamples/status'}";
                return ScriptedTransport.json(
                        200,
                        "{'resources':[{'name':'kopfexamples','kind':'KopfExample','namespaced':true,"
                                + "'verbs':['list','watch','patch']}" + subresource + "]}");
            }
        });
        start(builder -> builder.clusterwide()
                .onEvent("ghosts", "ghost", context -> null)
                .onCreate("kopfexamples", "result", context -> "done"));
        putDefinition(DEFINITION.replace("'served':true", "'served':true,'subresources':{'status':{}}"));
        int lists = cluster.lists("kopfexamples");
        isBehind.set(true);
        for (int i = 0; i < 20; i++) {
            create("ns", "a" + i);
        }
        assertThat(isBehind).as("still to be told").isFalse();
        assertThat(cluster.requests())
                .filteredOn(request ->
                        request.method().equals("PATCH") && request.body().has("status"))
                .hasSize(20)
                .allMatch(request -> request.path().endsWith("/status"));
        assertThat(cluster.lists("kopfexamples")).as("no stream has begun anew").isEqualTo(lists);
    }

    private void putDefinition(String content) {
        cluster.put("customresourcedefinitions", null, "kopfexamples.kopf.dev", content);
        pass(5);
    }

    @Test
    @Tag("A18")
    void changesOfDefinitionsAreFollowedAlsoIfTheResourceIsServedLater() {
        start(OperatorBuilder::clusterwide);
        putDefinition(DEFINITION.replace("'served':true", "'served':false"));
        putDefinition(DEFINITION);
        serve();
        pass(60);
        create("ns", "a");
        assertThat(calls).containsExactly("+a");
        cluster.stopServing("kopfexamples");
        putDefinition(DEFINITION.replace("'served':true", "'served':false"));
        cluster.endWatches();
        pass(5);
        int before = cluster.requests().size();
        pass(600);
        assertThat(cluster.requests().subList(before, cluster.requests().size()))
                .noneMatch(OrchestratorTest::isForExamples);
    }

    @Test
    @Tag("A18")
    void resourcesThatAreServedLaterThanTheirDefinitionIsEstablishedAreFound() {
        start(OperatorBuilder::clusterwide);
        putDefinition(DEFINITION.replace("'True'", "'False'"));
        int before = cluster.requests().size();
        pass(600);
        assertThat(cluster.requests().subList(before, cluster.requests().size()))
                .as("nothing is expected of it yet")
                .noneMatch(request -> request.path().startsWith("/apis/kopf.dev"));
        putDefinition(DEFINITION);
        serve();
        pass(60);
        create("ns", "a");
        assertThat(calls).containsExactly("+a");
    }

    /** Objects are held by their finalizers meanwhile. */
    private void requestDeletionOfTheDefinition() {
        cluster.patch(
                "customresourcedefinitions",
                null,
                "kopfexamples.kopf.dev",
                "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z','finalizers':['customresourcecleanup']},"
                        + "'status':{'conditions':[{'type':'Established','status':'True'},"
                        + "{'type':'Terminating','status':'True'}]}}");
        cluster.reduceVerbs("kopfexamples");
        pass(5);
    }

    @Test
    @Tag("A18")
    void resourcesAreHandledToTheEndWhileTheirDefinitionIsDeleted() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "a");
        requestDeletionOfTheDefinition();
        requestDeletion("ns", "a");
        pass(60);
        assertThat(calls).containsExactly("+a", "-a");
        assertThat(cluster.find("kopfexamples", "ns", "a")).isNull();
    }

    @Test
    @Tag("A18")
    void resourcesAreHandledToTheEndAlsoByAnOperatorThatStartsWhileTheirDefinitionIsDeleted() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "a");
        machine.kill();
        requestDeletionOfTheDefinition();
        requestDeletion("ns", "a");
        start(OperatorBuilder::clusterwide);
        pass(60);
        assertThat(calls).containsExactly("+a", "-a");
        assertThat(cluster.find("kopfexamples", "ns", "a")).isNull();
    }

    @Test
    @Tag("A18")
    void whoMayNotReadDefinitionsTellsThoseThatAreDeletedByTheVerbsThatAreLeft() {
        start(OperatorBuilder::clusterwide);
        define();
        create("ns", "a");
        machine.kill();
        forbid("/customresourcedefinitions");
        requestDeletionOfTheDefinition();
        requestDeletion("ns", "a");
        start(OperatorBuilder::clusterwide);
        pass(600);
        assertThat(calls).containsExactly("+a", "-a");
        assertThat(cluster.find("kopfexamples", "ns", "a")).isNull();
    }

    @Test
    @Tag("A16")
    void whatCannotBePatchedIsNotServedOnceItIsKnownThatNoDefinitionOfItIsDeleted() {
        serve();
        cluster.reduceVerbs("kopfexamples");
        try (LoggerCapture log = new LoggerCapture("kopf4j.reactor")) {
            start(OperatorBuilder::clusterwide);
            pass(60);
            assertThat(log.lines(Level.WARN))
                    .contains("warn: Non-patchable resources will not be served: [kopfexamples.v1.kopf.dev]");
        }
        create("ns", "a");
        assertThat(calls).isEmpty();
    }

    /** The cluster has the objects in version {@code v1}, but shows them as those of {@code v1beta1}. */
    private TinyCluster.Faults servingBeta(TinyCluster alone) {
        alone.serving("kopf.dev", "kopfexamples", "KopfExample", true);
        Transport beta = alone.transport("me", world);
        return new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                String path = transportRequest.path();
                if (path.startsWith("/apis/kopf.dev/v1/")) {
                    return TinyCluster.status(404, "NotFound", "not served yet");
                }
                return switch (transportRequest.isWatch() ? "" : path.replaceAll("\\?.*", "")) {
                    case "/apis", "/apis/kopf.dev/v1beta1" -> {
                        TransportResponse answer =
                                beta.send(TransportRequest.get(path.replace("v1beta1", "v1")), deadline);
                        yield new TransportResponse(
                                200,
                                answer.headers(),
                                new String(answer.body(), UTF_8)
                                        .replace("v1", "v1beta1")
                                        .getBytes(UTF_8));
                    }
                    case "/apis/kopf.dev/v1beta1/kopfexamples" ->
                        ScriptedTransport.json(200, "{'metadata':{'resourceVersion':'100'},'items':[]}");
                    default -> null;
                };
            }
        };
    }

    /** As of a resource of an aggregated API, which has no definition. */
    @Test
    @Tag("A18")
    void aVersionThatIsNotServedAnyMoreIsReplacedThoughNoDefinitionTellsOfIt() {
        serve();
        cluster.faults(servingBeta(new TinyCluster()));
        start(OperatorBuilder::clusterwide);
        pass(60);
        answer("/apis/kopf.dev/v1beta1", TinyCluster.status(404, "NotFound", "not served any more"));
        cluster.endWatches();
        cluster.put("kopfexamples", "ns", "a", "{'spec':{}}");
        pass(60);
        assertThat(calls).containsExactly("+a");
    }

    /** As the group has a newer version by then, and the server prefers that for what it serves. */
    @Test
    @Tag("A12")
    @Tag("A18")
    void aResourceIsHandledOnWhenAnotherOneOfItsGroupGetsANewerVersion() {
        start(OperatorBuilder::clusterwide);
        define();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                return switch (transportRequest.path()) {
                    case "/apis" ->
                        ScriptedTransport.json(
                                200,
                                "{'groups':[{'name':'kopf.dev','versions':[{'version':'v2'},{'version':'v1'}],"
                                        + "'preferredVersion':{'version':'v2'}}]}");
                    case "/apis/kopf.dev/v2" ->
                        ScriptedTransport.json(
                                200, "{'resources':[{'name':'others','kind':'Other','verbs':['list']}]}");
                    default -> null;
                };
            }
        });
        cluster.put(
                "customresourcedefinitions",
                null,
                "others.kopf.dev",
                DEFINITION.replace("kopfexamples", "others").replace("'v1'", "'v2'"));
        pass(5);
        create("ns", "a");
        assertThat(calls).containsExactly("+a");
    }

    @Test
    @Tag("A19")
    void withoutScanningTheClusterIsLookedAtOnce() {
        serve();
        start(builder -> builder.namespaces("a", "team-*")
                .settings(settings -> settings.scanning().disabled(true)));
        create("a", "xa");
        cluster.put("namespaces", null, "team-b", "{}");
        create("team-b", "xb");
        pass(60);
        assertThat(calls).containsExactly("+xa");
        assertThat(cluster.requests())
                .noneMatch(request -> request.path().contains("customresourcedefinitions")
                        || request.path().startsWith("/api/v1/namespaces?"));
    }

    private static OperatorBuilder indexed(OperatorBuilder builder) {
        return builder.namespaces("a", "team-*").onIndex("kopfexamples", "names", context -> context.name());
    }

    @Test
    @Tag("A19")
    void withoutScanningHandlersDoNotWaitForIndicesOfNamespacesThatNobodyLooksFor() {
        serve();
        start(builder ->
                indexed(builder).settings(settings -> settings.scanning().disabled(true)));
        create("a", "x");
        assertThat(calls).containsExactly("+x");
    }

    @Test
    @Tag("A25")
    void whoMayNotListNamespacesDoesNotWaitForIndicesOfThem() {
        serve();
        forbid("/api/v1/namespaces?");
        start(OrchestratorTest::indexed);
        create("a", "x");
        pass(60);
        assertThat(calls).containsExactly("+x");
    }

    @Test
    @Tag("A20")
    void whoMayNotWatchDefinitionsIsToldAndServesWhatIsThere() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.reactor")) {
            serve();
            forbid("customresourcedefinitions");
            start(OperatorBuilder::clusterwide);
            create("ns", "a");
            pass(200);
            create("ns", "b");
            assertThat(calls).containsExactly("+a", "+b");
            assertThat(log.lines(Level.WARN).stream()
                            .filter(line -> line.contains("Not enough permissions to watch for resources")))
                    .hasSize(1);
        }
    }

    @Test
    @Tag("A20")
    @Tag("B20")
    void missingRightsOnDefinitionsAreToldOnceAndCompletelyAndAgainWhenTheyChange() {
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            serve();
            forbid("customresourcedefinitions");
            start(OperatorBuilder::clusterwide);
            pass(1800);
            assertThat(log.lines(Level.WARN)).hasSize(2);
            assertThat(log.lines(Level.WARN).getFirst())
                    .contains("Not permitted: list customresourcedefinitions.apiextensions.k8s.io in all namespaces")
                    .contains("{apiGroups: [\"apiextensions.k8s.io\"], resources: [\"customresourcedefinitions\"],"
                            + " verbs: [\"list\", \"watch\"]}");
            assertThat(log.lines(Level.WARN).getLast()).contains("Not enough permissions to watch for resources");
            cluster.faults(TinyCluster.Faults.NONE);
            pass(60);
            log.clear();
            forbid("customresourcedefinitions");
            cluster.endWatches();
            pass(1800);
            assertThat(log.lines(Level.WARN)).hasSize(2);
        }
    }

    private final AtomicReference<Supplier<OperatorState>> state = new AtomicReference<>();

    private OperatorBuilder told(OperatorBuilder builder) {
        return builder.metricsListener(new MetricsListener() {
            @Override
            public void observe(Supplier<OperatorState> observed) {
                state.set(observed);
            }
        });
    }

    private void assertReadiness(int status, String content) {
        ProbePage.Response page = new ReadinessPage(() -> state.get().get(), Duration.ofSeconds(70)).content();
        assertThat(page.status()).as(page.text()).isEqualTo(status);
        assertThat(page.text()).contains(content);
    }

    @Test
    @Tag("A25")
    void readinessTellsThatNamespacesCannotBeFollowedAnyMore() {
        serve();
        start(builder -> told(builder.namespaces("team-*")));
        assertReadiness(200, "");
        forbid("/api/v1/namespaces?");
        cluster.endWatches();
        pass(60);
        assertReadiness(503, "the stream of namespaces.v1: ");
        cluster.faults(TinyCluster.Faults.NONE);
        pass(60);
        assertReadiness(200, "");
    }

    @Test
    @Tag("A20")
    void readinessTellsThatDefinitionsCannotBeFollowedUnlessTheyAreForbidden() {
        serve();
        start(builder -> told(builder.clusterwide()));
        forbid("customresourcedefinitions");
        cluster.endWatches();
        pass(600);
        assertReadiness(200, "");
        answer("customresourcedefinitions", TinyCluster.status(500, "InternalError", "broken"));
        cluster.endWatches();
        pass(60);
        assertReadiness(503, "the stream of customresourcedefinitions.v1.apiextensions.k8s.io: ");
        cluster.faults(TinyCluster.Faults.NONE);
        pass(60);
        assertReadiness(200, "");
    }

    /** Another product brings a definition of the same name. */
    private void defineOthers() {
        cluster.serving("other.dev", "kopfexamples", "KopfExample", true);
        cluster.put(
                "customresourcedefinitions",
                null,
                "kopfexamples.other.dev",
                DEFINITION.replace("kopf.dev", "other.dev"));
        pass(5);
    }

    @Test
    @Tag("A14")
    void whatIsHandledIsHandledToTheEndThoughAnotherGroupBringsItsName() {
        start(builder -> told(builder.clusterwide()));
        define();
        create("ns", "a");
        assertReadiness(200, "");
        defineOthers();
        create("ns", "b");
        requestDeletion("ns", "a");
        pass(600);
        assertThat(calls).containsExactly("+a", "+b", "-a");
        assertThat(cluster.find("kopfexamples", "ns", "a")).isNull();
        assertReadiness(200, "");
    }

    @Test
    @Tag("A14")
    void whoStartsWhereANameFitsSeveralGroupsIsNotReady() {
        serve();
        cluster.serving("other.dev", "kopfexamples", "KopfExample", true);
        start(builder -> told(builder.clusterwide()));
        assertReadiness(503, "so that none of them is watched: add the group");
    }

    @Test
    @Tag("A21")
    void theWholeClusterIsServed() {
        serve();
        start(OperatorBuilder::clusterwide);
        create("a", "xa");
        create("b", "xb");
        assertThat(calls).containsExactly("+xa", "+xb");
    }

    @Test
    @Tag("A22")
    void severalNamespacesAreServedAndNoOthers() {
        serve();
        start(builder -> builder.namespaces("a", "b"));
        create("a", "xa");
        create("b", "xb");
        create("c", "xc");
        assertThat(calls).containsExactly("+xa", "+xb");
    }

    @Test
    @Tag("A23")
    void namespacesOfGlobsAndExpressionsAreServedAndNoOthers() {
        serve();
        start(builder ->
                builder.namespaces("team-*,!*-test").namespaces(Pattern.compile("app\\d"), Pattern.compile("b")));
        for (String namespace : List.of("team-a", "team-test", "app1", "app12", "b", "c")) {
            cluster.put("namespaces", null, namespace, "{}");
            create(namespace, "of-" + namespace);
        }
        pass(3);
        assertThat(calls).containsExactlyInAnyOrder("+of-team-a", "+of-app1", "+of-b");
    }

    @Test
    @Tag("A24")
    void namespacesAreServedFromTheirCreationToTheirDeletion() {
        serve();
        start(builder -> builder.namespaces("team-*"));
        create("team-a", "early");
        assertThat(calls).isEmpty();
        cluster.put("namespaces", null, "team-a", "{}");
        pass(3);
        assertThat(calls).containsExactly("+early");
        cluster.delete("namespaces", null, "team-a");
        pass(15);
        create("team-a", "late");
        assertThat(calls).containsExactly("+early");
    }

    private void startWithSlowEventHandler() {
        start(builder -> builder.namespaces("team-*").onEvent("kopfexamples", "seen", context -> {
            calls.add(context.eventType().map(Object::toString).orElse("LISTED") + " " + context.name());
            world.sleep(Duration.ofSeconds(4));
            calls.add("seen " + context.name());
            return null;
        }));
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "x");
    }

    /** The streams of the namespace and of its objects are not one: the end of the namespace may be told first. */
    @Test
    @Tag("A24")
    void whatIsDeletedWithItsNamespaceIsToldAndWorkedOff() {
        serve();
        startWithSlowEventHandler();
        cluster.delete("namespaces", null, "team-a");
        pass(1);
        cluster.delete("kopfexamples", "team-a", "x");
        pass(30);
        assertThat(calls).endsWith("+x", "DELETED x", "seen x");
        int before = cluster.requests().size();
        pass(3600);
        assertThat(cluster.requests().subList(before, cluster.requests().size()))
                .noneMatch(OrchestratorTest::isForExamples);
    }

    @Test
    @Tag("A24")
    void whatIsDeletedWithItsNamespaceIsToldAlsoIfTheRightsGoWithIt() {
        serve();
        startWithSlowEventHandler();
        pass(30);
        forbid("/namespaces/team-a/kopfexamples");
        cluster.endWatches();
        pass(5);
        cluster.delete("namespaces", null, "team-a");
        pass(30);
        assertThat(calls).containsSubsequence("+x", "DELETED x", "seen x");
        int before = cluster.requests().size();
        pass(3600);
        assertThat(cluster.requests().subList(before, cluster.requests().size()))
                .noneMatch(OrchestratorTest::isForExamples);
    }

    /** A namespace of the same name is another one. */
    @Test
    @Tag("A24")
    void aNamespaceThatIsMadeAnewIsServedWithoutABreak() {
        serve();
        start(builder -> builder.namespaces("team-*"));
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "x");
        cluster.delete("namespaces", null, "team-a");
        cluster.delete("kopfexamples", "team-a", "x");
        pass(2);
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "y");
        pass(30);
        requestDeletion("team-a", "y");
        assertThat(calls).containsExactly("+x", "+y", "-y");
    }

    /** The stream of objects may be ahead of that of namespaces. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("A24")
    void anObjectOfANamespaceThatIsMadeAnewIsNotTakenForGoneThoughTheNamespaceIsHeardOfLate(boolean mayLook) {
        serve();
        start(builder -> builder.namespaces("team-*").onEvent("kopfexamples", "seen", context -> {
            calls.add(context.eventType().map(Object::toString).orElse("LISTED") + " " + context.name());
            return null;
        }));
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "x");
        cluster.delete("kopfexamples", "team-a", "x");
        cluster.delete("namespaces", null, "team-a");
        pass(1);
        answer(
                path -> path.startsWith("/api/v1/namespaces?") && !(mayLook && path.contains("metadata.name")),
                TinyCluster.status(503, "ServiceUnavailable", "not now"));
        cluster.endWatches();
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "y");
        pass(60);
        assertThat(calls).contains("DELETED x", "+y").doesNotContain("DELETED y");
        cluster.faults(TinyCluster.Faults.NONE);
        pass(60);
        assertThat(calls).doesNotContain("DELETED y");
        cluster.delete("kopfexamples", "team-a", "y");
        cluster.delete("namespaces", null, "team-a");
        pass(30);
        assertThat(calls).filteredOn("DELETED y"::equals).hasSize(1);
    }

    @Test
    @Tag("A24")
    void whatIsDeletedWithItsNamespaceIsToldOnceThoughTheStreamWaitsForRoom() {
        serve();
        start(builder -> builder.namespaces("team-*")
                .settings(settings -> settings.queueing().workerLimit(2).backlogLimit(5))
                .onEvent("kopfexamples", "seen", context -> {
                    if (context.eventType().map(Object::toString).orElse("").equals("DELETED")) {
                        calls.add("DELETED " + context.name() + (context.isSynthetic() ? " unheard" : ""));
                        world.sleep(Duration.ofSeconds(1));
                    }
                    return null;
                }));
        cluster.put("namespaces", null, "team-a", "{}");
        List<String> names =
                IntStream.range(0, 60).mapToObj(number -> "x" + number).toList();
        names.forEach(name -> cluster.put("kopfexamples", "team-a", name, "{'spec':{}}"));
        pass(10);
        calls.clear();
        names.forEach(name -> cluster.delete("kopfexamples", "team-a", name));
        cluster.delete("namespaces", null, "team-a");
        pass(120);
        assertThat(calls)
                .containsExactlyInAnyOrderElementsOf(
                        names.stream().map(name -> "DELETED " + name).toList());
    }

    @Test
    @Tag("A24")
    void namespacesThatEndAreServedUntilTheirObjectsAreReleased() {
        serve();
        start(builder -> builder.namespaces("team-*"));
        cluster.put("namespaces", null, "team-a", "{}");
        create("team-a", "x");
        cluster.patch(
                "namespaces",
                null,
                "team-a",
                "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z','finalizers':['kubernetes']},'status':{'conditions':["
                        + "{'type':'NamespaceFinalizersRemaining','status':'True','message':'some are left'}]}}");
        requestDeletion("team-a", "x");
        assertThat(calls).containsExactly("+x", "-x");
        assertThat(cluster.find("kopfexamples", "team-a", "x")).isNull();
        cluster.patch("namespaces", null, "team-a", "{'status':{'conditions':[{'type':'Content','status':'False'}]}}");
        pass(15);
        create("team-a", "late");
        assertThat(calls).hasSize(2);
    }

    @Test
    @Tag("A25")
    void whoMayNotListNamespacesServesThoseGivenByName() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.reactor")) {
            serve();
            forbid("/api/v1/namespaces?");
            start(builder -> builder.namespaces("a", "team-*"));
            create("a", "xa");
            create("team-b", "xb");
            pass(200);
            assertThat(calls).containsExactly("+xa");
            assertThat(log.lines(Level.WARN).stream()
                            .filter(line -> line.contains("Not enough permissions to list and watch namespaces")))
                    .hasSize(1);
        }
    }

    @Test
    @Tag("A26")
    void namespacesAndTheWholeClusterExcludeEachOther() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> Operator.builder().clusterwide().namespaces("a").build())
                .withMessageContaining("either namespaces or the whole cluster");
        assertThatIllegalStateException()
                .isThrownBy(() -> Operator.builder()
                        .clusterwide()
                        .namespaces(Pattern.compile("a+"))
                        .build())
                .withMessageContaining("a+");
    }

    @Test
    @Tag("A26")
    void withoutAScopeTheWholeClusterIsServed() {
        serve();
        start(builder -> builder);
        create("ns", "x");
        assertThat(calls).containsExactly("+x");
    }

    @Test
    @Tag("B23")
    void silentAndBrokenStreamsAreReplaced() {
        serve();
        start(OperatorBuilder::clusterwide);
        cluster.silenceWatches();
        cluster.put("kopfexamples", "ns", "a", "{'spec':{}}");
        pass(300);
        assertThat(calls).containsExactly("+a");
        cluster.endWatches();
        create("ns", "b");
        assertThat(calls).containsExactly("+a", "+b");
    }

    @Test
    void whatCannotBeWatchedIsNotCalledReady() {
        serve();
        forbid("/kopfexamples");
        try (LoggerCapture log = new LoggerCapture("kopf4j.operator")) {
            start(builder -> builder.clusterwide());
            assertThat(log.lines(Level.INFO)).noneMatch(line -> line.contains("is ready"));
            assertThat(log.lines(Level.WARN))
                    .anySatisfy(line -> assertThat(line)
                            .contains("has started, but is not ready", "kopfexamples.v1.kopf.dev", "not allowed"));
        }
    }

    /** Waits for so long whatever happens. */
    private void deafFor(Duration time) {
        Deadline end = world.after(time);
        while (!end.hasPassed(world)) {
            try {
                world.sleep(end.remaining(world));
            } catch (InterruptedException e) {
                calls.add("is interrupted");
            }
        }
    }

    private void dropDefinition() {
        cluster.delete("customresourcedefinitions", null, "kopfexamples.kopf.dev");
        cluster.stopServing("kopfexamples");
        cluster.endWatches();
        pass(60);
    }

    private static void assertGone(WeakReference<?> reference) {
        for (int i = 0; i < 20 && reference.get() != null; i++) {
            System.gc();
        }
        assertThat(reference.get() == null).isTrue();
    }

    /** The memo of an object is kept as long as anything of the object is. */
    @Test
    @Tag("A18")
    void nothingIsKeptOfObjectsWhoseResourceIsGone() {
        AtomicReference<WeakReference<?>> memo = new AtomicReference<>();
        start(builder -> builder.clusterwide().onDaemon("kopfexamples", "brief", context -> {
            memo.set(new WeakReference<>(context.memo()));
            return null;
        }));
        define();
        create("ns", "a");
        dropDefinition();
        assertGone(memo.get());
    }

    @Test
    @Tag("A18")
    void nothingIsKeptOfAStreamWhoseWorkEndsLate() {
        AtomicReference<WeakReference<?>> memo = new AtomicReference<>();
        start(builder -> builder.clusterwide().onEvent("kopfexamples", "deaf", context -> {
            memo.set(new WeakReference<>(context.memo()));
            deafFor(Duration.ofMinutes(5));
            calls.add("ends");
            return null;
        }));
        define();
        create("ns", "a");
        dropDefinition();
        assertThat(calls).doesNotContain("ends");
        pass(300);
        assertThat(calls).last().isEqualTo("ends");
        assertGone(memo.get());
    }

    /** The stream begins anew, and knows nothing of the calls of the one before. */
    @Test
    @Tag("A18")
    void aHandlerThatIgnoresTheEndOfItsStreamIsNotCalledBesideThatByTheNextOne() {
        start(builder -> builder.clusterwide().onUpdate("kopfexamples", "slow", context -> {
            calls.add("begins");
            deafFor(Duration.ofMinutes(5));
            calls.add("ends");
            return null;
        }));
        define();
        create("team-a", "x");
        cluster.patch("kopfexamples", "team-a", "x", "{'spec':{'field':1}}");
        pass(3);
        cluster.delete("customresourcedefinitions", null, "kopfexamples.kopf.dev");
        cluster.stopServing("kopfexamples");
        cluster.endWatches();
        pass(30);
        define();
        pass(120);
        assertThat(calls).containsExactly("+x", "begins", "is interrupted");
        pass(300);
        assertThat(calls).containsExactly("+x", "begins", "is interrupted", "ends", "begins");
        pass(300);
        assertThat(calls).hasSize(6).last().isEqualTo("ends");
    }
}
