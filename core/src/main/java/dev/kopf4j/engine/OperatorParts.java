package dev.kopf4j.engine;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.children.ChildIndex;
import dev.kopf4j.engine.children.ChildIndex.LiveChildren;
import dev.kopf4j.engine.children.ChildrenApi;
import dev.kopf4j.engine.children.ChildrenEnvironment;
import dev.kopf4j.engine.cycle.OperatorCycles;
import dev.kopf4j.engine.cycle.PatchSender;
import dev.kopf4j.engine.cycle.PatchSender.PatchApi;
import dev.kopf4j.engine.cycle.PatchSender.PatchPreconditions;
import dev.kopf4j.engine.cycle.StoredState;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexFunctionCalls;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.posting.EventPoster.LogPosting;
import dev.kopf4j.engine.sharding.ShardGroup;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.runtime.Platform;

/**
 * What all parts of one run of an operator share. Immutable; the parts are thread-safe.
 *
 * @param platform time, tasks, waiting, chance
 * @param settings final, as the start-up handlers have ended
 * @param registry the handlers
 * @param indices what index functions fill
 * @param memos the operator's memo, and those of its objects
 * @param trace hears of each step: metrics, the recorder, tests
 */
public record OperatorParts(
        Platform platform,
        OperatorSettings settings,
        HandlerRegistry registry,
        IndexSet indices,
        OperatorMemos memos,
        OperatorTrace trace) {
    /** Calls handlers, as many at a time as the settings allow. */
    HandlerRunner runner() {
        return new HandlerRunner(platform, settings.execution(), trace);
    }

    /**
     * The cycles of the objects.
     *
     * @param fence closed while another replica leads
     */
    public OperatorCycles cycles(
            PatchApi api, ChildrenApi childrenApi, LeadershipFence fence, ServiceProvider services, EventSink events) {
        StoredState stored = new StoredState(settings);
        ChildIndex children = new ChildIndex(platform);
        ContextFactory contexts = new ContextFactory(
                platform, services, indices, new LiveChildren(children, registry), stored.progress()::fetch);
        HandlerCalls calls = new HandlerCalls(
                runner().fenced(fence),
                contexts,
                new ResourceObject.Factory(memos, events, new LogPosting(settings.posting(), events)));
        boolean leads = settings.leaderElection().enabled() || ShardGroup.isWanted(settings);
        PatchSender sender = new PatchSender(
                api, leads ? PatchPreconditions.SAME_VERSION : PatchPreconditions.SAME_OBJECT, platform);
        return new OperatorCycles(
                settings,
                stored,
                calls,
                // Index functions change nothing in the cluster, so they are called whether this replica leads or not.
                new IndexFunctionCalls(calls.unfenced().steady(), indices),
                sender,
                new ChildrenEnvironment(
                        children,
                        childrenApi,
                        calls.steady(),
                        settings.children().fieldManager(),
                        settings.execution().defaultBackoff(),
                        settings.networking().errorBackoffs()));
    }
}
