package dev.kopf4j.engine.admission.http;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request line and the headers (RFC 9112, 3 and 5). Immutable.
 *
 * @param path decoded, without the query
 * @param length of the body in bytes; negative if it comes in chunks
 * @param persistent true if a further request may follow
 */
record RequestHead(String method, String path, Map<String, List<String>> headers, long length, boolean persistent) {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int UNKNOWN_VERSION = 505;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[\t\\x20-\\x7e\\x80-\\xff]*");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /**
     * Reads a head.
     *
     * @param text all lines
     * @throws HttpProblem if it is malformed
     */
    static RequestHead parse(String text) throws HttpProblem {
        List<String> lines = text.lines().filter(line -> !line.isEmpty()).toList();
        String[] first = lines.getFirst().split(" ", -1);
        if (first.length != 3 || !TOKEN.matcher(first[0]).matches()) {
            throw new HttpProblem(BAD_REQUEST, "the request line is malformed");
        }
        boolean current = first[2].equals("HTTP/1.1");
        if (!current && !first[2].equals("HTTP/1.0")) {
            throw new HttpProblem(UNKNOWN_VERSION, "only HTTP/1.1 is spoken here");
        }
        Headers headers = new Headers();
        for (String line : lines.subList(1, lines.size())) {
            header(line, headers);
        }
        return new RequestHead(
                first[0],
                path(first[1]),
                Map.copyOf(headers),
                length(headers),
                current && !"close".equalsIgnoreCase(headers.getFirst("Connection")));
    }

    private static void header(String line, Headers into) throws HttpProblem {
        int colon = line.indexOf(':');
        String name = colon < 0 ? "" : line.substring(0, colon);
        if (!TOKEN.matcher(name).matches() || !VALUE.matcher(line).matches()) {
            throw new HttpProblem(BAD_REQUEST, "a header is malformed");
        }
        into.add(name, line.substring(colon + 1).strip());
    }

    private static String path(String target) throws HttpProblem {
        try {
            String path = new URI(target).getPath();
            if (path != null) {
                return path;
            }
        } catch (URISyntaxException e) {
            throw new HttpProblem(BAD_REQUEST, "the path is malformed");
        }
        throw new HttpProblem(BAD_REQUEST, "the request has no path");
    }

    /** Both ways at once, or different lengths, are how requests are smuggled past proxies (RFC 9112, 6.3). */
    private static long length(Headers headers) throws HttpProblem {
        List<String> encodings = all(headers, "Transfer-encoding");
        List<String> lengths = all(headers, "Content-length");
        if (encodings.isEmpty() && lengths.isEmpty()) {
            return 0;
        }
        if (encodings.isEmpty()) {
            if (lengths.size() > 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
                throw new HttpProblem(BAD_REQUEST, "the header Content-Length is malformed");
            }
            return Long.parseLong(lengths.getFirst());
        }
        if (!lengths.isEmpty()) {
            throw new HttpProblem(BAD_REQUEST, "Content-Length and Transfer-Encoding exclude each other");
        }
        if (encodings.size() > 1
                || !encodings.getFirst().toLowerCase(Locale.ROOT).equals("chunked")) {
            throw new HttpProblem(NOT_IMPLEMENTED, "the only Transfer-Encoding that is known here is chunked");
        }
        return -1;
    }

    private static List<String> all(Headers headers, String name) {
        return Objects.requireNonNullElse(headers.get(name), List.of());
    }

    /** True if the client sends its body only when it is told to. */
    boolean waitsForContinue() {
        return "100-continue".equalsIgnoreCase(first("Expect"));
    }

    private @Nullable String first(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : values.getFirst();
    }
}
