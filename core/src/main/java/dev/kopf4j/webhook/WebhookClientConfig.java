package dev.kopf4j.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the API server finds the webhooks, and whose certificates it believes: the {@code clientConfig} of a webhook
 * (see {@code WebhookClientConfig} of {@code admissionregistration.k8s.io/v1}). The id of each handler is added to the
 * path. Immutable.
 */
public sealed interface WebhookClientConfig {
    /** By an address that the API server can reach, such as {@code https://host:9443/hooks}. */
    static WebhookClientConfig url(String url) {
        return new WebhookClientConfigs.ByUrl(url, null, null);
    }

    /**
     * By a Service inside the cluster.
     *
     * @param namespace its namespace
     * @param name its name
     * @param port its port, not the container's; usually 443
     */
    static WebhookClientConfig service(String namespace, String name, int port) {
        return new WebhookClientConfigs.ByService(namespace, name, port, "", null, null);
    }

    /** The same whose server has a certificate of one of these authorities, in PEM; null for those of the system. */
    WebhookClientConfig withCaBundle(@Nullable String pem);

    /**
     * The same whose authorities cert-manager writes; {@link #withCaBundle} has no effect then.
     *
     * @param certificate the Certificate, as {@code namespace/name}; null for what is told here
     */
    WebhookClientConfig withCaInjectedFrom(@Nullable String certificate);

    /** The same with further keys at the end of the path, {@code /} between them. */
    WebhookClientConfig withPath(String more);

    /** The authorities in PEM; empty for those of the system. */
    Optional<String> caBundle();

    /** The Certificate of cert-manager, as {@code namespace/name}; empty if its authorities are told here. */
    Optional<String> caInjectedFrom();

    /** By an address. Made by {@link #url}. */
    sealed interface Url extends WebhookClientConfig permits WebhookClientConfigs.ByUrl {
        /** The address. */
        String url();
    }

    /** By a Service. Made by {@link #service}. */
    sealed interface Service extends WebhookClientConfig permits WebhookClientConfigs.ByService {
        /** The Service's namespace. */
        String namespace();

        /** The Service's name. */
        String name();

        /** The Service's port. */
        int port();

        /** The path at the Service; empty for the root. */
        String path();
    }

    /** The authorities as the API has them: base64 of PEM; empty for those of the system. */
    default Optional<String> encodedCaBundle() {
        return caBundle().map(pem -> Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8)));
    }
}
