package dev.kopf4j.engine.sharding;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.leaderelection.Lease.Timings;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.databind.node.ObjectNode;

/**
 * This replica as a member of a group that shares the objects: it acts on the objects of the shards that it has, for as
 * long as it renews its lease. The group needs no leader: each member may write what follows from what all can see, and
 * the server refuses who has not seen the newest. Thread-safe.
 */
public final class ShardGroup implements LeadershipFence {
    /** More shards would only make the assignment longer. */
    public static final int SHARDS_MAX = 1024;

    private static final Logger log = LoggerFactory.getLogger("kopf4j.sharding");
    private static final int LABEL_MAX = 63;

    /** How many times a pass begins anew at once if others were faster. */
    private static final int CONFLICTS_MAX = 5;

    private static final String TOO_LATE = "its lease or the group's could not be renewed in time";

    private static final String NO_MEMBER = "this replica is no member of the group";

    /** So many members have their turn within a retry period. */
    private static final int TURNS = 4;

    /** How many times longer than a member's lease the group's lasts: it is renewed with the time of the former. */
    static final int GROUP_LONGER = 3;

    private final Platform platform;
    private final OperatorSettings.Watching watching;
    private final Timings timings;
    private final GroupLeases leases;
    private final String identity;
    private final int count;
    private final ShardsToActOn shards;
    private final ServedShards served;
    private final PauseReasons.Toggle toggle;
    private final Lease.Store groupStore;
    private final Monitor monitor;
    private final GroupObservations observations;
    private final Lease.Term term;
    /** Of the group's lease: replicas that elect a leader do not act before its end. */
    private final Lease.Term groupTerm;

    private final GroupLog groupLog = new GroupLog();
    private volatile Lease.Purpose purpose;
    private volatile List<String> troubles = List.of();

    // Confined to the group's task.
    private @Nullable Member member;
    private @Nullable Lease group;
    private ShardAssignment assignment;
    private Deadline groupRenewal;
    /** Until when this member renews its lease: who does not learn what it is to have, must not seem to be alive. */
    private Deadline agreement;
    /** True if this member has let its lease run out for that. */
    private boolean unrenewed;

    private Deadline nextLook;
    /** When it is this member's turn to do what is to be done for the group; never if nothing is. */
    private Deadline turn = Deadline.NEVER;

    /** True if something has happened since the leases were read. */
    private final AtomicBoolean outdated = new AtomicBoolean();

    // Guarded by the monitor.
    private boolean woken;

    private List<Task> tasks = List.of();

    /** The membership of this replica: its id, which no other one has ever had, and its lease. */
    private record Member(String id, Lease.Store store, Lease lease) {
        Member renewed(Lease written) {
            return new Member(id, store, written);
        }
    }

    private ShardGroup(
            Platform platform,
            OperatorSettings settings,
            Timings timings,
            GroupLeases leases,
            String identity,
            List<String> namespaces,
            PauseReasons pauses) {
        this.platform = platform;
        this.timings = timings;
        this.identity = identity;
        this.count = shards(settings);
        this.purpose = new Lease.Purpose(namespaces, settings.persistence().prefix(), List.of());
        this.watching = settings.watching();
        this.shards = pauses.shards();
        this.monitor = platform.monitor();
        this.term = new Lease.Term(platform, monitor, () -> woken = true);
        this.groupTerm = new Lease.Term(platform, monitor, () -> woken = true);
        NetworkSettings network = leases.api().settings();
        KubernetesApi hasty =
                leases.api().with(network.urgent(timings.renewDeadline().dividedBy(4)));
        // A server whose cache is behind waits for it for three seconds before it asks the store itself.
        KubernetesApi patient = leases.api()
                .with(network.urgent(timings.renewDeadline().multipliedBy(2).dividedBy(5)));
        this.leases = leases.by(hasty.fenced(term::renewedUntil), patient.fenced(term::renewedUntil));
        this.groupStore = this.leases.store();
        this.observations = new GroupObservations(platform, timings.leaseDuration());
        this.assignment = ShardAssignment.free(count);
        this.groupRenewal = platform.after(Duration.ZERO);
        this.agreement = platform.after(Duration.ZERO);
        this.nextLook = platform.after(Duration.ZERO);
        this.toggle = pauses.paused(null, NO_MEMBER + " yet");
        this.served = new ServedShards(platform, shards);
        served.clear(count);
    }

    /** True if the settings want the objects to be shared. */
    public static boolean isWanted(OperatorSettings settings) {
        return settings.sharding().shards() != null;
    }

    private static int shards(OperatorSettings settings) {
        Integer shards = settings.sharding().shards();
        return shards == null ? 1 : shards;
    }

    /**
     * Prepares to take part in the group, and pauses the operator until it does.
     *
     * @param namespaces the patterns of the namespaces in which it works; empty for the whole cluster
     * @throws OperatorException if the settings make no sense
     */
    public static ShardGroup of(
            Platform platform,
            KubernetesApi api,
            OperatorSettings settings,
            List<String> namespaces,
            PauseReasons pauseReasons)
            throws InterruptedException {
        OperatorSettings.LeaderElection election = settings.leaderElection();
        if (election.enabled()) {
            throw new OperatorException("settings.leaderElection().enabled() and settings.sharding().shards() exclude"
                    + " each other: either one replica acts, or all of them do. Leave one of them out.");
        }
        if (election.leaseName().length() > LABEL_MAX) {
            throw new OperatorException("settings.leaderElection().leaseName() is the value of a label here, too: it"
                    + " may have " + LABEL_MAX + " characters, but has "
                    + election.leaseName().length() + ": " + election.leaseName());
        }
        String identity = election.identity();
        return new ShardGroup(
                platform,
                settings,
                Timings.of(election),
                GroupLeases.of(api, election),
                identity == null ? System.getenv().getOrDefault("HOSTNAME", "kopf4j") : identity,
                namespaces,
                pauseReasons);
    }

    /** What all members call themselves, where they must be known as one. */
    public String name() {
        return "shards/" + leases.namespace() + "/" + leases.group();
    }

    /** Those kinds have handlers, as {@code plural.group}: members of other operators are told by them. */
    public void found(List<String> kinds) {
        purpose = new Lease.Purpose(purpose.namespaces(), purpose.prefix(), kinds);
    }

    /**
     * Why this replica can never be a member, in words for people; empty if it can, or an outage keeps it from that.
     */
    public List<String> troubles() {
        return troubles;
    }

    /** Takes part from now on. */
    public synchronized void begin() {
        ListAndWatchLoop watch = new ListAndWatchLoop(
                platform,
                leases.api().fenced(LeadershipFence.OPEN),
                WellKnownResources.LEASES,
                leases.namespace(),
                leases.selection(),
                watching,
                null);
        String name = "shard group";
        tasks = List.of(
                platform.spawnUnhindered(name, platform.essential(name, Platform.untilInterrupted(this::take))),
                platform.spawnEssential("leases of the shard group", () -> watch.run(new LeaseWatch())),
                platform.spawnEssential("hand-over of shards", Platform.untilInterrupted(this::handOver)));
    }

    @Override
    public Deadline until() {
        return term.writingUntil().orEarlier(groupTerm.writingUntil());
    }

    @Override
    public boolean awaitCertainty() throws InterruptedException {
        return term.awaitCertainty() && groupTerm.awaitCertainty();
    }

    /** True if this replica is a member, and its lease or the group's was not renewed in time. */
    private boolean isOver() {
        return term.isOver() || groupTerm.isOver();
    }

    @Override
    public Deadline until(String uid) {
        return uid.isEmpty() || served.has(uid) ? until() : platform.after(Duration.ZERO);
    }

    /**
     * Takes no part any more.
     *
     * @param idle true if all work has ended: only then others may take over at once
     */
    public synchronized void end(boolean idle) throws InterruptedException {
        tasks.forEach(Task::interrupt);
        for (Task task : tasks) {
            task.join(Deadline.NEVER);
        }
        boolean entitled = member != null && !isOver();
        term.endWriting();
        groupTerm.endWriting();
        if (idle && entitled) {
            leave();
        }
    }

    /** The group's task. */
    private void take() throws InterruptedException {
        while (true) {
            pass();
            monitor.awaitTrue(this::takeWakeUp, nextPass());
        }
    }

    private boolean takeWakeUp() {
        boolean was = woken;
        woken = false;
        return was;
    }

    private void wakeToLook() {
        outdated.set(true);
        monitor.locked(() -> {
            woken = true;
        });
    }

    /** In a task of its own, as the lease must be renewed meanwhile. */
    private void handOver() throws InterruptedException {
        served.handOver(
                timings.retryPeriod(),
                () -> monitor.locked(() -> {
                    woken = true;
                }));
    }

    /** The random part keeps the replicas from writing all at once. */
    private Deadline nextPass() {
        long millis = timings.retryPeriod().toMillis();
        Deadline next =
                platform.after(Duration.ofMillis(millis + platform.random().nextLong(millis / 5 + 1)));
        Deadline own = next.orEarlier(term.renewedUntil());
        own = turn.hasPassed(platform) ? own : own.orEarlier(turn);
        return own.orEarlier(observations.nextExpiry(ownId()));
    }

    private String ownId() {
        return member == null ? "" : member.id();
    }

    private void pass() throws InterruptedException {
        boolean again = true;
        for (int time = 0; again && time < CONFLICTS_MAX; time++) {
            again = false;
            try {
                if (member == null) {
                    join();
                } else {
                    renew(member);
                }
                look();
                agree();
                agreement = platform.after(timings.leaseDuration());
                unrenewed = false;
                groupLog.succeeded();
                troubles = List.of();
            } catch (ConflictException e) {
                // Somebody was faster, or an earlier request has arrived although it was not answered.
                nextLook = platform.after(Duration.ZERO);
                again = true;
            } catch (ClientException e) {
                nextLook = platform.after(Duration.ZERO);
                groupLog.failed(leases, e);
                if (Lease.isRefusal(e, groupStore.name())) {
                    troubles = List.of("the leases of the shard group '" + leases.namespace() + "/" + leases.group()
                            + "' cannot be read or written: " + e.getMessage());
                } else if (!(e instanceof LeadershipLostException)) {
                    // What was not even sent, as the time was over, tells nothing of rights.
                    troubles = List.of();
                }
                if (member == null) {
                    toggle.pause(NO_MEMBER + ", as the leases could not be read or written: " + e.getMessage());
                }
            }
            if (member != null && isOver()) {
                lose(unrenewed ? noAgreement() : TOO_LATE);
            }
        }
    }

    private String noAgreement() {
        return "the leases of the group could not be read or written for "
                + timings.leaseDuration().toSeconds()
                + " s, and others are to act on its objects; it joins anew when they"
                + " can";
    }

    /**
     * Joins if the leases can be read and the group's can be written: others would give their shards to a member that
     * could not learn of it.
     */
    private void join() throws InterruptedException {
        nextLook = platform.after(Duration.ZERO);
        look();
        Lease stored = group;
        if (stored != null && leases.isShared(stored) && !isOfLaterFormat(stored)) {
            group = groupStore.write(
                    stored); // changes nothing, which the server may do for those alone who may change it
        } else if (stored == null && observations.others("").isEmpty()) {
            // Before there is a member, so that of those who start together nobody takes the others for acting ones.
            group = groupStore.write(
                    leases.ofGroup(null, ShardAssignment.free(count), groupDuration(), platform.now()));
        }
        Deadline renewed = platform.after(timings.renewDeadline());
        Deadline writing = platform.after(timings.writing());
        Instant certain = platform.now().plus(timings.writing());
        String id = String.format(Locale.ROOT, "%012x", platform.random().nextLong() >>> 16);
        Lease.Store store = leases.store(id);
        Lease mine = leases.ofMember(id, identity + "_" + id, purpose, timings.leaseDuration(), platform.now());
        // If the answer is lost, nobody renews that lease: it expires.
        member = new Member(id, store, store.write(mine));
        term.extend(renewed, writing, certain);
        agreement = platform.after(timings.leaseDuration());
        unrenewed = false;
        nextLook = platform.after(Duration.ZERO);
    }

    /** Gives a sign of life, unless this member has not agreed with the others for too long: then they expel it. */
    private void renew(Member known) throws InterruptedException {
        if (agreement.hasPassed(platform)) {
            unrenewed |= !isOver(); // else the process stood still
            return;
        }
        Deadline renewed = platform.after(timings.renewDeadline());
        Deadline writing = platform.after(timings.writing());
        Instant certain = platform.now().plus(timings.writing());
        Member renewing = written(known);
        if (renewing == null) {
            lose("its lease was deleted: it was not renewed for too long, or somebody has deleted it");
        } else if (isOver()) {
            // What the fence has refused meanwhile is not tried again, unless all is given up and listed anew.
            lose(TOO_LATE);
        } else {
            member = renewing;
            term.extend(renewed, writing, certain);
        }
    }

    /** Null if the lease is gone: others take over, or have done so. */
    private @Nullable Member written(Member known) throws InterruptedException {
        try {
            return known.renewed(known.store().write(alive(known.lease())));
        } catch (NotFoundException e) {
            if (!e.isAbsenceOf(known.lease().name())) {
                throw e;
            }
            return null;
        } catch (ConflictException e) {
            Lease stored = known.store().read();
            return stored == null || !stored.uid().equals(known.lease().uid())
                    ? null
                    : known.renewed(known.store().write(alive(stored)));
        }
    }

    private Lease alive(Lease lease) {
        return leases.ofMember(lease, purpose, timings.leaseDuration(), platform.now());
    }

    /**
     * Others may have its shards: everything ends, and it joins anew. Nothing begins from now on, as the fence is
     * closed.
     */
    private void lose(String reason) throws InterruptedException {
        log.warn("K4-009: Leaving the group of {}: {}. All shards of this replica are given up.", groupStore, reason);
        term.end();
        groupTerm.end();
        member = null;
        group = null;
        groupRenewal = platform.after(Duration.ZERO);
        served.clear(assignment.count());
        toggle.pause(NO_MEMBER + ": " + reason);
    }

    /** Reads all leases of the group, if something has changed, or has not been heard of for long. */
    private void look() throws InterruptedException {
        boolean told = outdated.getAndSet(false);
        boolean expiring = !observations.expired(ownId()).isEmpty();
        if (!told && !expiring && assignment.isSettled() && !nextLook.hasPassed(platform)) {
            return;
        }
        nextLook = platform.after(Duration.ZERO);
        GroupLeases.Found found = leases.read();
        observations.listed(found.members(), member == null ? Map.of() : Map.of(member.id(), member.lease()));
        groupLog.others(groupStore, purpose, found.members(), ownId());
        // Before the first member there is none, or one without the label, of a leader.
        group = found.group() == null ? groupStore.read() : found.group();
        nextLook = platform.after(timings.leaseDuration().dividedBy(2));
    }

    /** Finds out what follows for the group from what is known, stores it, and obeys it. */
    private void agree() throws InterruptedException {
        Member known = member;
        if (known == null) {
            return;
        }
        Lease stored = group;
        boolean shared = stored != null && leases.isShared(stored) && !isOfLaterFormat(stored);
        if (stored != null && !shared && !stored.holder().isEmpty() && !observations.isOver(stored)) {
            groupLog.follows(groupStore, stored.holder(), isOfLaterFormat(stored));
            String held = "the group's lease is held by " + stored.holder();
            if (toggle.isOn()) {
                toggle.pause("this replica waits: " + held);
            } else {
                lose(held);
            }
            nextLook = platform.after(Duration.ZERO);
            return;
        }
        ShardAssignment before = stored == null ? firstOfAll(known) : stored(stored, shared);
        ShardAssignment next = following(before, known);
        if (!next.saysTheSame(before) || groupRenewal.hasPassed(platform) || groupTerm.isInDoubt() || !shared) {
            next = next.saysTheSame(before) ? before : next.after(before.epoch());
            Deadline renewal = platform.after(timings.leaseDuration());
            Duration writing = timings.writing().multipliedBy(GROUP_LONGER);
            Deadline end = platform.after(writing);
            Instant certain = platform.now().plus(writing);
            group = groupStore.write(leases.ofGroup(stored, next, groupDuration(), platform.now()));
            if (isOver()) {
                lose(TOO_LATE);
                return;
            }
            groupRenewal = renewal;
            groupTerm.extend(end, end, certain);
        }
        assignment = next;
        boolean more = served.change(next.count(), next.servedBy(known.id()));
        if (more && !toggle.isOn()) {
            shards.handOver().takeMore();
        }
        if (toggle.isOn() && !isOver()) {
            toggle.resume();
        }
    }

    /** Without the group's lease nobody acts, unless somebody has deleted it meanwhile. */
    private ShardAssignment firstOfAll(Member known) {
        return observations.others(known.id()).isEmpty() && served.isEmpty()
                ? ShardAssignment.free(count)
                : ShardAssignment.unknown(assignment.count());
    }

    private static boolean isOfLaterFormat(Lease stored) {
        return ShardAssignment.isOfLaterFormat(String.valueOf(stored.annotation(GroupLeases.ASSIGNMENT)));
    }

    private ShardAssignment stored(Lease stored, boolean shared) {
        String text = stored.annotation(GroupLeases.ASSIGNMENT);
        try {
            return text == null && !shared ? ShardAssignment.free(count) : ShardAssignment.parse(String.valueOf(text));
        } catch (JsonConversionException e) {
            log.warn(
                    "The annotation {} of the lease {} cannot be read, and is made anew: {}",
                    GroupLeases.ASSIGNMENT,
                    groupStore,
                    e.getMessage());
            return ShardAssignment.unknown(assignment.count());
        }
    }

    private ShardAssignment following(ShardAssignment before, Member known) throws InterruptedException {
        BitSet busy = served.busy();
        ShardAssignment next = before.reclaimed(known.id(), busy);
        BitSet given = next.heldBy(known.id());
        given.andNot(next.servedBy(known.id()));
        given.andNot(busy);
        next = next.givenUp(known.id(), given);
        observations.holders(next.holders());
        boolean expires = !observations.expired(known.id()).isEmpty();
        if (expires && isDue(known)) {
            expel(known);
        }
        next = next.without(observations::isGone);
        if (next.count() != count && next.holders().isEmpty()) {
            next = ShardAssignment.free(count);
        }
        if (next.count() != count) {
            groupLog.otherCount(next.count(), count);
        }
        List<String> alive = observations.alive(known.id());
        ShardAssignment shared = next.balanced(alive).taken(alive::contains);
        boolean complete = shared.saysTheSame(next);
        if (complete && !expires) {
            turn = Deadline.NEVER;
        }
        return complete || !isDue(known) ? next : shared;
    }

    /**
     * What any member could do, the first of those who seem to be alive does at once, the second one later if it is not
     * done yet, and so on, so that not all do it at once: the first may be dead already. It matters to no promise if
     * two of them do it.
     */
    private boolean isDue(Member known) {
        long before = observations.alive(known.id()).stream()
                .filter(id -> id.compareTo(known.id()) < 0)
                .count();
        turn = turn.orEarlier(
                platform.after(timings.retryPeriod().multipliedBy(before).dividedBy(TURNS)));
        return turn.hasPassed(platform);
    }

    /**
     * Deletes the leases of members that have not renewed them in time, if they have not done so since. Who was
     * expelled cannot renew its lease any more, and its fence has closed before.
     */
    private void expel(Member known) throws InterruptedException {
        for (Map.Entry<String, Lease> each : observations.expired(known.id()).entrySet()) {
            String id = each.getKey();
            Lease lease = each.getValue();
            try {
                leases.delete(lease, true);
                log.info(
                        "The member {} ({}) has not renewed its lease for {} s: its shards are taken over.",
                        id,
                        lease.holder(),
                        timings.leaseDuration().toSeconds());
                observations.expelled(id);
            } catch (NotFoundException e) {
                observations.absent(id);
            }
        }
    }

    /** All work has ended: others need not wait. */
    private void leave() throws InterruptedException {
        Member known = member;
        if (known == null) {
            return;
        }
        GroupLeases open = leases.by(leases.api().fenced(LeadershipFence.OPEN));
        try {
            List<String> others = others(open, known);
            change(
                    open,
                    before -> before.givenUp(known.id(), before.heldBy(known.id()))
                            .balanced(others));
            open.delete(known.lease(), false);
            // Now, as all may leave at once: the last one finds nobody else.
            if (others(open, known).isEmpty()) {
                change(open, before -> before.holders().isEmpty() ? null : before);
            }
            log.info("The shards of this replica are free.");
        } catch (NotFoundException e) {
            log.debug("Others have expelled this replica already.");
        } catch (ClientException e) {
            log.warn("The shards could not be given back, others have to wait for them: {}", e.getMessage());
        }
    }

    private static List<String> others(GroupLeases open, Member known) throws InterruptedException {
        return open.read().members().keySet().stream()
                .filter(id -> !id.equals(known.id()))
                .toList();
    }

    /**
     * Changes the assignment if the group has its lease.
     *
     * @param change what is to be stored; null to free the lease
     */
    private void change(GroupLeases open, Function<ShardAssignment, @Nullable ShardAssignment> change)
            throws InterruptedException {
        for (int time = 0; time < CONFLICTS_MAX; time++) {
            Lease stored = open.store().read();
            if (stored == null || !open.isShared(stored) || isOfLaterFormat(stored)) {
                return;
            }
            ShardAssignment before = stored(stored, true);
            ShardAssignment next = change.apply(before);
            Instant now = platform.now();
            try {
                open.store()
                        .write(
                                next == null
                                        ? stored.released(now)
                                        : open.ofGroup(stored, next.after(before.epoch()), groupDuration(), now));
                return;
            } catch (ConflictException e) {
                log.debug("The lease {} has changed meanwhile.", groupStore);
            }
        }
    }

    private Duration groupDuration() {
        return timings.leaseDuration().multipliedBy(GROUP_LONGER);
    }

    /** Hears of the group's leases, so that nobody has to ask for them again and again. */
    private final class LeaseWatch implements ListAndWatchListener {
        @Override
        public void listed(ObjectNode object) {
            hear(new Lease(object), false);
        }

        @Override
        public void listComplete(String resourceVersion) {
            wakeToLook();
        }

        @Override
        public void event(WatchEvent event) {
            hear(new Lease(event.object()), event.type() != WatchEvent.Type.MODIFIED);
        }

        private void hear(Lease lease, boolean comesOrGoes) {
            String id = leases.member(lease);
            boolean changed = lease.name().equals(leases.group())
                    ? observations.isOtherAssignment(String.valueOf(lease.annotation(GroupLeases.ASSIGNMENT)))
                    : comesOrGoes;
            if (changed) {
                wakeToLook();
            }
            if (id != null && !comesOrGoes) {
                observations.renewed(id, lease);
            }
        }
    }

    /** Logs each failure once. Confined to the group's task. */
    private static final class GroupLog {
        private String toldFailure = "";
        private String toldHolder = "";
        private String toldDifference = "";
        private int toldCount;

        void failed(GroupLeases leases, ClientException e) {
            String message = String.valueOf(e.getMessage());
            log.atLevel(message.equals(toldFailure) ? Level.DEBUG : Level.WARN)
                    .log(
                            "The leases of the shard group '{}/{}' could not be read or renewed: {}",
                            leases.namespace(),
                            leases.group(),
                            message);
            toldFailure = message;
        }

        void succeeded() {
            toldFailure = "";
        }

        void follows(Lease.Store store, String holder, boolean newer) {
            if (!toldHolder.equals(holder)) {
                toldHolder = holder;
                log.info(
                        newer
                                ? "Standing by: the lease {} is held by {}, replicas of a newer kopf4j that store otherwise"
                                        + " who has which shards."
                                : "Standing by: the lease {} is held by {}, who elects a leader.",
                        store,
                        holder);
            }
        }

        /** Told anew if the member that it is told of is gone, and another one differs. */
        void others(Lease.Store store, Lease.Purpose own, Map<String, Lease> members, String ownId) {
            String difference = members.entrySet().stream()
                    .filter(each -> !each.getKey().equals(ownId))
                    .map(each -> own.differenceTo(each.getValue(), "this replica"))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
            if (!difference.isEmpty() && !difference.equals(toldDifference)) {
                log.warn(
                        "K4-031: The group of {} has members of different operators: {}. Each acts on its shards alone,"
                                + " so that nobody acts on a part of the objects of either. "
                                + Lease.Purpose.WAY_OUT,
                        store,
                        difference);
            }
            toldDifference = difference;
        }

        void otherCount(int stored, int wanted) {
            if (toldCount != stored) {
                toldCount = stored;
                log.warn(
                        "The group has {} shards, and keeps them as long as a replica has any of them; the setting {}"
                                + " (sharding.shards) counts when all have ended.",
                        stored,
                        wanted);
            }
        }
    }
}
