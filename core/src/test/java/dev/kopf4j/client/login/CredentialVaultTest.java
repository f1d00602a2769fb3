package dev.kopf4j.client.login;

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
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.api.WatchStream.WatchOptions;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.request.RequestSender.RetryListener;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests {@link CredentialVault}. */
class CredentialVaultTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final Map<String, ConnectionInfo> credentials = new LinkedHashMap<>();
    private final Map<String, ScriptedTransport> transports = new HashMap<>();
    private final Set<String> validTokens = new HashSet<>();
    /** As an aggregated API does, whose own server asks who somebody is. */
    private boolean refusingMetrics;
    /** What the API server answers to the question whether it accepts a credential. */
    private int judgement = 200;

    private int logins;
    private int rejections;
    private final CredentialVault credentialVault = new CredentialVault(platform, this::logIn, this::connect);
    private final KubernetesApi api = new KubernetesApi(platform, credentialVault, NetworkSettings.DEFAULTS);

    private Map<String, ConnectionInfo> logIn() throws InterruptedException {
        logins++;
        platform.sleep(Duration.ofSeconds(1));
        return Map.copyOf(credentials);
    }

    private Transport connect(ConnectionInfo info) {
        if (token(info).equals("bad")) {
            throw new IllegalArgumentException("no key");
        }
        if (token(info).equals("defect")) {
            throw new IllegalStateException("a defect");
        }
        ScriptedTransport transport = new ScriptedTransport(platform)
                .answering(
                        transportRequest -> validTokens.contains(token(info)) ? answer(transportRequest) : rejection());
        transports.put(token(info), transport);
        return transport;
    }

    private TransportResponse rejection() {
        rejections++;
        return status(401, "", "who?");
    }

    private TransportResponse answer(TransportRequest request) {
        if (request.path().equals("/api")) {
            return status(judgement, "", "not now");
        }
        return refusingMetrics && request.path().startsWith("/apis/metrics.k8s.io/")
                ? status(401, "", "who?")
                : json(200, "{'metadata':{'name':'name'}}");
    }

    private static String token(ConnectionInfo info) {
        try {
            return info.tokenPath() == null
                    ? String.valueOf(info.token())
                    : Files.readString(Path.of(info.tokenPath()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ScriptedTransport transport(String token) {
        return Optional.ofNullable(transports.get(token)).orElseThrow();
    }

    private static ConnectionInfo.Builder token(String token) {
        return ConnectionInfo.builder("https://example.com").token(token);
    }

    private void offering(String id, ConnectionInfo.Builder info) {
        credentials.put(id, info.build());
    }

    private void request() throws InterruptedException {
        api.get(KEX, "ns", "name");
    }

    private Duration elapsed() {
        return Duration.between(ClientExamples.START, platform.now());
    }

    @Test
    @Tag("G13")
    void logsInOnceAtTheBeginning() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        request();
        assertThat(credentialVault.info()).isEqualTo(token("1").build());
        assertThat(logins).isEqualTo(1);
    }

    @Test
    @Tag("G13")
    void renewsTheLoginOnceForManyRejectedRequestsAndRepeatsThem() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        List<String> done = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            platform.spawn("request", () -> {
                try {
                    request();
                    done.add("done");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        assertThat(platform.runUntil(() -> done.size() == 10, Duration.ofSeconds(10)))
                .isTrue();
        assertThat(logins).isEqualTo(2);
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    @Tag("G13")
    void keepsStreamsOfReplacedConnections() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        WatchStream stream = api.watch(
                KEX, "ns", Narrowing.NONE, "1", new WatchOptions(0, true, Duration.ofSeconds(70)), RetryListener.NONE);
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        request();
        ScriptedTransport replaced = transport("1");
        assertThat(replaced.isRetired()).isTrue();
        assertThat(replaced.isClosed()).isFalse();
        ScriptedTransport.event(replaced.takeWatch(), "ADDED", "{'metadata':{'resourceVersion':'2'}}");
        assertThat(stream.next())
                .isNotNull()
                .extracting(WatchEvent::resourceVersion)
                .isEqualTo("2");
    }

    @Test
    @Tag("G11")
    void takesTheHighestPriorityAndFallsBackToTheOthers() throws Exception {
        offering("low", token("low").priority(10));
        offering("high", token("high").priority(20));
        validTokens.addAll(Set.of("low", "high"));
        request();
        assertThat(transport("high").calls()).hasSize(1);
        assertThat(transport("low").calls()).isEmpty();
        validTokens.remove("high");
        request();
        assertThat(transport("low").calls()).hasSize(1);
        assertThat(logins).isEqualTo(1);
    }

    private static ConnectionInfo.Builder at(String server, String token) {
        return ConnectionInfo.builder(server).token(token);
    }

    /** They may be other clusters. */
    @Test
    @Tag("G11")
    void otherServersAreUsedWhenALoginGivesNothingForTheOneInUse() throws Exception {
        offering("high", at("https://a", "1").priority(20));
        offering("low", at("https://b", "other").priority(10));
        validTokens.addAll(Set.of("1", "other"));
        request();
        validTokens.remove("1");
        validTokens.add("2");
        offering("high", at("https://a", "2").priority(20));
        try (LoggerCapture log = new LoggerCapture("kopf4j.activities.authentication")) {
            request();
            assertThat(transport("2").calls()).hasSize(1);
            assertThat(transport("other").calls()).isEmpty();
            assertThat(log.lines(Level.WARN)).isEmpty();
            assertThat(credentialVault.serverChanges()).isZero();
            validTokens.remove("2");
            request();
            assertThat(transport("other").calls()).hasSize(1);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The login 'low' leads to the server https://b, instead of https://a.");
        }
        assertThat(credentialVault.serverChanges()).isEqualTo(1);
        validTokens.add("2");
        platform.sleep(Duration.ofMinutes(10));
        request();
        assertThat(transport("other").calls())
                .as("no way back as long as it works")
                .hasSize(2);
        assertThat(logins).isEqualTo(3);
    }

    /** Such as that of a daemon whose object is deleted: it says nothing about the server. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("G11")
    void aLoginThatIsBrokenOffLeadsToNoOtherServer(boolean interrupted) throws Exception {
        offering("high", at("https://a", "1").priority(20).expiration(ClientExamples.START.plusSeconds(60)));
        offering("low", at("https://b", "other").priority(10));
        validTokens.addAll(Set.of("1", "2", "other"));
        request();
        platform.sleep(Duration.ofMinutes(2));
        offering("high", at("https://a", interrupted ? "2" : "defect").priority(20));
        List<String> failures = new ArrayList<>();
        Task daemon = platform.spawn("daemon", () -> {
            try {
                request();
            } catch (InterruptedException | IllegalStateException e) {
                failures.add(e.getClass().getSimpleName());
            }
        });
        platform.runFor(Duration.ofMillis(500));
        if (interrupted) {
            daemon.interrupt();
        }
        platform.runFor(Duration.ofSeconds(5));
        assertThat(failures).containsExactly(interrupted ? "InterruptedException" : "IllegalStateException");
        offering("high", at("https://a", "2").priority(20));
        request();
        assertThat(transport("2").calls()).hasSize(1);
        assertThat(transport("other").calls()).isEmpty();
        assertThat(credentialVault.serverChanges()).isZero();
    }

    /** What is changed for an object of one cluster has nothing to do with that of its name in another one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("G11")
    void changesThatWereBegunForOneServerAreNotMadeAtAnotherOne(boolean rejected) throws Exception {
        offering("high", at("https://a", "1").priority(20).expiration(ClientExamples.START.plusSeconds(60)));
        offering("low", at("https://b", "other").priority(10));
        validTokens.addAll(Set.of("1", "other"));
        request();
        if (rejected) {
            validTokens.remove("1");
        } else {
            platform.sleep(Duration.ofMinutes(2));
        }
        credentials.remove("high");
        assertThatThrownBy(() -> api.create(KEX, "ns", Json.object()))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("https://b")
                .hasMessageContaining("was not sent");
        assertThat(transport("other").calls()).isEmpty();
        api.create(KEX, "ns", Json.object());
        assertThat(transport("other").calls()).hasSize(1);
    }

    /** Several addresses of one cluster. */
    @Test
    @Tag("G11")
    void serversOfTheSamePriorityTakeEachOthersPlace() throws Exception {
        offering("one", at("https://a", "one"));
        offering("two", at("https://b", "two"));
        validTokens.addAll(Set.of("one", "two"));
        for (int i = 0; i < 100; i++) {
            request();
        }
        assertThat(transport("one").calls()).hasSizeBetween(30, 70);
        validTokens.remove("one");
        for (int i = 0; i < 100; i++) {
            request();
        }
        assertThat(transport("two").calls()).hasSizeGreaterThan(100);
        assertThat(logins).isEqualTo(1);
        assertThat(credentialVault.serverChanges()).isZero();
    }

    /** While it is replaced, both are trusted. */
    @ParameterizedTest
    @CsvSource({"ca.crt, 0", "ca.crt elsewhere.crt, 0", "elsewhere.crt, 1", ", 0"})
    @Tag("G11")
    void anotherAuthorityMayBeAnotherClusterAtTheSameAddress(@Nullable String authorities, int changes)
            throws Exception {
        offering("a", token("1").caData(certificates("ca.crt")));
        validTokens.add("1");
        request();
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2").caData(authorities == null ? null : certificates(authorities)));
        try (LoggerCapture log = new LoggerCapture("kopf4j.activities.authentication")) {
            request();
            assertThat(log.lines(Level.WARN)).hasSize(changes).allMatch(line -> line.contains("another certificate"));
        }
        assertThat(credentialVault.serverChanges()).isEqualTo(changes);
    }

    private static String certificates(String files) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String file : files.split(" ", -1)) {
            text.append(
                    Files.readString(Path.of(Optional.ofNullable(CredentialVaultTest.class.getResource("/tls/" + file))
                            .orElseThrow()
                            .toURI())));
        }
        return text.toString();
    }

    @Test
    @Tag("G11")
    void credentialsOfTheSamePriorityAreUsedByChance() throws Exception {
        offering("one", token("one").priority(20));
        offering("two", token("two").priority(20));
        offering("low", token("low").priority(10));
        validTokens.addAll(Set.of("one", "two", "low"));
        for (int i = 0; i < 100; i++) {
            request();
        }
        assertThat(transport("one").calls()).hasSizeBetween(30, 70);
        assertThat(transport("two").calls()).hasSizeBetween(30, 70);
        assertThat(transport("low").calls()).isEmpty();
    }

    @Test
    @Tag("G16")
    void theNamespaceIsThatOfTheCredentialInUse() throws Exception {
        offering("a", token("1").defaultNamespace("ops"));
        validTokens.add("1");
        assertThat(credentialVault.current().defaultNamespace()).isEqualTo("ops");
        assertThat(api.defaultNamespace()).isEqualTo("ops");
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        request();
        assertThat(api.defaultNamespace()).as("without one").isEqualTo("default");
    }

    @Test
    @Tag("G11")
    void refusesTheCredentialThatWasJustRejectedButNotForEver() throws Exception {
        offering("a", token("1"));
        assertThatThrownBy(this::request)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("Ran out of valid");
        assertThat(rejections)
                .as("the request, the question whether all are rejected, and the one a second later")
                .isEqualTo(3);
        assertThatThrownBy(this::request).isInstanceOf(NoCredentialsException.class);
        validTokens.add("1");
        platform.sleep(Duration.ofMinutes(1));
        request();
    }

    /** Such as one of several that cannot ask who somebody is. */
    @Test
    @Tag("G11")
    void goesOnSoonAfterTheServerWasWrongForAMoment() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        validTokens.clear();
        assertThatThrownBy(this::request).isInstanceOf(NoCredentialsException.class);
        validTokens.add("1");
        Instant right = platform.now();
        request();
        assertThat(Duration.between(right, platform.now())).isLessThan(Duration.ofSeconds(5));
    }

    /** All others wait for the answer. */
    @Test
    @Tag("G11")
    void asksMoreAndMoreRarelyAboutTheCredentialThatWasRejectedWhoeverWaits() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        validTokens.clear();
        List<String> done = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            platform.spawn("request", () -> {
                try {
                    while (done.isEmpty()) {
                        try {
                            request();
                            done.add("done");
                        } catch (NoCredentialsException e) {
                            platform.sleep(Duration.ofSeconds(1));
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        platform.runFor(Duration.ofSeconds(10));
        int before = rejections;
        platform.runFor(Duration.ofMinutes(30));
        assertThat(rejections - before).isBetween(25, 40);
        validTokens.add("1");
        assertThat(platform.runUntil(() -> !done.isEmpty(), Duration.ofMinutes(2)))
                .isTrue();
    }

    @Test
    void failsWithTheReasonOfTheLogin() {
        CredentialVault broken = new CredentialVault(
                platform,
                () -> {
                    throw new NoCredentialsException("no kubeconfig");
                },
                this::connect);
        assertThatThrownBy(broken::current)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessage("no kubeconfig");
        assertThatThrownBy(this::request).hasMessage("no credentials were retrieved from the login handlers.");
    }

    /** Its transport cannot be made, or its certificate cannot be read. */
    @Test
    @Tag("G11")
    void oneUnusableCredentialOfALoginIsNoReasonToDoWithoutTheOthers() throws Exception {
        offering("bad", token("bad").priority(20));
        offering("worse", ConnectionInfo.builder("https://example.com").certificatePath("/no/such/file"));
        offering("good", token("1"));
        validTokens.add("1");
        request();
        assertThat(transport("1").calls()).hasSize(1);
        credentials.remove("good");
        validTokens.clear();
        platform.sleep(Duration.ofMinutes(11));
        assertThatThrownBy(this::request)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("that of the login 'bad' cannot be used: no key")
                .hasMessageContaining("that of the login 'worse' cannot be used: ");
    }

    @Test
    void connectionsOfALoginThatFailsAreClosed() {
        offering("a", token("1"));
        offering("b", token("defect"));
        CredentialVault vault = new CredentialVault(platform, () -> new TreeMap<>(credentials), this::connect);
        assertThatThrownBy(vault::current).isInstanceOf(IllegalStateException.class);
        assertThat(transport("1").isClosed()).isTrue();
    }

    @Test
    void waitersShareTheFailureOfTheLogin() {
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            platform.spawn("request", () -> {
                try {
                    request();
                } catch (NoCredentialsException e) {
                    failures.add(e.getMessage());
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        platform.runFor(Duration.ofSeconds(10));
        assertThat(failures).hasSize(5);
        assertThat(logins).isEqualTo(1);
    }

    @Test
    @Tag("G12")
    void renewsExpiredCredentials() throws Exception {
        offering("a", token("1").expiration(ClientExamples.START.plusSeconds(60)));
        validTokens.addAll(Set.of("1", "2"));
        request();
        offering("a", token("2"));
        platform.sleep(Duration.ofSeconds(58));
        request();
        assertThat(logins).isEqualTo(1);
        platform.sleep(Duration.ofSeconds(1));
        request();
        assertThat(logins).isEqualTo(2);
        assertThat(transport("2").calls()).hasSize(1);
        assertThat(transport("1").isRetired()).isTrue();
    }

    /** Plugins tell the time of those who sign, and the server decides by its own. */
    @Test
    @Tag("G12")
    void whatAWrongClockCallsExpiredIsUsedUntilTheServerRejectsIt() throws Exception {
        offering("a", token("1").expiration(ClientExamples.START.minusSeconds(60)));
        validTokens.add("1");
        try (LoggerCapture log = new LoggerCapture("kopf4j.activities.authentication")) {
            request();
            request();
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("one of the clocks is wrong");
        }
        assertThat(logins).isEqualTo(1);
        validTokens.remove("1");
        validTokens.add("2");
        offering("a", token("2").expiration(ClientExamples.START.minusSeconds(30)));
        request();
        assertThat(logins).isEqualTo(2);
        assertThat(transport("2").calls()).hasSize(1);
    }

    @Test
    void loginsThatGiveOneBadCredentialAfterAnotherDoNotMakeABusyLoop() {
        CredentialVault odd = new CredentialVault(
                platform, () -> Map.of("a", token("bad-" + logins++).build()), this::connect);
        KubernetesApi failing = new KubernetesApi(platform, odd, NetworkSettings.DEFAULTS);
        assertThatThrownBy(() -> failing.get(KEX, "ns", "name")).isInstanceOf(UnauthorizedException.class);
        assertThat(logins).isEqualTo(10);
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(54));
    }

    @Test
    @Tag("G13")
    void manyRequestsShareLoginsThatDoNotHelpAndTheseComeSlowerAndSlower() {
        CredentialVault odd = new CredentialVault(
                platform, () -> Map.of("a", token("bad-" + logins++).build()), this::connect);
        KubernetesApi failing = new KubernetesApi(platform, odd, NetworkSettings.DEFAULTS);
        for (int i = 0; i < 200; i++) {
            platform.spawn("object", () -> requestAgainAndAgain(failing));
        }
        platform.runFor(Duration.ofSeconds(25));
        assertThat(logins).isBetween(5, 10);
    }

    @Test
    @Tag("G13")
    void manyRequestsShareLoginsThatFailAndTheseComeSlowerAndSlower() {
        for (int i = 0; i < 200; i++) {
            platform.spawn("object", () -> requestAgainAndAgain(api));
        }
        platform.runFor(Duration.ofSeconds(25));
        assertThat(logins).isBetween(4, 10);
        offering("a", token("1"));
        validTokens.add("1");
        platform.runFor(Duration.ofSeconds(11));
        assertThat(transport("1").calls()).as("a login that helps is used soon").hasSizeGreaterThan(200);
    }

    /** As objects do whose processing fails. */
    private void requestAgainAndAgain(KubernetesApi by) {
        try {
            while (true) {
                platform.sleep(Duration.ofMillis(platform.random().nextInt(1000)));
                requestOnce(by);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void requestOnce(KubernetesApi by) throws InterruptedException {
        try {
            by.get(KEX, "ns", "name");
        } catch (NoCredentialsException | UnauthorizedException e) {
            platform.sleep(Duration.ofMillis(100));
        }
    }

    @Test
    @Tag("G13")
    void logsInAtOnceIfTheCredentialHadBeenGoodForAWhile() throws Exception {
        offering("a", token("0"));
        validTokens.add("0");
        request();
        for (int day = 1; day <= 20; day++) {
            platform.sleep(Duration.ofMinutes(2));
            validTokens.clear();
            validTokens.add("" + day);
            offering("a", token("" + day));
            Instant before = platform.now();
            request();
            assertThat(Duration.between(before, platform.now()))
                    .as("only the login takes time")
                    .isEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    @Tag("G11")
    void readsTheFileOfATokenAnewAtTheLoginAfterARejection(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "old");
        validTokens.add("old");
        offering("a", ConnectionInfo.builder("https://example.com").tokenPath(file.toString()));
        request();
        validTokens.clear();
        validTokens.add("new");
        assertThatThrownBy(this::request)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("has just been rejected");
        Files.writeString(file, "new");
        request();
        assertThat(elapsed()).isLessThan(Duration.ofSeconds(10));
    }

    private void requestEach(Duration pause, List<RuntimeException> failures, Resource resource) {
        platform.spawn("requests of " + resource, () -> {
            try {
                while (true) {
                    try {
                        api.patch(resource, "ns", "name", null, KubernetesApi.PatchType.MERGE, Json.object());
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                    platform.sleep(pause);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static final Resource METRICS = new Resource(
            "metrics.k8s.io",
            "v1",
            new Resource.Names("pods", "PodMetrics", "", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of());

    @Test
    @Tag("G11")
    void oneApiThatRejectsTheCredentialDoesNotTakeItFromTheOthers() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        List<RuntimeException> ofMetrics = new ArrayList<>();
        List<RuntimeException> ofOthers = new ArrayList<>();
        refusingMetrics = true;
        requestEach(Duration.ofSeconds(1), ofMetrics, METRICS);
        requestEach(Duration.ofSeconds(5), ofOthers, KEX);
        platform.runFor(Duration.ofMinutes(10));
        assertThat(ofOthers).isEmpty();
        assertThat(ofMetrics).isNotEmpty().hasOnlyElementsOfType(UnauthorizedException.class);
        assertThat(logins).isEqualTo(1);
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        platform.runFor(Duration.ofMinutes(1));
        assertThat(ofOthers).isEmpty();
        assertThat(logins).isEqualTo(2);
    }

    /** It is overloaded, or does not let everybody see what it serves. */
    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500, 503})
    @Tag("G11")
    void aCredentialThatTheServerDoesNotJudgeStaysInUse(int answer) throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        refusingMetrics = true;
        judgement = answer;
        assertThatThrownBy(() -> api.get(METRICS, "ns", "name")).isInstanceOf(UnauthorizedException.class);
        assertThat(credentialVault.renew(token("1").build()))
                .isEqualTo(token("1").build());
        request();
        assertThat(logins).isEqualTo(1);
    }

    /** Whoever renews a lease has no time to wait for more. */
    @Test
    @Tag("G11")
    void theServerIsAskedNoLongerThanTheRequestMayTake() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        refusingMetrics = true;
        transport("1").silentAt("/api");
        KubernetesApi hasty = new KubernetesApi(
                platform,
                credentialVault,
                NetworkSettings.DEFAULTS.withErrorBackoffs().withRequestTimeout(Duration.ofSeconds(3)));
        Duration before = elapsed();
        assertThatThrownBy(() -> hasty.get(METRICS, "ns", "name")).isInstanceOf(UnauthorizedException.class);
        assertThat(elapsed().minus(before)).isEqualTo(Duration.ofSeconds(3));
        request();
        assertThat(logins).isEqualTo(1);
    }

    @Test
    @Tag("G11")
    void otherClientsKeepACredentialThatTheServerAccepts() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        ConnectionInfo first = token("1").build();
        assertThat(credentialVault.renew(first)).isEqualTo(first);
        assertThat(logins).isEqualTo(1);
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        assertThat(credentialVault.renew(first)).isEqualTo(token("2").build());
    }

    @Test
    @Tag("G11")
    void otherClientsFollowTheOperatorToItsLatestCredential() throws Exception {
        ConnectionInfo first = token("1").build();
        ConnectionInfo second = token("2").build();
        assertThat(credentialVault.latest(first)).isEqualTo(first);
        offering("a", token("1"));
        validTokens.add("1");
        request();
        assertThat(credentialVault.latest(first)).isEqualTo(first);
        validTokens.clear();
        validTokens.add("2");
        offering("a", token("2"));
        request();
        assertThat(credentialVault.latest(first)).isEqualTo(second);
        assertThat(logins).isEqualTo(2);
    }

    @Test
    void readsTheCredentialsAnewOnceAMinuteWhenAnotherClientCannotSecureItsConnection() throws Exception {
        ConnectionInfo first = token("1").build();
        offering("a", token("1"));
        validTokens.add("1");
        request();
        offering("a", token("2"));
        ConnectionInfo second = credentialVault.tlsFailed(first);
        assertThat(second).isEqualTo(token("2").build());
        assertThat(credentialVault.tlsFailed(first)).isEqualTo(second);
        assertThat(credentialVault.tlsFailed(second)).isEqualTo(second);
        assertThat(logins).isEqualTo(2);
        platform.sleep(Duration.ofMinutes(1));
        assertThat(credentialVault.tlsFailed(second)).isEqualTo(second);
        assertThat(logins).isEqualTo(3);
    }

    @Test
    @Tag("B19")
    void attemptsWithNewCredentialsAreNotCountedAsRepetitions() {
        CredentialVault odd = new CredentialVault(
                platform, () -> Map.of("a", token("bad-" + logins++).build()), this::connect);
        KubernetesApi failing = new KubernetesApi(platform, odd, NetworkSettings.DEFAULTS);
        Logger logger = (Logger) LoggerFactory.getLogger("kopf4j.client");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        assertThatThrownBy(() -> failing.get(KEX, "ns", "name")).isInstanceOf(UnauthorizedException.class);
        logger.detachAppender(log);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("will retry"))
                .hasSize(8)
                .last()
                .asString()
                .startsWith("Request attempt #8/9 failed; will retry");
    }

    @Test
    void readsTheCredentialsAnewWhenTheConnectionCannotBeSecured() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        transport("1").answering(transportRequest -> {
            throw new SSLHandshakeException("unknown authority");
        });
        request();
        assertThat(logins).isEqualTo(2);
    }

    @Test
    void refusesRequestsOnceClosed() throws Exception {
        offering("a", token("1"));
        validTokens.add("1");
        request();
        credentialVault.close();
        assertThat(transport("1").isClosed()).isTrue();
        assertThatThrownBy(this::request)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("closed");
    }
}
