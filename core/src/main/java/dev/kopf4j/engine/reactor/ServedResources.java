package dev.kopf4j.engine.reactor;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.Discovery;
import dev.kopf4j.engine.handling.HandlerRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the cluster serves, as far as the operator's handlers can be interested in it. Confined to the orchestrator. */
final class ServedResources {
    private final Discovery discovery;
    private final @Nullable Set<String> groups;
    private final Set<Resource> known = new LinkedHashSet<>();

    /** Nothing is known yet; if all selectors name their groups, only those will be looked at. */
    ServedResources(Discovery discovery, HandlerRegistry registry) {
        this.discovery = discovery;
        this.groups = groups(registry);
    }

    private static @Nullable Set<String> groups(HandlerRegistry registry) {
        List<ResourceSelector> selectors = registry.selectors();
        if (selectors.stream().anyMatch(selector -> selector.group() == null)) {
            return null;
        }
        Set<String> groups = new HashSet<>(Set.of(""));
        selectors.stream().map(ResourceSelector::group).filter(Objects::nonNull).forEach(groups::add);
        return groups;
    }

    /** Looks at everything. */
    Collection<Resource> scan() throws InterruptedException {
        List<Resource> found = groups == null ? discovery.resources() : discovery.resources(groups);
        known.clear();
        known.addAll(found);
        return known;
    }

    /** Looks at one group again, if it is of interest. */
    Collection<Resource> rescan(String group) throws InterruptedException {
        if (groups == null || groups.contains(group)) {
            List<Resource> found = discovery.resources(Set.of(group));
            known.removeIf(resource -> resource.group().equals(group));
            known.addAll(found);
        }
        return known;
    }
}
