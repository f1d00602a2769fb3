package dev.kopf4j.engine.http;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request, received as a whole.
 *
 * @param path decoded, without the query
 * @param query as it was sent, with its escapes; empty if there is none
 * @param headers their names as the JDK's own server writes them: {@code Content-type}
 * @param certificate of the client; null if none was verified
 * @param client where it comes from
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpRequest(
        String method,
        String path,
        String query,
        Map<String, List<String>> headers,
        byte[] body,
        @Nullable X509Certificate certificate,
        InetAddress client) {
    /** With IPv6, as {@code kubectl port-forward} listens there, too. */
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

    private static final String SCHEME = "http://";

    /**
     * Whether headers are of a request that was meant for this machine: with exactly one {@code Host}, of the loopback,
     * and at most one {@code Origin}, of the loopback, too. A foreign page in the same browser, or a foreign name that
     * leads to the loopback address (DNS rebinding), sends others.
     */
    public static boolean areForLoopback(Map<String, List<String>> headers) {
        List<String> hosts = headers.getOrDefault("Host", List.of());
        List<String> origins = headers.getOrDefault("Origin", List.of());
        return hosts.size() == 1
                && isLoopback(hosts.getFirst())
                && (origins.isEmpty() || (origins.size() == 1 && isOwn(origins.getFirst())));
    }

    private static boolean isOwn(String origin) {
        return origin.startsWith(SCHEME) && isLoopback(origin.substring(SCHEME.length()));
    }

    private static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches();
    }
}
