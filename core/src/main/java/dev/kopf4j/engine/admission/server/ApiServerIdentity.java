package dev.kopf4j.engine.admission.server;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.tls.TlsContext;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What tells one kind of cluster from another. Thread-safe. */
public interface ApiServerIdentity {
    /** The certificate that the API server shows; empty if it shows none, or cannot be asked. */
    Optional<X509Certificate> certificate() throws InterruptedException;

    /** The version that the API server has; empty text if it does not tell. */
    String gitVersion() throws InterruptedException;

    /** The API server that the operator is connected to, as far as it shows what kind it is. */
    record Connected(KubernetesApi api) implements ApiServerIdentity {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
        private static final Duration TIMEOUT = Duration.ofSeconds(5);

        @Override
        public Optional<X509Certificate> certificate() throws InterruptedException {
            try {
                return TlsContext.shownBy(URI.create(api.server()), TIMEOUT);
            } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
                log.debug("The certificate of the API server cannot be asked for.", e);
                return Optional.empty();
            }
        }

        @Override
        public String gitVersion() throws InterruptedException {
            try {
                return api.apiDiscovery().version().path("gitVersion").asString("");
            } catch (ApiException | ConnectionFailedException e) {
                log.debug("The API server does not tell its version.", e);
                return "";
            }
        }
    }
}
