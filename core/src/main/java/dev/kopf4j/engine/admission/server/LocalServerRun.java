package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.identity.AuthorityState.TrustBundle;
import dev.kopf4j.engine.admission.identity.Secrets;
import dev.kopf4j.engine.admission.identity.Secrets.SecretUnavailableException;
import dev.kopf4j.engine.admission.identity.ServerIdentities;
import dev.kopf4j.engine.admission.identity.ServerIdentity;
import dev.kopf4j.engine.admission.identity.WebhookAddress;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.GrowingPause;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a local server from its start to its end, and keeps its certificate new. Confined to its task. */
final class LocalServerRun {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** API servers hear of a new client config by a watch, usually at once. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(5);

    /** An old certificate stays trusted for as many checks: other replicas with the same files may be late. */
    private static final int CHECKS_BEFORE_FORGOTTEN = 10;

    /** Whoever renews certificates has done so long before. */
    private static final Duration WARNED_BEFORE = Duration.ofDays(3);

    /** Whoever has made a certificate a moment ago may have a clock that is a little ahead. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final Duration WARNING_PERIOD = Duration.ofHours(6);

    private final Platform platform;
    private final LocalWebhookServer options;
    private final WebhookServer.WebhookContext context;
    private final ListeningServer.Starter starter;
    private final ServerIdentities identities;
    private @Nullable String told;
    private Deadline forgetting = Deadline.NEVER;
    private Deadline nextWarning;
    private boolean expired;
    /** True while a certificate is shown of whose authority the API server has not been told. */
    private boolean untold;
    /** What the file for clients has. */
    private @Nullable String dumped;
    /** True from when the file could not be written until it is. */
    private boolean undumped;

    LocalServerRun(
            Platform platform,
            Secrets secrets,
            LocalWebhookServer options,
            WebhookServer.WebhookContext context,
            ListeningServer.Starter starter) {
        this.platform = platform;
        this.options = options;
        this.context = context;
        this.starter = starter;
        this.identities = new ServerIdentities(platform, secrets, options);
        this.nextWarning = platform.after(Duration.ZERO);
    }

    /** Serves until it is interrupted. */
    void run() throws InterruptedException {
        ServerIdentity identity = options.isInsecure() ? null : first();
        ListeningServer server = starter.start(options, identity, context);
        try {
            String ca = identity == null ? null : identity.caPem();
            dump(ca);
            publish(server, ca);
            while (true) {
                if (identity != null) {
                    watchEnd(server, identity);
                }
                platform.sleep(options.fileCheckInterval());
                if (identity != null) {
                    tell(server);
                    dumpAgain();
                    identity = renewed(server, identity);
                }
            }
        } finally {
            server.stop(options.stopDelay());
        }
    }

    /**
     * Certificates that others renew may end: then the API server refuses the connection, and nobody else tells. Those
     * of issuers only warn: clients may find another way to an authority that they trust.
     */
    private void watchEnd(ListeningServer server, ServerIdentity identity) {
        X509Certificate own = identity.certificate().orElse(null);
        if (own == null) {
            return;
        }
        Instant begin = own.getNotBefore().toInstant();
        Instant end = own.getNotAfter().toInstant();
        Instant now = platform.now();
        if (now.isBefore(end)) {
            if (expired) {
                expired = false;
                publish(server, told);
            } else if (now.isAfter(end.minus(warnedBefore(own)))) {
                warn("The certificate of the webhook server ends at {}, and nobody has renewed it yet.", end);
            } else if (now.isBefore(begin.minus(CLOCK_SKEW))) {
                warn(
                        "The certificate of the webhook server is not valid before {}, and the API server refuses to ask"
                                + " it until then: whoever has made it, or this machine, has a wrong clock.",
                        begin);
            } else {
                expiredIssuer(identity, now)
                        .ifPresent(ended -> warn(
                                "The webhook server shows a certificate of an issuer that has expired at {}: the API"
                                        + " server refuses to ask it, unless it knows another way to a trusted one.",
                                ended));
            }
            return;
        }
        warn("The certificate of the webhook server has expired at {}: the API server refuses to ask it.", end);
        expired = true;
        context.delayed("its certificate has expired at " + end + "; renew it, or look why that was not done");
    }

    private static Optional<Instant> expiredIssuer(ServerIdentity identity, Instant now) {
        return identity.parts().chain().stream()
                .skip(1)
                .map(issuer -> issuer.getNotAfter().toInstant())
                .filter(end -> !now.isBefore(end))
                .findFirst();
    }

    /** Three days, or less for certificates that live for days only. */
    private static Duration warnedBefore(X509Certificate certificate) {
        Duration tenth = Duration.between(
                        certificate.getNotBefore().toInstant(),
                        certificate.getNotAfter().toInstant())
                .dividedBy(10);
        return tenth.compareTo(WARNED_BEFORE) < 0 ? tenth : WARNED_BEFORE;
    }

    private void warn(String message, Instant end) {
        if (nextWarning.hasPassed(platform)) {
            nextWarning = platform.after(WARNING_PERIOD);
            log.warn(message, end);
        }
    }

    /** A Secret that cannot be read yet is waited for: others, or people, have to do something. */
    private ServerIdentity first() throws InterruptedException {
        GrowingPause pause = new GrowingPause();
        while (true) {
            try {
                return identities.current();
            } catch (SecretUnavailableException e) {
                log.warn(
                        "K4-013: The webhooks are not served, and are tried again in {} s: {}",
                        pause.next().toSeconds(),
                        message(e));
                context.delayed(message(e));
                pause.make(platform);
            }
        }
    }

    private static String message(Exception e) {
        return String.valueOf(e.getMessage());
    }

    /**
     * Changes the identity if that is due. Clients are told to trust both before, so that nobody is refused meanwhile;
     * and the new one only after a while.
     */
    private ServerIdentity renewed(ListeningServer server, ServerIdentity old) throws InterruptedException {
        Optional<ServerIdentity> found = renewed();
        if (found.isEmpty()) {
            forget(server, old);
            return old;
        }
        ServerIdentity renewed = found.get();
        log.info("The certificate of the webhook server is renewed.");
        String both = TrustBundle.union(renewed.caPem(), told);
        if (!renewed.parts().hasIssuerOf(old.parts()) || !Objects.equals(both, told)) {
            publish(server, both);
            if (isTold(server, old)) {
                platform.sleep(withinValidity(old, toldWithin()));
            }
        }
        server.show(renewed);
        forgetting = platform.after(options.fileCheckInterval().multipliedBy(CHECKS_BEFORE_FORGOTTEN));
        return renewed;
    }

    /**
     * Waits until the API server trusts the new one as well; no longer than the old one is valid, as nobody trusts that
     * any more then.
     */
    private boolean isTold(ListeningServer server, ServerIdentity old) throws InterruptedException {
        while (true) {
            watchEnd(server, old);
            if (expired) {
                expired = false;
                untold = true;
                context.delayed("the API server could not be told yet who has signed its new certificate");
                return false;
            }
            Deadline check = platform.after(withinValidity(old, options.fileCheckInterval()));
            if (context.awaitConfigured(check.remaining(platform))) {
                return true;
            }
            platform.sleep(check.remaining(platform));
        }
    }

    /** This long, but not longer than the certificate is valid. */
    private Duration withinValidity(ServerIdentity identity, Duration duration) {
        return identity.certificate()
                .map(own -> Duration.between(platform.now(), own.getNotAfter().toInstant()))
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .filter(left -> left.compareTo(duration) < 0)
                .orElse(duration);
    }

    /** Ends the delay, once the API server has heard of the authority. */
    private void tell(ListeningServer server) throws InterruptedException {
        if (untold && context.awaitConfigured(Duration.ZERO)) {
            untold = false;
            publish(server, told);
        }
    }

    private void forget(ListeningServer server, ServerIdentity current) {
        if (!untold && forgetting.hasPassed(platform)) {
            forgetting = Deadline.NEVER;
            publish(server, current.caPem());
        }
    }

    private Optional<ServerIdentity> renewed() throws InterruptedException {
        try {
            return identities.renewed();
        } catch (OperatorException | SecretUnavailableException e) {
            log.warn("{} The webhook server keeps its old certificate until then.", e.getMessage());
            return Optional.empty();
        }
    }

    private Duration toldWithin() {
        Duration interval = options.fileCheckInterval();
        return interval.compareTo(TOLD_WITHIN) < 0 ? interval : TOLD_WITHIN;
    }

    private void publish(ListeningServer server, @Nullable String ca) {
        told = ca;
        context.publish(WebhookAddress.clientConfig(options, server.port(), ca));
        dumpAgain();
    }

    /** The API server does not need the file: what cannot be written there is tried again. */
    private void dumpAgain() {
        try {
            dump(told);
            undumped = false;
        } catch (OperatorException e) {
            if (!undumped) {
                log.warn("K4-026: {}. It is tried again; the webhooks are served all the same.", message(e));
            }
            undumped = true;
        }
    }

    private void dump(@Nullable String ca) {
        Path file = options.caDump();
        if (file == null || ca == null || ca.equals(dumped)) {
            return;
        }
        try {
            Files.writeString(file, ca);
            dumped = ca;
        } catch (IOException e) {
            throw new OperatorException(
                    "The authority of the webhook server cannot be written: " + file + ": "
                            + FileProblem.describe(file, e),
                    e);
        }
    }

    /** A server that listens at a port. Thread-safe. */
    interface ListeningServer {
        /** The port in use. */
        int port();

        /** From now on new connections see this identity; those that exist go on. */
        void show(ServerIdentity identity);

        /**
         * Ends, with a grace for requests that have been received.
         *
         * @param delay how long it goes on before, without keeping connections alive
         */
        void stop(Duration delay) throws InterruptedException;

        /** Starts servers. */
        @FunctionalInterface
        interface Starter {
            /**
             * A server that listens at once.
             *
             * @param identity null for plain HTTP
             */
            ListeningServer start(
                    LocalWebhookServer options,
                    @Nullable ServerIdentity identity,
                    WebhookServer.WebhookContext context);
        }
    }
}
