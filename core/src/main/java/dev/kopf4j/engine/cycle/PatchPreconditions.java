package dev.kopf4j.engine.cycle;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What must hold on the server for a patch to be made. Thread-safe. */
public interface PatchPreconditions {
    /** The same object: not another one that was created under its name meanwhile. */
    PatchPreconditions SAME_OBJECT = new SameObject();

    /** The same object in the same state: a patch that comes late conflicts instead of overwriting. */
    PatchPreconditions SAME_VERSION = new SameVersion();

    /** Adds the conditions to a merge patch. */
    void addTo(ObjectNode mergePatch, ObjectNode body);

    /** Adds the conditions to a JSON patch, in front of its changes. */
    void addTo(ArrayNode jsonPatch, ObjectNode body);

    /** True if the server has refused another uid: the known object is gone, and another one has its name. */
    static boolean isAboutIdentity(ApiException refusal) {
        return refusal.serverMessage().contains("metadata.uid")
                || refusal.serverMessage().contains("Precondition failed: UID");
    }

    /**
     * A merge patch with another uid is refused by the server, as the uid of an object cannot change. A JSON patch
     * tests the version, which no two objects ever share.
     */
    final class SameObject implements PatchPreconditions {
        private SameObject() {}

        @Override
        public void addTo(ObjectNode mergePatch, ObjectNode body) {
            JsonNode uid = body.path("metadata").get("uid");
            if (uid != null) {
                JsonNode metadata = mergePatch.get("metadata");
                ObjectNode meta = metadata instanceof ObjectNode object ? object : mergePatch.putObject("metadata");
                meta.set("uid", uid);
            }
        }

        @Override
        public void addTo(ArrayNode jsonPatch, ObjectNode body) {
            ObjectNode test = Json.object();
            test.put("op", "test");
            test.put("path", "/metadata/resourceVersion");
            test.set("value", body.path("metadata").path("resourceVersion"));
            jsonPatch.insert(0, test);
        }
    }

    /** In addition, a merge patch with another version is refused by the server with a conflict. */
    final class SameVersion implements PatchPreconditions {
        private SameVersion() {}

        @Override
        public void addTo(ObjectNode mergePatch, ObjectNode body) {
            SAME_OBJECT.addTo(mergePatch, body);
            JsonNode version = body.path("metadata").get("resourceVersion");
            if (version != null) {
                mergePatch.withObject("/metadata").set("resourceVersion", version);
            }
        }

        @Override
        public void addTo(ArrayNode jsonPatch, ObjectNode body) {
            SAME_OBJECT.addTo(jsonPatch, body);
        }
    }
}
