package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.cel.RuleValidation;
import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates custom resource definitions: {@code pkg/apis/apiextensions/validation/validation.go} of
 * apiextensions-apiserver, v1.33. Used for one definition.
 */
final class CrdValidation {
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final Pattern COMMUNITY = Pattern.compile("(^|\\.)(k8s|kubernetes)\\.io$");
    private static final String APPROVAL = "api-approved.kubernetes.io";
    private static final int MAX_WARNING = 256;
    private static final int MAX_FIELDS = 8;
    private final FieldChecks checks;
    private final JsonNode definition;
    private final JsonNode spec;

    private CrdValidation(JsonNode definition, FieldChecks checks) {
        this.checks = checks;
        this.definition = definition;
        this.spec = definition.path("spec");
    }

    static void check(JsonNode definition, @Nullable ObjectNode before, FieldChecks checks) {
        CrdValidation all = new CrdValidation(definition, checks);
        all.names();
        if (before == null) {
            all.approval();
        }
        all.scope();
        all.conversion();
        all.versions();
        all.stored();
        if (before != null) {
            all.immutable(before);
        }
    }

    private void names() {
        String group = Json.string(spec, "group");
        String plural = Json.string(spec, "names", "plural");
        String name = Json.string(definition, "metadata", "name");
        if (!name.equals(plural + "." + group)) {
            checks.add(FieldError.invalidString("metadata.name", name, "must be spec.names.plural+\".\"+spec.group"));
        }
        if (group.isEmpty()) {
            checks.add(FieldError.required("spec.group", ""));
        } else if (!DnsNames.SUBDOMAIN.matcher(group).matches()) {
            checks.add(FieldError.invalidString("spec.group", group, "a lowercase RFC 1123 subdomain is needed"));
        } else if (!group.contains(".")) {
            checks.add(FieldError.invalidString("spec.group", group, "should be a domain with at least one dot"));
        }
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            checks.required(spec.path("names"), field, "spec.names");
            boolean mixed = field.endsWith("ind");
            String word = Json.string(spec, "names", field);
            word(mixed ? word.toLowerCase(Locale.ROOT) : word, "spec.names." + field);
        }
        for (String list : List.of("shortNames", "categories")) {
            int index = 0;
            for (JsonNode each : spec.path("names").path(list)) {
                String path = "spec.names." + list + "[" + index++ + "]";
                word(each.asString().isEmpty() ? "-" : each.asString(), path);
            }
        }
        String kind = Json.string(spec, "names", "kind");
        if (!kind.isEmpty() && kind.equals(Json.string(spec, "names", "listKind"))) {
            checks.add(FieldError.invalidString("spec.names.listKind", kind, "kind and listKind may not be the same"));
        }
    }

    private void word(String word, String path) {
        if (!word.isEmpty()
                && (word.length() > 63 || !DnsNames.LABEL_1035.matcher(word).matches())) {
            checks.add(FieldError.invalidString(path, word, "a DNS-1035 label is needed"));
        }
    }

    /** Groups under k8s.io and kubernetes.io need an approval annotation (KEP-2337). */
    private void approval() {
        String group = Json.string(spec, "group");
        if (!COMMUNITY.matcher(group).find()) {
            return;
        }
        String field = "metadata.annotations[" + APPROVAL + "]";
        String approval = Json.string(definition, "metadata", "annotations", APPROVAL);
        String rule = "protected groups must have approval annotation \"" + APPROVAL
                + "\", see https://github.com/kubernetes/enhancements/pull/1111";
        if (approval.isEmpty()) {
            checks.add(FieldError.required(field, rule));
        } else if (!approval.startsWith("unapproved") && !approval.matches("https?://[^/\\s]+.*")) {
            checks.add(FieldError.invalidString(
                    field, approval, rule + " with either a URL or a reason starting with" + " \"unapproved\""));
        }
    }

    private void scope() {
        String scope = Json.string(spec, "scope");
        if (scope.isEmpty()) {
            checks.add(FieldError.required("spec.scope", ""));
        } else if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
            checks.add(
                    FieldError.notSupported("spec.scope", FieldError.quote(scope), List.of("Cluster", "Namespaced")));
        }
        if (spec.path("preserveUnknownFields").booleanValue(false)) {
            checks.add(FieldError.invalid(
                    "spec.preserveUnknownFields",
                    "true",
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead"));
        }
    }

    private void conversion() {
        String path = "spec.conversion";
        JsonNode conversion = spec.path("conversion");
        checks.oneOf(conversion, "strategy", path, List.of("None", "Webhook"));
        JsonNode webhook = conversion.path("webhook");
        if (!Json.string(conversion, "strategy").equals("Webhook")) {
            if (webhook.isObject()) {
                checks.add(FieldError.forbidden(
                        path + ".webhookClientConfig", "should not be set when strategy is not set to Webhook"));
            }
            return;
        }
        JsonNode client = webhook.path("clientConfig");
        if (!client.isObject()) {
            checks.add(FieldError.required(path + ".webhookClientConfig", "required when strategy is set to Webhook"));
        } else if (client.has("url") == client.has("service")) {
            checks.add(FieldError.required(path + ".webhookClientConfig", "exactly one of url or service is required"));
        }
        List<String> known = List.of("v1", "v1beta1");
        JsonNode versions = webhook.path("conversionReviewVersions");
        if (versions.isEmpty()) {
            checks.add(FieldError.required(path + ".conversionReviewVersions", ""));
        } else if (versions.valueStream().noneMatch(each -> known.contains(each.stringValue("")))) {
            checks.add(FieldError.invalid(
                    path + ".conversionReviewVersions",
                    Json.text(versions),
                    "must include at least one of v1, v1beta1"));
        }
    }

    private void versions() {
        JsonNode versions = spec.path("versions");
        Set<String> names = new HashSet<>();
        int storage = 0;
        boolean unique = true;
        for (int index = 0; index < versions.size(); index++) {
            JsonNode version = versions.get(index);
            unique &= names.add(Json.string(version, "name"));
            storage += version.path("storage").booleanValue(false) ? 1 : 0;
            version(version, index);
        }
        if (!unique) {
            checks.add(FieldError.invalid(
                    "spec.versions", Json.text(names(versions)), "must contain unique version names"));
        }
        if (storage != 1) {
            checks.add(FieldError.invalid(
                    "spec.versions",
                    Json.text(names(versions)),
                    "must have exactly one version marked as storage version"));
        }
    }

    private static JsonNode names(JsonNode versions) {
        return Json.array(versions.valueStream()
                .map(version -> Json.string(version, "name"))
                .toList());
    }

    private void version(JsonNode version, int index) {
        String path = "spec.versions[" + index + "]";
        version(Json.string(version, "name"), path);
        deprecation(version, path);
        String shownPath = spec.path("versions").size() == 1 || sameInAll("subresources") ? "spec" : path;
        if (index == 0 || !sameInAll("subresources")) {
            scale(version.path("subresources").path("scale"), shownPath + ".subresources.scale");
        }
        selectable(version, spec.path("versions").size() == 1 || sameInAll("selectableFields") ? "spec" : path, index);
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        boolean single = spec.path("versions").size() == 1;
        if (!schema.isObject()) {
            checks.add(FieldError.required(path + ".schema.openAPIV3Schema", "schemas are required"));
            return;
        }
        // A real server moves settings that all versions share to the top before it validates.
        boolean shared = sameInAll("schema");
        String where = shared ? "spec.validation.openAPIV3Schema" : path + ".schema.openAPIV3Schema";
        if (!shared || index == 0) {
            boolean status = version.path("subresources").has("status");
            checks.addAll(SchemaKeywordValidation.check(new StructuralSchema(schema), status, where));
            checks.addAll(StructuralSchemaValidation.check(new StructuralSchema(schema), where));
            if (ValidationRules.exist(new StructuralSchema(schema))) {
                checks.addAll(RuleValidation.validate(new StructuralSchema(schema), where));
            }
        }
        if (!sameInAll("additionalPrinterColumns") || index == 0) {
            columns(version, single || sameInAll("additionalPrinterColumns") ? "spec" : path);
        }
    }

    private void version(String name, String path) {
        if (name.isEmpty()) {
            checks.add(FieldError.invalidString(path + ".name", name, "a DNS-1035 label is needed"));
        }
        word(name, path + ".name");
    }

    private void deprecation(JsonNode version, String path) {
        if (!version.has("deprecationWarning")) {
            return;
        }
        String warning = Json.string(version, "deprecationWarning");
        if (!version.path("deprecated").booleanValue(false)) {
            checks.add(FieldError.invalidString(
                    path + ".deprecationWarning", warning, "can only be set for deprecated versions"));
        } else if (warning.isEmpty() || warning.length() > MAX_WARNING) {
            checks.add(FieldError.invalidString(
                    path + ".deprecationWarning", warning, "must be of 1 to " + MAX_WARNING + " characters"));
        }
    }

    private void scale(JsonNode scale, String path) {
        if (!scale.isObject()) {
            return;
        }
        below(scale, "specReplicasPath", path, ".spec.");
        below(scale, "statusReplicasPath", path, ".status.");
        String selector = Json.string(scale, "labelSelectorPath");
        if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
            checks.add(FieldError.invalidString(
                    path + ".labelSelectorPath", selector, "should be a json path under either .status or .spec"));
        }
    }

    private void below(JsonNode scale, String field, String path, String root) {
        String value = Json.string(scale, field);
        if (value.isEmpty()) {
            checks.add(FieldError.required(path + "." + field, ""));
        } else if (!value.startsWith(root) || value.contains("[")) {
            checks.add(FieldError.invalidString(path + "." + field, value, "should be a json path under " + root));
        }
    }

    private void selectable(JsonNode version, String path, int number) {
        if (number > 0 && path.equals("spec")) {
            return;
        }
        JsonNode fields = version.path("selectableFields");
        if (fields.size() > MAX_FIELDS) {
            checks.add(new FieldError(
                    FieldError.Type.TOO_MANY,
                    "Too many: " + fields.size() + ": must have at most " + MAX_FIELDS + " items",
                    path + ".selectableFields"));
        }
        Set<String> paths = new HashSet<>();
        int index = 0;
        for (JsonNode field : fields) {
            String where = path + ".selectableFields[" + index++ + "].jsonPath";
            String jsonPath = Json.string(field, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where, ""));
            } else if (!paths.add(jsonPath)) {
                checks.add(FieldError.duplicate(where, FieldError.quote(jsonPath)));
            } else {
                selectablePath(version.path("schema").path("openAPIV3Schema"), jsonPath, where);
            }
        }
    }

    private void selectablePath(JsonNode schema, String jsonPath, String where) {
        JsonNode found = schema;
        for (String name : jsonPath.substring(Math.min(1, jsonPath.length())).split("\\.", -1)) {
            found = found.path("properties").path(name);
        }
        boolean metadata = jsonPath.startsWith(".metadata");
        boolean plain = List.of("string", "boolean", "integer").contains(Json.string(found, "type"));
        if (!jsonPath.startsWith(".") || metadata || !plain) {
            checks.add(FieldError.invalidString(
                    where, jsonPath, "must point to a field of type string, boolean or integer outside of metadata"));
        }
    }

    private boolean sameInAll(String field) {
        JsonNode versions = spec.path("versions");
        return versions.valueStream()
                .allMatch(each ->
                        JsonEquality.same(each.get(field), versions.path(0).get(field)));
    }

    private void columns(JsonNode version, String path) {
        int index = 0;
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            String where = path + ".additionalPrinterColumns[" + index++ + "]";
            checks.required(column, "name", where);
            String type = Json.string(column, "type");
            if (!COLUMN_TYPES.contains(type)) {
                checks.add(FieldError.invalidString(
                        where + ".type", type, "must be one of " + String.join(",", COLUMN_TYPES)));
            }
            String jsonPath = Json.string(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where + ".JSONPath", ""));
            } else if (!jsonPath.startsWith(".")) {
                checks.add(FieldError.invalidString(
                        where + ".JSONPath", jsonPath, "must be a simple json path starting with ."));
            }
        }
    }

    private void stored() {
        JsonNode stored = definition.path("status").path("storedVersions");
        Set<String> names = new HashSet<>();
        spec.path("versions").forEach(version -> names.add(Json.string(version, "name")));
        if (stored.isEmpty()) {
            checks.add(FieldError.invalid("status.storedVersions", "[]", "must have at least one stored version"));
        }
        for (int index = 0; index < stored.size(); index++) {
            String name = stored.get(index).stringValue();
            if (!names.contains(name)) {
                checks.add(FieldError.invalidString(
                        "status.storedVersions[" + index + "]",
                        name,
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in"
                                + " spec.versions until a storage migration ensures no data remains persisted in "
                                + name + " and removes " + name + " from status.storedVersions"));
            }
        }
        for (JsonNode version : spec.path("versions")) {
            String name = Json.string(version, "name");
            boolean kept =
                    stored.valueStream().anyMatch(each -> each.stringValue().equals(name));
            if (version.path("storage").booleanValue(false) && !kept && !stored.isEmpty()) {
                checks.add(FieldError.invalid(
                        "status.storedVersions", Json.text(stored), "must have the storage version " + name));
            }
        }
    }

    private void immutable(ObjectNode before) {
        JsonNode former = before.path("spec");
        boolean established = StatusConditions.isTrue(before.path("status"), "Established");
        for (String field : established ? List.of("group", "scope") : List.of("group")) {
            fixed(former.path(field), spec.path(field), "spec." + field);
        }
        fixed(former.path("names").path("plural"), spec.path("names").path("plural"), "spec.names.plural");
        if (established) {
            fixed(former.path("names").path("kind"), spec.path("names").path("kind"), "spec.names.kind");
        }
    }

    private void fixed(JsonNode before, JsonNode now, String path) {
        if (!JsonEquality.same(before, now)) {
            checks.errors().removeIf(fieldError -> fieldError.field().equals("metadata.name"));
            checks.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
        }
    }
}
