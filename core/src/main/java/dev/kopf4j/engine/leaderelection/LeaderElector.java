package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConflictException;
import dev.kopf4j.engine.peering.OperatorPauses;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the lease when it is free, renews it while it is held, and lets the operator act only as long as nobody else
 * can have it. Confined to its task, but for {@link #writeDeadline}.
 *
 * <p>Entitlement counts from the moment before a renewal was sent; others count from when they have seen it, which is
 * later. So it does not matter what clocks show, nor how long requests take.
 */
final class LeaderElector implements Runnable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.leading");

    private final Platform platform;
    private final LeaseStore store;
    private final LeaderElectionTimings leaderElectionTimings;
    private final String identity;
    private final OperatorPauses.Toggle toggle;
    private final Monitor monitor;

    private @Nullable Lease lease;
    private Deadline freeFrom = Deadline.NEVER;
    private String told = "";
    private String trouble = "";
    private boolean leading;

    private volatile Deadline renewedUntil;
    private volatile Deadline writingUntil;

    LeaderElector(
            Platform platform,
            KubernetesApi api,
            LeaseStore place,
            LeaderElectionTimings leaderElectionTimings,
            String identity,
            OperatorPauses.Toggle toggle) {
        this.platform = platform;
        this.leaderElectionTimings = leaderElectionTimings;
        this.identity = identity;
        this.toggle = toggle;
        this.monitor = platform.monitor();
        this.renewedUntil = Deadline.NEVER;
        this.writingUntil = platform.after(Duration.ZERO);
        // A leader that waits for an answer must notice in time that it is none any more.
        this.store = new LeaseStore(api.fenced(() -> renewedUntil), place.namespace(), place.name());
    }

    /** Until when requests may begin. */
    Deadline writeDeadline() {
        return writingUntil;
    }

    @Override
    public void run() {
        try {
            while (true) {
                attempt();
                if (leading && renewedUntil.hasPassed(platform)) {
                    stepDown("it could not be renewed for "
                            + leaderElectionTimings.renewDeadline().toSeconds() + " s");
                }
                monitor.awaitTrue(() -> false, pause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A little chance keeps replicas from asking all at once. */
    private Deadline pause() {
        long millis = leaderElectionTimings.retryPeriod().toMillis();
        Deadline next =
                platform.after(Duration.ofMillis(millis + platform.random().nextLong(millis / 5 + 1)));
        return leading ? next.orEarlier(renewedUntil) : next;
    }

    private void attempt() throws InterruptedException {
        try {
            if (lease == null || !leading) {
                look();
            }
            if (isMineOrFree()) {
                take();
            } else {
                follow();
            }
        } catch (ConflictException e) {
            // Somebody was faster, or an earlier request has arrived although it was not answered.
            lease = null;
            if (leading) {
                attemptAgain();
            }
        } catch (ClientException e) {
            tellOf(e);
        }
    }

    /** Each trouble once, as long as it is the same. */
    private void tellOf(ClientException e) {
        String message = String.valueOf(e.getMessage());
        log.atLevel(message.equals(trouble) ? Level.DEBUG : Level.WARN)
                .log("The lease {} could not be asked for or renewed: {}", store, message);
        trouble = message;
    }

    private void attemptAgain() throws InterruptedException {
        try {
            look();
            if (isMineOrFree()) {
                take();
            } else {
                follow();
            }
        } catch (ClientException e) {
            tellOf(e);
        }
    }

    /** Notes the state of the lease; whenever it has changed, its holder is given time anew. */
    private void look() throws InterruptedException {
        Lease before = lease;
        Lease seen = store.read();
        lease = seen;
        if (seen == null) {
            freeFrom = platform.after(Duration.ZERO);
        } else if (before == null || !before.version().equals(seen.version())) {
            Duration longest = seen.duration().compareTo(leaderElectionTimings.leaseDuration()) > 0
                    ? seen.duration()
                    : leaderElectionTimings.leaseDuration();
            freeFrom = platform.after(seen.holder().isEmpty() ? Duration.ZERO : longest);
        }
    }

    private boolean isMineOrFree() {
        Lease known = lease;
        return known == null || known.holder().equals(identity) || freeFrom.hasPassed(platform);
    }

    private void take() throws InterruptedException {
        Deadline renewed = platform.after(leaderElectionTimings.renewDeadline());
        Deadline writing = platform.after(leaderElectionTimings.writing());
        Lease known = lease == null ? Lease.unheard(store.namespace(), store.name()) : lease;
        lease = store.write(known.heldBy(identity, leaderElectionTimings.leaseDuration(), platform.now()));
        if (!leading || !renewedUntil.hasPassed(platform)) {
            trouble = "";
            renewedUntil = renewed;
            writingUntil = writing;
            lead();
        }
    }

    private void lead() throws InterruptedException {
        if (!leading) {
            leading = true;
            told = "";
            log.info("Leading: the lease {} is held by this replica, {}.", store, identity);
            toggle.resume();
        }
    }

    private void follow() throws InterruptedException {
        String holder = lease == null ? "" : lease.holder();
        if (leading) {
            stepDown("it is held by " + holder);
        }
        if (!told.equals(holder)) {
            told = holder;
            log.info("Standing by: the lease {} is held by {}.", store, holder);
        }
    }

    /** The streams end, and what is being processed; nothing is written any more after that. */
    private void stepDown(String reason) throws InterruptedException {
        log.warn("Stepping down: the lease {} is lost, {}.", store, reason);
        toggle.pause("this replica does not lead: " + reason);
        leading = false;
        lease = null;
        writingUntil = platform.after(Duration.ZERO);
        renewedUntil = Deadline.NEVER;
    }

    /** Gives the lease back, so that nobody has to wait for it. After the end of the task. */
    void release() throws InterruptedException {
        writingUntil = platform.after(Duration.ZERO);
        Lease held = lease;
        boolean mine = leading && held != null && held.holder().equals(identity);
        if (held == null || !mine || renewedUntil.hasPassed(platform)) {
            return;
        }
        try {
            store.write(held.released(platform.now()));
            log.info("The lease {} is released.", store);
        } catch (ClientException e) {
            log.warn("The lease {} could not be released, others have to wait for it: {}", store, e.getMessage());
        }
    }
}
