package dev.kopf4j.client.api;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which servers do not send lists as watches with initial events, so that they are not asked again: only the
 * streams that start before the first answer ask, once each. Servers do not say beforehand whether they do: the feature
 * {@code WatchList} is on by default in Kubernetes 1.32, off in 1.33, on since 1.34. Thread-safe.
 */
public final class StreamedListSupport {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final Set<String> lacking = ConcurrentHashMap.newKeySet();

    /** False if the server is known not to send lists so. */
    public boolean isExpectedOf(String server) {
        return !lacking.contains(server);
    }

    /** Remembers that the server does not send lists so, and logs it once per server. */
    public void isLackingAt(String server, @Nullable String reason) {
        if (lacking.add(server)) {
            log.debug("Lists are read page by page, as {} does not stream them: {}", server, reason);
        }
    }
}
