package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.CustomVersions;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resource.Names;
import dev.kopf4j.devcluster.resource.Resource.ResourceTraits;
import dev.kopf4j.devcluster.resource.Resource.Subresource;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.text.ApiVersionOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Makes the resources that a custom resource definition describes. */
final class CrdResources {
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    /** The verbs while the definition is being deleted: existing objects can still be changed. */
    private static final List<String> TERMINATING_VERBS = List.of("delete", "deletecollection", "get", "list", "watch");

    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private final CrdConverters converters;

    CrdResources(CrdConverters converters) {
        this.converters = converters;
    }

    /** One resource for each served version, under its accepted names. */
    List<Resource> of(JsonNode definition) {
        return of(definition, version -> version.path("served").booleanValue(false));
    }

    /** The resource of the version that is stored, whether it is served or not. */
    Resource stored(JsonNode definition) {
        return of(definition, version -> version.path("storage").booleanValue(false))
                .getFirst();
    }

    private List<Resource> of(JsonNode definition, Predicate<JsonNode> wanted) {
        JsonNode spec = definition.path("spec");
        Names names = names(definition.path("status").path("acceptedNames"), spec.path("names"));
        boolean unchanged = definition.path("metadata").path("generation").longValue(1) == 1;
        CustomVersions versions = versions(spec);
        List<String> verbs =
                StatusConditions.isTrue(definition.path("status"), "Terminating") ? TERMINATING_VERBS : VERBS;
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (wanted.test(version)) {
                boolean uniform = unchanged && storedAsServed(spec, version, versions);
                resources.add(resource(spec, names, verbs, version, uniform, versions));
            }
        }
        return resources;
    }

    private CustomVersions versions(JsonNode spec) {
        Map<String, StructuralSchema> schemas = new HashMap<>();
        String storage = "";
        for (JsonNode version : spec.path("versions")) {
            String name = Json.string(version, "name");
            schemas.put(name, schema(version));
            storage = version.path("storage").booleanValue(false) ? name : storage;
        }
        return new CustomVersions(storage, schemas, converters.of(spec));
    }

    private static StructuralSchema schema(JsonNode version) {
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        return schema.isObject() ? new StructuralSchema(schema) : StructuralSchema.ANYTHING;
    }

    /** Whether objects that were all stored under this definition are shown as they are. */
    private static boolean storedAsServed(JsonNode spec, JsonNode version, CustomVersions versions) {
        return versions.converter().isPresent()
                ? versions.storage().equals(Json.string(version, "name"))
                : sameSchemas(spec);
    }

    private static boolean sameSchemas(JsonNode spec) {
        JsonNode first = spec.path("versions").path(0).path("schema");
        return Json.items(spec, "versions").allMatch(version -> JsonEquality.same(version.path("schema"), first));
    }

    /** The name of the definition of a bucket's objects. */
    static String definitionOf(String bucket) {
        int slash = bucket.indexOf('/');
        return bucket.substring(slash + 1) + "." + bucket.substring(0, Math.max(slash, 0));
    }

    /** The bucket of the definition's objects. */
    static String bucket(JsonNode spec) {
        return Json.string(spec, "group") + "/" + Json.string(spec, "names", "plural");
    }

    private static Names names(JsonNode accepted, JsonNode wanted) {
        return new Names(
                Json.string(accepted, "plural"),
                Json.string(accepted, "singular"),
                Json.string(accepted, "kind"),
                Json.string(accepted, "listKind"),
                strings(accepted.path("shortNames")),
                strings(wanted.path("categories")));
    }

    private static Resource resource(
            JsonNode spec,
            Names names,
            List<String> verbs,
            JsonNode version,
            boolean uniform,
            CustomVersions versions) {
        JsonNode subresources = version.path("subresources");
        List<Subresource> endpoints = new ArrayList<>();
        if (subresources.has("status")) {
            endpoints.add(new Subresource("status", "", "", names.kind(), SUBRESOURCE_VERBS));
        }
        if (subresources.has("scale")) {
            endpoints.add(new Subresource("scale", "autoscaling", "v1", "Scale", SUBRESOURCE_VERBS));
        }
        CustomKind kind = new CustomKind(
                Objects.requireNonNull(versions.schemas().get(Json.string(version, "name"))),
                Json.items(version, "additionalPrinterColumns").toList(),
                subresources.path("scale"),
                Json.items(version, "selectableFields")
                        .map(field -> Json.string(field, "jsonPath").replaceFirst("^\\.", ""))
                        .toList(),
                uniform,
                versions,
                deprecation(spec, version));
        return new Resource(
                new Resource.GroupVersion(Json.string(spec, "group"), Json.string(version, "name")),
                names,
                Json.string(spec, "scope").equals("Namespaced"),
                new Resource.Endpoints(verbs, List.copyOf(endpoints)),
                bucket(spec),
                ResourceTraits.CUSTOM,
                kind);
    }

    /** The definition's own warning, or the usual one, which names a later version that is not deprecated. */
    private static String deprecation(JsonNode spec, JsonNode version) {
        if (!isDeprecated(version)) {
            return "";
        }
        String own = Json.string(version, "deprecationWarning");
        if (!own.isEmpty()) {
            return own;
        }
        String name = Json.string(version, "name");
        Optional<String> better = Json.items(spec, "versions")
                .filter(each -> each.path("served").booleanValue(false) && !isDeprecated(each))
                .map(each -> Json.string(each, "name"))
                .filter(each -> ApiVersionOrder.PREFERRED_FIRST.compare(each, name) < 0)
                .min(ApiVersionOrder.PREFERRED_FIRST);
        return words(spec, name) + " is deprecated"
                + better.map(each -> "; use " + words(spec, each)).orElse("");
    }

    private static boolean isDeprecated(JsonNode version) {
        return version.path("deprecated").booleanValue(false);
    }

    private static String words(JsonNode spec, String version) {
        return Json.string(spec, "group") + "/" + version + " " + Json.string(spec, "names", "kind");
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }
}
