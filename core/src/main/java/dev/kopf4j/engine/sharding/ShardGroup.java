package dev.kopf4j.engine.sharding;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.leaderelection.Timings;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
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

    /** The label of a group's leases; its value is the name of the group's lease. */
    public static final String LABEL = "kopf4j.dev/shards";

    /** The annotation of the group's lease: who has which shards. */
    static final String ASSIGNMENT = "kopf4j.dev/shard-assignment";

    private static final Logger log = LoggerFactory.getLogger("kopf4j.sharding");
    private static final int LABEL_MAX = 63;
    static final int PAGE = 500;

    /** How many times a pass begins anew at once if others were faster. */
    private static final int CONFLICTS_MAX = 5;

    private static final String TOO_LATE = "its lease or the group's could not be renewed in time";

    /** So many members have their turn within a retry period. */
    private static final int TURNS = 4;

    /** How many times longer than a member's lease the group's lasts: it is renewed with the time of the former. */
    private static final int GROUP_LONGER = 3;

    private final Platform platform;
    private final KubernetesApi hasty;
    private final OperatorSettings.Watching watching;
    private final Timings timings;
    private final Names names;
    private final int count;
    private final PauseReasons pauses;
    private final PauseReasons.Toggle toggle;
    private final Lease.Store groupStore;
    private final Monitor monitor;
    private final Observations observations;
    private final Term term;
    private final GroupLog groupLog = new GroupLog();

    // Confined to the group's task.
    private @Nullable Member member;
    private @Nullable Lease group;
    private ShardAssignment assignment;
    private Deadline groupRenewal;
    private Deadline nextLook;
    /** When it is this member's turn to do what is to be done for the group; never if nothing is. */
    private Deadline turn = Deadline.NEVER;

    // Guarded by the monitor.
    private boolean woken;
    /** True if something has happened since the leases were read. */
    private boolean outdated;
    /** What is given up, while work for its objects goes on. */
    private BitSet leaving = new BitSet();

    private List<Task> tasks = List.of();

    /**
     * What the group and its members call themselves.
     *
     * @param namespace where the leases are
     * @param group the name of the group's lease
     * @param identity what this replica calls itself, for people
     */
    record Names(String namespace, String group, String identity) {
        /** What holds the group's lease, whoever has renewed it: replicas that elect a leader wait meanwhile. */
        String holder() {
            return "shards of " + group;
        }

        String lease(String member) {
            return group + "-" + member;
        }

        /** Null if it is the lease of no member. */
        @Nullable String member(Lease lease) {
            String name = lease.name();
            return name.startsWith(group + "-") ? name.substring(group.length() + 1) : null;
        }

        /** The leases of all members. */
        Narrowing selection() {
            return new Narrowing(LABEL + "=" + group, false);
        }
    }

    /** The membership of this replica: its id, which no other one has ever had, and its lease. */
    private record Member(String id, Lease.Store store, Lease lease) {
        Member renewed(Lease written) {
            return new Member(id, store, written);
        }
    }

    private ShardGroup(
            Platform platform,
            KubernetesApi api,
            OperatorSettings settings,
            Timings timings,
            Names names,
            PauseReasons pauses) {
        this.platform = platform;
        this.timings = timings;
        this.names = names;
        this.count = shards(settings);
        this.watching = settings.watching();
        this.pauses = pauses;
        this.monitor = platform.monitor();
        this.term = new Term(platform);
        this.hasty = api.with(api.settings()
                        .withErrorBackoffs()
                        .withRequestTimeout(timings.renewDeadline().dividedBy(4)))
                .fenced(term::renewedUntil);
        this.groupStore = new Lease.Store(hasty, names.namespace(), names.group());
        this.observations = new Observations(platform, timings.leaseDuration());
        this.assignment = ShardAssignment.free(count);
        this.groupRenewal = platform.after(Duration.ZERO);
        this.nextLook = platform.after(Duration.ZERO);
        this.toggle = pauses.paused(null, "this replica is no member of the group yet");
        pauses.serve(ShardSet.of(count, new BitSet()));
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
     * @throws OperatorException if the settings make no sense
     */
    public static ShardGroup of(
            Platform platform, KubernetesApi api, OperatorSettings settings, PauseReasons pauseReasons)
            throws InterruptedException {
        OperatorSettings.LeaderElection election = settings.leaderElection();
        if (election.enabled()) {
            throw new OperatorException("settings.leaderElection().enabled() and settings.sharding().shards() exclude"
                    + " each other: either one replica acts, or all of them do. Leave one of them out.");
        }
        if (shards(settings) > SHARDS_MAX) {
            throw new OperatorException("settings.sharding().shards() is " + shards(settings) + ", but " + SHARDS_MAX
                    + " are the most; 64 are enough for some 20 replicas.");
        }
        if (election.leaseName().length() > LABEL_MAX) {
            throw new OperatorException("settings.leaderElection().leaseName() is the value of a label here, too: it"
                    + " may have " + LABEL_MAX + " characters, but has "
                    + election.leaseName().length() + ": " + election.leaseName());
        }
        String given = election.leaseNamespace();
        String namespace = given == null ? api.defaultNamespace() : given;
        String identity = election.identity();
        Names names = new Names(
                namespace,
                election.leaseName(),
                identity == null ? System.getenv().getOrDefault("HOSTNAME", "kopf4j") : identity);
        return new ShardGroup(platform, api, settings, Timings.of(election), names, pauseReasons);
    }

    /** What all members call themselves, where they must be known as one. */
    public String name() {
        return "shards/" + names.namespace() + "/" + names.group();
    }

    /** Takes part from now on. */
    public synchronized void begin() {
        ListAndWatchLoop leases = new ListAndWatchLoop(
                platform,
                hasty.fenced(LeadershipFence.OPEN),
                WellKnownResources.LEASES,
                names.namespace(),
                names.selection(),
                watching,
                null);
        tasks = List.of(
                platform.spawnEssential("shard group", this::take),
                platform.spawnEssential("leases of the shard group", () -> leases.run(new LeaseWatch())),
                platform.spawnEssential("hand-over of shards", this::handOver));
    }

    @Override
    public Deadline until() {
        return term.writingUntil();
    }

    @Override
    public Deadline until(String uid) {
        ShardSet shards = pauses.shards();
        boolean own = uid.isEmpty()
                || shards.has(uid)
                || monitor.locked(() -> !leaving.isEmpty() && leaving.get(ShardSet.shardOf(uid, shards.count())));
        return own ? until() : platform.after(Duration.ZERO);
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
        boolean entitled = member != null && !term.isOver();
        term.endWriting();
        if (idle && entitled) {
            leave();
        }
    }

    /** The group's task. */
    private void take() {
        try {
            while (true) {
                pass();
                monitor.await(this::takeWakeUp, nextPass());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Boolean> takeWakeUp() {
        boolean was = woken;
        woken = false;
        return was ? Optional.of(true) : Optional.empty();
    }

    private void wakeToLook() {
        monitor.locked(() -> {
            outdated = true;
            woken = true;
        });
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
                renew();
                look();
                agree();
                groupLog.succeeded();
            } catch (ConflictException e) {
                // Somebody was faster, or an earlier request has arrived although it was not answered.
                nextLook = platform.after(Duration.ZERO);
                again = true;
            } catch (ClientException e) {
                nextLook = platform.after(Duration.ZERO);
                groupLog.failed(names, e);
            }
            if (member != null && term.isOver()) {
                lose(TOO_LATE);
            }
        }
    }

    /** Joins, or gives a sign of life. */
    private void renew() throws InterruptedException {
        Deadline renewed = platform.after(timings.renewDeadline());
        Deadline writing = platform.after(timings.writing());
        Member known = member;
        if (known == null) {
            String id = "%012x".formatted(platform.random().nextLong() >>> 16);
            Lease.Store store = new Lease.Store(hasty, names.namespace(), names.lease(id));
            Lease mine = Lease.unheard(names.namespace(), names.lease(id))
                    .labelled(LABEL, names.group())
                    .heldBy(names.identity() + "_" + id, timings.leaseDuration(), platform.now());
            // If the answer is lost, nobody renews that lease: it expires.
            known = new Member(id, store, store.write(mine));
            nextLook = platform.after(Duration.ZERO);
        } else {
            Member renewing = written(known);
            if (renewing == null) {
                lose("its lease was deleted: it was not renewed for too long, or somebody has deleted it");
                return;
            }
            if (term.isOver()) {
                // What the fence has refused meanwhile is not tried again, unless all is given up and listed anew.
                lose(TOO_LATE);
                return;
            }
            known = renewing;
        }
        member = known;
        term.renewed(renewed, writing);
    }

    /** Null if the lease is gone: others take over, or have done so. */
    private @Nullable Member written(Member known) throws InterruptedException {
        try {
            return known.renewed(known.store().write(alive(known.lease())));
        } catch (NotFoundException e) {
            return null;
        } catch (ConflictException e) {
            Lease stored = known.store().read();
            return stored == null || !stored.uid().equals(known.lease().uid())
                    ? null
                    : known.renewed(known.store().write(alive(stored)));
        }
    }

    private Lease alive(Lease lease) {
        return lease.heldBy(lease.holder(), timings.leaseDuration(), platform.now());
    }

    /**
     * Others may have its shards: everything ends, and it joins anew. Nothing begins from now on, as the fence is
     * closed.
     */
    private void lose(String reason) throws InterruptedException {
        log.warn("Leaving the group of {}: {}. All shards of this replica are given up.", groupStore, reason);
        term.end();
        member = null;
        group = null;
        groupRenewal = platform.after(Duration.ZERO);
        pauses.serve(ShardSet.of(assignment.count(), new BitSet()));
        toggle.pause("this replica is no member of the group: " + reason);
        monitor.locked(() -> leaving.clear());
    }

    /** Reads all leases of the group, if something has changed, or has not been heard of for long. */
    private void look() throws InterruptedException {
        boolean told = monitor.locked(() -> {
            boolean was = outdated;
            outdated = false;
            return was;
        });
        boolean expiring = !observations.expired(ownId()).isEmpty();
        if (!told && !expiring && assignment.isSettled() && !nextLook.hasPassed(platform)) {
            return;
        }
        nextLook = platform.after(Duration.ZERO);
        AtomicReference<@Nullable Lease> found = new AtomicReference<>();
        Map<String, Lease> members = new TreeMap<>();
        hasty.list(WellKnownResources.LEASES, names.namespace(), names.selection(), PAGE, object -> {
            Lease lease = new Lease(withKind(object));
            String id = names.member(lease);
            if (lease.name().equals(names.group())) {
                found.set(lease);
            } else if (id != null && lease.isLabelled(LABEL, names.group())) {
                members.put(id, lease);
            }
        });
        observations.listed(members);
        // Before the first member there is none, or one without the label, of a leader.
        Lease read = found.get();
        group = read == null ? groupStore.read() : read;
        nextLook = platform.after(timings.leaseDuration().dividedBy(2));
    }

    /** The objects of a list do not say what they are. */
    private static ObjectNode withKind(ObjectNode object) {
        return object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    }

    /** Finds out what follows for the group from what is known, stores it, and obeys it. */
    private void agree() throws InterruptedException {
        Member known = member;
        if (known == null) {
            return;
        }
        Lease stored = group;
        boolean shared = stored != null && stored.holder().equals(names.holder());
        if (stored != null && !shared && !stored.holder().isEmpty() && !observations.isOver(stored)) {
            groupLog.follows(groupStore, stored.holder());
            if (!toggle.isOn()) {
                lose("the group's lease is held by " + stored.holder());
            }
            nextLook = platform.after(Duration.ZERO);
            return;
        }
        ShardAssignment before = stored == null ? firstOfAll(known) : stored(stored, shared);
        ShardAssignment next = following(before, known);
        if (!next.saysTheSame(before) || groupRenewal.hasPassed(platform) || !shared) {
            next = next.saysTheSame(before) ? before : next.after(before.epoch());
            Deadline renewal = platform.after(timings.leaseDuration());
            Deadline end = platform.after(timings.writing().multipliedBy(GROUP_LONGER));
            Lease changed = (stored == null ? Lease.unheard(names.namespace(), names.group()) : stored)
                    .labelled(LABEL, names.group())
                    .annotated(ASSIGNMENT, next.text())
                    .heldBy(names.holder(), groupDuration(), platform.now());
            group = groupStore.write(changed);
            if (term.isOver()) {
                lose(TOO_LATE);
                return;
            }
            groupRenewal = renewal;
            term.groupRenewed(end);
        }
        assignment = next;
        obey(known);
    }

    /** Without the group's lease nobody acts, unless somebody has deleted it meanwhile. */
    private ShardAssignment firstOfAll(Member known) {
        return observations.others(known.id()).isEmpty()
                        && pauses.shards().numbers().isEmpty()
                ? ShardAssignment.free(count)
                : ShardAssignment.unknown(assignment.count());
    }

    private ShardAssignment stored(Lease stored, boolean shared) {
        String text = stored.annotation(ASSIGNMENT);
        try {
            return text == null && !shared ? ShardAssignment.free(count) : ShardAssignment.parse(String.valueOf(text));
        } catch (JsonConversionException e) {
            log.warn(
                    "The annotation {} of the lease {} makes no sense, and is made anew: {}",
                    ASSIGNMENT,
                    groupStore,
                    e.getMessage());
            return ShardAssignment.unknown(assignment.count());
        }
    }

    private ShardAssignment following(ShardAssignment before, Member known) throws InterruptedException {
        BitSet served = pauses.shards().numbers();
        BitSet busy = monitor.locked(() -> (BitSet) leaving.clone());
        busy.or(served);
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
            ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
            options.putObject("preconditions").put("uid", lease.uid()).put("resourceVersion", lease.version());
            try {
                hasty.delete(WellKnownResources.LEASES, names.namespace(), lease.name(), options);
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

    /** Serves what is assigned, and gives up what is not any more. */
    private void obey(Member known) throws InterruptedException {
        int shards = assignment.count();
        BitSet target = assignment.servedBy(known.id());
        BitSet served = pauses.shards().numbers();
        BitSet lost = (BitSet) served.clone();
        lost.andNot(target);
        BitSet kept = (BitSet) served.clone();
        kept.and(target);
        if (!lost.isEmpty()) {
            ShardSet rest = ShardSet.of(shards, kept);
            monitor.locked(
                    () -> { // in between, the fence would refuse what is in progress for the lost ones
                        leaving.or(lost);
                        pauses.serveUntold(rest);
                    });
            pauses.tellServed(rest);
            log.info("Giving up the shards {} of {}.", ShardSet.ranges(lost), shards);
        }
        BitSet more = (BitSet) target.clone();
        monitor.locked(() -> more.andNot(leaving));
        more.andNot(kept);
        if (!more.isEmpty() || pauses.shards().count() != shards) {
            kept.or(more);
            pauses.serve(ShardSet.of(shards, kept));
            log.info("Serving the shards {} of {}.", ShardSet.ranges(kept), shards);
            if (!toggle.isOn()) {
                pauses.handOver().takeMore();
            }
        }
        if (toggle.isOn() && !term.isOver()) {
            toggle.resume();
        }
    }

    /** In a task of its own, as the lease must be renewed meanwhile: waits for the end of what is given up. */
    private void handOver() {
        try {
            while (true) {
                BitSet given = monitor.await(
                                () -> leaving.isEmpty() ? Optional.empty() : Optional.of((BitSet) leaving.clone()),
                                Deadline.NEVER)
                        .orElseThrow();
                if (pauses.handOver().giveUp()) {
                    monitor.locked(() -> {
                        leaving.andNot(given);
                        woken = true;
                    });
                } else {
                    groupLog.workGoesOn(ShardSet.ranges(given));
                    platform.sleep(timings.retryPeriod());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All work has ended: others need not wait. */
    private void leave() throws InterruptedException {
        Member known = member;
        if (known == null) {
            return;
        }
        KubernetesApi open = hasty.fenced(LeadershipFence.OPEN);
        Lease.Store store = new Lease.Store(open, names.namespace(), names.group());
        try {
            List<String> others = others(open, known);
            change(
                    store,
                    before -> before.givenUp(known.id(), before.heldBy(known.id()))
                            .balanced(others));
            ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
            options.putObject("preconditions").put("uid", known.lease().uid());
            open.delete(
                    WellKnownResources.LEASES, names.namespace(), known.lease().name(), options);
            // Now, as all may leave at once: the last one finds nobody else.
            if (others(open, known).isEmpty()) {
                change(store, before -> before.holders().isEmpty() ? null : before);
            }
            log.info("The shards of this replica are free.");
        } catch (NotFoundException e) {
            log.debug("Others have expelled this replica already.");
        } catch (ClientException e) {
            log.warn("The shards could not be given back, others have to wait for them: {}", e.getMessage());
        }
    }

    private List<String> others(KubernetesApi open, Member known) throws InterruptedException {
        List<String> found = new ArrayList<>();
        open.list(WellKnownResources.LEASES, names.namespace(), names.selection(), PAGE, object -> {
            String id = names.member(new Lease(object));
            if (id != null && !id.equals(known.id()) && new Lease(object).isLabelled(LABEL, names.group())) {
                found.add(id);
            }
        });
        return found;
    }

    /**
     * Changes the assignment if the group has its lease.
     *
     * @param change what is to be stored; null to free the lease
     */
    private void change(Lease.Store store, Function<ShardAssignment, @Nullable ShardAssignment> change)
            throws InterruptedException {
        for (int time = 0; time < CONFLICTS_MAX; time++) {
            Lease stored = store.read();
            if (stored == null || !stored.holder().equals(names.holder())) {
                return;
            }
            ShardAssignment before = stored(stored, true);
            ShardAssignment next = change.apply(before);
            try {
                store.write(
                        next == null
                                ? stored.released(platform.now())
                                : stored.annotated(
                                                ASSIGNMENT,
                                                next.after(before.epoch()).text())
                                        .heldBy(names.holder(), groupDuration(), platform.now()));
                return;
            } catch (ConflictException e) {
                log.debug("The lease {} has changed meanwhile.", store);
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
            String id = names.member(lease);
            boolean changed = lease.name().equals(names.group())
                    ? observations.isOtherAssignment(String.valueOf(lease.annotation(ASSIGNMENT)))
                    : comesOrGoes;
            if (changed) {
                wakeToLook();
            }
            if (id != null && !comesOrGoes) {
                observations.renewed(id, lease);
            }
        }
    }

    /**
     * The leases of the group as they were seen last, and from when on their holders do not act any more. The time of a
     * holder counts from when a change of its lease is seen, so that clocks need not agree. Thread-safe.
     */
    private static final class Observations {
        private final Platform platform;
        private final Duration leaseDuration;
        private final Monitor monitor;
        private final Map<String, Observed> members = new TreeMap<>();
        /** Holders without a lease: when they have certainly ended. */
        private final Map<String, Deadline> absent = new HashMap<>();

        private @Nullable Observed foreign;
        private String toldAssignment = "";

        /** A lease, and when its holder does not act any more unless it changes. */
        private record Observed(Lease lease, Deadline end) {}

        Observations(Platform platform, Duration leaseDuration) {
            this.platform = platform;
            this.leaseDuration = leaseDuration;
            this.monitor = platform.monitor();
        }

        /** The members that have a lease now. */
        void listed(Map<String, Lease> leases) {
            monitor.locked(() -> {
                members.keySet().retainAll(leases.keySet());
                leases.forEach((id, lease) -> members.merge(id, observed(lease), this::newer));
            });
        }

        /** The watch tells of a lease; one that is not known is found by the next look. */
        void renewed(String id, Lease lease) {
            monitor.locked(() -> {
                members.computeIfPresent(id, (_, known) -> newer(known, observed(lease)));
            });
        }

        private Observed newer(Observed known, Observed seen) {
            boolean other = !known.lease().uid().equals(seen.lease().uid())
                    || !ResourceVersions.isAtLeast(
                            known.lease().version(), seen.lease().version());
            return other ? seen : known;
        }

        private Observed observed(Lease lease) {
            Duration longest = lease.duration().compareTo(leaseDuration) > 0 ? lease.duration() : leaseDuration;
            return new Observed(lease, platform.after(longest));
        }

        /** True if somebody else has held the group's lease, and has not renewed it for so long that it is over. */
        boolean isOver(Lease group) {
            Observed known = foreign;
            foreign = known == null ? observed(group) : newer(known, observed(group));
            return foreign.end().hasPassed(platform);
        }

        /** Those have shards: whoever of them has no lease has certainly ended when its time is over. */
        void holders(Collection<String> ids) {
            monitor.locked(() -> {
                absent.keySet().retainAll(ids);
                absent.keySet().removeAll(members.keySet());
                ids.stream()
                        .filter(id -> !members.containsKey(id))
                        .forEach(id -> absent.computeIfAbsent(id, _ -> platform.after(leaseDuration)));
            });
        }

        /** Its lease was deleted after its time was over. */
        void expelled(String id) {
            monitor.locked(() -> {
                members.remove(id);
                absent.put(id, platform.after(Duration.ZERO));
            });
        }

        /** It has no lease, for whatever reason. */
        void absent(String id) {
            monitor.locked(() -> {
                members.remove(id);
                absent.computeIfAbsent(id, _ -> platform.after(leaseDuration));
            });
        }

        boolean isGone(String holder) {
            return monitor.locked(
                    () -> absent.containsKey(holder) && absent.get(holder).hasPassed(platform));
        }

        /** The members that have renewed their leases in time; this replica is one of them. */
        List<String> alive(String own) {
            return monitor.locked(() -> members.entrySet().stream()
                    .filter(each ->
                            each.getKey().equals(own) || !each.getValue().end().hasPassed(platform))
                    .map(Map.Entry::getKey)
                    .toList());
        }

        /** The others that have a lease. */
        List<String> others(String own) {
            return monitor.locked(() ->
                    members.keySet().stream().filter(id -> !id.equals(own)).toList());
        }

        /** The others whose time is over. */
        Map<String, Lease> expired(String own) {
            return monitor.locked(() -> {
                Map<String, Lease> found = new TreeMap<>();
                members.forEach((id, observed) -> {
                    if (!id.equals(own) && observed.end().hasPassed(platform)) {
                        found.put(id, observed.lease());
                    }
                });
                return found;
            });
        }

        /** When the time of another one is over next; never if that of all is. */
        Deadline nextExpiry(String own) {
            return monitor.locked(() -> Stream.concat(
                            members.entrySet().stream()
                                    .filter(each -> !each.getKey().equals(own))
                                    .map(each -> each.getValue().end()),
                            absent.values().stream())
                    .filter(end -> !end.hasPassed(platform))
                    .min(Comparator.naturalOrder())
                    .orElse(Deadline.NEVER));
        }

        /** True if the watch tells of another assignment than before. */
        boolean isOtherAssignment(String text) {
            return monitor.locked(() -> {
                boolean other = !text.equals(toldAssignment);
                toldAssignment = text;
                return other;
            });
        }
    }

    /** Until when this replica may act. Changed by the group's task; read by any thread. */
    private static final class Term {
        private final Platform platform;
        private volatile Deadline renewedUntil = Deadline.NEVER;
        private volatile Deadline writingUntil;
        private volatile @Nullable Deadline groupUntil;

        /** A replica that is no member. */
        Term(Platform platform) {
            this.platform = platform;
            this.writingUntil = platform.after(Duration.ZERO);
        }

        /** Until when the lease must be renewed; never while this replica is no member. */
        Deadline renewedUntil() {
            return renewedUntil;
        }

        /** Until when requests may begin. */
        Deadline writingUntil() {
            Deadline ofGroup = groupUntil;
            return ofGroup == null ? platform.after(Duration.ZERO) : writingUntil.orEarlier(ofGroup);
        }

        /** True if this replica is a member, and its lease or the group's was not renewed in time. */
        boolean isOver() {
            Deadline ofGroup = groupUntil;
            return renewedUntil.hasPassed(platform) || (ofGroup != null && ofGroup.hasPassed(platform));
        }

        void renewed(Deadline renewed, Deadline writing) {
            renewedUntil = renewed;
            writingUntil = writing;
        }

        /** Replicas that elect a leader do not act before that moment. */
        void groupRenewed(Deadline until) {
            groupUntil = until;
        }

        void end() {
            endWriting();
            renewedUntil = Deadline.NEVER;
            groupUntil = null;
        }

        void endWriting() {
            writingUntil = platform.after(Duration.ZERO);
        }
    }

    /** Logs each failure once. Confined, but for {@link #workGoesOn}. */
    private static final class GroupLog {
        private volatile String toldWork = "";
        private String toldFailure = "";
        private String toldHolder = "";
        private int toldCount;

        void failed(Names names, ClientException e) {
            String message = String.valueOf(e.getMessage());
            log.atLevel(message.equals(toldFailure) ? Level.DEBUG : Level.WARN)
                    .log(
                            "The leases of the shard group '{}/{}' could not be read or renewed: {}",
                            names.namespace(),
                            names.group(),
                            message);
            toldFailure = message;
        }

        /** In the task of the hand-over. */
        void workGoesOn(String shards) {
            log.atLevel(shards.equals(toldWork) ? Level.DEBUG : Level.WARN)
                    .log(
                            "Work for objects of the shards {} goes on: they stay with this replica until it ends.",
                            shards);
            toldWork = shards;
        }

        void succeeded() {
            toldFailure = "";
        }

        void follows(Lease.Store store, String holder) {
            if (!toldHolder.equals(holder)) {
                toldHolder = holder;
                log.info("Standing by: the lease {} is held by {}, who elects a leader.", store, holder);
            }
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
