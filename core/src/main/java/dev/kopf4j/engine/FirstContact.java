package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.client.ApiException;
import dev.kopf4j.client.ConnectionFailedException;
import dev.kopf4j.client.KubernetesApi;
import dev.kopf4j.client.UnauthorizedException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the server for its version before anything else: somebody may sit in front of the operator and wait, so that a
 * wrong address is told within seconds, and with the way out. Later requests are more patient.
 */
final class FirstContact {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private FirstContact() {}

    static void make(KubernetesApi api) throws InterruptedException {
        KubernetesApi impatient =
                api.with(api.settings().withErrorBackoffs(Duration.ofMillis(500), Duration.ofSeconds(1)));
        try {
            log.debug(
                    "The server's version is {}.",
                    impatient.discovery().version().path("gitVersion"));
        } catch (ConnectionFailedException e) {
            throw new OperatorException(
                    "The Kubernetes API server at " + api.server() + " cannot be reached: " + e.getMessage()
                            + ". Check that the cluster is up and that the kubeconfig names the right server; or run with"
                            + " --devcluster to have one in this process.",
                    e);
        } catch (UnauthorizedException e) {
            throw new OperatorException(
                    "The Kubernetes API server at " + api.server() + " does not accept the credentials: "
                            + e.getMessage() + ". Log in again, or choose another context of the kubeconfig.",
                    e);
        } catch (ApiException e) {
            // There is a server, and it knows us. What is needed is asked for by the streams, which name what is
            // missing.
            log.debug("The server's version is not told: {}", e.getMessage());
        }
    }
}
