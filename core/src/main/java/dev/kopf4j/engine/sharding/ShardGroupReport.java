package dev.kopf4j.engine.sharding;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.leaderelection.Lease.Timings;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.json.JsonConversionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the leases of a group say to somebody who is no member: who has the shard of an object, and what is wrong. It
 * only reads. Immutable.
 *
 * @see ShardGroup how a member reads and writes them
 */
public final class ShardGroupReport {
    private final GroupLeases leases;
    private final Lease.Store place;
    private final int count;
    private final Duration duration;
    private final @Nullable Lease lease;
    private final @Nullable ShardAssignment assignment;
    private final Map<String, Lease> members;

    private ShardGroupReport(GroupLeases leases, int count, Duration duration) throws InterruptedException {
        this.leases = leases;
        this.place = leases.store();
        this.count = count;
        this.duration = duration;
        this.lease = place.read();
        this.assignment = assignment(lease);
        this.members = leases.read().members();
    }

    /**
     * Something that is wrong with the group.
     *
     * @param problem what
     * @param wayOut what to do about it
     */
    public record Trouble(String problem, String wayOut) {}

    /**
     * Reads the leases; null if the objects are not shared by these settings, or the account may not read leases.
     *
     * @param settings those of the operator
     */
    public static @Nullable ShardGroupReport read(KubernetesApi api, OperatorSettings settings)
            throws InterruptedException {
        Integer count = settings.sharding().shards();
        if (count == null) {
            return null;
        }
        OperatorSettings.LeaderElection election = settings.leaderElection();
        GroupLeases leases = GroupLeases.of(api, election);
        try {
            return new ShardGroupReport(leases, count, Timings.of(election).leaseDuration());
        } catch (ForbiddenException e) {
            return null;
        }
    }

    private static @Nullable ShardAssignment assignment(@Nullable Lease lease) {
        String text = lease == null ? null : lease.annotation(GroupLeases.ASSIGNMENT);
        try {
            return text == null ? null : ShardAssignment.parse(text);
        } catch (JsonConversionException e) {
            return null;
        }
    }

    /** Which shard the object with that uid is in, and who has it, in words. */
    public String placeOf(String uid) {
        if (assignment == null) {
            return "is in one of " + count + " shards, which nobody has: " + unassigned();
        }
        int shard = ShardSet.shardOf(uid, assignment.count());
        String holder = assignment.holder(shard);
        String next = assignment.next(shard);
        String words = "is in shard " + shard + " of " + assignment.count() + ", which ";
        if (holder == null) {
            return words + "nobody has at this moment" + (next == null ? "" : "; it goes to " + name(next));
        }
        return words + name(holder) + " has"
                + (next == null || next.equals(holder)
                        ? ""
                        : "; it goes to " + name(next) + " when no work for its objects goes on");
    }

    private String unassigned() {
        if (lease == null) {
            return "there is no lease " + place;
        }
        return lease.holder().isEmpty() || leases.isShared(lease)
                ? "the lease " + place + " does not say who has them"
                : "the lease " + place + " is held by " + lease.holder();
    }

    /** What the member calls itself: the name of its pod and its id. */
    private String name(String member) {
        Lease known = members.get(member);
        return known == null ? "'" + member + "' (which has no lease)" : "'" + known.holder() + "'";
    }

    /**
     * What is wrong; empty if nothing is.
     *
     * @param now the time by the clock of this machine, which those of the replicas are compared with
     */
    public List<Trouble> troubles(Instant now) {
        if (assignment == null) {
            return List.of(new Trouble(
                    "no replica has any of the " + count + " shards: " + unassigned(),
                    "start the replicas with `--shards " + count + "`, or name their lease: `--set"
                            + " leaderElection.leaseNamespace=...`, `--set operator.name=...`"));
        }
        List<Trouble> troubles = new ArrayList<>();
        if (assignment.count() != count) {
            troubles.add(new Trouble(
                    "the group " + place + " has " + assignment.count() + " shards, and the setting sharding.shards is "
                            + count,
                    "the group keeps its number as long as a replica has a shard: scale to zero and up again, or set it"
                            + " to " + assignment.count()));
        }
        String difference = difference(now);
        if (difference != null) {
            troubles.add(new Trouble(
                    "the group " + place + " has members of different operators, so that nobody acts on a part of the"
                            + " objects of either: " + difference,
                    "give each operator a name of its own: `--set operator.name=...`"));
        }
        Map<String, BitSet> moving = new TreeMap<>();
        BitSet free = new BitSet();
        for (int shard = 0; shard < assignment.count(); shard++) {
            String holder = assignment.holder(shard);
            String next = assignment.next(shard);
            if (holder == null) {
                free.set(shard);
            } else if (next != null && !next.equals(holder)) {
                moving.computeIfAbsent(name(holder) + " to " + name(next), _ -> new BitSet())
                        .set(shard);
            }
        }
        for (String holder : assignment.holders()) {
            String silent = silence(holder, now);
            if (silent != null) {
                troubles.add(new Trouble(
                        "nobody acts on the shards " + ShardSet.ranges(assignment.heldBy(holder)) + ": " + name(holder)
                                + " has them, and " + silent,
                        "the other replicas take them " + duration.toSeconds() + " s after its last sign of life; if"
                                + " none runs, start one"));
            }
        }
        if (!free.isEmpty()) {
            troubles.add(new Trouble(
                    "nobody has the shards " + ShardSet.ranges(free) + " at this moment",
                    "if it is so for longer than some seconds, look into the logs of the replicas (kopf4j.sharding)"));
        }
        moving.forEach((way, shards) -> troubles.add(new Trouble(
                "the shards " + ShardSet.ranges(shards) + " go from " + way
                        + ", when no work for their objects goes on",
                "if it is so for longer than some seconds, a handler does not end: see the log of the former")));
        return troubles;
    }

    /** How two members that live differ so that they must not share shards; null if none do. */
    private @Nullable String difference(Instant now) {
        List<Lease> living = members.values().stream()
                .filter(lease -> lease.silence(now) == null)
                .toList();
        for (Lease one : living) {
            for (Lease other : living) {
                Lease.Purpose ofOne = Lease.Purpose.of(one);
                String found = ofOne == null ? null : ofOne.differenceTo(other, "'" + one.holder() + "'");
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private @Nullable String silence(String holder, Instant now) {
        Lease known = members.get(holder);
        return known == null ? "its lease is gone" : known.silence(now);
    }
}
