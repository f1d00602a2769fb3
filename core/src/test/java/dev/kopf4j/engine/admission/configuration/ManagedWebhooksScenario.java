package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Operators that write their webhooks into a small cluster. */
abstract class ManagedWebhooksScenario {
    static final String VALIDATING = "validatingwebhookconfigurations";
    static final String MUTATING = "mutatingwebhookconfigurations";

    final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("admissionregistration.k8s.io", VALIDATING, "ValidatingWebhookConfiguration", false)
            .serving("admissionregistration.k8s.io", MUTATING, "MutatingWebhookConfiguration", false);
    WebhookClientConfig address =
            WebhookClientConfig.url("https://host:9443/hooks/").withCaBundle("PEM");
    Consumer<WebhookClientConfig> publisher = config -> {};
    WebhookServer.@Nullable WebhookContext server;

    OperatorHandle start(UnaryOperator<OperatorBuilder> handlers) {
        OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("operator", world),
                builder -> handlers.apply(builder.settings(
                        s -> s.admission().managed("auto.kopf.dev").server(this::serve))));
        world.runFor(Duration.ofSeconds(5));
        return operator;
    }

    void serve(WebhookServer.WebhookContext context) throws InterruptedException {
        publisher = context::publish;
        server = context;
        context.publish(address);
        world.monitor().awaitTrue(() -> false, Deadline.NEVER);
    }

    static OperatorBuilder simple(OperatorBuilder builder) {
        return builder.onValidate("kopfexamples", "check", context -> null)
                .onMutate("kopfexamples", "fill", h -> h.persistent(), context -> null);
    }

    JsonNode webhooks(String plural) {
        return cluster.get(plural, null, "auto.kopf.dev").path("webhooks");
    }

    List<String> writes() {
        return cluster.changesBy("operator").stream()
                .filter(request -> request.path().contains("webhookconfigurations"))
                .map(request -> request.method() + " "
                        + request.path().replaceAll(".*/(mutating|validating)webhookconfigurations.*", "$1"))
                .toList();
    }

    void stop(OperatorHandle operator) {
        operator.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(operator.hasEnded()).isTrue();
    }

    OperatorHandle startShared() {
        return start(builder ->
                simple(builder).settings(s -> s.leaderElection().enabled(true).leaseNamespace("default")));
    }

    void change(Consumer<ObjectNode> change) {
        JsonNode webhooks = webhooks(VALIDATING).deepCopy();
        webhooks.forEach(webhook -> change.accept((ObjectNode) webhook));
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + webhooks + "}");
    }

    void replaceBundle(String plural, String bundle) {
        JsonNode webhooks = webhooks(plural).deepCopy();
        webhooks.forEach(webhook -> {
            if (bundle.equals("null")) {
                ((ObjectNode) webhook.path("clientConfig")).remove("caBundle");
            } else {
                ((ObjectNode) webhook.path("clientConfig")).put("caBundle", bundle.replace("'", ""));
            }
        });
        cluster.patch(
                plural,
                null,
                "auto.kopf.dev",
                "{'webhooks': " + webhooks.toString().replace('"', '\'') + "}");
    }

    String bundle(String plural) {
        return webhooks(plural).at("/0/clientConfig/caBundle").asString("");
    }

    void forbid(String method) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                return transportRequest.path().contains("webhookconfigurations")
                                && transportRequest.method().equals(method)
                        ? TinyCluster.status(403, "Forbidden", "not allowed")
                        : null;
            }
        });
    }
}
