package dev.kopf4j.client.socket;

import dev.kopf4j.ConnectionInfo;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of a connection, if it has one.
 *
 * @param proxy the proxy's URL; null for a direct connection
 */
record ProxySelection(@Nullable URI proxy) {
    /** Chooses the credential's own proxy, or else the environment's if that is trusted. */
    static ProxySelection of(ConnectionInfo info, boolean trustEnv) {
        return of(info, trustEnv, System.getenv());
    }

    static ProxySelection of(ConnectionInfo info, boolean trustEnv, Map<String, String> environment) {
        String own = info.proxyUrl();
        if (own != null) {
            return new ProxySelection(parsed(own));
        }
        boolean trusted = trustEnv || info.trustEnv();
        String found = trusted ? fromEnvironment(URI.create(info.server()), environment) : null;
        return new ProxySelection(
                found == null ? null : NetrcFile.of(environment).completed(parsed(found)));
    }

    private static URI parsed(String url) {
        URI proxy = URI.create(url.contains("://") ? url : "http://" + url);
        if (!"http".equals(proxy.getScheme()) || proxy.getHost() == null) {
            throw new IllegalArgumentException(
                    "the proxy must be http://host:port (other kinds are not supported), but is '" + redacted(proxy)
                            + "'");
        }
        return proxy;
    }

    private static String redacted(URI proxy) {
        return proxy.getScheme() + "://" + proxy.getHost() + ":" + proxy.getPort();
    }

    private static @Nullable String fromEnvironment(URI server, Map<String, String> environment) {
        boolean excluded = Stream.of("NO_PROXY", "no_proxy")
                .map(name -> environment.getOrDefault(name, ""))
                .flatMap(list -> Arrays.stream(list.split(",", -1)))
                .map(String::strip)
                .anyMatch(pattern -> excludes(pattern, server.getHost()));
        if (excluded) {
            return null;
        }
        String name = server.getScheme() + "_proxy";
        String value = environment.getOrDefault(name.toUpperCase(Locale.ROOT), environment.getOrDefault(name, ""));
        return value.isEmpty() ? null : value;
    }

    private static boolean excludes(String pattern, String host) {
        String suffix = pattern.startsWith(".") ? pattern : "." + pattern;
        return pattern.equals("*") || (!pattern.isEmpty() && ("." + host).endsWith(suffix));
    }

    /** The proxy as requests need it; empty for a direct connection. */
    Optional<HttpProxy> asked() {
        return Optional.ofNullable(proxy).map(HttpProxy::of);
    }
}
