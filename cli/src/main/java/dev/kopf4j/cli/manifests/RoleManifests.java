package dev.kopf4j.cli.manifests;

import static dev.kopf4j.cli.manifests.Pieces.list;
import static dev.kopf4j.cli.manifests.Pieces.map;

import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The roles and bindings that grant an operator its rights: one role for each place where it needs some. Pure. */
record RoleManifests(Names names, List<RequiredRule> rules) {
    private static final String RBAC = "rbac.authorization.k8s.io";

    List<Manifest> objects() {
        Map<RightScope, List<RequiredRule>> byScope = new TreeMap<>();
        rules.forEach(rule -> byScope.computeIfAbsent(rule.scope(), scope -> new ArrayList<>())
                .add(rule));
        List<Manifest> objects = new ArrayList<>();
        byScope.forEach((scope, some) -> {
            objects.add(new Manifest(role(scope, some), comments(scope, some)));
            objects.add(Manifest.of(binding(scope)));
        });
        return objects;
    }

    private Map<String, Object> role(RightScope scope, List<RequiredRule> some) {
        Map<String, Object> role = Pieces.object(RBAC + "/v1", kind(scope, "Role"), metadata(scope));
        role.put("rules", RoleRule.of(some).stream().map(RoleRule::object).toList());
        return role;
    }

    private Map<String, Object> binding(RightScope scope) {
        Map<String, Object> metadata = metadata(scope);
        Map<String, Object> binding = Pieces.object(RBAC + "/v1", kind(scope, "RoleBinding"), metadata);
        binding.put("roleRef", map("apiGroup", RBAC, "kind", kind(scope, "Role"), "name", name(scope)));
        binding.put(
                "subjects", list(map("kind", "ServiceAccount", "namespace", names.namespace(), "name", names.name())));
        return binding;
    }

    private static String kind(RightScope scope, String kind) {
        return scope.kind() == RightScope.Kind.CLUSTER ? "Cluster" + kind : kind;
    }

    private Map<String, Object> metadata(RightScope scope) {
        return switch (scope.kind()) {
            case CLUSTER -> map("name", name(scope), "labels", Pieces.labels(names));
            case NAMESPACE -> metadata(String.valueOf(scope.namespace()), scope);
            case OWN -> metadata(names.namespace(), scope);
        };
    }

    private Map<String, Object> metadata(String namespace, RightScope scope) {
        return map("namespace", namespace, "name", name(scope), "labels", Pieces.labels(names));
    }

    /** In a namespace that the operator serves, its own may have a role, too: they need two names. */
    private String name(RightScope scope) {
        return scope.kind() == RightScope.Kind.OWN ? names.name() + "-own" : names.clusterName();
    }

    private static List<String> comments(RightScope scope, List<RequiredRule> some) {
        List<String> comments = reasons(some);
        if (scope.kind() == RightScope.Kind.NAMESPACE && some.stream().anyMatch(RoleManifests::changesObjects)) {
            comments.add("Who deletes the namespace deletes this Role before the objects, and those with the operator's"
                    + " finalizer keep it from going: delete them first, with `kubectl delete KIND --all -n "
                    + scope.namespace() + "`.");
        }
        return comments;
    }

    private static boolean changesObjects(RequiredRule rule) {
        return rule.verbs().contains("patch") && !rule.resource().equals(WellKnownResources.EVENTS.plural());
    }

    private static List<String> reasons(List<RequiredRule> some) {
        Set<String> reasons = new LinkedHashSet<>();
        some.forEach(rule -> reasons.add(title(rule) + ": " + rule.reason()));
        return new ArrayList<>(reasons);
    }

    private static String title(RequiredRule rule) {
        return String.join(", ", rule.verbs()) + " of " + rule.resource()
                + (rule.apiGroup().isEmpty() ? "" : " in " + rule.apiGroup());
    }
}
