package dev.kopf4j.devcluster.cel.cost;

import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * How many values of a schema an object can have: the product of the limits of all lists and maps around it;
 * {@code MaxCardinality} in {@code pkg/apis/apiextensions/validation/cel_validation.go} of apiextensions-apiserver,
 * v1.33.
 *
 * @param most empty if a list or a map has no limit
 */
public record Cardinality(OptionalLong most) {
    /** Of the object itself. */
    public static final Cardinality ONE = new Cardinality(OptionalLong.of(1));

    /** How many values there are of what is directly in a value of this schema. */
    public Cardinality below(StructuralSchema schema) {
        boolean map = schema.type().equals("object") && schema.node().has("additionalProperties");
        boolean list = schema.type().equals("array");
        if (!map && !list) {
            return this;
        }
        JsonNode limit = schema.node().path(map ? "maxProperties" : "maxItems");
        if (most.isEmpty() || !limit.isNumber()) {
            return new Cardinality(OptionalLong.empty());
        }
        return new Cardinality(OptionalLong.of(Estimate.product(most.getAsLong(), Math.max(0, limit.longValue()))));
    }

    /**
     * What an expression costs that is evaluated for each value.
     *
     * @param least the smallest value in bytes: without limits, there are as many as a request can hold
     */
    public long times(long cost, long least) {
        return Estimate.product(cost, most.orElse(SizedType.REQUEST / (least + 1)));
    }
}
