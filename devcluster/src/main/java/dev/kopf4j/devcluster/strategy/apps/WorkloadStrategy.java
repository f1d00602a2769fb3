package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deployments, replica sets, stateful sets, daemon sets: template, selector, strategy. */
public final class WorkloadStrategy implements ResourceStrategy {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
    private static final List<String> OF_STATEFUL_SETS = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode spec = Json.child(objectDraft.next(), "spec");
        PodSpecDefaults.prepare(Json.child(Json.child(spec, "template"), "spec"));
        switch (objectDraft.resource().kind()) {
            case "Deployment" -> rolling(spec, "strategy", "maxUnavailable", "\"25%\"", "maxSurge", "\"25%\"");
            case "StatefulSet" -> {
                rolling(spec, "updateStrategy", "partition", "0", "partition", "0");
                claims(spec);
            }
            case "DaemonSet" -> {
                rolling(spec, "updateStrategy", "maxUnavailable", "1", "maxSurge", "0");
                countTemplates(objectDraft);
            }
            default -> {}
        }
    }

    private static void rolling(
            ObjectNode spec, String field, String first, String firstValue, String second, String secondValue) {
        ObjectNode strategy = Json.child(spec, field);
        if (Json.string(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Json.child(strategy, "rollingUpdate");
            if (!rolling.has(first)) {
                rolling.set(first, Json.parse(firstValue));
            }
            if (!rolling.has(second)) {
                rolling.set(second, Json.parse(secondValue));
            }
        }
    }

    private static void claims(ObjectNode spec) {
        for (JsonNode claim : spec.path("volumeClaimTemplates")) {
            ((ObjectNode) claim).put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
            Json.child((ObjectNode) claim, "status").put("phase", "Pending");
        }
    }

    /** An annotation says how many templates a daemon set has had. */
    private static void countTemplates(ObjectDraft objectDraft) {
        ObjectNode annotations = Json.child(Json.child(objectDraft.next(), "metadata"), "annotations");
        ObjectNode before = objectDraft.before();
        if (before == null) {
            annotations.put(TEMPLATE_GENERATION, "1");
            return;
        }
        String count = Json.string(before, "metadata", "annotations", TEMPLATE_GENERATION);
        boolean same = objectDraft.isStatus()
                || JsonEquality.same(
                        before.path("spec").path("template"),
                        objectDraft.next().path("spec").path("template"));
        long former = count.isEmpty() ? 1 : Long.parseLong(count);
        annotations.put(TEMPLATE_GENERATION, String.valueOf(same ? former : former + 1));
    }

    @Override
    public List<String> warnings(ObjectDraft objectDraft) {
        boolean named = List.of("Deployment", "ReplicaSet")
                .contains(objectDraft.resource().kind());
        List<String> warnings = new ArrayList<>(PodWarnings.ofTemplate(objectDraft, named, "spec", "template"));
        JsonNode limit = objectDraft.next().path("spec").path("revisionHistoryLimit");
        if (objectDraft.resource().kind().equals("StatefulSet") && limit.longValue(0) < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        if (objectDraft.isStatus()) {
            WorkloadStatusValidation.check(objectDraft, fieldChecks);
            return fieldChecks.causes();
        }
        JsonNode spec = objectDraft.next().path("spec");
        fieldChecks.atLeast(spec, "replicas", "spec", 0);
        fieldChecks.atLeast(spec, "minReadySeconds", "spec", 0);
        String kind = objectDraft.resource().kind();
        if (!kind.equals("StatefulSet")) {
            fieldChecks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
        }
        boolean readable = selector(spec.path("selector"), kind, fieldChecks);
        if (readable || kind.equals("DaemonSet")) {
            template(spec, readable, kind, fieldChecks);
        }
        strategy(spec, kind, fieldChecks);
        ObjectNode before = objectDraft.before();
        if (before != null) {
            changes(before.path("spec"), spec, kind, fieldChecks);
        }
        return fieldChecks.causes();
    }

    /** Whether the selector can be understood. */
    private static boolean selector(JsonNode selector, String kind, FieldChecks fieldChecks) {
        boolean missing = selector.isMissingNode() || selector.isNull();
        boolean daemon = kind.equals("DaemonSet");
        if (missing && !daemon) {
            fieldChecks.add(FieldError.required("spec.selector", ""));
        }
        boolean readable = LabelSelectorValidation.check(selector, "spec.selector", fieldChecks);
        if (!missing && LabelSelectorValidation.isEmpty(selector)) {
            String word = kind.toLowerCase(Locale.ROOT);
            fieldChecks.add(FieldError.invalid("spec.selector", "{}", "empty selector is invalid for " + word));
        }
        if (!readable && !daemon) {
            fieldChecks.add(FieldError.invalid("spec.selector", Json.text(selector), "invalid label selector"));
        }
        return readable;
    }

    /** Pods of stateful sets are looked at only when they are made: their claims are not known before. */
    private static void template(JsonNode spec, boolean readable, String kind, FieldChecks fieldChecks) {
        JsonNode template = spec.path("template");
        JsonNode selector = spec.path("selector");
        JsonNode labels = template.path("metadata").path("labels");
        boolean matches =
                readable && selector.isObject() && LabelSelector.of(selector).matches(labels);
        if (readable && !matches) {
            fieldChecks.add(FieldError.invalid(
                    "spec.template.metadata.labels",
                    Json.text(labels.isMissingNode() ? Json.object() : labels),
                    "`selector` does not match template `labels`"));
        }
        LabelSelectorValidation.labels(labels, "spec.template.labels", fieldChecks);
        boolean stateful = kind.equals("StatefulSet");
        if (!stateful) {
            PodSpecDefaults.check(template.path("spec"), "spec.template.spec", fieldChecks);
        }
        String restart = Json.string(template, "spec", "restartPolicy");
        if (List.of("OnFailure", "Never").contains(restart) || (stateful && !restart.equals("Always"))) {
            fieldChecks.add(FieldError.notSupported(
                    "spec.template.spec.restartPolicy", FieldError.quote(restart), List.of("Always")));
        }
        if (template.path("spec").has("activeDeadlineSeconds")) {
            fieldChecks.add(FieldError.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in " + kind + " is not Supported"));
        }
    }

    private static void strategy(JsonNode spec, String kind, FieldChecks fieldChecks) {
        switch (kind) {
            case "Deployment" -> {
                rollout(spec.path("strategy"), "spec.strategy", List.of("Recreate", "RollingUpdate"), fieldChecks);
                long deadline = spec.path("progressDeadlineSeconds").longValue(600);
                fieldChecks.atLeast(spec, "progressDeadlineSeconds", "spec", 0);
                if (deadline <= spec.path("minReadySeconds").longValue(0)) {
                    fieldChecks.add(FieldError.invalid(
                            "spec.progressDeadlineSeconds",
                            String.valueOf(deadline),
                            "must be greater than minReadySeconds"));
                }
            }
            case "DaemonSet" ->
                rollout(
                        spec.path("updateStrategy"),
                        "spec.updateStrategy",
                        List.of("RollingUpdate", "OnDelete"),
                        fieldChecks);
            case "StatefulSet" -> {
                String type = Json.string(spec, "updateStrategy", "type");
                if (!type.equals("RollingUpdate") && !type.equals("OnDelete")) {
                    fieldChecks.add(FieldError.invalidString(
                            "spec.updateStrategy", type, "must be 'RollingUpdate' or 'OnDelete'"));
                }
                String management = Json.string(spec, "podManagementPolicy");
                if (!management.equals("OrderedReady") && !management.equals("Parallel")) {
                    fieldChecks.add(FieldError.invalidString(
                            "spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'"));
                }
            }
            default -> {}
        }
    }

    private static void rollout(JsonNode strategy, String path, List<String> types, FieldChecks fieldChecks) {
        fieldChecks.oneOf(strategy, "type", path, types);
        JsonNode rolling = strategy.path("rollingUpdate");
        boolean rolls = Json.string(strategy, "type").equals("RollingUpdate");
        if (Json.string(strategy, "type").equals("Recreate") && rolling.isObject()) {
            fieldChecks.add(FieldError.forbidden(
                    path + ".rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        }
        if (!rolls) {
            return;
        }
        String where = path + ".rollingUpdate";
        String least = where + ".maxUnavailable";
        part(rolling.path("maxUnavailable"), least, true, fieldChecks);
        part(rolling.path("maxSurge"), where + ".maxSurge", path.equals("spec.updateStrategy"), fieldChecks);
        boolean none = isNothing(rolling.path("maxUnavailable"));
        boolean surges = !isNothing(rolling.path("maxSurge"));
        if (path.equals("spec.strategy")) {
            if (none && !surges) {
                fieldChecks.add(FieldError.invalid(least, "0", "may not be 0 when `maxSurge` is 0"));
            }
        } else if (none && !surges) {
            fieldChecks.add(FieldError.required(least, "cannot be 0 when maxSurge is 0"));
        } else if (!none && surges) {
            fieldChecks.add(FieldError.invalid(
                    where + ".maxSurge",
                    Json.text(rolling.path("maxSurge")),
                    "may not be set when maxUnavailable is non-zero"));
        }
    }

    /** A number or a percentage of the pods. */
    private static void part(JsonNode amount, String path, boolean ofWhole, FieldChecks fieldChecks) {
        if (amount.isNumber() && amount.longValue() < 0) {
            fieldChecks.add(FieldError.invalid(path, amount.asString(), "must be greater than or equal to 0"));
        } else if (amount.isString() && !amount.stringValue().matches("[0-9]+%")) {
            fieldChecks.add(FieldError.invalidString(
                    path,
                    amount.stringValue(),
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                            + " regex used for validation is '[0-9]+%')"));
        } else if (amount.isString()
                && ofWhole
                && amount.stringValue().matches("[0-9]{4,}%|[2-9][0-9]{2}%|1(0[1-9]|[1-9][0-9])%")) {
            fieldChecks.add(FieldError.invalidString(path, amount.stringValue(), "must not be greater than 100%"));
        }
    }

    private static boolean isNothing(JsonNode amount) {
        return List.of("0", "0%", "").contains(amount.asString(""));
    }

    private static void changes(JsonNode before, JsonNode spec, String kind, FieldChecks fieldChecks) {
        if (!kind.equals("StatefulSet")) {
            fieldChecks.fixed(spec.path("selector"), before.path("selector"), "spec.selector");
            return;
        }
        ObjectNode left = before.isObject() ? ((ObjectNode) before).deepCopy() : Json.object();
        ObjectNode right = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        if (!JsonEquality.same(left.without(OF_STATEFUL_SETS), right.without(OF_STATEFUL_SETS))) {
            fieldChecks.add(FieldError.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden"));
        }
    }
}
