package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.IntOrPercentValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group apps. */
public final class AppsStrategies {
    private AppsStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "controllerrevisions.apps", new ControllerRevisionStrategy(),
                "daemonsets.apps", new DaemonSetStrategy(),
                "deployments.apps", new DeploymentStrategy(),
                "replicasets.apps", new ReplicaSetStrategy(),
                "statefulsets.apps", new StatefulSetStrategy());
    }

    /**
     * Revisions do not change: {@code ValidateControllerRevisionCreate} and {@code ValidateControllerRevisionUpdate} in
     * {@code pkg/apis/apps/validation/validation.go}, v1.33.
     */
    private static final class ControllerRevisionStrategy implements ResourceStrategy {
        /** The data of a patched revision is never equal to what is stored, because it was decoded in another way. */
        @Override
        public void validatePatched(ObjectDraft draft, FieldChecks checks) {
            ObjectNode before = draft.before();
            if (before != null && JsonEquality.same(draft.next().path("data"), before.path("data"))) {
                checks.add(FieldError.invalid("data", Json.text(draft.next().path("data")), "field is immutable"));
            }
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode data = draft.next().path("data");
            JsonNode revision = draft.next().path("revision");
            if (revision.longValue(0) < 0) {
                checks.add(FieldError.invalid("revision", revision.asString(), "must be greater than or equal to 0"));
            }
            ObjectNode before = draft.before();
            if (before == null) {
                if (data.isMissingNode() || data.isNull()) {
                    checks.add(FieldError.required("data", "data is mandatory"));
                } else if (!data.isObject()) {
                    checks.add(FieldError.required("data", "data must be a valid JSON object"));
                }
            } else {
                checks.immutable(data, before.path("data"), "data");
            }
        }
    }

    /**
     * Daemon sets: {@code SetDefaults_DaemonSet} in {@code pkg/apis/apps/v1/defaults.go}, {@code ValidateDaemonSetSpec}
     * in {@code pkg/apis/apps/validation/validation.go}, the count of templates by
     * {@code pkg/registry/apps/daemonset/strategy.go}, v1.33.
     */
    private static final class DaemonSetStrategy implements ResourceStrategy {
        private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
        private static final JsonNode ROLLING_UPDATE =
                Json.object().put("maxUnavailable", 1).put("maxSurge", 0);

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            PodSpecDefaults.prepareTemplate(spec, "template");
            setRollingDefaults(spec, "updateStrategy", ROLLING_UPDATE);
            countTemplates(draft);
        }

        /** Counts in an annotation how many templates a daemon set has had. */
        private static void countTemplates(ObjectDraft draft) {
            ObjectNode annotations = Json.child(Json.child(draft.next(), "metadata"), "annotations");
            ObjectNode before = draft.before();
            if (before == null) {
                annotations.put(TEMPLATE_GENERATION, "1");
                return;
            }
            String count = Json.string(before, "metadata", "annotations", TEMPLATE_GENERATION);
            long former = count.isEmpty() ? 1 : Long.parseLong(count);
            boolean same = draft.isStatus() || JsonEquality.same(template(before), template(draft.next()));
            annotations.put(TEMPLATE_GENERATION, String.valueOf(same ? former : former + 1));
        }

        private static JsonNode template(ObjectNode object) {
            return object.path("spec").path("template");
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            return PodWarnings.ofTemplate(draft, "spec", "template");
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                WorkloadStatusValidation.check(draft, checks);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "minReadySeconds", "spec", 0);
            checks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
            SelectorAndTemplateValidation parts = new SelectorAndTemplateValidation(spec, "DaemonSet", checks);
            parts.templateLabels(parts.optionalSelector());
            parts.templateSpec();
            parts.runsForEver(true);
            checkRollingDaemonSet(spec.path("updateStrategy"), checks);
            SelectorAndTemplateValidation.immutableSelector(draft, checks);
        }
    }

    /**
     * Deployments: {@code SetDefaults_Deployment} in {@code pkg/apis/apps/v1/defaults.go},
     * {@code ValidateDeploymentSpec} in {@code pkg/apis/apps/validation/validation.go}, v1.33.
     */
    private static final class DeploymentStrategy implements ResourceStrategy {
        private static final JsonNode ROLLING_UPDATE =
                Json.object().put("maxUnavailable", "25%").put("maxSurge", "25%");
        private static final int USUAL_DEADLINE_SECONDS = 600;

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            PodSpecDefaults.prepareTemplate(spec, "template");
            setRollingDefaults(spec, "strategy", ROLLING_UPDATE);
        }

        /** Annotations count, too: {@code PrepareForUpdate} in {@code pkg/registry/apps/deployment/strategy.go}. */
        @Override
        public JsonNode generationPart(Resource resource, ObjectNode deployment) {
            ObjectNode part = Json.object();
            part.set("spec", deployment.path("spec"));
            JsonNode annotations = deployment.path("metadata").path("annotations");
            if (!annotations.isEmpty()) {
                part.set("annotations", annotations);
            }
            return part;
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels");
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            return ofNameAndTemplate(draft);
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                WorkloadStatusValidation.check(draft, checks);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            SelectorAndTemplateValidation.ofReplicas(spec, "Deployment", checks);
            checkRollingDeployment(spec.path("strategy"), checks);
            deadline(spec, checks);
            SelectorAndTemplateValidation.immutableSelector(draft, checks);
        }

        private static void deadline(JsonNode spec, FieldChecks checks) {
            checks.atLeast(spec, "progressDeadlineSeconds", "spec", 0);
            long deadline = spec.path("progressDeadlineSeconds").longValue(USUAL_DEADLINE_SECONDS);
            if (deadline <= spec.path("minReadySeconds").longValue(0)) {
                checks.add(FieldError.invalid(
                        "spec.progressDeadlineSeconds",
                        String.valueOf(deadline),
                        "must be greater than minReadySeconds"));
            }
        }
    }

    /** Replica sets: {@code ValidateReplicaSetSpec} in {@code pkg/apis/apps/validation/validation.go}, v1.33. */
    private static final class ReplicaSetStrategy implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            PodSpecDefaults.prepareTemplate(draft.next(), "spec", "template");
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            return ofNameAndTemplate(draft);
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                WorkloadStatusValidation.check(draft, checks);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            SelectorAndTemplateValidation.ofReplicas(spec, "ReplicaSet", checks);
            SelectorAndTemplateValidation.immutableSelector(draft, checks);
        }
    }

    /**
     * Stateful sets: {@code SetDefaults_StatefulSet} in {@code pkg/apis/apps/v1/defaults.go},
     * {@code ValidateStatefulSetSpec} and {@code ValidateStatefulSetUpdate} in
     * {@code pkg/apis/apps/validation/validation.go}, v1.33. The pod spec is not validated before pods are made, as it
     * names claims that are not known yet.
     */
    private static final class StatefulSetStrategy implements ResourceStrategy {
        private static final JsonNode ROLLING_UPDATE = Json.object().put("partition", 0);
        private static final List<String> MUTABLE = List.of(
                "replicas",
                "ordinals",
                "template",
                "updateStrategy",
                "revisionHistoryLimit",
                "persistentVolumeClaimRetentionPolicy",
                "minReadySeconds");

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            PodSpecDefaults.prepareTemplate(spec, "template");
            setRollingDefaults(spec, "updateStrategy", ROLLING_UPDATE);
            for (JsonNode claim : spec.path("volumeClaimTemplates")) {
                ((ObjectNode) claim).put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
                Json.child((ObjectNode) claim, "status").put("phase", "Pending");
            }
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            List<String> warnings = new ArrayList<>(PodWarnings.ofTemplate(draft, "spec", "template"));
            if (draft.next().path("spec").path("revisionHistoryLimit").longValue(0) < 0) {
                warnings.add(
                        "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                                + " recommended");
            }
            return warnings;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                WorkloadStatusValidation.check(draft, checks);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "replicas", "spec", 0);
            checks.atLeast(spec, "minReadySeconds", "spec", 0);
            checks.atLeast(spec.path("ordinals"), "start", "spec.ordinals", 0);
            checks.atLeast(
                    spec.path("updateStrategy").path("rollingUpdate"),
                    "partition",
                    "spec.updateStrategy.rollingUpdate",
                    0);
            for (String field : List.of("whenDeleted", "whenScaled")) {
                JsonNode policy = spec.path("persistentVolumeClaimRetentionPolicy");
                checks.oneOf(policy, field, "spec.persistentVolumeClaimRetentionPolicy", List.of("Delete", "Retain"));
            }
            SelectorAndTemplateValidation parts = new SelectorAndTemplateValidation(spec, "StatefulSet", checks);
            if (parts.requiredSelector()) {
                parts.templateLabels(true);
                parts.runsForEver(false);
            }
            word(Json.string(spec, "updateStrategy", "type"), "updateStrategy", "RollingUpdate", "OnDelete", checks);
            word(Json.string(spec, "podManagementPolicy"), "podManagementPolicy", "OrderedReady", "Parallel", checks);
            ObjectNode before = draft.before();
            if (before != null && !JsonEquality.same(fixedPart(before.path("spec")), fixedPart(spec))) {
                checks.add(FieldError.forbidden(
                        "spec",
                        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                                + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                                + " 'minReadySeconds' are forbidden"));
            }
        }

        private static void word(String value, String field, String first, String second, FieldChecks checks) {
            if (!value.equals(first) && !value.equals(second)) {
                checks.problem("must be '" + first + "' or '" + second + "'", "spec." + field, value);
            }
        }

        private static ObjectNode fixedPart(JsonNode spec) {
            ObjectNode copy = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
            return copy.without(MUTABLE);
        }
    }

    /** Whether an amount is missing or zero. */
    private static boolean isNothing(JsonNode amount) {
        return List.of("0", "0%", "").contains(amount.asString(""));
    }

    /**
     * Reports the errors of a deployment's strategy: {@code ValidateDeploymentStrategy} in
     * {@code pkg/apis/apps/validation/validation.go}, v1.33.
     */
    private static void checkRollingDeployment(JsonNode strategy, FieldChecks checks) {
        String path = "spec.strategy";
        checks.oneOf(strategy, "type", path, List.of("Recreate", "RollingUpdate"));
        JsonNode rolling = strategy.path("rollingUpdate");
        String type = Json.string(strategy, "type");
        if (type.equals("Recreate") && rolling.isObject()) {
            checks.add(FieldError.forbidden(
                    path + ".rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        }
        if (type.equals("RollingUpdate")) {
            String least = path + ".rollingUpdate.maxUnavailable";
            IntOrPercentValidation.checkOfWhole(rolling.path("maxUnavailable"), least, checks);
            IntOrPercentValidation.check(rolling.path("maxSurge"), path + ".rollingUpdate.maxSurge", checks);
            if (isNothing(rolling.path("maxUnavailable")) && isNothing(rolling.path("maxSurge"))) {
                checks.add(FieldError.invalid(least, "0", "may not be 0 when `maxSurge` is 0"));
            }
        }
    }

    /** Reports the errors of a daemon set's strategy. */
    private static void checkRollingDaemonSet(JsonNode strategy, FieldChecks checks) {
        String path = "spec.updateStrategy";
        checks.oneOf(strategy, "type", path, List.of("RollingUpdate", "OnDelete"));
        if (!Json.string(strategy, "type").equals("RollingUpdate")) {
            return;
        }
        JsonNode unavailable = strategy.path("rollingUpdate").path("maxUnavailable");
        JsonNode surge = strategy.path("rollingUpdate").path("maxSurge");
        String least = path + ".rollingUpdate.maxUnavailable";
        String most = path + ".rollingUpdate.maxSurge";
        IntOrPercentValidation.checkOfWhole(unavailable, least, checks);
        IntOrPercentValidation.checkOfWhole(surge, most, checks);
        if (isNothing(unavailable) && isNothing(surge)) {
            checks.add(FieldError.required(least, "cannot be 0 when maxSurge is 0"));
        } else if (!isNothing(unavailable) && !isNothing(surge)) {
            checks.add(FieldError.invalid(most, Json.text(surge), "may not be set when maxUnavailable is non-zero"));
        }
    }

    /**
     * Sets the parameters of a rolling update, if the strategy is one: {@code pkg/apis/apps/v1/defaults.go}, v1.33.
     *
     * @param field the field of the spec: {@code strategy} or {@code updateStrategy}
     * @param parameters values by names
     */
    private static void setRollingDefaults(ObjectNode spec, String field, JsonNode parameters) {
        ObjectNode strategy = Json.child(spec, field);
        if (Json.string(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Json.child(strategy, "rollingUpdate");
            for (Map.Entry<String, JsonNode> parameter : parameters.properties()) {
                if (!rolling.has(parameter.getKey())) {
                    rolling.set(parameter.getKey(), parameter.getValue());
                }
            }
        }
    }

    /**
     * Warnings about workloads whose pods have names that begin with theirs: {@code WarningsOnCreate} in
     * {@code pkg/registry/apps/deployment/strategy.go} and {@code pkg/registry/apps/replicaset/strategy.go}, v1.33.
     */
    private static List<String> ofNameAndTemplate(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
        warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
        return warnings;
    }

    /**
     * Validates the counts in the status of workloads: {@code ValidateDeploymentStatus},
     * {@code ValidateReplicaSetStatus}, {@code ValidateStatefulSetStatus} and {@code validateDaemonSetStatus} in
     * {@code pkg/apis/apps/validation/validation.go}, v1.33. Pure.
     */
    private static final class WorkloadStatusValidation {
        private static final Set<String> REPLICA_KINDS =
                Set.of("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController");

        /** The counts that are parts of the replicas, in the order of the errors. */
        private static final Map<String, List<String>> PARTS = Map.of(
                "Deployment", List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
                "ReplicaSet", List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
                "ReplicationController", List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
                "StatefulSet", List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));

        private WorkloadStatusValidation() {}

        static void check(ObjectDraft draft, FieldChecks checks) {
            JsonNode status = draft.next().path("status");
            List<String> counts = status.properties().stream()
                    .filter(field -> field.getValue().isNumber())
                    .map(Map.Entry::getKey)
                    .toList();
            counts.forEach(field -> checks.atLeast(status, field, "status", 0));
            String kind = draft.resource().kind();
            PARTS.getOrDefault(kind, List.of())
                    .forEach(part -> atMost(status, part, "replicas", "status.replicas", checks));
            if (REPLICA_KINDS.contains(kind)) {
                atMost(status, "availableReplicas", "readyReplicas", "readyReplicas", checks);
            }
            ObjectNode before = draft.before();
            long collisions = before == null ? 0 : count(before.path("status"), "collisionCount");
            if (count(status, "collisionCount") < collisions) {
                checks.add(FieldError.invalid(
                        "status.collisionCount",
                        String.valueOf(count(status, "collisionCount")),
                        "cannot be decremented"));
            }
        }

        private static long count(JsonNode status, String field) {
            return status.path(field).longValue(0);
        }

        private static void atMost(JsonNode status, String part, String whole, String shown, FieldChecks checks) {
            long found = count(status, part);
            if (found > count(status, whole)) {
                checks.add(
                        FieldError.invalid("status." + part, String.valueOf(found), "cannot be greater than " + shown));
            }
        }
    }
}
