package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.webhook.SecretName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    /** Secrets by the Kubernetes API. Who fails is not tried again here: whoever asks, asks again. Thread-safe. */
    public record ClusterSecrets(KubernetesApi api) implements Secrets {
        @Override
        public Optional<ObjectNode> read(SecretName secret) throws InterruptedException {
            try {
                return Optional.of(once().get(WellKnownResources.SECRETS, secret.namespace(), secret.name()));
            } catch (NotFoundException _) {
                return Optional.empty();
            } catch (ClientException e) {
                throw unavailable(secret, "read", "get", e);
            }
        }

        @Override
        public boolean create(SecretName secret, ObjectNode object) throws InterruptedException {
            try {
                once().create(WellKnownResources.SECRETS, secret.namespace(), object);
                return true;
            } catch (ConflictException _) {
                return false;
            } catch (NotFoundException e) {
                throw new SecretUnavailableException(
                        secret,
                        "cannot be created: " + e.getMessage(),
                        "Create its namespace, or name another one.",
                        e);
            } catch (ClientException e) {
                throw unavailable(secret, "created", "create", e);
            }
        }

        @Override
        public boolean replace(SecretName secret, ObjectNode object) throws InterruptedException {
            try {
                once().replace(WellKnownResources.SECRETS, secret.namespace(), secret.name(), object);
                return true;
            } catch (ConflictException | NotFoundException _) {
                return false;
            } catch (ClientException e) {
                throw unavailable(secret, "updated", "update", e);
            }
        }

        private KubernetesApi once() {
            return api.with(api.settings().withErrorBackoffs());
        }

        private static SecretUnavailableException unavailable(
                SecretName secret, String what, String verb, ClientException e) {
            String wayOut = e instanceof ForbiddenException
                    ? "Grant the operator's account the right '" + verb + "' on the Secret " + secret.name()
                            + " in the namespace " + secret.namespace() + "."
                    : "This is tried again.";
            return new SecretUnavailableException(secret, "cannot be " + what + ": " + e.getMessage(), wayOut, e);
        }
    }

    /** A Secret cannot be used at the moment. The message tells the way out; asking again may help. */
    public static final class SecretUnavailableException extends RuntimeException {
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
}
