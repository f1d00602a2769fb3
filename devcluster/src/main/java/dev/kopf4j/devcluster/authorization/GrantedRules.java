package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Compares the rules that a user gives away with those that the user has: {@code ConfirmNoEscalation} in
 * {@code pkg/registry/rbac/validation/rule.go}, v1.33. Confined to one check.
 */
final class GrantedRules {
    private final UserInfo user;
    private final String namespace;
    private final List<JsonNode> owned;

    GrantedRules(RbacAuthorizer authorizer, UserInfo user, String namespace) {
        this.user = user;
        this.namespace = namespace;
        this.owned = authorizer.rules(user, namespace);
    }

    /** Whether the user has all of these rules. */
    boolean cover(List<JsonNode> rules) {
        return rules.stream()
                .flatMap(rule -> singles(rule).stream())
                .allMatch(single -> owned.stream().anyMatch(each -> PolicyRule.covers(each, single)));
    }

    /** Refuses an object with 403 if it gives away a rule that the user does not have. */
    void check(StatusDetails object, List<JsonNode> given) {
        for (JsonNode rule : given) {
            for (AuthorizationAttributes single : singles(rule)) {
                if (owned.stream().noneMatch(each -> PolicyRule.covers(each, single))) {
                    throw ApiException.forbidden(
                            object,
                            "user \"" + user.name() + "\" (groups=" + Json.text(Json.array(user.groups()))
                                    + ") is attempting to grant RBAC permissions not currently held: "
                                    + Json.text(rule),
                            List.of(),
                            "");
                }
            }
        }
    }

    /**
     * All single acts that a rule allows. A star stays a star, which only another star covers. See
     * {@code BreakdownRule} in {@code auth/rbac/validation/policy_comparator.go} of component-helpers, v1.33.
     */
    private List<AuthorizationAttributes> singles(JsonNode rule) {
        List<AuthorizationAttributes> singles = new ArrayList<>();
        for (String verb : words(rule, "verbs")) {
            for (String url : words(rule, "nonResourceURLs")) {
                singles.add(AuthorizationAttributes.ofPath(verb, url));
            }
            for (String group : words(rule, "apiGroups")) {
                for (String resource : words(rule, "resources")) {
                    singles(verb, group, resource, words(rule, "resourceNames"), singles);
                }
            }
        }
        return singles;
    }

    private void singles(
            String verb, String group, String resource, List<String> names, List<AuthorizationAttributes> into) {
        int slash = resource.indexOf('/');
        String plural = slash < 0 ? resource : resource.substring(0, slash);
        String subresource = slash < 0 ? "" : resource.substring(slash + 1);
        for (String name : names.isEmpty() ? List.of("") : names) {
            into.add(new AuthorizationAttributes(verb, group, plural, subresource, namespace, name, ""));
        }
    }

    private static List<String> words(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::stringValue).toList();
    }
}
