package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a local server from its start to its end, and keeps its certificate new. Confined to its task. */
final class LocalServerRun {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** API servers hear of a new client config by a watch, usually at once. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(5);

    private final Platform platform;
    private final LocalWebhookServer options;
    private final WebhookServer.WebhookContext context;
    private final ServerIdentities identities;

    LocalServerRun(Platform platform, LocalWebhookServer options, WebhookServer.WebhookContext context) {
        this.platform = platform;
        this.options = options;
        this.context = context;
        this.identities = new ServerIdentities(platform, options);
    }

    /** Serves until it is interrupted. */
    void run() throws InterruptedException {
        ServerIdentity identity = options.isInsecure() ? null : identities.current();
        ReviewServer server = ReviewServer.start(platform, options, identity, context);
        try {
            String ca = identity == null ? null : identity.caPem();
            dump(ca);
            publish(server, ca);
            while (true) {
                platform.sleep(options.fileCheckInterval());
                if (identity != null) {
                    identity = renewed(server, identity);
                }
            }
        } finally {
            server.stop();
        }
    }

    /**
     * Changes the identity if that is due. Clients are told to trust both before, so that nobody is refused meanwhile;
     * and the new one only after.
     */
    private ServerIdentity renewed(ReviewServer server, ServerIdentity old) throws InterruptedException {
        Optional<ServerIdentity> found = renewed();
        if (found.isEmpty()) {
            return old;
        }
        ServerIdentity renewed = found.get();
        log.info("The certificate of the webhook server is renewed.");
        publish(server, ServerIdentity.bundle(old, renewed));
        platform.sleep(toldWithin());
        server.show(renewed);
        dump(renewed.caPem());
        platform.sleep(toldWithin());
        publish(server, renewed.caPem());
        return renewed;
    }

    private Optional<ServerIdentity> renewed() {
        try {
            return identities.renewed();
        } catch (OperatorException e) {
            log.warn("{} The webhook server keeps its old certificate until then.", e.getMessage());
            return Optional.empty();
        }
    }

    private Duration toldWithin() {
        Duration interval = options.fileCheckInterval();
        return interval.compareTo(TOLD_WITHIN) < 0 ? interval : TOLD_WITHIN;
    }

    private void publish(ReviewServer server, @Nullable String ca) {
        context.publish(ServerAddress.clientConfig(options, server.port(), ca));
    }

    private void dump(@Nullable String ca) {
        Path file = options.caDump();
        if (file == null || ca == null) {
            return;
        }
        try {
            Files.writeString(file, ca);
        } catch (IOException e) {
            throw new OperatorException(
                    "The authority of the webhook server cannot be written: " + file + ": "
                            + FileProblem.describe(file, e),
                    e);
        }
    }
}
