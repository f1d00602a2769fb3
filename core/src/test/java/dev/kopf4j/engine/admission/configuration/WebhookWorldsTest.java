package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Goal: whatever handlers are called, wherever they are reached, and whatever happens to requests and processes, each
 * handler has one webhook in the end, which the API server takes. Method: random worlds, whose server refuses what a
 * real one refuses (the rules of {@code ValidateWebhookService} and {@code ValidateWebhook} of Kubernetes, not those of
 * the operator).
 *
 * <p>{@code -Dkopf4j.seeds=10000} makes more worlds; {@code -Dkopf4j.seed=42} a single one.
 */
class WebhookWorldsTest {
    private static final int SEEDS = Integer.getInteger("kopf4j.seeds", 60);
    private static final String[] LETTERS = {
        "a", "size", "Z", "Of", "0", "_", "-", ".", "$", " ", "<", "\u00fc", "check", "spec.", "Image"
    };
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private int byService;
    private int judged;
    private int refused;
    private int failed;
    private int collisions;

    /** One world. */
    private final class World {
        private final long seed;
        private final Random random;
        private final SimulatedPlatform platform;
        private final List<String> ids = new ArrayList<>();
        private final Set<String> mutating = new HashSet<>();
        private final TinyCluster cluster = new TinyCluster()
                .serving("kopf.dev", "kopfexamples", "KopfExample", true)
                .serving("admissionregistration.k8s.io", VALIDATING, "ValidatingWebhookConfiguration", false)
                .serving("admissionregistration.k8s.io", MUTATING, "MutatingWebhookConfiguration", false);
        private boolean calm;

        World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.platform = new SimulatedPlatform(seed, Scenario.START);
            int count = 1 + random.nextInt(5);
            while (ids.size() < count) {
                String id = id();
                if (!id.isBlank() && !ids.contains(id)) {
                    ids.add(id);
                    if (random.nextBoolean()) {
                        mutating.add(id);
                    }
                }
            }
            cluster.faults(new TinyCluster.Faults() {
                @Override
                public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                    return request.path().contains("webhookconfigurations") ? answer(request) : null;
                }
            });
        }

        private String id() {
            StringBuilder id = new StringBuilder();
            int length = 1 + random.nextInt(6);
            for (int letter = 0; letter < length; letter++) {
                id.append(LETTERS[random.nextInt(LETTERS.length)]);
            }
            return id.toString();
        }

        private @Nullable TransportResponse answer(TransportRequest request) {
            if (!calm && random.nextInt(4) == 0) {
                failed++;
                return FakeApiServer.status(random.nextBoolean() ? 503 : 500, "InternalError", "not now");
            }
            byte[] body = request.body();
            if (body == null || request.method().equals("GET")) {
                return null;
            }
            Set<String> names = new HashSet<>();
            for (JsonNode webhook : Json.parse(body).path("webhooks")) {
                judged++;
                String name = webhook.path("name").asString("");
                if (!SUBDOMAIN.matcher(name).matches()
                        || name.split("[.]").length < 3
                        || name.length() > 253
                        || !names.add(name)
                        || !isPath(webhook.at("/clientConfig/service/path").asString("/"))) {
                    refused++;
                    return FakeApiServer.status(422, "Invalid", "the webhook '" + name + "' is invalid: " + webhook);
                }
            }
            return null;
        }

        private boolean isPath(String path) {
            if (path.equals("/")) {
                return true;
            }
            String inner = path.endsWith("/") ? path.substring(1, path.length() - 1) : path.substring(1);
            return path.startsWith("/")
                    && List.of(inner.split("/", -1)).stream()
                            .allMatch(part -> part.length() < 254
                                    && SUBDOMAIN.matcher(part).matches());
        }

        private OperatorBuilder handlers(OperatorBuilder builder) {
            for (String id : ids) {
                if (mutating.contains(id)) {
                    builder.onMutate("kopfexamples", id, context -> null);
                } else {
                    builder.onValidate("kopfexamples", id, context -> null);
                }
            }
            return builder;
        }

        private WebhookClientConfig address() {
            if (random.nextBoolean()) {
                byService++;
                return WebhookClientConfig.service("ns", "hooks", 443).withCaBundle("PEM");
            }
            return WebhookClientConfig.url("https://host:" + (9000 + random.nextInt(3)) + "/hooks/");
        }

        private OperatorHandle start(SimulatedPlatform machine) {
            return SimulatedOperator.start(
                    machine,
                    cluster.transport("operator", machine),
                    builder -> handlers(builder.clusterwide()
                            .settings(s -> s.admission()
                                    .managed("auto.kopf.dev")
                                    .server(context -> {
                                        context.publish(address());
                                        machine.sleep(Duration.ofMillis(random.nextInt(2000)));
                                        context.publish(address());
                                        machine.monitor().awaitTrue(() -> false, Deadline.NEVER);
                                    }))));
        }

        void live() {
            for (int process = 0; process < 3; process++) {
                SimulatedPlatform machine = platform.machine("process-" + process);
                calm = process == 2;
                OperatorHandle operator = start(machine);
                platform.runFor(Duration.ofMillis(calm ? 120_000 : random.nextInt(10_000)));
                if (operator.hasEnded()) {
                    assertThatThrownBy(operator::join)
                            .as("seed %s", seed)
                            .isInstanceOf(OperatorException.class)
                            .hasMessageContaining("become one webhook");
                    collisions++;
                    return;
                }
                if (calm) {
                    check();
                }
                machine.kill();
                platform.runFor(Duration.ofMillis(1));
            }
        }

        private void check() {
            assertThat(names(MUTATING)).as("seed %s: of %s", seed, mutating).hasSize(mutating.size());
            assertThat(names(VALIDATING)).as("seed %s: of %s", seed, ids).hasSize(ids.size() - mutating.size());
        }

        private Set<String> names(String plural) {
            Set<String> names = new HashSet<>();
            JsonNode configuration = cluster.find(plural, null, "auto.kopf.dev");
            if (configuration != null) {
                configuration
                        .path("webhooks")
                        .forEach(each -> names.add(each.path("name").asString("")));
            }
            return names;
        }
    }

    private static final String VALIDATING = "validatingwebhookconfigurations";
    private static final String MUTATING = "mutatingwebhookconfigurations";

    @Test
    @Tag("J09")
    void eachHandlerHasItsWebhookWhateverItIsCalledAndWhateverHappens() {
        Long single = Long.getLong("kopf4j.seed");
        LongStream seeds = single != null ? LongStream.of(single) : LongStream.rangeClosed(1, SEEDS);
        seeds.forEach(seed -> {
            new World(seed).live();
        });
        String counts = byService + " addresses by Service, " + judged + " webhooks judged, " + refused + " refused, "
                + failed + " failed requests, " + collisions + " operators refused at the start";
        System.out.println(counts);
        assertThat(refused).as(counts).isZero();
        if (single == null) {
            assertThat(byService).as(counts).isGreaterThan(SEEDS);
            assertThat(judged).as(counts).isGreaterThan(3 * SEEDS);
            assertThat(failed).as(counts).isGreaterThan(SEEDS);
            assertThat(collisions).as(counts).isLessThan(SEEDS / 4);
        }
    }
}
