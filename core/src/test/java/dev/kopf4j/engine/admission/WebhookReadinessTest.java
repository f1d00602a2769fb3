package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.admission.server.BuiltInServers.CrowdedContext;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From when on webhooks are served, by whom, and what the readiness says until then. */
@Tag("J34")
class WebhookReadinessTest {
    private static final String FAILING = "webhookconfigurations";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false)
            .serving("coordination.k8s.io", "leases", "Lease", true)
            .serving("admissionregistration.k8s.io", "validating" + FAILING, "ValidatingWebhookConfiguration", false)
            .serving("admissionregistration.k8s.io", "mutating" + FAILING, "MutatingWebhookConfiguration", false);
    private final AtomicReference<Supplier<OperatorState>> state = new AtomicReference<>(() -> OperatorState.STARTING);
    private WebhookServer.@Nullable WebhookContext context;
    private boolean isReachable = true;
    private boolean hasEnded;

    private OperatorHandle start(UnaryOperator<OperatorBuilder> more) {
        OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> more.apply(builder.clusterwide()
                        .onValidate("kopfexamples", "check", each -> null)
                        .onEvent("kopfexamples", "see", each -> null)
                        .metricsListener(new MetricsListener() {
                            @Override
                            public void observe(Supplier<OperatorState> observed) {
                                state.set(observed);
                            }
                        })
                        .settings(s -> s.admission().managed("auto.kopf.dev").server(this::serve))));
        world.runFor(Duration.ofSeconds(8));
        return operator;
    }

    private void serve(WebhookServer.WebhookContext offered) throws InterruptedException {
        context = offered;
        offered.delayed("The tunnel is being dug.");
        world.monitor().awaitTrue(() -> isReachable, Deadline.NEVER);
        offered.publish(WebhookClientConfig.url("https://host:9443"));
        try {
            world.monitor().awaitTrue(() -> false, Deadline.NEVER);
        } finally {
            world.sleep(Duration.ofSeconds(3)); // as a server that goes on for a while
            hasEnded = true;
        }
    }

    @Test
    @Tag("L39")
    void theServerEndsWithTheOperator() {
        OperatorHandle operator = start(builder -> builder);
        operator.stop();
        world.runFor(Duration.ofSeconds(30));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(hasEnded).as("the server was interrupted, and has ended").isTrue();
    }

    @Test
    @Tag("L39")
    void anErrorOfTheServerEndsTheOperator() {
        OperatorHandle operator =
                start(builder -> builder.settings(s -> s.admission().server(offered -> {
                    throw new ServiceConfigurationError("no provider");
                })));
        world.runFor(Duration.ofSeconds(30));
        assertThat(operator.hasEnded()).isTrue();
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

    @Test
    @Tag("L39")
    void aFailureOfTheServerThatCannotBeToldEndsTheOperatorToo() {
        OperatorHandle operator =
                start(builder -> builder.settings(s -> s.admission().server(offered -> {
                    throw new WithoutCause();
                })));
        world.runFor(Duration.ofSeconds(30));
        assertThat(operator.hasEnded()).isTrue();
    }

    @Test
    void aRefusalWhoseMessageCannotBeReadIsARefusal() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "no", context -> {
            throw new WithoutCause();
        }));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}"))
                        .path("status")
                        .path("message")
                        .asString())
                .isEqualTo("(its message cannot be read: java.lang.NullPointerException)");
    }

    private List<String> troubles() {
        return state.get().get().troubles();
    }

    private int readiness() {
        return new ReadinessPage(state.get(), Duration.ofMinutes(5)).content().status();
    }

    /** What the Service of the webhooks is told. */
    private int serving() {
        return new ReadinessPage.OfWebhooks(state.get()).content().status();
    }

    /** What the API server is answered. */
    private String answer() {
        return answer(Json.bytes(TestedWebhooks.creation("{}")));
    }

    private String answer(byte[] review) {
        AtomicReference<String> answer = new AtomicReference<>("");
        world.spawn("api server", () -> {
            try {
                answer.set(Json.text(Json.parse(
                        context == null
                                ? new byte[0]
                                : context.answer(WebhookRequest.of(review)).body())));
            } catch (WebhookException e) {
                answer.set(e.status() + ": " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofSeconds(1));
        return answer.get();
    }

    @Test
    void aReviewThatWouldFillTheHeapIsRefusedBeforeItIsParsedWhicheverServerBringsIt() {
        start(builder -> builder);
        String usual = Json.text(TestedWebhooks.creation("{}"));
        int arrays = (int) (Runtime.getRuntime().maxMemory() / 5 * 2 / 72);
        String brackets = "{\"junk\":[" + "[],".repeat(arrays) + "0]," + usual.substring(1);
        assertThat(answer(brackets.getBytes(StandardCharsets.UTF_8))).startsWith("413: the review would take about");
        assertThat(answer()).contains("\"allowed\":true");
    }

    @Test
    void nothingIsWatchedBeforeTheServerCanBeReached() {
        isReachable = false;
        start(builder -> builder);
        assertThat(cluster.lists("kopfexamples")).isZero();
        assertThat(troubles()).containsExactly("the webhook server does not serve yet: The tunnel is being dug.");
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving()).isEqualTo(503);

        world.monitor().locked(() -> {
            isReachable = true;
        });
        world.runFor(Duration.ofSeconds(5));
        assertThat(cluster.lists("kopfexamples")).isPositive();
        assertThat(troubles()).isEmpty();
        assertThat(readiness()).isEqualTo(200);
    }

    /** The lists of an operator that converts wait for its Service: one that waited for the lists would have no pod. */
    @Test
    void itsServiceHasWhoeverServesThoughNothingCanBeListed() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains("kopfexamples")
                        ? TinyCluster.status(
                                500,
                                "InternalError",
                                "conversion webhook for kopf.dev/v1, Kind=KopfExample failed: connection refused")
                        : null;
            }
        });
        start(builder -> builder);
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving()).isEqualTo(200);
        assertThat(answer()).contains("\"allowed\":true");
    }

    @Test
    void whoCannotBeReachedAnyMoreIsNotReady() throws Exception {
        start(builder -> builder);
        Objects.requireNonNull(context).delayed("its certificate has expired");
        assertThat(troubles()).containsExactly("the webhook server cannot be reached: its certificate has expired");
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving()).isEqualTo(503);
        Objects.requireNonNull(context).publish(WebhookClientConfig.url("https://host:9443"));
        assertThat(troubles()).isEmpty();
        assertThat(readiness()).isEqualTo(200);
    }

    /** Another replica may have room; and whoever looks at the pod hears why its requests fail. */
    @Test
    void whoHasNoPlaceForARequestIsNotReadyUntilThereIsOne() {
        start(builder -> builder);
        CrowdedContext told = (CrowdedContext) Objects.requireNonNull(context);
        told.crowded("1000 requests are being answered, and no other is taken");
        assertThat(troubles())
                .containsExactly(
                        "the webhook server cannot be reached: 1000 requests are being answered, and no other is"
                                + " taken");
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving()).isEqualTo(503);
        told.publish(WebhookClientConfig.url("https://host:9443"));
        assertThat(serving()).as("a renewed certificate makes no room").isEqualTo(503);
        told.crowded(null);
        assertThat(troubles()).isEmpty();
        assertThat(serving()).isEqualTo(200);
    }

    @Test
    void nothingIsWatchedBeforeTheConfigurationsAreWritten() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains(FAILING)
                        ? TinyCluster.status(500, "InternalError", "the store is full")
                        : null;
            }
        });
        OperatorHandle operator =
                start(builder -> builder.settings(s -> s.networking().errorBackoffs()));
        assertThat(operator.hasEnded()).isFalse();
        assertThat(cluster.lists("kopfexamples")).isZero();
        assertThat(troubles())
                .singleElement()
                .asString()
                .startsWith("the webhook configurations are not written yet: ")
                .contains("the store is full");
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving())
                .as("what is written may have to be judged by this replica first")
                .isEqualTo(200);

        cluster.faults(TinyCluster.Faults.NONE);
        world.runFor(Duration.ofMinutes(2));
        assertThat(cluster.lists("kopfexamples")).isPositive();
        assertThat(readiness()).isEqualTo(200);
    }

    /** A roll-out goes by what the Service is told, and would end all the replicas of the version before. */
    @ParameterizedTest
    @CsvSource({"403, Forbidden", "422, Invalid"})
    void whoseConfigurationsAreRefusedTakesNobodysPlace(int status, String reason) {
        cluster.faults(refusing(status, reason));
        start(builder -> builder);
        assertThat(serving()).as("as soon as the server can be reached").isEqualTo(503);
        world.runFor(Duration.ofMinutes(5));
        assertThat(cluster.lists("kopfexamples")).isZero();
        assertThat(serving()).isEqualTo(503);
        assertThat(troubles())
                .singleElement()
                .asString()
                .contains("are not written yet")
                .contains("refused");

        cluster.faults(TinyCluster.Faults.NONE);
        world.runFor(Duration.ofMinutes(2));
        assertThat(serving()).isEqualTo(200);
        assertThat(readiness()).isEqualTo(200);
    }

    private static TinyCluster.Faults refusing(int status, String reason) {
        return new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains(FAILING) && request.method().equals("PATCH")
                        ? TinyCluster.status(status, reason, "refused")
                        : null;
            }
        };
    }

    @Test
    void whoServesIsAskedThoughRightsWereTakenAway() throws Exception {
        start(builder -> builder);
        cluster.faults(refusing(403, "Forbidden"));
        Objects.requireNonNull(context).publish(WebhookClientConfig.url("https://host:9444"));
        world.runFor(Duration.ofMinutes(5));
        assertThat(serving()).isEqualTo(200);
    }

    @Test
    void aReplicaThatIsPausedServes() {
        cluster.put("clusterkopfpeerings", null, "default", """
                {'status': {'other': {'priority': 100, 'lifetime': 3600, 'lastseen': '%s'}}}""".formatted(Scenario.START));
        start(builder -> builder.settings(s -> s.peering().name("default").mandatory(true)));
        assertThat(state.get().get().pauses()).singleElement().asString().contains("other");
        assertThat(answer()).contains("\"allowed\":true");
        assertThat(readiness()).isEqualTo(200);
        assertThat(serving()).isEqualTo(200);
    }

    @Test
    @Tag("J10")
    void aReplicaThatDoesNotLeadServes() {
        cluster.put("leases", "default", "kopf4j", """
                {'spec': {'holderIdentity': 'other', 'leaseDurationSeconds': 15, 'renewTime': '2020-01-01T00:00:00.000000Z',
                 'acquireTime': '2020-01-01T00:00:00.000000Z', 'leaseTransitions': 1}}""");
        start(builder -> builder.settings(s -> s.leaderElection().enabled(true).leaseNamespace("default")));
        assertThat(state.get().get().pauses()).hasSize(1);
        assertThat(answer()).contains("\"allowed\":true");
        assertThat(cluster.get("validating" + FAILING, null, "auto.kopf.dev").path("webhooks"))
                .as("who serves may be asked, whether it leads or not")
                .hasSize(1);
        assertThat(readiness()).isEqualTo(200);
    }

    @Test
    void aReplicaThatStopsIsNotReadyButAnswers() {
        OperatorHandle operator = start(builder -> builder);
        assertThat(readiness()).isEqualTo(200);
        operator.stop();
        world.runFor(Duration.ofSeconds(1));
        assertThat(troubles()).containsExactly("the operator is stopping");
        assertThat(readiness()).isEqualTo(503);
        assertThat(serving()).isEqualTo(503);
        assertThat(answer()).contains("\"allowed\":true");
        world.runFor(Duration.ofSeconds(10));
        assertThat(operator.hasEnded()).isTrue();
    }
}
