package dev.kopf4j.devcluster.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request to the API server, free of any socket. Immutable, but for the body's bytes, which are not copied.
 *
 * @param method GET, POST, ...
 * @param path the decoded path
 * @param query the decoded query parameters
 * @param headers by lower-case name; repeated ones are joined by commas, those of impersonation by line breaks
 * @param body empty if there is none
 * @param identity the user in the client's certificate, which the transport has verified
 */
@SuppressWarnings("ArrayRecordComponent") // bodies are not copied: they may be megabytes
public record ApiRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body,
        Optional<Identity> identity) {
    private static final Pattern LEGACY_WATCH =
            Pattern.compile("(/api/[^/]+|/apis/[^/]+/[^/]+)/watch/((?:namespaces/[^/]+/)?[^/]+)(?:/([^/]+))?");

    /**
     * Who a client is by its certificate. Immutable.
     *
     * @param user the common name
     * @param groups the organizations
     */
    public record Identity(String user, List<String> groups) {
        /** Makes the groups unmodifiable. */
        public Identity {
            groups = List.copyOf(groups);
        }
    }

    /** Makes the maps unmodifiable and the header names lower-case. */
    public ApiRequest {
        query = Map.copyOf(query);
        Map<String, String> lower = new LinkedHashMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(lower);
    }

    /**
     * A request for a target as it stands in an HTTP request line: {@code /path?query}, percent-encoded. A deprecated
     * path of a watch, {@code /api/v1/watch/...}, becomes that of the collection, with {@code ?watch=true} and a
     * selector if it names an object.
     */
    public static ApiRequest of(String method, String target, Map<String, String> headers, byte[] body) {
        int mark = target.indexOf('?');
        String path = decode((mark < 0 ? target : target.substring(0, mark)).replace("+", "%2B"));
        Map<String, List<String>> query = parameters(mark < 0 ? "" : target.substring(mark + 1));
        Matcher legacy = LEGACY_WATCH.matcher(path);
        if (method.equals("GET") && legacy.matches()) {
            path = legacy.group(1) + "/" + legacy.group(2);
            query.put("watch", List.of("true"));
            if (legacy.group(3) != null) {
                query.put("fieldSelector", List.of("metadata.name=" + legacy.group(3)));
            }
        }
        return new ApiRequest(method, path, query, headers, body, Optional.empty());
    }

    /** The same request by a client whose certificate says so. */
    public ApiRequest by(Optional<Identity> client) {
        return client.isEmpty() ? this : new ApiRequest(method, path, query, headers, body, client);
    }

    private static Map<String, List<String>> parameters(String query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                String name = decode(equals < 0 ? part : part.substring(0, equals));
                String value = equals < 0 ? "" : decode(part.substring(equals + 1));
                parameters.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            }
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Whether there is a header whose name, in lower case, begins so. */
    public boolean hasHeaderOf(String prefix) {
        for (String name : headers.keySet()) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** The first value of a query parameter, or the empty string. */
    public String parameter(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst();
    }

    /**
     * A query parameter that is on or off: on without a value, too; {@code pkg/runtime/conversion.go} of apimachinery,
     * v1.33.
     */
    public boolean flag(String name) {
        String value = query.containsKey(name) ? parameter(name) : "0";
        return !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    /** Whether it asks for a watch, if it is about a collection. */
    public boolean isWatch() {
        return method.equals("GET") && flag("watch");
    }

    /** A header by its name in any case. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
}
