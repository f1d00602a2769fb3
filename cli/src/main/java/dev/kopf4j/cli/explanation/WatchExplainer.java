package dev.kopf4j.cli.explanation;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan;
import dev.kopf4j.engine.orchestration.WatchPlan.DroppedResource;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.runtime.SystemPlatform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains what an operator would watch: as it is declared, or as a cluster serves it. Start-up handlers are not
 * called: what they change is not known. Thread-safe.
 */
public final class WatchExplainer {
    private final ClusterSurvey survey;
    private final FrameworkNeeds framework;

    /** Explains the operator that the builder would build. */
    public WatchExplainer(OperatorBuilder builder) {
        this(ClusterSurvey.of(OperatorPlan.of(builder), new SystemPlatform()));
    }

    WatchExplainer(ClusterSurvey survey) {
        this.survey = survey;
        boolean ofAll = survey.plan().namespaces().isEmpty();
        this.framework = new FrameworkNeeds(survey.registry(), survey.watchPlan(), survey.settings(), ofAll);
    }

    /**
     * What an operator would watch. Immutable.
     *
     * @param watches what, and for whom
     * @param remarks which handlers would not be called, though the cluster serves what they name
     */
    public record Explanation(List<ExplainedWatch> watches, List<String> remarks) {
        /** Copies the lists. */
        public Explanation {
            watches = List.copyOf(watches);
            remarks = List.copyOf(remarks);
        }
    }

    /** What is declared, without a look at any cluster. */
    public Explanation declared() {
        List<ExplainedWatch> watches = new ArrayList<>();
        survey.registry().watchingSelectors().forEach(selector -> watches.add(declared(selector)));
        if (!survey.peering().groups().isEmpty()) {
            watches.add(new ExplainedWatch(
                    survey.peering().plural() + ".v1 of "
                            + survey.peering().groups().stream().sorted().collect(Collectors.joining(" or ")) + " "
                            + where(),
                    "all objects, whole",
                    List.of("peering with other operators (peering.standalone=true: none)"),
                    List.of("list, watch, patch of " + survey.peering().plural()
                            + " and its status, if that is served")));
        }
        return new Explanation(completed(watches), List.of());
    }

    private ExplainedWatch declared(ResourceSelector selector) {
        List<RegisteredHandler> handlers = survey.registry().watching(selector);
        List<RegisteredHandler> ofChildren = survey.registry().ofChildren(selector);
        return new ExplainedWatch(
                selector + " " + where(),
                handlers.isEmpty() ? "children; which of them and what of these, a cluster says" : "all objects, whole",
                HandlerText.of(handlers, ofChildren),
                declaredRights(selector.toString(), handlers));
    }

    private static List<String> declaredRights(String selector, List<RegisteredHandler> handlers) {
        return HandlerText.write(handlers)
                ? List.of("list, watch, patch of " + selector, "patch of its status, if it has that subresource")
                : List.of("list, watch of " + selector);
    }

    private String where() {
        return survey.plan().namespaces().isEmpty()
                ? "cluster-wide"
                : survey.plan().namespaces().stream()
                        .map(pattern -> (pattern.isExact() ? "in '" : "in namespaces like '") + pattern.text() + "'")
                        .collect(Collectors.joining(", "));
    }

    /**
     * What the cluster serves of it.
     *
     * @throws OperatorException if the cluster cannot be asked
     */
    public Explanation resolved() throws InterruptedException {
        return survey.look(found -> resolved(found.served(), found.namespaces()));
    }

    private Explanation resolved(ServedResources served, Set<String> namespaces) {
        List<ExplainedWatch> watches = new ArrayList<>();
        survey.watchPlan().streams(served, namespaces).forEach(stream -> watches.add(explained(stream)));
        watches.addAll(peerings(served.known(), survey.watchPlan().namespaces(namespaces)));
        List<String> remarks = survey.watchPlan().dropped(served).stream()
                .map(DroppedResource::toString)
                .toList();
        return new Explanation(completed(watches), remarks);
    }

    private static ExplainedWatch explained(PlannedStream stream) {
        boolean writes = HandlerText.write(stream.handlers());
        List<String> rights = new ArrayList<>(Rights.toWatch(stream.resource(), writes));
        if (stream.ofChildren().stream().anyMatch(handler -> handler.kind() == HandlerKind.RECONCILE)) {
            rights.add(Rights.of("create, patch, delete", stream.resource()));
        }
        return new ExplainedWatch(
                stream.title(),
                content(stream.narrowing()),
                HandlerText.of(stream.handlers(), stream.ofChildren()),
                rights);
    }

    private static String content(Narrowing narrowing) {
        String objects = narrowing.labelSelector().isEmpty()
                ? "all objects"
                : "objects with the labels " + narrowing.labelSelector();
        return objects + (narrowing.metadataOnly() ? ", their metadata" : ", whole");
    }

    private List<ExplainedWatch> peerings(Collection<Resource> served, Set<@Nullable String> namespaces) {
        return survey.peering().of(served, namespaces).stream()
                .map(place -> new ExplainedWatch(
                        PlannedStream.title(place.resource(), place.namespace()),
                        "all objects, whole",
                        List.of("peering with other operators, by the object '" + place.name() + "'"),
                        Rights.toWatch(place.resource(), true)))
                .toList();
    }

    private List<ExplainedWatch> completed(List<ExplainedWatch> watches) {
        watches.addAll(framework.scanning());
        watches.addAll(framework.requests());
        return watches;
    }

    /**
     * What the framework itself does in the cluster, whatever the handlers are for. Pure.
     *
     * @param registry all handlers
     * @param plan decides on streams
     * @param ofAll true if no namespaces are chosen
     */
    private record FrameworkNeeds(HandlerRegistry registry, WatchPlan plan, OperatorSettings settings, boolean ofAll) {
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
            if (settings.sharding().shards() != null) {
                needs.add(request(WellKnownResources.LEASES, "get, list, watch, create, update, delete", "shards"));
            }
            needs.addAll(webhooks());
            return needs;
        }

        private List<ExplainedWatch> webhooks() {
            List<ExplainedWatch> needs = new ArrayList<>();
            String managed = settings.admission().managed();
            boolean takesLeft = ofAll && settings.admission().server() != null;
            if (managed != null && registry.admission().isEmpty()) {
                String reason = "webhooks '" + managed + "' that an earlier version may have left (admission.managed"
                        + " unset: none)";
                for (Resource resource : takesLeft
                        ? List.of(
                                WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS,
                                WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS)
                        : List.<Resource>of()) {
                    needs.add(request(resource, "get, patch", reason));
                }
            } else if (managed != null) {
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
                    .filter(handler ->
                            handler.declaration().selector().toString().equals(selector))
                    .toList();
            return new ExplainedWatch(
                    selector + " in the questions of the API server",
                    NOTHING_WATCHED,
                    HandlerText.of(handlers),
                    List.of());
        }

        private static ExplainedWatch request(Resource resource, String verbs, String reason) {
            return new ExplainedWatch(
                    resource.toString(), NOTHING_WATCHED, List.of(reason), List.of(Rights.of(verbs, resource)));
        }
    }

    /** Handlers in words for people. Pure. */
    private static final class HandlerText {
        private HandlerText() {}

        /** All that need a stream, in their order: {@code @OnCreate 'make' (of objects with the labels app=web)}. */
        static List<String> of(List<RegisteredHandler> handlers) {
            return handlers.stream().map(HandlerText::of).toList();
        }

        /** The same, then those that are about the objects as children of others. */
        static List<String> of(List<RegisteredHandler> handlers, List<RegisteredHandler> ofChildren) {
            return Stream.concat(
                            of(handlers).stream(),
                            ofChildren.stream()
                                    .map(handler -> of(handler) + ", for children of "
                                            + handler.declaration().selector()))
                    .toList();
        }

        private static String of(RegisteredHandler handler) {
            String text = handler.kind().annotation() + " '" + handler.id() + "'";
            List<MetadataFilter> labels = handler.options().labels();
            return labels.isEmpty()
                    ? text
                    : text
                            + labels.stream()
                                    .map(MetadataFilter::toSelector)
                                    .collect(Collectors.joining(",", " (of objects with the labels ", ")"));
        }

        /** True if one of the handlers needs the operator to write into the objects. */
        static boolean write(List<RegisteredHandler> handlers) {
            return handlers.stream().anyMatch(RegisteredHandler::writesProgress);
        }
    }

    /** Rights as people and roles name them: verbs, resource, group. Pure. */
    private static final class Rights {
        private Rights() {}

        /** {@code list, watch of pods}, {@code patch of kopfexamples.kopf.dev}. */
        static String of(String verbs, Resource resource) {
            return verbs + " of " + name(resource, resource.plural());
        }

        /** To watch the objects of a resource, and to write into them if that is needed. */
        static List<String> toWatch(Resource resource, boolean writes) {
            List<String> rights = new ArrayList<>();
            rights.add(of(writes ? "list, watch, patch" : "list, watch", resource));
            if (writes && resource.subresources().contains("status")) {
                rights.add("patch of " + name(resource, resource.plural() + "/status"));
            }
            return rights;
        }

        private static String name(Resource resource, String plural) {
            return resource.group().isEmpty() ? plural : plural + " in the API group " + resource.group();
        }
    }
}
