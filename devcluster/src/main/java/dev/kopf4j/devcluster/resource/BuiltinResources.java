package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource.Endpoints;
import dev.kopf4j.devcluster.resource.Resource.GroupVersion;
import dev.kopf4j.devcluster.resource.Resource.Names;
import dev.kopf4j.devcluster.resource.Resource.ResourceTraits;
import dev.kopf4j.devcluster.resource.Resource.Subresource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Reads the table of built-in resources.
 *
 * <p>{@code since} and {@code until} name the first and the last version of Kubernetes that has a version of a group,
 * or a resource of it; both have all versions if they are missing. Alpha and beta versions are served on demand only,
 * unless {@code served} says otherwise: {@code pkg/controlplane/instance.go} of Kubernetes, v1.31 to v1.34. A trait
 * with {@code @1.33} behind it, and a warning with {@code "deprecated": "1.33"}, are there from that version on.
 */
public final class BuiltinResources {
    private static final List<String> USUAL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private BuiltinResources() {}

    /** All resources that are usual in the default version, in the order of discovery; read once, on first use. */
    public static List<Resource> all() {
        return Usual.ALL;
    }

    private static final class Usual {
        private static final List<Resource> ALL = load(ServedVersions.of(KubernetesVersion.DEFAULT));
    }

    private static final class Table {
        private static final JsonNode ROWS = Json.parse(BesideClass.bytes(BuiltinResources.class, "resources.json"));
    }

    /**
     * The resources of these versions, in the order of discovery.
     *
     * @throws IllegalArgumentException if a version is wanted that is not there
     */
    public static List<Resource> of(ServedVersions servedVersions) {
        return servedVersions.equals(ServedVersions.of(KubernetesVersion.DEFAULT)) ? all() : load(servedVersions);
    }

    private static List<Resource> load(ServedVersions servedVersions) {
        KubernetesVersion kubernetes = servedVersions.kubernetes();
        List<Resource> resources = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (JsonNode version : Table.ROWS) {
            String group = version.get("group").stringValue();
            String name = version.get("version").stringValue();
            List<Resource> found = new ArrayList<>();
            for (JsonNode row : version.get("resources")) {
                if (has(kubernetes, version) && has(kubernetes, row)) {
                    found.add(resource(group, name, row, kubernetes));
                }
            }
            boolean stable = !name.contains("alpha") && !name.contains("beta");
            if (servedVersions.serves(
                    group, name, stable || version.path("served").booleanValue(false))) {
                resources.addAll(found);
            }
            found.forEach(resource -> known.add(resource.apiVersion()));
        }
        servedVersions.check(known);
        return List.copyOf(resources);
    }

    private static boolean has(KubernetesVersion kubernetes, JsonNode row) {
        return isFrom(kubernetes, row.path("since").stringValue(""))
                && (!row.has("until")
                        || KubernetesVersion.of(row.get("until").stringValue()).isAtLeast(kubernetes));
    }

    private static boolean isFrom(KubernetesVersion kubernetes, String first) {
        return first.isEmpty() || kubernetes.isAtLeast(KubernetesVersion.of(first));
    }

    private static Resource resource(String group, String version, JsonNode data, KubernetesVersion kubernetes) {
        String plural = data.get("name").stringValue();
        String kind = data.get("kind").stringValue();
        Names names = new Names(
                plural,
                data.has("singular") ? data.get("singular").stringValue() : kind.toLowerCase(Locale.ROOT),
                kind,
                kind + "List",
                strings(data.path("short")),
                strings(data.path("categories")));
        List<String> verbs = data.has("verbs") ? strings(data.get("verbs")) : USUAL_VERBS;
        String bucket =
                data.has("bucket") ? data.get("bucket").stringValue() : group.isEmpty() ? plural : group + "/" + plural;
        return new Resource(
                new GroupVersion(group, version),
                names,
                !data.path("cluster").booleanValue(false),
                new Endpoints(verbs, subresources(kind, data.path("sub"))),
                bucket,
                traits(data, kubernetes),
                null);
    }

    private static List<Subresource> subresources(String kind, JsonNode data) {
        List<Subresource> subresources = new ArrayList<>();
        for (JsonNode entry : data) {
            String name =
                    entry.isString() ? entry.stringValue() : entry.get("name").stringValue();
            JsonNode given = entry.isString() ? Json.missing() : entry;
            boolean scale = name.equals("scale");
            subresources.add(new Subresource(
                    name,
                    given.path("group").stringValue(scale ? "autoscaling" : ""),
                    given.path("version").stringValue(scale ? "v1" : ""),
                    given.path("kind").stringValue(scale ? "Scale" : kind),
                    given.has("verbs") ? strings(given.get("verbs")) : List.of("get", "patch", "update")));
        }
        return List.copyOf(subresources);
    }

    private static ResourceTraits traits(JsonNode data, KubernetesVersion kubernetes) {
        Set<String> words = strings(data.path("traits")).stream()
                .map(word -> (word + "@").split("@", -1))
                .filter(word -> isFrom(kubernetes, word[1]))
                .map(word -> word[0])
                .collect(Collectors.toUnmodifiableSet());
        boolean deprecated = isFrom(kubernetes, data.path("deprecated").stringValue(""));
        return new ResourceTraits(
                data.path("names").stringValue("subdomain"),
                words,
                Set.copyOf(strings(data.path("fields"))),
                strings(data.path("assigned")),
                deprecated ? data.path("deprecation").stringValue("") : "");
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.stringValue()));
        return List.copyOf(strings);
    }
}
