package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.SelfSignedCertificate;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.client.tls.ServerTls;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes the identity of a server, and a new one when its files have changed or its end is near. Confined to a task. */
final class ServerIdentities {
    private static final Duration VALIDITY = Duration.ofDays(365);

    /** How long before its end a self-signed certificate is replaced. */
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

    private final Platform platform;
    private final LocalWebhookServer options;
    private String digest = "";
    private @Nullable SelfSignedCertificate selfSigned;

    ServerIdentities(Platform platform, LocalWebhookServer options) {
        this.platform = platform;
        this.options = options;
    }

    /**
     * The identity as it is now.
     *
     * @throws OperatorException if a file cannot be used
     */
    ServerIdentity current() {
        IdentityFiles files = IdentityFiles.read(options);
        ServerIdentity identity = make(files);
        digest = files.digest();
        return identity;
    }

    /**
     * A new identity; empty if nothing has changed.
     *
     * @throws OperatorException if a file has changed and cannot be used; asked again, it tries again
     */
    Optional<ServerIdentity> renewed() {
        boolean ends = selfSigned != null && isEnding(selfSigned);
        boolean changed = !IdentityFiles.read(options).digest().equals(digest);
        return ends || changed ? Optional.of(current()) : Optional.empty();
    }

    private boolean isEnding(SelfSignedCertificate certificate) {
        Instant end = certificate.certificate().getNotAfter().toInstant();
        return platform.now().isAfter(end.minus(RENEWED_BEFORE));
    }

    private ServerIdentity make(IdentityFiles files) {
        try {
            return attempt(files);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new OperatorException(
                    "The certificate of the webhook server cannot be used: " + e.getMessage()
                            + ". Check the files that are given by certificate(...), ca(...) and clientCa(...).",
                    e);
        }
    }

    private ServerIdentity attempt(IdentityFiles files) throws GeneralSecurityException, IOException {
        SSLContext given = options.sslContext();
        String authorities = files.authorities() == null ? options.caPem() : files.authorities();
        if (given != null) {
            return new ServerIdentity(given, authorities);
        }
        List<X509Certificate> clients = files.clientAuthorities().isBlank()
                ? List.of()
                : ServerTls.certificates("client authority", files.clientAuthorities());
        if (files.certificate() == null || files.key() == null) {
            SelfSignedCertificate own = selfSigned();
            return new ServerIdentity(
                    ServerTls.context(List.of(own.certificate()), own.key(), clients), own.certificatePem());
        }
        List<X509Certificate> chain = ServerTls.certificates("certificate", files.certificate());
        PrivateKey key = ServerTls.privateKey("key", files.key(), options.password());
        if (!ServerTls.belongTogether(chain.getFirst(), key)) {
            throw new IllegalArgumentException(
                    "the key " + options.keyFile() + " is not that of the certificate " + options.certificateFile());
        }
        return new ServerIdentity(
                ServerTls.context(chain, key, clients), authorities == null ? files.certificate() : authorities);
    }

    private SelfSignedCertificate selfSigned() {
        SelfSignedCertificate own = selfSigned;
        if (own == null || isEnding(own)) {
            own = SelfSignedCertificate.make(ServerNames.of(ServerAddress.names(options)), platform.now(), VALIDITY);
            selfSigned = own;
        }
        return own;
    }
}
