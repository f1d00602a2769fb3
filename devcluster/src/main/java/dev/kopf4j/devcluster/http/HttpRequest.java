package dev.kopf4j.devcluster.http;

import java.util.Locale;
import java.util.Map;

/**
 * One request as the connection delivered it.
 *
 * @param target path and query as they stand in the request line
 * @param headers by lower-case name; repeated ones are joined by commas, those of impersonation by line breaks
 * @param body all of it, or as much as shows that it is too long
 * @param persistent whether the connection may be used for a further request
 */
@SuppressWarnings("ArrayRecordComponent") // bodies are not copied: they may be megabytes
record HttpRequest(String method, String target, Map<String, String> headers, byte[] body, boolean persistent) {
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Whether a header's list has a word. */
    boolean headerLists(String name, String word) {
        for (String each : header(name).split(",", -1)) {
            String bare = each.strip().toLowerCase(Locale.ROOT);
            if (bare.equals(word) || (bare.startsWith(word + ";") && !bare.endsWith("q=0"))) {
                return true;
            }
        }
        return false;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }
}
