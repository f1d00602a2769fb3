package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.Map;
import java.util.Optional;

/**
 * What the versions of a custom kind have in common. Immutable.
 *
 * @param storage the name of the version that is stored
 * @param schemas the schema of each version, by its name
 * @param converter converts between the versions; without one they differ in their apiVersion only
 */
public record CustomVersions(
        String storage, Map<String, StructuralSchema> schemas, Optional<CustomConverter> converter) {
    /** The schemas are copied. */
    public CustomVersions {
        schemas = Map.copyOf(schemas);
    }
}
