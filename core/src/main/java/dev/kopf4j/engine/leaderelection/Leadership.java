package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.leaderelection.Lease.Purpose;
import dev.kopf4j.engine.leaderelection.Lease.Timings;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Whether this replica leads: for as long as it does, the operator acts, and its requests pass the fence. Without an
 * election it always does. Thread-safe.
 */
public final class Leadership implements LeadershipFence {
    private final Platform platform;
    private final @Nullable LeaderElector elector;
    private final @Nullable String group;
    private @Nullable Task task;

    private Leadership(Platform platform, @Nullable LeaderElector elector, @Nullable String group) {
        this.platform = platform;
        this.elector = elector;
        this.group = group;
    }

    /**
     * Prepares an election, and pauses the operator until it is won; if the settings want none, nothing is done.
     *
     * @param namespaces the patterns of the namespaces in which it works; empty for the whole cluster
     * @param indexes true to go on with indices while another replica leads
     * @throws dev.kopf4j.OperatorException if the settings make no sense
     */
    public static Leadership of(
            Platform platform,
            KubernetesApi api,
            OperatorSettings operator,
            List<String> namespaces,
            PauseReasons pauseReasons,
            boolean indexes)
            throws InterruptedException {
        OperatorSettings.LeaderElection settings = operator.leaderElection();
        if (!settings.enabled()) {
            return new Leadership(platform, null, null);
        }
        Timings leaderElectionTimings = Timings.of(settings);
        Duration attempt = leaderElectionTimings.renewDeadline().dividedBy(2);
        KubernetesApi hasty = api.with(api.settings().urgent(attempt));
        Lease.Store store = Lease.Store.of(hasty, settings);
        String reason = "this replica does not lead";
        PauseReasons.Toggle toggle = indexes ? pauseReasons.standingBy(reason) : pauseReasons.paused(null, reason);
        return new Leadership(
                platform,
                new LeaderElector(
                        platform,
                        hasty,
                        store,
                        leaderElectionTimings,
                        identity(platform, settings),
                        new Purpose(namespaces, operator.persistence().prefix(), List.of()),
                        toggle),
                "replicas/" + store.namespace() + "/" + store.name());
    }

    /** Makes the identity unique even if several processes are given the same one. */
    private static String identity(Platform platform, OperatorSettings.LeaderElection settings) {
        String given = settings.identity();
        String name = given == null ? System.getenv().getOrDefault("HOSTNAME", "kopf4j") : given;
        return name + "_" + Long.toHexString(platform.random().nextLong());
    }

    /** What all replicas call themselves, where they must be known as one; null without an election. */
    public @Nullable String group() {
        return group;
    }

    /** Those kinds have handlers, as {@code plural.group}: other operators are told by them. */
    public void found(List<String> kinds) {
        if (elector != null) {
            elector.purpose = new Purpose(elector.purpose.namespaces(), elector.purpose.prefix(), kinds);
        }
    }

    /** Why this replica can never lead, in words for people; empty if it can, or an outage keeps it from that. */
    public List<String> troubles() {
        return elector == null ? List.of() : elector.troubles;
    }

    /** Takes part from now on. */
    public synchronized void begin() {
        if (elector != null) {
            String name = "leader election";
            task = platform.spawnUnhindered(name, platform.essential(name, Platform.untilInterrupted(elector::run)));
        }
    }

    @Override
    public Deadline until() {
        return elector == null ? Deadline.NEVER : elector.term.writingUntil();
    }

    @Override
    public boolean awaitCertainty() throws InterruptedException {
        return elector == null || elector.term.awaitCertainty();
    }

    /**
     * Takes no part any more.
     *
     * @param idle true if all work has ended: only then somebody else may take over at once
     */
    public synchronized void end(boolean idle) throws InterruptedException {
        if (elector != null && task != null) {
            task.interrupt();
            task.join(Deadline.NEVER);
            elector.term.endWriting(); // nothing begins any more, and nobody waits for a renewal
            if (idle) {
                elector.release();
            }
        }
    }

    /**
     * Takes the lease when it is free, renews it while it is held, and lets the operator act only as long as nobody
     * else can have it. Confined to its task, but for the term of the lease.
     *
     * <p>Entitlement counts from the moment before a renewal was sent; others count from when they have seen it, which
     * is later. So it does not matter what clocks show, nor how long requests take. Where the wall clock has gone on
     * and the monotonic one has not, the lease is renewed before anything else is done.
     */
    static final class LeaderElector {
        private final Platform platform;
        private final Timings leaderElectionTimings;
        private final PauseReasons.Toggle toggle;
        private final Monitor monitor;
        private final Lease.Store store;
        private final ObservedLease observed;
        private final LeaderElectionLog electionLog;
        private final Lease.Term term;
        private volatile Purpose purpose;
        private volatile List<String> troubles = List.of();
        private boolean leading;
        // Guarded by the monitor.
        /** True if somebody waits for a renewal. */
        private boolean renewalWanted;
        /** True after an attempt that has failed: the next one is made after the pause. */
        private boolean failed;

        LeaderElector(
                Platform platform,
                KubernetesApi api,
                Lease.Store place,
                Timings leaderElectionTimings,
                String identity,
                Purpose purpose,
                PauseReasons.Toggle toggle) {
            this.platform = platform;
            this.purpose = purpose;
            this.leaderElectionTimings = leaderElectionTimings;
            this.toggle = toggle;
            this.monitor = platform.monitor();
            this.term = new Lease.Term(platform, monitor, () -> renewalWanted = !failed);
            // A leader that waits for an answer must notice in time that it does not lead any more.
            this.store = new Lease.Store(api.fenced(term::renewedUntil), place.namespace(), place.name());
            this.observed = new ObservedLease(platform, store, leaderElectionTimings.leaseDuration(), identity);
            this.electionLog = new LeaderElectionLog(store, identity);
        }

        void run() throws InterruptedException {
            while (true) {
                boolean failing = !isMade(true);
                monitor.locked(() -> {
                    failed = failing;
                });
                if (leading && term.isOver()) {
                    stepDown("it could not be renewed for "
                            + leaderElectionTimings.renewDeadline().toSeconds() + " s");
                }
                monitor.awaitTrue(this::takeWanted, pause());
            }
        }

        private boolean takeWanted() {
            boolean was = renewalWanted;
            renewalWanted = false;
            return was;
        }

        /** The random part keeps the replicas from asking all at once. */
        private Deadline pause() {
            long millis = leaderElectionTimings.retryPeriod().toMillis();
            Deadline next =
                    platform.after(Duration.ofMillis(millis + platform.random().nextLong(millis / 5 + 1)));
            return leading ? next.orEarlier(term.renewedUntil()) : next;
        }

        private boolean isMade(boolean first) throws InterruptedException {
            try {
                if (!observed.isKnown() || !leading) {
                    observed.look();
                }
                if (observed.isMineOrFree()) {
                    take();
                } else {
                    follow();
                }
                troubles = List.of();
                return true;
            } catch (ClientException e) {
                if (first && e instanceof ConflictException) {
                    // Somebody was faster, or an earlier request has arrived although it was not answered.
                    observed.forget();
                    return !leading || isMade(false);
                }
                electionLog.failed(e);
                if (Lease.isRefusal(e, store.name())) {
                    troubles = List.of("the lease " + store + " cannot be asked for or renewed: " + e.getMessage());
                } else if (!(e instanceof LeadershipLostException)) {
                    // What was not even sent, as the time was over, tells nothing of rights.
                    troubles = List.of();
                }
                return false;
            }
        }

        private void take() throws InterruptedException {
            Deadline renewed = platform.after(leaderElectionTimings.renewDeadline());
            Deadline writing = platform.after(leaderElectionTimings.writing());
            Instant certain = platform.now().plus(leaderElectionTimings.writing());
            observed.take(purpose);
            if (!leading || !term.isOver()) {
                electionLog.succeeded();
                term.extend(renewed, writing, certain);
                lead();
            }
        }

        private void lead() throws InterruptedException {
            if (!leading) {
                leading = true;
                electionLog.leads();
                toggle.resume();
            }
        }

        private void follow() throws InterruptedException {
            if (leading) {
                term.endWriting(); // somebody else leads already, whatever the own clock says
                stepDown("it is held by " + observed.holder());
            }
            if (observed.isKnown()) {
                electionLog.follows(observed.holder(), observed.difference(purpose));
                observed.tryToWrite();
            }
        }

        /** The streams end, and what is being processed; nothing is written any more after that. */
        private void stepDown(String reason) throws InterruptedException {
            electionLog.stepsDown(reason);
            toggle.pause("this replica does not lead: " + reason);
            leading = false;
            observed.forget();
            term.end();
        }

        /** Gives the lease back, so that nobody has to wait for it. After the end of the term. */
        void release() throws InterruptedException {
            if (!(leading || observed.mayHaveTaken()) || term.isOver()) {
                return;
            }
            try {
                if (observed.release()) {
                    electionLog.released();
                }
            } catch (ClientException e) {
                electionLog.notReleased(e);
            }
        }

        /** Logs who leads and which failures there are, each of them once. Confined. */
        private static final class LeaderElectionLog {
            private static final Logger log = LoggerFactory.getLogger("kopf4j.leading");
            private static final String DEFAULT_NAME =
                    new OperatorSettings().leaderElection().leaseName();

            private final Lease.Store store;
            private final String identity;
            private String toldHolder = "";
            private String toldFailure = "";
            private @Nullable String toldDifference;

            LeaderElectionLog(Lease.Store store, String identity) {
                this.store = store;
                this.identity = identity;
            }

            void leads() {
                toldHolder = "";
                toldDifference = null;
                log.info("Leading: the lease {} is held by this replica, {}.", store, identity);
            }

            void follows(String holder, @Nullable String difference) {
                if (!toldHolder.equals(holder)) {
                    toldHolder = holder;
                    // Operators that nobody has named meet in it, and all but one of them never act.
                    String doubt = store.name().equals(DEFAULT_NAME)
                            ? " It has the default name: if that is no replica of this operator, give each operator a name"
                                    + " of its own, by operator.name."
                            : "";
                    log.info("Standing by: the lease {} is held by {}.{}", store, holder, doubt);
                }
                if (difference != null && !difference.equals(toldDifference)) {
                    log.warn(
                            "K4-031: The lease {} is held by a replica of another operator: {}. This one does not act as"
                                    + " long as that one leads. " + Purpose.WAY_OUT,
                            store,
                            difference);
                }
                toldDifference = difference;
            }

            void stepsDown(String reason) {
                log.warn("K4-009: Stepping down: the lease {} is lost, {}.", store, reason);
            }

            void failed(ClientException e) {
                String message = String.valueOf(e.getMessage());
                log.atLevel(message.equals(toldFailure) ? Level.DEBUG : Level.WARN)
                        .log("The lease {} could not be asked for or renewed: {}", store, message);
                toldFailure = message;
            }

            /** The lease was taken or renewed: a later failure is told. */
            void succeeded() {
                toldFailure = "";
            }

            void released() {
                log.info("The lease {} is released.", store);
            }

            void notReleased(ClientException e) {
                log.warn("The lease {} could not be released, others have to wait for it: {}", store, e.getMessage());
            }
        }
    }

    /**
     * What the lease says to somebody who takes no part in the election. Immutable.
     *
     * @param place where the lease is, in quotes
     * @param lease null if there is none
     */
    public record Report(String place, @Nullable Lease lease) {
        /** Reads the lease; null if the settings want no election, or the account may not read it. */
        public static @Nullable Report read(KubernetesApi api, OperatorSettings.LeaderElection settings)
                throws InterruptedException {
            if (!settings.enabled()) {
                return null;
            }
            Lease.Store store = Lease.Store.of(api, settings);
            try {
                return new Report(store.toString(), store.read());
            } catch (ForbiddenException e) {
                return null;
            }
        }

        /**
         * Which replica acts, or why none does, in words.
         *
         * @param now the time by the clock of this machine, which that of the leader is compared with
         */
        public String words(Instant now) {
            String none = trouble(now);
            return none == null && lease != null
                    ? "the replica '" + lease.holder() + "' acts: it holds the lease " + place
                    : String.valueOf(none);
        }

        /**
         * How the replica that acts differs from those of an operator, in words; null if it is not known to.
         *
         * @param own what the operator works at; whoever asks may look at a part of its namespaces only
         */
        public @Nullable String difference(Purpose own, Instant now) {
            Purpose theirs = lease == null ? null : Purpose.of(lease);
            return lease == null || theirs == null || trouble(now) != null
                    ? null
                    : new Purpose(theirs.namespaces(), own.prefix(), own.kinds()).differenceTo(lease, "this operator");
        }

        /** Why no replica acts; null if one does. */
        public @Nullable String trouble(Instant now) {
            if (lease == null) {
                return "no replica acts: there is no lease " + place
                        + " (operator.name and leaderElection.leaseNamespace say where it is)";
            }
            if (lease.holder().isEmpty()) {
                return "no replica acts: nobody holds the lease " + place;
            }
            String silence = lease.silence(now);
            return silence == null
                    ? null
                    : "no replica acts: '" + lease.holder() + "' holds the lease " + place + ", and " + silence;
        }
    }

    /**
     * The lease as it was seen last, and since when another replica may take it. The time of its holder counts from
     * when a change of the lease is seen, so that clocks need not agree. Confined.
     */
    private static final class ObservedLease {
        private final Platform platform;
        private final Lease.Store store;
        private final Duration leaseDuration;
        private final String identity;
        private @Nullable Lease lease;
        private Deadline freeFrom = Deadline.NEVER;
        /** True from when the lease is written until the answer is known: it may be held by this replica unseen. */
        private boolean unanswered;
        /** True if this replica has written the lease since it was seen in other hands. */
        private boolean written;
        /** True if another replica held the lease when it was deleted. */
        private boolean vanished;
        /** True if this replica is known to have the right to write the lease. */
        private boolean mayWrite;

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

        /**
         * Reads the lease; whenever it has changed, its holder is given time anew. So it is when somebody has deleted
         * it: the holder learns of that at its next renewal only, and leads until then.
         */
        void look() throws InterruptedException {
            Lease before = lease;
            Lease seen = store.read();
            lease = seen;
            unanswered = false;
            if (seen != null) {
                vanished = false;
                written &= seen.holder().isEmpty() || seen.holder().equals(identity);
                if (before == null || !before.version().equals(seen.version())) {
                    freeFrom = platform.after(timeOf(seen));
                }
            } else if (before != null) {
                vanished = !before.holder().isEmpty() && !before.holder().equals(identity);
                freeFrom = platform.after(vanished ? timeOf(before) : Duration.ZERO);
            } else if (!vanished) {
                freeFrom = platform.after(Duration.ZERO);
            }
        }

        private Duration timeOf(Lease held) {
            Duration longest = held.duration().compareTo(leaseDuration) > 0 ? held.duration() : leaseDuration;
            return held.holder().isEmpty() ? Duration.ZERO : longest;
        }

        /** True if the lease was seen, and exists. */
        boolean isKnown() {
            return lease != null;
        }

        /** What was seen does not count any more. */
        void forget() {
            lease = null;
            vanished = false;
        }

        /** Who holds the lease; empty if nobody is known to. */
        String holder() {
            return lease == null ? "" : lease.holder();
        }

        /** How who holds the lease differs from replicas of this operator, in words; null if he is not known to. */
        @Nullable String difference(Purpose own) {
            return lease == null ? null : own.differenceTo(lease, "this replica");
        }

        boolean isMineOrFree() {
            return isMine() || freeFrom.hasPassed(platform);
        }

        /** Somebody may set the lease back to a former holder, while another one leads until its next renewal. */
        private boolean isMine() {
            return written && holder().equals(identity);
        }

        /** Takes or renews the lease, and says there what this replica works at. */
        void take(Purpose purpose) throws InterruptedException {
            Lease known = lease == null ? Lease.unheard(store.namespace(), store.name()) : lease;
            unanswered = true;
            written = true;
            lease = store.write(
                    known.heldBy(identity, leaseDuration, platform.now()).with(purpose));
            unanswered = false;
            mayWrite = true;
        }

        /**
         * Finds out, once, whether this replica could take the lease, before it is needed: it writes what is stored,
         * which changes nothing, and is refused to whom may not write.
         */
        void tryToWrite() throws InterruptedException {
            if (lease == null || mayWrite) {
                return;
            }
            try {
                var _ = store.write(lease);
            } catch (ConflictException e) {
                // Its holder has renewed it meanwhile; those who may not write are refused without a look at that.
            }
            mayWrite = true;
        }

        /** True if this replica does not know whether it has taken the lease: nobody has waited for the answer. */
        boolean mayHaveTaken() {
            return unanswered;
        }

        /** Gives the lease back; false if this replica does not hold it. */
        boolean release() throws InterruptedException {
            if (unanswered) {
                // A request was on the way when the election ended, and may have arrived.
                look();
            }
            try {
                return releaseAsSeen();
            } catch (ConflictException e) {
                // It has arrived only now.
                look();
                return releaseAsSeen();
            }
        }

        private boolean releaseAsSeen() throws InterruptedException {
            Lease held = lease;
            if (held == null || !isMine()) {
                return false;
            }
            store.write(held.released(platform.now()));
            return true;
        }
    }
}
