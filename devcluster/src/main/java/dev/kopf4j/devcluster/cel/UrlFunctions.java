package dev.kopf4j.devcluster.cel;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What expressions ask of URLs. Pure. */
final class UrlFunctions {
    private UrlFunctions() {}

    /** A URL with a scheme, or an absolute path. */
    static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            boolean fits = url.isAbsolute() ? !url.isOpaque() : text.startsWith("/");
            return fits ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty(); // the answer is the point
        }
    }

    static String host(URI url) {
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        return authority.substring(authority.indexOf('@') + 1);
    }

    static String hostname(URI url) {
        String host = url.getHost() == null ? host(url) : url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static String port(URI url) {
        return url.getPort() < 0 ? "" : String.valueOf(url.getPort());
    }

    static Map<String, List<String>> query(URI url) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        String query = url.getRawQuery() == null ? "" : url.getRawQuery();
        for (String pair : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            if (!pair.isEmpty()) {
                parameters
                        .computeIfAbsent(decoded(parts[0]), key -> new ArrayList<>())
                        .add(parts.length > 1 ? decoded(parts[1]) : "");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
