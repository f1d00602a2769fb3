package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConflictException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.webhook.SecretName;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

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
                    secret, "cannot be created: " + e.getMessage(), "Create its namespace, or name another one.", e);
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
