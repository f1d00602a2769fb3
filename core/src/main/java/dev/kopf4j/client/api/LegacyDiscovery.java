package dev.kopf4j.client.api;

import static dev.kopf4j.client.api.ApiDiscovery.text;
import static dev.kopf4j.client.api.ApiDiscovery.texts;

import dev.kopf4j.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A version of a group, as listed by servers without aggregated discovery. */
record LegacyDiscovery(String group, String version, boolean preferred) {

    /** The versions of {@code /api} or {@code /apis}. */
    static List<LegacyDiscovery> listed(JsonNode root) {
        List<LegacyDiscovery> all = new ArrayList<>();
        texts(root, "versions").forEach(version -> all.add(new LegacyDiscovery("", version, true)));
        for (JsonNode group : root.path("groups")) {
            String preferred = text(group.path("preferredVersion"), "version");
            for (JsonNode version : group.path("versions")) {
                String name = text(version, "version");
                all.add(new LegacyDiscovery(text(group, "name"), name, name.equals(preferred)));
            }
        }
        return all;
    }

    String path() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    /** The resources of an {@code APIResourceList}; the entries with a slash are their subresources. */
    List<Resource> resources(JsonNode list) {
        List<JsonNode> entries = new ArrayList<>();
        list.path("resources").forEach(entries::add);
        return entries.stream()
                .filter(entry -> !text(entry, "name").contains("/"))
                .map(entry -> resource(entry, subresources(entries, text(entry, "name") + "/")))
                .toList();
    }

    private static Set<String> subresources(List<JsonNode> entries, String prefix) {
        return entries.stream()
                .map(entry -> text(entry, "name"))
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .collect(Collectors.toSet());
    }

    private Resource resource(JsonNode entry, Set<String> subresources) {
        String kind = text(entry, "kind");
        return new Resource(
                group,
                version,
                text(entry, "name"),
                kind,
                singular(text(entry, "singularName"), kind),
                Set.copyOf(texts(entry, "shortNames")),
                Set.copyOf(texts(entry, "categories")),
                subresources,
                entry.path("namespaced").asBoolean(false),
                preferred,
                Set.copyOf(texts(entry, "verbs")));
    }

    static String singular(String told, String kind) {
        return told.isEmpty() ? kind.toLowerCase(Locale.ROOT) : told;
    }
}
