package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource.Endpoints;
import dev.kopf4j.devcluster.resource.Resource.GroupVersion;
import dev.kopf4j.devcluster.resource.Resource.Names;
import dev.kopf4j.devcluster.resource.Resource.ResourceTraits;
import dev.kopf4j.devcluster.resource.Resource.Subresource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads the table of built-in resources. */
public final class BuiltinResources {
    private static final List<String> USUAL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private BuiltinResources() {}

    /** All built-in resources, in the order of discovery; read once, on first use. */
    public static List<Resource> all() {
        return Table.ALL;
    }

    private static final class Table {
        private static final List<Resource> ALL = load();
    }

    private static List<Resource> load() {
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : read()) {
            String group = version.get("group").stringValue();
            String name = version.get("version").stringValue();
            for (JsonNode resource : version.get("resources")) {
                resources.add(resource(group, name, resource));
            }
        }
        return List.copyOf(resources);
    }

    private static JsonNode read() {
        try (InputStream stream = BuiltinResources.class.getResourceAsStream("resources.json")) {
            if (stream == null) {
                throw new IllegalStateException("resources.json is missing beside " + BuiltinResources.class);
            }
            return Json.parse(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("resources.json cannot be read", e);
        }
    }

    private static Resource resource(String group, String version, JsonNode data) {
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
                traits(data),
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

    private static ResourceTraits traits(JsonNode data) {
        return new ResourceTraits(
                data.path("names").stringValue("subdomain"),
                Set.copyOf(strings(data.path("traits"))),
                Set.copyOf(strings(data.path("fields"))),
                strings(data.path("assigned")),
                data.path("deprecation").stringValue(""));
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.stringValue()));
        return List.copyOf(strings);
    }
}
