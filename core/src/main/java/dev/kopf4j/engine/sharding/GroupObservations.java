package dev.kopf4j.engine.sharding;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the group as they were seen last, and from when on their holders do not act any more. The time of a
 * holder counts from when a change of its lease is seen, so that clocks need not agree. Thread-safe.
 */
final class GroupObservations {
    /**
     * No member needs to be waited for longer: a lease that says so was made by hand, and has its part of the shards.
     */
    private static final Duration MEMBER_MAX = Duration.ofHours(1);

    private final Platform platform;
    private final Duration leaseDuration;
    private final Monitor monitor;
    private final Map<String, Observed> members = new TreeMap<>();
    /** Holders without a lease: when they have certainly ended. */
    private final Map<String, Deadline> absent = new HashMap<>();

    private @Nullable Observed foreign;
    private final AtomicReference<String> toldAssignment = new AtomicReference<>("");

    /** A lease, and when its holder does not act any more unless it changes. */
    private record Observed(Lease lease, Deadline end) {}

    GroupObservations(Platform platform, Duration leaseDuration) {
        this.platform = platform;
        this.leaseDuration = leaseDuration;
        this.monitor = platform.monitor();
    }

    /**
     * The members that have a lease now.
     *
     * @param found those that were listed
     * @param own that of this replica, which knows it without a list; none if it is no member
     */
    void listed(Map<String, Lease> found, Map<String, Lease> own) {
        Map<String, Lease> leases = new TreeMap<>(own);
        leases.putAll(found);
        monitor.locked(() -> {
            members.keySet().retainAll(leases.keySet());
            leases.forEach((id, lease) -> members.merge(id, member(lease), this::newer));
        });
    }

    /** The watch tells of a lease; one that is not known is found by the next look. */
    void renewed(String id, Lease lease) {
        monitor.locked(() -> {
            members.computeIfPresent(id, (_, known) -> newer(known, member(lease)));
        });
    }

    private Observed member(Lease lease) {
        return observed(lease, lease.duration().compareTo(MEMBER_MAX) > 0 ? MEMBER_MAX : lease.duration());
    }

    private Observed newer(Observed known, Observed seen) {
        boolean other = !known.lease().uid().equals(seen.lease().uid())
                || !ResourceVersions.isAtLeast(
                        known.lease().version(), seen.lease().version());
        return other ? seen : known;
    }

    private Observed observed(Lease lease) {
        return observed(lease, lease.duration());
    }

    private Observed observed(Lease lease, Duration duration) {
        Duration longest = duration.compareTo(leaseDuration) > 0 ? duration : leaseDuration;
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
                    .forEach(id -> absent.computeIfAbsent(id, _ -> platform.after(timeOf(id))));
        });
    }

    /** Who renews its own lease, and cannot read that the group's was lost, acts until the latter would be over. */
    private Duration timeOf(String holder) {
        return holder.equals(ShardAssignment.UNKNOWN)
                ? leaseDuration.multipliedBy(ShardGroup.GROUP_LONGER)
                : leaseDuration;
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

    /** True if a holder without a lease has certainly ended. */
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
        return monitor.locked(
                () -> members.keySet().stream().filter(id -> !id.equals(own)).toList());
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
        return !text.equals(toldAssignment.getAndSet(text));
    }
}
