package dev.kopf4j.client.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a watch is opened.
 *
 * @param timeoutSeconds after how many seconds the server ends it; 0 for the server's choice
 * @param bookmarks whether the server sends bookmarks: signs of life that carry a version
 * @param idle how long the reader waits for a line
 * @param connect how long the head of the answer may take
 */
public record WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect) {
    /** With five minutes for the head of the answer. */
    public WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle) {
        this(timeoutSeconds, bookmarks, idle, Duration.ofMinutes(5));
    }

    Map<String, String> params(String resourceVersion) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("watch", "true");
        if (bookmarks) {
            params.put("allowWatchBookmarks", "true");
        }
        if (!resourceVersion.isEmpty()) {
            params.put("resourceVersion", resourceVersion);
        }
        if (timeoutSeconds > 0) {
            params.put("timeoutSeconds", Integer.toString(timeoutSeconds));
        }
        return params;
    }
}
