package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.schema.Schema;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a CRD says of one version of its kind, beyond names. Immutable.
 *
 * @param schema the structural schema
 * @param columns the additional printer columns as the CRD has them; none means the default
 * @param scale the scale subresource as the CRD has it, or a missing node
 * @param selectableFields dotted paths
 */
public record CustomKind(Schema schema, List<JsonNode> columns, JsonNode scale, List<String> selectableFields) {}
