package dev.kopf4j.engine.admission;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of an operator: serves them, and keeps the API server informed of them. Serves from the moment at which
 * the resources of the cluster are known, whether the operator acts or not. Thread-safe.
 */
public final class Webhooks {
    private final AdmissionReviews reviews;
    private final WebhookConfigurations configurations;
    private final WebhookServerRun run;
    private final Consumer<OperatorException> failed;
    private final Monitor monitor;

    // Guarded by the monitor.
    private boolean begun;
    private @Nullable WebhookClientConfig clientConfig;

    /**
     * Nothing is served yet.
     *
     * @param failed hears that the operator cannot go on
     */
    public Webhooks(
            Platform platform,
            WebhookServer server,
            AdmissionReviews reviews,
            WebhookConfigurations configurations,
            Consumer<OperatorException> failed) {
        this.reviews = reviews;
        this.configurations = configurations;
        this.failed = failed;
        this.monitor = platform.monitor();
        this.run = new WebhookServerRun(platform, server, reviews, this::published, failed);
    }

    /**
     * From now on the cluster serves these. The first time, the server is started, and returns when it can be reached
     * and the API server knows of it.
     *
     * @throws OperatorException if that is impossible
     */
    public void found(Collection<Resource> resources) throws InterruptedException {
        reviews.serve(resources);
        WebhookClientConfig known = monitor.locked(() -> clientConfig);
        if (known != null) {
            configurations.configure(reviews.resources(), known);
        } else if (!monitor.locked(() -> begun)) {
            monitor.locked(() -> {
                begun = true;
            });
            run.begin();
        }
    }

    private void published(WebhookClientConfig config) {
        monitor.locked(() -> {
            clientConfig = config;
        });
        try {
            configurations.configure(reviews.resources(), config);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (OperatorException e) {
            failed.accept(e);
            throw e;
        }
    }

    /** Takes the webhooks back, then ends the server. */
    public void end() throws InterruptedException {
        try {
            configurations.cleanUp();
        } finally {
            run.end();
        }
    }
}
