package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.webhook.SecretName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A certificate that somebody else keeps in a Secret, as cert-manager does. Immutable.
 *
 * @param certificate the certificate and its issuers as PEM
 * @param key its key as PEM
 * @param authorities those to be trusted as PEM; null if the Secret does not name them
 */
public record CertificateTexts(
        String certificate, String key, @Nullable String authorities) {
    /**
     * Reads a Secret.
     *
     * @throws SecretUnavailableException if it is not there, or has no certificate
     */
    public static CertificateTexts read(Secrets secrets, SecretName name) throws InterruptedException {
        Optional<ObjectNode> found = secrets.read(name);
        if (found.isEmpty()) {
            throw new SecretUnavailableException(
                    name, "is not there", "Create it, or wait for who makes it, such as cert-manager.", null);
        }
        ObjectNode secret = found.get();
        return new CertificateTexts(
                required(secret, name, "tls.crt"),
                required(secret, name, "tls.key"),
                AuthorityData.text(secret, "ca.crt").orElse(null));
    }

    private static String required(ObjectNode secret, SecretName name, String key) {
        return AuthorityData.text(secret, key)
                .orElseThrow(() -> new SecretUnavailableException(
                        name, "has no value of the key " + key, "Add it, or wait for who fills it in.", null));
    }

    @Override
    public String toString() {
        return "CertificateTexts[" + certificate + "]";
    }
}
