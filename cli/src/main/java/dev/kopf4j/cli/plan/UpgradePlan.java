package dev.kopf4j.cli.plan;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.plan.ChildrenForecast.Fate;
import dev.kopf4j.cli.plan.ChildrenForecast.OfChild;
import dev.kopf4j.cli.plan.Forecast.Call;
import dev.kopf4j.cli.plan.PlannedChanges.Item;
import dev.kopf4j.cli.plan.PlannedChanges.Section;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.children.ChildOutlook;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook.FinalizerOutlook;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RightsPlan;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.types.Change;
import dev.kopf4j.types.DefinitionChanges;
import dev.kopf4j.virtual.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares what two versions of an operator would do to the objects of a cluster, or have done to a copy of them.
 * Confined to a thread.
 */
public final class UpgradePlan {
    private static final long SEED = 1;
    private static final String CHILDREN_UNKNOWN =
            "Whether children are as @OnReconcile says is not known without a call: --children calls it, with a copy.";
    private static final String HELD = "Cannot be deleted any more:";
    private static final String FINALIZER_STAYS =
            "To have finalizers taken off, keep for one version a handler of these objects that needs none, such as"
                    + " @OnDelete(optional = true). Or run `kopf4j uninstall --orphan` with a source that has handlers of"
                    + " these objects only, as it takes records off, too.";

    private final @Nullable Version old;
    private final Version next;
    private final ClusterCopy copy;
    private final Instant now;
    private final List<Section> sections = new ArrayList<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Set<String> unwatched = new LinkedHashSet<>();

    /**
     * A plan for a copy of a cluster.
     *
     * @param old the version that is in use; null to plan without one: then nothing is done now
     * @param next the one to come
     */
    public UpgradePlan(@Nullable Version old, Version next, ClusterCopy copy, Instant now) {
        this.old = old;
        this.next = next;
        this.copy = copy;
        this.now = now;
    }

    /**
     * Tells what would happen, without calling anything.
     *
     * @throws OperatorException if the copy cannot be asked
     */
    public PlannedChanges forecast() throws InterruptedException {
        definitions();
        SimulatedPlatform world = new SimulatedPlatform(SEED, now);
        SimulatedCluster cluster = copy.in(world, Options.defaults());
        ClusterSurvey before = old == null ? null : survey(old, world, cluster);
        Set<String> ids = before == null ? Set.of() : ids(before);
        Map<Place, Forecast> was = before == null ? Map.of() : Forecast.of(before, now, Set.of());
        Trial.applied(cluster, next.definitions())
                .forEach((name, why) -> remarks.add("The definition " + name + " would be refused: " + why));
        ClusterSurvey after = survey(next, world, cluster);
        Map<Place, Forecast> will = Forecast.of(after, now, ids);
        unwatched(after);
        if (before != null) {
            rights(new RightsPlan(before), new RightsPlan(after));
        }
        calls(was, will);
        marks(was, will, before == null ? after.settings() : before.settings());
        children(after, before);
        remarks.addAll(copy.remarks());
        return new PlannedChanges(sections, List.copyOf(remarks), List.copyOf(unwatched));
    }

    private static ClusterSurvey survey(Version version, SimulatedPlatform world, SimulatedCluster cluster) {
        OperatorEnvironment environment = cluster.environment(
                world.machine(version.name()),
                UnaryOperator.identity(),
                cluster.network(),
                cluster.adminToken(),
                OperatorTrace.NONE);
        return version.survey(environment);
    }

    /**
     * What the cluster does not serve, and does not get with the new version either; and what it serves, and handlers
     * are not called for.
     */
    private void unwatched(ClusterSurvey after) throws InterruptedException {
        Set<String> left = after.look(found -> {
            after.watchPlan().dropped(found.served()).forEach(each -> remarks.add(each.toString()));
            return after.watchPlan().unwatched(found.served()).stream()
                    .map(each -> each.selector().toString())
                    .collect(Collectors.toSet());
        });
        copy.unwatched().forEach((selector, words) -> {
            if (left.contains(selector)) {
                unwatched.add(words);
            }
        });
    }

    private static Set<String> ids(ClusterSurvey survey) {
        return survey.registry().handlers().stream()
                .map(RegisteredHandler::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // Definitions and rights.

    private void definitions() {
        List<Item> items = new ArrayList<>();
        for (Map<String, Object> definition : next.definitions()) {
            String name = nameOf(definition);
            ObjectNode installed = copy.definitions().get(name);
            if (installed == null) {
                items.add(new Item(name + ": new", List.of()));
            } else {
                List<String> changes = DefinitionChanges.between(
                                Json.toMutableMap(installed),
                                Json.toMutableMap(ClusterCopy.withoutWebhook((ObjectNode) Json.fromJava(definition))))
                        .stream()
                        .map(Change::toString)
                        .toList();
                changes.forEach(each -> items.add(new Item(name + ": " + each, List.of())));
            }
        }
        sections.add(new Section("Definitions that would change:", true, items));
    }

    private static String nameOf(Map<String, Object> definition) {
        return Json.fromJava(definition).path("metadata").path("name").asString("");
    }

    private void rights(RightsPlan before, RightsPlan after) throws InterruptedException {
        Set<Right> had = new LinkedHashSet<>();
        before.resolved().rules().forEach(rule -> had.addAll(Right.of(rule)));
        Map<String, Set<String>> verbs = new LinkedHashMap<>();
        for (RequiredRule rule : after.resolved().rules()) {
            for (Right right : Right.of(rule)) {
                if (!had.contains(right) && !RequiredRule.isForSomeClusters(right.resource())) {
                    verbs.computeIfAbsent(right.where() + reason(rule), _ -> new LinkedHashSet<>())
                            .add(right.verb());
                }
            }
        }
        sections.add(new Section(
                "Rights that would be needed in addition:",
                true,
                verbs.entrySet().stream()
                        .map(each -> new Item(String.join(", ", each.getValue()) + " of " + each.getKey(), List.of()))
                        .toList()));
    }

    private static String reason(RequiredRule rule) {
        return rule.reason().isEmpty() ? "" : ", for " + rule.reason();
    }

    /** One right: a verb on a resource somewhere. Immutable. */
    private record Right(String where, String resource, String verb) {
        static List<Right> of(RequiredRule rule) {
            String group = rule.apiGroup().isEmpty() ? "" : " in the API group " + rule.apiGroup();
            String names = rule.resourceNames().isEmpty() ? "" : " " + rule.resourceNames();
            String scope = switch (rule.scope().kind()) {
                case CLUSTER -> " cluster-wide";
                case NAMESPACE -> " in the namespace " + rule.scope().namespace();
                case OWN -> " in the operator's namespace";
            };
            return rule.verbs().stream()
                    .map(verb -> new Right(rule.resource() + names + group + scope, rule.resource(), verb))
                    .toList();
        }
    }

    // Calls.

    private void calls(Map<Place, Forecast> was, Map<Place, Forecast> will) {
        Groups more = new Groups();
        Groups fewer = new Groups();
        Groups maybe = new Groups();
        Groups ended = new Groups();
        Groups alike = new Groups();
        Groups starts = new Groups();
        Set<Place> places = new TreeSet<>(was.keySet());
        places.addAll(will.keySet());
        for (Place place : places) {
            Map<String, Forecast.OfHandler> before = handlers(was.get(place));
            Map<String, Forecast.OfHandler> after = handlers(will.get(place));
            after.forEach((title, handler) -> {
                Forecast.OfHandler former = before.get(title);
                Call call = former == null ? Call.NONE : former.call();
                if (handler.call() == call || (old == null && isOfEachStart(handler))) {
                    switch (handler.call()) {
                        case NOW, LATER -> alike.add(place, title, handler.why());
                        case START -> starts.add(place, title, "");
                        case MAYBE -> starts.add(place, "perhaps " + title, "");
                        case GIVEN_UP, NONE -> {}
                    }
                } else if (handler.call() == Call.GIVEN_UP) {
                    ended.add(place, title, handler.why() + (former == null ? "" : "; so far: " + former.why()));
                } else if (handler.call() == Call.NONE) {
                    if (former != null && isCalled(former)) {
                        fewer.add(place, title, handler.why());
                    }
                } else if (handler.call() == Call.MAYBE) {
                    maybe.add(place, title, handler.why());
                } else {
                    more.add(place, title, handler.why() + (former == null ? "" : "; so far: " + former.why()));
                }
            });
            before.forEach((title, handler) -> {
                if (isCalled(handler) && !after.containsKey(title)) {
                    fewer.add(place, title, "the new version has no such handler for it");
                }
            });
        }
        sections.add(new Section("Handlers that would be called:", true, more.items()));
        sections.add(new Section("Handlers that may be called:", true, maybe.items()));
        sections.add(new Section("Handlers that would not be called any more:", true, fewer.items()));
        sections.add(new Section("Handlers that would fail for good, without a call:", true, ended.items()));
        sections.add(new Section("Handlers that would be called by the old version, too:", false, alike.items()));
        sections.add(new Section(
                old == null ? "As at each start:" : "As at each start, by both versions:", false, starts.counts()));
    }

    private static boolean isCalled(Forecast.OfHandler handler) {
        return switch (handler.call()) {
            case NOW, START, MAYBE, LATER -> true;
            case GIVEN_UP, NONE -> false;
        };
    }

    /** Whether any start would bring the call, as far as that is known. */
    private static boolean isOfEachStart(Forecast.OfHandler handler) {
        return switch (handler.call()) {
            case START -> true;
            case MAYBE -> !handler.kind().isOfChange() || handler.kind() == HandlerKind.RESUME;
            case NOW, LATER, GIVEN_UP, NONE -> false;
        };
    }

    private static Map<String, Forecast.OfHandler> handlers(@Nullable Forecast forecast) {
        Map<String, Forecast.OfHandler> handlers = new LinkedHashMap<>();
        if (forecast != null) {
            forecast.handlers()
                    .forEach(each -> handlers.put(each.kind().annotation() + " '" + each.id() + "' for", each));
        }
        return handlers;
    }

    /** Objects by what happens to them. Confined. */
    private static final class Groups {
        private final Map<What, List<String>> groups = new TreeMap<>();

        /**
         * What happens to objects.
         *
         * @param title what; the objects follow
         * @param resource of which kind they are
         */
        private record What(String title, String resource) implements Comparable<What> {
            @Override
            public int compareTo(What other) {
                int byTitle = title.compareTo(other.title);
                return byTitle == 0 ? resource.compareTo(other.resource) : byTitle;
            }
        }

        void add(Place place, String title, String why) {
            groups.computeIfAbsent(new What(title, place.resource()), _ -> new ArrayList<>())
                    .add(name(place) + (why.isEmpty() ? "" : ": " + why));
        }

        List<Item> items() {
            return groups.entrySet().stream()
                    .map(each -> new Item(
                            each.getKey().title() + " " + count(each.getValue().size()) + " of "
                                    + each.getKey().resource(),
                            each.getValue()))
                    .toList();
        }

        /** The same without the objects. */
        List<Item> counts() {
            return items().stream()
                    .map(each -> new Item(each.title(), List.of()))
                    .toList();
        }
    }

    private static String name(Place place) {
        return place.namespace().isEmpty() ? place.name() : place.namespace() + "/" + place.name();
    }

    private static String count(int objects) {
        return objects == 1 ? "1 object" : objects + " objects";
    }

    // Finalizers and records.

    private void marks(Map<Place, Forecast> was, Map<Place, Forecast> will, OperatorSettings settings) {
        Finalizer finalizer = new Finalizer(settings.persistence().finalizer());
        Groups finalizers = new Groups();
        Groups staying = new Groups();
        Groups states = new Groups();
        Groups left = new Groups();
        Set<String> undoables = new TreeSet<>();
        will.forEach((place, forecast) -> {
            Forecast former = was.get(place);
            FinalizerOutlook before = former == null ? FinalizerOutlook.NONE : former.finalizer();
            if (forecast.finalizer() != before) {
                switch (forecast.finalizer()) {
                    case ADD -> finalizers.add(place, "The finalizer would be added to", "");
                    case REMOVE -> finalizers.add(place, "The finalizer would be removed from", "");
                    case DEPENDS -> finalizers.add(place, "The finalizer may come or go with", "");
                    case STAYS -> staying.add(place, HELD, "its changes would not be handled");
                    case NONE -> {
                        if (before != FinalizerOutlook.STAYS) {
                            String title = "The finalizer would stay as it is, which the old version would change, of";
                            finalizers.add(place, title, "");
                        }
                    }
                }
            }
            if (forecast.finalizer() != FinalizerOutlook.REMOVE) {
                undoables.addAll(forecast.undoables());
            } else if (before != FinalizerOutlook.REMOVE
                    && !forecast.undoables().isEmpty()) {
                left.add(
                        place,
                        "Nobody would take back what steps have made for",
                        String.join(", ", forecast.undoables()));
            }
            if (storesState(forecast) && former != null && !storesState(former)) {
                states.add(place, "The last handled state would be stored on", "this version finds none on the object");
            }
            forecast.strangers()
                    .forEach(id ->
                            left.add(place, "The record of '" + id + "' would stay, and nobody would read it, on", ""));
        });
        was.keySet().stream().filter(place -> !will.containsKey(place)).forEach(place -> {
            if (finalizer.isOn(Objects.requireNonNull(copy.find(place)))) {
                staying.add(place, HELD, "it would not be watched");
            } else {
                left.add(place, "What the old version has left would stay, as nobody would watch them, on", "");
            }
        });
        List<Item> items = new ArrayList<>(finalizers.items());
        items.addAll(states.items());
        items.addAll(left.items());
        sections.add(new Section("Finalizers and records:", true, items));
        if (!undoables.isEmpty()) {
            remarks.add(
                    "Objects remember steps that are to be taken back; a version that declares them otherwise, or reads"
                            + " their results as other types, lets deletions wait: " + String.join(", ", undoables)
                            + ".");
        }
        // Without the old version, it is not known that this one would bring that about.
        sections.add(new Section("Finalizers that would not be taken off:", old != null, staying.items()));
        if (!staying.items().isEmpty()) {
            remarks.add(FINALIZER_STAYS);
        }
    }

    /** Whether a version takes the object for new: it notes what it has handled, whether or not anything is called. */
    private static boolean storesState(Forecast forecast) {
        return forecast.reason() == Reason.CREATE
                && forecast.handlers().stream().anyMatch(each -> each.kind().isOfChange());
    }

    // Children.

    /**
     * Tells in addition which children would be applied, and in which fields they differ: the functions that say which
     * ones there ought to be are called, and nothing else.
     *
     * @param limit how long they may take for all objects, in virtual time
     * @throws OperatorException if they cannot be called in virtual time
     */
    public PlannedChanges withChildren(Duration limit) throws InterruptedException {
        forecast();
        remarks.remove(CHILDREN_UNKNOWN);
        ChildrenForecast will = ChildrenForecast.of(next, copy, now, limit);
        ChildrenForecast was = old == null ? ChildrenForecast.none() : ChildrenForecast.of(old, copy, now, limit);
        List<Item> differing = new ArrayList<>();
        List<Item> alike = new ArrayList<>();
        List<Item> refused = new ArrayList<>();
        List<Item> left = new ArrayList<>();
        Set<String> names = new TreeSet<>(was.children().keySet());
        names.addAll(will.children().keySet());
        for (String name : names) {
            OfChild after = will.children().get(name);
            OfChild before = was.children().get(name);
            if (after != null && (isKept(after) || isRefused(after))) {
                if (!after.note().isEmpty()) {
                    boolean comes = isRefused(after) && (before == null || !isRefused(before));
                    (comes ? refused : left).add(new Item(name + ": " + after.note(), List.of()));
                }
            } else if (after != null) {
                boolean same = before != null
                        && before.words().equals(after.words())
                        && before.fields().equals(after.fields());
                (same ? alike : differing).add(new Item(name + ": " + after.words(), after.fields()));
            }
            boolean onlyBefore = after == null || isKept(after) || isRefused(after);
            if (onlyBefore && before != null && !isKept(before) && !isRefused(before)) {
                differing.add(new Item("by the old version only: " + name + ": " + before.words(), before.fields()));
            }
        }
        sections.add(new Section("Children that would be written, with the fields that differ:", true, differing));
        sections.add(new Section("Children that the old version would write in the same way:", false, alike));
        sections.add(new Section("Children that could not be written:", true, refused));
        sections.add(new Section("Children that would not be written, or are not ready:", false, left));
        sections.add(new Section(
                "Functions that failed:",
                true,
                will.failures().stream()
                        .filter(each -> !was.failures().contains(each))
                        .map(each -> new Item(each, List.of()))
                        .toList()));
        remarks.addAll(will.remarks());
        return new PlannedChanges(sections, List.copyOf(remarks), List.copyOf(unwatched));
    }

    private static boolean isKept(OfChild child) {
        return child.fate() == Fate.KEPT;
    }

    private static boolean isRefused(OfChild child) {
        return child.fate() == Fate.REFUSED;
    }

    /** What the children themselves tell, whatever their handlers would say. */
    private void children(ClusterSurvey after, @Nullable ClusterSurvey before) throws InterruptedException {
        boolean concerned = ChildrenForecast.concerns(after.registry());
        if (!concerned && (before == null || !ChildrenForecast.concerns(before.registry()))) {
            return;
        }
        Strays strays = before == null ? new Strays(Set.of(), copy) : Strays.of(before, after, copy);
        Set<String> ids = ids(after);
        Set<String> had = before == null ? Set.of() : ids(before);
        Groups forgotten = new Groups();
        Groups orphans = new Groups();
        Groups damaged = new Groups();
        boolean any = false;
        for (Place place : copy.places()) {
            ObjectNode body = Objects.requireNonNull(copy.find(place));
            ChildOutlook child =
                    ChildOutlook.of(body, after.settings().children().fieldManager());
            any |= child.made();
            String handler = child.handler();
            if (child.made() && had.contains(handler) && strays.has(place, body)) {
                forgotten.add(place, "Would stay, as the new version does not look at them:", "");
            } else if (concerned && lacksHandler(handler, ids, before == null ? Set.of(handler) : had)) {
                orphans.add(
                        place,
                        "Made by '" + handler + "', which the new version does not have; deleted unless another handler"
                                + " wants them:",
                        "");
            } else if (concerned && child.made() && !child.lost().isEmpty()) {
                damaged.add(
                        place,
                        "Applied anew, whatever the handlers say:",
                        "somebody has taken " + String.join(", ", child.lost()));
            }
        }
        sections.add(new Section("Children that nobody would delete:", true, forgotten.items()));
        if (!forgotten.items().isEmpty()) {
            remarks.add(
                    "To have such children deleted, keep for one version an @OnReconcile of their parents that names"
                            + " their kind in `children`, and does not return them.");
        }
        sections.add(new Section("Children without a handler:", true, orphans.items()));
        sections.add(new Section(
                before == null ? "Children that were changed:" : "Children that either version would find changed:",
                before == null,
                damaged.items()));
        if (any && concerned) {
            remarks.add(CHILDREN_UNKNOWN);
        }
    }

    private static boolean lacksHandler(String handler, Set<String> ids, Set<String> had) {
        return !handler.isEmpty() && !ids.contains(handler) && had.contains(handler);
    }

    /**
     * Children that one version looks at, and the next one does not, as they are of a kind that its handlers do not
     * name, or nobody says which children their parents ought to have. Confined.
     */
    private static final class Strays {
        private final Set<Family> lost;
        private final Map<String, String> parents = new HashMap<>();

        Strays(Set<Family> lost, ClusterCopy copy) {
            this.lost = lost;
            Set<String> kinds = lost.stream().map(Family::parents).collect(Collectors.toSet());
            copy.places().stream()
                    .filter(place -> kinds.contains(place.resource()))
                    .forEach(place -> parents.put(uid(Objects.requireNonNull(copy.find(place))), place.resource()));
        }

        static Strays of(ClusterSurvey before, ClusterSurvey after, ClusterCopy copy) throws InterruptedException {
            Set<Family> lost = families(before);
            lost.removeAll(families(after));
            return new Strays(lost, copy);
        }

        /**
         * Which children are looked at.
         *
         * @param parents the kind of the objects whose children they are
         * @param children the kind of the children
         */
        private record Family(String parents, String children) {}

        private static Set<Family> families(ClusterSurvey survey) throws InterruptedException {
            return survey.look(found -> {
                List<PlannedStream> streams = survey.watchPlan().streams(found.served(), found.namespaces());
                Set<Family> families = new HashSet<>();
                for (PlannedStream children : streams) {
                    for (PlannedStream parents : streams) {
                        boolean looks = children.ofChildren().stream()
                                .anyMatch(each -> each.kind() == HandlerKind.RECONCILE
                                        && parents.handlers().contains(each));
                        if (looks) {
                            families.add(new Family(kind(parents.resource()), kind(children.resource())));
                        }
                    }
                }
                return families;
            });
        }

        private static String kind(Resource resource) {
            return new Place(resource.group(), resource.plural(), "", "").resource();
        }

        /** True if it is one of them. */
        boolean has(Place place, ObjectNode body) {
            return body.path("metadata")
                    .path("ownerReferences")
                    .valueStream()
                    .map(owner -> parents.get(owner.path("uid").asString("")))
                    .anyMatch(parent -> parent != null && lost.contains(new Family(parent, place.resource())));
        }

        private static String uid(ObjectNode body) {
            return body.path("metadata").path("uid").asString("");
        }
    }

    // Trials.

    /**
     * Lets the versions run with copies, and tells in addition what differs.
     *
     * @param limit how long each may take, in virtual time
     * @throws OperatorException if one cannot run in virtual time
     */
    public PlannedChanges tried(Duration limit) throws InterruptedException {
        forecast();
        remarks.remove(CHILDREN_UNKNOWN);
        sections.removeIf(section -> !section.changes()); // what both do is told by what they did
        Trial after = new Trial(next, copy, now, limit);
        after.apply(next.definitions());
        Duration took = after.run();
        Trial before = old == null ? null : new Trial(old, copy, now, limit);
        if (before != null) {
            Duration tookBefore = before.run();
            before.runFor(took.minus(tookBefore));
            after.runFor(tookBefore.minus(took));
        }
        compareCalls(before == null ? List.of() : before.calls(), after.calls());
        compareWrites(before == null ? Map.of() : before.written(), after.written());
        compareRefusals(before == null ? Map.of() : before.troublesOfChildren(), after.troublesOfChildren());
        remarks.addAll(after.remarks());
        after.end();
        if (before != null) {
            remarks.addAll(before.remarks());
            before.end();
        }
        return new PlannedChanges(sections, List.copyOf(remarks), List.copyOf(unwatched));
    }

    private void compareCalls(List<RestWatch.Call> was, List<RestWatch.Call> will) {
        Set<Called> before = new LinkedHashSet<>(was.stream().map(Called::of).toList());
        Set<Called> after = new LinkedHashSet<>(will.stream().map(Called::of).toList());
        Groups more = new Groups();
        Groups fewer = new Groups();
        Groups alike = new Groups();
        Groups failed = new Groups();
        for (Called each : after) {
            (before.contains(each) ? alike : more).add(each.place(), each.title(), each.reason());
        }
        before.stream()
                .filter(each -> !after.contains(each))
                .forEach(each -> fewer.add(each.place(), each.title(), each.reason()));
        for (RestWatch.Call each : new LinkedHashSet<>(will)) {
            if (each.failure() != null && !was.contains(each)) {
                failed.add(each.place(), Called.of(each).title(), each.failure());
            }
        }
        sections.add(new Section("Tried: handlers that were called by the new version only:", true, more.items()));
        sections.add(new Section("Tried: handlers that were called by the old version only:", true, fewer.items()));
        sections.add(new Section("Tried: calls of the new version that failed:", true, failed.items()));
        sections.add(new Section("Tried: handlers that both versions called:", false, alike.counts()));
    }

    /** That a handler was called for an object at all. */
    private record Called(Place place, String title, String reason) {
        static Called of(RestWatch.Call call) {
            return new Called(call.place(), call.kind().annotation() + " '" + call.handler() + "' for", call.reason());
        }
    }

    private void compareWrites(Map<Place, Optional<ObjectNode>> was, Map<Place, Optional<ObjectNode>> will) {
        List<Item> differing = new ArrayList<>();
        List<Item> alike = new ArrayList<>();
        Set<Place> places = new TreeSet<>(was.keySet());
        places.addAll(will.keySet());
        // The copy has these definitions from elsewhere; what changes in them is told by themselves.
        Set<String> definitions = new HashSet<>(copy.definitions().keySet());
        next.definitions().forEach(each -> definitions.add(nameOf(each)));
        places.removeIf(place -> place.resource().equals("customresourcedefinitions.apiextensions.k8s.io")
                && definitions.contains(place.name()));
        for (Place place : places) {
            ObjectNode present = copy.find(place);
            List<JsonDiff.Item> before = changes(present, was, place);
            List<JsonDiff.Item> after = changes(present, will, place);
            List<String> details = new ArrayList<>();
            boolean shows = !place.isSecret();
            after.stream()
                    .filter(each -> !before.contains(each))
                    .forEach(each -> details.addAll(Differences.texts(each, shows)));
            before.stream()
                    .filter(each -> !after.contains(each))
                    .forEach(each -> Differences.texts(each, shows)
                            .forEach(text -> details.add("by the old version only: " + text)));
            if (!details.isEmpty()) {
                differing.add(new Item(title(place, present, will), details));
            } else if (!after.isEmpty()) {
                alike.add(new Item(place.toString(), List.of()));
            }
        }
        sections.add(new Section("Tried: what the new version wrote, and the old one did not:", true, differing));
        sections.add(new Section("Tried: objects in which both versions wrote the same:", false, alike));
    }

    /** What the server has refused of children, by the uid of their parent. */
    private void compareRefusals(
            Map<String, Map<String, RestWatch.Trouble>> was, Map<String, Map<String, RestWatch.Trouble>> will) {
        List<Item> refused = new ArrayList<>();
        new TreeMap<>(will)
                .forEach((uid, children) -> new TreeMap<>(children).forEach((child, trouble) -> {
                    RestWatch.Trouble before = was.getOrDefault(uid, Map.of()).get(child);
                    if (trouble.failed() && (before == null || !before.failed())) {
                        refused.add(new Item(child + ": " + trouble.why(), List.of()));
                    }
                }));
        sections.add(new Section("Tried: children that the new version could not write:", true, refused));
    }

    private static List<JsonDiff.Item> changes(
            @Nullable ObjectNode present, Map<Place, Optional<ObjectNode>> written, Place place) {
        return written.containsKey(place)
                ? Differences.byFields(
                        Differences.between(present, written.get(place).orElse(null)))
                : List.of();
    }

    private static String title(Place place, @Nullable ObjectNode present, Map<Place, Optional<ObjectNode>> written) {
        if (!written.containsKey(place)) {
            return place.toString();
        }
        if (present == null) {
            return place + (written.get(place).isPresent() ? " (new)" : " (made, and deleted)");
        }
        return place + (written.get(place).isPresent() ? "" : " (deleted)");
    }
}
