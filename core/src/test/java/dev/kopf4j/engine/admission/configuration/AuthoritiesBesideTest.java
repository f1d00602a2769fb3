package dev.kopf4j.engine.admission.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.engine.admission.identity.AuthorityState;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link AuthoritiesBeside}: whom the API server is to trust when several replicas answer. */
class AuthoritiesBesideTest extends ManagedWebhooksScenario {

    /** A replica whose certificate others have, too. */
    private OperatorHandle startWithASharedCertificate() {
        OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                this::serve,
                builder -> simple(builder)
                        .settings(s -> s.admission()
                                .managed("auto.kopf.dev")
                                .server(WebhookServer.local()
                                        .service("ns", "hooks", 443)
                                        .certificateSecret("ns", "tls"))));
        world.runFor(Duration.ofSeconds(5));
        return operator;
    }

    /** Nobody is trusted then: the API server would ask in vain, for good. */
    @ParameterizedTest
    @Tag("J10")
    @ValueSource(strings = {"null", "''"})
    void aBundleThatIsEmptiedIsWrittenAgainAsAnyOtherEdit(String bundle) {
        start(ManagedWebhooksScenario::simple);
        replaceBundle(VALIDATING, bundle);
        world.runFor(Duration.ofSeconds(50));
        assertThat(bundle(VALIDATING)).as("before two looks").isNotEqualTo("UEVN");
        world.runFor(Duration.ofSeconds(90));
        assertThat(bundle(VALIDATING)).isEqualTo("UEVN");
    }

    /** Two pods with certificates of their own would write theirs for ever, one after the other. */
    @Test
    @Tag("J10")
    void theBundleOfAnotherPodBehindTheSameServiceIsLeftToIt() {
        start(ManagedWebhooksScenario::simple);
        replaceBundle(VALIDATING, "'T1RIRVI='");
        int before = writes().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes()).hasSize(before);
        assertThat(bundle(VALIDATING)).isEqualTo("T1RIRVI=");
    }

    /** As after a roll-back of the Secret: the newer authority stays in the bundle, as others may sign with it. */
    @Test
    @Tag("J10")
    void editsBesideANewerSharedAuthorityAreWrittenAgain() {
        WebhookAuthority options = WebhookAuthority.inSecret("ns", "name");
        AuthorityState older = AuthorityState.fresh(options, Scenario.START);
        AuthorityState newer = AuthorityState.fresh(options, Scenario.START.plus(Duration.ofDays(1)));
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(newer.bundle());
        startWithASharedCertificate();
        publisher.accept(WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(older.bundle()));
        world.runFor(Duration.ofMinutes(5));
        String both = bundle(VALIDATING);
        assertThat(new String(Base64.getDecoder().decode(both), UTF_8)).isEqualTo(older.bundle() + newer.bundle());
        change(webhook -> webhook.put("failurePolicy", "Ignore"));
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING).at("/0/failurePolicy").asString("")).isEqualTo("Fail");
        assertThat(bundle(VALIDATING)).isEqualTo(both);
    }

    private static String pem(int day) {
        return AuthorityState.fresh(WebhookAuthority.inSecret("ns", "name"), Scenario.START.plus(Duration.ofDays(day)))
                .bundle();
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    }

    /** As a tool does that puts back an old state: no replica would ever start anew, and each request be refused. */
    @Test
    @Tag("J10")
    void aBundleThatIsReplacedGetsTheAuthorityThatReplicasShareAgain() {
        String own = pem(1);
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(own);
        startWithASharedCertificate();
        String other = pem(0);
        replaceBundle(VALIDATING, base64(other));
        world.runFor(Duration.ofSeconds(50));
        assertThat(bundle(VALIDATING)).as("before two looks").isEqualTo(base64(other));
        world.runFor(Duration.ofSeconds(90));
        assertThat(new String(Base64.getDecoder().decode(bundle(VALIDATING)), UTF_8))
                .contains(own, other);
        world.runFor(Duration.ofMinutes(20));
        assertThat(bundle(VALIDATING)).as("nobody needs the other one").isEqualTo(base64(own));
    }

    /** As while an operator moves from one kind of certificate to another one. */
    @Test
    @Tag("J10")
    void replicasOfTwoVersionsBehindOneServiceAreBothTrustedAndNeitherTakesThatAway() {
        String first = pem(-2);
        String second = pem(-1);
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(first);
        startWithASharedCertificate();
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(second);
        start(ManagedWebhooksScenario::simple);
        assertThat(bundle(VALIDATING)).as("before a look").isEqualTo(base64(second));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            world.runFor(Duration.ofMinutes(3));
            assertThat(new String(Base64.getDecoder().decode(bundle(VALIDATING)), UTF_8))
                    .contains(first, second);
            int before = writes().size();
            world.runFor(Duration.ofMinutes(20));
            assertThat(writes()).hasSize(before);
            assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("somebody else"));
        }
        publisher.accept(address);
        world.runFor(Duration.ofSeconds(2));
        assertThat(new String(Base64.getDecoder().decode(bundle(VALIDATING)), UTF_8))
                .as("told again")
                .contains(first, second);
    }

    /** A renewed Secret that the others have not read yet: whoever trusted the new one alone would refuse them. */
    @Test
    @Tag("J10")
    @Tag("J32")
    void aReplicaThatStartsWithAnotherCertificateLeavesThatOfTheOthersUntilTheyHaveChangedOver() {
        address = trusting(authority("old", -1));
        OperatorHandle before = startWithASharedCertificate();
        address = trusting(authority("new", 0));
        startWithASharedCertificate();
        assertThat(trusted()).contains("CN=old").contains("CN=new");
        stop(before);
        world.runFor(Duration.ofMinutes(13));
        assertThat(trusted()).contains("CN=old");
        int writes = writes().size();
        world.runFor(Duration.ofMinutes(5));
        assertThat(trusted()).containsExactly("CN=new");
        assertThat(writes()).as("one in each of both").hasSize(writes + 2);
    }

    /** Two versions with different Secrets for their authority: only once, for some looks, one is not trusted. */
    @Test
    @Tag("J10")
    void anAuthorityThatComesBackAfterItHasGoneStays() {
        address = trusting(authority("one", -1));
        startWithASharedCertificate();
        address = trusting(authority("two", 0));
        startWithASharedCertificate();
        int untrusted = 0;
        for (int minute = 0; minute < 300; minute++) {
            world.runFor(Duration.ofMinutes(1));
            untrusted += trusted().contains("CN=one") ? 0 : 1;
            assertThat(trusted()).contains("CN=two");
        }
        assertThat(untrusted).isBetween(1, 3);
    }

    /** Two versions with Secrets of their own, and several replicas of one: they let the other go once in all. */
    @Test
    @Tag("J10")
    void anAuthorityThatComesBackIsLetGoByNoOtherReplica() {
        address = trusting(authority("one", -1));
        startWithASharedCertificate();
        world.runFor(Duration.ofMinutes(20));
        address = trusting(authority("two", 0));
        for (int replica = 0; replica < 5; replica++) {
            startWithASharedCertificate();
            world.runFor(Duration.ofSeconds(37));
        }
        int untrusted = 0;
        for (int minute = 0; minute < 240; minute++) {
            world.runFor(Duration.ofMinutes(1));
            untrusted += trusted().contains("CN=one") ? 0 : 1;
        }
        assertThat(untrusted).isBetween(1, 4);
    }

    /** With leader election and no authority in common, behind one Service: none may ever be refused for long. */
    @Test
    @Tag("J10")
    void replicasWithCertificatesOfTheirOwnAreAllTrustedForGood() {
        List<String> names = List.of("one", "two", "three", "four", "five");
        for (String name : names) {
            address = trusting(authority(name, -1));
            startShared();
            world.runFor(Duration.ofSeconds(20));
        }
        world.runFor(Duration.ofMinutes(10));
        for (int minute = 0; minute < 180; minute++) {
            world.runFor(Duration.ofMinutes(1));
            assertThat(trusted())
                    .as("in minute " + minute)
                    .containsExactlyInAnyOrder("CN=one", "CN=two", "CN=three", "CN=four", "CN=five");
        }
        address = trusting(authority("six", 0));
        startShared();
        assertThat(trusted()).as("what those have left that are gone, goes").containsExactly("CN=six");
        world.runFor(Duration.ofMinutes(10));
        assertThat(trusted()).hasSize(6);
    }

    private static WebhookClientConfig trusting(String pem) {
        return WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(pem);
    }

    private static String authority(String name, int day) {
        return CertificateAuthority.make(name, Scenario.START.plus(Duration.ofDays(day)), Duration.ofDays(365))
                .certificatePem();
    }

    /** Whom the API server trusts where it asks about validation. */
    private List<String> trusted() {
        try {
            return PemReader.certificates(
                            "bundle", new String(Base64.getDecoder().decode(bundle(VALIDATING)), UTF_8))
                    .stream()
                    .map(each -> each.getSubjectX500Principal().getName().replaceFirst(" .*", ""))
                    .toList();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As the bundle of a replica that has just changed its authority: it has both for a while. */
    @Test
    @Tag("J10")
    void aBundleThatTrustsMoreThanTheOwnAuthorityIsNobodyElses() {
        String own = pem(1);
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle(own);
        start(ManagedWebhooksScenario::simple);
        String both = base64(pem(0) + own);
        replaceBundle(VALIDATING, both);
        int before = writes().size();
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            world.runFor(Duration.ofMinutes(10));
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
        assertThat(writes()).hasSize(before);
        change(webhook -> webhook.put("failurePolicy", "Ignore"));
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING).at("/0/failurePolicy").asString("")).isEqualTo("Fail");
        assertThat(bundle(VALIDATING)).isEqualTo(both);
    }
}
