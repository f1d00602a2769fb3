package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.Spec;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** When a running operator tells definitions that it converts their objects, and when it refuses to start. */
class ManagedConversionsTest {
    private static final String CRDS = "customresourcedefinitions";
    private static final String NAME = "widgets.example.com";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final TinyCluster cluster = new TinyCluster()
            .serving("example.com", "widgets", "Widget", true)
            .serving("coordination.k8s.io", "leases", "Lease", true);
    private boolean elected;
    private WebhookClientConfig address =
            WebhookClientConfig.url("https://host:9443/hooks/").withCaBundle("PEM");
    private Consumer<WebhookClientConfig> publisher = config -> {};

    private OperatorHandle start(String steps, boolean managed) {
        OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> functions(
                        builder.onEvent("widgets.example.com", "seen", ctx -> null)
                                .clusterwide()
                                .settings(s -> s.leaderElection().enabled(elected))
                                .settings(s -> s.admission()
                                        .managedConversions(managed)
                                        .server(context -> {
                                            publisher = context::publish;
                                            context.publish(address);
                                            world.monitor().awaitTrue(() -> false, Deadline.NEVER);
                                        })),
                        steps));
        world.runFor(Duration.ofSeconds(5));
        return operator;
    }

    private static OperatorBuilder functions(OperatorBuilder builder, String steps) {
        for (String step : steps.split(" ", -1)) {
            String[] ends = step.split(">", -1);
            builder.onConvert(NAME, ends[0], ends[1], Spec.class, spec -> spec);
        }
        return builder;
    }

    /** Versions with a star are stored, those with a minus are not served, and old objects may have others. */
    private void define(String versions, String old) {
        String listed = Arrays.stream(versions.split(" ", -1))
                .map(each -> "{'name': '%s', 'served': %s, 'storage': %s}"
                        .formatted(each.replaceAll("[*-]", ""), !each.contains("-"), each.contains("*")))
                .collect(Collectors.joining(","));
        cluster.put(CRDS, null, NAME, """
                {'spec': {'group': 'example.com', 'names': {'plural': 'widgets', 'kind': 'Widget'}, 'scope': 'Namespaced',
                 'conversion': {'strategy': 'None'}, 'versions': [%s]}, 'status': {'storedVersions': ['%s']}}""".formatted(listed, old));
    }

    private JsonNode conversion() {
        return cluster.get(CRDS, null, NAME).at("/spec/conversion");
    }

    private List<TinyCluster.Request> writes() {
        return cluster.changesBy("operator");
    }

    @Test
    @Tag("J28")
    void theDefinitionLearnsWhereItsObjectsAreConverted() {
        define("v1* v2", "v1");
        start("v1>v2 v2>v1", true);
        assertThat(conversion()).isEqualTo(Scenario.json("""
                {'strategy': 'Webhook', 'webhook': {'clientConfig': {'url': 'https://host:9443/hooks/convert/widgets.example.com',
                 'caBundle': 'UEVN'}, 'conversionReviewVersions': ['v1']}}"""));
        assertThat(writes())
                .singleElement()
                .satisfies(request -> assertThat(request.body().at("/metadata/uid"))
                        .isEqualTo(cluster.get(CRDS, null, NAME).at("/metadata/uid")));
    }

    @Test
    @Tag("J28")
    void objectsAreNotWatchedBeforeAllApiServersCanKnowThatTheyAreConverted() {
        define("v1* v2", "v1");
        Moments moments = new Moments();
        cluster.faults(moments);
        start("v1>v2 v2>v1", true);
        world.runFor(Duration.ofSeconds(5));
        assertThat(moments.listed).isAfterOrEqualTo(moments.told.plusSeconds(5));
    }

    @Test
    @Tag("J28")
    void objectsOfADefinitionThatComesLaterAreNotWatchedBeforeEither() {
        cluster.stopServing("widgets");
        start("v1>v2 v2>v1", true);
        Moments moments = new Moments();
        cluster.faults(moments);
        cluster.serving("example.com", "widgets", "Widget", true);
        define("v1* v2", "v1");
        world.runFor(Duration.ofSeconds(20));
        assertThat(moments.listed).isAfterOrEqualTo(moments.told.plusSeconds(5));
    }

    /** Its objects would be stored meanwhile without a check. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("J28")
    void checksOfADefinitionThatComesLaterDoNotWaitUntilAllApiServersKnowOfItsConversions(boolean besideAnother) {
        if (besideAnother) {
            cluster.serving("example.com", "gadgets", "Gadget", true);
            cluster.put(CRDS, null, "gadgets.example.com", """
                    {'spec': {'group': 'example.com', 'names': {'plural': 'gadgets', 'kind': 'Gadget'}, 'scope': 'Namespaced',
                     'versions': [{'name': 'v1', 'served': true, 'storage': true}]}}""");
        }
        String configurations = "validatingwebhookconfigurations";
        String group = "admissionregistration.k8s.io";
        cluster.serving(group, configurations, "ValidatingWebhookConfiguration", false)
                .serving(group, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false)
                .stopServing("widgets");
        SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> functions(
                        builder.onValidate("widgets.example.com", "check", context -> null)
                                .onConvert("gadgets.example.com", "v1", "v2", Spec.class, spec -> spec)
                                .onConvert("gadgets.example.com", "v2", "v1", Spec.class, spec -> spec)
                                .clusterwide()
                                .settings(s -> s.admission()
                                        .managed("auto.kopf.dev")
                                        .managedConversions(true)
                                        .server(context -> {
                                            context.publish(address);
                                            world.monitor().awaitTrue(() -> false, Deadline.NEVER);
                                        })),
                        "v1>v2 v2>v1"));
        world.runFor(Duration.ofSeconds(5));
        define("v1* v2", "v1");
        for (int i = 0; i < 200 && conversion().path("strategy").asString().equals("None"); i++) {
            world.runFor(Duration.ofMillis(100));
        }
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
        cluster.serving("example.com", "widgets", "Widget", true);
        cluster.patch(CRDS, null, NAME, "{'metadata': {'labels': {'established': 'now'}}}");
        world.runFor(Duration.ofSeconds(2));
        assertThat(cluster.get(configurations, null, "auto.kopf.dev").path("webhooks"))
                .hasSize(1);
    }

    @Test
    @Tag("J28")
    void nobodyWaitsWhereObjectsAreConvertedAlready() {
        define("v1* v2", "v1");
        start("v1>v2 v2>v1", true).stop();
        world.runFor(Duration.ofSeconds(20));
        Moments moments = new Moments();
        cluster.faults(moments);
        Instant begin = world.now();
        start("v1>v2 v2>v1", true);
        assertThat(moments.listed).isBefore(begin.plusSeconds(1));
    }

    /** When the definition was written, and the objects were listed, for the first time. */
    private final class Moments implements TinyCluster.Faults {
        private Instant told = Instant.MAX;
        private Instant listed = Instant.MAX;

        @Override
        public @Nullable TransportResponse before(String client, TransportRequest transportRequest, Deadline deadline) {
            boolean ofDefinition = transportRequest.path().contains(CRDS + "/" + NAME);
            if (ofDefinition && transportRequest.method().equals("PATCH") && told.equals(Instant.MAX)) {
                told = world.now();
            } else if (transportRequest.path().matches("/apis/example.com/[^/]+/widgets.*")
                    && listed.equals(Instant.MAX)) {
                listed = world.now();
            }
            return null;
        }
    }

    @Test
    @Tag("J28")
    void itIsWrittenOnlyWhenItDiffers() {
        define("v1* v2", "v1");
        OperatorHandle first = start("v1>v2 v2>v1", true);
        publisher.accept(address);
        world.runFor(Duration.ofSeconds(5));
        first.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(first.hasEnded()).isTrue();
        start("v1>v2 v2>v1", true);
        assertThat(writes()).as("by two operators").hasSize(1);

        publisher.accept(WebhookClientConfig.service("ns", "hooks", 443).withCaBundle("NEW"));
        world.runFor(Duration.ofSeconds(5));
        assertThat(conversion().at("/webhook/clientConfig")).isEqualTo(Scenario.json("""
                {'service': {'namespace': 'ns', 'name': 'hooks', 'path': '/convert/widgets.example.com', 'port': 443},
                 'caBundle': 'TkVX'}"""));
    }

    /** As `kopf4j manifests` prints it. Whom to trust is added at once, however often the definition is replaced. */
    @Test
    @Tag("J28")
    void aDefinitionThatNamesTheServiceAloneIsToldWhomToTrust() {
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle("PEM");
        replaceByThatOfAManifest();
        start("v1>v2 v2>v1", true);
        for (int i = 0; i < 10; i++) {
            assertThat(conversion().at("/webhook/clientConfig/caBundle").asString(""))
                    .isEqualTo("UEVN");
            assertThat(writes()).hasSize(i + 1);
            world.runFor(Duration.ofMinutes(1));
            replaceByThatOfAManifest();
            world.runFor(Duration.ofSeconds(1));
        }
    }

    private void replaceByThatOfAManifest() {
        cluster.put(CRDS, null, NAME, """
                {'spec': {'group': 'example.com', 'names': {'plural': 'widgets', 'kind': 'Widget'}, 'scope': 'Namespaced',
                 'conversion': {'strategy': 'Webhook', 'webhook': {'clientConfig': {'service': {'namespace': 'ns',
                  'name': 'hooks', 'path': '/convert/widgets.example.com', 'port': 443}}, 'conversionReviewVersions': ['v1']}},
                 'versions': [{'name': 'v1', 'served': true, 'storage': true}, {'name': 'v2', 'served': true,
                  'storage': false}]}, 'status': {'storedVersions': ['v1']}}""");
    }

    /** As where cert-manager has renewed it, or an authority ends: each replica looks once a minute. */
    @Test
    @Tag("J28")
    void replicasThatReadARenewedCertificateAtDifferentMomentsDoNotWriteAgainstEachOther() {
        define("v1* v2", "v1");
        String old = authority("old");
        String renewed = authority("renewed");
        Consumer<WebhookClientConfig> first = startTrusting(old);
        Consumer<WebhookClientConfig> second = startTrusting(old);
        for (String bundle : List.of(renewed + old, renewed)) {
            first.accept(trusting(bundle));
            world.runFor(Duration.ofSeconds(1));
            assertThat(writes()).hasSize(2);
            world.runFor(Duration.ofMinutes(1));
            second.accept(trusting(bundle));
            world.runFor(Duration.ofMinutes(10));
            assertThat(trusted()).containsExactlyInAnyOrder("CN=old", "CN=renewed");
        }
        world.runFor(Duration.ofMinutes(20));
        assertThat(trusted()).containsExactly("CN=renewed");
        assertThat(writes()).as("at the start, with both, without the old one").hasSize(3);
    }

    /** The Secret of the authority was not there for a moment, or the older replica has not looked at it yet. */
    @Test
    @Tag("J28")
    void aReplicaThatStartsWithAnotherAuthorityLeavesThatOfTheOthersUntilTheyHaveChangedOver() {
        define("v1* v2", "v1");
        String old = authority("old");
        String fresh = authority("fresh");
        Consumer<WebhookClientConfig> first = startTrusting(old);
        startTrusting(fresh);
        assertThat(writes()).hasSize(2);
        world.runFor(Duration.ofMinutes(1));
        assertThat(trusted()).containsExactlyInAnyOrder("CN=old", "CN=fresh");
        first.accept(trusting(fresh + old));
        world.runFor(Duration.ofMinutes(10));
        first.accept(trusting(fresh));
        assertThat(trusted()).containsExactlyInAnyOrder("CN=old", "CN=fresh");
        world.runFor(Duration.ofMinutes(20));
        assertThat(trusted()).containsExactly("CN=fresh");
        assertThat(writes()).hasSize(3);
    }

    /** They start, or hear of a change, at the same moment. */
    @Test
    @Tag("J28")
    void whatAnotherReplicaHasWrittenSinceItWasReadIsNotOverwritten() {
        define("v1* v2", "v1");
        String old = authority("old");
        String fresh = authority("fresh");
        AtomicBoolean written = new AtomicBoolean();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                if (transportRequest.path().contains(CRDS + "/" + NAME)
                        && transportRequest.method().equals("PATCH")
                        && written.compareAndSet(false, true)) {
                    replaceByThatOfAManifest();
                    cluster.patch(
                            CRDS,
                            null,
                            NAME,
                            "{'spec': {'conversion': {'webhook': {'clientConfig': {'caBundle': '"
                                    + trusting(old).encodedCaBundle().orElseThrow() + "'}}}}}");
                }
                return null;
            }
        });
        startTrusting(fresh);
        assertThat(trusted()).containsExactlyInAnyOrder("CN=old", "CN=fresh");
    }

    /** It cannot read the Secret any more, and must not take away what the others show. */
    @Test
    @Tag("J28")
    void aReplicaThatIsLateLeavesTheNewerAuthorityForAsLongAsItTakes() {
        define("v1* v2", "v1");
        String old = authority("old");
        String renewed = authority("renewed");
        Consumer<WebhookClientConfig> first = startTrusting(old);
        startTrusting(old);
        first.accept(trusting(renewed + old));
        world.runFor(Duration.ofSeconds(1));
        assertThat(writes()).hasSize(2);
        world.runFor(Duration.ofHours(5));
        assertThat(trusted()).containsExactlyInAnyOrder("CN=old", "CN=renewed");
        assertThat(writes()).hasSize(2);
    }

    /** They have certificates of their own behind one Service, or one of them does not get on. */
    @Test
    @Tag("J28")
    void replicasThatNeverAgreeWriteRarely() {
        define("v1* v2", "v1");
        String one = authority("one");
        startTrusting(one);
        startTrusting(authority("two"));
        assertThat(writes()).hasSize(2);
        world.runFor(Duration.ofHours(5));
        assertThat(writes()).hasSizeLessThan(50);
    }

    /** They announce their certificates once, and need each other's for as long as they run. */
    @Test
    @Tag("J28")
    void replicasWithCertificatesOfTheirOwnTrustEachOtherHoweverLong() {
        elected = true;
        define("v1* v2", "v1");
        for (String name : List.of("one", "two", "three")) {
            startTrusting(authority(name));
        }
        assertThat(trusted()).containsExactlyInAnyOrder("CN=one", "CN=two", "CN=three");
        int before = conversionWrites();
        world.runFor(Duration.ofHours(5));
        assertThat(trusted()).containsExactlyInAnyOrder("CN=one", "CN=two", "CN=three");
        assertThat(conversionWrites()).isEqualTo(before);
    }

    /** Nobody tells which of them are gone: the newest stay. */
    @Test
    @Tag("J28")
    void theyAreLimitedAllTheSame() {
        elected = true;
        define("v1* v2", "v1");
        for (int i = 0; i < 40; i++) {
            address = trusting(authority("start-" + i));
            start("v1>v2 v2>v1", true).stop();
            world.runFor(Duration.ofSeconds(20));
        }
        assertThat(trusted()).hasSize(33).contains("CN=start-39", "CN=start-38", "CN=start-20");
    }

    /** A replica that makes a certificate at each start, again and again, is nobody's reason to write in turn. */
    @Test
    void stableReplicasStayTrustedBesideOneThatStartsAgainAndAgain() {
        elected = true;
        define("v1* v2", "v1");
        for (int stable = 1; stable <= 2; stable++) {
            address = trusting(authority("stable-" + stable));
            start("v1>v2 v2>v1", true);
        }
        for (int i = 0; i < 45; i++) {
            address = trusting(authority("start-" + i));
            start("v1>v2 v2>v1", true).stop();
            world.runFor(Duration.ofMinutes(5));
            assertThat(trusted()).as("after start %s", i).contains("CN=stable-1", "CN=stable-2");
        }
        int before = conversionWrites();
        world.runFor(Duration.ofMinutes(30));
        assertThat(conversionWrites()).isEqualTo(before);
        assertThat(trusted()).hasSizeLessThanOrEqualTo(34);
    }

    private int conversionWrites() {
        return (int) writes().stream()
                .filter(request -> request.path().contains(CRDS))
                .count();
    }

    @Test
    @Tag("J28")
    void whatOperatorsLeaveThatEndAgainAndAgainIsLimited() {
        define("v1* v2", "v1");
        for (int i = 0; i < 20; i++) {
            address = trusting(authority("start-" + i));
            start("v1>v2 v2>v1", true).stop();
            world.runFor(Duration.ofSeconds(20));
        }
        assertThat(trusted()).hasSize(9).contains("CN=start-19");
    }

    /** Whoever does so leaves the address: a tool with a manifest of its own. A rotation must go on meanwhile. */
    @Test
    @Tag("J28")
    void whoReplacesTheBundleAgainAndAgainIsMetWithGrowingPausesButNotWhereOnesOwnIsNew() {
        define("v1* v2", "v1");
        String foreign = WebhookClientConfig.url("https://host")
                .withCaBundle(authority("foreign"))
                .encodedCaBundle()
                .orElseThrow();
        String own = authority("own");
        Consumer<WebhookClientConfig> operator = startTrusting(own);
        int before = writes().size();
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            replaceBundle(foreign, 5);
            assertThat(writes().size() - before).as("at once").isEqualTo(1);
            replaceBundle(foreign, 595);
            assertThat(writes().size() - before).as("within a minute").isBetween(4, 7);
            replaceBundle(foreign, 6000);
            assertThat(writes().size() - before).as("within ten more").isBetween(10, 20);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("widgets.example.com is told again and again whom to trust", "Leave caBundle");
        }
        operator.accept(trusting(authority("renewed") + own));
        world.runFor(Duration.ofMillis(500));
        assertThat(trusted()).contains("CN=own", "CN=renewed");
    }

    private void replaceBundle(String bundle, int tenthsOfASecond) {
        for (int tenth = 0; tenth < tenthsOfASecond; tenth++) {
            if (!conversion().at("/webhook/clientConfig/caBundle").asString("").equals(bundle)) {
                cluster.patch(
                        CRDS,
                        null,
                        NAME,
                        "{'spec': {'conversion': {'webhook': {'clientConfig': {'caBundle': '" + bundle + "'}}}}}");
            }
            world.runFor(Duration.ofMillis(100));
        }
    }

    /** Each begins later than the one before. */
    private String authority(String name) {
        world.runFor(Duration.ofSeconds(2));
        return CertificateAuthority.make(name, world.now(), Duration.ofDays(365))
                .certificatePem();
    }

    private static WebhookClientConfig trusting(String bundle) {
        return WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(bundle);
    }

    private Consumer<WebhookClientConfig> startTrusting(String bundle) {
        address = trusting(bundle);
        start("v1>v2 v2>v1", true);
        return publisher;
    }

    /** The names of the authorities. */
    private List<String> trusted() {
        String bundle = conversion().at("/webhook/clientConfig/caBundle").asString("");
        try {
            return PemReader.certificates(
                            "bundle", new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII))
                    .stream()
                    .map(each -> each.getSubjectX500Principal().getName().replaceFirst(" .*", ""))
                    .toList();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(bundle, e);
        }
    }

    /** A developer's operator beside that of the cluster, or replicas with addresses of their own. */
    @Test
    void whoMeetsTheAddressOfAnotherOneAgainAndAgainWritesMoreAndMoreRarely() {
        define("v1* v2", "v1");
        start("v1>v2 v2>v1", true);
        address = WebhookClientConfig.url("https://other:9443/hooks/").withCaBundle("PEM");
        start("v1>v2 v2>v1", true);
        int before = writes().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes().size() - before).isBetween(10, 50);
    }

    /** As whoever applies a manifest does that says so. The first time it is written again at once. */
    @Test
    @Tag("J28")
    void whoMeetsStrategyNoneAgainAndAgainWritesAfterPausesAndSaysSoOnce() {
        define("v1* v2", "v1");
        start("v1>v2 v2>v1", true);
        int before = writes().size();
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            takeBackWhatIsWritten(5);
            assertThat(writes().size() - before).as("at once").isEqualTo(1);
            takeBackWhatIsWritten(595);
            assertThat(writes().size() - before).as("within a minute").isBetween(10, 16);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("widgets.example.com", "again and again", "Take spec.conversion out of the manifest");
        }
        world.runFor(Duration.ofSeconds(6));
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    private void takeBackWhatIsWritten(int tenthsOfASecond) {
        for (int tenth = 0; tenth < tenthsOfASecond; tenth++) {
            if (conversion().path("strategy").asString().equals("Webhook")) {
                cluster.patch(CRDS, null, NAME, "{'spec': {'conversion': {'strategy': 'None', 'webhook': null}}}");
            }
            world.runFor(Duration.ofMillis(100));
        }
    }

    /** A minute between writes is long for a definition that is applied meanwhile: its objects are not converted. */
    @Test
    @Tag("J28")
    void aDefinitionThatOthersWriteAgainAndAgainDoesNotHoldBackTheNextOne() {
        define("v1* v2", "v1");
        cluster.serving("example.com", "gadgets", "Gadget", true);
        SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> functions(
                        builder.onEvent("widgets.example.com", "seen", context -> null)
                                .onConvert("gadgets.example.com", "v1", "v2", Spec.class, spec -> spec)
                                .onConvert("gadgets.example.com", "v2", "v1", Spec.class, spec -> spec)
                                .clusterwide()
                                .settings(s -> s.admission()
                                        .managedConversions(true)
                                        .server(context -> {
                                            context.publish(address);
                                            world.monitor().awaitTrue(() -> false, Deadline.NEVER);
                                        })),
                        "v1>v2 v2>v1"));
        world.runFor(Duration.ofSeconds(5));
        takeBackWhatIsWritten(300);
        while (!conversion().path("strategy").asString().equals("Webhook")) {
            world.runFor(Duration.ofMillis(100));
        }
        takeBackWhatIsWritten(1);
        cluster.put(CRDS, null, "gadgets.example.com", """
                {'spec': {'group': 'example.com', 'names': {'plural': 'gadgets', 'kind': 'Gadget'}, 'scope': 'Namespaced',
                 'versions': [{'name': 'v1', 'served': true, 'storage': true}, {'name': 'v2', 'served': true,
                  'storage': false}]}}""");
        world.runFor(Duration.ofMillis(500));
        assertThat(conversion().path("strategy").asString())
                .as("is still put off")
                .isEqualTo("None");
        assertThat(cluster.get(CRDS, null, "gadgets.example.com")
                        .at("/spec/conversion/strategy")
                        .asString(""))
                .isEqualTo("Webhook");
        world.runFor(Duration.ofSeconds(5));
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    /** As a tunnel does: what stood there is the operator's own. */
    @Test
    @Tag("J28")
    void anotherAddressOfItsOwnIsWrittenAtOnce() {
        define("v1* v2", "v1");
        start("v1>v2 v2>v1", true);
        publisher.accept(WebhookClientConfig.url("https://tunnel:9443/hooks/").withCaBundle("PEM"));
        world.runFor(Duration.ofMillis(500));
        assertThat(conversion().at("/webhook/clientConfig/url").asString(""))
                .isEqualTo("https://tunnel:9443/hooks/convert/widgets.example.com");
    }

    @ParameterizedTest
    @Tag("J37")
    @CsvSource({"true, 0", "false, 1"})
    void anAnnotationOfCertManagerThatIsNotWantedAnyMoreIsToldWithTheWayOut(boolean wanted, int warnings) {
        define("v1 v2*", "v2");
        cluster.patch(CRDS, null, NAME, "{'metadata': {'annotations': {'cert-manager.io/inject-ca-from': 'ns/c'}}}");
        address = wanted ? WebhookClientConfig.service("ns", "hooks", 443).withCaInjectedFrom("ns/c") : address;
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            start("v1>v2 v2>v1", true);
            publisher.accept(address);
            world.runFor(Duration.ofSeconds(10));
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("kubectl annotate customresourcedefinition widgets.example.com"
                            + " cert-manager.io/inject-ca-from-"))
                    .hasSize(warnings);
        }
    }

    @Test
    @Tag("J28")
    void itStaysWhenTheOperatorEnds() {
        define("v1* v2", "v1");
        OperatorHandle operator = start("v1>v2 v2>v1", true);
        operator.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    @Test
    @Tag("J28")
    void whatSomebodyTakesBackIsWrittenAgainAndADefinitionThatComesLater() {
        start("v1>v2 v2>v1", true);
        define("v1* v2", "v1");
        world.runFor(Duration.ofSeconds(5));
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
        define("v1* v2", "v1");
        world.runFor(Duration.ofSeconds(5));
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    @Test
    @Tag("J28")
    void withoutTheSettingItIsToldThatNobodyAsks() {
        define("v1* v2", "v1");
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            start("v1>v2 v2>v1", false);
            publisher.accept(address);
            world.runFor(Duration.ofSeconds(5));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("asks no webhook for conversions", "\"strategy\":\"Webhook\"")
                    .doesNotContain("null");
        }
        assertThat(writes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1* v2      | v1 | v1>v2                     | v2 -> v1
            v1* v2 v3   | v1 | v1>v2 v2>v1 v2>v3         | v3 -> v1, v3 -> v2
            v1* v2-     | v2 | v1>hub hub>v1             | v2 -> v1
            v1- v2* v3  | v2 | v3>v2                     | v2 -> v3
            v1 v2*      | v2 | v1>v2 v2>hub hub>v3       | v2 -> v1
            """)
    @Tag("J27")
    void anOperatorDoesNotStartWithoutAWayThatIsNeeded(String versions, String old, String steps, String missing) {
        define(versions, old);
        OperatorHandle operator = start(steps, true);
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining(
                        "The operator does not start: objects of widgets.example.com come in the versions")
                .hasMessageContaining("no conversion leads this way: " + missing + "; there are ");
        assertThat(writes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1* v2      | v1 | v1>v2 v2>v1
            v1* v2 v3   | v1 | v1>v2 v2>v1 v2>v3 v3>v2
            v1- v2*     | v1 | v1>v2
            v1- v2*     | v2 | v1>v2
            v1* v2 v3   | v1 | v1>hub hub>v1 v2>hub hub>v2 v3>hub hub>v3
            """)
    @Tag("J27")
    void waysThatNobodyCanAskForAreNotNeeded(String versions, String old, String steps) {
        define(versions, old);
        assertThat(start(steps, true).hasEnded()).isFalse();
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    /** It would be asked at each attempt to start, and old replicas in its place, which do not know it. */
    @Test
    @Tag("J28")
    void anOperatorThatDoesNotStartHasWrittenNoWebhooks() {
        String configurations = "validatingwebhookconfigurations";
        String group = "admissionregistration.k8s.io";
        cluster.serving(group, configurations, "ValidatingWebhookConfiguration", false)
                .serving(group, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false);
        define("v1* v2", "v1");
        OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> functions(
                        builder.onValidate("widgets.example.com", "check", context -> null)
                                .clusterwide()
                                .settings(s -> s.admission()
                                        .managed("auto.kopf.dev")
                                        .managedConversions(true)
                                        .server(context -> {
                                            context.publish(address);
                                            world.monitor().awaitTrue(() -> false, Deadline.NEVER);
                                        })),
                        "v1>v2"));
        world.runFor(Duration.ofSeconds(30));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(writes()).isEmpty();
    }

    @Test
    @Tag("J27")
    void anOperatorThatRunsTellsWhatIsMissingAndGoesOn() {
        define("v1* v2", "v1");
        OperatorHandle operator = start("v1>v2 v2>v1 v2>" + OnConvert.HUB, true);
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            define("v1* v2 v3", "v1");
            world.runFor(Duration.ofSeconds(5));
            assertThat(operator.hasEnded()).isFalse();
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("v1 -> v3, v2 -> v3, v3 -> v1");
        }
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
    }

    @Test
    @Tag("J28")
    void missingRightsAreToldInWords() {
        define("v1* v2", "v1");
        forbid("PATCH");
        OperatorHandle operator = start("v1>v2 v2>v1", true);
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("not enough permissions to write spec.conversion of the definition " + NAME)
                .hasMessageContaining("settings.admission().managedConversions() unset");
    }

    @Test
    @Tag("J28")
    void whoMayNotReadDefinitionsWritesThemAllTheSameAndSaysSoOnce() {
        define("v1* v2", "v1");
        forbid("GET");
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            start("v1>v2 v2>v1", true);
            publisher.accept(address);
            world.runFor(Duration.ofSeconds(5));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("Not enough permissions to read the definition");
        }
        assertThat(conversion().path("strategy").asString()).isEqualTo("Webhook");
        assertThat(writes()).hasSize(1);
    }

    private void forbid(String method) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                return transportRequest.path().contains(CRDS + "/" + NAME)
                                && transportRequest.method().equals(method)
                        ? TinyCluster.status(403, "Forbidden", "not allowed")
                        : null;
            }
        });
    }
}
