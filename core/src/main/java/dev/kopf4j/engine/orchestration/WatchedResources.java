package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan.DroppedResource;
import dev.kopf4j.text.ApiVersionOrder;
import dev.kopf4j.text.NearestWord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which resources are to be watched, of those that the cluster serves; each in one version. Immutable.
 *
 * @param watched the resources to be watched; a version that stands for the preferred one says that it is preferred
 * @param warnings what could not be resolved, in words for people
 * @param unresolved what handlers name, and the cluster does not serve, in words for people
 * @param emptyClasses classes of resources that handlers are for, such as a category, of which the cluster serves none
 *     yet
 * @param dropped what handlers name, and the cluster serves, but is not watched
 * @param otherVersions what is watched in another version than some handlers are for
 */
record WatchedResources(
        Set<Resource> watched,
        List<String> warnings,
        List<String> unresolved,
        List<String> emptyClasses,
        List<DroppedResource> dropped,
        List<DroppedResource> otherVersions) {
    /**
     * Applies the rules of selection to everything that the cluster serves.
     *
     * @param before what is being watched: another resource of that name, or another version, which comes later, does
     *     not take it away, as its objects have finalizers and daemons
     */
    static WatchedResources of(HandlerRegistry registry, Collection<Resource> served, Collection<Resource> before) {
        VersionChoice versions = new VersionChoice(registry, registry.watchingSelectors(), served, before);
        Set<Resource> watched = versions.watched();
        List<String> warnings = new ArrayList<>();
        List<DroppedResource> dropped = new ArrayList<>();
        dropAmbiguous(registry, watched, before, warnings, dropped);
        List<String> unresolved = unresolved(registry, watched, served, true);
        if (!unresolved.isEmpty()) {
            warnings.add("Unresolved resources cannot be served (try creating their CRDs): "
                    + String.join(", ", unresolved));
        }
        List<String> emptyClasses = unresolved(registry, watched, served, false);
        if (!emptyClasses.isEmpty()) {
            warnings.add("Handlers are for classes of resources of which the cluster serves none yet: "
                    + String.join(", ", emptyClasses));
        }
        dropUnwatchable(registry, watched, warnings, dropped);
        dropUnpatchable(registry, watched, warnings, dropped);
        List<DroppedResource> otherVersions = watched.stream()
                .flatMap(each -> versions.uncalled(each, watched).stream())
                .toList();
        otherVersions.forEach(each -> warnings.add("K4-030: " + each));
        return new WatchedResources(watched, warnings, unresolved, emptyClasses, dropped, otherVersions);
    }

    /** The resources that a selector means; a specific one prefers the core API, as kubectl does. */
    static Set<Resource> select(ResourceSelector selector, Collection<Resource> resources) {
        Set<Resource> found =
                resources.stream().filter(selector::matches).collect(Collectors.toCollection(LinkedHashSet::new));
        Set<Resource> core = found.stream()
                .filter(each -> each.group().isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return selector.isSpecific() && !core.isEmpty() ? core : found;
    }

    /**
     * Of the resources that a name means in several groups, those in the versions that their groups prefer, as kubectl
     * takes them; and what is being watched.
     */
    private static Set<Resource> inPreferred(
            ResourceSelector selector, Set<Resource> found, Collection<Resource> served, Collection<Resource> before) {
        if (found.size() < 2 || !selector.isSpecific() || selector.version().isPresent()) {
            return found;
        }
        Set<Resource> preferred = found.stream()
                .filter(each -> isAmong(before, each)
                        || preferredVersion(each.group(), served)
                                .filter(each.version()::equals)
                                .isPresent())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return preferred.isEmpty() ? found : preferred;
    }

    /** The version that a group prefers as a whole: it has no resource that is preferred in another one. */
    private static Optional<String> preferredVersion(String group, Collection<Resource> served) {
        List<Resource> ofGroup =
                served.stream().filter(each -> each.group().equals(group)).toList();
        Set<String> others = ofGroup.stream()
                .filter(each -> !each.preferred())
                .map(Resource::version)
                .collect(Collectors.toSet());
        return ofGroup.stream()
                .map(Resource::version)
                .filter(version -> !others.contains(version))
                .min(ApiVersionOrder.PREFERRED_FIRST);
    }

    private static void dropAmbiguous(
            HandlerRegistry registry,
            Set<Resource> watched,
            Collection<Resource> before,
            List<String> warnings,
            List<DroppedResource> dropped) {
        for (ResourceSelector selector : registry.watchingSelectors()) {
            Set<Resource> found = select(selector, watched);
            if (selector.isSpecific() && found.size() > 1) {
                Set<Resource> kept =
                        found.stream().filter(each -> isAmong(before, each)).collect(Collectors.toSet());
                if (kept.size() > 1) {
                    kept.clear();
                }
                if (kept.isEmpty()) {
                    dropped.add(new DroppedResource(
                            "'" + selector + "' fits several resources " + sorted(found)
                                    + ", so that none of them is watched",
                            "add the group"));
                }
                found.removeAll(kept);
                warnings.add("Ambiguous resources will not be served (try specifying API groups): " + selector + " => "
                        + sorted(found)
                        + (kept.isEmpty() ? "" : "; still served, until the operator starts anew: " + sorted(kept)));
                watched.removeAll(found);
            }
        }
    }

    /** True if one of them is that kind, in whichever version. */
    private static boolean isAmong(Collection<Resource> resources, Resource wanted) {
        return resources.stream().anyMatch(each -> isSame(each, wanted));
    }

    /** True if the objects of both are the same, perhaps in different versions. */
    static boolean isSame(Resource one, Resource other) {
        return one.group().equals(other.group()) && one.plural().equals(other.plural());
    }

    private static List<String> unresolved(
            HandlerRegistry registry, Set<Resource> watched, Collection<Resource> served, boolean specific) {
        return registry.watchingSelectors().stream()
                .filter(selector -> selector.isSpecific() == specific)
                .filter(selector -> select(selector, watched).isEmpty()
                        && select(selector, served).isEmpty())
                .map(selector ->
                        selector + otherVersions(selector, served).orElseGet(() -> meant(selector.toString(), served)))
                .distinct()
                .toList();
    }

    /** In which versions a resource is served, if not in the named one; empty if it is not served at all. */
    private static Optional<String> otherVersions(ResourceSelector selector, Collection<Resource> served) {
        String named = selector.version().orElse("");
        String versions = served.stream()
                .filter(each -> selector.matches(with(each, named, each.preferred())))
                .map(Resource::version)
                .distinct()
                .sorted(ApiVersionOrder.PREFERRED_FIRST)
                .collect(Collectors.joining(", "));
        return named.isEmpty() || versions.isEmpty()
                ? Optional.empty()
                : Optional.of(" (served in " + versions + ", not in " + named + ")");
    }

    /** The resource as if it were in that version, and preferred or not. */
    static Resource with(Resource resource, String version, boolean preferred) {
        return ServedResources.as(resource, version, preferred, resource.verbs());
    }

    /** What was probably meant by the name of a resource that is not served: one that is served has a similar name. */
    private static String meant(String name, Collection<Resource> served) {
        List<String> names = served.stream()
                .flatMap(each -> name.contains(".")
                        ? Stream.of(each.toString(), each.plural() + "." + each.group())
                        : Stream.of(each.plural(), each.singular(), each.kind()))
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        return NearestWord.likely(name, names)
                .map(each -> " (did you mean " + each + "?)")
                .orElse("");
    }

    private static void dropUnwatchable(
            HandlerRegistry registry, Set<Resource> watched, List<String> warnings, List<DroppedResource> dropped) {
        Set<Resource> found = watched.stream()
                .filter(each -> !each.verbs().containsAll(List.of("list", "watch")))
                .collect(Collectors.toSet());
        if (!found.isEmpty()) {
            warnings.add("Non-watchable resources will not be served: " + sorted(found));
            named(registry, watched, found)
                    .map(each -> new DroppedResource(
                            each + " is not watched: the cluster does not serve it with list and watch",
                            registry.watching(each).isEmpty()
                                    ? "take it out of the children of handlers"
                                    : "remove its handlers"))
                    .forEach(dropped::add);
            watched.removeAll(found);
        }
    }

    /** What has no handlers that write into its objects need not be patched. */
    private static void dropUnpatchable(
            HandlerRegistry registry, Set<Resource> watched, List<String> warnings, List<DroppedResource> dropped) {
        Set<Resource> found = watched.stream()
                .filter(each -> !each.verbs().contains("patch"))
                .filter(each -> registry.watching(each).stream().anyMatch(RegisteredHandler::writesProgress))
                .collect(Collectors.toSet());
        if (!found.isEmpty()) {
            warnings.add("Non-patchable resources will not be served: " + sorted(found));
            named(registry, watched, found)
                    .map(each -> new DroppedResource(
                            each
                                    + " is not watched: it cannot be patched, and a handler records progress on its objects",
                            "let only @OnEvent and @OnIndex handle it"))
                    .forEach(dropped::add);
            watched.removeAll(found);
        }
    }

    /**
     * Those of the found resources that a handler names, in order; whoever is for whole classes of them means what is
     * possible.
     */
    private static Stream<Resource> named(HandlerRegistry registry, Set<Resource> watched, Set<Resource> found) {
        return registry.watchingSelectors().stream()
                .filter(ResourceSelector::isSpecific)
                .flatMap(selector -> select(selector, watched).stream())
                .filter(found::contains)
                .distinct()
                .sorted(Comparator.comparing(Resource::toString));
    }

    private static Set<String> sorted(Set<Resource> resources) {
        return resources.stream().map(Resource::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * In which versions each kind is watched: in one of those with handlers that write their progress. Its objects are
     * the same in all of them, with the same finalizer and annotations: streams of two versions would take each other's
     * changes for handled, and finalizers away. Handlers of events, indices and children write nothing, and have the
     * versions that they are for. Immutable.
     *
     * @param named the versions that selectors name
     * @param unnamed the versions that the others select
     */
    private record VersionChoice(
            HandlerRegistry registry,
            List<ResourceSelector> selectors,
            Collection<Resource> served,
            Collection<Resource> before,
            Set<Resource> named,
            Set<Resource> unnamed) {
        VersionChoice(
                HandlerRegistry registry,
                List<ResourceSelector> selectors,
                Collection<Resource> served,
                Collection<Resource> before) {
            this(registry, selectors, served, before, new LinkedHashSet<>(), new LinkedHashSet<>());
            selectors.forEach(selector -> (selector.version().isPresent() ? named : unnamed)
                    .addAll(inPreferred(selector, select(selector, served), served, before)));
        }

        /** All that is selected, in the order of the handlers of each kind. */
        Set<Resource> watched() {
            Set<Resource> watched = new LinkedHashSet<>();
            Set<Resource> kinds = new LinkedHashSet<>();
            Stream.concat(named.stream(), unnamed.stream())
                    .filter(each -> !isAmong(kinds, each))
                    .forEach(each -> {
                        kinds.add(each);
                        watched.addAll(versions(each));
                    });
            return watched;
        }

        private Set<Resource> versions(Resource kind) {
            List<Resource> byName =
                    named.stream().filter(each -> isSame(each, kind)).toList();
            List<Resource> writing =
                    byName.stream().filter(this::isWrittenByName).toList();
            Set<Resource> versions = new LinkedHashSet<>();
            if (!writing.isEmpty() || isAmong(unnamed, kind)) {
                versions.add(choose(kind, writing));
            }
            boolean isPreferredChosen = versions.stream().anyMatch(Resource::preferred);
            byName.stream()
                    .filter(each -> !writing.contains(each) && !hasVersion(versions, each))
                    .forEach(each -> versions.add(isPreferredChosen ? with(each, each.version(), false) : each));
            return versions;
        }

        /** True if a handler that writes progress is for that version, whichever one is preferred. */
        private boolean isWrittenByName(Resource version) {
            return registry.watching(with(version, version.version(), false)).stream()
                    .anyMatch(RegisteredHandler::writesProgress);
        }

        private static boolean hasVersion(Collection<Resource> resources, Resource wanted) {
            return resources.stream()
                    .anyMatch(each -> isSame(each, wanted) && each.version().equals(wanted.version()));
        }

        /**
         * One that is named, before all others; of these, the one whose objects are being handled, or else the
         * preferred one.
         */
        private Resource choose(Resource kind, List<Resource> writing) {
            Resource chosen = (writing.isEmpty()
                            ? Stream.concat(unnamed.stream(), served.stream().filter(before::contains))
                            : writing.stream())
                    .filter(each -> isSame(each, kind))
                    .min(Comparator.comparingInt(this::distanceFromBefore)
                            .thenComparing(each -> !each.preferred())
                            .thenComparing(Resource::version, ApiVersionOrder.PREFERRED_FIRST))
                    .orElse(kind);
            Resource asPreferred = with(chosen, chosen.version(), true);
            boolean replacesAnother = unnamed.stream().anyMatch(each -> isSame(each, kind) && !each.equals(chosen))
                    && selectors.stream().anyMatch(each -> each.matches(asPreferred) && !each.matches(chosen));
            return replacesAnother ? asPreferred : chosen;
        }

        /**
         * How far a version is from what has been chosen before, as several of a kind may be watched: nearest is the
         * one with the handlers that write, then the one that stood for the preferred one.
         */
        private int distanceFromBefore(Resource version) {
            for (Resource each : before) {
                if (each.equals(version)) {
                    boolean writes = registry.watching(each).stream().anyMatch(RegisteredHandler::writesProgress);
                    return writes ? 0 : each.preferred() ? 1 : 2;
                }
            }
            return 3;
        }

        /**
         * The handlers that are for other versions of it alone; those whose function is called nevertheless are not.
         */
        Optional<DroppedResource> uncalled(Resource first, Set<Resource> all) {
            List<Resource> watched =
                    all.stream().filter(each -> isSame(each, first)).toList();
            Set<Resource> others = watched.getFirst().equals(first)
                    ? Stream.concat(named.stream(), unnamed.stream())
                            .filter(each -> isSame(each, first) && !hasVersion(watched, each))
                            .collect(Collectors.toSet())
                    : Set.of();
            List<RegisteredHandler> called = watched.stream()
                    .flatMap(each -> registry.watching(each).stream())
                    .toList();
            Set<String> ids = new LinkedHashSet<>();
            Set<String> versions = new TreeSet<>(ApiVersionOrder.PREFERRED_FIRST);
            for (Resource other : others) {
                registry.watching(other).stream()
                        .filter(each -> called.stream()
                                .noneMatch(same -> same.kind() == each.kind()
                                        && same.function().equals(each.function())))
                        .filter(each ->
                                watched.stream().noneMatch(each.declaration().selector()::matches))
                        .forEach(each -> {
                            ids.add("'" + each.id() + "'");
                            versions.add(other.version());
                        });
                registry.ofChildren(other).stream()
                        .filter(each -> watched.stream().noneMatch(each.declaration()::concernsChildren))
                        .forEach(each -> {
                            ids.add("'" + each.id() + "' for its children");
                            versions.add(other.version());
                        });
            }
            return ids.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new DroppedResource(
                            first + " is watched, and so no other version of it, but handlers are for "
                                    + String.join(", ", versions) + ": not called are " + String.join(", ", ids),
                            "let all handlers of it name one version, or none; the server converts the objects"));
        }
    }
}
