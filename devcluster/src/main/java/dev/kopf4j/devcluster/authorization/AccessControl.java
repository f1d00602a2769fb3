package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides who asks and whether he may. Thread-safe. */
public final class AccessControl {
    private static final Pattern ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");
    private static final String BEARER = "Bearer ";
    private final boolean authenticates;
    private final boolean authorizes;
    private final String adminToken;
    private final ServiceAccountTokens serviceAccountTokens;
    private final RbacAuthorizer rbacAuthorizer;

    /**
     * A gate.
     *
     * @param authenticates whether credentials are needed; without, everybody is the administrator
     * @param authorizes whether RBAC decides
     */
    public AccessControl(
            boolean authenticates,
            boolean authorizes,
            String adminToken,
            ServiceAccountTokens serviceAccountTokens,
            RbacAuthorizer rbacAuthorizer) {
        this.authenticates = authenticates;
        this.authorizes = authorizes;
        this.adminToken = adminToken;
        this.serviceAccountTokens = serviceAccountTokens;
        this.rbacAuthorizer = rbacAuthorizer;
    }

    /** Who asks; 401 for credentials that nobody knows, 403 for what he may not do. */
    public UserInfo authorize(ApiRequest request) {
        UserInfo userInfo = impersonate(request, authenticate(request));
        AuthorizationAttributes authorizationAttributes = AuthorizationAttributes.of(request);
        if (!allows(userInfo, authorizationAttributes)) {
            throw refused(userInfo, authorizationAttributes);
        }
        return userInfo;
    }

    /** Whether somebody may do something. */
    public boolean allows(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        return !authorizes || rbacAuthorizer.allows(userInfo, authorizationAttributes);
    }

    /** Why somebody may do something, if a binding lets him. */
    Optional<String> reason(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        return authorizes && !userInfo.isMaster()
                ? rbacAuthorizer.reason(userInfo, authorizationAttributes)
                : Optional.empty();
    }

    /** Whose token it is. */
    public Optional<UserInfo> authenticateToken(String token) {
        return token.equals(adminToken) ? Optional.of(UserInfo.ADMIN) : serviceAccountTokens.authenticate(token);
    }

    private UserInfo authenticate(ApiRequest request) {
        String header = request.header("authorization").orElse("");
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            Optional<UserInfo> user =
                    authenticateToken(header.substring(BEARER.length()).strip());
            if (user.isPresent()) {
                return user.get();
            }
            if (authenticates) {
                throw ApiException.of(401, "Unauthorized", "Unauthorized", Json.object(), false);
            }
        }
        return request.identity().map(AccessControl::named).orElse(authenticates ? UserInfo.ANONYMOUS : UserInfo.ADMIN);
    }

    private static UserInfo named(ApiRequest.Identity identity) {
        List<String> groups = new ArrayList<>(identity.groups());
        groups.add(UserInfo.AUTHENTICATED);
        return new UserInfo(identity.user(), "", groups, Map.of());
    }

    private UserInfo impersonate(ApiRequest request, UserInfo userInfo) {
        String name = request.header("impersonate-user").orElse("");
        if (name.isEmpty()) {
            if (request.header("impersonate-group").isPresent()) {
                throw ApiException.internal("requested groups without impersonating a user");
            }
            return userInfo;
        }
        Matcher account = ACCOUNT.matcher(name);
        if (account.matches()) {
            check(userInfo, "serviceaccounts", account.group(1), account.group(2));
        } else {
            check(userInfo, "users", "", name);
        }
        List<String> groups = new ArrayList<>();
        for (String group : request.header("impersonate-group").orElse("").split(",", -1)) {
            if (!group.isBlank()) {
                check(userInfo, "groups", "", group.strip());
                groups.add(group.strip());
            }
        }
        if (groups.isEmpty() && account.matches()) {
            groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account.group(1)));
        }
        if (!groups.contains(UserInfo.AUTHENTICATED)) {
            groups.add(name.equals("system:anonymous") ? "system:unauthenticated" : UserInfo.AUTHENTICATED);
        }
        return new UserInfo(name, request.header("impersonate-uid").orElse(""), groups, extra(request));
    }

    private static Map<String, List<String>> extra(ApiRequest request) {
        String prefix = "impersonate-extra-";
        Map<String, List<String>> extra = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                extra.put(name.substring(prefix.length()).toLowerCase(Locale.ROOT), List.of(value));
            }
        });
        return extra;
    }

    private void check(UserInfo userInfo, String resource, String namespace, String name) {
        AuthorizationAttributes authorizationAttributes =
                new AuthorizationAttributes("impersonate", "", resource, "", namespace, name, "");
        if (!allows(userInfo, authorizationAttributes)) {
            throw refused(userInfo, authorizationAttributes);
        }
    }

    private static ApiException refused(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        if (!authorizationAttributes.isResource()) {
            return ApiException.of(
                    403,
                    "Forbidden",
                    "forbidden: User \"" + userInfo.name() + "\" cannot " + authorizationAttributes.verb() + " path \""
                            + authorizationAttributes.path() + "\"",
                    Json.object(),
                    true);
        }
        String where = authorizationAttributes.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"" + authorizationAttributes.namespace() + "\"";
        return ApiException.forbidden(
                new StatusDetails(
                        authorizationAttributes.group(),
                        authorizationAttributes.resource(),
                        authorizationAttributes.name()),
                "User \"" + userInfo.name() + "\" cannot " + authorizationAttributes.verb() + " resource \""
                        + authorizationAttributes.qualifiedResource() + "\" in API group \""
                        + authorizationAttributes.group() + "\" " + where,
                List.of(),
                "");
    }
}
