package dev.kopf4j.client.watching;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.event;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.line;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ListAndWatchLoop}: reconnects, relists and timeouts, in simulated time. */
class ListAndWatchLoopTest {
    private static final String COLLECTION = "GET /apis/kopf.dev/v1/namespaces/ns/kopfexamples";
    private static final String LIST = COLLECTION + "?limit=500";

    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final ScriptedTransport transport =
            new ScriptedTransport(platform).answering(transportRequest -> list("10", "'a'"));
    private final Recorder seen = new Recorder();
    private final OperatorSettings.Watching settings = new OperatorSettings().watching();

    private static TransportResponse list(String version, String... names) {
        String items = String.join(
                ",",
                List.of(names).stream()
                        .map(name -> "{'metadata':{'name':" + name + "}}")
                        .toList());
        return json(200, "{'metadata':{'resourceVersion':'" + version + "'},'items':[" + items + "]}");
    }

    private static String object(String name, String version) {
        return "{'metadata':{'name':'" + name + "','resourceVersion':'" + version + "'}}";
    }

    private NetworkSettings network = NetworkSettings.DEFAULTS.withErrorBackoffs();

    private Task start() {
        ListAndWatchLoop loop =
                new ListAndWatchLoop(platform, new KubernetesApi(platform, transport, network), KEX, "ns", settings);
        Task task = platform.spawn("loop", () -> loop.run(seen));
        rest();
        return task;
    }

    private List<String> watches() {
        return transport.requests().stream()
                .filter(each -> each.contains("watch=true"))
                .toList();
    }

    private List<String> questionsForTheVersion() {
        return transport.requests().stream()
                .filter(each -> each.contains("limit=1"))
                .toList();
    }

    /** Lets everything happen that needs no time worth mentioning. */
    private void rest() {
        platform.runFor(Duration.ofMillis(1));
    }

    @Test
    @Tag("B01")
    void listsThenWatchesFromTheListsVersion() {
        start();
        assertThat(seen.log).containsExactly("start", "listed a", "complete 10");
        assertThat(transport.requests()).hasSize(2).first().isEqualTo(LIST);
        assertThat(transport.requests().getLast())
                .startsWith(COLLECTION + "?watch=true&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds=");
    }

    @Test
    @Tag("B01")
    void tellsTheEndOfAnEmptyList() {
        transport.answering(transportRequest -> list("10"));
        start();
        assertThat(seen.log).containsExactly("start", "complete 10");
    }

    @Test
    @Tag("B02")
    void reconnectsFromTheLastVersionWithoutAList() {
        start();
        PushedResponseStream first = transport.takeWatch();
        event(first, "ADDED", object("b", "11"));
        event(first, "MODIFIED", object("b", "12"));
        event(first, "DELETED", object("b", "13"));
        first.end();
        rest();
        assertThat(seen.log).endsWith("ADDED b", "MODIFIED b", "DELETED b");
        assertThat(transport.requests()).hasSize(3).last().asString().contains("resourceVersion=13&");
    }

    @Test
    @Tag("B02")
    @Tag("B05")
    void bookmarksOnlyMoveTheVersion() {
        start();
        PushedResponseStream first = transport.takeWatch();
        event(first, "BOOKMARK", object("", "20"));
        transport.answering(transportRequest -> list("20", "'a'"));
        first.fail(new IOException("reset"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log).filteredOn(line -> line.startsWith("BOOKMARK")).isEmpty();
        assertThat(watches().getLast()).contains("resourceVersion=20&");
    }

    @Test
    @Tag("B03")
    void listsAnewWhenTheVersionIsTooOld() {
        start();
        transport.answering(transportRequest -> list("30", "'z'"));
        event(transport.takeWatch(), "ERROR", "{'kind':'Status','code':410,'reason':'Expired'}");
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log).endsWith("start", "listed z", "complete 30");
        assertThat(transport.requests().getLast()).contains("resourceVersion=30&");
        assertThat(seen.disturbances).isEmpty();
    }

    @Test
    @Tag("B03")
    void listsAnewWhenTheWatchIsRefusedAsTooOld() {
        transport.answeringWatches(transportRequest ->
                transportRequest.path().contains("=10&") ? status(410, "Expired", "too old") : json(200, ""));
        start();
        transport.answering(transportRequest -> list("30"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log).endsWith("start", "complete 30");
    }

    @Test
    @Tag("B03")
    void survivesOtherErrorsInTheStreamAndTellsThem() {
        start();
        event(transport.takeWatch(), "ERROR", "{'kind':'Status','code':500,'message':'etcd is ill'}");
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.disturbances).singleElement().asString().contains("HTTP 500: etcd is ill");
        assertThat(seen.log).endsWith("start", "listed a", "complete 10");
    }

    /** Leads to another server when a login says so. */
    private final class Login implements ConnectionProvider {
        private int serverChanges;

        @Override
        public ApiServerConnection current() {
            return new ApiServerConnection(transport, "the server", "default");
        }

        @Override
        public boolean reject(ApiServerConnection rejected, UnauthorizedException reason, Deadline until) {
            throw reason;
        }

        @Override
        public int serverChanges() {
            return serverChanges;
        }

        @Override
        public void close() {
            transport.close();
        }

        void start() {
            ListAndWatchLoop loop =
                    new ListAndWatchLoop(platform, new KubernetesApi(platform, this, network), KEX, "ns", settings);
            platform.spawn("loop", () -> loop.run(seen));
            rest();
        }
    }

    /** What a stream brings that is open at the server before would not be there for anybody who asks for it now. */
    @Test
    void anOpenStreamOfAServerBeforeBringsNothingAnyMore() {
        Login login = new Login();
        login.start();
        PushedResponseStream watch = transport.takeWatch();
        login.serverChanges++;
        transport.answering(transportRequest -> list("5", "'b'"));
        event(watch, "ADDED", object("c", "11"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log).containsExactly("start", "listed a", "complete 10", "start", "listed b", "complete 5");
        assertThat(watch.isClosed()).isTrue();
        assertThat(watches()).hasSize(2).last().asString().contains("resourceVersion=5&");
    }

    @Test
    void anotherServerIsNeverAskedForVersionsOfTheOneBefore() {
        Login login = new Login();
        login.start();
        login.serverChanges++;
        transport.answering(transportRequest -> list("5", "'b'"));
        transport.takeWatch().fail(new IOException("reset"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(watches())
                .satisfiesExactly(
                        first -> assertThat(first).contains("resourceVersion=10&"),
                        second -> assertThat(second).contains("resourceVersion=5&"));
        assertThat(seen.log).endsWith("start", "listed b", "complete 5");
    }

    @Test
    void aRefusedWatchIsNotTriedAgainForAMinuteWhereALoginLeadsToAnotherServer() {
        network = NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(21));
        Login login = new Login();
        login.start();
        transport.answering(transportRequest -> list("5", "'b'"));
        transport.answeringWatches(transportRequest -> {
            transport.answeringWatches(again -> json(200, ""));
            login.serverChanges++;
            return status(503, "ServiceUnavailable", "not yet");
        });
        transport.takeWatch().fail(new IOException("reset"));
        platform.runFor(Duration.ofSeconds(5));
        assertThat(seen.log).endsWith("start", "listed b", "complete 5");
    }

    /** The pages of a list may be of two servers, and so may the attempts of a watch. */
    @Test
    void whatBeganAtOneServerAndEndedAtAnotherOneIsListedAnew() {
        Login login = new Login();
        transport.answering(transportRequest -> {
            login.serverChanges = Math.max(1, login.serverChanges);
            return list("10", "'a'");
        });
        transport.answeringWatches(transportRequest -> {
            login.serverChanges = 2;
            return json(200, "");
        });
        login.start();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log)
                .startsWith(
                        "start", "listed a", "start", "listed a", "complete 10", "start", "listed a", "complete 10");
        assertThat(watches()).hasSizeGreaterThanOrEqualTo(2);
    }

    private void cutWatches(int times, Duration apart) {
        for (int time = 0; time < times; time++) {
            PushedResponseStream watch = transport.takeWatch();
            event(watch, "MODIFIED", object("c", "12"));
            watch.fail(new IOException("reset by a proxy"));
            platform.runFor(apart);
        }
    }

    @Test
    void whatHappensAgainAndAgainIsToldOnceAndThenInSumsAndWhenItIsOver() {
        start();
        transport.answering(transportRequest -> list("12", "'a'"));
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            cutWatches(220, Duration.ofMillis(900));
            assertThat(log.lines(Level.WARN)).hasSize(3);
            assertThat(log.lines(Level.WARN).getFirst()).contains("is disturbed, and will be restored: ", "reset by a");
            assertThat(log.lines(Level.WARN).get(1))
                    .containsPattern("was disturbed 6\\d more times within 1m0?s?, now: ");
            assertThat(log.lines(Level.INFO))
                    .filteredOn(line -> line.startsWith("info"))
                    .singleElement()
                    .asString()
                    .endsWith("is restored.");
            platform.runFor(Duration.ofMinutes(2));
            event(transport.takeWatch(), "ADDED", object("d", "13"));
            rest();
            assertThat(log.lines(Level.INFO)).last().asString().contains("is restored, after 220 disturbances.");
            cutWatches(1, Duration.ofSeconds(1));
            assertThat(log.lines(Level.WARN)).hasSize(4).last().asString().contains("is disturbed, and will be");
        }
    }

    /** Whoever deletes a definition ends its streams like this: nothing is wrong, unless they go on. */
    @Test
    void whatIsNotServedIsAWarningOnlyIfTheStreamGoesOn() {
        transport.answering(transportRequest -> status(404, "NotFound", "page not found"));
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            start();
            platform.runFor(Duration.ofSeconds(10));
            assertThat(log.lines(Level.WARN)).isEmpty();
            assertThat(log.lines(Level.INFO))
                    .singleElement()
                    .asString()
                    .contains("is not served, which is looked up anew: ");
            platform.runFor(Duration.ofMinutes(10));
            assertThat(log.lines(Level.WARN)).first().asString().contains("more times within", "page not found");
        }
    }

    /** Each change of a definition ends the streams, and the server has no cache of the objects for a second. */
    @Test
    void thatTheServerReadsAllAnewIsAWarningOnlyIfItGoesOn() {
        transport.answering(transportRequest -> status(429, "TooManyRequests", "storage is (re)initializing"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.client")) {
            start();
            platform.runFor(Duration.ofSeconds(10));
            assertThat(log.lines(Level.WARN)).isEmpty();
            assertThat(log.lines(Level.INFO))
                    .singleElement()
                    .asString()
                    .contains("anew, as after each change of their definition: ");
            platform.runFor(Duration.ofMinutes(2));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("K4-011", "more times within", "storage is", "kubectl get crd kopfexamples.kopf.dev");
        }
    }

    /** An API server reads all objects of a kind, and converts them, before it sends any of them. */
    @Test
    void anObjectThatCannotBeConvertedIsToldWithTheWayOutAndTriedMoreAndMoreRarely() {
        String message = "conversion webhook for example.com/v1, Kind=Example failed: no size";
        transport.answering(transportRequest -> status(500, "InternalError", message));
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            start();
            platform.runFor(Duration.ofMinutes(30));
            assertThat(log.lines(Level.WARN))
                    .hasSizeBetween(4, 6)
                    .allMatch(line -> line.contains(message) && line.contains("Mend the conversion webhook"));
        }
        assertThat(transport.requests()).hasSizeLessThan(90);
    }

    /** As a gateway does that has an answer of its own for all requests, or drops the query {@code watch=true}. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"message\":\"maintenance\"}", "{\"kind\":\"KopfExampleList\",\"items\":[]}"})
    void watchesThatBringWhatIsNoEventAreDisturbancesAndAreTriedMoreAndMoreRarely(String answer) {
        start();
        int taken = 0;
        for (int second = 0; second < 600; second++) {
            if (transport.watchCount() > taken) {
                taken++;
                PushedResponseStream watch = transport.takeWatch();
                line(watch, answer);
                watch.end();
            }
            platform.runFor(Duration.ofSeconds(1));
        }
        assertThat(transport.watchCount()).isBetween(15, 60);
        assertThat(seen.disturbances)
                .hasSize(taken)
                .allSatisfy(told -> assertThat(told).contains("a line of the stream is damaged: it is no event"));
    }

    /** What comes before the error does not make the stream healthy. */
    @Test
    void watchesThatBringAnErrorAfterAnEventAreTriedMoreAndMoreRarely() {
        start();
        int taken = 0;
        for (int second = 0; second < 600; second++) {
            if (transport.watchCount() > taken) {
                taken++;
                PushedResponseStream watch = transport.takeWatch();
                event(watch, "ADDED", object("b", "11"));
                event(watch, "ERROR", "{'kind':'Status','code':500,'message':'conversion webhook for x failed: no'}");
            }
            platform.runFor(Duration.ofSeconds(1));
        }
        assertThat(transport.watchCount()).isBetween(20, 40);
    }

    @Test
    @Tag("B04")
    void skipsUnsupportedEventTypes() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            event(watch, "SURPRISE", object("b", "11"));
            event(watch, "ADDED", object("c", "12"));
            rest();
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("warn: Ignoring an unsupported event type: SURPRISE (of ")
                    .contains("kopfexamples");
        }
        assertThat(seen.log).endsWith("complete 10", "ADDED c");
        assertThat(transport.watchCount()).isEqualTo(1);
    }

    @Test
    @Tag("B06")
    void asksTheServerForARandomTimeout() {
        start();
        String last = transport.requests().getLast();
        int seconds = Integer.parseInt(last.substring(last.lastIndexOf('=') + 1));
        assertThat(seconds).isBetween(240, 480);
    }

    @Test
    @Tag("B06")
    void honoursTheTimeoutsOfTheSettings() {
        settings.serverTimeout(Duration.ofSeconds(33)).clientTimeout(Duration.ofSeconds(20));
        start();
        assertThat(transport.requests().getLast()).endsWith("timeoutSeconds=33");
        platform.runFor(Duration.ofSeconds(21));
        assertThat(transport.watchCount()).isEqualTo(2);
        assertThat(transport.requests()).as("without a list").hasSize(3);
        assertThat(seen.disturbances).isEmpty();
    }

    @Test
    @Tag("B07")
    void waitsLongerFromFailureToFailureUpToABound() {
        transport.answering(transportRequest -> {
            throw new IOException("refused");
        });
        start();
        platform.runFor(Duration.ofMinutes(10));
        // 0.1, 0.2, ... 25.6, then at most 30 s each: 9 delays in the first minute, then 2 to 3 a minute.
        assertThat(transport.calls()).hasSizeBetween(25, 36);
        assertThat(seen.disturbances).hasSameSizeAs(transport.calls());
        transport.answering(transportRequest -> list("10"));
        assertThat(platform.runUntil(() -> transport.watchCount() == 1, Duration.ofSeconds(31)))
                .isTrue();
    }

    @Test
    @Tag("B07")
    void streamsThatEndAtOnceDoNotMakeABusyLoop() {
        transport.answeringWatches(transportRequest -> json(200, ""));
        start();
        int ended = 0;
        for (int i = 0; i < 200; i++) {
            if (transport.watchCount() > ended) {
                transport.takeWatch().end();
                ended++;
            }
            platform.runFor(Duration.ofMillis(100));
        }
        assertThat(transport.watchCount()).isBetween(5, 12);
    }

    @Test
    @Tag("B08")
    void reconnectsWhenNothingIsHeard() {
        start();
        PushedResponseStream silent = transport.takeWatch();
        platform.runFor(Duration.ofSeconds(69));
        event(silent, "BOOKMARK", object("", "15"));
        transport.answering(transportRequest -> list("15", "'a'"));
        platform.runFor(Duration.ofSeconds(69));
        assertThat(transport.watchCount()).isEqualTo(1);
        platform.runFor(Duration.ofSeconds(2));
        assertThat(transport.watchCount()).isEqualTo(2);
        assertThat(silent.isClosed()).isTrue();
        assertThat(watches().getLast()).contains("resourceVersion=15&");
        assertThat(seen.disturbances).containsExactly("nothing was heard for 1m10s: null");
    }

    /** A server whose etcd reports no progress sends no bookmarks of quiet resources. */
    @Test
    @Tag("B08")
    void silentWatchesAreOpenedAgainAtOnce() {
        start();
        for (int watches = 1; watches < 20; watches++) {
            transport.takeWatch();
            platform.runFor(Duration.ofMillis(70_200));
            assertThat(transport.watchCount()).isEqualTo(watches + 1);
        }
    }

    /** It takes the watch, and tells nothing before it has come so far again. */
    @Test
    void aServerThatHasGoneBackIsListedAnewAfterAFailure() {
        transport.answering(request -> list("1200", "'a'"));
        start();
        transport.answering(request -> list("1000", "'restored'"));
        transport.takeWatch().fail(new IOException("reset"));
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            platform.runFor(Duration.ofSeconds(3));
            assertThat(log.lines(Level.WARN)).last().asString().contains("gone back behind the version 1200");
        }
        assertThat(seen.log).endsWith("start", "listed restored", "complete 1000");
        assertThat(questionsForTheVersion()).hasSize(1);
        assertThat(transport.requests().getLast()).contains("resourceVersion=1000&");
    }

    @Test
    void aServerThatHasGoneBackIsListedAnewAfterARefusedOpening() {
        network = NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(1));
        transport.answering(request -> list("1200", "'a'"));
        start();
        transport.answering(request -> list("1000", "'restored'"));
        transport.answeringWatches(request -> {
            transport.answeringWatches(again -> json(200, ""));
            return status(503, "ServiceUnavailable", "storage is (re)initializing");
        });
        transport.takeWatch().end();
        platform.runFor(Duration.ofSeconds(3));
        assertThat(seen.log).endsWith("start", "listed restored", "complete 1000");
    }

    /** To repeat the request until the server has come so far again would lose what happens before that. */
    @Test
    void aServerThatRefusesAVersionOfTheFutureIsListedAnewAtOnceIfItHasGoneBack() {
        network = NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(21));
        transport.answering(request -> list("1200", "'a'"));
        start();
        transport.answering(request -> list("1000", "'restored'"));
        AtomicInteger refused = refuseVersion("1200");
        transport.takeWatch().fail(new IOException("reset"));
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            platform.runFor(Duration.ofSeconds(5));
            assertThat(log.lines(Level.WARN)).last().asString().contains("gone back behind the version 1200");
        }
        assertThat(refused).hasValue(1);
        assertThat(seen.log).endsWith("start", "listed restored", "complete 1000");
        assertThat(questionsForTheVersion()).hasSize(1);
    }

    /** A list is asked of all servers, and is no older; a watch, of one of them, whose cache may be. */
    @Test
    void aServerThatIsBehindOthersForAMomentIsWatchedOnWithoutANewList() {
        network = NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(21));
        transport.answering(request -> list("1200", "'a'"));
        start();
        AtomicInteger refused = refuseVersion("1200");
        transport.takeWatch().fail(new IOException("reset"));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(refused).hasValueGreaterThan(1);
        transport.answeringWatches(request -> json(200, ""));
        platform.runFor(Duration.ofSeconds(30));
        event(transport.takeWatch(), "ADDED", object("b", "1201"));
        rest();
        assertThat(seen.log).endsWith("complete 1200", "ADDED b");
        assertThat(lists()).isEqualTo(1);
    }

    /** Refuses watches from that version on; returns how often that was done. */
    private AtomicInteger refuseVersion(String version) {
        AtomicInteger refused = new AtomicInteger();
        transport.answeringWatches(request -> {
            if (!request.path().contains("resourceVersion=" + version + "&")) {
                return json(200, "");
            }
            refused.incrementAndGet();
            return status(504, "Timeout", "Timeout: Too large resource version: " + version + ", current: 1000");
        });
        return refused;
    }

    /** Who sends bookmarks and falls silent may have been set back without a word. */
    @Test
    void aServerThatHasGoneBackIsListedAnewAfterASilenceThatIsNone() {
        transport.answering(request -> list("1200", "'a'"));
        start();
        event(transport.takeWatch(), "BOOKMARK", object("", "1201"));
        transport.answering(request -> list("1000", "'restored'"));
        platform.runFor(Duration.ofSeconds(75));
        assertThat(seen.log).endsWith("start", "listed restored", "complete 1000");
    }

    /** Lists of servers whose versions cannot be compared may always be older than their events. */
    @Test
    void aServerIsBelievedToHaveGoneBackOnceInTenMinutes() {
        start();
        for (int i = 0; i < 20; i++) {
            PushedResponseStream watch = transport.lastWatch();
            event(watch, "ADDED", object("b", "11"));
            watch.fail(new IOException("reset"));
            platform.runFor(Duration.ofSeconds(10));
        }
        assertThat(transport.requests()).filteredOn(LIST::equals).hasSize(2);
        assertThat(questionsForTheVersion()).hasSize(1);
    }

    /** Changes that come while the version is asked for are not lost. */
    @Test
    void aServerThatRefusesTheQuestionIsWatchedOn() {
        start();
        transport.answering(request -> status(403, "Forbidden", "no"));
        transport.takeWatch().fail(new IOException("reset"));
        platform.runFor(Duration.ofSeconds(3));
        event(transport.takeWatch(), "ADDED", object("b", "11"));
        rest();
        assertThat(seen.log).endsWith("complete 10", "ADDED b");
        assertThat(questionsForTheVersion()).hasSize(1);
    }

    /** Most have not gone back: one small request for each failure. */
    @Test
    void theVersionIsAskedForOnceAfterAFailureAndNotInSilence() {
        start();
        platform.runFor(Duration.ofMinutes(10));
        assertThat(questionsForTheVersion()).isEmpty();
        transport.lastWatch().fail(new IOException("reset"));
        platform.runFor(Duration.ofMinutes(10));
        assertThat(questionsForTheVersion()).hasSize(1);
    }

    /** Watches that are cut when they are that old, with all that was held back. Returns how many there were. */
    private int cutUntilNews(Duration lifetime, int most) {
        for (int watch = 1; watch <= most; watch++) {
            Duration asked = Duration.ofSeconds(lastTimeout());
            boolean cut = lifetime.compareTo(asked) < 0;
            platform.runFor(cut ? lifetime : asked);
            if (cut) {
                transport.takeWatch().fail(new IOException("cut"));
            } else {
                PushedResponseStream ended = transport.takeWatch();
                event(ended, "ADDED", object("b", "11"));
                ended.end();
            }
            platform.runFor(Duration.ofSeconds(2));
            if (seen.log.stream().anyMatch(each -> each.contains(" b"))) {
                return watch;
            }
        }
        return most;
    }

    /** As load balancers cut connections on which nothing comes for a while: a list in half an hour does no harm. */
    @Test
    void watchesThatAreCutWhileTheyAreQuietAreSeldomAReasonToList() {
        start();
        cutUntilNews(Duration.ofSeconds(35), 45);
        assertThat(lists()).isEqualTo(1);
        cutUntilNews(Duration.ofSeconds(35), 180);
        assertThat(lists()).isBetween(2, 5);
    }

    @Test
    @Tag("B08")
    void watchesThatAreCutAMinuteAfterTheyWereOpenedAreAskedToEndBefore() {
        start();
        assertThat(cutUntilNews(Duration.ofSeconds(60), 60)).isLessThanOrEqualTo(3);
        assertThat(lists()).isEqualTo(1);
    }

    @Test
    @Tag("B08")
    void aCutDoesNotPutOffTheListOfWatchesThatAreSilentAfterIt() {
        start();
        cutUntilNews(Duration.ofSeconds(20), 1);
        platform.runFor(Duration.ofMinutes(6));
        assertThat(lists()).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Tag("B08")
    void whatIsLostWithEachWatchIsFoundByAListAndTold() {
        start();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            for (int version = 11; version < 14; version++) {
                String now = String.valueOf(version);
                transport.answering(request -> json(
                        200,
                        "{'metadata':{'resourceVersion':'" + now + "'},'items':[" + object("c" + now, now) + "]}"));
                cutUntilNews(Duration.ofSeconds(35), 60);
                assertThat(seen.log).contains("listed c" + now);
            }
            assertThat(log.lines(Level.WARN))
                    .filteredOn(each -> each.contains("K4-029"))
                    .hasSize(1);
        }
    }

    private int lists() {
        return (int) transport.requests().stream().filter(LIST::equals).count();
    }

    private int lastTimeout() {
        String last = watches().getLast();
        return Integer.parseInt(last.substring(last.lastIndexOf('=') + 1));
    }

    /** Runs a watch as the server ends it, or the client if that is sooner; its lines come at the end alone. */
    private void buffered(String... lines) {
        PushedResponseStream watch = transport.lastWatch();
        platform.runFor(Duration.ofSeconds(Math.min(lastTimeout(), 71)));
        if (!watch.isClosed()) {
            List.of(lines).forEach(each -> event(watch, "ADDED", each));
            watch.end();
            platform.runFor(Duration.ofMillis(200));
        }
    }

    @Test
    @Tag("B08")
    void whatAProxyHoldsBackComesWithTheEndsOfShorterWatchesAndIsToldOnce() {
        start();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            buffered(object("b", "11"));
            assertThat(seen.log).endsWith("complete 10");
            assertThat(lastTimeout()).isEqualTo(58);
            buffered(object("b", "11"));
            assertThat(seen.log).endsWith("ADDED b");
            assertThat(log.lines(Level.WARN)).as("once may be by chance").isEmpty();
            buffered();
            for (int version = 12; version < 20; version++) {
                buffered(object("c", String.valueOf(version)));
            }
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("K4-029: ", "kopfexamples", "a proxy that buffers");
        }
        assertThat(watches().getLast()).contains("resourceVersion=19&");
        assertThat(lists()).isEqualTo(1);
    }

    /** After a gap of the network, as everybody has them. */
    @Test
    @Tag("B08")
    void watchesThatBringSomethingInTimeLastAsLongAsEver() {
        start();
        buffered();
        platform.runFor(Duration.ofSeconds(1));
        transport.answering(request -> list("11"));
        event(transport.lastWatch(), "BOOKMARK", object("", "11"));
        platform.runFor(Duration.ofSeconds(71));
        assertThat(watches().getLast()).contains("resourceVersion=11&");
        assertThat(lastTimeout()).isGreaterThanOrEqualTo(240);
    }

    @Test
    @Tag("B08")
    void whereBookmarksComeNothingIsAskedForThatWasNotBefore() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        for (int minute = 0; minute < 60; minute++) {
            event(watch, "BOOKMARK", object("", String.valueOf(11 + minute)));
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(transport.requests()).hasSize(2);
    }

    /** As some aggregated APIs are: their watches end when they are asked to. */
    @Test
    @Tag("B08")
    void quietKindsOfServersWithoutBookmarksAreNotListedAnew() {
        start();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            for (int i = 0; i < 100; i++) {
                buffered();
            }
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
        assertThat(lists()).isEqualTo(1);
        assertThat(seen.disturbances).hasSize(1);
    }

    /** A watch that is not even ended by the server may be deaf. */
    @Test
    @Tag("B08")
    void watchesThatBringNothingAtAllAreFollowedByAListMoreAndMoreRarely() {
        start();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            platform.runFor(Duration.ofMinutes(4));
            assertThat(lists()).isEqualTo(2);
            platform.runFor(Duration.ofHours(8));
            assertThat(lists()).isBetween(16, 22);
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
    }

    @Test
    @Tag("B08")
    void aListThatHasWhatTheWatchesHaveNotToldIsTold() {
        int[] version = {10};
        transport.answering(request -> json(
                200,
                "{'metadata':{'resourceVersion':'" + version[0] + "'},'items':[" + object("a", "" + version[0])
                        + "]}"));
        start();
        try (LoggerCapture log = new LoggerCapture("kopf4j")) {
            for (int i = 0; i < 10; i++) {
                version[0]++;
                String complete = "complete " + version[0];
                assertThat(platform.runUntil(() -> complete.equals(seen.log.getLast()), Duration.ofMinutes(4)))
                        .isTrue();
            }
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("K4-029: ");
        }
    }

    /** Nothing else tells what was deleted between two watches. */
    @Test
    void aServerWithoutVersionsIsListedAfterEachWatch() {
        transport.answering(request -> list("", "'a'", "'b'"));
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", "{'metadata':{'name':'a'}}");
        transport.answering(request -> list("", "'a'"));
        watch.fail(new IOException("cut"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(seen.log).endsWith("start", "listed a", "complete ");
        assertThat(lists()).isEqualTo(2);
        assertThat(watches()).hasSize(2).last().asString().doesNotContain("resourceVersion");
    }

    @Test
    @Tag("B08")
    void aShortTimeoutMakesNoBusyLoop() {
        Duration inactivityTimeout = Duration.ofMillis(10);
        settings.reconnectBackoff(Duration.ofSeconds(1)).inactivityTimeout(inactivityTimeout);
        start();
        platform.runFor(Duration.ofSeconds(20));
        assertThat(transport.watchCount()).isBetween(2, 8);
    }

    @Test
    void damagedLinesAreBrokenConnections() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("b", "11"));
        transport.answering(transportRequest -> list("11", "'a'"));
        line(watch, "{\"type\":\"ADDED\",\"obj");
        platform.runFor(Duration.ofSeconds(1));
        assertThat(transport.watchCount()).isEqualTo(2);
        assertThat(watches().getLast()).contains("resourceVersion=11&");
    }

    @Test
    @Tag("B09")
    void aDamagedLineThatTellsItsObjectIsThatObjectsMisfortune() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        line(
                watch,
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"b\",\"namespace\":\"ns\",\"uid\":\"u\","
                        + "\"resourceVersion\":\"11\"},\"spec\":{\"a\":NOTHING}}}");
        line(watch, "{\"type\":\"DELETED\",\"object\":{\"spec\":{\"a\":\"\\x\"},\"metadata\":{\"name\":\"c\"}}}");
        event(watch, "ADDED", object("d", "12"));
        platform.runFor(Duration.ofMinutes(1));
        assertThat(seen.log)
                .containsExactly(
                        "start", "listed a", "complete 10", "unreadable ns/b u", "deleted null/c null", "ADDED d");
        assertThat(seen.disturbances).isEmpty();
        assertThat(transport.watchCount()).isEqualTo(1);
    }

    @Test
    void aDamagedLineThatTellsNoObjectIsReadOnceMoreAndThenListed() {
        transport.answering(transportRequest -> list("10", "'a'"));
        start();
        line(transport.takeWatch(), "{\"type\":\"ADDED\",\"object\":NOTHING}");
        platform.runFor(Duration.ofSeconds(3));
        assertThat(seen.log).containsExactly("start", "listed a", "complete 10", "start", "listed a", "complete 10");
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("b", "11"));
        transport.answering(transportRequest -> list("11", "'a'"));
        line(watch, "{\"type\":\"ADDED\",\"object\":NOTHING}");
        platform.runFor(Duration.ofSeconds(3));
        assertThat(watches().getLast()).contains("resourceVersion=11&");
    }

    @Test
    @Tag("B09")
    void aPageWithADamagedObjectIsReadOnceMoreForTheOthers() {
        String page = "{\"kind\":\"KopfExampleList\",\"items\":[{\"metadata\":{\"name\":\"a\"}},\n"
                + " {\"metadata\":{\"name\":\"b\",\"uid\":\"u\"},\"spec\":{\"a\":\"}]\\x\"}} , null,\n"
                + " {\"metadata\":{\"name\":\"c\"}}],\"metadata\":{\"resourceVersion\":\"10\",\"remainingItemCount\":0}}";
        transport.answering(transportRequest -> jsonText(page));
        start();
        assertThat(seen.log)
                .containsExactly(
                        "start",
                        "listed a",
                        "listed a",
                        "unreadable null/b u",
                        "unreadable null/null null",
                        "listed c",
                        "complete 10");
        assertThat(transport.requests()).hasSize(3);
        assertThat(seen.disturbances).isEmpty();
    }

    private static TransportResponse jsonText(String text) {
        return new TransportResponse(200, Map.of(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** The first page that is no list of anything is not read again and again. */
    @Test
    void aPageThatIsNoListFailsAsBefore() {
        transport.answering(transportRequest -> jsonText("{\"items\":[{\"metadata\":\"\\x"));
        start();
        assertThat(seen.log).containsExactly("start");
        assertThat(transport.requests()).hasSize(2);
        assertThat(seen.disturbances).hasSize(1).first().asString().contains("the list has ended before its end");
    }

    /** Else the stream would end for good. */
    @Test
    void whatTheListenerCannotReadIsOneObjectsMisfortune() {
        seen.overflowing = "b";
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("b", "11"));
        event(watch, "ADDED", object("c", "12"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "complete 10", "unreadable null/b null", "ADDED c");
    }

    @Test
    void tellsThatTheResourceIsGoneAndComesBackWithIt() {
        transport.answering(transportRequest -> status(404, "NotFound", "page not found"));
        start();
        assertThat(seen.lastFailure).isInstanceOf(NotFoundException.class);
        transport.answering(transportRequest -> list("10", "'a'"));
        platform.runFor(Duration.ofSeconds(5));
        assertThat(seen.log).endsWith("listed a", "complete 10");
    }

    @Test
    void refusedWatchesGoOnFromTheLastVersion() {
        transport.answeringWatches(transportRequest -> status(403, "Forbidden", "no"));
        start();
        platform.runFor(Duration.ofSeconds(1));
        transport.answeringWatches(transportRequest -> json(200, ""));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(transport.requests().stream().filter(LIST::equals)).hasSize(1);
        assertThat(transport.watchCount()).isEqualTo(1);
    }

    @Test
    @Tag("B23")
    void endsWhenItIsInterruptedAndClosesTheStream() {
        Task task = start();
        PushedResponseStream watch = transport.takeWatch();
        task.interrupt();
        rest();
        assertThat(task.isFinished()).isTrue();
        assertThat(watch.isClosed()).isTrue();
    }

    @Test
    void eventsOfAFailedListenerComeAgain() {
        start();
        seen.failing = true;
        event(transport.takeWatch(), "ADDED", object("b", "11"));
        rest();
        seen.failing = false;
        platform.runFor(Duration.ofSeconds(1));
        assertThat(watches().getLast()).contains("resourceVersion=10&");
        event(transport.takeWatch(), "ADDED", object("b", "11"));
        rest();
        assertThat(seen.log).endsWith("ADDED b");
    }

    /** Be it a defect of the framework itself: nobody would notice that the stream has ended. */
    @Test
    void survivesErrorsThatNobodyHasForeseenAndTellsThem() {
        boolean[] broken = {true};
        transport.answering(request -> {
            if (broken[0]) {
                throw new IllegalStateException("a defect");
            }
            return list("10");
        });
        start();
        platform.runFor(Duration.ofMinutes(2));
        assertThat(transport.requests()).hasSizeBetween(3, 20);
        assertThat(seen.disturbances).isNotEmpty().allMatch(each -> each.startsWith("an unexpected error"));
        broken[0] = false;
        platform.runFor(Duration.ofMinutes(1));
        assertThat(seen.log).endsWith("complete 10");
    }

    /** An object that can never be taken fails each list, for ever. */
    @Test
    void errorsThatNobodyHasForeseenAreLoggedInFullOnceAndThenNowAndThen() {
        transport.answering(request -> {
            throw new IllegalStateException("a defect");
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.client")) {
            start();
            platform.runFor(Duration.ofMinutes(20));
            assertThat(seen.disturbances).hasSizeGreaterThan(30);
            assertThat(log.lines(Level.ERROR))
                    .hasSizeBetween(3, 7)
                    .allMatch(line -> line.contains("An unexpected error in the watch-stream for"));
        }
    }

    @Test
    void whatTheListenerFailsToTakeComesAgainWithANewList() {
        for (Throwable defect :
                List.of(new IllegalStateException("a defect"), new NoClassDefFoundError("x/Y"), new WithoutCause())) {
            seen.defect = defect;
            Task task = start();
            event(transport.takeWatch(), "ADDED", object("b", "11"));
            rest();
            assertThat(seen.disturbances).last().asString().startsWith("an unexpected error: ");
            seen.defect = null;
            transport.answering(request -> list("11", "'a'", "'b'"));
            platform.runFor(Duration.ofSeconds(2));
            assertThat(seen.log).endsWith("start", "listed a", "listed b", "complete 11");
            event(transport.takeWatch(), "ADDED", object("c", "12"));
            rest();
            assertThat(seen.log).endsWith("ADDED c");
            task.interrupt();
            rest();
        }
    }

    /** Its message is made of a cause that is not there. */
    private static final class WithoutCause extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("NullAway") // users' compilers may not look
        public String getMessage() {
            return "failed: " + getCause().getMessage();
        }
    }

    private static final class Recorder implements ListAndWatchListener {
        final List<String> log = new ArrayList<>();
        final List<String> disturbances = new ArrayList<>();

        @Nullable Exception lastFailure;

        @Nullable Throwable defect;

        boolean failing;
        String overflowing = "";

        @Override
        public void unreadable(UnreadableObject object) {
            log.add((object.deleted() ? "deleted " : "unreadable ") + object.namespace() + "/" + object.name() + " "
                    + object.uid());
        }

        @Override
        public void listStarted() {
            log.add("start");
        }

        @Override
        public void listed(ObjectNode object) {
            log.add("listed " + object.path("metadata").path("name").asString());
        }

        @Override
        public void listComplete(String resourceVersion) {
            log.add("complete " + resourceVersion);
        }

        @Override
        public void event(WatchEvent event) {
            if (defect instanceof Error error) {
                throw error;
            }
            if (defect instanceof RuntimeException exception) {
                throw exception;
            }
            if (failing) {
                throw new NoCredentialsException("a failure of the listener's own request");
            }
            if (overflowing.equals(event.name())) {
                throw new StackOverflowError();
            }
            log.add(event.type() + " "
                    + event.object().path("metadata").path("name").asString());
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            lastFailure = failure;
            disturbances.add(reason + ": " + (failure == null ? null : failure.getMessage()));
        }
    }
}
