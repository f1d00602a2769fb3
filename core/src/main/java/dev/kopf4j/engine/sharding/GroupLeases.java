package dev.kopf4j.engine.sharding;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.leaderelection.Lease.Purpose;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The leases of a group: each member has one, and the group has one, whose annotation says who has which shards.
 * Immutable.
 *
 * @param api by which single ones are read and written
 * @param lists by which all are listed, which may take longer
 * @param namespace where they are
 * @param group the name of the group's lease; those of its members begin with it
 */
record GroupLeases(KubernetesApi api, KubernetesApi lists, String namespace, String group) {
    /** The label of a group's leases; its value is the name of the group's lease. */
    static final String LABEL = "kopf4j.dev/shards";

    /** The annotation of the group's lease: who has which shards. */
    static final String ASSIGNMENT = "kopf4j.dev/shard-assignment";

    private static final int PAGE = 500;

    /**
     * The leases at a moment.
     *
     * @param group that of the group; null if there is none with its label
     * @param members those of the members by their ids
     */
    record Found(@Nullable Lease group, Map<String, Lease> members) {}

    /** Where the settings have the group's lease. */
    static GroupLeases of(KubernetesApi api, OperatorSettings.LeaderElection settings) throws InterruptedException {
        Lease.Store store = Lease.Store.of(api, settings);
        return new GroupLeases(api, api, store.namespace(), store.name());
    }

    /** The same, asked for and written by other requests. */
    GroupLeases by(KubernetesApi other) {
        return by(other, other);
    }

    /** The same, asked for and written by other requests, and listed by others again. */
    GroupLeases by(KubernetesApi other, KubernetesApi lists) {
        return new GroupLeases(other, lists, namespace, group);
    }

    /** What holds the group's lease, whoever has renewed it: replicas that elect a leader wait meanwhile. */
    String holder() {
        return "shards of " + group;
    }

    /** The leases of all members, and the group's. */
    Narrowing selection() {
        return new Narrowing(LABEL + "=" + group, false);
    }

    /** Whose lease it is; null if it is that of no member. */
    @Nullable String member(Lease lease) {
        String name = lease.name();
        return name.startsWith(group + "-") ? name.substring(group.length() + 1) : null;
    }

    /** The group's lease. */
    Lease.Store store() {
        return new Lease.Store(api, namespace, group);
    }

    /** The lease of a member. */
    Lease.Store store(String member) {
        return new Lease.Store(api, namespace, group + "-" + member);
    }

    /** Reads all of them. */
    Found read() throws InterruptedException {
        AtomicReference<@Nullable Lease> ofGroup = new AtomicReference<>();
        Map<String, Lease> members = new TreeMap<>();
        lists.list(WellKnownResources.LEASES, namespace, selection(), PAGE, object -> {
            Lease lease = new Lease(object);
            String id = member(lease);
            if (lease.name().equals(group)) {
                ofGroup.set(lease);
            } else if (id != null && lease.isLabelled(LABEL, group)) {
                members.put(id, lease);
            }
        });
        return new Found(ofGroup.get(), members);
    }

    /** A lease that a member is to have. */
    Lease ofMember(String member, String holder, Purpose purpose, Duration duration, Instant now) {
        return ofMember(
                Lease.unheard(namespace, group + "-" + member).heldBy(holder, duration, now), purpose, duration, now);
    }

    /** The same with a sign of life. Somebody may have taken off the label, by which others find it. */
    Lease ofMember(Lease stored, Purpose purpose, Duration duration, Instant now) {
        return stored.labelled(LABEL, group)
                .heldBy(stored.holder(), duration, now)
                .with(purpose);
    }

    /**
     * The group's lease as it is to be.
     *
     * @param stored as it is; null if there is none
     */
    Lease ofGroup(@Nullable Lease stored, ShardAssignment assignment, Duration duration, Instant now) {
        return (stored == null ? Lease.unheard(namespace, group) : stored)
                .labelled(LABEL, group)
                .annotated(ASSIGNMENT, assignment.text())
                .heldBy(holder(), duration, now);
    }

    /** True if the group's lease is in the hands of the group. */
    boolean isShared(Lease ofGroup) {
        return ofGroup.holder().equals(holder());
    }

    /**
     * Deletes a member's lease, on condition that it is still the same one.
     *
     * @param unchanged true if it must not even have been renewed meanwhile
     */
    void delete(Lease lease, boolean unchanged) throws InterruptedException {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        ObjectNode preconditions = options.putObject("preconditions").put("uid", lease.uid());
        if (unchanged) {
            preconditions.put("resourceVersion", lease.version());
        }
        api.delete(WellKnownResources.LEASES, namespace, lease.name(), options);
    }
}
