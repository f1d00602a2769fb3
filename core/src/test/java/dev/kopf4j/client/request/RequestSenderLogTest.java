package dev.kopf4j.client.request;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.NetworkSettings.Retries;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what {@link RequestSender} logs of attempts that it makes again, and of refusals. */
class RequestSenderLogTest {
    private static final String PLACE = "the API server/apis/kopf.dev/v1/namespaces/ns/kopfexamples/name";

    private final Logger logger = (Logger) LoggerFactory.getLogger("kopf4j.client");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final ScriptedTransport transport = new ScriptedTransport(platform);
    private final KubernetesApi api = new KubernetesApi(
            platform,
            transport,
            NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(1), Duration.ofSeconds(2)));

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
    }

    private List<String> lines(Level level) {
        return appender.list.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    @Tag("B19")
    void tellsEachAttemptThatIsMadeAgainButThrowsTheLast() {
        transport.answering(transportRequest -> status(503, "ServiceUnavailable", "down"));
        assertThatThrownBy(() -> api.get(KEX, "ns", "name")).isInstanceOf(ServerErrorException.class);
        String reason = " -> get of kopfexamples.v1.kopf.dev 'ns/name' at the API server failed:"
                + " HTTP 503 ServiceUnavailable: down";
        assertThat(lines(Level.ERROR))
                .containsExactly(
                        "Request attempt #1/3 failed; will retry: GET " + PLACE + reason,
                        "Request attempt #2/3 failed; will retry: GET " + PLACE + reason);
        assertThat(lines(Level.DEBUG)).contains("Request attempt #3/3 failed; escalating: GET " + PLACE);
    }

    @Test
    @Tag("B19")
    void attemptsWithoutAnEndHaveNoNumberOfThem() throws Exception {
        Iterable<Duration> endless =
                () -> Stream.iterate(Duration.ofSeconds(1), last -> last).iterator();
        int[] attempts = {0};
        transport.answering(transportRequest -> attempts[0]++ < 5
                ? status(503, "ServiceUnavailable", "down")
                : json(200, "{'metadata':{'name':'name'}}"));
        new KubernetesApi(
                        platform,
                        transport,
                        new NetworkSettings(
                                Duration.ofSeconds(9),
                                Duration.ofSeconds(9),
                                null,
                                new Retries(endless, true, false),
                                1,
                                false,
                                false))
                .get(KEX, "ns", "name");
        assertThat(lines(Level.ERROR)).hasSize(5);
        assertThat(lines(Level.ERROR).getLast()).startsWith("Request attempt #5 failed; will retry: GET ");
        assertThat(lines(Level.DEBUG))
                .contains("Request attempt #6 succeeded: GET " + PLACE.substring(PLACE.indexOf('/')));
    }

    @Test
    @Tag("B21")
    void tellsThatTheServersDelayIsTaken() throws Exception {
        int[] attempts = {0};
        transport.answering(transportRequest -> attempts[0]++ == 0
                ? json(429, "{'kind':'Status','details':{'retryAfterSeconds':4}}")
                : json(200, "{'metadata':{'name':'name'}}"));
        api.get(KEX, "ns", "name");
        assertThat(lines(Level.DEBUG))
                .anyMatch(
                        line -> line.startsWith("Overriding the backoff 1s with the retry-after 4s from the server: "));
    }

    @Test
    @Tag("B21")
    void aDelayOfTheServerBeyondAMinuteIsNotObeyed() throws Exception {
        int[] attempts = {0};
        transport.answering(transportRequest -> attempts[0]++ == 0
                ? new TransportResponse(503, Map.of("Retry-After", List.of("86400")), new byte[0])
                : json(200, "{'metadata':{'name':'name'}}"));
        api.get(KEX, "ns", "name");
        assertThat(Duration.between(ClientExamples.START, platform.now())).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    @Tag("B20")
    void tellsTheMissingRuleOnceAndAtOnce() {
        transport.answering(transportRequest -> status(403, "Forbidden", "no"));
        assertThatThrownBy(() -> api.list(KEX, "ns", 0, object -> {})).isInstanceOf(ForbiddenException.class);
        assertThat(lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("K4-004: Not permitted: list kopfexamples.kopf.dev in namespace ns. A role needs the rule"
                        + " {apiGroups: [\"kopf.dev\"], resources: [\"kopfexamples\"], verbs: [\"list\", \"watch\"]}.")
                .endsWith(" (If the namespace is being deleted, its Roles went first: only a ClusterRole can grant it"
                        + " now.)");
        assertThat(lines(Level.ERROR)).isEmpty();
    }

    /** A Role may name objects: what is granted for one of them says nothing of another one. */
    @Test
    void tellsARuleOnceThatIsMissingForOneObjectAndNotForAnother() throws Exception {
        AtomicBoolean granted = new AtomicBoolean();
        transport.answering(request -> request.path().endsWith("/mine") || granted.get()
                ? json(200, "{'metadata':{'name':'" + (request.path().endsWith("/mine") ? "mine" : "shared") + "'}}")
                : status(403, "Forbidden", "no"));
        for (int times = 0; times < 3; times++) {
            api.replace(KEX, "ns", "mine", Json.object());
            assertThatThrownBy(() -> api.replace(KEX, "ns", "shared", Json.object()))
                    .isInstanceOf(ForbiddenException.class);
        }
        assertThat(lines(Level.WARN)).singleElement().asString().startsWith("K4-004: Not permitted: update ");

        granted.set(true);
        api.replace(KEX, "ns", "shared", Json.object());
        granted.set(false);
        assertThatThrownBy(() -> api.replace(KEX, "ns", "shared", Json.object()))
                .isInstanceOf(ForbiddenException.class);
        assertThat(lines(Level.WARN)).as("as it was granted in between").hasSize(2);
    }

    @Test
    void aRightInTheWholeClusterWentWithNoNamespace() {
        transport.answering(transportRequest -> status(403, "Forbidden", "no"));
        assertThatThrownBy(() -> api.list(KEX, null, 0, object -> {})).isInstanceOf(ForbiddenException.class);
        assertThat(lines(Level.WARN)).singleElement().asString().doesNotContain("being deleted");
    }

    /** Admission: what is in the request is refused, and no role would change that. */
    @Test
    void tellsNoMissingRuleIfNoneLacks() {
        String quota = "kopfexamples.kopf.dev \"name\" is forbidden: exceeded quota: q";
        transport.answering(transportRequest -> status(403, "Forbidden", quota));
        assertThatThrownBy(() -> api.patch(KEX, "ns", "name", null, PatchType.MERGE, Json.object()))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageEndingWith("HTTP 403 Forbidden: " + quota);
        assertThat(lines(Level.WARN)).isEmpty();
        assertThat(lines(Level.ERROR))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).endsWith(quota));
    }

    @Test
    @Tag("L45")
    void requestsAreShownWithoutCredentials() throws Exception {
        transport.answering(transportRequest -> json(200, "{'metadata':{'name':'name'}}"));
        api.get(KEX, "ns", "name");
        assertThat(lines(Level.DEBUG)).contains("GET " + PLACE + " -> 200");
    }

    @Test
    @Tag("L45")
    void neitherCredentialsNorBodiesAreShownWhateverHappens() throws Exception {
        Level before = logger.getLevel();
        logger.setLevel(Level.TRACE);
        transport.answering(new ScriptedTransport.Script() {
            private int attempts;

            @Override
            public TransportResponse answer(TransportRequest request) throws IOException {
                return switch (attempts++) {
                    case 0 -> status(503, "ServiceUnavailable", "down");
                    case 1 -> throw new IOException("connection reset");
                    default -> json(200, "{'metadata':{'name':'name'},'data':{'password':'hush'}}");
                };
            }
        });
        ConnectionInfo info = ConnectionInfo.builder("https://example.com")
                .token("hush")
                .privateKeyData("hush")
                .proxyUrl("http://user:hush@proxy")
                .build();
        try (CredentialVault vault = new CredentialVault(platform, () -> Map.of("login", info), any -> transport)) {
            new KubernetesApi(platform, vault, NetworkSettings.DEFAULTS)
                    .patch(KEX, "ns", "name", null, PatchType.MERGE, Json.parse("{\"spec\":{\"secret\":\"hush\"}}"));
        }
        assertThat(appender.list).hasSizeGreaterThan(3);
        assertThat(lines(Level.DEBUG))
                .contains("PATCH " + PLACE.replace("the API server", "https://example.com") + " -> 200");
        assertThat(appender.list)
                .allSatisfy(event -> assertThat(event.getFormattedMessage()).doesNotContain("hush"));
        logger.setLevel(before);
    }
}
