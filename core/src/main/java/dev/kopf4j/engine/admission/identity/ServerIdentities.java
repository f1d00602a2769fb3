package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.engine.admission.authority.AuthorityState;
import dev.kopf4j.engine.admission.authority.Secrets;
import dev.kopf4j.engine.admission.authority.Secrets.SecretUnavailableException;
import dev.kopf4j.engine.admission.authority.SharedAuthority;
import dev.kopf4j.engine.admission.identity.GivenCertificate.PemFiles;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes the identity of a server, and a new one when what it is made of has changed. Confined to a task. */
public final class ServerIdentities {
    /** One look may fail. */
    private static final int LOOKS_MIN = 3;

    private final LocalWebhookServer options;
    private final CertificateSource source;
    private ServerIdentity.@Nullable Parts known;

    public ServerIdentities(Platform platform, Secrets secrets, LocalWebhookServer options) {
        this.options = options;
        this.source = source(platform, secrets, options);
    }

    private static CertificateSource source(Platform platform, Secrets secrets, LocalWebhookServer options) {
        WebhookAuthority authority = options.authority();
        if (authority != null) {
            check(authority, options);
            return new SharedAuthorityCertificate(
                    platform,
                    new SharedAuthority(platform, secrets, authority),
                    options,
                    authority.certificatesValidFor());
        }
        if (options.certificateSecret() != null) {
            return GivenCertificate.inSecret(options, secrets, Objects.requireNonNull(options.certificateSecret()));
        }
        if (options.certificateFolder() != null) {
            return GivenCertificate.inFolder(options, Objects.requireNonNull(options.certificateFolder()));
        }
        if (options.certificateFile() != null && options.keyFile() != null) {
            return GivenCertificate.inFiles(
                    options,
                    Objects.requireNonNull(options.certificateFile()),
                    Objects.requireNonNull(options.keyFile()));
        }
        return new OwnCertificate(platform, options);
    }

    private static void check(WebhookAuthority authority, LocalWebhookServer options) {
        if (authority.announcedFor().compareTo(options.fileCheckInterval().multipliedBy(LOOKS_MIN)) < 0) {
            throw new OperatorException("The next authority of the webhooks is announced for "
                    + authority.announcedFor() + ", but replicas look for it once in " + options.fileCheckInterval()
                    + ": make announcedFor(...) longer, or fileCheckInterval(...) shorter.");
        }
    }

    /**
     * The identity as it is now.
     *
     * @throws OperatorException if a file cannot be used
     * @throws SecretUnavailableException if a Secret cannot be used
     */
    public ServerIdentity current() throws InterruptedException {
        return made(parts());
    }

    /**
     * A new identity; empty if nothing has changed.
     *
     * @throws OperatorException if a file has changed and cannot be used; asked again, it tries again
     * @throws SecretUnavailableException the same of a Secret
     */
    public Optional<ServerIdentity> renewed() throws InterruptedException {
        ServerIdentity.Parts now = parts();
        return now.equals(known) ? Optional.empty() : Optional.of(made(now));
    }

    private ServerIdentity.Parts parts() throws InterruptedException {
        String clients = PemFiles.clientAuthorities(options);
        SSLContext given = options.sslContext();
        return given == null
                ? ServerIdentity.Parts.of(source.current(), clients)
                : ServerIdentity.Parts.given(given, PemFiles.authorities(options), clients);
    }

    private ServerIdentity made(ServerIdentity.Parts parts) {
        try {
            ServerIdentity identity = parts.identity();
            known = parts;
            return identity;
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new OperatorException(
                    "The certificate of the webhook server cannot be used: " + e.getMessage()
                            + ". Check what is given by certificate(...), ca(...) and clientCa(...).",
                    e);
        }
    }

    /** A self-signed certificate of this process alone, replaced before it ends. */
    private static final class OwnCertificate implements CertificateSource {
        private static final Duration VALIDITY = Duration.ofDays(365);

        /** How long before its end it is replaced. */
        private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

        private final Platform platform;
        private final LocalWebhookServer options;
        private CertificateAuthority.@Nullable Issued known;

        OwnCertificate(Platform platform, LocalWebhookServer options) {
            this.platform = platform;
            this.options = options;
        }

        @Override
        public Certificate current() {
            CertificateAuthority.Issued own = known;
            if (own == null || isEnding(own)) {
                own = CertificateAuthority.selfSigned(
                        ServerNames.of(ServerAddress.names(options)), platform.now(), VALIDITY);
                known = own;
            }
            return new Certificate(List.of(own.certificate()), own.key(), own.certificatePem());
        }

        private boolean isEnding(CertificateAuthority.Issued certificate) {
            Instant end = certificate.certificate().getNotAfter().toInstant();
            return platform.now().isAfter(end.minus(RENEWED_BEFORE));
        }
    }

    /** A certificate of this process alone, signed by the authority of all replicas, replaced before it ends. */
    private static final class SharedAuthorityCertificate implements CertificateSource {
        private static final int PARTS = 3;

        private final Platform platform;
        private final SharedAuthority authority;
        private final ServerNames names;
        private final Duration validity;
        private @Nullable AuthorityState last;
        private @Nullable CertificateAuthority signer;
        private CertificateAuthority.@Nullable Issued issued;

        SharedAuthorityCertificate(
                Platform platform, SharedAuthority authority, LocalWebhookServer options, Duration validity) {
            this.platform = platform;
            this.authority = authority;
            this.names = ServerNames.of(ServerAddress.names(options));
            this.validity = validity;
        }

        @Override
        public Certificate current() throws InterruptedException {
            AuthorityState state = state();
            CertificateAuthority.Issued own = issued;
            if (own == null || !state.signing().equals(signer) || isDue(own, state.signing())) {
                own = state.signing().issue(names, platform.now(), validity);
                issued = own;
                signer = state.signing();
            }
            return new Certificate(List.of(own.certificate()), own.key(), state.bundle());
        }

        /** Who cannot read the Secret signs with what was there last, before the certificate ends. */
        private AuthorityState state() throws InterruptedException {
            try {
                AuthorityState state = authority.current();
                last = state;
                return state;
            } catch (SecretUnavailableException e) {
                AuthorityState known = last;
                if (known == null || issued == null || !isDue(issued, known.signing())) {
                    throw e;
                }
                return known;
            }
        }

        /** A third is left; but nothing is won by one that ends no later. */
        private boolean isDue(CertificateAuthority.Issued certificate, CertificateAuthority by) {
            Instant end = certificate.certificate().getNotAfter().toInstant();
            boolean isLate = !platform.now().isBefore(end.minus(validity.dividedBy(PARTS)));
            return isLate && end.isBefore(by.end());
        }
    }
}
