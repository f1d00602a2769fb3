package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates the stored versions in the status: {@code ValidateCustomResourceDefinitionStoredVersions} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class StoredVersionValidation {
    private StoredVersionValidation() {}

    static void check(JsonNode definition, FieldChecks checks) {
        JsonNode versions = definition.path("spec").path("versions");
        JsonNode stored = definition.path("status").path("storedVersions");
        if (stored.isEmpty()) {
            checks.add(FieldError.invalid("status.storedVersions", "[]", "must have at least one stored version"));
        }
        known(versions, stored, checks);
        storageVersion(versions, stored, checks);
    }

    private static void known(JsonNode versions, JsonNode stored, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        versions.forEach(version -> names.add(Json.string(version, "name")));
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
    }

    private static void storageVersion(JsonNode versions, JsonNode stored, FieldChecks checks) {
        for (JsonNode version : versions) {
            String name = Json.string(version, "name");
            boolean kept =
                    stored.valueStream().anyMatch(each -> each.stringValue().equals(name));
            if (version.path("storage").booleanValue(false) && !kept && !stored.isEmpty()) {
                checks.add(FieldError.invalid(
                        "status.storedVersions", Json.text(stored), "must have the storage version " + name));
            }
        }
    }
}
