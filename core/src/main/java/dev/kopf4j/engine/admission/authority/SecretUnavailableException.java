package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.webhook.SecretName;
import org.jspecify.annotations.Nullable;

/** A Secret cannot be used at the moment. The message tells the way out; asking again may help. */
public final class SecretUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says why.
     *
     * @param why a clause, without a full stop
     * @param wayOut a sentence
     */
    public SecretUnavailableException(SecretName secret, String why, String wayOut, @Nullable Throwable cause) {
        super("The Secret " + secret + " with the certificates of the webhooks " + why + ". " + wayOut, cause);
    }
}
