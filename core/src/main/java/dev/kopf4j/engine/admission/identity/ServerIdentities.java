package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.authority.SecretUnavailableException;
import dev.kopf4j.engine.admission.authority.Secrets;
import dev.kopf4j.engine.admission.authority.SharedAuthority;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import java.io.IOException;
import java.security.GeneralSecurityException;
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
    private @Nullable IdentityParts known;

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
            return new SecretCertificate(secrets, Objects.requireNonNull(options.certificateSecret()), options);
        }
        if (options.certificateFolder() != null) {
            return FileCertificate.inFolder(options, Objects.requireNonNull(options.certificateFolder()));
        }
        if (options.certificateFile() != null && options.keyFile() != null) {
            return FileCertificate.inFiles(
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
        IdentityParts now = parts();
        return now.equals(known) ? Optional.empty() : Optional.of(made(now));
    }

    private IdentityParts parts() throws InterruptedException {
        String clients = PemFiles.clientAuthorities(options);
        SSLContext given = options.sslContext();
        return given == null
                ? IdentityParts.of(source.current(), clients)
                : IdentityParts.given(given, PemFiles.authorities(options), clients);
    }

    private ServerIdentity made(IdentityParts parts) {
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
}
