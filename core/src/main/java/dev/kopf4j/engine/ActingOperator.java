package dev.kopf4j.engine;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.children.ChildrenApi.ChildrenRequests;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.cycle.FailingWrites;
import dev.kopf4j.engine.cycle.OperatorCycles;
import dev.kopf4j.engine.cycle.PatchSender.PatchApi;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.leaderelection.Leadership;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.orchestration.Orchestrator;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.peering.OperatorPeerings;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.sharding.ShardGroup;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.spi.WriteListener;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of an operator that act on the cluster: the streams and everything behind them, leader election, peering,
 * and the posting of events. Confined to the run.
 */
final class ActingOperator {
    private static final FieldPath MANAGED_FIELDS = FieldPath.of("metadata", "managedFields");

    private final PauseReasons pauseReasons;
    private final Leadership leadership;
    private final @Nullable ShardGroup shardGroup;
    private final OperatorPeerings operatorPeerings;
    private final Orchestrator orchestrator;
    private final FailingWrites failingWrites;

    /** Makes the parts; none has begun. */
    ActingOperator(
            OperatorParts parts,
            KubernetesApi api,
            List<NamespacePattern> namespaces,
            ServiceProvider services,
            EventPoster events,
            Orchestrator.ResourceListener resourceListener)
            throws InterruptedException {
        Platform platform = parts.platform();
        OperatorSettings settings = parts.settings();
        this.pauseReasons = new PauseReasons(platform, parts.trace());
        List<String> places = namespaces.stream().map(NamespacePattern::text).toList();
        this.shardGroup =
                ShardGroup.isWanted(settings) ? ShardGroup.of(platform, api, settings, places, pauseReasons) : null;
        boolean asksIndices = parts.registry().hasWebhooks() && !parts.indices().isEmpty();
        this.leadership = Leadership.of(platform, api, settings, places, pauseReasons, asksIndices);
        LeadershipFence fence = shardGroup == null ? leadership : shardGroup;
        OperatorCycles cycles = parts.cycles(
                PatchApi.fenced(api, fence, parts.registry().looksAt(MANAGED_FIELDS)),
                new ChildrenRequests(
                        api.with(api.settings().withErrorBackoffs()).fenced(fence), this::applied),
                fence,
                services.with(EventSink.class, events),
                events);
        this.failingWrites = cycles.sender().failing();
        this.operatorPeerings = new OperatorPeerings(
                platform,
                api,
                settings.watching(),
                settings.peering(),
                namespaces.isEmpty(),
                pauseReasons,
                shardGroup == null ? leadership.group() : shardGroup.name());
        this.orchestrator = new Orchestrator(
                api, parts.registry(), cycles, namespaces, pauseReasons, operatorPeerings, resources -> {
                    List<String> kinds = handled(parts.registry(), resources);
                    leadership.found(kinds);
                    if (shardGroup != null) {
                        shardGroup.found(kinds);
                    }
                    resourceListener.found(resources);
                });
    }

    /** Not those of indices alone, which each replica keeps for itself. */
    static List<String> handled(HandlerRegistry registry, Collection<Resource> resources) {
        return resources.stream()
                .filter(resource ->
                        registry.watching(resource).stream().anyMatch(handler -> handler.kind() != HandlerKind.INDEX))
                .map(resource ->
                        resource.group().isEmpty() ? resource.plural() : resource.plural() + "." + resource.group())
                .toList();
    }

    /**
     * The memo of an object that is watched; empty if it is not.
     *
     * @param namespace its namespace; null if it is cluster-scoped
     */
    Optional<Supplier<Object>> findMemo(Resource resource, @Nullable String namespace, String uid) {
        return orchestrator.findMemo(resource, namespace, uid);
    }

    /** What only memory knows of the object with that uid, for people; empty if it is not watched. */
    Optional<ObjectNode> recall(String uid) {
        return orchestrator.recall(uid);
    }

    /** The children that are known of the object with that uid. */
    List<LiveChild> children(String uid) {
        return orchestrator.children(uid);
    }

    /** How the streams and their objects are doing at the moment, for people. */
    List<StreamReport> reports() {
        return orchestrator.reports();
    }

    /**
     * How the operator is doing.
     *
     * @param others the troubles of other parts
     * @param serving whether its webhooks are served
     */
    OperatorState state(boolean ready, List<String> others, boolean serving) {
        List<String> troubles = new ArrayList<>(others);
        troubles.addAll(orchestrator.unavailable());
        troubles.addAll(failingWrites.troubles());
        troubles.addAll(shardGroup == null ? leadership.troubles() : shardGroup.troubles());
        return new OperatorState(ready, troubles, pauseReasons.reasons(), orchestrator.streams(), serving, shards());
    }

    private OperatorState.@Nullable Shards shards() {
        ShardSet shards = pauseReasons.shards().now();
        BitSet numbers = shards.numbers();
        return shardGroup != null && shards.isPart()
                ? new OperatorState.Shards(shards.count(), numbers.cardinality(), ShardSet.ranges(numbers))
                : null;
    }

    private void applied(ObjectNode child) throws InterruptedException {
        orchestrator.applied(child);
    }

    /** Hears what clients of the operator write. */
    WriteListener writes() {
        return orchestrator.writes();
    }

    /** Begins to watch, and takes part in the leader election; returns when all existing objects are known. */
    void start() throws InterruptedException {
        orchestrator.start();
        leadership.begin();
        if (shardGroup != null) {
            shardGroup.begin();
        }
        awaitListed();
    }

    /** Waits until all streams that are not paused know their objects, or have a trouble. */
    void awaitListed() throws InterruptedException {
        orchestrator.awaitListed(Deadline.NEVER);
    }

    /** Ends everything that has begun, and gives back the lease if all work has ended. */
    void stop() throws InterruptedException {
        try {
            boolean idle = orchestrator.stop();
            leadership.end(idle);
            if (shardGroup != null) {
                shardGroup.end(idle);
            }
        } finally {
            operatorPeerings.end();
        }
    }
}
