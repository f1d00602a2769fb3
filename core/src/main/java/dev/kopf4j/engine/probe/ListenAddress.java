package dev.kopf4j.engine.probe;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where the operator answers to plain HTTP: probes and metrics. Immutable. Different endpoints may have the same host
 * and port.
 *
 * @param host the interface to listen at: {@code localhost}, {@code 0.0.0.0}, {@code ::}
 * @param port the port; 0 for any free one
 * @param path the exact path, with its leading slash
 */
public record ListenAddress(String host, int port, String path) {
    private static final int HTTP = 80;
    private static final int PORT_MAX = 65535;

    /** Refuses what is no endpoint by {@link IllegalArgumentException}. */
    public ListenAddress {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException("the port must be from 0 to " + PORT_MAX + ": " + port);
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path must begin with a slash: '" + path + "'");
        }
    }

    /**
     * Reads {@code http://host:port/path}; the host is localhost and the port 80 unless they are given.
     *
     * @throws IllegalArgumentException if it is not of this form
     */
    public static ListenAddress parse(String url) {
        URI uri = uri(url);
        if (!"http".equals(uri.getScheme()) || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw malformed(url);
        }
        String rest = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (uri.getHost() == null && !rest.isEmpty() && !rest.matches(":\\d{1,5}")) {
            throw malformed(url);
        }
        int port = uri.getHost() == null && !rest.isEmpty() ? Integer.parseInt(rest.substring(1)) : uri.getPort();
        String host = uri.getHost() == null ? "localhost" : uri.getHost().replaceAll("[\\[\\]]", "");
        String path = uri.getPath() == null || uri.getPath().isEmpty() ? "/" : uri.getPath();
        return new ListenAddress(host, port < 0 ? HTTP : port, path);
    }

    private static URI uri(String url) {
        try {
            // An empty host is allowed here, as people write http://:8080/healthz; to URIs it is none.
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw malformed(url);
        }
    }

    private static IllegalArgumentException malformed(String url) {
        return new IllegalArgumentException(
                "'" + url + "' is no address to serve at; write for example http://0.0.0.0:8080/healthz");
    }

    /** The page of that name below this one. */
    public ListenAddress below(String name) {
        return new ListenAddress(host, port, (path.endsWith("/") ? path : path + "/") + name);
    }

    /** As a URL. */
    @Override
    public String toString() {
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + path;
    }

    /**
     * What the operator answers to at which address. Immutable.
     *
     * @param liveness whether it works; null to not answer
     * @param readiness whether it watches everything that it should; null to not answer
     * @param metrics figures of its work; null to not answer
     */
    public record ProbeAddresses(
            @Nullable ListenAddress liveness,
            @Nullable ListenAddress readiness,
            @Nullable ListenAddress metrics) {
        /** Refuses one address of two pages by {@link IllegalArgumentException}: one would take the other's place. */
        public ProbeAddresses {
            refuseSame("liveness", liveness, "readiness", readiness);
            refuseSame("liveness", liveness, "metrics", metrics);
            refuseSame("readiness", readiness, "metrics", metrics);
        }

        private static void refuseSame(
                String one, @Nullable ListenAddress first, String other, @Nullable ListenAddress second) {
            if (first != null && first.equals(second)) {
                throw new IllegalArgumentException("the pages of " + one + " and " + other
                        + " have one address, and need a path of their own each: " + first);
            }
        }

        /** No answers at all. */
        public static final ProbeAddresses NONE = new ProbeAddresses(null, null, null);

        /** The same with another address for liveness. */
        public ProbeAddresses withLiveness(ListenAddress listenAddress) {
            return new ProbeAddresses(listenAddress, readiness, metrics);
        }

        /** The same with another address for readiness. */
        public ProbeAddresses withReadiness(ListenAddress listenAddress) {
            return new ProbeAddresses(liveness, listenAddress, metrics);
        }

        /** The same with another address for metrics. */
        public ProbeAddresses withMetrics(ListenAddress listenAddress) {
            return new ProbeAddresses(liveness, readiness, listenAddress);
        }
    }
}
