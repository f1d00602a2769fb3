package dev.kopf4j.client.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options of a watch.
 *
 * @param timeoutSeconds after how many seconds the server ends the watch; 0 leaves it to the server
 * @param bookmarks whether the server sends bookmarks: signs of life that carry a version
 * @param idle how long the reader waits for a line
 * @param connect how long the head of the response may take
 */
public record WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect) {
    /** Makes options with five minutes for the head of the response. */
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
