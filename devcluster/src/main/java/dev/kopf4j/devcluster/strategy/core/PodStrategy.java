package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodQosClass;
import dev.kopf4j.devcluster.strategy.pod.PodResizeValidation;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods: defaults, what admission adds, the first phase; only few fields of the spec may change. See
 * {@code pkg/registry/core/pod/strategy.go} and {@code pkg/apis/core/validation/validation.go}
 * ({@code ValidatePodCreate}, {@code ValidatePodUpdate}), v1.33.
 */
final class PodStrategy extends TableStrategy {
    /** What the rows of {@code pods} call. */
    static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return switch (name) {
            case "ephemeralContainersStay" -> PodStrategy::ephemeralContainersStay;
            case "resize" -> PodStrategy::resize;
            case "tolerationsStay" -> PodStrategy::tolerationsStay;
            case "onlyImagesChange" -> PodStrategy::onlyImagesChange;
            default -> null;
        };
    }

    private static final String MUTABLE = "pod updates may not change fields other than"
            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
            + "`spec.tolerations` (only additions to existing tolerations),"
            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private static final String EPHEMERAL = "ephemeralcontainers";
    private static final String RESIZE = "resize";
    private static final List<String> METADATA =
            List.of("labels", "annotations", "finalizers", "ownerReferences", "generation");

    private static final List<String> TOLERATED =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    /** {@code applySchedulingGatedCondition}. */
    private static final JsonNode GATED = Json.parse("""
            [{"type": "PodScheduled", "status": "False", "lastProbeTime": null, "lastTransitionTime": null,
              "reason": "SchedulingGated", "message": "Scheduling is blocked due to non-empty scheduling gates"}]
            """);

    private static final int TOLERATION_SECONDS = 300;

    PodStrategy(RuleTable table) {
        super(table, "pods");
    }

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode former = draft.before();
        if (former != null && draft.subresource().equals(EPHEMERAL)) {
            keepAllButEphemeralContainers(draft.next(), former);
        } else if (former != null && draft.subresource().equals(RESIZE)) {
            keepAllButResources(draft.next(), former);
        }
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (draft.isNew() && Json.string(spec, "serviceAccountName").isEmpty()) {
            spec.put("serviceAccountName", "default"); // plugin/pkg/admission/serviceaccount/admission.go
        }
        Place place = Place.of(draft).field("spec", "spec");
        RuleTable.of("pod").check("Defaults", place, new FieldChecks());
        RuleTable.of("pod").check("PodDefaults", place, new FieldChecks());
        ObjectNode before = draft.before();
        if (before != null && draft.subresource().isEmpty()) {
            keep(spec, before.path("spec"));
        }
        if (draft.isNew()) {
            tolerate(spec);
            ObjectNode status = draft.next().putObject("status");
            status.put("phase", "Pending").put("qosClass", PodQosClass.of(spec));
            if (!spec.path("schedulingGates").isEmpty()) {
                status.set("conditions", GATED.deepCopy());
            }
        }
        addresses(draft.next().path("status"));
    }

    @Override
    public DeletionStrategy deletion() {
        return PodDeletion.INSTANCE;
    }

    /** Makes the single address a list, too. */
    private static void addresses(JsonNode status) {
        list(status, "podIP", "podIPs");
        list(status, "hostIP", "hostIPs");
    }

    private static void list(JsonNode status, String single, String list) {
        String address = Json.string(status, single);
        if (!address.isEmpty() && status.path(list).isEmpty()) {
            ((ObjectNode) status).putArray(list).addObject().put("ip", address);
        }
    }

    /** An update that leaves out what admission has set keeps it, and gets the tolerations again. */
    private static void keep(ObjectNode spec, JsonNode before) {
        for (String field : List.of("priority", "preemptionPolicy", "serviceAccountName", "serviceAccount")) {
            JsonNode former = before.get(field);
            boolean byAdmission =
                    !field.startsWith("serviceAccount") || "default".equals(former == null ? "" : former.asString());
            if (!spec.has(field) && former != null && byAdmission) {
                spec.set(field, former);
            }
        }
        tolerate(spec);
    }

    private static void tolerate(ObjectNode spec) {
        ArrayNode tolerations = Json.list(spec, "tolerations");
        for (String key : TOLERATED) {
            if (tolerations.valueStream().noneMatch(each -> tolerates(each, key))) {
                tolerations
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", TOLERATION_SECONDS);
            }
        }
    }

    private static boolean tolerates(JsonNode toleration, String key) {
        String given = Json.string(toleration, "key");
        String effect = Json.string(toleration, "effect");
        return (given.equals(key) || given.isEmpty()) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    /**
     * Gives the kubelet time to end a pod that is on a node: {@code CheckGracefulDelete} in
     * {@code pkg/registry/core/pod/strategy.go}, v1.33.
     */
    private static final class PodDeletion implements DeletionStrategy {
        static final DeletionStrategy INSTANCE = new PodDeletion();
        private static final int USUAL_SECONDS = 30;

        private PodDeletion() {}

        /** Zero if the pod has no node, or has ended. */
        @Override
        public long graceSeconds(ObjectNode pod, Optional<Long> wanted) {
            String phase = Json.string(pod, "status", "phase");
            boolean runs = !Json.string(pod, "spec", "nodeName").isEmpty()
                    && !phase.equals("Succeeded")
                    && !phase.equals("Failed");
            long ofSpec = pod.path("spec").path("terminationGracePeriodSeconds").longValue(USUAL_SECONDS);
            long seconds = wanted.orElse(ofSpec);
            return !runs ? 0 : seconds < 0 ? 1 : seconds;
        }

        @Override
        public boolean marksBeforeRemoval() {
            return true;
        }

        /** DELETE answers with the pod as it is being deleted. */
        @Override
        public ObjectNode shownWhenGone(ObjectNode pod) {
            return pod;
        }
    }

    /**
     * Keeps all but the containers that debug a pod: {@code dropNonEphemeralContainerUpdates} in
     * {@code pkg/registry/core/pod/strategy.go}, v1.33.
     */
    private static void keepAllButEphemeralContainers(ObjectNode pod, ObjectNode before) {
        JsonNode added = pod.path("spec").get("ephemeralContainers");
        ObjectNode spec = keepOutsideSubresource(pod, before);
        spec.remove("ephemeralContainers");
        if (added != null) {
            spec.set("ephemeralContainers", added);
        }
    }

    /** Keeps all but the resources of containers, unless there are other containers: those are refused later. */
    private static void keepAllButResources(ObjectNode pod, ObjectNode before) {
        for (String list : List.of("containers", "initContainers")) {
            if (pod.path("spec").path(list).size()
                    != before.path("spec").path(list).size()) {
                return;
            }
        }
        JsonNode sent = pod.path("spec");
        ObjectNode spec = keepOutsideSubresource(pod, before);
        for (String list : List.of("containers", "initContainers")) {
            resources(sent.path(list), spec.path(list));
        }
    }

    private static void resources(JsonNode sent, JsonNode kept) {
        for (int index = 0; index < sent.size(); index++) {
            ObjectNode container = (ObjectNode) kept.get(index);
            container.put("name", Json.string(sent.get(index), "name"));
            for (String field : List.of("resources", "resizePolicy")) {
                container.remove(List.of(field));
                if (sent.get(index).has(field)) {
                    container.set(field, sent.get(index).get(field));
                }
            }
        }
    }

    private static ObjectNode keepOutsideSubresource(ObjectNode pod, ObjectNode before) {
        ObjectNode metadata = Json.child(pod, "metadata");
        metadata.remove(METADATA);
        for (String field : METADATA) {
            if (before.path("metadata").has(field)) {
                metadata.set(field, before.path("metadata").get(field).deepCopy());
            }
        }
        pod.set("status", before.path("status").deepCopy());
        pod.set("spec", before.path("spec").deepCopy());
        return (ObjectNode) pod.get("spec");
    }

    /** Refuses other changes of such containers than new ones. */
    private static void ephemeralContainersStay(Place containers, FieldChecks checks) {
        for (JsonNode former : containers.before()) {
            String name = Json.string(former, "name");
            JsonNode same = containers
                    .now()
                    .valueStream()
                    .filter(each -> Json.string(each, "name").equals(name))
                    .findFirst()
                    .orElse(Json.missing());
            if (!JsonEquality.same(same, former)) {
                String what = same.isMissingNode() ? "removed" : "changed";
                String rule = "existing ephemeral containers " + FieldError.quote(name) + " may not be " + what + "\n";
                checks.add(FieldError.forbidden(containers.path(), rule));
            }
        }
    }

    private static void resize(Place pod, FieldChecks checks) {
        PodResizeValidation.check(pod.now(), pod.before(), checks);
    }

    private static void tolerationsStay(Place tolerations, FieldChecks checks) {
        boolean kept = tolerations
                .before()
                .valueStream()
                .map(PodStrategy::withoutSeconds)
                .allMatch(former -> tolerations
                        .now()
                        .valueStream()
                        .anyMatch(each -> JsonEquality.same(withoutSeconds(each), former)));
        if (!kept) {
            String rule = "existing toleration can not be modified except its tolerationSeconds";
            checks.add(FieldError.forbidden(tolerations.path(), rule));
        }
    }

    private static ObjectNode withoutSeconds(JsonNode toleration) {
        return ((ObjectNode) toleration).deepCopy().without("tolerationSeconds");
    }

    private static void onlyImagesChange(Place spec, FieldChecks checks) {
        if (!JsonEquality.same(fixedPart(spec.before()), fixedPart(spec.now()))) {
            checks.add(FieldError.forbidden(spec.path(), MUTABLE));
        }
    }

    private static ObjectNode fixedPart(JsonNode spec) {
        ObjectNode fixed = spec.isObject() ? (ObjectNode) spec.deepCopy() : Json.object();
        fixed.remove(List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        for (String list : List.of("containers", "initContainers")) {
            fixed.path(list).forEach(container -> ((ObjectNode) container).remove("image"));
        }
        return fixed;
    }
}
