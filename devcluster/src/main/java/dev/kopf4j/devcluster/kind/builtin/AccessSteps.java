package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Roles and their bindings. */
final class AccessSteps {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private AccessSteps() {}

    static KindRules role() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            boolean namespaced = draft.resource().namespaced();
            int index = 0;
            for (JsonNode rule : draft.next().path("rules")) {
                rule(rule, "rules[" + index++ + "]", namespaced, checks);
            }
        });
    }

    private static void rule(JsonNode rule, String path, boolean namespaced, Checks checks) {
        checks.required(rule, "verbs", path);
        if (!rule.path("nonResourceURLs").isEmpty()) {
            if (namespaced) {
                checks.add(Cause.invalid(
                        path + ".nonResourceURLs",
                        Json.text(rule.path("nonResourceURLs")),
                        "namespaced rules cannot apply to non-resource URLs"));
            }
            boolean both = !rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty();
            if (both) {
                checks.add(Cause.invalid(
                        path + ".nonResourceURLs",
                        Json.text(rule.path("nonResourceURLs")),
                        "rules cannot apply to both regular resources and non-resource URLs"));
            }
            return;
        }
        if (rule.path("apiGroups").isEmpty()) {
            checks.add(Cause.required(path + ".apiGroups", "resource rules must supply at least one api group"));
        }
        if (rule.path("resources").isEmpty()) {
            checks.add(Cause.required(path + ".resources", "resource rules must supply at least one resource"));
        }
    }

    static KindRules binding() {
        return new SimpleStep(
                draft -> {
                    for (JsonNode subject : draft.next().path("subjects")) {
                        boolean account = Json.string(subject, "kind").equals("ServiceAccount");
                        if (!account && Json.string(subject, "apiGroup").isEmpty()) {
                            ((ObjectNode) subject).put("apiGroup", GROUP);
                        }
                    }
                },
                (draft, checks) -> {
                    JsonNode ref = draft.next().path("roleRef");
                    boolean namespaced = draft.resource().namespaced();
                    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
                    word(ref, "apiGroup", "roleRef", List.of(GROUP), checks);
                    word(ref, "kind", "roleRef", kinds, checks);
                    checks.required(ref, "name", "roleRef");
                    ObjectNode before = draft.before();
                    if (before != null && !before.path("roleRef").equals(ref)) {
                        checks.add(Cause.invalid("roleRef", Json.text(ref), "cannot change roleRef"));
                    }
                    int index = 0;
                    for (JsonNode subject : draft.next().path("subjects")) {
                        subject(subject, "subjects[" + index++ + "]", namespaced, checks);
                    }
                });
    }

    private static void word(JsonNode object, String field, String path, List<String> words, Checks checks) {
        String value = Json.string(object, field);
        if (!words.contains(value)) {
            checks.add(Cause.notSupported(path + "." + field, Cause.quote(value), words));
        }
    }

    private static void subject(JsonNode subject, String path, boolean namespaced, Checks checks) {
        checks.required(subject, "name", path);
        switch (Json.string(subject, "kind")) {
            case "ServiceAccount" -> {
                word(subject, "apiGroup", path, List.of(""), checks);
                if (!namespaced && Json.string(subject, "namespace").isEmpty()) {
                    checks.add(Cause.required(path + ".namespace", ""));
                }
            }
            case "User", "Group" -> word(subject, "apiGroup", path, List.of(GROUP), checks);
            default -> word(subject, "kind", path, List.of("ServiceAccount", "User", "Group"), checks);
        }
    }
}
