package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import tools.jackson.databind.node.ObjectNode;

/** The Status with which DELETE answers if it does not show the deleted object. Pure. */
final class DeletionStatus {
    private DeletionStatus() {}

    static ObjectNode of(Resource resource, ObjectNode object) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details");
        details.put("name", Json.string(object, "metadata", "name"));
        if (!resource.group().isEmpty()) {
            details.put("group", resource.group());
        }
        details.put("kind", resource.plural());
        details.put("uid", Json.string(object, "metadata", "uid"));
        return status;
    }
}
