package dev.kopf4j.engine.admission;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationWriter;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurations;
import dev.kopf4j.engine.admission.server.BuiltInServers;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The webhooks of an operator: serves them, and keeps the API server informed of them. Serves from the moment at which
 * the resources of the cluster are known, whether the operator acts or not. Thread-safe.
 */
public final class Webhooks {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Platform platform;
    private final AdmissionReviews reviews;
    private final ConversionReviews conversions;
    private final WebhookConfigurationWriter writer;
    private final WebhookServerRun run;
    private final Monitor monitor;

    /** Guarded by the monitor. */
    private boolean begun;

    /**
     * Nothing is served yet.
     *
     * @param failed hears that the operator cannot go on
     */
    public Webhooks(
            Platform platform,
            WebhookServer server,
            BuiltInServers builtIn,
            AdmissionReviews reviews,
            ConversionReviews conversions,
            WebhookConfigurations configurations,
            Consumer<OperatorException> failed) {
        this.platform = platform;
        this.reviews = reviews;
        this.conversions = conversions;
        this.writer = new WebhookConfigurationWriter(platform, configurations, failed);
        this.monitor = platform.monitor();
        this.run = new WebhookServerRun(platform, server, builtIn, this::answer, writer, failed);
    }

    /**
     * From now on the cluster serves these. The first time, the server is started, and the method returns when it can
     * be reached and the API server knows of it. Later it waits as long as {@link #PATIENCE} for definitions that are
     * to be converted, as whoever returns to its caller watches their objects.
     *
     * @throws OperatorException if that is impossible
     */
    public void found(Collection<Resource> resources) throws InterruptedException {
        reviews.serve(resources);
        conversions.serve(resources);
        writer.resources(reviews.resources());
        if (!conversions.isEmpty()) {
            writer.lookAgain();
        }
        if (isFirst()) {
            writer.begin();
            run.begin();
            writer.awaitFirst();
        } else if (!conversions.isEmpty()) {
            writer.awaitCurrent(platform.after(PATIENCE));
        }
    }

    private WebhookResponse answer(WebhookRequest request) throws InterruptedException {
        return conversions.isFor(request) ? conversions.answer(request) : reviews.answer(request);
    }

    private boolean isFirst() {
        return monitor.locked(() -> {
            boolean first = !begun;
            begun = true;
            return first;
        });
    }

    /** What keeps the API server from asking this replica, in words for people; empty if nothing does. */
    public List<String> troubles() {
        List<String> unserved = run.troubles();
        return unserved.isEmpty() ? writer.troubles() : unserved;
    }

    /** Takes the webhooks back, then ends the server. */
    public void end() throws InterruptedException {
        try {
            writer.end();
        } finally {
            run.end();
        }
    }
}
