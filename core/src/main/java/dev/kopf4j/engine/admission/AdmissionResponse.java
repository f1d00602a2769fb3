package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
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
        Optional<Refusal> refusal, List<String> warnings, Map<String, String> annotations, ArrayNode patch) {
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

    /** What handlers want to be changed in a reviewed object, as a JSON patch; empty if the object stays as it is. */
    static ArrayNode patch(ObjectNode body, PatchContent patch) {
        ObjectNode changed = body.deepCopy();
        merge(changed, patch.merge());
        ArrayNode conditions = patch.conditions().differenceTo(changed);
        if (conditions != null) {
            changed.withObject("/status").set("conditions", conditions);
        }
        for (PatchTransformation transformation : patch.transformations()) {
            transformation.apply(changed);
        }
        return JsonPatch.diff(body, changed);
    }

    /** As a merge patch, except that a mapping that loses its last key is removed, and an empty one changes nothing. */
    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String key = entry.getKey();
            switch (entry.getValue()) {
                case ObjectNode fragment -> mergeInto(target, key, fragment);
                case JsonNode value when value.isNull() -> target.remove(key);
                case JsonNode value -> target.set(key, value);
            }
        }
    }

    private static void mergeInto(ObjectNode target, String key, ObjectNode fragment) {
        if (fragment.isEmpty()) {
            return;
        }
        boolean nested = target.get(key) instanceof ObjectNode;
        ObjectNode inner = nested ? (ObjectNode) target.get(key) : target.objectNode();
        boolean wasEmpty = inner.isEmpty();
        merge(inner, fragment);
        if (inner.isEmpty() && !wasEmpty) {
            target.remove(key);
        } else if (!nested && !inner.isEmpty()) {
            target.set(key, inner);
        }
    }

    /**
     * Why a request is refused, as its client is told.
     *
     * @param code the HTTP status
     * @param message the reason
     */
    record Refusal(int code, String message) {
        /**
         * The one of several failures that the client is told: what was meant for it comes first. Empty if there are
         * none.
         */
        static Optional<Refusal> of(List<Throwable> failures) {
            return failures.stream()
                    .min(Comparator.comparingInt(Refusal::rank))
                    .map(failure -> new Refusal(code(failure), message(failure)));
        }

        private static int rank(Throwable failure) {
            return switch (failure) {
                case AdmissionException _ -> 0;
                case PermanentException _ -> 1;
                case TemporaryException _ -> 2;
                default -> 3;
            };
        }

        private static int code(Throwable failure) {
            return failure instanceof AdmissionException refusal ? refusal.code() : AdmissionException.DEFAULT_CODE;
        }

        private static String message(Throwable failure) {
            String message = failure.getMessage();
            return message == null || message.isEmpty() ? failure.getClass().getSimpleName() + "()" : message;
        }
    }
}
