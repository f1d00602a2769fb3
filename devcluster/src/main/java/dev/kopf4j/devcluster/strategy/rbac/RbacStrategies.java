package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group rbac.authorization.k8s.io. */
public final class RbacStrategies {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private RbacStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "clusterrolebindings.rbac.authorization.k8s.io", new ClusterRoleBindingStrategy(),
                "clusterroles.rbac.authorization.k8s.io", new ClusterRoleStrategy(),
                "rolebindings.rbac.authorization.k8s.io", new RoleBindingStrategy(),
                "roles.rbac.authorization.k8s.io", new RoleStrategy());
    }

    /**
     * Cluster role bindings: {@code ValidateClusterRoleBinding} in {@code pkg/apis/rbac/validation/validation.go},
     * v1.33.
     */
    private static final class ClusterRoleBindingStrategy implements ResourceStrategy {
        private static final BindingValidation VALIDATION = new BindingValidation(false, List.of("ClusterRole"));

        @Override
        public void prepare(ObjectDraft draft) {
            setSubjectGroups(draft.next());
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            VALIDATION.check(draft, checks);
        }
    }

    /** Cluster roles: {@code ValidateClusterRole} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
    private static final class ClusterRoleStrategy implements ResourceStrategy {
        private static final String SELECTORS = "aggregationRule.clusterRoleSelectors";

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            checkRules(draft.next().path("rules"), false, checks);
            JsonNode aggregation = draft.next().path("aggregationRule");
            JsonNode selectors = aggregation.path("clusterRoleSelectors");
            if (aggregation.isObject() && selectors.isEmpty()) {
                checks.add(FieldError.required(
                        SELECTORS, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
            }
            for (int index = 0; index < selectors.size(); index++) {
                String path = SELECTORS + "[" + index + "]";
                if (!LabelSelectorValidation.check(selectors.get(index), path, checks)) {
                    checks.add(FieldError.invalid(path, Json.text(selectors.get(index)), "invalid label selector."));
                }
            }
        }
    }

    /** Role bindings: {@code ValidateRoleBinding} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
    private static final class RoleBindingStrategy implements ResourceStrategy {
        private static final BindingValidation VALIDATION = new BindingValidation(true, List.of("Role", "ClusterRole"));

        @Override
        public void prepare(ObjectDraft draft) {
            setSubjectGroups(draft.next());
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            VALIDATION.check(draft, checks);
        }
    }

    /** Roles: {@code ValidateRole} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
    private static final class RoleStrategy implements ResourceStrategy {
        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            checkRules(draft.next().path("rules"), true, checks);
        }
    }

    /**
     * Bindings: {@code ValidateRoleBinding}, {@code ValidateClusterRoleBinding} and {@code ValidateRoleBindingSubject}
     * in {@code pkg/apis/rbac/validation/validation.go}, v1.33. Immutable.
     *
     * @param roleKinds the kinds of roles that may be bound
     */
    private record BindingValidation(boolean namespaced, List<String> roleKinds) {
        void check(ObjectDraft draft, FieldChecks checks) {
            JsonNode ref = draft.next().path("roleRef");
            word(ref, "apiGroup", "roleRef", List.of(GROUP), checks);
            word(ref, "kind", "roleRef", roleKinds, checks);
            checks.required(ref, "name", "roleRef");
            ObjectNode before = draft.before();
            if (before != null && !before.path("roleRef").equals(ref)) {
                checks.add(FieldError.invalid("roleRef", Json.text(ref), "cannot change roleRef"));
            }
            int index = 0;
            for (JsonNode subject : draft.next().path("subjects")) {
                subject(subject, "subjects[" + index++ + "]", checks);
            }
        }

        private static void word(JsonNode object, String field, String path, List<String> words, FieldChecks checks) {
            String value = Json.string(object, field);
            if (!words.contains(value)) {
                checks.add(FieldError.notSupported(path + "." + field, FieldError.quote(value), words));
            }
        }

        private void subject(JsonNode subject, String path, FieldChecks checks) {
            checks.required(subject, "name", path);
            switch (Json.string(subject, "kind")) {
                case "ServiceAccount" -> {
                    word(subject, "apiGroup", path, List.of(""), checks);
                    if (!namespaced && Json.string(subject, "namespace").isEmpty()) {
                        checks.add(FieldError.required(path + ".namespace", ""));
                    }
                }
                case "User", "Group" -> word(subject, "apiGroup", path, List.of(GROUP), checks);
                default -> word(subject, "kind", path, List.of("ServiceAccount", "User", "Group"), checks);
            }
        }
    }

    /**
     * Sets the API group of users and groups that bindings name: {@code SetDefaults_Subject} in
     * {@code pkg/apis/rbac/v1/defaults.go}, v1.33.
     */
    private static void setSubjectGroups(ObjectNode binding) {
        for (JsonNode subject : binding.path("subjects")) {
            boolean account = Json.string(subject, "kind").equals("ServiceAccount");
            if (!account && Json.string(subject, "apiGroup").isEmpty()) {
                ((ObjectNode) subject).put("apiGroup", GROUP);
            }
        }
    }

    /** Rules of roles: {@code ValidatePolicyRule} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
    private static void checkRules(JsonNode rules, boolean namespaced, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            String path = "rules[" + index++ + "]";
            checks.required(rule, "verbs", path);
            if (!rule.path("nonResourceURLs").isEmpty()) {
                urls(rule, path + ".nonResourceURLs", namespaced, checks);
                continue;
            }
            if (rule.path("apiGroups").isEmpty()) {
                checks.add(
                        FieldError.required(path + ".apiGroups", "resource rules must supply at least one api group"));
            }
            if (rule.path("resources").isEmpty()) {
                checks.add(
                        FieldError.required(path + ".resources", "resource rules must supply at least one resource"));
            }
        }
    }

    private static void urls(JsonNode rule, String path, boolean namespaced, FieldChecks checks) {
        String shown = Json.text(rule.path("nonResourceURLs"));
        if (namespaced) {
            checks.add(FieldError.invalid(path, shown, "namespaced rules cannot apply to non-resource URLs"));
        }
        boolean resources = !rule.path("apiGroups").isEmpty()
                || !rule.path("resources").isEmpty()
                || !rule.path("resourceNames").isEmpty();
        if (resources) {
            checks.add(FieldError.invalid(
                    path, shown, "rules cannot apply to both regular resources and non-resource URLs"));
        }
    }
}
