package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lease as it was seen last, and since when another replica may take it. The time of its holder counts from when a
 * change of the lease is seen, so that clocks need not agree. Confined.
 */
final class ObservedLease {
    private final Platform platform;
    private final Lease.Store store;
    private final Duration leaseDuration;
    private final String identity;
    private @Nullable Lease lease;
    private Deadline freeFrom = Deadline.NEVER;

    /**
     * Nothing was seen yet.
     *
     * @param leaseDuration for how long this replica takes the lease
     * @param identity the name of this replica
     */
    ObservedLease(Platform platform, Lease.Store store, Duration leaseDuration, String identity) {
        this.platform = platform;
        this.store = store;
        this.leaseDuration = leaseDuration;
        this.identity = identity;
    }

    /** Reads the lease; whenever it has changed, its holder is given time anew. */
    void look() throws InterruptedException {
        Lease before = lease;
        Lease seen = store.read();
        lease = seen;
        if (seen == null) {
            freeFrom = platform.after(Duration.ZERO);
        } else if (before == null || !before.version().equals(seen.version())) {
            Duration longest = seen.duration().compareTo(leaseDuration) > 0 ? seen.duration() : leaseDuration;
            freeFrom = platform.after(seen.holder().isEmpty() ? Duration.ZERO : longest);
        }
    }

    /** True if the lease was seen, and exists. */
    boolean isKnown() {
        return lease != null;
    }

    /** What was seen does not count any more. */
    void forget() {
        lease = null;
    }

    /** Who holds the lease; empty if nobody is known to. */
    String holder() {
        return lease == null ? "" : lease.holder();
    }

    boolean isMineOrFree() {
        return lease == null || isMine() || freeFrom.hasPassed(platform);
    }

    private boolean isMine() {
        return holder().equals(identity);
    }

    /** Takes or renews the lease. */
    void take() throws InterruptedException {
        Lease known = lease == null ? Lease.unheard(store.namespace(), store.name()) : lease;
        lease = store.write(known.heldBy(identity, leaseDuration, platform.now()));
    }

    /** Gives the lease back; false if this replica does not hold it. */
    boolean release() throws InterruptedException {
        Lease held = lease;
        if (held == null || !isMine()) {
            return false;
        }
        store.write(held.released(platform.now()));
        return true;
    }
}
