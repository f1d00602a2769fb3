package dev.kopf4j.client.socket;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.text.UrlUser;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that passes requests on, or opens a tunnel for TLS.
 *
 * @param host its name or IP address
 * @param port its port
 * @param authorization the value of {@code Proxy-Authorization}; null for none
 */
public record HttpProxy(String host, int port, @Nullable String authorization) {
    private static final int DEFAULT_PORT = 80;

    /** {@code host:port}; an address of IPv6 has brackets then. */
    private static final Pattern WITH_PORT = Pattern.compile("([^:]+|\\[[^]]+]):(\\d{1,5})");

    /**
     * Chooses the credential's own proxy, or else the environment's if that is trusted; empty for a direct connection.
     */
    static Optional<HttpProxy> of(ConnectionInfo info, boolean trustEnv) {
        return Optional.ofNullable(chosen(info, trustEnv, System.getenv())).map(HttpProxy::of);
    }

    /**
     * The proxy of a connection for other clients, with its port; null for a direct connection.
     *
     * @throws IllegalArgumentException if it is of another kind
     */
    public static @Nullable URI chosen(ConnectionInfo info, Map<String, String> environment) {
        URI proxy = chosen(info, false, environment);
        if (proxy == null || proxy.getPort() >= 0) {
            return proxy;
        }
        String user = proxy.getRawUserInfo() == null ? "" : proxy.getRawUserInfo() + "@";
        return URI.create(proxy.getScheme() + "://" + user + proxy.getHost() + ":" + DEFAULT_PORT);
    }

    /** The URL of the proxy that is chosen so; null for a direct connection. */
    static @Nullable URI chosen(ConnectionInfo info, boolean trustEnv, Map<String, String> environment) {
        String own = info.proxyUrl();
        if (own != null) {
            return parsed(own);
        }
        boolean trusted = trustEnv || info.trustEnv();
        String found = trusted ? fromEnvironment(URI.create(info.server()), environment) : null;
        return found == null ? null : NetrcFile.of(environment).completed(parsed(found));
    }

    private static URI parsed(String url) {
        URI proxy;
        try {
            proxy = new URI(url.contains("://") ? url : "http://" + url);
        } catch (URISyntaxException e) {
            throw unusable(); // its message, and the cause, would tell the password
        }
        boolean lacksHost = proxy.getHost() == null || UrlUser.isCut(proxy, false);
        if (!"http".equals(proxy.getScheme()) || lacksHost) {
            throw lacksHost
                    ? unusable()
                    : new IllegalArgumentException(
                            "the proxy must be http://host:port (other kinds are not supported), but is '"
                                    + proxy.getScheme() + "://" + proxy.getHost() + ":" + proxy.getPort() + "'");
        }
        return proxy;
    }

    private static IllegalArgumentException unusable() {
        return new IllegalArgumentException("the proxy must be http://host:port or http://user:password@host:port, with"
                + " special characters of user and password escaped (%2F for a slash)");
    }

    private static @Nullable String fromEnvironment(URI server, Map<String, String> environment) {
        if (isOfThisMachine(bare(server.getHost().toLowerCase(Locale.ROOT)))) {
            return null;
        }
        boolean excluded = Stream.of("NO_PROXY", "no_proxy")
                .map(name -> environment.getOrDefault(name, ""))
                .flatMap(list -> Arrays.stream(list.split(",", -1)))
                .map(pattern -> pattern.strip().toLowerCase(Locale.ROOT))
                .anyMatch(pattern -> excludes(pattern, server, environment));
        if (excluded) {
            return null;
        }
        String name = server.getScheme() + "_proxy";
        String value = environment.getOrDefault(name.toUpperCase(Locale.ROOT), environment.getOrDefault(name, ""));
        return value.isEmpty() ? null : value;
    }

    /**
     * As Go reads it: names with what is below them, addresses, ranges of addresses, all of them with a port or
     * without. What is on this machine is never asked by a proxy.
     *
     * @see <a href="https://pkg.go.dev/golang.org/x/net/http/httpproxy">httpproxy</a>
     */
    private static boolean excludes(String pattern, URI server, Map<String, String> environment) {
        Matcher withPort = WITH_PORT.matcher(pattern);
        if (withPort.matches()) {
            return Integer.parseInt(withPort.group(2)) == port(server)
                    && excludes(withPort.group(1), server, environment);
        }
        String host = bare(server.getHost().toLowerCase(Locale.ROOT));
        // In a pod, the server is known by its address; people write its name.
        boolean inCluster = host.equals(environment.get("KUBERNETES_SERVICE_HOST"));
        return pattern.equals("*")
                || isBelow(host, pattern)
                || (inCluster && isBelow("kubernetes.default.svc", pattern))
                || isWithin(host, bare(pattern));
    }

    private static boolean isOfThisMachine(String host) {
        try {
            return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false; // it is a name
        }
    }

    private static boolean isBelow(String host, String name) {
        String pattern = name.startsWith("*.") ? name.substring(1) : name;
        String suffix = pattern.startsWith(".") ? pattern : "." + pattern;
        return !pattern.isEmpty() && ("." + host).endsWith(suffix);
    }

    /** True if the host is an address, and the range, or the single address, has it. */
    private static boolean isWithin(String host, String range) {
        String[] parts = range.split("/", 2);
        try {
            byte[] address = InetAddress.ofLiteral(host).getAddress();
            byte[] first = InetAddress.ofLiteral(parts[0]).getAddress();
            int bits = parts.length == 1 ? first.length * 8 : Integer.parseInt(parts[1]);
            if (address.length != first.length || bits < 0 || bits > first.length * 8) {
                return false;
            }
            int behind = first.length * 8 - bits;
            return new BigInteger(1, address).shiftRight(behind).equals(new BigInteger(1, first).shiftRight(behind));
        } catch (IllegalArgumentException e) {
            return false; // one of them is a name
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(URI server) {
        int standard = "https".equals(server.getScheme()) ? 443 : 80;
        return server.getPort() < 0 ? standard : server.getPort();
    }

    /** Reads {@code http://user:password@host:port}; user and port may be missing. */
    static HttpProxy of(URI url) {
        UrlUser user = UrlUser.of(url);
        return new HttpProxy(
                url.getHost(),
                url.getPort() < 0 ? DEFAULT_PORT : url.getPort(),
                user == null ? null : AuthorizationHeader.basic(user.name(), user.password()));
    }

    /** Adds the password, if the proxy wants one. */
    void authorize(ClassicHttpRequest request) {
        if (authorization != null) {
            request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, authorization);
        }
    }

    /**
     * Asks the proxy at the other end of the connection to connect it to a server.
     *
     * @throws IOException if it refuses
     */
    void tunnel(ServerConnection connection, String hostAndPort) throws IOException {
        ClassicHttpRequest request = new BasicClassicHttpRequest("CONNECT", null, null, hostAndPort);
        request.setHeader(HttpHeaders.HOST, hostAndPort);
        authorize(request);
        try {
            ClassicHttpResponse response =
                    new HttpRequestExecutor().execute(request, connection.http(), HttpCoreContext.create());
            if (response.getCode() != HttpStatus.SC_OK) {
                throw new IOException("the proxy " + host + ":" + port + " opens no tunnel to " + hostAndPort + ": "
                        + response.getCode() + " " + response.getReasonPhrase());
            }
        } catch (HttpException e) {
            throw new IOException("the proxy " + host + ":" + port + " does not speak HTTP: " + e.getMessage(), e);
        }
    }
}
