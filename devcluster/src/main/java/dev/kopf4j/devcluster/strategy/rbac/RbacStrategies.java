package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.FunctionStrategy;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Roles and their bindings. */
public final class RbacStrategies {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private RbacStrategies() {}

    public static ResourceStrategy role() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            boolean namespaced = objectDraft.resource().namespaced();
            int index = 0;
            for (JsonNode rule : objectDraft.next().path("rules")) {
                rule(rule, "rules[" + index++ + "]", namespaced, fieldChecks);
            }
        });
    }

    private static void rule(JsonNode rule, String path, boolean namespaced, FieldChecks fieldChecks) {
        fieldChecks.required(rule, "verbs", path);
        if (!rule.path("nonResourceURLs").isEmpty()) {
            if (namespaced) {
                fieldChecks.add(FieldError.invalid(
                        path + ".nonResourceURLs",
                        Json.text(rule.path("nonResourceURLs")),
                        "namespaced rules cannot apply to non-resource URLs"));
            }
            boolean both = !rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty();
            if (both) {
                fieldChecks.add(FieldError.invalid(
                        path + ".nonResourceURLs",
                        Json.text(rule.path("nonResourceURLs")),
                        "rules cannot apply to both regular resources and non-resource URLs"));
            }
            return;
        }
        if (rule.path("apiGroups").isEmpty()) {
            fieldChecks.add(
                    FieldError.required(path + ".apiGroups", "resource rules must supply at least one api group"));
        }
        if (rule.path("resources").isEmpty()) {
            fieldChecks.add(
                    FieldError.required(path + ".resources", "resource rules must supply at least one resource"));
        }
    }

    public static ResourceStrategy binding() {
        return new FunctionStrategy(
                objectDraft -> {
                    for (JsonNode subject : objectDraft.next().path("subjects")) {
                        boolean account = Json.string(subject, "kind").equals("ServiceAccount");
                        if (!account && Json.string(subject, "apiGroup").isEmpty()) {
                            ((ObjectNode) subject).put("apiGroup", GROUP);
                        }
                    }
                },
                (objectDraft, fieldChecks) -> {
                    JsonNode ref = objectDraft.next().path("roleRef");
                    boolean namespaced = objectDraft.resource().namespaced();
                    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
                    word(ref, "apiGroup", "roleRef", List.of(GROUP), fieldChecks);
                    word(ref, "kind", "roleRef", kinds, fieldChecks);
                    fieldChecks.required(ref, "name", "roleRef");
                    ObjectNode before = objectDraft.before();
                    if (before != null && !before.path("roleRef").equals(ref)) {
                        fieldChecks.add(FieldError.invalid("roleRef", Json.text(ref), "cannot change roleRef"));
                    }
                    int index = 0;
                    for (JsonNode subject : objectDraft.next().path("subjects")) {
                        subject(subject, "subjects[" + index++ + "]", namespaced, fieldChecks);
                    }
                });
    }

    private static void word(JsonNode object, String field, String path, List<String> words, FieldChecks fieldChecks) {
        String value = Json.string(object, field);
        if (!words.contains(value)) {
            fieldChecks.add(FieldError.notSupported(path + "." + field, FieldError.quote(value), words));
        }
    }

    private static void subject(JsonNode subject, String path, boolean namespaced, FieldChecks fieldChecks) {
        fieldChecks.required(subject, "name", path);
        switch (Json.string(subject, "kind")) {
            case "ServiceAccount" -> {
                word(subject, "apiGroup", path, List.of(""), fieldChecks);
                if (!namespaced && Json.string(subject, "namespace").isEmpty()) {
                    fieldChecks.add(FieldError.required(path + ".namespace", ""));
                }
            }
            case "User", "Group" -> word(subject, "apiGroup", path, List.of(GROUP), fieldChecks);
            default -> word(subject, "kind", path, List.of("ServiceAccount", "User", "Group"), fieldChecks);
        }
    }
}
