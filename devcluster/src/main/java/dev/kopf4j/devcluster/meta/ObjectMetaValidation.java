package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates object metadata: {@code pkg/api/validation/objectmeta.go} of apimachinery, v1.33. Pure. */
public final class ObjectMetaValidation {
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final List<String> STANDARD_FINALIZERS = List.of("orphan", "foregroundDeletion", "kubernetes");
    private final List<FieldError> causes = new ArrayList<>();
    private final JsonNode metadata;

    private ObjectMetaValidation(JsonNode metadata) {
        this.metadata = metadata;
    }

    /** The errors in the metadata of a new object. */
    public static List<FieldError> ofNew(Resource resource, ObjectNode object) {
        ObjectMetaValidation checks = new ObjectMetaValidation(object.path("metadata"));
        checks.names(resource.resourceTraits().nameRule());
        checks.common();
        checks.finalizerNames();
        if (MetadataChecks.of(resource).qualifiesFinalizers()) {
            checks.bareFinalizers();
        }
        return checks.causes;
    }

    /**
     * The errors in the metadata of an update: each several times, because several layers of a real server report it.
     */
    public static List<FieldError> ofUpdate(Resource resource, ObjectNode object, ObjectNode before) {
        MetadataChecks layers = MetadataChecks.of(resource);
        ObjectMetaValidation checks = new ObjectMetaValidation(object.path("metadata"));
        for (int generic = 0; generic < 2; generic++) {
            checks.noNewFinalizers(before.path("metadata"));
            checks.immutable(before.path("metadata"));
        }
        for (int layer = 0; layer < layers.onUpdate(); layer++) {
            checks.common();
        }
        if (!JsonEquality.same(
                object.path("metadata").get("finalizers"),
                before.path("metadata").get("finalizers"))) {
            for (int layer = 2; layer < layers.onUpdate() && layers.qualifiesFinalizers(); layer++) {
                checks.finalizerNames();
                checks.bareFinalizers();
            }
            for (int generic = 0; generic < 2 && !layers.qualifiesFinalizers(); generic++) {
                checks.finalizerNames();
            }
        }
        return checks.causes;
    }

    /** Warnings about finalizers without a domain. */
    public static List<String> finalizerWarnings(ObjectNode object, JsonNode before) {
        List<String> warnings = new ArrayList<>();
        for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
            String name = finalizer.stringValue();
            boolean known = Json.items(before, "metadata", "finalizers")
                    .anyMatch(each -> each.stringValue().equals(name));
            if (!name.contains("/") && !STANDARD_FINALIZERS.contains(name) && !name.contains(".") && !known) {
                warnings.add("metadata.finalizers: \"" + name
                        + "\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other"
                        + " finalizer writers");
            }
        }
        return warnings;
    }

    private void names(String rule) {
        String generated = Json.string(metadata, "generateName");
        String name = Json.string(metadata, "name");
        if (!generated.isEmpty()) {
            String base = generated.endsWith("-") ? generated.substring(0, generated.length() - 1) + "a" : generated;
            problem(checkName(rule, base), "metadata.generateName", generated);
        }
        if (name.isEmpty()) {
            causes.add(FieldError.required("metadata.name", "name or generateName is required"));
            return;
        }
        problem(checkName(rule, name), "metadata.name", name);
    }

    private void problem(String problem, String field, String value) {
        if (!problem.isEmpty()) {
            causes.add(FieldError.invalidString(field, value, problem));
        }
    }

    private void common() {
        if (metadata.path("generation").longValue(0) < 0) {
            causes.add(FieldError.invalid(
                    "metadata.generation",
                    metadata.path("generation").asString(),
                    "must be greater than or equal to 0"));
        }
        labels();
        annotations();
        owners();
    }

    private void labels() {
        for (Map.Entry<String, JsonNode> label : metadata.path("labels").properties()) {
            String value = label.getValue().asString();
            problem(LabelSyntax.key(label.getKey()), "metadata.labels", label.getKey());
            problem(LabelSyntax.value(value), "metadata.labels", value);
        }
    }

    private void annotations() {
        int size = 0;
        for (Map.Entry<String, JsonNode> annotation :
                metadata.path("annotations").properties()) {
            String key = annotation.getKey();
            problem(LabelSyntax.key(key.toLowerCase(Locale.ROOT)), "metadata.annotations", key);
            size += key.length() + annotation.getValue().asString().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            causes.add(new FieldError(
                    FieldError.Type.TOO_LONG,
                    "Too long: may not be more than " + MAX_ANNOTATIONS + " bytes",
                    "metadata.annotations"));
        }
    }

    private void owners() {
        String first = "";
        for (JsonNode owner : metadata.path("ownerReferences")) {
            owner(owner);
            if (owner.path("controller").booleanValue(false)) {
                String shown = Json.string(owner, "kind") + "/" + Json.string(owner, "name");
                if (!first.isEmpty()) {
                    causes.add(FieldError.invalid(
                            "metadata.ownerReferences",
                            Json.text(metadata.path("ownerReferences")),
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + first + " and " + shown));
                }
                first = shown;
            }
        }
    }

    private void owner(JsonNode owner) {
        String version = Json.string(owner, "apiVersion");
        String kind = Json.string(owner, "kind");
        for (String field : List.of("apiVersion", "kind", "name", "uid")) {
            if (Json.string(owner, field).isEmpty()) {
                String word = field.equals("apiVersion") ? "version" : field;
                problem(word + " must not be empty", "metadata.ownerReferences." + field, "");
            }
        }
        if (isBannedOwner(version, kind)) {
            causes.add(FieldError.invalid(
                    "metadata.ownerReferences",
                    Json.text(owner),
                    "/" + version + ", Kind=" + kind + " is disallowed from being an owner"));
        }
    }

    /** Events may not own anything: {@code BannedOwners}. */
    private static boolean isBannedOwner(String version, String kind) {
        return kind.equals("Event") && (version.equals("v1") || version.startsWith("events.k8s.io/"));
    }

    private void finalizerNames() {
        for (JsonNode finalizer : metadata.path("finalizers")) {
            String name = finalizer.stringValue();
            problem(LabelSyntax.key(name), "metadata.finalizers", name);
        }
    }

    /** {@code ValidateFinalizerName} in {@code pkg/apis/core/validation/validation.go}. */
    private void bareFinalizers() {
        int index = 0;
        for (JsonNode finalizer : metadata.path("finalizers")) {
            String name = finalizer.stringValue();
            if (!name.contains("/") && !STANDARD_FINALIZERS.contains(name)) {
                causes.add(FieldError.invalidString(
                        "metadata.finalizers[" + index + "]",
                        name,
                        "name is neither a standard finalizer name nor is it fully qualified"));
            }
            index++;
        }
    }

    private void noNewFinalizers(JsonNode before) {
        if (!before.has("deletionTimestamp")) {
            return;
        }
        List<String> added = strings(metadata.path("finalizers"));
        added.removeAll(strings(before.path("finalizers")));
        if (!added.isEmpty()) {
            String shown = added.stream().map(FieldError::quote).collect(Collectors.joining(", ", "[]string{", "}"));
            causes.add(FieldError.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers " + shown));
        }
    }

    private void immutable(JsonNode before) {
        for (String field : List.of(
                "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
            JsonNode now = metadata.path(field);
            if (!JsonEquality.same(now, before.path(field)) && !now.isMissingNode()) {
                causes.add(FieldError.invalid("metadata." + field, Json.text(now), "field is immutable"));
            }
        }
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Checks a name by the rule that the data of a resource names; empty if nothing is wrong with it. The rules are
     * those of apimachinery's {@code pkg/api/validation/generic.go} and {@code pkg/api/validation/path/name.go}, v1.33.
     */
    private static String checkName(String rule, String name) {
        return switch (rule) {
            case "label" -> DnsNames.label(name);
            case "dns1035" -> DnsNames.label1035(name);
            case "path" -> DnsNames.pathSegment(name);
            case "any" -> name.equals(".") || name.equals("..") ? "may not be '" + name + "'" : "";
            default -> DnsNames.subdomain(name);
        };
    }

    /**
     * How the metadata of a kind is checked: by how many layers at an update, which report the same error each, and
     * whether finalizers need a domain. Two layers are those of all kinds ({@code BeforeUpdate} in
     * {@code pkg/registry/rest/update.go} of the apiserver library); most kinds call {@code ValidateObjectMetaUpdate}
     * too, many also {@code ValidateX}, once or twice (their {@code ValidateUpdate} in {@code pkg/registry}, v1.33).
     *
     * <p>{@code resources.json} has what differs from one such call: the traits {@code genericMetadata} (none),
     * {@code metadataTwice} and {@code metadataThrice} (that many), {@code anyFinalizers} (a domain is not asked for).
     *
     * @param onUpdate the number of layers at an update
     * @param qualifiesFinalizers whether the validation of {@code pkg/apis/core} is one of them
     */
    private record MetadataChecks(int onUpdate, boolean qualifiesFinalizers) {
        private static final int GENERIC = 2;

        static MetadataChecks of(Resource resource) {
            Set<String> words = resource.resourceTraits().words();
            if (resource.isCustom() || words.contains("genericMetadata")) {
                return new MetadataChecks(GENERIC, false);
            }
            int more = words.contains("metadataThrice") ? 3 : words.contains("metadataTwice") ? 2 : 1;
            return new MetadataChecks(GENERIC + more, !words.contains("anyFinalizers"));
        }
    }
}
