package dev.kopf4j.engine.admission.server;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.webhook.AutoWebhookServer;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clusters on the machine of a developer that reach that machine by a name of their own. */
public enum ClusterKind {
    K3D(WebhookServer.k3d().host()),
    MINIKUBE(WebhookServer.minikube().host()),
    DOCKER_DESKTOP(WebhookServer.dockerDesktop().host()),
    OTHER(null);

    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final @Nullable String host;

    ClusterKind(@Nullable String host) {
        this.host = host;
    }

    /** Asks the API server; for its version only if the certificate says nothing. */
    static ClusterKind of(ApiServerIdentity apiServer) throws InterruptedException {
        ClusterKind shown =
                apiServer.certificate().map(ClusterKind::byCertificate).orElse(OTHER);
        ClusterKind kind = shown == OTHER ? byVersion(apiServer.gitVersion()) : shown;
        log.debug("The cluster looks like {}.", kind);
        return kind;
    }

    static ClusterKind byCertificate(X509Certificate certificate) {
        X500Principal subject = certificate.getSubjectX500Principal();
        List<String> issuers = values(certificate.getIssuerX500Principal(), "CN");
        List<String> names = values(subject, "CN");
        if (names.contains("k3s")
                || values(subject, "O").contains("k3s")
                || issuers.stream().anyMatch(issuer -> issuer.startsWith("k3s-"))) {
            return K3D;
        }
        if (names.contains("minikube") || issuers.contains("minikubeCA")) {
            return MINIKUBE;
        }
        return alternativeNames(certificate).contains("docker-for-desktop") ? DOCKER_DESKTOP : OTHER;
    }

    static ClusterKind byVersion(String gitVersion) {
        return gitVersion.contains("+k3s") ? K3D : OTHER;
    }

    /** The values of one attribute; commas and pluses inside of values have a backslash. */
    private static List<String> values(X500Principal principal, String attribute) {
        String front = attribute + "=";
        return Arrays.stream(principal.getName().split("(?<!\\\\)[,+]", -1))
                .filter(part -> part.startsWith(front))
                .map(part -> part.substring(front.length()))
                .toList();
    }

    private static List<String> alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return Optional.ofNullable(names).stream()
                    .flatMap(Collection::stream)
                    .map(name -> String.valueOf(name.get(1)))
                    .toList();
        } catch (CertificateParsingException e) {
            log.debug("The names in the API server's certificate cannot be read.", e);
            return List.of();
        }
    }

    /** What serves webhooks in a cluster of this kind. */
    WebhookServer serverOf(AutoWebhookServer auto) {
        if (host == null) {
            return auto.fallback();
        }
        LocalWebhookServer server = auto.server();
        return server.host() == null ? server.host(host) : server;
    }

    /** What tells one kind of cluster from another. Thread-safe. */
    public interface ApiServerIdentity {
        /** The certificate that the API server shows; empty if it shows none, or cannot be asked. */
        Optional<X509Certificate> certificate() throws InterruptedException;

        /** The version that the API server has; empty text if it does not tell. */
        String gitVersion() throws InterruptedException;

        /** The API server that the operator is connected to, as far as it shows what kind it is. */
        record Connected(KubernetesApi api) implements ApiServerIdentity {
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
}
