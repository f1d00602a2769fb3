package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deployments, replica sets, stateful sets, daemon sets: template, selector, strategy. */
final class WorkloadStep implements KindRules {
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
    public void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        PodSpecs.prepare(Json.child(Json.child(spec, "template"), "spec"));
        switch (draft.resource().kind()) {
            case "Deployment" -> rolling(spec, "strategy", "maxUnavailable", "\"25%\"", "maxSurge", "\"25%\"");
            case "StatefulSet" -> {
                rolling(spec, "updateStrategy", "partition", "0", "partition", "0");
                claims(spec);
            }
            case "DaemonSet" -> {
                rolling(spec, "updateStrategy", "maxUnavailable", "1", "maxSurge", "0");
                countTemplates(draft);
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
    private static void countTemplates(Draft draft) {
        ObjectNode annotations = Json.child(Json.child(draft.next(), "metadata"), "annotations");
        ObjectNode before = draft.before();
        if (before == null) {
            annotations.put(TEMPLATE_GENERATION, "1");
            return;
        }
        String count = Json.string(before, "metadata", "annotations", TEMPLATE_GENERATION);
        boolean same = draft.isStatus()
                || Equality.same(
                        before.path("spec").path("template"),
                        draft.next().path("spec").path("template"));
        long former = count.isEmpty() ? 1 : Long.parseLong(count);
        annotations.put(TEMPLATE_GENERATION, String.valueOf(same ? former : former + 1));
    }

    @Override
    public List<String> warnings(Draft draft) {
        boolean named =
                List.of("Deployment", "ReplicaSet").contains(draft.resource().kind());
        List<String> warnings = new ArrayList<>(PodWarnings.ofTemplate(draft, named, "spec", "template"));
        JsonNode limit = draft.next().path("spec").path("revisionHistoryLimit");
        if (draft.resource().kind().equals("StatefulSet") && limit.longValue(0) < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        if (draft.isStatus()) {
            WorkloadStatus.check(draft, checks);
            return checks.causes();
        }
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "replicas", "spec", 0);
        checks.atLeast(spec, "minReadySeconds", "spec", 0);
        String kind = draft.resource().kind();
        if (!kind.equals("StatefulSet")) {
            checks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
        }
        boolean readable = selector(spec.path("selector"), kind, checks);
        if (readable || kind.equals("DaemonSet")) {
            template(spec, readable, kind, checks);
        }
        strategy(spec, kind, checks);
        ObjectNode before = draft.before();
        if (before != null) {
            changes(before.path("spec"), spec, kind, checks);
        }
        return checks.causes();
    }

    /** Whether the selector can be understood. */
    private static boolean selector(JsonNode selector, String kind, Checks checks) {
        boolean missing = selector.isMissingNode() || selector.isNull();
        boolean daemon = kind.equals("DaemonSet");
        if (missing && !daemon) {
            checks.add(Cause.required("spec.selector", ""));
        }
        boolean readable = Selectors.check(selector, "spec.selector", checks);
        if (!missing && Selectors.isEmpty(selector)) {
            String word = kind.toLowerCase(Locale.ROOT);
            checks.add(Cause.invalid("spec.selector", "{}", "empty selector is invalid for " + word));
        }
        if (!readable && !daemon) {
            checks.add(Cause.invalid("spec.selector", Json.text(selector), "invalid label selector"));
        }
        return readable;
    }

    /** Pods of stateful sets are looked at only when they are made: their claims are not known before. */
    private static void template(JsonNode spec, boolean readable, String kind, Checks checks) {
        JsonNode template = spec.path("template");
        JsonNode selector = spec.path("selector");
        JsonNode labels = template.path("metadata").path("labels");
        boolean matches =
                readable && selector.isObject() && LabelSelector.of(selector).matches(labels);
        if (readable && !matches) {
            checks.add(Cause.invalid(
                    "spec.template.metadata.labels",
                    Json.text(labels.isMissingNode() ? Json.object() : labels),
                    "`selector` does not match template `labels`"));
        }
        Selectors.labels(labels, "spec.template.labels", checks);
        boolean stateful = kind.equals("StatefulSet");
        if (!stateful) {
            PodSpecs.check(template.path("spec"), "spec.template.spec", checks);
        }
        String restart = Json.string(template, "spec", "restartPolicy");
        if (List.of("OnFailure", "Never").contains(restart) || (stateful && !restart.equals("Always"))) {
            checks.add(Cause.notSupported("spec.template.spec.restartPolicy", Cause.quote(restart), List.of("Always")));
        }
        if (template.path("spec").has("activeDeadlineSeconds")) {
            checks.add(Cause.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in " + kind + " is not Supported"));
        }
    }

    private static void strategy(JsonNode spec, String kind, Checks checks) {
        switch (kind) {
            case "Deployment" -> {
                rollout(spec.path("strategy"), "spec.strategy", List.of("Recreate", "RollingUpdate"), checks);
                long deadline = spec.path("progressDeadlineSeconds").longValue(600);
                checks.atLeast(spec, "progressDeadlineSeconds", "spec", 0);
                if (deadline <= spec.path("minReadySeconds").longValue(0)) {
                    checks.add(Cause.invalid(
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
                        checks);
            case "StatefulSet" -> {
                String type = Json.string(spec, "updateStrategy", "type");
                if (!type.equals("RollingUpdate") && !type.equals("OnDelete")) {
                    checks.add(
                            Cause.invalidString("spec.updateStrategy", type, "must be 'RollingUpdate' or 'OnDelete'"));
                }
                String management = Json.string(spec, "podManagementPolicy");
                if (!management.equals("OrderedReady") && !management.equals("Parallel")) {
                    checks.add(Cause.invalidString(
                            "spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'"));
                }
            }
            default -> {}
        }
    }

    private static void rollout(JsonNode strategy, String path, List<String> types, Checks checks) {
        checks.oneOf(strategy, "type", path, types);
        JsonNode rolling = strategy.path("rollingUpdate");
        boolean rolls = Json.string(strategy, "type").equals("RollingUpdate");
        if (Json.string(strategy, "type").equals("Recreate") && rolling.isObject()) {
            checks.add(Cause.forbidden(
                    path + ".rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        }
        if (!rolls) {
            return;
        }
        String where = path + ".rollingUpdate";
        String least = where + ".maxUnavailable";
        part(rolling.path("maxUnavailable"), least, true, checks);
        part(rolling.path("maxSurge"), where + ".maxSurge", path.equals("spec.updateStrategy"), checks);
        boolean none = isNothing(rolling.path("maxUnavailable"));
        boolean surges = !isNothing(rolling.path("maxSurge"));
        if (path.equals("spec.strategy")) {
            if (none && !surges) {
                checks.add(Cause.invalid(least, "0", "may not be 0 when `maxSurge` is 0"));
            }
        } else if (none && !surges) {
            checks.add(Cause.required(least, "cannot be 0 when maxSurge is 0"));
        } else if (!none && surges) {
            checks.add(Cause.invalid(
                    where + ".maxSurge",
                    Json.text(rolling.path("maxSurge")),
                    "may not be set when maxUnavailable is non-zero"));
        }
    }

    /** A number or a percentage of the pods. */
    private static void part(JsonNode amount, String path, boolean ofWhole, Checks checks) {
        if (amount.isNumber() && amount.longValue() < 0) {
            checks.add(Cause.invalid(path, amount.asString(), "must be greater than or equal to 0"));
        } else if (amount.isString() && !amount.stringValue().matches("[0-9]+%")) {
            checks.add(Cause.invalidString(
                    path,
                    amount.stringValue(),
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                            + " regex used for validation is '[0-9]+%')"));
        } else if (amount.isString()
                && ofWhole
                && amount.stringValue().matches("[0-9]{4,}%|[2-9][0-9]{2}%|1(0[1-9]|[1-9][0-9])%")) {
            checks.add(Cause.invalidString(path, amount.stringValue(), "must not be greater than 100%"));
        }
    }

    private static boolean isNothing(JsonNode amount) {
        return List.of("0", "0%", "").contains(amount.asString(""));
    }

    private static void changes(JsonNode before, JsonNode spec, String kind, Checks checks) {
        if (!kind.equals("StatefulSet")) {
            checks.fixed(spec.path("selector"), before.path("selector"), "spec.selector");
            return;
        }
        ObjectNode left = before.isObject() ? ((ObjectNode) before).deepCopy() : Json.object();
        ObjectNode right = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        if (!Equality.same(left.without(OF_STATEFUL_SETS), right.without(OF_STATEFUL_SETS))) {
            checks.add(Cause.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden"));
        }
    }
}
