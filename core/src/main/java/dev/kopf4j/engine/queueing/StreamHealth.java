package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How one stream is doing: when the server was last heard, and what is wrong since. Thread-safe. */
public final class StreamHealth {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Platform platform;
    private final String stream;
    private final Duration patience;
    private final OperatorTrace trace;
    private final Runnable listener;
    private volatile boolean listed;
    private volatile boolean paused;
    private volatile boolean listerWaiting;
    private volatile boolean watcherWaiting;
    private volatile boolean watchingEarly;
    private volatile long heardAt;
    private volatile @Nullable String trouble;
    private volatile @Nullable String holdUp;

    /** Who reads. */
    enum Reader {
        LISTER,
        WATCHER
    }

    /**
     * The health of a stream that has not begun.
     *
     * @param patience for how long the stream may be silent, or not be read
     * @param trace hears how it is doing
     * @param listener called when it gets well or unwell
     */
    public StreamHealth(Platform platform, String stream, Duration patience, OperatorTrace trace, Runnable listener) {
        this.platform = platform;
        this.stream = stream;
        this.patience = patience;
        this.trace = trace;
        this.listener = listener;
        this.heardAt = platform.nanos();
    }

    private void changed() {
        trace.happened(new OperatorStep.StreamChanged(stream, listed, paused, trouble()));
        listener.run();
    }

    /** Which stream it is. */
    String stream() {
        return stream;
    }

    /** For how long the stream may be silent, or not be read. */
    Duration patience() {
        return patience;
    }

    void alive() {
        heardAt = platform.nanos();
        if (trouble != null) {
            trouble = null;
            changed();
        }
    }

    /** Nothing is expected from the stream for a while. */
    public void paused() {
        paused = true;
        trouble = null;
        holdUp = null;
        changed();
    }

    public void resumed() {
        heardAt = platform.nanos();
        paused = false;
        changed();
    }

    void listed() {
        listed = true;
        watchingEarly = false;
        changed();
    }

    void disturbed(String reason, @Nullable Exception failure) {
        trouble = failure == null ? reason : reason + ": " + failure.getMessage();
        changed();
    }

    /** The stream is not read until earlier events are processed, so nothing can be heard from the server. */
    void heldUp(String reason) {
        boolean known = holdUp != null;
        holdUp = reason;
        changed();
        if (!known) {
            log.warn("The watch-stream for {} is held up: {}", stream, reason);
        }
    }

    /** A reader waits for room, or does not any more. */
    void waits(Reader reader, boolean waiting) {
        switch (reader) {
            case LISTER -> listerWaiting = waiting;
            case WATCHER -> watcherWaiting = waiting;
        }
    }

    /** A list begins; nothing is watched. */
    void listStarted() {
        watchingEarly = false;
    }

    /** Changes are read while the list is. */
    void watchesWhileListing() {
        watchingEarly = true;
    }

    /** True while nobody reads changes, as there is no room for more. */
    boolean isHearingNothing() {
        return watcherWaiting || (listerWaiting && !watchingEarly);
    }

    /** True if the server was heard within that time, and nothing is wrong. */
    boolean isHeard(Duration within) {
        return trouble == null && platform.nanos() - heardAt < within.toNanos();
    }

    /** True from the moment when the stream is held up until the processing keeps up again. */
    boolean isHeldUp() {
        return holdUp != null;
    }

    /** The processing keeps up: events are read in time. */
    void keepsUp() {
        if (holdUp != null) {
            holdUp = null;
            changed();
            log.info("The watch-stream for {} is not held up any more.", stream);
        }
    }

    /** True once all that existed at the start is known. */
    public boolean isListed() {
        return listed;
    }

    /** True while the operator does not act here. */
    public boolean isPaused() {
        return paused;
    }

    /** True if all that can be known at the moment is known, or it was reported why it is not. */
    public boolean isSettled() {
        return listed || paused || trouble != null;
    }

    /** What is wrong at the moment; null if nothing is. */
    public @Nullable String trouble() {
        String known = trouble;
        return known == null ? holdUp : known;
    }

    /** The time since the server was last heard; nothing while the stream is paused. */
    public Duration silence() {
        return paused ? Duration.ZERO : Duration.ofNanos(platform.nanos() - heardAt);
    }
}
