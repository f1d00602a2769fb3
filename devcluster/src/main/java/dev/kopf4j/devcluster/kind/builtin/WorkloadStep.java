package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deployments, replica sets, stateful sets, daemon sets: template, selector, strategy. */
final class WorkloadStep implements KindRules {
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
            case "DaemonSet" -> rolling(spec, "updateStrategy", "maxUnavailable", "1", "maxSurge", "0");
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
            Json.child((ObjectNode) claim, "status").put("phase", "Pending");
        }
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "replicas", "spec", 0);
        checks.atLeast(spec, "minReadySeconds", "spec", 0);
        checks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
        selector(spec, draft, checks);
        JsonNode template = spec.path("template");
        PodSpecs.check(template.path("spec"), "spec.template.spec", checks);
        String restart = Json.string(template, "spec", "restartPolicy");
        if (!restart.equals("Always")) {
            checks.add(Cause.notSupported("spec.template.spec.restartPolicy", Cause.quote(restart), List.of("Always")));
        }
        return checks.causes();
    }

    private static void selector(JsonNode spec, Draft draft, Checks checks) {
        JsonNode selector = spec.path("selector");
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        boolean empty = selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
        if (selector.isMissingNode() || selector.isNull()) {
            checks.add(Cause.required("spec.selector", ""));
        } else if (empty) {
            checks.add(Cause.invalid(
                    "spec.selector",
                    "{}",
                    "empty selector is invalid for " + draft.resource().kind().toLowerCase(java.util.Locale.ROOT)));
        }
        ObjectNode before = draft.before();
        if (before != null && !Equality.same(before.path("spec").get("selector"), spec.get("selector"))) {
            checks.add(Cause.invalid("spec.selector", Json.text(selector), "field is immutable"));
        }
        if (empty || !LabelSelector.of(selector).matches(labels)) {
            checks.add(Cause.invalid(
                    "spec.template.metadata.labels",
                    Json.text(labels.isMissingNode() ? Json.object() : labels),
                    "`selector` does not match template `labels`"));
        }
    }
}
