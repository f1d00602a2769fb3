package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a custom resource definition says about one version of its kind, besides names. Immutable; the rules are
 * compiled on first use.
 */
public final class CustomKind {
    private final StructuralSchema structuralSchema;
    private final List<JsonNode> columns;
    private final JsonNode scale;
    private final List<String> selectableFields;
    private final boolean hasRules;
    private final boolean storedAsServed;
    private final CustomVersions versions;
    private final String deprecation;
    private volatile @org.jspecify.annotations.Nullable ValidationRules rules;

    /**
     * A kind.
     *
     * @param structuralSchema the structural schema
     * @param columns the additional printer columns as the CRD has them; none means the default
     * @param scale the scale subresource as the CRD has it, or a missing node
     * @param selectableFields dotted paths
     * @param uniform whether all stored objects already conform to this schema, so that reads need no pruning and
     *     defaulting
     * @param versions what it has in common with the other versions of its kind
     * @param deprecation the warning for clients of a deprecated version; empty if it is not deprecated
     */
    public CustomKind(
            StructuralSchema structuralSchema,
            List<JsonNode> columns,
            JsonNode scale,
            List<String> selectableFields,
            boolean uniform,
            CustomVersions versions,
            String deprecation) {
        this.versions = versions;
        this.storedAsServed = uniform;
        this.deprecation = deprecation;
        this.structuralSchema = structuralSchema;
        this.columns = List.copyOf(columns);
        this.scale = scale;
        this.selectableFields = List.copyOf(selectableFields);
        this.hasRules =
                !structuralSchema.node().findValues("x-kubernetes-validations").isEmpty();
    }

    /** The structural schema. */
    public StructuralSchema structuralSchema() {
        return structuralSchema;
    }

    /** The additional printer columns. */
    public List<JsonNode> columns() {
        return columns;
    }

    /** The scale subresource, or a missing node. */
    public JsonNode scale() {
        return scale;
    }

    /** Dotted paths that field selectors may name. */
    public List<String> selectableFields() {
        return selectableFields;
    }

    /** The warning for clients of a deprecated version; empty if it is not deprecated. */
    public String deprecation() {
        return deprecation;
    }

    /** Whether all objects were stored under this schema. */
    public boolean storedAsServed() {
        return storedAsServed;
    }

    /** What it has in common with the other versions of its kind. */
    public CustomVersions versions() {
        return versions;
    }

    /** Whether the schema has rules; {@link #rules} loads the expression language. */
    public boolean hasRules() {
        return hasRules;
    }

    /** The rules of the schema. */
    public ValidationRules rules() {
        ValidationRules present = rules;
        if (present == null) {
            present = new ValidationRules(structuralSchema);
            rules = present;
        }
        return present;
    }
}
