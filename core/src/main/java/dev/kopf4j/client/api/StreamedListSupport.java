package dev.kopf4j.client.api;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which servers do not send lists as watches with initial events, so that each is asked once. Servers do not
 * say beforehand whether they do: the feature {@code WatchList} is on by default in Kubernetes 1.32, off in 1.33, on
 * since 1.34. While one stream asks, the others wait for its answer, but not long: it may be that only this stream's
 * resource does not answer. Thread-safe.
 */
public final class StreamedListSupport {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private enum Answer {
        AWAITED,
        YES,
        NO
    }

    private final Platform platform;
    private final Monitor monitor;
    private final Map<String, Answer> answers = new HashMap<>();

    /** Knows of no server. */
    StreamedListSupport(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
    }

    /**
     * Returns false if the server is known not to send lists so. Else the caller asks it, and then says what has come
     * of it, by one of the other methods.
     *
     * @throws InterruptedException if the task is interrupted while another one asks
     */
    public boolean mayAsk(String server) throws InterruptedException {
        Deadline deadline = platform.after(PATIENCE);
        return monitor.await(() -> tryToAsk(server), deadline).orElse(true);
    }

    private Optional<Boolean> tryToAsk(String server) {
        Answer known = answers.putIfAbsent(server, Answer.AWAITED);
        return known == Answer.AWAITED ? Optional.empty() : Optional.of(known != Answer.NO);
    }

    /** The server has accepted the request: others may ask, too. */
    public void accepts(String server) {
        monitor.locked(() -> {
            answers.put(server, Answer.YES);
        });
    }

    /** Nothing is known of the answer yet: the next one may ask. */
    public void doesNotAnswer(String server) {
        monitor.locked(() -> {
            answers.remove(server, Answer.AWAITED);
        });
    }

    /** Remembers that the server does not send lists so, and logs it once per server. */
    public void isLackingAt(String server, @Nullable String reason) {
        Answer before = monitor.locked(() -> answers.put(server, Answer.NO));
        if (before != Answer.NO) {
            log.debug("Lists are read page by page, as {} does not stream them: {}", server, reason);
        }
    }
}
