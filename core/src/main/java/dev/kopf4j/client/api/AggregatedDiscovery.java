package dev.kopf4j.client.api;

import static dev.kopf4j.client.api.ApiDiscovery.text;
import static dev.kopf4j.client.api.ApiDiscovery.texts;

import dev.kopf4j.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an {@code APIGroupDiscoveryList}: all groups, versions and resources in one document. */
final class AggregatedDiscovery {
    private AggregatedDiscovery() {}

    static void read(JsonNode list, @Nullable Set<String> groups, List<Resource> resources, Set<String> unavailable) {
        for (JsonNode item : list.path("items")) {
            String group = text(item.path("metadata"), "name");
            if (groups == null || group.isEmpty() || groups.contains(group)) {
                readGroup(group, item.path("versions"), resources, unavailable);
            }
        }
    }

    /** The versions are in the order of preference. */
    private static void readGroup(String group, JsonNode versions, List<Resource> resources, Set<String> unavailable) {
        boolean preferred = true;
        for (JsonNode version : versions) {
            List<Resource> found = resources(group, version, preferred || group.isEmpty());
            if (found.isEmpty() && "Stale".equals(text(version, "freshness"))) {
                unavailable.add(group);
            }
            resources.addAll(found);
            preferred = false;
        }
    }

    private static List<Resource> resources(String group, JsonNode version, boolean preferred) {
        List<Resource> found = new ArrayList<>();
        for (JsonNode entry : version.path("resources")) {
            String kind = text(entry.path("responseKind"), "kind");
            found.add(new Resource(
                    group,
                    text(version, "version"),
                    text(entry, "resource"),
                    kind,
                    LegacyDiscovery.singular(text(entry, "singularResource"), kind),
                    Set.copyOf(texts(entry, "shortNames")),
                    Set.copyOf(texts(entry, "categories")),
                    subresources(entry),
                    "Namespaced".equals(text(entry, "scope")),
                    preferred,
                    Set.copyOf(texts(entry, "verbs"))));
        }
        return found;
    }

    private static Set<String> subresources(JsonNode entry) {
        Set<String> names = new HashSet<>();
        entry.path("subresources").forEach(sub -> names.add(text(sub, "subresource")));
        return names;
    }
}
