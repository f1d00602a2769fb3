package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Custom resource definitions: derived names, the stored versions, and what must agree. */
public final class CrdStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode next = objectDraft.next();
        ObjectNode spec = Json.child(next, "spec");
        ObjectNode names = Json.child(spec, "names");
        String kind = Json.string(names, "kind");
        if (Json.string(names, "singular").isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (Json.string(names, "listKind").isEmpty() && !kind.isEmpty()) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        if (objectDraft.isNew()) {
            ObjectNode status = next.putObject("status");
            status.putNull("conditions");
            status.putObject("acceptedNames").put("plural", "").put("kind", "");
        }
        storeVersion(next, spec);
    }

    /** Every version that was ever stored is remembered. */
    private static void storeVersion(ObjectNode next, ObjectNode spec) {
        ObjectNode status = Json.child(next, "status");
        ArrayNode stored =
                status.get("storedVersions") instanceof ArrayNode present ? present : status.putArray("storedVersions");
        for (JsonNode version : spec.path("versions")) {
            String name = Json.string(version, "name");
            if (version.path("storage").booleanValue(false)
                    && stored.valueStream().noneMatch(each -> each.stringValue().equals(name))) {
                stored.add(name);
                return;
            }
        }
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        return CrdValidation.check(objectDraft.next(), objectDraft.before());
    }
}
