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
 * @param initialEvents whether the watch begins with an event for each object that exists, and a bookmark behind the
 *     last one; only with bookmarks, and only on servers with the feature {@code WatchList}
 * @see <a
 *     href="https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3157-watch-list">KEP-3157</a>
 */
public record WatchOptions(
        int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect, boolean initialEvents) {
    /** Makes options without initial events. */
    public WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect) {
        this(timeoutSeconds, bookmarks, idle, connect, false);
    }

    /** Makes options with five minutes for the head of the response. */
    public WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle) {
        this(timeoutSeconds, bookmarks, idle, Duration.ofMinutes(5));
    }

    /** Returns the same options with initial events. */
    public WatchOptions withInitialEvents() {
        return new WatchOptions(timeoutSeconds, bookmarks, idle, connect, true);
    }

    Map<String, String> params(String resourceVersion) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("watch", "true");
        if (bookmarks) {
            params.put("allowWatchBookmarks", "true");
        }
        if (initialEvents) {
            params.put("sendInitialEvents", "true");
            params.put("resourceVersionMatch", "NotOlderThan");
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
