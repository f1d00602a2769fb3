package dev.kopf4j.engine.explanation;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.orchestration.WatchPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * What the framework itself does in the cluster, whatever the handlers are for. Pure.
 *
 * @param registry all handlers
 * @param plan decides on streams
 */
record FrameworkNeeds(HandlerRegistry registry, WatchPlan plan, OperatorSettings settings) {
    private static final String NOTHING_WATCHED = "";

    /** The streams by which resources and namespaces are found. */
    List<ExplainedWatch> scanning() {
        return plan.scanned().stream().map(FrameworkNeeds::scanning).toList();
    }

    private static ExplainedWatch scanning(Resource resource) {
        String reason = resource.equals(WellKnownResources.NAMESPACES)
                ? "the framework finds the namespaces that match what was given"
                : "the framework finds resources that come and go (scanning.disabled=true looks once, at the start)";
        return new ExplainedWatch(
                resource + " cluster-wide", "all objects, whole", List.of(reason), Rights.toWatch(resource, false));
    }

    /** What is done without a stream. */
    List<ExplainedWatch> requests() {
        List<ExplainedWatch> needs = new ArrayList<>();
        if (settings.posting().enabled()) {
            needs.add(request(
                    WellKnownResources.EVENTS,
                    "create, patch",
                    "events about the objects (posting.enabled=false: none)"));
        }
        if (settings.leaderElection().enabled()) {
            needs.add(request(WellKnownResources.LEASES, "get, create, update", "leader election"));
        }
        needs.addAll(webhooks());
        return needs;
    }

    private List<ExplainedWatch> webhooks() {
        List<ExplainedWatch> needs = new ArrayList<>();
        if (settings.admission().managed() != null && !registry.admission().isEmpty()) {
            List<String> handlers = HandlerText.of(registry.admission());
            for (Resource resource : List.of(
                    WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS,
                    WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS)) {
                needs.add(new ExplainedWatch(
                        resource.toString(),
                        NOTHING_WATCHED,
                        handlers,
                        List.of(Rights.of("create, get, patch", resource))));
            }
        } else {
            registry.admission().stream()
                    .map(RegisteredHandler::declaration)
                    .map(declaration -> declaration.selector().toString())
                    .distinct()
                    .map(this::asked)
                    .forEach(needs::add);
        }
        return needs;
    }

    /** The API server sends the objects: nothing is watched, and no right is needed. */
    private ExplainedWatch asked(String selector) {
        List<RegisteredHandler> handlers = registry.admission().stream()
                .filter(handler -> handler.declaration().selector().toString().equals(selector))
                .toList();
        return new ExplainedWatch(
                selector + " in the questions of the API server", NOTHING_WATCHED, HandlerText.of(handlers), List.of());
    }

    private static ExplainedWatch request(Resource resource, String verbs, String reason) {
        return new ExplainedWatch(
                resource.toString(), NOTHING_WATCHED, List.of(reason), List.of(Rights.of(verbs, resource)));
    }
}
