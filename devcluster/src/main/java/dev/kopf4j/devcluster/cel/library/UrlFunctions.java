package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * URLs: {@code url}, {@code isURL} and their members; {@code pkg/cel/library/urls.go} of the apiserver library, v1.33.
 */
final class UrlFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType URL = KubernetesCelTypes.URL;

    private UrlFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .global(
                        "url",
                        URL,
                        List.of(TEXT),
                        given -> parse((String) given[0])
                                .orElseThrow(() -> new IllegalArgumentException("\"" + given[0] + "\" is no URL")))
                .global(
                        "isURL",
                        SimpleType.BOOL,
                        List.of(TEXT),
                        given -> parse((String) given[0]).isPresent());
        part(functions, "getScheme", TEXT, url -> orEmpty(url.getScheme()));
        part(functions, "getHost", TEXT, UrlFunctions::host);
        part(functions, "getHostname", TEXT, UrlFunctions::hostname);
        part(functions, "getPort", TEXT, UrlFunctions::port);
        part(functions, "getEscapedPath", TEXT, url -> orEmpty(url.getRawPath()));
        part(functions, "getQuery", MapType.create(TEXT, ListType.create(TEXT)), UrlFunctions::query);
    }

    private static void part(CelFunctions functions, String name, CelType type, Function<URI, Object> part) {
        functions.member(name, type, List.of(URL), given -> part.apply((URI) given[0]));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** A URL with a scheme, or an absolute path. */
    private static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            boolean fits = url.isAbsolute() ? !url.isOpaque() : text.startsWith("/");
            return fits ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty(); // a text that cannot be parsed is no URL
        }
    }

    private static String host(URI url) {
        String authority = orEmpty(url.getRawAuthority());
        return authority.substring(authority.indexOf('@') + 1);
    }

    private static String hostname(URI url) {
        String host = url.getHost() == null ? host(url) : url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String port(URI url) {
        return url.getPort() < 0 ? "" : String.valueOf(url.getPort());
    }

    private static Map<String, List<String>> query(URI url) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        String query = orEmpty(url.getRawQuery());
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
