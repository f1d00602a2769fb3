package dev.kopf4j.virtual;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks and conversions of operators in a simulation: the server asks any replica that lives, as by a Service,
 * without sockets. Confined to the simulation.
 */
public final class SimulatedWebhooks implements WebhookCaller {
    private static final String ADDRESS = "https://webhooks.virtual-time.invalid";

    /** How the server's questions about requests begin; the others are about conversions. */
    private static final String REVIEW = "{\"kind\":\"AdmissionReview\"";

    private final SimulatedPlatform server;
    private final List<Replica> replicas = new ArrayList<>();
    private boolean reviewed;
    private boolean converted;

    /** Nobody serves yet. */
    public SimulatedWebhooks(SimulatedPlatform world) {
        this.server = world.machine("webhooks");
    }

    /** One that serves. */
    private record Replica(SimulatedPlatform machine, Platform tasks, WebhookServer.WebhookContext context) {}

    /** What becomes of one call. */
    private static final class Call {
        private byte @Nullable [] answer;
        private @Nullable String failure;
    }

    /**
     * Lets an operator that says nothing of its webhooks write what the server needs to know of them: in a simulation
     * it is known where they are received.
     */
    public static void manage(OperatorSettings settings) {
        OperatorSettings.Admission admission = settings.admission();
        if (admission.server() == null && admission.managed() == null) {
            admission.managed("virtual-time.kopf4j.dev").managedConversions(true);
        }
    }

    /**
     * What receives the webhooks of an operator.
     *
     * @param machine its machine
     * @param tasks makes its tasks
     */
    public WebhookServer server(SimulatedPlatform machine, Platform tasks) {
        return context -> {
            Replica replica = new Replica(machine, tasks, context);
            replicas.add(replica);
            try {
                context.publish(WebhookClientConfig.url(ADDRESS));
                var _ = machine.monitor().awaitTrue(() -> false, Deadline.NEVER);
            } finally {
                replicas.remove(replica);
            }
        };
    }

    /** True if the server has asked for a review, be it that a filter has left out each handler. */
    public boolean haveReviewed() {
        return reviewed;
    }

    /** True if the server has asked for a conversion, be it for an operator that lists or watches. */
    public boolean haveConverted() {
        return converted;
    }

    @Override
    public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
        boolean isReview = new String(body, StandardCharsets.UTF_8).startsWith(REVIEW);
        reviewed |= isReview;
        converted |= !isReview;
        replicas.removeIf(each -> each.machine().isKilled());
        if (replicas.isEmpty()) {
            throw new IOException("Post \"" + url + "\": dial tcp: connect: connection refused, as no operator serves");
        }
        Replica replica = replicas.get(server.random().nextInt(replicas.size()));
        Call call = new Call();
        Task task = replica.tasks().spawn("webhook", () -> answer(replica, request(url, body), call));
        try {
            boolean ended = server.monitor()
                    .awaitTrue(
                            () -> call.answer != null
                                    || call.failure != null
                                    || replica.machine().isKilled(),
                            server.after(timeout));
            if (!ended) {
                task.interrupt();
                throw new IOException("Post \"" + url + "\": context deadline exceeded");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Post \"" + url + "\": interrupted", e);
        }
        byte[] answer = call.answer;
        if (answer == null) {
            throw new IOException("Post \"" + url + "\": " + (call.failure == null ? "EOF" : call.failure));
        }
        return answer;
    }

    private static void answer(Replica replica, WebhookRequest request, Call call) {
        try {
            call.answer = replica.context().answer(request).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.failure = "EOF";
        } catch (RuntimeException e) {
            call.failure =
                    "an error on the server (\"" + e.getMessage() + "\") has prevented the request from succeeding";
        }
    }

    private static WebhookRequest request(String url, byte[] body) {
        return WebhookRequest.of(body)
                .forHandler(URI.create(url).getPath().replaceFirst("^/", ""))
                .withHeaders(Map.of(
                        "Accept", List.of("application/json"),
                        "Content-length", List.of(Integer.toString(body.length)),
                        "Content-type", List.of("application/json"),
                        "Host", List.of(URI.create(url).getAuthority()),
                        "User-agent", List.of(USER_AGENT)));
    }
}
