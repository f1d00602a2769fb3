package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.webhook.SecretName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Secrets of the cluster. Thread-safe. All methods that ask the cluster throw {@link SecretUnavailableException}.
 */
public interface Secrets {
    /** Reads one; empty if it is not there. */
    Optional<ObjectNode> read(SecretName secret) throws InterruptedException;

    /** Makes one; false if somebody else has made it. */
    boolean create(SecretName secret, ObjectNode object) throws InterruptedException;

    /** Replaces one; false if somebody else has changed it since it was read. */
    boolean replace(SecretName secret, ObjectNode object) throws InterruptedException;

    /** One value of a Secret; empty if it is missing or empty. */
    static Optional<String> text(ObjectNode secret, String key) {
        String encoded = secret.path("data").path(key).asString("");
        return encoded.isEmpty()
                ? Optional.empty()
                : Optional.of(new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.ISO_8859_1));
    }
}
