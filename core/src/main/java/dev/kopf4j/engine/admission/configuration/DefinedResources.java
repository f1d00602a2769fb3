package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The resources that custom resource definitions define. Pure. */
public final class DefinedResources {
    private DefinedResources() {}

    /**
     * The resource of each served version; none of other objects. The version in which objects are stored is preferred.
     */
    public static List<Resource> of(JsonNode object) {
        if (!object.path("kind").asString("").equals("CustomResourceDefinition")) {
            return List.of();
        }
        JsonNode spec = object.path("spec");
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean(false)) {
                resources.add(resource(spec, version));
            }
        }
        return resources;
    }

    private static Resource resource(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        String kind = names.path("kind").asString("");
        return new Resource(
                spec.path("group").asString(""),
                version.path("name").asString(""),
                names.path("plural").asString(""),
                kind,
                names.path("singular").asString(kind.toLowerCase(Locale.ROOT)),
                texts(names.path("shortNames")),
                texts(names.path("categories")),
                new HashSet<>(version.path("subresources").propertyNames()),
                spec.path("scope").asString("").equals("Namespaced"),
                version.path("storage").asBoolean(false),
                Set.of());
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new HashSet<>();
        array.forEach(each -> texts.add(each.asString("")));
        return texts;
    }
}
