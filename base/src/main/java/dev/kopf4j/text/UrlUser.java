package dev.kopf4j.text;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The user in front of the host of a URL.
 *
 * @param name the name, without escapes
 * @param password the password, without escapes; empty if there is none
 */
public record UrlUser(String name, String password) {
    /** The user of a URL; null if it has none. */
    public static @Nullable UrlUser of(URI url) {
        String user = url.getRawUserInfo();
        if (user == null) {
            return null;
        }
        String[] parts = user.split(":", 2);
        return new UrlUser(unescaped(parts[0]), parts.length > 1 ? unescaped(parts[1]) : "");
    }

    /**
     * True if a special character that is not escaped has cut the password: Java takes digits before a #, ? or / of it
     * for the port, the user for the host, and the rest for no part of it.
     *
     * @param known true if the user is known from elsewhere: an @ of the path is its own then
     */
    public static boolean isCut(URI url, boolean known) {
        boolean inPath = !known
                && url.getRawUserInfo() == null
                && (url.getPort() >= 0 || url.getRawAuthority().endsWith(":")) // no digit stands before the slash
                && url.getRawPath().contains("@");
        return inPath || (url.getRawQuery() + url.getRawFragment()).contains("@");
    }

    /** Without the password. */
    @Override
    public String toString() {
        return name;
    }

    private static String unescaped(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
