package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.ApiDiscovery.DiscoveredResources;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the cluster serves, as far as the operator's handlers can be interested in it. Confined to the orchestrator. */
public final class ServedResources {
    private static final String PATCH = "patch";

    private final Source source;
    private final HandlerRegistry registry;
    /** The groups that handlers or the framework name. */
    private final Set<String> named;
    /** Those that are looked at; null for all. */
    private final @Nullable Set<String> groups;

    private final Set<Resource> known = new LinkedHashSet<>();
    private final Set<Resource> patchedBefore = new HashSet<>();
    private final TerminatingDefinitions definitions = new TerminatingDefinitions();
    private final Set<String> unavailable = new TreeSet<>();
    /** Those of the known ones that the server has not told of the last time, or has described otherwise. */
    private final Set<Resource> kept = new HashSet<>();

    private Doubt doubt = (known, told) -> false;

    /**
     * Nothing is known yet; if all selectors name their groups, only those will be looked at.
     *
     * @param others the groups that the framework itself is interested in
     */
    public ServedResources(Source source, HandlerRegistry registry, Set<String> others) {
        this.source = source;
        this.registry = registry;
        this.named = named(registry, others);
        this.groups = registry.selectors().stream()
                        .anyMatch(selector -> selector.group().isEmpty())
                ? null
                : named;
    }

    /** Where it is known from. */
    @FunctionalInterface
    public interface Source {
        /** The resources of these groups, or of all of them (null). */
        DiscoveredResources scan(@Nullable Set<String> groups) throws InterruptedException;
    }

    /** Whether what was known stays so for the moment, though the server tells something else. */
    @FunctionalInterface
    interface Doubt {
        /**
         * True if it stays as it was known.
         *
         * @param known a resource that is left out, or is described otherwise
         * @param told what the server tells of the same kind, in all versions
         */
        boolean keeps(Resource known, Collection<Resource> told);
    }

    private static Set<String> named(HandlerRegistry registry, Set<String> others) {
        Set<String> groups = new HashSet<>(others);
        groups.add("");
        registry.selectors().stream()
                .map(ResourceSelector::group)
                .flatMap(Optional::stream)
                .forEach(groups::add);
        registry.conversions().forEach(function -> groups.add(function.group()));
        return groups;
    }

    /** Looks at everything. Resources of groups that do not answer stay known. */
    void scan() throws InterruptedException {
        DiscoveredResources found = source.scan(groups);
        unavailable.clear();
        take(found, resource -> true);
    }

    /** The same after a look at everything. */
    public ServedResources scanned() throws InterruptedException {
        scan();
        return this;
    }

    /** False if no handler can be interested in the group. Safe for all threads. */
    boolean concerns(String group) {
        return groups == null || groups.contains(group);
    }

    /** Looks at one group again, if it is of interest. */
    void rescan(String group) throws InterruptedException {
        if (concerns(group)) {
            DiscoveredResources found = source.scan(Set.of(group));
            unavailable.remove(group);
            take(found, resource -> resource.group().equals(group));
        }
    }

    /** Asked in each look, before what the server tells is believed against what was known. */
    void keep(Doubt newDoubt) {
        doubt = newDoubt;
    }

    private void take(DiscoveredResources found, Predicate<Resource> looked) {
        unavailable.addAll(found.unavailable());
        if (isCoreLost(found, looked)) {
            unavailable.add("");
        }
        Map<Resource, Resource> told = found.resources().stream()
                .collect(Collectors.toMap(resource -> resource, resource -> resource, (first, _) -> first));
        Predicate<Resource> answered = looked.and(resource -> !unavailable.contains(resource.group()));
        Set<Resource> doubted = known.stream()
                .filter(answered)
                .filter(resource -> !isSame(resource, told.get(resource)))
                .filter(resource -> doubt.keeps(resource, ofKind(resource, found)))
                .collect(Collectors.toSet());
        known.removeIf(answered.and(resource -> !doubted.contains(resource)));
        Set<Resource> untold = Set.copyOf(known);
        found.resources().forEach(resource -> known.add(asPreferred(resource, untold)));
        kept.removeIf(looked);
        kept.addAll(doubted);
        known.stream().filter(resource -> resource.verbs().contains(PATCH)).forEach(patchedBefore::add);
        patchedBefore.retainAll(known);
    }

    /** True if it is told, and described alike. Which version is preferred depends on the others. */
    private static boolean isSame(Resource one, @Nullable Resource other) {
        return other != null
                && one.names().equals(other.names())
                && one.subresources().equals(other.subresources())
                && one.namespaced() == other.namespaced()
                && one.verbs().equals(other.verbs());
    }

    private static List<Resource> ofKind(Resource resource, DiscoveredResources found) {
        return found.resources().stream()
                .filter(each ->
                        each.group().equals(resource.group()) && each.plural().equals(resource.plural()))
                .toList();
    }

    /** The core API of a server that has one does not go: something in between has answered in its place. */
    private boolean isCoreLost(DiscoveredResources found, Predicate<Resource> looked) {
        return known.stream().anyMatch(resource -> resource.group().isEmpty() && looked.test(resource))
                && found.resources().stream()
                        .noneMatch(resource -> resource.group().isEmpty());
    }

    /** A version is not preferred because a preferred one, which stays known, is not told of for a moment. */
    private static Resource asPreferred(Resource resource, Set<Resource> untold) {
        boolean other = resource.preferred()
                && !resource.group().isEmpty()
                && untold.stream()
                        .anyMatch(each -> each.preferred()
                                && each.group().equals(resource.group())
                                && each.plural().equals(resource.plural())
                                && !each.equals(resource));
        return other ? as(resource, resource.version(), false, resource.verbs()) : resource;
    }

    /** The definitions that are being deleted. Safe for all threads. */
    TerminatingDefinitions definitions() {
        return definitions;
    }

    /** What the server has told of, and as it has, or its group has not answered. */
    Collection<Resource> told() {
        return known.stream().filter(resource -> !kept.contains(resource)).toList();
    }

    /** What stays known as it was, though the server does not tell of it, or describes it otherwise. */
    Set<Resource> kept() {
        return Set.copyOf(kept);
    }

    /** What is served, as far as is known. What can be patched can be patched while its definition is deleted too. */
    public Collection<Resource> known() {
        return known.stream().map(this::withHiddenVerb).toList();
    }

    private Resource withHiddenVerb(Resource resource) {
        boolean hidden = !resource.verbs().contains(PATCH)
                && (patchedBefore.contains(resource) || definitions.contains(resource));
        if (!hidden) {
            return resource;
        }
        Set<String> verbs = new HashSet<>(resource.verbs());
        verbs.add(PATCH);
        return as(resource, resource.version(), resource.preferred(), verbs);
    }

    /** The resource as if it were in that version, preferred or not, and served with these verbs. */
    public static Resource as(Resource resource, String version, boolean preferred, Set<String> verbs) {
        return new Resource(
                resource.group(),
                version,
                resource.names(),
                resource.subresources(),
                resource.namespaced(),
                preferred,
                verbs);
    }

    /** The groups that exist, but have not answered the last time: what they serve is not known for sure. */
    public Set<String> unavailable() {
        return Set.copyOf(unavailable);
    }

    /**
     * Those of them that may serve what the operator is for: it names them, or has a name without a group that no other
     * one serves, or that means a class of resources.
     */
    public Set<String> missed() {
        return unavailable.stream().filter(this::mayBeNeeded).collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean mayBeNeeded(String group) {
        return named.contains(group)
                || registry.selectors().stream()
                        .filter(selector -> selector.group().isEmpty())
                        .anyMatch(selector -> !selector.isSpecific()
                                || known.stream()
                                        .filter(selector::matches)
                                        .allMatch(resource -> resource.group().equals(group)));
    }

    /**
     * The custom resource definitions that are being deleted while objects of them are left. The API server takes
     * {@code patch} and other verbs out of the discovery of their resources then (apiextensions-apiserver,
     * {@code customresource_discovery_controller.go}), though it goes on to serve PATCH, without which nobody could
     * take the finalizers off the objects. Thread-safe.
     */
    static final class TerminatingDefinitions {
        /** What the server leaves; it shows exactly these for no other resources, as far as is known. */
        private static final Set<String> VERBS_LEFT = Set.of("delete", "deletecollection", "get", "list", "watch");

        private final Set<String> names = ConcurrentHashMap.newKeySet();
        private volatile boolean known;

        /** One that is gone stays: its resource may be known for a moment more, as it was served last. */
        void add(CrdState crdState) {
            if (crdState.isTerminating()) {
                names.add(crdState.name());
            } else if (crdState.stage() != CrdState.Stage.DELETED) {
                names.remove(crdState.name());
            }
        }

        /** All definitions that exist, of these names, have been added. */
        void complete(Set<String> existing) {
            names.retainAll(existing);
            known = true;
        }

        /**
         * Whether the resource is one of a definition that is being deleted; as far as can be told by the verbs, if
         * definitions have not been read yet, or may not be read.
         */
        boolean contains(Resource resource) {
            return known
                    ? names.contains(CrdState.name(resource.plural(), resource.group()))
                    : resource.verbs().equals(VERBS_LEFT) && !resource.group().isEmpty();
        }
    }
}
