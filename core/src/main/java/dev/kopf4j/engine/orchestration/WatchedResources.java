package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.text.NearestWord;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
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
 */
record WatchedResources(Set<Resource> watched, List<String> warnings, List<String> unresolved) {
    /** Applies the rules of selection to everything that the cluster serves. */
    static WatchedResources of(HandlerRegistry registry, Collection<Resource> served) {
        Set<Resource> watched = new LinkedHashSet<>();
        registry.watchingSelectors().forEach(selector -> watched.addAll(select(selector, served)));
        List<String> warnings = new java.util.ArrayList<>();
        dropAmbiguous(registry, watched, warnings);
        List<String> unresolved = unresolved(registry, watched, served);
        if (!unresolved.isEmpty()) {
            warnings.add("Unresolved resources cannot be served (try creating their CRDs): "
                    + String.join(", ", unresolved));
        }
        dropUnwatchable(watched, warnings);
        dropUnpatchable(registry, watched, warnings);
        return new WatchedResources(watched, warnings, unresolved);
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

    private static void dropAmbiguous(HandlerRegistry registry, Set<Resource> watched, List<String> warnings) {
        for (ResourceSelector selector : registry.watchingSelectors()) {
            Set<Resource> found = select(selector, watched);
            if (selector.isSpecific() && found.size() > 1) {
                warnings.add("Ambiguous resources will not be served (try specifying API groups): " + selector + " => "
                        + sorted(found));
                watched.removeAll(found);
            }
        }
    }

    private static List<String> unresolved(
            HandlerRegistry registry, Set<Resource> watched, Collection<Resource> served) {
        return registry.watchingSelectors().stream()
                .filter(selector -> select(selector, watched).isEmpty()
                        && select(selector, served).isEmpty())
                .map(ResourceSelector::toString)
                .distinct()
                .map(name -> name + meant(name, served))
                .toList();
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

    private static void dropUnwatchable(Set<Resource> watched, List<String> warnings) {
        Set<Resource> found = watched.stream()
                .filter(each -> !each.verbs().containsAll(List.of("list", "watch")))
                .collect(Collectors.toSet());
        if (!found.isEmpty()) {
            warnings.add("Non-watchable resources will not be served: " + sorted(found));
            watched.removeAll(found);
        }
    }

    /** What has no handlers that write into its objects need not be patched. */
    private static void dropUnpatchable(HandlerRegistry registry, Set<Resource> watched, List<String> warnings) {
        Set<Resource> found = watched.stream()
                .filter(each -> !each.verbs().contains("patch"))
                .filter(each -> registry.watching(each).stream().anyMatch(RegisteredHandler::writesProgress))
                .collect(Collectors.toSet());
        if (!found.isEmpty()) {
            warnings.add("Non-patchable resources will not be served: " + sorted(found));
            watched.removeAll(found);
        }
    }

    private static Set<String> sorted(Set<Resource> resources) {
        return resources.stream().map(Resource::toString).collect(Collectors.toCollection(TreeSet::new));
    }
}
