package dev.kopf4j.devcluster.status;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** What a failure is about: a group, a resource or kind, and a name, each possibly empty. */
public record StatusDetails(String group, String kind, String name) {
    /** The resource or kind with its group, as messages show it. */
    public String qualified() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** The same without the name. */
    public StatusDetails unnamed() {
        return new StatusDetails(group, kind, "");
    }

    /** The {@code details} of a status. */
    public ObjectNode details() {
        ObjectNode details = Json.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        return details;
    }

    /** As the beginning of "... is invalid". */
    public String forInvalid() {
        return qualified() + " " + FieldError.quote(name);
    }

    @Override
    public String toString() {
        return qualified() + " " + FieldError.quote(name);
    }
}
