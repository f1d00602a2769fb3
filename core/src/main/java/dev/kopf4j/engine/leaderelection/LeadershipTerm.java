package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/** Until when this replica may lead. Changed by the elector's task; read by any thread. */
final class LeadershipTerm {
    private final Platform platform;
    private volatile Deadline renewedUntil = Deadline.NEVER;
    private volatile Deadline writingUntil;

    /** A replica that does not lead. */
    LeadershipTerm(Platform platform) {
        this.platform = platform;
        this.writingUntil = platform.after(Duration.ZERO);
    }

    /** Until when the lease must be renewed; never while this replica does not lead. */
    Deadline renewedUntil() {
        return renewedUntil;
    }

    /** Until when requests may begin. */
    Deadline writingUntil() {
        return writingUntil;
    }

    /** True if this replica leads, and the lease was not renewed in time. */
    boolean isOver() {
        return renewedUntil.hasPassed(platform);
    }

    /** The lease was taken or renewed. */
    void extend(Deadline renewed, Deadline writing) {
        renewedUntil = renewed;
        writingUntil = writing;
    }

    /** This replica does not lead any more. */
    void end() {
        endWriting();
        renewedUntil = Deadline.NEVER;
    }

    /** From now on no request may begin. */
    void endWriting() {
        writingUntil = platform.after(Duration.ZERO);
    }
}
