package dev.kopf4j.engine.http;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
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
        InetAddress client) {}
