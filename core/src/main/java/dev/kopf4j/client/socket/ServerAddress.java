package dev.kopf4j.client.socket;

import java.net.URI;

/**
 * The address of an API server, in its parts.
 *
 * @param secure whether it speaks TLS
 * @param host the name or the IP address, without brackets
 * @param port the port, which need not be in the URL
 * @param authority the host and port as the URL has them
 * @param prefix the path that all requests begin with; may be empty
 */
record ServerAddress(boolean secure, String host, int port, String authority, String prefix) {
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    /**
     * Takes a URL apart.
     *
     * @throws IllegalArgumentException if it is not {@code https://host} or {@code http://host}, with a port and a path
     *     or without
     */
    static ServerAddress of(String server) {
        URI uri = URI.create(server);
        boolean secure = "https".equals(uri.getScheme());
        if (uri.getHost() == null || !(secure || "http".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("the server must be https://host:port, but is '" + server + "'");
        }
        int usual = secure ? HTTPS_PORT : HTTP_PORT;
        String host = uri.getHost();
        return new ServerAddress(
                secure,
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                uri.getPort() < 0 ? usual : uri.getPort(),
                uri.getPort() < 0 ? host : host + ":" + uri.getPort(),
                uri.getRawPath());
    }

    /** Host and port, as proxies are asked for them. */
    String hostAndPort() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
