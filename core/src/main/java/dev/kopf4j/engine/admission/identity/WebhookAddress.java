package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a local server is reached, and by which names. Pure. */
public final class WebhookAddress {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private WebhookAddress() {}

    /** The host that clients connect to. */
    public static String host(LocalWebhookServer options) {
        return Objects.requireNonNullElseGet(options.host(), () -> reachable(options.address()));
    }

    /** An address of this machine by which the server is reached from this machine. */
    private static String reachable(@Nullable String address) {
        return switch (address) {
            case null -> "localhost";
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> address;
        };
    }

    /** All names that a certificate of this server needs, the most important one first. */
    public static List<String> names(LocalWebhookServer options) {
        List<String> names = new ArrayList<>();
        WebhookClientConfig.Service service = options.service();
        if (service != null) {
            String name = service.name() + "." + service.namespace() + ".svc";
            names.add(name);
            names.add(name + ".cluster.local");
        }
        names.add(host(options));
        names.add(reachable(options.address()));
        names.addAll(options.extraHosts());
        return names.stream().distinct().toList();
    }

    /**
     * How the API server reaches it.
     *
     * @param port the one in use
     * @param caPem the authorities to trust; null for none
     */
    public static WebhookClientConfig clientConfig(LocalWebhookServer options, int port, @Nullable String caPem) {
        WebhookClientConfig.Service service = options.service();
        WebhookClientConfig config = service == null
                ? WebhookClientConfig.url(url(options, port))
                : WebhookClientConfig.service(service.namespace(), service.name(), service.port());
        if (service != null && !options.path().isEmpty()) {
            config = config.withPath(options.path().substring(1));
        }
        String injectedFrom = options.caInjectedFrom();
        return injectedFrom == null ? config.withCaBundle(caPem) : config.withCaInjectedFrom(injectedFrom);
    }

    /** The URL: addresses of IPv6 are in brackets, and the usual ports are left out. */
    private static String url(LocalWebhookServer options, int port) {
        String scheme = options.isInsecure() ? "http" : "https";
        String host = host(options);
        String bracketed = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        boolean usual = port == (options.isInsecure() ? HTTP : HTTPS);
        return scheme + "://" + bracketed + (usual ? "" : ":" + port) + options.path();
    }
}
