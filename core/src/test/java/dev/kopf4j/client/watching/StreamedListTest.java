package dev.kopf4j.client.watching;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.event;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.watching.ListAndWatchLoop.WatchSession;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link WatchSession.StreamedList} as the loop uses it, in simulated time. */
@Tag("B01")
class StreamedListTest {
    private static final String COLLECTION = "GET /apis/kopf.dev/v1/namespaces/ns/kopfexamples";
    private static final String PAGE = COLLECTION + "?limit=500";
    private static final String STREAMED = COLLECTION
            + "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
            + "&timeoutSeconds=";

    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final ScriptedTransport transport = new ScriptedTransport(platform)
            .answering(_ -> json(200, "{'metadata':{'resourceVersion':'10'},'items':[]}"));
    private final KubernetesApi api =
            new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS.withErrorBackoffs());
    private final Recorder seen = new Recorder();

    private static OperatorSettings.Watching settings(boolean streamedLists) {
        return new OperatorSettings().watching().streamedLists(streamedLists);
    }

    private void start() {
        start(api, settings(true));
    }

    private void start(KubernetesApi used, OperatorSettings.Watching settings) {
        ListAndWatchLoop loop = new ListAndWatchLoop(platform, used, KEX, "ns", settings);
        platform.spawn("loop", () -> loop.run(seen));
        rest();
    }

    /** Lets everything happen that needs no time worth mentioning. */
    private void rest() {
        platform.runFor(Duration.ofMillis(1));
    }

    private void pause() {
        platform.runFor(Duration.ofSeconds(1));
    }

    private static String object(String name, String version) {
        return "{'metadata':{'name':'" + name + "','resourceVersion':'" + version + "'}}";
    }

    private static void endOfList(PushedResponseStream watch, String version) {
        event(
                watch,
                "BOOKMARK",
                "{'metadata':{'resourceVersion':'" + version
                        + "','annotations':{'k8s.io/initial-events-end':'true'}}}");
    }

    private long requestsLike(String beginning) {
        return transport.requests().stream()
                .filter(request -> request.startsWith(beginning))
                .count();
    }

    @Test
    void eventsUpToTheBookmarkAreTheListAndTheWatchGoesOn() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("a", "5"));
        event(watch, "ADDED", object("b", "7"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "listed b");
        endOfList(watch, "20");
        event(watch, "ADDED", object("c", "21"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "listed b", "complete 20", "ADDED c");
        assertThat(transport.requests()).singleElement().asString().startsWith(STREAMED);
    }

    @Test
    void theNextWatchGoesOnFromTheBookmark() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        endOfList(watch, "20");
        transport.answering(_ -> json(200, "{'metadata':{'resourceVersion':'20'},'items':[]}"));
        watch.fail(new IOException("reset"));
        pause();
        assertThat(seen.log).containsExactly("start", "complete 20");
        List<String> watches = transport.requests().stream()
                .filter(each -> each.contains("watch=true"))
                .toList();
        assertThat(watches).hasSize(2).last().asString().contains("&resourceVersion=20&");
        assertThat(watches.getLast()).doesNotContain("sendInitialEvents");
    }

    @Test
    void expiredVersionsAreListedAsStreamsToo() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        endOfList(watch, "20");
        event(watch, "ERROR", "{'kind':'Status','code':410}");
        pause();
        endOfList(transport.takeWatch(), "30");
        rest();
        assertThat(seen.log).containsExactly("start", "complete 20", "start", "complete 30");
        assertThat(requestsLike(STREAMED)).isEqualTo(2);
    }

    @Test
    void changesWhileListingComeInOrder() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("a", "5"));
        event(watch, "ADDED", object("b", "6"));
        event(watch, "MODIFIED", object("b", "18"));
        event(watch, "DELETED", object("a", "19"));
        event(watch, "ADDED", object("a", "20"));
        endOfList(watch, "20");
        rest();
        assertThat(seen.log)
                .containsExactly("start", "listed a", "listed b", "listed b", "complete 20", "DELETED a", "ADDED a");
    }

    @Test
    void aListThatIsCutIsNotCompleteAndBeginsAnewAfterAPause() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("a", "5"));
        watch.fail(new IOException("reset"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a");
        assertThat(transport.requests()).hasSize(1);
        pause();
        event(transport.takeWatch(), "ADDED", object("a", "5"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "start", "listed a");
        assertThat(requestsLike(STREAMED)).isEqualTo(2);
        assertThat(seen.disturbances).singleElement().asString().startsWith("listing failed");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 410, 429, 500, 503, 504})
    void errorsOfTheMomentBeginTheListAnewAfterAPause(int code) {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("a", "5"));
        event(watch, "ERROR", "{'kind':'Status','code':" + code + "}");
        rest();
        assertThat(transport.requests()).hasSize(1);
        pause();
        endOfList(transport.takeWatch(), "30");
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "start", "complete 30");
        assertThat(requestsLike(PAGE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {410, 429, 500, 503})
    void refusalsOfTheMomentBeginTheListAnewAfterAPause(int code) {
        transport.answeringWatches(_ -> status(code, "", "not now"));
        start();
        assertThat(transport.requests()).hasSize(1);
        transport.answeringWatches(_ -> json(200, ""));
        pause();
        endOfList(transport.takeWatch(), "30");
        rest();
        assertThat(seen.log).containsExactly("start", "complete 30");
        assertThat(requestsLike(PAGE)).isZero();
    }

    @Test
    void aResourceThatDoesNotExistIsToldAsByAnyList() {
        transport.answeringWatches(_ -> status(404, "NotFound", "no such resource"));
        start();
        assertThat(seen.lastFailure).isInstanceOf(NotFoundException.class);
        assertThat(requestsLike(PAGE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void serversThatRefuseAreAskedOnceAndListedByPagesAtOnce(int code) {
        transport.answeringWatches(
                request -> request.path().contains("sendInitialEvents") ? status(code, "", "no") : json(200, ""));
        start();
        assertThat(seen.log).containsExactly("start", "complete 10");
        event(transport.takeWatch(), "ERROR", "{'kind':'Status','code':410}");
        pause();
        assertThat(seen.log).containsExactly("start", "complete 10", "start", "complete 10");
        start(api.with(NetworkSettings.DEFAULTS), settings(true));
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
        assertThat(requestsLike(PAGE)).isEqualTo(3);
        assertThat(seen.disturbances).isEmpty();
    }

    private void startAtOnce(int streams) {
        for (int number = 0; number < streams; number++) {
            ListAndWatchLoop loop = new ListAndWatchLoop(platform, api, KEX, "ns", settings(true));
            platform.spawn("loop " + number, () -> loop.run(seen));
        }
    }

    /** The first answer takes so long; further ones come at once. */
    private void answerStreamedLists(Duration first, ScriptedTransport.Script script) {
        transport.answeringWatches(request -> {
            if (!request.path().contains("sendInitialEvents")) {
                return json(200, "");
            }
            if (requestsLike(STREAMED) == 1) {
                platform.sleep(first);
            }
            return script.answer(request);
        });
    }

    @Test
    void onlyOneOfAllStreamsThatStartAtOnceIsRefused() {
        answerStreamedLists(Duration.ofMillis(300), _ -> status(422, "Invalid", "forbidden here"));
        startAtOnce(20);
        pause();
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
        assertThat(requestsLike(PAGE)).isEqualTo(20);
        assertThat(seen.log.stream().filter("complete 10"::equals)).hasSize(20);
    }

    @Test
    void allStreamsAskAsSoonAsTheServerHasAcceptedOne() {
        answerStreamedLists(Duration.ofMillis(300), _ -> json(200, ""));
        startAtOnce(20);
        platform.runFor(Duration.ofMillis(299));
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
        platform.runFor(Duration.ofMillis(2));
        assertThat(requestsLike(STREAMED)).isEqualTo(20);
        assertThat(requestsLike(PAGE)).isZero();
    }

    /** A stream that is not permitted, or of a resource whose server hangs, is no reason to be deaf elsewhere. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500, 429})
    void aFailureThatSaysNothingOfTheFeatureLetsTheNextOneAsk(int code) {
        answerStreamedLists(
                Duration.ofMillis(300), _ -> requestsLike(STREAMED) == 1 ? status(code, "", "not now") : json(200, ""));
        KubernetesApi persistent = api.with(NetworkSettings.DEFAULTS);
        ListAndWatchLoop first = new ListAndWatchLoop(platform, persistent, KEX, "ns", settings(true));
        platform.spawn("first", () -> first.run(seen));
        rest();
        startAtOnce(2);
        platform.runFor(Duration.ofMillis(302));
        assertThat(requestsLike(STREAMED))
                .as("while the first one waits for its retry")
                .isEqualTo(3);
    }

    @Test
    void nobodyWaitsLongForTheAnswerToAnother() {
        answerStreamedLists(Duration.ofMinutes(2), _ -> json(200, ""));
        startAtOnce(3);
        platform.runFor(Duration.ofSeconds(4));
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
        platform.runFor(Duration.ofSeconds(2));
        assertThat(requestsLike(STREAMED)).isEqualTo(3);
    }

    @Test
    void serversThatRefuseInsideTheStreamAreListedByPages() {
        start();
        event(transport.takeWatch(), "ERROR", "{'kind':'Status','code':422,'message':'no'}");
        rest();
        assertThat(seen.log).containsExactly("start", "start", "complete 10");
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
    }

    @Test
    void serversThatSayNothingBehindTheObjectsAreListedByPages() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        platform.runFor(Duration.ofSeconds(60));
        event(watch, "ADDED", object("a", "5"));
        platform.runFor(Duration.ofSeconds(69));
        assertThat(seen.log).containsExactly("start", "listed a");
        platform.runFor(Duration.ofSeconds(2));
        assertThat(seen.log).containsExactly("start", "listed a", "start", "complete 10");
        assertThat(watch.isClosed()).isTrue();
        assertThat(requestsLike(STREAMED)).isEqualTo(1);
    }

    @Test
    void aBookmarkThatDoesNotEndTheListShowsAServerThatDoesNotKnowThem() {
        start();
        PushedResponseStream watch = transport.takeWatch();
        event(watch, "ADDED", object("a", "5"));
        event(watch, "BOOKMARK", object("", "9"));
        rest();
        assertThat(seen.log).containsExactly("start", "listed a", "start", "complete 10");
        assertThat(transport.requests().getLast()).contains("&resourceVersion=10&");
    }

    @Test
    void aWatchThatEndsAsPlannedWithoutTheBookmarkShowsItToo() {
        start();
        transport.takeWatch().end();
        rest();
        assertThat(seen.log).containsExactly("start", "start", "complete 10");
        assertThat(transport.requests().getLast()).contains("&resourceVersion=10&");
    }

    @Test
    void withoutTheSettingNoServerIsAsked() {
        start(api, new OperatorSettings().watching());
        assertThat(seen.log).containsExactly("start", "complete 10");
        assertThat(requestsLike(STREAMED)).isZero();
        assertThat(transport.requests()).first().isEqualTo(PAGE);
    }

    /** A connection that a login has given, and no login gives any more while it is gone. */
    private final class Login implements ConnectionProvider {
        private boolean isGone;

        @Override
        public ApiServerConnection current() {
            if (isGone) {
                throw new NoCredentialsException("logged out");
            }
            return new ApiServerConnection(transport, "the server", "default");
        }

        @Override
        public boolean reject(ApiServerConnection rejected, UnauthorizedException reason, Deadline until) {
            throw reason;
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    @Test
    void aStreamOutlivesALoginThatIsGoneWhenTheServerTurnsOutToStreamNoLists() {
        Login login = new Login();
        start(new KubernetesApi(platform, login, NetworkSettings.DEFAULTS.withErrorBackoffs()), settings(true));
        login.isGone = true;
        transport.takeWatch().end();
        platform.runFor(Duration.ofMinutes(1));
        assertThat(seen.lastFailure).isInstanceOf(NoCredentialsException.class);
        login.isGone = false;
        platform.runFor(Duration.ofMinutes(1));
        assertThat(seen.log).endsWith("start", "complete 10");
    }

    private static final class Recorder implements ListAndWatchListener {
        final List<String> log = new ArrayList<>();
        final List<String> disturbances = new ArrayList<>();

        @Nullable Exception lastFailure;

        private static String name(ObjectNode object) {
            return object.path("metadata").path("name").asString();
        }

        @Override
        public void listStarted() {
            log.add("start");
        }

        @Override
        public void listed(ObjectNode object) {
            log.add("listed " + name(object));
        }

        @Override
        public void listComplete(String resourceVersion) {
            log.add("complete " + resourceVersion);
        }

        @Override
        public void event(WatchEvent event) {
            log.add(event.type() + " " + name(event.object()));
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            lastFailure = failure;
            disturbances.add(reason + ": " + (failure == null ? null : failure.getMessage()));
        }
    }
}
