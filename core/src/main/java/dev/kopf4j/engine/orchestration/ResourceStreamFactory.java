package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.client.watching.WatchingSettings;
import dev.kopf4j.engine.children.live.ChildTap;
import dev.kopf4j.engine.children.live.ChildWatch;
import dev.kopf4j.engine.cycle.OperatorCycles;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.queueing.EventDispatcher;
import dev.kopf4j.engine.queueing.ResourceWorkers;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.engine.queueing.UnreadableObjects;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Platform;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes streams with everything behind them. Thread-safe.
 *
 * @param registry all handlers
 * @param cycles the cycles of all objects
 * @param actionSchedule where objects wait for their next cycle
 * @param gate holds handlers back until the indices are complete
 * @param workers those of each resource
 */
record ResourceStreamFactory(
        Platform platform,
        KubernetesApi api,
        HandlerRegistry registry,
        OperatorCycles cycles,
        ActionSchedule actionSchedule,
        IndexReadinessGate gate,
        ConcurrentMap<Resource, ResourceWorkers> workers) {
    /**
     * A stream that is paused.
     *
     * @param healthChanged called when the stream gets well or unwell
     */
    ResourceStream newStream(StreamKey key, Runnable healthChanged) {
        Resource resource = key.resource();
        Narrowing narrowing = childNeeds().narrowing(resource);
        OperatorTrace trace = cycles.calls().runner().trace();
        trace.streamBegan(resource, key.namespace(), narrowing.labelSelector());
        OperatorSettings.Watching settings = cycles.settings().watching();
        WatchingSettings watching = WatchingSettings.of(settings).resyncingEvery(settings.resyncInterval());
        StreamHealth health = new StreamHealth(platform, key.title(), watching.inactivityTimeout(), healthChanged);
        EventDispatcher dispatcher = new EventDispatcher(
                platform,
                resource,
                cycles.processor(resource, registry.of(resource)),
                actionSchedule,
                gate,
                cycles.settings().queueing(),
                workers.computeIfAbsent(
                        resource,
                        each -> new ResourceWorkers(platform, cycles.settings().queueing())),
                health,
                new UnreadableObjects(
                        platform,
                        resource,
                        cycles.calls().objects().events(),
                        cycles.calls().runner().metrics()),
                cycles.calls().runner().metrics(),
                trace);
        ResourceHandlers handlers = registry.of(resource);
        ListAndWatchLoop loop = new ListAndWatchLoop(platform, api, resource, key.namespace(), narrowing, watching);
        ChildStream childStream = childStream(key, !handlers.isEmpty());
        if (childStream != null) {
            dispatcher.isListedForParents();
        }
        return new ResourceStream(platform, key, loop, dispatcher, childStream, health);
    }

    private @Nullable ChildStream childStream(StreamKey key, boolean handled) {
        ChildWatch watch = childNeeds().watch(key.resource());
        if (watch == null) {
            return null;
        }
        ChildTap tap = new ChildTap(cycles.children().index(), watch, key.namespace());
        return new ChildStream(
                tap, watch, gate, key.title(), handled, cycles.calls().runner().trace());
    }

    private ChildNeeds childNeeds() {
        return new ChildNeeds(registry, cycles.children().fieldManager());
    }
}
