package dev.kopf4j.engine.admission;

import dev.kopf4j.json.Json;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to a review. Immutable.
 *
 * @param refusal why the request is refused; empty if it may go on
 * @param warnings what the client is warned of
 * @param annotations what is written into the audit log
 * @param patch what is changed in the object; sent even with a refusal
 */
record AdmissionResponse(
        Optional<AdmissionRefusal> refusal, List<String> warnings, Map<String, String> annotations, ArrayNode patch) {
    /** The review that answers another. */
    ObjectNode toReview(AdmissionReview review) {
        ObjectNode answer = Json.object();
        answer.put("apiVersion", review.apiVersion());
        answer.put("kind", review.kind());
        ObjectNode response = answer.putObject("response");
        response.put("uid", review.uid());
        response.put("allowed", refusal.isEmpty());
        if (!warnings.isEmpty()) {
            ArrayNode list = response.putArray("warnings");
            warnings.forEach(list::add);
        }
        if (!annotations.isEmpty()) {
            ObjectNode map = response.putObject("auditAnnotations");
            annotations.forEach(map::put);
        }
        if (!patch.isEmpty()) {
            response.put("patch", Base64.getEncoder().encodeToString(Json.bytes(patch)));
            response.put("patchType", "JSONPatch");
        }
        refusal.ifPresent(why ->
                response.putObject("status").put("message", why.message()).put("code", why.code()));
        return answer;
    }
}
