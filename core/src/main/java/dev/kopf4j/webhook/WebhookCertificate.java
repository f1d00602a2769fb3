package dev.kopf4j.webhook;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.certificate.ServerNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate for a webhook server, and its key, both as PEM. Immutable. Made by {@link #build}. */
public sealed interface WebhookCertificate permits BuiltCertificate {
    /**
     * Makes a certificate that is its own authority. It is valid for a year.
     *
     * @param names the host names and IP addresses by which clients reach the server
     * @param password encrypts the key; null for none
     * @param now when it begins to be valid, such as {@code Instant.now()}
     * @throws IllegalArgumentException if there is no name
     */
    static WebhookCertificate build(Collection<String> names, @Nullable String password, Instant now) {
        CertificateAuthority.Issued made =
                CertificateAuthority.selfSigned(ServerNames.of(names), now, Duration.ofDays(365));
        String key = password == null ? PemWriter.key(made.key()) : PemWriter.encryptedKey(made.key(), password);
        return new BuiltCertificate(made.certificatePem(), key);
    }

    /** The certificate, which is also the authority that clients have to trust. */
    String certificatePem();

    /** The private key in PKCS #8. */
    String keyPem();
}
