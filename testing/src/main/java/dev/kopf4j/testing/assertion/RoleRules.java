package dev.kopf4j.testing.assertion;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The rules of the roles in a manifest, as RBAC reads them. Immutable.
 *
 * @param clusterwide the rules of cluster roles
 * @param namespaced the rules of roles, each for its namespace
 */
record RoleRules(List<PolicyRule> clusterwide, List<Role> namespaced) {
    static RoleRules parse(String manifest) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        List<PolicyRule> rules = new ArrayList<>();
        List<Role> roles = new ArrayList<>();
        // Its own reader takes what begins with a brace for JSON, which YAML on one line is not.
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(manifest)) {
            if (document == null) {
                continue;
            }
            if (!(document instanceof Map<?, ?>)) {
                throw new IllegalArgumentException(
                        "the roles are YAML, or JSON, and not the name of a file: " + document);
            }
            Object object = serialization.unmarshal(serialization.asJson(document));
            switch (object) {
                case ClusterRole role -> rules.addAll(role.getRules());
                case Role role -> roles.add(role);
                case HasMetadata _ -> {}
                default -> throw new IllegalArgumentException("not an object of Kubernetes: " + object);
            }
        }
        if (rules.isEmpty() && roles.isEmpty()) {
            throw new IllegalArgumentException("there is no Role and no ClusterRole in the manifest");
        }
        return new RoleRules(List.copyOf(rules), List.copyOf(roles));
    }

    boolean allow(UsedRight right) {
        return clusterwide.stream().anyMatch(rule -> allows(rule, right))
                || namespaced.stream()
                        .filter(role -> namespace(role).equals(right.namespace()))
                        .flatMap(role -> role.getRules().stream())
                        .anyMatch(rule -> allows(rule, right));
    }

    private static String namespace(Role role) {
        String namespace = role.getMetadata().getNamespace();
        return namespace == null ? "default" : namespace;
    }

    private static boolean allows(PolicyRule rule, UsedRight right) {
        List<String> names = rule.getResourceNames();
        return has(rule.getVerbs(), right.verb())
                && has(rule.getApiGroups(), right.group())
                && hasResource(rule.getResources(), right.resource())
                && (names.isEmpty() || names.contains(right.name()));
    }

    private static boolean has(List<String> values, String wanted) {
        return values.contains("*") || values.contains(wanted);
    }

    private static boolean hasResource(List<String> values, String wanted) {
        int slash = wanted.indexOf('/');
        return has(values, wanted) || (slash > 0 && values.contains("*" + wanted.substring(slash)));
    }
}
