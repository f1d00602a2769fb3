package dev.kopf4j.engine.posting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.posting.EventPoster.LogPosting;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.text.TextShortener;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/**
 * Tests {@link EventPoster} and {@link EventPoster.PostingQueue}: the order, limits and repetitions of posted events.
 */
class EventPosterTest {
    private static final ObjectReference OBJECT = reference("kopf.dev/v1", "KopfExample", "ns");

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-12-31T23:59:59.123456Z"));
    private final ScriptedTransport transport = new ScriptedTransport(platform);
    private final OperatorSettings settings = new OperatorSettings();
    private final List<TransportRequest> calls = new ArrayList<>();
    private @Nullable EventPoster poster;

    private static ObjectReference reference(String apiVersion, String kind, @Nullable String namespace) {
        return new ObjectReference(apiVersion, kind, "x", "u", namespace);
    }

    private EventPoster poster() {
        if (poster == null) {
            poster = EventPoster.start(
                    platform, new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS), settings.posting());
        }
        return poster;
    }

    private void answer(ScriptedTransport.Script script) {
        transport.answering(transportRequest -> {
            calls.add(transportRequest);
            return script.answer(transportRequest);
        });
    }

    private void wellAnswered() {
        answer(this::stored);
    }

    private TransportResponse stored(TransportRequest request) {
        String path = request.path();
        String name = request.method().equals("PATCH")
                ? path.substring(path.lastIndexOf('/') + 1)
                : "kopf-event-" + calls.size();
        return ScriptedTransport.json(201, "{'metadata':{'name':'" + name + "'}}");
    }

    private void post(ObjectEvent... events) {
        EventPoster started = poster();
        List.of(events).forEach(started::post);
        platform.runFor(Duration.ofSeconds(1));
    }

    private List<JsonNode> bodies() {
        return calls.stream().map(EventPosterTest::body).toList();
    }

    private String name(int call) {
        return bodies().get(call).at("/metadata/name").asString("");
    }

    private static JsonNode body(TransportRequest transportRequest) {
        return Json.parse(Objects.requireNonNull(transportRequest.body()));
    }

    private List<String> messages() {
        return bodies().stream().map(body -> body.path("message").asString("")).toList();
    }

    private static ObjectEvent info(String message) {
        return ObjectEvent.info(OBJECT, "Reason", message);
    }

    /** As {@code Kopf.warn("Failed", exception.getMessage())} gives it for an exception without one. */
    @Test
    @SuppressWarnings("NullAway") // users' code is not checked
    void anEventWithoutATextDoesNotEndThePosting() {
        wellAnswered();
        post(ObjectEvent.warning(OBJECT, "Failed", null), new ObjectEvent(OBJECT, null, null, null, null));
        post(info("Hello!"));
        assertThat(messages()).hasSize(3).endsWith("Hello!");
    }

    @Test
    @Tag("I02")
    void eventsAreWrittenInFull() {
        wellAnswered();
        post(info("Hello!"));
        assertThat(calls).singleElement().satisfies(transportRequest -> {
            assertThat(transportRequest.method()).isEqualTo("POST");
            assertThat(transportRequest.path()).isEqualTo("/api/v1/namespaces/ns/events");
        });
        assertThat(name(0)).matches("kopf-event-[0-9a-f]{16}");
        assertThat(bodies().getFirst()).isEqualTo(Json.parse("""
                        {"apiVersion":"v1","kind":"Event",
                         "metadata":{"namespace":"ns","name":"NAME"},
                         "action":"Action?","type":"Normal","reason":"Reason","message":"Hello!",
                         "reportingComponent":"kopf","reportingInstance":"dev","source":{"component":"kopf"},
                         "involvedObject":{"apiVersion":"kopf.dev/v1","kind":"KopfExample","name":"x","uid":"u",
                                           "namespace":"ns"},
                         "firstTimestamp":"2020-12-31T23:59:59.123456+00:00",
                         "lastTimestamp":"2020-12-31T23:59:59.123456+00:00",
                         "eventTime":"2020-12-31T23:59:59.123456+00:00"}""".replace("NAME", name(0))));
    }

    /** {@code kubectl describe} asks for those that name no namespace. */
    @Test
    @Tag("I02")
    void eventsOfClusterScopedObjectsGoToDefaultAndNameNoNamespace() {
        wellAnswered();
        poster = posterAt("ops");
        post(ObjectEvent.info(reference("v1", "Node", null), "Reason", "Hello!"));
        post(ObjectEvent.info(reference("v1", "Pod", "ns"), "Reason", "Hello!"));
        assertThat(calls)
                .extracting(TransportRequest::path)
                .containsExactly("/api/v1/namespaces/default/events", "/api/v1/namespaces/ns/events");
        assertThat(bodies().getFirst().at("/metadata/namespace").asString("")).isEqualTo("default");
        assertThat(bodies().getFirst().path("involvedObject"))
                .hasToString("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"x\",\"uid\":\"u\"}");
    }

    @Test
    @Tag("G16")
    void withoutTheRightToThatTheyGoToTheNamespaceOfTheCredentials() {
        answer(transportRequest -> transportRequest.path().contains("/default/")
                ? ScriptedTransport.status(403, "Forbidden", "no")
                : ScriptedTransport.json(201, "{'metadata':{'name':'kopf-event-1'}}"));
        poster = posterAt("ops");
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(ObjectEvent.info(reference("v1", "Node", null), "Reason", "Hello!"));
            assertThat(calls)
                    .extracting(TransportRequest::path)
                    .containsExactly("/api/v1/namespaces/default/events", "/api/v1/namespaces/ops/events");
            assertThat(bodies().getLast().at("/involvedObject/namespace").asString(""))
                    .isEqualTo("ops");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).isEmpty();
        }
        post(ObjectEvent.info(reference("v1", "Node", null), "Reason", "Hello!"));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(calls.getLast().toString()).isEqualTo("PATCH /api/v1/namespaces/ops/events/" + name(1));
        calls.clear();
        post(ObjectEvent.info(reference("v1", "Node", null), "Reason", "Another one"));
        assertThat(calls)
                .extracting(TransportRequest::path)
                .as("what has refused is not asked each time")
                .containsExactly("/api/v1/namespaces/ops/events");
    }

    private EventPoster posterAt(String namespace) {
        return EventPoster.start(
                platform,
                new KubernetesApi(
                        platform,
                        ConnectionProvider.fixed(new ApiServerConnection(transport, "the server", namespace)),
                        NetworkSettings.DEFAULTS),
                settings.posting());
    }

    @Test
    @Tag("I02")
    void whatAnObjectHasNotIsLeftOut() {
        wellAnswered();
        post(ObjectEvent.info(new ObjectReference(null, null, null, null, null), "", "Hello!"));
        assertThat(bodies().getFirst().path("involvedObject")).hasToString("{}");
        assertThat(bodies().getFirst().path("reason").asString("")).isEqualTo("Unspecified");
    }

    @Test
    @Tag("I06")
    void sourceAndNamesComeFromTheSettings() {
        wellAnswered();
        settings.posting().reportingComponent("mine").reportingInstance("one").eventNamePrefix("my-");
        post(info("Hello!"));
        JsonNode body = bodies().getFirst();
        assertThat(body.path("reportingComponent").asString("")).isEqualTo("mine");
        assertThat(body.at("/source/component").asString("")).isEqualTo("mine");
        assertThat(body.path("reportingInstance").asString("")).isEqualTo("one");
        assertThat(name(0)).startsWith("my-");
    }

    @Test
    @Tag("I03")
    void longMessagesLoseTheirMiddle() {
        String text = "a".repeat(1024);
        assertThat(TextShortener.middle(text, 1024)).isEqualTo(text);
        String longer = "a".repeat(600) + "b".repeat(425);
        assertThat(TextShortener.middle(longer, 1024))
                .isEqualTo("a".repeat(511) + "..." + "a".repeat(85) + "b".repeat(425));
    }

    @ParameterizedTest
    @CsvSource({"ä, 1024", "日, 1024", "😀, 1024", "😀, 7"})
    @Tag("I03")
    void messagesAreMeasuredInBytesAndCutBetweenCharacters(String character, int max) {
        String cut = TextShortener.middle(character.repeat(2000), max);
        assertThat(cut.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(max);
        assertThat(cut.replace("...", "").replace(character, "")).isEmpty();
    }

    @Test
    @Tag("I04")
    void eventsAboutEventsAreNotPosted() {
        wellAnswered();
        post(ObjectEvent.info(reference("v1", "Event", "ns"), "R", "m"));
        post(ObjectEvent.info(reference("events.k8s.io/v1", "Event", "ns"), "R", "m"));
        post(ObjectEvent.info(reference("my.org/v1", "Event", "ns"), "R", "m"));
        assertThat(bodies())
                .singleElement()
                .satisfies(
                        body -> assertThat(body.at("/involvedObject/apiVersion").asString(""))
                                .isEqualTo("my.org/v1"));
    }

    @ParameterizedTest
    @CsvSource({
        "true, INFO, Normal Warning Error Custom",
        "true, WARN, Warning Error Custom",
        "true, ERROR, Error Custom",
        "false, INFO, ''"
    })
    @Tag("I05")
    @Tag("L41")
    void whatIsPostedIsUpToTheSettings(boolean enabled, Level level, String posted) {
        wellAnswered();
        settings.posting().enabled(enabled).level(level);
        post(
                info("m"),
                ObjectEvent.warning(OBJECT, "R", "m"),
                ObjectEvent.exception(OBJECT, "", "", new IllegalStateException("m")),
                new ObjectEvent(OBJECT, null, "Custom", "R", "m"));
        assertThat(String.join(
                        " ",
                        bodies().stream()
                                .map(body -> body.path("type").asString(""))
                                .toList()))
                .isEqualTo(posted);
    }

    @Test
    @Tag("I01")
    void exceptionsAreToldByTheirClassAndText() {
        IllegalStateException exception = new IllegalStateException("it broke");
        assertThat(ObjectEvent.exception(OBJECT, "", "", exception))
                .isEqualTo(ObjectEvent.error(OBJECT, "IllegalStateException", "it broke"));
        assertThat(ObjectEvent.exception(OBJECT, "R", "Oh no:", exception))
                .isEqualTo(ObjectEvent.error(OBJECT, "R", "Oh no: it broke"));
        assertThat(ObjectEvent.exception(OBJECT, "R", "Oh no", null))
                .isEqualTo(ObjectEvent.error(OBJECT, "R", "Oh no"));
        assertThat(ObjectEvent.exception(OBJECT, "", "", new IllegalStateException())
                        .message())
                .isEqualTo("IllegalStateException");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | true  | INFO  | INFO  | Normal: a 1
            true  | true  | INFO  | DEBUG | ''
            true  | true  | INFO  | ERROR | Error: a 1
            true  | true  | DEBUG | DEBUG | Debug: a 1
            true  | true  | WARN  | WARN  | Warning: a 1
            true  | true  | ERROR | WARN  | ''
            true  | false | INFO  | ERROR | ''
            false | true  | INFO  | ERROR | ''
            """)
    @Tag("I05")
    void loggedLinesArePostedIfWanted(boolean enabled, boolean loggers, Level from, Level level, String posted) {
        wellAnswered();
        settings.posting().enabled(enabled).loggers(loggers).level(from);
        ObjectLogger logger = new ObjectLogger(
                new ObjectReference("kopf.dev/v1", "KopfExample", "x", "u", "ns"),
                new LogPosting(settings.posting(), poster()));
        logger.atLevel(level).log("a {}", 1);
        ObjectLogger.local(logger).atLevel(level).log("local");
        platform.runFor(Duration.ofSeconds(1));
        assertThat(bodies().stream()
                        .filter(body -> body.path("reason").asString("").equals("Logging"))
                        .map(body -> body.path("type").asString("") + ": "
                                + body.path("message").asString("")))
                .isEqualTo(posted.isEmpty() ? List.of() : List.of(posted));
    }

    @Test
    @Tag("I05")
    @Tag("I12")
    void stackTracesOfLoggedExceptionsArePosted() {
        wellAnswered();
        settings.posting().loggers(true);
        ObjectLogger logger = new ObjectLogger(
                new ObjectReference("kopf.dev/v1", "KopfExample", "x", "u", "ns"),
                new LogPosting(settings.posting(), poster()));
        logger.error("Oh no", new IllegalStateException("it broke"));
        ObjectLogger.local(logger).error("local");
        platform.runFor(Duration.ofSeconds(1));
        assertThat(messages())
                .singleElement()
                .asString()
                .startsWith("Oh no\njava.lang.IllegalStateException: it broke");
    }

    @Test
    @Tag("I07")
    void failuresAreIgnoredAndTheNextEventIsPosted() {
        answer(transportRequest -> {
            if (calls.size() == 1) {
                return ScriptedTransport.status(422, "Invalid", "no");
            }
            if (messages().getLast().equals("second")) {
                throw new IOException("broken pipe");
            }
            return ScriptedTransport.json(201, "{}");
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(info("first"), info("second"), info("third"));
            assertThat(messages()).startsWith("first", "second", "third");
            platform.runFor(Duration.ofMinutes(5));
            assertThat(messages())
                    .as("as often as other requests")
                    .hasSize(3 + 8)
                    .endsWith("second", "second");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("warn: Failed to post an event. Ignoring and continuing. ")
                                    .contains("HTTP 422", "type=Normal, reason=Reason, message=first"),
                            line -> assertThat(line)
                                    .startsWith("warn: Failed to post an event. Ignoring and continuing. ")
                                    .contains("broken pipe", "message=second"));
        }
    }

    /** A role is missing there, or a quota of its events is used up. */
    @Test
    @Tag("I07")
    void aNamespaceThatRefusesEventsHoldsUpNoOtherOneAndIsToldOnce() {
        answer(transportRequest -> transportRequest.path().contains("/ns/")
                ? ScriptedTransport.status(403, "Forbidden", "no")
                : ScriptedTransport.json(201, "{}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            for (int i = 0; i < 50; i++) {
                poster().post(info("refused " + i));
                poster().post(ObjectEvent.info(reference("v1", "Pod", "healthy"), "Reason", "taken " + i));
            }
            platform.runFor(Duration.ofMillis(900));
            assertThat(messages()).as("each for a first time").hasSize(100).endsWith("refused 49", "taken 49");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN))
                    .as("a role may still be granted")
                    .isEmpty();
            platform.runFor(Duration.ofMinutes(2));
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN))
                    .as("told once")
                    .singleElement()
                    .asString()
                    .contains("HTTP 403", "message=refused 0");
            calls.clear();
            post(info("one more"));
            platform.runFor(Duration.ofMinutes(2));
            assertThat(calls).as("not repeated any more").hasSize(1);
        }
    }

    /** Thousands of objects may be deleted with it, and each has its lines. */
    @Test
    @Tag("I07")
    void aNamespaceThatIsBeingDeletedIsAskedOnceInAWhile() {
        AtomicBoolean terminating = new AtomicBoolean(true);
        answer(transportRequest -> terminating.get() && transportRequest.path().contains("/ns/")
                ? ScriptedTransport.json(403, """
                        {"kind": "Status", "reason": "Forbidden", "message": "ns is being terminated", "code": 403,
                         "details": {"causes": [{"reason": "NamespaceTerminating"}]}}""")
                : ScriptedTransport.json(201, "{}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            for (int i = 0; i < 100; i++) {
                poster().post(info("line " + i));
            }
            post(ObjectEvent.info(reference("v1", "Pod", "healthy"), "Reason", "elsewhere"));
            assertThat(messages()).containsExactly("line 0", "elsewhere");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).isEmpty();
            terminating.set(false);
            platform.runFor(Duration.ofSeconds(11));
            post(info("of another one of its name"));
            assertThat(messages()).endsWith("of another one of its name");
        }
    }

    /** The same event would be denied again; and that tells nothing of the namespace. */
    @Test
    @Tag("I07")
    void whatAdmissionDeniesIsToldEachTimeAndNotRepeated() {
        answer(transportRequest -> ScriptedTransport.status(
                403, "Forbidden", "admission webhook \"policy.example.com\" denied the request: no"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(info("first"), info("second"));
            platform.runFor(Duration.ofMinutes(2));
            assertThat(messages()).containsExactly("first", "second");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).hasSize(2);
        }
    }

    @Test
    @Tag("I07")
    void whatIsRefusedUntilARoleIsGrantedIsPosted() {
        answer(transportRequest -> calls.size() <= 3
                ? ScriptedTransport.status(403, "Forbidden", "no")
                : ScriptedTransport.json(201, "{}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(info("first"));
            platform.runFor(Duration.ofSeconds(10));
            assertThat(messages()).containsExactly("first", "first", "first", "first");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).isEmpty();
        }
    }

    @Test
    @Tag("I07")
    void aRefusalThatComesAgainIsToldAgain() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        answer(transportRequest ->
                refuses.get() ? ScriptedTransport.status(403, "Forbidden", "no") : ScriptedTransport.json(201, "{}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(info("first"));
            platform.runFor(Duration.ofMinutes(2));
            post(info("second"));
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).hasSize(1);
            refuses.set(false);
            post(info("third"));
            refuses.set(true);
            post(info("fourth"));
            platform.runFor(Duration.ofMinutes(2));
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).hasSize(2);
        }
    }

    @Test
    @Tag("I07")
    void anOverloadedServerIsAskedAgain() {
        answer(transportRequest -> calls.size() == 1
                ? ScriptedTransport.status(429, "TooManyRequests", "later")
                : ScriptedTransport.json(201, "{}"));
        post(info("first"));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(messages()).containsExactly("first", "first");
    }

    @Test
    @Tag("I01")
    void repeatsAreCountedInTheEventThatWasPosted() {
        wellAnswered();
        post(info("again"));
        for (int i = 0; i < 100; i++) {
            post(info("again"));
        }
        assertThat(calls).hasSizeBetween(10, 12);
        assertThat(calls.subList(1, calls.size())).allSatisfy(transportRequest -> {
            assertThat(transportRequest.method()).isEqualTo("PATCH");
            assertThat(transportRequest.path()).isEqualTo("/api/v1/namespaces/ns/events/" + name(0));
        });
        platform.runFor(Duration.ofSeconds(10));
        assertThat(bodies().getLast().path("count").intValue()).isEqualTo(101);
        platform.runFor(Duration.ofMinutes(10));
        post(info("again"));
        assertThat(calls.getLast().method()).isEqualTo("POST");
    }

    @Test
    @Tag("I01")
    void repeatsArePostedAnewIfTheFirstEventCannotBeChanged() {
        answer(transportRequest -> transportRequest.method().equals("PATCH")
                ? ScriptedTransport.status(403, "Forbidden", "no")
                : ScriptedTransport.json(201, "{'metadata':{'name':'kopf-event-1'}}"));
        post(info("again"));
        post(info("again"), info("again"));
        platform.runFor(Duration.ofSeconds(20));
        assertThat(calls).extracting(TransportRequest::method).containsExactly("POST", "PATCH", "POST");
        assertThat(bodies().getLast().path("count").intValue()).isEqualTo(3);
        assertThat(name(2)).isNotEqualTo(name(0));
    }

    @ParameterizedTest
    @CsvSource({"500, false", "503, false", "504, true", "0, true"})
    @Tag("I07")
    void whatMayHaveBeenStoredIsPostedAgainByTheSameName(int status, boolean stored) {
        answer(transportRequest -> {
            if (calls.size() > 2) {
                return stored
                        ? ScriptedTransport.status(409, "AlreadyExists", "it is there")
                        : ScriptedTransport.json(201, "{}");
            }
            if (status == 0) {
                throw new IOException("broken pipe");
            }
            return ScriptedTransport.status(status, "", "not now");
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            post(info("once"));
            platform.runFor(Duration.ofMinutes(5));
            assertThat(messages()).containsExactly("once", "once", "once");
            assertThat(name(1)).isEqualTo(name(0)).isEqualTo(name(2));
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).isEmpty();
        }
    }

    @Test
    @Tag("I01")
    @Tag("I07")
    void whatHasHappenedAgainMeanwhileIsCounted() {
        answer(transportRequest -> switch (calls.size()) {
            case 1, 3 -> ScriptedTransport.status(500, "InternalError", "no");
            case 2 -> ScriptedTransport.status(409, "AlreadyExists", "it is there");
            default -> stored(transportRequest);
        });
        post(info("again"), info("again"), info("again"));
        platform.runFor(Duration.ofMinutes(5));
        assertThat(calls).extracting(TransportRequest::method).containsExactly("POST", "POST", "PATCH", "PATCH");
        assertThat(calls.getLast().path()).endsWith(name(0));
        assertThat(bodies().getLast().path("count").intValue()).isEqualTo(3);
    }

    /** A webhook of it fails, and no other event waits for it; many are too many to wait. */
    @Test
    @Tag("I07")
    void aNamespaceThatFailsHoldsUpNoOtherOne() {
        settings.posting().queueLimit(5000);
        answer(transportRequest -> transportRequest.path().contains("/ns/")
                ? ScriptedTransport.status(500, "InternalError", "failed calling webhook")
                : ScriptedTransport.json(201, "{}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            for (int i = 0; i < 1500; i++) {
                poster().post(info("refused " + i));
            }
            post(ObjectEvent.info(reference("v1", "Pod", "healthy"), "Reason", "taken"));
            assertThat(messages().get(1500)).isEqualTo("taken");
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).hasSize(500);
            platform.runFor(Duration.ofMinutes(5));
            assertThat(messages()).hasSize(1501 + 1000 * 8);
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN)).hasSize(1500);
        }
    }

    @Test
    @Tag("I07")
    void endlessBackoffsHaveAnEndForEvents() {
        Iterable<Duration> endless =
                () -> Stream.generate(() -> Duration.ofSeconds(1)).iterator();
        poster = EventPoster.start(
                platform,
                new KubernetesApi(
                        platform,
                        transport,
                        NetworkSettings.of(new OperatorSettings().networking().errorBackoffs(endless))),
                settings.posting());
        answer(transportRequest -> ScriptedTransport.status(500, "InternalError", "no"));
        post(info("never"));
        platform.runFor(Duration.ofMinutes(5));
        assertThat(calls).hasSize(1 + 10);
    }

    @Test
    @Tag("I07")
    void atTheEndWhatHasFailedHasOneMoreAttempt() {
        answer(transportRequest -> ScriptedTransport.status(500, "InternalError", "no"));
        post(info("never"));
        platform.runFor(Duration.ofSeconds(10));
        int before = calls.size();
        platform.spawn("closing", poster()::close);
        platform.runFor(Duration.ofMillis(100));
        assertThat(platform.describeTasks()).isEmpty();
        assertThat(calls).hasSize(before + 1);
    }

    @Test
    @Tag("I01")
    void repeatsAreEventsOfTheirOwnIfWanted() {
        wellAnswered();
        settings.posting().aggregation(Duration.ZERO);
        post(info("again"), info("again"), info("again"));
        assertThat(calls).hasSize(3).extracting(TransportRequest::method).containsOnly("POST");
    }

    @Test
    @Tag("I07")
    void tooManyEventsAreDropped() {
        settings.posting().queueLimit(10);
        answer(transportRequest -> {
            platform.sleep(Duration.ofSeconds(5));
            return ScriptedTransport.json(201, "{}");
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            for (int i = 0; i < 100; i++) {
                post(info("event " + i));
            }
            platform.runFor(Duration.ofMinutes(5));
            assertThat(calls).hasSizeBetween(20, 40);
            int dropped = log.lines(ch.qos.logback.classic.Level.WARN).stream()
                    .mapToInt(line -> Integer.parseInt(
                            line.replaceAll("warn: K4-010: (\\d+) events were dropped, as more than 10 were.*", "$1")))
                    .sum();
            assertThat(dropped).isEqualTo(100 - calls.size());
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN))
                    .as("once a minute")
                    .hasSizeBetween(2, 3);
        }
    }

    @Test
    @Tag("I07")
    void whatWasDroppedIsToldAtTheEndAtTheLatest() {
        settings.posting().queueLimit(10);
        wellAnswered();
        try (LoggerCapture log = new LoggerCapture("kopf4j.posting")) {
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 100; j++) {
                    poster().post(info("event " + i + " " + j));
                }
                platform.runFor(Duration.ofSeconds(1));
            }
            platform.spawn("closing", poster()::close);
            platform.runFor(Duration.ofSeconds(1));
            assertThat(log.lines(ch.qos.logback.classic.Level.WARN))
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("warn: K4-010: 90 events were dropped, "),
                            line -> assertThat(line).startsWith("warn: K4-010: 90 events were dropped, "));
        }
    }

    @Test
    @Tag("I07")
    void whatIsLeftIsPostedAtTheEndIfThatIsQuick() {
        answer(transportRequest -> {
            platform.sleep(Duration.ofMillis(500));
            return ScriptedTransport.json(201, "{}");
        });
        EventPoster started = poster();
        for (int i = 0; i < 100; i++) {
            started.post(info("event " + i));
        }
        platform.spawn("closing", started::close);
        platform.runFor(Duration.ofSeconds(3));
        assertThat(platform.describeTasks()).isEmpty();
        assertThat(calls).hasSizeBetween(4, 5);
    }
}
