package dev.kopf4j.engine.admission.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request, received as a whole.
 *
 * @param path decoded, without the query
 * @param headers their names as the JDK's own server writes them: {@code Content-type}
 * @param certificate of the client; null if none was verified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpRequest(
        String method,
        String path,
        Map<String, List<String>> headers,
        byte[] body,
        @Nullable X509Certificate certificate) {
    /**
     * Of a body. The API server takes 3 MB of a client at most, and sends an object in its old and new form: 7 MB have
     * room for both.
     */
    public static final int BODY_BYTES_MAX = 7 * 1024 * 1024;
}
