package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Replicas that share an authority by a Secret, in simulated time. */
class AuthorityRotationTest {
    private static final LocalWebhookServer SERVER =
            WebhookServer.local().service("ns", "hooks", 443).authority(WebhookAuthority.inSecret("ns", "hooks-ca"));

    /** The same with short lives: simulated days take seconds. */
    private static final LocalWebhookServer QUICK = SERVER.authority(WebhookAuthority.inSecret("ns", "hooks-ca")
            .validFor(Duration.ofHours(12))
            .rotatedBefore(Duration.ofHours(4))
            .announcedFor(Duration.ofMinutes(20))
            .certificatesValidFor(Duration.ofHours(6)));

    private static final long SEEDS = Long.getLong("kopf4j.rotation.seeds", 2);

    private static Set<Object> signers(Replicas replicas) {
        Set<Object> signers = new HashSet<>();
        replicas.ready().forEach(each -> signers.add(each.shown.getLast().getIssuerX500Principal()));
        return signers;
    }

    private static ObjectNode secret(Replicas replicas) {
        return replicas.cluster.get("secrets", "ns", "hooks-ca");
    }

    private static TinyCluster.Faults refusing(String... verbs) {
        return new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains("/secrets") && List.of(verbs).contains(request.method())
                        ? TinyCluster.status(403, "Forbidden", "not allowed")
                        : null;
            }
        };
    }

    @Test
    @Tag("J31")
    void replicasThatStartAtOnceAgreeOnOneAuthority() throws Exception {
        for (long seed = 0; seed < 10; seed++) {
            Replicas replicas = new Replicas(seed, SERVER);
            for (String name : List.of("a", "b", "c")) {
                replicas.start(name);
            }
            replicas.world.runFor(Duration.ofSeconds(20));
            assertThat(replicas.ready()).as("seed %s", seed).hasSize(3);
            assertThat(signers(replicas)).as("seed %s", seed).hasSize(1);
            assertThat(replicas.trusted()).as("seed %s", seed).hasSize(1);
            long refused = replicas.cluster.requests().stream()
                    .filter(request -> request.path().contains("/secrets") && request.status() == 409)
                    .count();
            assertThat(refused).as("losers with the seed %s", seed).isLessThanOrEqualTo(2);
        }
    }

    @Test
    @Tag("J31")
    void theSecretHasTheKeysOfItsType() {
        Replicas replicas = new Replicas(0, SERVER);
        Replicas.Replica replica = replicas.start("a");
        replicas.world.runFor(Duration.ofSeconds(20));
        ObjectNode secret = secret(replicas);
        assertThat(secret.path("type").asString()).isEqualTo("kubernetes.io/tls");
        assertThat(secret.path("data").propertyNames()).containsExactlyInAnyOrder("tls.crt", "tls.key", "ca.crt");
        assertThat(secret.at("/data/ca.crt")).isEqualTo(secret.at("/data/tls.crt"));
        assertThat(text(secret, "tls.key")).startsWith("-----BEGIN PRIVATE KEY-----");
        X509Certificate shown = replica.shown.getLast();
        assertThat(shown.getNotAfter().toInstant())
                .isBefore(replicas.world.now().plus(Duration.ofDays(91)));
        assertThat(shown.getBasicConstraints()).as("it is no authority itself").isNegative();
    }

    /** As the page says: replicas of two versions meet while one is rolled out, and people copy what is trusted. */
    @Test
    @Tag("J32")
    void whileASuccessorIsAnnouncedTheSecretHasItBesideAndAheadOfThePresentOne() {
        Replicas replicas = new Replicas(0, QUICK);
        replicas.start("a");
        replicas.runFor(Duration.ofHours(8).plusMinutes(5));
        ObjectNode secret = secret(replicas);
        assertThat(secret.path("data").propertyNames())
                .containsExactlyInAnyOrder("tls.crt", "tls.key", "next.crt", "next.key", "ca.crt");
        assertThat(text(secret, "ca.crt")).isEqualTo(text(secret, "next.crt") + text(secret, "tls.crt"));
        assertThat(text(secret, "next.key")).startsWith("-----BEGIN PRIVATE KEY-----");
    }

    private static String text(ObjectNode secret, String key) {
        String encoded = secret.path("data").path(key).asString("");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    }

    @Test
    @Tag("J31")
    void anEmptySecretIsFilledWithoutTheRightToCreateOne() {
        Replicas replicas = new Replicas(0, SERVER);
        replicas.cluster.put("secrets", "ns", "hooks-ca", "{'type': 'Opaque'}");
        replicas.trouble(refusing("POST"));
        replicas.start("a");
        replicas.world.runFor(Duration.ofSeconds(20));
        assertThat(replicas.ready()).hasSize(1);
        assertThat(secret(replicas).path("data").propertyNames()).contains("tls.crt", "ca.crt");
        assertThat(secret(replicas).path("type").asString()).isEqualTo("Opaque");
    }

    @Test
    @Tag("J32")
    void eachAuthorityIsTrustedBeforeAnybodySignsWithItAndUntilItEnds() throws Exception {
        Replicas replicas = new Replicas(0, QUICK);
        replicas.start("a");
        replicas.start("b");
        replicas.runFor(Duration.ofMinutes(1));
        List<String> steps = new ArrayList<>();
        for (int minutes = 0; minutes < 13 * 60; minutes += 10) {
            replicas.runFor(Duration.ofMinutes(10));
            String step = signers(replicas).size() + " of " + replicas.trusted().size();
            if (steps.isEmpty() || !steps.getLast().equals(step)) {
                steps.add(step);
            }
        }
        assertThat(replicas.violations).isEmpty();
        assertThat(steps).containsExactly("1 of 1", "1 of 2", "1 of 1");
        assertThat(replicas.ready()).allMatch(each -> each.shown.size() > 1);
    }

    /**
     * Goal: no moment at which the API server does not trust a replica that is ready. Method: short lives, and replicas
     * that are killed, start, are cut off from the API server or from the Secret, and are told of other resources, by
     * many seeds.
     */
    @Test
    @Tag("J32")
    void nobodyIsRefusedWhateverReplicasGoThrough() {
        Set<Object> signers = new HashSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Replicas replicas = new Replicas(seed, QUICK);
            new Life(replicas, new Random(seed)).pass(Duration.ofHours(18));
            assertThat(replicas.violations).as("seed %s", seed).isEmpty();
            replicas.all().forEach(each -> each.shown.forEach(shown -> signers.add(shown.getIssuerX500Principal())));
        }
        assertThat(signers).as("authorities").hasSizeGreaterThanOrEqualTo((int) SEEDS * 2);
    }

    /** What happens to replicas, by chance. */
    private static final class Life implements TinyCluster.Faults {
        private final Replicas replicas;
        private final Random random;
        private final Map<String, Instant> cutOff = new HashMap<>();
        private final Map<String, Instant> blind = new HashMap<>();
        private final Map<String, Replicas.Replica> living = new HashMap<>();
        private int number;

        Life(Replicas replicas, Random random) {
            this.replicas = replicas;
            this.random = random;
            replicas.trouble(this);
        }

        void pass(Duration time) {
            Instant end = replicas.world.now().plus(time);
            while (replicas.world.now().isBefore(end)) {
                for (String slot : List.of("a", "b", "c")) {
                    living.computeIfAbsent(slot, none -> replicas.start(slot + number++));
                }
                replicas.runFor(Duration.ofMinutes(1 + random.nextInt(20)));
                happen(List.of("a", "b", "c").get(random.nextInt(3)));
            }
        }

        private void happen(String slot) {
            Replicas.Replica replica = Objects.requireNonNull(living.get(slot), slot);
            Instant until = replicas.world.now().plus(Duration.ofMinutes(random.nextInt(180)));
            switch (random.nextInt(5)) {
                case 0 -> {
                    replica.machine.kill();
                    living.remove(slot);
                }
                case 1 -> disturb(cutOff, replica.name, until);
                case 2 -> disturb(blind, replica.name, until);
                case 3 -> define("others" + number++);
                default -> {
                    // A quiet time.
                }
            }
        }

        /** Nobody can help a replica that is cut off until its authority has ended: an hour between is enough. */
        private void disturb(Map<String, Instant> trouble, String name, Instant until) {
            Instant free = replicas.world.now().minus(Duration.ofHours(1));
            if (cutOff.getOrDefault(name, Instant.MIN).isBefore(free)
                    && blind.getOrDefault(name, Instant.MIN).isBefore(free)) {
                trouble.put(name, until);
            }
        }

        /** All replicas that hear of it write the configurations anew. */
        private void define(String plural) {
            replicas.cluster
                    .serving("kopf.dev", plural, "Other" + plural, true)
                    .put("customresourcedefinitions", null, plural + ".kopf.dev", """
                            {'spec': {'group': 'kopf.dev', 'names': {'plural': '%s', 'kind': 'Other'}, 'scope': 'Namespaced',
                             'versions': [{'name': 'v1', 'served': true, 'storage': true}]}}""".formatted(plural));
        }

        @Override
        public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                throws IOException {
            if (replicas.world.now().isBefore(cutOff.getOrDefault(client, Instant.MIN))) {
                throw new ConnectException("cut off");
            }
            boolean hidden = replicas.world.now().isBefore(blind.getOrDefault(client, Instant.MIN));
            return hidden && request.path().contains("/secrets")
                    ? TinyCluster.status(403, "Forbidden", "not allowed")
                    : null;
        }
    }

    @Test
    @Tag("J32")
    void aReplicaThatCannotReadTheSecretLeavesTheNewerAuthorityInTheBundle() throws Exception {
        Replicas replicas = new Replicas(0, QUICK);
        replicas.start("a");
        Replicas.Replica blind = replicas.start("b");
        replicas.runFor(Duration.ofHours(7));
        replicas.trouble(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return client.equals("b") && request.path().contains("/secrets")
                        ? TinyCluster.status(403, "Forbidden", "not allowed")
                        : null;
            }
        });
        replicas.runFor(Duration.ofHours(2));
        assertThat(signers(replicas)).as("a has gone on").hasSize(2);
        blind.machine.kill();
        replicas.start("c");
        replicas.runFor(Duration.ofHours(1));
        assertThat(replicas.violations).isEmpty();
        assertThat(replicas.trusted()).hasSize(2);
    }

    @Test
    @Tag("J32")
    void aDeletedSecretIsWrittenAnewWithWhatIsInUse() {
        Replicas replicas = new Replicas(0, SERVER);
        replicas.start("a");
        replicas.start("b");
        replicas.runFor(Duration.ofMinutes(1));
        ObjectNode before = secret(replicas);
        replicas.cluster.delete("secrets", "ns", "hooks-ca");
        replicas.runFor(Duration.ofMinutes(5));
        assertThat(secret(replicas).path("data")).isEqualTo(before.path("data"));
        assertThat(replicas.violations).isEmpty();
    }

    /** As in a rolling update: the new replica cannot know what the others sign with. */
    @Test
    @Tag("J32")
    void aReplicaThatStartsWithoutTheSecretLeavesTheOthersTrustedUntilTheyHaveTheNewOne() throws Exception {
        Replicas replicas = new Replicas(0, SERVER);
        replicas.start("a");
        replicas.start("b");
        replicas.runFor(Duration.ofMinutes(10));
        replicas.cluster.delete("secrets", "ns", "hooks-ca");
        replicas.start("c");
        replicas.runFor(Duration.ofSeconds(10));
        assertThat(signers(replicas)).as("others have not looked yet").hasSize(2);
        replicas.runFor(Duration.ofMinutes(2));
        assertThat(signers(replicas)).hasSize(1);
        assertThat(replicas.trusted()).hasSize(2);
        replicas.runFor(Duration.ofMinutes(35));
        assertThat(replicas.trusted()).as("the old one has gone").hasSize(1);
        assertThat(replicas.violations).isEmpty();
    }

    /** Whoever has taken the new one over tells the API server ten minutes later, which is too early. */
    @Test
    @Tag("J32")
    void anOldAuthorityGoesAlsoIfWhoeverHasMadeTheNewOneHasEndedBefore() throws Exception {
        Replicas replicas = new Replicas(0, SERVER);
        replicas.start("a");
        replicas.runFor(Duration.ofMinutes(10));
        replicas.cluster.delete("secrets", "ns", "hooks-ca");
        Replicas.Replica maker = replicas.start("c");
        replicas.runFor(Duration.ofMinutes(3));
        maker.machine.kill();
        replicas.runFor(Duration.ofMinutes(20));
        assertThat(replicas.trusted()).hasSize(2);
        replicas.runFor(Duration.ofMinutes(12));
        assertThat(replicas.trusted()).as("the old one has gone").hasSize(1);
        assertThat(replicas.violations).isEmpty();
    }

    /** All that it has written but its lease. */
    private static List<TinyCluster.Request> changesBeside(Replicas replicas) {
        return replicas.cluster.changesBy("a").stream()
                .filter(request -> !request.path().contains("/leases"))
                .toList();
    }

    @Test
    @Tag("J32")
    void aCertificateIsRenewedWhenAThirdOfItsTimeIsLeftWithoutAnyWrite() {
        Replicas replicas = new Replicas(0, QUICK);
        Replicas.Replica replica = replicas.start("a");
        replicas.runFor(Duration.ofMinutes(1));
        int writes = changesBeside(replicas).size();
        replicas.world.runFor(Duration.ofHours(3));
        assertThat(replica.shown).hasSize(1);
        replicas.world.runFor(Duration.ofMinutes(70));
        assertThat(replica.shown).hasSize(2);
        assertThat(replica.shown.getLast().getIssuerX500Principal())
                .isEqualTo(replica.shown.getFirst().getIssuerX500Principal());
        assertThat(changesBeside(replicas)).hasSize(writes);
        replicas.check("renewed");
        assertThat(replicas.violations).isEmpty();
    }

    @Test
    @Tag("J33")
    void withoutRightsTheOperatorWaitsAndSaysWhichAreMissing() {
        Replicas replicas = new Replicas(0, SERVER);
        replicas.trouble(refusing("POST"));
        try (LoggerCapture logs = new LoggerCapture("kopf4j.admission")) {
            Replicas.Replica replica = replicas.start("a");
            replicas.world.runFor(Duration.ofMinutes(10));
            assertThat(replica.handle.hasEnded()).isFalse();
            assertThat(replica.isReady()).isFalse();
            String way = "Grant the operator's account the right 'create' on the Secret hooks-ca in the namespace ns.";
            assertThat(replica.state().troubles()).singleElement().asString().contains("does not serve yet", way);
            assertThat(logs.lines(Level.WARN)).anyMatch(line -> line.contains(way));

            replicas.trouble(TinyCluster.Faults.NONE);
            replicas.world.runFor(Duration.ofMinutes(2));
            assertThat(replica.isReady()).isTrue();
        }
    }

    @Test
    @Tag("J33")
    void aSecretOfSomebodyElseIsLeftAlone() {
        Replicas replicas = new Replicas(0, SERVER);
        String other = "{'data': {'tls.crt': 'eA==', 'tls.key': 'eA=='}}";
        replicas.cluster.put("secrets", "ns", "hooks-ca", other);
        ObjectNode before = secret(replicas);
        Replicas.Replica replica = replicas.start("a");
        replicas.world.runFor(Duration.ofMinutes(10));
        assertThat(replica.handle.hasEnded()).isFalse();
        assertThat(replica.state().troubles())
                .singleElement()
                .asString()
                .contains("ns/hooks-ca", "holds no authority of this operator", "delete it");
        assertThat(secret(replicas)).isEqualTo(before);
    }

    @Test
    @Tag("J33")
    void aReplicaGoesOnWithItsCertificateWhenTheSecretBreaks() {
        Replicas replicas = new Replicas(0, SERVER);
        Replicas.Replica replica = replicas.start("a");
        replicas.runFor(Duration.ofMinutes(1));
        replicas.cluster.put("secrets", "ns", "hooks-ca", "{'data': {'tls.crt': 'eA=='}}");
        try (LoggerCapture logs = new LoggerCapture("kopf4j.admission")) {
            replicas.runFor(Duration.ofMinutes(10));
            assertThat(logs.lines(Level.WARN)).anyMatch(line -> line.contains("keeps its old certificate"));
        }
        assertThat(replica.isReady()).isTrue();
        assertThat(replica.shown).hasSize(1);
        assertThat(replicas.violations).isEmpty();
    }
}
