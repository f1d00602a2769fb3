package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.webhook.CaBundle;
import dev.kopf4j.json.JsonEquality;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group apiextensions.k8s.io. */
public final class ApiExtensionsStrategies {
    private static final RuleTable TABLE = RuleTable.of("apiextensions", ApiExtensionsStrategies::function);

    private ApiExtensionsStrategies() {}

    private static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return switch (name) {
            case "definedName" -> ApiExtensionsStrategies::definedName;
            case "usableBundleStays" -> ApiExtensionsStrategies::usableBundleStays;
            case "versions" -> (definition, checks) -> new CrdVersionValidation(TABLE, definition, checks).check();
            case "selectableField" -> ApiExtensionsStrategies::selectableField;
            case "storedVersions" -> ApiExtensionsStrategies::storedVersions;
            case "mapKey" -> SchemaKeywordValidation::mapKey;
            case "metadataOfRoot" -> StructuralSchemaValidation::metadataOfRoot;
            case "identityStays" -> ApiExtensionsStrategies::identityStays;
            default -> null;
        };
    }

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("customresourcedefinitions.apiextensions.k8s.io", new CrdStrategy());
    }

    /** A label that begins with a letter; that of a kind is compared in lower case, and one of a list is not empty. */
    private static void definedName(Place place, FieldChecks checks) {
        boolean listed = place.name().isEmpty();
        String name = place.name().endsWith("ind") ? place.text().toLowerCase(Locale.ROOT) : place.text();
        String checked = listed && name.isEmpty() ? "-" : name;
        if (checked.length() > 63 || !DnsNames.LABEL_1035.matcher(checked).matches()) {
            checks.problem("a DNS-1035 label is needed", place.path(), checked);
        }
    }

    /** Only where a usable bundle would be lost; a new definition with another one is never established. */
    private static void usableBundleStays(Place client, FieldChecks checks) {
        ObjectNode before = Objects.requireNonNull(client.draft().before());
        String former = Json.string(before, "spec", "conversion", "webhook", "clientConfig", "caBundle");
        String bundle = Json.string(client.now(), "caBundle");
        String problem = CaBundle.problem(bundle);
        if (StatusConditions.isTrue(before.path("status"), "Established")
                && CaBundle.problem(former).isEmpty()
                && !problem.isEmpty()) {
            checks.add(FieldError.invalid(client.path() + ".caBundle", CaBundle.shown(bundle), problem));
        }
    }

    /** {@code ValidateCustomResourceSelectableFields} (KEP-4358), beside its rows. */
    private static void selectableField(Place path, FieldChecks checks) {
        JsonNode version = path.array().parent().now();
        JsonNode found = Json.at(version, "schema", "openAPIV3Schema");
        for (String name : path.text().substring(1).split("\\.", -1)) {
            found = found.path("properties").path(name);
        }
        boolean metadata = path.text().startsWith(".metadata");
        boolean plain = List.of("string", "boolean", "integer").contains(Json.string(found, "type"));
        if (!path.text().startsWith(".") || metadata || !plain) {
            String rule = "must point to a field of type string, boolean or integer outside of metadata";
            checks.problem(rule, path.path(), path.text());
        }
    }

    /** {@code ValidateCustomResourceDefinitionStoredVersions}. */
    private static void storedVersions(Place stored, FieldChecks checks) {
        JsonNode versions = Json.at(stored.draft().next(), "spec", "versions");
        for (JsonNode version : versions) {
            String name = Json.string(version, "name");
            boolean kept = stored.now()
                    .valueStream()
                    .anyMatch(each -> each.stringValue().equals(name));
            if (version.path("storage").booleanValue(false)
                    && !kept
                    && !stored.now().isEmpty()) {
                checks.add(FieldError.invalid(
                        "status.storedVersions", Json.text(stored.now()), "must have the storage version " + name));
            }
        }
    }

    /** {@code ValidateCustomResourceDefinitionUpdate}: what identifies a kind does not change. */
    private static void identityStays(Place definition, FieldChecks checks) {
        boolean established = StatusConditions.isTrue(definition.before().path("status"), "Established");
        List<String> fixed = established
                ? List.of("group", "scope", "names.plural", "names.kind")
                : List.of("group", "names.plural");
        for (String field : fixed) {
            String path = "spec." + field;
            JsonNode now = Json.at(definition.now(), path.split("\\.", -1));
            if (!JsonEquality.same(Json.at(definition.before(), path.split("\\.", -1)), now)) {
                checks.errors().removeIf(error -> error.field().equals("metadata.name"));
                checks.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
            }
        }
    }

    /**
     * Custom resource definitions: derived names, stored versions. See {@code pkg/apis/apiextensions/v1/defaults.go}
     * and {@code pkg/registry/customresourcedefinition/strategy.go} of the apiextensions-apiserver, v1.33.
     */
    private static final class CrdStrategy extends TableStrategy {
        CrdStrategy() {
            super(TABLE, "customresourcedefinitions");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode next = draft.next();
            ObjectNode spec = Json.child(next, "spec");
            ObjectNode names = Json.child(spec, "names");
            String kind = Json.string(names, "kind");
            if (Json.string(names, "singular").isEmpty()) {
                names.put("singular", kind.toLowerCase(Locale.ROOT));
            }
            if (Json.string(names, "listKind").isEmpty() && !kind.isEmpty()) {
                names.put("listKind", kind + "List");
            }
            super.prepare(draft);
            storeVersion(next, spec);
        }

        /** Adds the stored version to the status, which keeps all versions that were ever stored. */
        private static void storeVersion(ObjectNode next, ObjectNode spec) {
            ObjectNode status = Json.child(next, "status");
            ArrayNode stored = status.get("storedVersions") instanceof ArrayNode present
                    ? present
                    : status.putArray("storedVersions");
            for (JsonNode version : spec.path("versions")) {
                String name = Json.string(version, "name");
                if (version.path("storage").booleanValue(false)
                        && stored.valueStream()
                                .noneMatch(each -> each.stringValue().equals(name))) {
                    stored.add(name);
                    return;
                }
            }
        }

        @Override
        public DeletionStrategy deletion() {
            return CrdDeletion.INSTANCE;
        }
    }

    /**
     * Deletes the objects of a custom kind before its definition: {@code Delete} in
     * {@code pkg/registry/customresourcedefinition/etcd.go} of the apiextensions-apiserver, v1.33.
     */
    private static final class CrdDeletion implements DeletionStrategy {
        static final DeletionStrategy INSTANCE = new CrdDeletion();
        private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

        private CrdDeletion() {}

        @Override
        public void begin(ObjectNode definition, Instant now, Optional<Long> wanted) {
            ObjectNode metadata = Json.child(definition, "metadata");
            metadata.put(
                    "deletionTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
            FinalizerList.add(metadata, CLEANUP);
        }
    }
}
