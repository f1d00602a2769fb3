package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import dev.kopf4j.client.error.ConnectionFailedException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the server for its version before anything else. A person may be waiting for the start, so a wrong address is
 * reported within seconds, with the way out. Later requests are more patient.
 */
public final class ServerConnectionCheck {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    /**
     * The timeout of each of a few attempts: a busy server answers within this time; an address without a server never
     * does.
     */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);

    private ServerConnectionCheck() {}

    /** Asks, with few attempts; throws an {@link OperatorException} for people if that fails. */
    public static void make(KubernetesApi api) throws InterruptedException {
        Duration timeout = api.settings().requestTimeout();
        KubernetesApi impatient = api.with(api.settings()
                .withErrorBackoffs(Duration.ofMillis(500), Duration.ofSeconds(1))
                .withRequestTimeout(timeout.compareTo(ANSWER_WITHIN) < 0 ? timeout : ANSWER_WITHIN));
        try {
            log.debug(
                    "The server's version is {}.",
                    impatient.apiDiscovery().version().path("gitVersion"));
        } catch (ConnectionFailedException e) {
            throw new OperatorException(explained(e), e);
        } catch (UnauthorizedException e) {
            throw new OperatorException(
                    "K4-017: The Kubernetes API server at " + api.server() + " does not accept the credentials: "
                            + e.getMessage() + ". Log in again, or choose another context of the kubeconfig.",
                    e);
        } catch (ApiException e) {
            // There is a server, and it knows the credentials. The streams will name the permissions that are missing.
            log.debug("The server's version is not told: {}", e.getMessage());
        }
    }

    private static String explained(ConnectionFailedException failure) {
        String server = failure.server();
        String reason = failure.getMessage();
        return switch (decisive(failure)) {
            case CertificateExpiredException expired ->
                "K4-016: The certificate of the Kubernetes API server at " + server + " has expired ("
                        + expired.getMessage() + "): " + reason
                        + ". Renew it there, or check the clock of this machine.";
            case SSLException _ ->
                "K4-016: There is no secure connection to the Kubernetes API server at " + server + ": " + reason
                        + ". Check the server's address, the certificate authority, and the client certificate in the"
                        + " kubeconfig.";
            default ->
                "K4-016: The Kubernetes API server at " + server + " cannot be reached: " + reason
                        + ". Check that the cluster is up and that the kubeconfig names the right server; or run with"
                        + " --devcluster to have one in this process.";
        };
    }

    /** The deepest cause with a message that says more than that something failed. */
    private static Throwable decisive(Throwable failure) {
        Throwable decisive = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SSLException || each instanceof CertificateExpiredException) {
                decisive = each;
            }
        }
        return decisive;
    }
}
