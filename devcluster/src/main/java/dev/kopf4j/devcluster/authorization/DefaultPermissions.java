package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import java.util.List;
import java.util.Set;

/**
 * What every user may do: ask for the server's health, discover what it serves, and review their own access;
 * {@code system:public-info-viewer}, {@code system:discovery} and {@code system:basic-user} of
 * {@code plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go}, v1.33.
 */
final class DefaultPermissions {
    private static final Set<String> PUBLIC =
            Set.of("/healthz", "/livez", "/readyz", "/version", "/version/", "/healthz/ping");
    private static final List<String> DISCOVERY = List.of("/api", "/apis", "/openapi");
    private static final Set<String> SELF =
            Set.of("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews");

    private DefaultPermissions() {}

    static boolean allow(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        boolean known = userInfo.groups().contains(UserInfo.AUTHENTICATED);
        if (!authorizationAttributes.isResource()) {
            boolean reads = authorizationAttributes.verb().equals("get")
                    || authorizationAttributes.verb().equals("head");
            return reads
                    && (PUBLIC.contains(authorizationAttributes.path())
                            || (known && DISCOVERY.stream().anyMatch(authorizationAttributes.path()::startsWith)));
        }
        return known
                && authorizationAttributes.verb().equals("create")
                && SELF.contains(authorizationAttributes.resource());
    }
}
