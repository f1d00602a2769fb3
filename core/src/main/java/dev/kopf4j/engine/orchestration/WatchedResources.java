package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
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
 * Which resources are to be watched, of those that the cluster serves. Immutable.
 *
 * @param watched the resources to be watched
 * @param warnings what could not be resolved, in words for people
 * @param unresolved what handlers are for, and the cluster does not serve, in words for people
 * @param dropped what handlers name, and the cluster serves, but is not watched
 */
record WatchedResources(
        Set<Resource> watched, List<String> warnings, List<String> unresolved, List<DroppedResource> dropped) {
    /**
     * Applies the rules of selection to everything that the cluster serves.
     *
     * @param before what is being watched: another resource of that name, which comes later, does not take it away, as
     *     its objects have finalizers and daemons
     */
    static WatchedResources of(HandlerRegistry registry, Collection<Resource> served, Collection<Resource> before) {
        Set<Resource> watched = new LinkedHashSet<>();
        registry.watchingSelectors()
                .forEach(selector -> watched.addAll(inPreferred(selector, select(selector, served), served, before)));
        List<String> warnings = new ArrayList<>();
        List<DroppedResource> dropped = new ArrayList<>();
        dropAmbiguous(registry, watched, before, warnings, dropped);
        List<String> unresolved = unresolved(registry, watched, served);
        if (!unresolved.isEmpty()) {
            warnings.add("Unresolved resources cannot be served (try creating their CRDs): "
                    + String.join(", ", unresolved));
        }
        dropUnwatchable(registry, watched, warnings, dropped);
        dropUnpatchable(registry, watched, warnings, dropped);
        return new WatchedResources(watched, warnings, unresolved, dropped);
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
        return resources.stream()
                .anyMatch(each ->
                        each.group().equals(wanted.group()) && each.plural().equals(wanted.plural()));
    }

    private static List<String> unresolved(
            HandlerRegistry registry, Set<Resource> watched, Collection<Resource> served) {
        return registry.watchingSelectors().stream()
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
                .filter(each -> selector.matches(asIfIn(named, each)))
                .map(Resource::version)
                .distinct()
                .sorted(ApiVersionOrder.PREFERRED_FIRST)
                .collect(Collectors.joining(", "));
        return named.isEmpty() || versions.isEmpty()
                ? Optional.empty()
                : Optional.of(" (served in " + versions + ", not in " + named + ")");
    }

    private static Resource asIfIn(String version, Resource resource) {
        return new Resource(
                resource.group(),
                version,
                resource.plural(),
                resource.kind(),
                resource.singular(),
                resource.shortNames(),
                resource.categories(),
                resource.subresources(),
                resource.namespaced(),
                resource.preferred(),
                resource.verbs());
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
}
