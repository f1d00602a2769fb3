package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.client.tls.ServerTls;
import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What stands in the Secret of a shared authority: the keys of a {@code kubernetes.io/tls} Secret, and two more. Pure.
 */
final class AuthorityData {
    /** See <a href="https://kubernetes.io/docs/concepts/configuration/secret/#tls-secrets">TLS Secrets</a>. */
    static final String TYPE = "kubernetes.io/tls";

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String NEXT_CERTIFICATE = "next.crt";
    private static final String NEXT_KEY = "next.key";
    private static final String TRUSTED = "ca.crt";

    private AuthorityData() {}

    /**
     * The state that a Secret holds; empty if it holds nothing yet.
     *
     * @throws IllegalArgumentException if it holds something else; the message is a clause
     * @throws GeneralSecurityException the same
     */
    static Optional<AuthorityState> read(ObjectNode secret) throws GeneralSecurityException {
        Optional<String> certificate = Secrets.text(secret, CERTIFICATE);
        Optional<String> key = Secrets.text(secret, KEY);
        if (certificate.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        CertificateAuthority signing = authority(CERTIFICATE, certificate.orElse(""), KEY, key.orElse(""));
        Optional<String> next = Secrets.text(secret, NEXT_CERTIFICATE);
        Optional<String> trusted = Secrets.text(secret, TRUSTED);
        return Optional.of(new AuthorityState(
                signing,
                next.isEmpty()
                        ? null
                        : authority(
                                NEXT_CERTIFICATE,
                                next.get(),
                                NEXT_KEY,
                                Secrets.text(secret, NEXT_KEY).orElse("")),
                trusted.isEmpty() ? List.of() : ServerTls.certificates("value of " + TRUSTED, trusted.get())));
    }

    private static CertificateAuthority authority(String crt, String certificatePem, String key, String keyPem)
            throws GeneralSecurityException {
        X509Certificate certificate =
                ServerTls.certificates("value of " + crt, certificatePem).getFirst();
        PrivateKey privateKey = ServerTls.privateKey("value of " + key, keyPem, null);
        if (certificate.getBasicConstraints() < 0) {
            throw new IllegalArgumentException("the certificate in " + crt + " is not that of an authority");
        }
        if (!privateKey.getAlgorithm().equals("EC")) {
            throw new IllegalArgumentException("the key in " + key + " is not of the kind EC");
        }
        if (!ServerTls.belongTogether(certificate, privateKey)) {
            throw new IllegalArgumentException("the key in " + key + " is not that of the certificate in " + crt);
        }
        return new CertificateAuthority(certificate, privateKey);
    }

    /** Puts a state into a Secret; what it has beside that stays. */
    static void write(AuthorityState state, ObjectNode secret) {
        put(secret, CERTIFICATE, state.signing().certificatePem());
        put(secret, KEY, state.signing().keyPem());
        CertificateAuthority next = state.next();
        put(secret, NEXT_CERTIFICATE, next == null ? null : next.certificatePem());
        put(secret, NEXT_KEY, next == null ? null : next.keyPem());
        put(secret, TRUSTED, state.bundle());
    }

    private static void put(ObjectNode secret, String key, @Nullable String value) {
        ObjectNode data = secret.get("data") instanceof ObjectNode present ? present : secret.putObject("data");
        if (value == null) {
            data.remove(key);
        } else {
            data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** A Secret without a state. */
    static ObjectNode empty(String namespace, String name) {
        ObjectNode secret =
                Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", TYPE);
        secret.putObject("metadata").put("namespace", namespace).put("name", name);
        return secret;
    }
}
