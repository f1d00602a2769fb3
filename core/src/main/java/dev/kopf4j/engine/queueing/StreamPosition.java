package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.StreamProgress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream has come: its lists, and the newest version of any object in it. A server sends the changes of a
 * resource in their order. Written under the dispatcher's monitor; read by anybody.
 */
final class StreamPosition implements StreamProgress {
    /** Who has heard the server within this time hears it. */
    private static final Duration RECENTLY = Duration.ofSeconds(5);

    private final StreamHealth health;
    private volatile int lists;
    private volatile @Nullable String newest;
    private volatile @Nullable String listed;

    StreamPosition(StreamHealth health) {
        this.health = health;
    }

    /** A list begins. */
    void listStarted() {
        int before = lists;
        lists = before + 1;
    }

    /** An object has come in that version. */
    void reached(String version) {
        String before = newest;
        if (before == null || ResourceVersions.isAtLeast(version, before)) {
            newest = version;
        }
    }

    /** A list of that version is complete. */
    void listComplete(String version) {
        listed = version;
    }

    /** True if it has told of all changes up to that version, though not each of them may be processed. */
    boolean hasReached(String version) {
        return isAtLeast(newest, version) || isAtLeast(listed, version);
    }

    private static boolean isAtLeast(@Nullable String known, String version) {
        return known != null && ResourceVersions.isAtLeast(known, version);
    }

    @Override
    public int currentList() {
        return lists;
    }

    @Override
    public boolean isHeldUp() {
        return health.isHearingNothing();
    }

    @Override
    public boolean willReach(String version) {
        String reached = newest;
        boolean behind = reached != null
                && ResourceVersions.areNumbers(reached, version)
                && !ResourceVersions.isAtLeast(reached, version);
        return isHeldUp() || (behind && health.isHeard(RECENTLY));
    }
}
